// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The check of waits: it finds each kind of hazard in hand-written code. Each wait that the compiler inserted
// is needed: without it the check finds a hazard.
#include "drivers/adreno/compiler/passes.h"

#include "drivers/adreno/compiler/compile.h"
#include "tests/common/compiler/link.h"

using namespace terrazzo;
using terrazzo::adreno::compiler::find_hazard;
namespace a6 = terrazzo::adreno::isa;
namespace ir3 = terrazzo::adreno::compiler;

namespace {

std::string hazard_of(const char* text) {
    std::vector<uint64_t> code;
    a6::Error error;
    REQUIRE(a6::assemble(text, &code, &error));
    return find_hazard(code);
}

/// Removes the n-th wait: a flag, or a cycle. False if there is none.
bool remove_wait(std::vector<uint64_t>& code, size_t n, size_t* removed) {
    for (size_t k = 0; k < code.size(); k++) {
        a6::Instr i;
        if (!a6::decode(code[k], &i, nullptr) || i.op == a6::Op::kEnd) return false;
        const a6::OpInfo& row = i.info();
        std::vector<a6::Instr> ways;
        const auto way = [&](const auto& change) {
            ways.push_back(i);
            change(ways.back());
        };
        if (row.has(a6::Field::kSs) && i.ss()) way([](a6::Instr& w) { w.set_ss(false); });
        if (i.sy()) way([](a6::Instr& w) { w.set_sy(false); });
        if (row.has(a6::Field::kNop) && i.nop()) way([](a6::Instr& w) { w.set_nop(w.nop() - 1); });
        if (i.op == a6::Op::kNop && i.repeat()) way([](a6::Instr& w) { w.set_repeat(w.repeat() - 1); });
        if (n >= ways.size()) {
            n -= ways.size();
            continue;
        }
        *removed = k;
        return a6::encode(ways[n], &code[k], nullptr);
    }
    return false;
}

}  // namespace

TEST_CASE("adreno compiler: hazards are found") {
    CHECK(hazard_of("add.f r0.x, r0.y, r0.z\nnop\nnop\nnop\nadd.f r0.y, r0.x, r0.z\nend") == "");
    CHECK(hazard_of("(nop3) add.f r0.x, r0.y, r0.z\nadd.f r0.y, r0.x, r0.z\nend") == "");
    CHECK(hazard_of("(nop2) add.f r0.x, r0.y, r0.z\nadd.f r0.y, r0.x, r0.z\nend").find("reads too early") !=
          std::string::npos);
    CHECK(hazard_of("(nop1) add.f r0.x, r0.y, r0.z\nmad.f32 r0.y, r0.z, r0.w, r0.x\nend") == "");
    CHECK(hazard_of("add.f r0.x, r0.y, r0.z\nmad.f32 r0.y, r0.z, r0.w, r0.x\nend").find("early") !=
          std::string::npos);
    CHECK(hazard_of("(nop3) add.f r0.x, r0.y, r0.z\nrcp r0.y, r0.x\nend").find("early") != std::string::npos);
    CHECK(hazard_of("add.f r0.x, r0.y, r0.z\n(rpt5)nop\nrcp r0.y, r0.x\nend") == "");
    CHECK(hazard_of("rcp r0.y, r0.x\nadd.f r0.x, r0.y, r0.z\nend").find("before (ss)") != std::string::npos);
    CHECK(hazard_of("rcp r0.y, r0.x\n(ss)add.f r0.x, r0.y, r0.z\nend") == "");
    CHECK(hazard_of("rcp r0.y, r0.x\nmov.u32u32 r0.x, 0\nend").find("may not have read") !=
          std::string::npos);
    CHECK(hazard_of("sam (f32)(xy)r1.x, r0.x, s#0, t#0\nadd.f r0.w, r1.y, r0.z\nend").find("before (sy)") !=
          std::string::npos);
    CHECK(hazard_of("sam (f32)(xy)r1.x, r0.x, s#0, t#0\nadd.f r0.w, r1.z, r0.z\nend") == "");
    CHECK(hazard_of("sam (f32)(xy)r1.x, r0.x, s#0, t#0\n(sy)add.f r0.x, r1.y, r0.z\nend") == "");
    CHECK(hazard_of("sam (f32)(xy)r1.x, r0.x, s#0, t#0\nmov.u32u32 r1.y, 0\nend").find("another") !=
          std::string::npos);
    // Halves of a register that was written as a whole need three more cycles.
    CHECK(hazard_of("(nop3) add.f r0.x, r0.y, r0.z\nadd.f hr1.x, hr0.x, hr0.y\nend").find("early") !=
          std::string::npos);
    // Only one path is too short.
    CHECK(hazard_of("cmps.f.lt p0.x, r0.x, r0.y\n(rpt5)nop\nbr p0.x, #2\nrcp r0.x, r0.y\n(jp)add.f r0.z, "
                    "r0.x, r0.w\nend")
              .find("before (ss)") != std::string::npos);
    CHECK(hazard_of("cmps.f.lt p0.x, r0.x, r0.y\nbr p0.x, #1\nend").find("early") != std::string::npos);
    CHECK(hazard_of("jump #7\nend") != "");
    CHECK(hazard_of("nop") != "");
}

TEST_CASE("adreno compiler: each wait is needed") {
    unsigned waits = 0, needless = 0;
    const bool there = compiled::for_each_glmark2_pair(
        [&](const std::string& name, const std::string& vs, const std::string& fs) {
            CAPTURE(name);
            const auto program = compiled::link(vs, fs);
            if (!program) return;
            for (const ir::Stage stage : {ir::Stage::Vertex, ir::Stage::Fragment}) {
                const ir3::Binary b = ir3::compile(*program->stages[size_t(stage)]);
                REQUIRE(b.error == "");
                for (size_t n = 0, at = 0;; n++) {
                    std::vector<uint64_t> code = b.code;
                    if (!remove_wait(code, n, &at)) break;
                    waits++;
                    if (find_hazard(code, b.info.prefetches) != "") continue;
                    needless++;
                    MESSAGE(name << ": " << a6::disassemble(std::span(b.code).subspan(at, 1))
                                 << " waits for nothing");
                }
            }
        });
    if (!there) return;
    CHECK(waits > 50);
    CHECK(needless == 0);
}
