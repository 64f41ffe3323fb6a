// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/window_origin.h"

#include "shaders/ir/builder.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

bool pass(Shader& s) {
    return lower_window_origin(s) != nullptr;
}

}  // namespace

TEST_CASE("window_origin: code without a direction in y stays") {
    unchanged(pass, R"(fragment {
  %0: f32 = load_sysval frag_coord.x
  %1: f32 = fddx %0
  %2: f32 = load_sysval frag_coord.z
  %3: f32 = fadd %1, %2
  store_output 0.x, %3
}
)");
    // Only the magnitude of a derivative: fwidth.
    unchanged(pass, R"(fragment {
  %0: f32 = load_sysval frag_coord.x
  %1: f32 = fddy %0
  %2: f32 = fabs %1
  store_output 0.x, %2
}
)");
    unchanged(pass, R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: f32 = bitcast %0
  store_output 0.x, %1
}
)");
}

TEST_CASE("window_origin: positions and derivatives are flipped by the uniform") {
    const std::string text = after(pass, R"(fragment {
  %0: f32 = load_sysval frag_coord.y
  %1: f32 = fddy %0
  %2: f32 = load_sysval point_coord.y
  %3: f32 = fadd %1, %2
  store_output 0.x, %3
}
)");
    CHECK(text == R"(fragment {
  var v0 "window origin" f32[2] uniform
  %0: f32 = load_sysval frag_coord.y
  %1: f32 = load_var v0[0]
  %2: f32 = const 1.0
  %3: f32 = fadd %1, %2
  %4: f32 = fmul %0, %3
  %5: f32 = load_var v0[1]
  %6: f32 = fadd %4, %5
  %7: f32 = fddy %6
  %8: f32 = load_var v0[0]
  %9: f32 = const 1.0
  %10: f32 = fadd %8, %9
  %11: f32 = fmul %7, %10
  %12: f32 = load_sysval point_coord.y
  %13: f32 = load_var v0[0]
  %14: f32 = const 1.0
  %15: f32 = fadd %13, %14
  %16: f32 = const -0.5
  %17: f32 = fmul %15, %16
  %18: f32 = const 0.5
  %19: f32 = fadd %17, %18
  %20: f32 = fmul %12, %15
  %21: f32 = fadd %20, %19
  %22: f32 = fadd %11, %21
  store_output 0.x, %22
}
)");
}

namespace {

/// The result of a fragment for a y of 1 (TestEnv's first lane), with this uniform.
float y_seen(Sysval what, float first, float second) {
    Shader s(Stage::Fragment);
    Builder b(s);
    b.store_output(0, 0, b.load_sysval(what, 1, Type::F32));
    Var* const origin = lower_window_origin(s);
    REQUIRE(origin);
    REQUIRE(origin->count == 2);
    // As the linker does it.
    std::vector<Instr*> loads;
    for (Instr* i = s.body->first; i; i = i->next)
        if (i->op == Op::LoadVar) loads.push_back(i);
    for (Instr* i : loads) {
        Builder at(s, i);
        replace_uses(i->result(), at.f32(i->u.io.component ? second : first));
        erase(i);
    }
    CHECK(validate(s) == "");
    const TestEnv env = execute(s, 1, 1);
    return std::bit_cast<float>(env.outputs.at(0)[0]);
}

}  // namespace

TEST_CASE("window_origin: y counts from GL's edge") {
    CHECK(y_seen(Sysval::FragCoord, 0, 0) == 1);
    CHECK(y_seen(Sysval::FragCoord, -2, 48) == 47);
    CHECK(y_seen(Sysval::PointCoord, 0, 0) == 1);
    CHECK(y_seen(Sysval::PointCoord, -2, 48) == 0);
    CHECK(y_seen(Sysval::SamplePos, 0, 0) == 1);
    CHECK(y_seen(Sysval::SamplePos, -2, 48) == 0);
}
