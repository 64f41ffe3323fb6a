// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shaders of glmark2, if they are installed: each compiles, with all registers and with few, and waits
// for what it reads.
#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/compiler/passes.h"
#include "tests/common/compiler/link.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;

namespace {

Statistics check(const ir::Shader& s, Options options) {
    options.validate = true;
    const Binary b = compile(s, options);
    CHECK(b.error == "");
    if (!b.error.empty()) return {};
    if (std::getenv("TERRAZZO_SHADER_CODE")) MESSAGE(adreno::isa::disassemble(b.code));
    CHECK(find_hazard(b.code, b.info.prefetches) == "");
    CHECK(b.code.size() % 16 == 0);
    CHECK(b.info.full_registers <= 48);
    return b.info.statistics;
}

}  // namespace

TEST_CASE("adreno compiler: the shaders of glmark2") {
    unsigned pairs = 0;
    uint32_t instructions = 0, registers = 0, nops = 0;
    const bool there = compiled::for_each_glmark2_pair([&](const std::string& name, const std::string& vs,
                                                           const std::string& fs) {
        CAPTURE(name);
        const auto program = compiled::link(vs, fs);
        if (!program) return;  // parts of shaders, which glmark2 combines
        pairs++;
        for (const ir::Stage stage : {ir::Stage::Vertex, ir::Stage::Fragment}) {
            const ir::Shader& s = *program->stages[size_t(stage)];
            const Statistics n = check(s, {});
            instructions += n.instructions;
            registers += n.full_registers;
            nops += n.nops;
            if (std::getenv("TERRAZZO_SHADER_STATISTICS"))
                MESSAGE(name << std::string(stage == ir::Stage::Vertex ? " vertex " : " fragment ")
                             << n.instructions << ", nops " << n.nops << ", registers " << n.full_registers);
            check(s, {.halves = false});
        }
        check(*program->stages[size_t(ir::Stage::Vertex)], {.variant = Variant::Binning});
    });
    if (!there) return;
    CHECK(pairs >= 10);
    MESSAGE(pairs << " programs, " << instructions << " instructions, " << nops << " of them nops, "
                  << registers << " registers");
}
