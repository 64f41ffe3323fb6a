// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// tests/mali/compiler/semantics_test.cpp runs every operation of 16 bits through this pass.
#include <doctest/doctest.h>

#include "shaders/passes/widen_16.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using terrazzo::ir::test::after;
using terrazzo::ir::test::unchanged;

namespace {

/// A device that can add floats of 16 bits, and has no other operation of 16 bits.
bool widen(Shader& s) {
    return widen_16(s, [](const Instr& i) {
        switch (i.op) {
            case Op::Const:
            case Op::Undef:
            case Op::Bitcast:
            case Op::I2I:
            case Op::U2U:
            case Op::F2F:
                return true;
            default:
                return i.op == Op::FAdd;
        }
    });
}

}  // namespace

TEST_CASE("widen_16: operations of 32 bits, and those that the device has, stay") {
    unchanged(widen, R"(vertex {
  %0: f32 = load_input 0.x
  %1: f32 = fmul %0, %0
  %2: f16 = f2f %1
  %3: f16 = fadd %2, %2
  %4: f32 = f2f %3
  store_output 0.x, %4
}
)");
}

TEST_CASE("widen_16: floats are widened around operations that the device lacks") {
    CHECK(after(widen, R"(vertex {
  %0: f32 = load_input 0.x
  %1: f16 = f2f %0
  %2: f16 = fmul %1, %1
  %3: f32 = f2f %2
  store_output 0.x, %3
}
)") == R"(vertex {
  %0: f32 = load_input 0.x
  %1: f16 = f2f %0
  %2: f32 = f2f %1
  %3: f32 = f2f %1
  %4: f32 = fmul %2, %3
  %5: f16 = f2f %4
  %6: f32 = f2f %5
  store_output 0.x, %6
}
)");
}

TEST_CASE("widen_16: integers are extended if their upper half matters") {
    CHECK(after(widen, R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i16 = i2i %0
  %2: i16 = iadd %1, %1
  %3: i16 = udiv %2, %1
  %4: i32 = i2i %3
  %5: f32 = i2f %4
  store_output 0.x, %5
}
)") == R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i16 = i2i %0
  %2: i32 = iadd %0, %0
  %3: i16 = i2i %2
  %4: i32 = u2u %3
  %5: i32 = u2u %1
  %6: i32 = udiv %4, %5
  %7: i16 = i2i %6
  %8: i32 = i2i %7
  %9: f32 = i2f %8
  store_output 0.x, %9
}
)");
}
