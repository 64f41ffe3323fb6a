// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "shaders/passes/fold_indices.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using terrazzo::ir::test::after;
using terrazzo::ir::test::unchanged;

TEST_CASE("fold_indices: variable indices stay") {
    unchanged(fold_constant_indices, R"(vertex {
  var v0 "x" f32[12] local
  %0: i32 = load_sysval vertex_id.x
  %1: f32 = load_var v0[3]
  store_var v0[3 + %0], %1
  %2: f32 = load_uniform 5 + %0 of 3
}
)");
}

TEST_CASE("fold_indices: constant indices become positions") {
    CHECK(after(fold_constant_indices, R"(vertex {
  var v0 "x" f32[12] local
  %0: i32 = const 2
  %1: f32 = load_var v0[3 + %0]
  store_var v0[4 + %0], %1
  %2: f32 = load_uniform 5 + %0 of 3
}
)") == R"(vertex {
  var v0 "x" f32[12] local
  %0: i32 = const 2
  %1: f32 = load_var v0[5]
  store_var v0[6], %1
  %2: f32 = load_uniform 7
}
)");
}
