// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "shaders/passes/join_row_loads.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using terrazzo::ir::test::after;
using terrazzo::ir::test::unchanged;

namespace {

bool join(Shader& s) {
    return join_row_loads(s, [](const MemInfo& m) { return m.binding == 1; });
}

}  // namespace

TEST_CASE("join_row_loads: loads of a row become one, with a hole and other types") {
    CHECK(after(join, R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = load_buffer uniform_block binding=1 offset_B=16 (%0)
  %2: f32 = load_buffer uniform_block binding=1 offset_B=24 (%0)
  %3: i32 = load_buffer uniform_block binding=1 offset_B=24 (%0)
  %4: f32 = bitcast %1
  store_output 0.x, %4
  store_output 0.y, %2
  %5: f32 = bitcast %3
  store_output 0.z, %5
}
)") == R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32, %2: i32, %3: i32 = load_buffer uniform_block binding=1 words=3 offset_B=16 (%0)
  %4: f32 = bitcast %3
  %5: f32 = bitcast %1
  store_output 0.x, %5
  store_output 0.y, %4
  %6: f32 = bitcast %3
  store_output 0.z, %6
}
)");
}

TEST_CASE("join_row_loads: other rows, addresses and blocks stay") {
    unchanged(join, R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = load_sysval instance_id.x
  %2: i32 = load_buffer uniform_block binding=1 offset_B=12 (%0)
  %3: i32 = load_buffer uniform_block binding=1 offset_B=16 (%0)
  %4: i32 = load_buffer uniform_block binding=1 offset_B=12 (%1)
  %5: i32 = load_buffer uniform_block binding=0 offset_B=12 (%0)
  %6: i32 = load_buffer uniform_block binding=0 offset_B=8 (%0)
  %7: i32 = iadd %2, %3
  %8: i32 = iadd %7, %4
  %9: i32 = iadd %8, %5
  %10: i32 = iadd %9, %6
  %11: f32 = bitcast %10
  store_output 0.x, %11
}
)");
}

TEST_CASE("join_row_loads: an address may be a load that is joined") {
    CHECK(after(join, R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = load_buffer uniform_block binding=1 offset_B=16 (%0)
  %2: i32 = load_buffer uniform_block binding=1 offset_B=20 (%0)
  %3: i32 = load_buffer uniform_block binding=1 offset_B=36 (%1)
  %4: i32 = load_buffer uniform_block binding=1 offset_B=40 (%1)
  %5: i32 = iadd %2, %3
  %6: i32 = iadd %5, %4
  %7: f32 = bitcast %6
  store_output 0.x, %7
}
)") == R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32, %2: i32 = load_buffer uniform_block binding=1 words=2 offset_B=16 (%0)
  %3: i32, %4: i32 = load_buffer uniform_block binding=1 words=2 offset_B=36 (%1)
  %5: i32 = iadd %2, %3
  %6: i32 = iadd %5, %4
  %7: f32 = bitcast %6
  store_output 0.x, %7
}
)");
}
