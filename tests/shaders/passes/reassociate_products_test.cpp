// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// tests/mali/compiler/prepare_test.cpp runs programs with matrices before and after the pass.
#include <doctest/doctest.h>

#include "shaders/passes/dce.h"
#include "shaders/passes/reassociate_products.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using terrazzo::ir::test::after;
using terrazzo::ir::test::unchanged;

namespace {

bool reassociate(Shader& s) {
    return reassociate_products(s) && dce(s);
}

}  // namespace

TEST_CASE("reassociate_products: sums of products without common factors stay") {
    unchanged(reassociate, R"(vertex {
  %0: f32 = load_uniform 0
  %1: f32 = load_uniform 1
  %2: f32 = load_input 0.x
  %3: f32 = load_input 0.y
  %4: f32 = fmul %0, %2
  %5: f32 = fmul %1, %3
  %6: f32 = fadd %4, %5
  store_output 0.x, %6
}
)");
}

TEST_CASE("reassociate_products: one row of (A * B) * v") {
    // (a0 b00 + a1 b10) v0 + (a0 b01 + a1 b11) v1 is a0 (b00 v0 + b01 v1) + a1 (b10 v0 + b11 v1).
    CHECK(after(reassociate, R"(vertex {
  %0: f32 = load_uniform 0
  %1: f32 = load_uniform 1
  %2: f32 = load_uniform 2
  %3: f32 = load_uniform 3
  %4: f32 = load_uniform 4
  %5: f32 = load_uniform 5
  %6: f32 = load_input 0.x
  %7: f32 = load_input 0.y
  %8: f32 = fmul %0, %2
  %9: f32 = fmul %1, %3
  %10: f32 = fadd %8, %9
  %11: f32 = fmul %0, %4
  %12: f32 = fmul %1, %5
  %13: f32 = fadd %11, %12
  %14: f32 = fmul %10, %6
  %15: f32 = fmul %13, %7
  %16: f32 = fadd %14, %15
  store_output 0.x, %16
}
)") == R"(vertex {
  %0: f32 = load_uniform 0
  %1: f32 = load_uniform 1
  %2: f32 = load_uniform 2
  %3: f32 = load_uniform 3
  %4: f32 = load_uniform 4
  %5: f32 = load_uniform 5
  %6: f32 = load_input 0.x
  %7: f32 = load_input 0.y
  %8: f32 = fmul %2, %6
  %9: f32 = fmul %3, %6
  %10: f32 = fmul %4, %7
  %11: f32 = fadd %8, %10
  %12: f32 = fmul %5, %7
  %13: f32 = fadd %9, %12
  %14: f32 = fmul %0, %11
  %15: f32 = fmul %1, %13
  %16: f32 = fadd %14, %15
  store_output 0.x, %16
}
)");
}
