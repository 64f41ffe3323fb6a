// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shaders of glmark2 (Debian package glmark2-data), where they are installed: each compiles, encodes and
// disassembles.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;

namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << "#ifdef GL_ES\nprecision highp float;\n#endif\n" << in.rdbuf();
    // glmark2 fills in numbers before it compiles.
    return std::regex_replace(text.str(), std::regex("\\$[A-Z_]+\\$"), "");
}

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
    const std::filesystem::path folder = "/usr/share/glmark2/shaders";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("glmark2-data is not installed");
        return;
    }
    unsigned pairs = 0;
    uint32_t instructions = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::filesystem::path fragment = entry.path();
        if (fragment.extension() != ".vert") continue;
        fragment.replace_extension(".frag");
        if (!std::filesystem::exists(fragment)) continue;
        CAPTURE(fragment.string());
        const auto program = mali::compiler::testing::link(read(entry.path()), read(fragment));
        if (!program) continue;  // parts of shaders, which glmark2 puts together
        pairs++;
        const ir::Shader& v = *program->stages[size_t(ir::Stage::Vertex)];
        const uint32_t position = check(v, Part::Position);
        const uint32_t varying = has_varying_part(v) ? check(v, Part::Varying) : 0;
        const uint32_t color = check(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment);
        instructions += position + varying + color;
        if (std::getenv("TERRAZZO_SHADER_STATISTICS"))
            MESSAGE(fragment.filename().string()
                    << ": position " << position << ", varying " << varying << ", fragment " << color);
    }
    CHECK(pairs >= 10);
    MESSAGE(pairs << " programs, " << instructions << " instructions");
}
