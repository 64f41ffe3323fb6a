// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The back end on printed code: the text itself, allocation, spilling, flow.
#include "tests/common/backend/code_text.h"

#include <random>

#include "drivers/common/backend/liveness.h"
#include "drivers/common/backend/schedule.h"
#include "drivers/common/backend/spill.h"
#include "drivers/common/backend/validate.h"
#include "drivers/common/backend/value_numbering.h"
#include "drivers/mali/compiler/machine.h"
#include "drivers/mali/compiler/passes.h"
#include "drivers/mali/compiler/selector.h"
#include "tests/mali/compiler/harness.h"
#include "tests/mali/compiler/lir_text.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using mali::compiler::Machine;

namespace {

struct Parsed {
    explicit Parsed(std::string_view text) {
        std::string why;
        const bool good = backend::parse<Valhall>(text, &f, &why);
        INFO(why);
        REQUIRE(good);
    }
    [[nodiscard]] std::string text() const { return backend::print<Valhall>(f); }
    std::pmr::monotonic_buffer_resource arena;
    Function f{&arena};
};

/// As if allocation had been done: all words are registers.
void name_registers(Function& f) {
    for (const backend::Word w : f.all_words())
        f.reg.push_back(f.is_fixed(w) ? f.fixed_unit(w) : backend::Unit(0));
}

std::string flow_of(std::string_view text, Kind kind = Kind::Vertex) {
    Parsed p(text);
    name_registers(p.f);
    insert_flow(p.f, kind);
    return p.text();
}

void check_text(const Function& f) {
    const std::string text = backend::print<Valhall>(f);
    CAPTURE(text);
    std::pmr::monotonic_buffer_resource arena;
    Function again(&arena);
    std::string why;
    const bool good = backend::parse<Valhall>(text, &again, &why);
    CHECK(why == "");
    REQUIRE(good);
    CHECK(backend::print<Valhall>(again) == text);
    if (f.reg.empty()) return;
    // The same machine code.
    std::pmr::vector<uint64_t> one(&arena), other(&arena);
    Function copy = f;
    name_registers(again);
    pack(copy, &one);
    pack(again, &other);
    CHECK(copy.error == "");
    CHECK(again.error == "");
    CHECK(one == other);
}

/// After each pass of compile.cpp.
void check_passes(const ir::Shader& shader, Part part) {
    std::pmr::monotonic_buffer_resource arena;
    Function f(&arena);
    Info info;
    const std::unique_ptr<ir::Shader> s = ir::clone(shader);
    prepare(*s, {});
    Selector(*s, {part}, f, info).run();
    REQUIRE(f.error == "");
    f.link();
    check_text(f);
    backend::number_values<Machine>(f);
    backend::remove_dead(f);
    backend::schedule<Machine>(f, {28, 28});
    check_text(f);
    uint8_t registers = 0;
    allocate(f, false, Spill::Yes, kRegisterWords, &registers);
    assign_slots(f);
    insert_flow(f, part == Part::Fragment ? Kind::Fragment : Kind::Vertex);
    mark_last_uses(f, false);
    check_text(f);
}

}  // namespace

TEST_CASE("mali text: printed shaders are parsed, after every pass") {
    const char* vertex =
        "attribute vec4 p, q; varying vec4 a; uniform mat4 m; uniform vec4 w[6]; void main() {\n"
        "  gl_Position = m * p; a = q * w[int(p.x)]; if (q.x > 1.0) a = a * 2.0 + w[1]; }\n";
    const char* fragment =
        "precision highp float; varying vec4 a; uniform sampler2D t; uniform samplerCube c; uniform vec4 u; "
        "void main() {\n"
        "  vec4 x = texture2D(t, a.xy) + u; for (int i = 0; i < 9; i++) { x = sin(x) * a; if (x.y > u.x) "
        "break; }\n"
        "  if (x.z < 0.5) discard; gl_FragColor = x + textureCube(c, x.xyz) / dFdx(a.x) ; }\n";
    const auto program =
        compiled::link(vertex, "#extension GL_OES_standard_derivatives : require\n" + std::string(fragment));
    REQUIRE(program);
    check_passes(*program->stages[size_t(ir::Stage::Vertex)], Part::Position);
    check_passes(*program->stages[size_t(ir::Stage::Vertex)], Part::Varying);
    check_passes(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment);
}

