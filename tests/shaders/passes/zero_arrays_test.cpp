// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/zero_arrays.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "shaders/passes/zero_shared.h"
#include "tests/shaders/passes/check_pass.h"

namespace terrazzo::ir::test {

TEST_CASE("zero_arrays does not change arrays that are written before reads") {
    unchanged(zero_arrays, R"(vertex {
  %0: f32 = const 5.0
  store_output 0.x, %0
}
)");
    unchanged(zero_arrays, R"(vertex {
  var v0 "a" f32[2] local
  %0: i32 = load_sysval vertex_id.x
  %1: f32 = const 5.0
  store_var v0[0], %1
  store_var v0[1], %1
  %2: f32 = load_var v0[0 + %0]
  store_output 0.x, %2
}
)");
    // Each element that is read was written; the other elements do not matter.
    unchanged(zero_arrays, R"(vertex {
  var v0 "a" f32[3] local
  %0: f32 = const 5.0
  store_var v0[1], %0
  %1: f32 = load_var v0[1]
  store_output 0.x, %1
}
)");
}

TEST_CASE("zero_arrays writes the elements that may be read too early") {
    CHECK(after(zero_arrays, R"(vertex {
  var v0 "a" f32[3] local
  %0: i32 = load_sysval vertex_id.x
  %1: f32 = const 5.0
  store_var v0[1], %1
  %2: f32 = load_var v0[0 + %0]
  store_output 0.x, %2
})") == R"(vertex {
  var v0 "a" f32[3] local
  %0: f32 = const 0.0
  store_var v0[0], %0
  store_var v0[2], %0
  %1: i32 = load_sysval vertex_id.x
  %2: f32 = const 5.0
  store_var v0[1], %2
  %3: f32 = load_var v0[0 + %1]
  store_output 0.x, %3
}
)");
    // An element may not have been written if the write has an index, or is in a branch.
    CHECK(after(zero_arrays, R"(vertex {
  var v0 "a" f32[2] local
  %0: i32 = load_sysval vertex_id.x
  %1: f32 = const 5.0
  store_var v0[0 + %0], %1
  %2: i32 = const 1
  %3: bool = ieq %0, %2
  if %3 {
    store_var v0[0], %1
    store_var v0[1], %1
  } else {
  }
  %4: f32 = load_var v0[1]
  store_output 0.x, %4
})")
              .find("store_var v0[1], %0\n  %1: i32 = load_sysval") != std::string::npos);
}

TEST_CASE("zero_arrays clears long arrays in a loop") {
    const std::string out = after(zero_arrays, R"(vertex {
  var v0 "a" i32[1000] local
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = load_var v0[0 + %0]
  %2: f32 = i2f %1
  store_output 0.x, %2
})");
    CHECK(out.find("loop") < out.find("load_sysval"));
    CHECK(out.find("1000") != std::string::npos);
    CHECK(std::count(out.begin(), out.end(), '\n') < 30);
}

TEST_CASE("zero_shared clears variables that are read, before all other code, with a barrier") {
    // A variable that is only written, and a shader without shared variables.
    unchanged(zero_shared, R"(compute {
  info shared_B=40 workgroup_size=8,1,1
  %0: i32 = const 8
  store_buffer shared binding=0 (%0, %0)
}
)");
    const std::string out = after(zero_shared, R"(compute {
  info shared_B=40 workgroup_size=8,2,1
  %0: i32 = const 8
  %1: i32 = load_buffer shared binding=0 (%0)
  store_buffer shared binding=0 (%0, %1)
})");
    const size_t loop = out.find("loop"), store = out.find("store_buffer shared binding=0"),
                 barrier = out.find("barrier execution=workgroup memory=workgroup shared ()"),
                 load = out.find("load_buffer");
    CHECK(loop < store);
    CHECK(store < barrier);
    CHECK(barrier < load);
    CHECK(load != std::string::npos);
    CHECK(out.find("const 40") < loop);
    CHECK(out.find("const 64") < loop);  // 16 invocations of 4 bytes
    CHECK(out.find("uses_barriers") != std::string::npos);
}

}  // namespace terrazzo::ir::test
