// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shaders of glmark2 (Debian package glmark2-data), if they are installed: each compiles, encodes and
// disassembles.
#include <cstdlib>

#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;

namespace {

uint32_t check(const ir::Shader& s, Part part) {
    const Binary b = compile(s, part, testing::kValidated);
    CHECK(b.error == "");
    if (!b.error.empty()) return 0;
    const size_t used = size_t(b.info.statistics.instructions);
    for (size_t i = 0; i < used; i++) {
        mali::isa::Instr decoded;
        CHECK(mali::isa::decode(b.code[i], &decoded, nullptr));
    }
    CHECK(b.code.size() % 16 == 0);
    CHECK(b.code.back() == 0);
    return b.info.statistics.instructions;
}

}  // namespace

TEST_CASE("mali compiler: the shaders of glmark2") {
    unsigned pairs = 0;
    uint32_t instructions = 0;
    const auto compile_pair = [&](const std::string& name, const std::string& vs, const std::string& fs) {
        CAPTURE(name);
        const auto program = compiled::link(vs, fs);
        if (!program) return;  // parts of shaders, which glmark2 combines
        pairs++;
        const ir::Shader& v = *program->stages[size_t(ir::Stage::Vertex)];
        const uint32_t position = check(v, Part::Position);
        const uint32_t varying = has_varying_part(v) ? check(v, Part::Varying) : 0;
        const uint32_t color = check(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment);
        instructions += position + varying + color;
        if (std::getenv("TERRAZZO_SHADER_STATISTICS"))
            MESSAGE(name << ": position " << position << ", varying " << varying << ", fragment " << color);
    };
    if (!compiled::for_each_glmark2_pair(compile_pair)) return;
    CHECK(pairs >= 10);
    MESSAGE(pairs << " programs, " << instructions << " instructions");
}