TEST_CASE("mali text: wrong text is refused") {
    const struct {
        const char *line, *why;
    } cases[] = {
        {"FOO r1, r2", "line 2: no instruction is named FOO"},
        {"MOV.i32 r1, %70000", "line 2: '%70000' is not an operand"},
        {"MOV.i32 r1, %64.1", "line 2: '%64' is not an operand"},
        {"MOV.i32 r1, r64", "line 2: 'r64' is not an operand"},
        {"MOV.i32 r64, r1", "line 2: no word, or one that its node does not have"},
        {"MOV.i32 r1", "line 2: '' where ',' belongs"},
        {"STORE.i64.slot0 @_:_, r60, offset:8", "line 2: words that are not consecutive"},
        {"STORE.i32.slot0 @_, r60, offset:8", "line 2: a word that is not there"},
        {"STORE.i32.slot0 @r1, %64, offset:8", "line 2: a word that is not there"},
        {"MOV.i32 r1, r2 -> block0", "line 2: a branch has a block, and nothing else has"},
        {"MOV.i32 r1, r2 -> blockx", "line 2: '' is not a number"},
    };
    for (const auto& c : cases) {
        std::pmr::monotonic_buffer_resource arena;
        Function f(&arena);
        std::string why;
        CHECK_FALSE(backend::parse<Valhall>(std::string("block0:\n") + c.line + "\n", &f, &why));
        CHECK(why == c.why);
    }
}

TEST_CASE("mali text: damaged text is refused, or is valid code") {
    const std::string good =
        "%64: r x4\nblock0:\n  LOAD.i128.unsigned.slot0 @%64:%64.1:%64.2:%64.3, r60, offset:0\n"
        "  FMA.f32 %68, %64.2.neg, u1, r3\n  BRANCHZ %68.h0, offset:0 always -> block2\nblock1:\n"
        "  BLEND.slot0.v4.f16 @r0:r1, blend_descriptor_0.w0, r60, target:0x0 also r4:r5 calls\nblock2:\n"
        "  STORE.i64.slot0 @%64.2:%64.3, r60, offset:8\n";
    std::mt19937 random(1);
    unsigned refused = 0;
    for (unsigned n = 0; n < 3000; n++) {
        std::string text = good;
        for (unsigned k = random() % 3 + 1; k-- > 0;) {
            const size_t at = random() % text.size(), from = random() % good.size();
            text.replace(at, random() % 4, good.substr(from, random() % 4));
        }
        std::pmr::monotonic_buffer_resource arena;
        Function f(&arena);
        std::string why;
        if (!backend::parse<Valhall>(text, &f, &why)) {
            refused++;
            CHECK(!why.empty());
            continue;
        }
        CHECK(!backend::print<Valhall>(f).empty());
        (void)backend::validate<Valhall>(f);
    }
    CHECK(refused > 1000);
    CHECK(refused < 3000);
}

TEST_CASE(
    "mali allocation: fixed registers stay, runs begin at even ones, registers that calls overwrite are not "
    "used") {
    const auto allocated = [](std::string_view text, bool blend = false) {
        Parsed p(text);
        uint8_t registers = 0;
        allocate(p.f, blend, Spill::No, kRegisterWords, &registers);
        CHECK(backend::validate<Valhall>(p.f) == "");
        return p.f.error.empty() ? p.text() : p.f.error;
    };
    const std::string registers = "block0:\n  FADD.f32 r1, r0, r2\n";
    CHECK(allocated(registers) == registers);
    CHECK(allocated("%65: r x2\nblock0:\n  MOV.i32 %64, u0\n  MOV.i32 %65, u1\n  MOV.i32 %65.1, %64\n"
                    "  STORE.i64.slot0 @%65:%65.1, %65, offset:0\n  STORE.i32.slot0 @%64, %65, offset:8\n") ==
          // A word that is read again and its copy in a run have one value: they share a register.
          "block0:\n  MOV.i32 r1, u0\n  MOV.i32 r0, u1\n"
          "  STORE.i64.slot0 @r0:r1, r0, offset:0\n  STORE.i32.slot0 @r1, r0, offset:8\n");
    const std::string call =
        "block0:\n  MOV.i32 %64, u0\n"
        "  BLEND.slot0.v4.f16 @r0:r1, blend_descriptor_0.w0, r60, target:0x0 calls\n"
        "  FADD.f32 %65, %64, %64\n  STORE.i32.slot0 @%65, r60, offset:0\n";
    CHECK(allocated(call).find("MOV.i32 r49, u0\n") != std::string::npos);
    CHECK(allocated(call, true) == "mali: the shader needs more registers at once than there are");
}

