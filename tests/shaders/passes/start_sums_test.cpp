// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "shaders/passes/dce.h"
#include "shaders/passes/start_sums.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using terrazzo::ir::test::after;
using terrazzo::ir::test::unchanged;

namespace {

bool start(Shader& s) {
    return start_sums(s) && dce(s);
}

}  // namespace

TEST_CASE("start_sums: sums of only products, exact ones, and those with a good first term stay") {
    unchanged(start, R"(vertex {
  %0: f32 = load_uniform 0
  %1: f32 = load_uniform 1
  %2: f32 = load_input 0.x
  %3: f32 = load_input 0.y
  %4: f32 = fmul %0, %2
  %5: f32 = fmul %1, %3
  %6: f32 = fadd %4, %5
  store_output 0.x, %6
  %7: f32 = load_uniform 2
  %8: f32 = fmul %2, %3
  %9: f32 = fadd %8, %7
  %10: f32 = fmul %2, %2
  %11: f32 = fadd %10, %9
  store_output 0.y, %11
  %12: f32 = fmul %0, %0
  %13: f32 = fmul %1, %1
  %14: f32 = fadd.exact %12, %13
  %15: f32 = fadd %14, %7
  store_output 0.z, %15
}
)");
}

TEST_CASE("start_sums: two products are added first, a uniform last") {
    CHECK(after(start, R"(vertex {
  %0: f32 = load_uniform 0
  %1: f32 = load_uniform 1
  %2: f32 = load_uniform 2
  %3: f32 = load_input 0.x
  %4: f32 = load_input 0.y
  %5: f32 = fmul %0, %3
  %6: f32 = fmul %1, %4
  %7: f32 = fadd %5, %6
  %8: f32 = fsub %7, %2
  store_output 0.x, %8
}
)") == R"(vertex {
  %0: f32 = load_uniform 0
  %1: f32 = load_uniform 1
  %2: f32 = load_uniform 2
  %3: f32 = load_input 0.x
  %4: f32 = load_input 0.y
  %5: f32 = fmul %0, %3
  %6: f32 = fmul %1, %4
  %7: f32 = fneg %2
  %8: f32 = fadd %5, %7
  %9: f32 = fadd %6, %8
  store_output 0.x, %9
}
)");
}
