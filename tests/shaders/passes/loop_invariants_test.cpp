// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// loop_invariants, compared with literals; no-change cases first.
#include "shaders/passes/loop_invariants.h"

#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("loop_invariants keeps values that iterations change, code in arms, and textures") {
    unchanged(loop_invariants, R"(fragment {
  %0: i32 = const 0
  %1: i32 = const 9
  %2: f32 = load_input 7.x
  %3: i32 = loop (%4: i32 = %0) {
    %5: bool = ilt %1, %4
    if %5 {
      %6: f32 = fneg %2
      store_output 0.x, %6
      break %4
    }
    %7: i32 = iadd %4, %1
    continue %7
  }
  %8: f32 = i2f %3
  store_output 0.y, %8
}
)");
}

TEST_CASE("loop_invariants moves chains out, also of nested loops") {
    CHECK(after(loop_invariants, R"(fragment {
  %0: i32 = const 0
  %1: i32 = const 9
  %2: f32 = load_input 7.x
  %3: i32 = loop (%4: i32 = %0) {
    %5: bool = ilt %1, %4
    if %5 {
      break %4
    }
    loop () {
      %6: f32 = fneg %2
      %7: f32 = fmul %6, %2
      %8: f32 = i2f %4
      %9: f32 = fadd %7, %8
      store_output 0.x, %9
      break
    }
    %10: i32 = iadd %4, %1
    continue %10
  }
})") == R"(fragment {
  %0: i32 = const 0
  %1: i32 = const 9
  %2: f32 = load_input 7.x
  %3: f32 = fneg %2
  %4: f32 = fmul %3, %2
  %5: i32 = loop (%6: i32 = %0) {
    %7: bool = ilt %1, %6
    if %7 {
      break %6
    }
    %8: f32 = i2f %6
    %9: f32 = fadd %4, %8
    loop () {
      store_output 0.x, %9
      break
    }
    %10: i32 = iadd %6, %1
    continue %10
  }
}
)");
}

TEST_CASE("loop_invariants moves loads out of loops if the buffers cannot change") {
    const std::string loads = R"(compute {
  %0: i32 = const 0
  %1: i32 = const 1
  %2: i32 = loop (%3: i32 = %0) {
    %4: i32 = load_buffer buffer binding=0 (%0)
    %5: bool = ilt %4, %3
    if %5 {
      break %3
    }
    %6: i32 = iadd %3, %1
    continue %6
  }
  store_buffer buffer binding=0 (%0, %2)
}
)";
    CHECK(after(loop_invariants, loads).find("load_buffer") < after(loop_invariants, loads).find("loop"));
    unchanged(loop_invariants, replaced(loads, "load_buffer buffer binding=0 (%0)",
                                        "load_buffer buffer volatile binding=0 (%0)"));
    unchanged(loop_invariants, replaced(loads, "load_buffer buffer binding=0 (%0)",
                                        "load_buffer buffer coherent binding=0 (%0)"));
    unchanged(loop_invariants,
              replaced(loads, "    %6:", "    store_buffer buffer binding=1 (%0, %3)\n    %6:"));
}

TEST_CASE("loop_invariants keeps its limit of registers") {
    std::string text = "fragment {\n  %0: f32 = load_input 7.x\n  loop () {\n";
    for (unsigned n = 1; n <= 100; n++)
        text += "    %" + std::to_string(n) + ": f32 = fadd %" + std::to_string(n - 1) + ", %0\n";
    text += "    store_output 0.x, %100\n    break\n  }\n}\n";
    const std::string got = after(loop_invariants, text);
    size_t before = 0;
    for (size_t at = got.find("fadd"); at < got.find("loop"); at = got.find("fadd", at + 1))
        before++;
    CHECK(before == kMostHoisted);
}