TEST_CASE("mali spilling: the thread's own memory, or the same arithmetic again") {
    Parsed p(
        "%64: r x4\nblock0:\n  LOAD.i128.unsigned.slot0 @%64:%64.1:%64.2:%64.3, r60, offset:0\n"
        "  MOV.i32 %68, u1\n  STORE.i128.slot0 @%64:%64.1:%64.2:%64.3, r60, offset:16\n"
        "  STORE.i32.slot0 @%68, r60, offset:16\n");
    CHECK(backend::spill<Machine>(p.f, 3, ~backend::UnitSet<Valhall>(), kRegisterWords));
    CHECK(p.text() ==
          "%69: r x4 temporary\n%73: r x4 temporary\n%77: r x1 temporary\nblock0:\n"
          "  LOAD.i128.unsigned.slot0 @%69:%69.1:%69.2:%69.3, r60, offset:0\n"
          "  STORE.i128.force.slot0 @%69:%69.1:%69.2:%69.3, thread_local_pointer.w0, offset:0\n"
          "  LOAD.i128.force.unsigned.slot1 @%73:%73.1:%73.2:%73.3, thread_local_pointer.w0, offset:0\n"
          "  STORE.i128.slot0 @%73:%73.1:%73.2:%73.3, r60, offset:16\n"
          "  MOV.i32 %77, u1\n  STORE.i32.slot0 @%77, r60, offset:16\n");
    CHECK(p.f.spilled_words == 4);
    CHECK(p.f.private_B == 16);
    // A value that lives for one instruction is not spilled.
    CHECK_FALSE(backend::spill<Machine>(p.f, 3, ~backend::UnitSet<Valhall>(), kRegisterWords));
}

TEST_CASE("mali flow: nothing to wait for") {
    CHECK(flow_of("block0:\n  FADD.f32 r1, r0, r2\n  FADD.f32 r1, r1, r2\n") ==
          "block0:\n  FADD.f32 r1, r0, r2\n  FADD.f32.end r1, r1, r2\n");
}

TEST_CASE("mali flow: messages are waited for before their results are touched, and where blocks end") {
    CHECK(flow_of("block0:\n  LOAD.i32.unsigned.slot0 @r4, r0, offset:0\n  LOAD.i32.unsigned.slot1 @r5, r0, "
                  "offset:4\n"
                  "  FADD.f32 r1, r0, r2\n  FADD.f32 r1, r1, r5\n") ==
          "block0:\n  LOAD.i32.unsigned.slot0 @r4, r0, offset:0\n"
          "  LOAD.i32.unsigned.slot1 @r5, r0, offset:4\n  FADD.f32.wait1 r1, r0, r2\n"
          "  FADD.f32.end r1, r1, r5\n");
    CHECK(
        flow_of("block0:\n  LOAD.i32.unsigned.slot2 @r4, r0, offset:0\n  BRANCHZ r2.h0, offset:0 -> block2\n"
                "block1:\n  FADD.f32 r1, r0, r4\nblock2:\n  FADD.f32 r3, r1, r4\n") ==
        "block0:\n  LOAD.i32.unsigned.slot2.wait2 @r4, r0, offset:0\n"
        "  BRANCHZ.reconverge r2.h0, offset:0 -> block2\nblock1:\n  FADD.f32.reconverge r1, r0, r4\n"
        "block2:\n  FADD.f32.end r3, r1, r4\n");
}
