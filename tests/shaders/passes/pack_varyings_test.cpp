// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/pack_varyings.h"

#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

TEST_CASE("pack_varyings does not change packed programs") {
    constexpr std::string_view vs = R"(vertex {
  %0: f32 = load_input 0.x
  store_output 0.x, %0
  store_output 7.x, %0
  store_output 7.y, %0
}
)";
    constexpr std::string_view fs = R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_input 7.y
  %2: f32 = fadd %0, %1
  store_output 0.x, %2
}
)";
    const auto v = shader_of(vs), f = shader_of(fs);
    CHECK(pack_varyings(*v, *f) == 1);
    CHECK(print(*v) == vs);
    CHECK(print(*f) == fs);
}

TEST_CASE("pack_varyings removes varyings that are not read and packs the rest by interpolation") {
    const auto v = shader_of(R"(vertex {
  %0: f32 = load_input 0.x
  store_output 0.x, %0
  store_output 1.x, %0
  store_output 7.x, %0
  store_output 7.w, %0
  store_output 9.x, %0
  store_output 9.y, %0
  store_output 10.x, %0
  store_output 11.z, %0
})");
    const auto f = shader_of(R"(fragment {
  %0: f32 = load_input 7.w
  %1: f32 = load_input 9.y
  %2: f32 = load_input 10.x flat
  %3: f32 = load_input 11.z
  %4: f32 = load_input 20.x
  store_output 0.x, %0
  store_output 0.y, %1
  store_output 0.z, %2
  store_output 0.w, %3
  store_output 1.x, %4
})");
    uint32_t flat = 0;
    CHECK(pack_varyings(*v, *f, &flat) == 2);
    CHECK(flat == 2);
    CHECK(validate(*f, Phase::AfterLink) == "");
    CHECK(print(*v) == R"(vertex {
  %0: f32 = load_input 0.x
  store_output 0.x, %0
  store_output 1.x, %0
  store_output 7.x, %0
  store_output 7.y, %0
  store_output 8.x, %0
  store_output 7.z, %0
}
)");
    CHECK(print(*f) == R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_input 7.y
  %2: f32 = load_input 8.x flat
  %3: f32 = load_input 7.z
  %5: f32 = const 0.0
  store_output 0.x, %0
  store_output 0.y, %1
  store_output 0.z, %2
  store_output 0.w, %3
  store_output 1.x, %5
}
)");
}

TEST_CASE("forward_varyings does not change varyings whose values differ") {
    const auto v = shader_of(R"(vertex {
  %0: f32 = load_input 0.x
  %1: f32 = load_input 0.y
  %2: f32 = const 1.0
  %3: bool = flt %0, %1
  store_output 0.x, %2
  store_output 7.x, %0
  store_output 7.y, %1
  store_output 7.z, %0
  if %3 {
    store_output 7.w, %2
  } else {
    store_output 7.w, %0
  }
})");
    constexpr std::string_view fs = R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_input 7.y
  %2: f32 = load_input 7.z flat
  %3: f32 = load_input 7.w
  %4: f32 = load_input 8.x
  store_output 0.x, %0
  store_output 0.y, %1
  store_output 0.z, %2
  store_output 0.w, %3
  store_output 1.x, %4
}
)";
    const auto f = shader_of(fs);
    CHECK_FALSE(forward_varyings(*v, *f));
    CHECK(print(*f) == fs);
}

TEST_CASE("forward_varyings replaces constants and repeated values") {
    const auto v = shader_of(R"(vertex {
  %0: f32 = load_input 0.x
  %1: f32 = const 2.0
  %2: i32 = const 7
  %3: f32 = const 2.0
  %4: bool = flt %0, %1
  store_output 7.x, %0
  store_output 7.y, %1
  store_output 7.z, %0
  store_output 8.x, %2
  if %4 {
    store_output 8.y, %1
  } else {
    store_output 8.y, %3
  }
})");
    const auto f = shader_of(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_input 7.y
  %2: f32 = load_input 7.z
  %3: i32 = load_input 8.x flat
  %4: f32 = load_input 8.y
  store_output 0.x, %0
  store_output 0.y, %1
  store_output 0.z, %2
  store_output 0.w, %4
  store_output 1.x, %3
})");
    CHECK(forward_varyings(*v, *f));
    CHECK(validate(*f, Phase::AfterLink) == "");
    CHECK(print(*f) == R"(fragment {
  %0: f32 = load_input 7.x
  %5: f32 = const 2.0
  %2: f32 = load_input 7.x
  %6: i32 = const 7
  %7: f32 = const 2.0
  store_output 0.x, %0
  store_output 0.y, %5
  store_output 0.z, %2
  store_output 0.w, %7
  store_output 1.x, %6
}
)");
    CHECK(pack_varyings(*v, *f) == 1);
}
