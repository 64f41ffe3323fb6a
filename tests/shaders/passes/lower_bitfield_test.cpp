// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/lower_bitfield.h"

#include "shaders/ir/builder.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

constexpr unsigned kLaneCount = 64;
constexpr int32_t kPlaces[] = {0, 1, 5, 8, 16, 31, 32, 33, 64, 100, -1, -32, INT32_MIN, INT32_MAX};

/// The lanes' results for one field. Its position is a constant in the code, or an input.
std::vector<uint32_t> field(Op op, int32_t offset, int32_t bits, bool constant, bool lowered) {
    Shader s(Stage::Vertex);
    Builder b(s);
    std::vector<Value*> v = {b.load_input(Type::I32, 0, 0)};
    if (op == Op::BitfieldInsert) v.push_back(b.load_input(Type::I32, 1, 0));
    v.push_back(constant ? b.i32(offset) : b.load_input(Type::I32, 2, 0));
    v.push_back(constant ? b.i32(bits) : b.load_input(Type::I32, 3, 0));
    b.store_output(0, 0, b.convert(Op::Bitcast, Type::F32, b.alu(op, v)));
    if (lowered) CHECK(lower_bitfield(s));
    CHECK(validate(s) == "");
    const auto program = InterpProgram::create(s, kLaneCount);
    InterpState state(*program);
    TestEnv env(kLaneCount);
    for (unsigned lane = 0; lane < kLaneCount; ++lane)
        for (unsigned slot = 0; slot < 2; ++slot)
            env.inputs[slot * 4].push_back(TestEnv::hash(lane * 2 + slot));
    env.inputs[8].assign(kLaneCount, uint32_t(offset));
    env.inputs[12].assign(kLaneCount, uint32_t(bits));
    CHECK(run(*program, state, env, ~0ull, 0) == InterpStatus::Done);
    return env.outputs[0];
}

}  // namespace

TEST_CASE("lower_bitfield: other operations stay") {
    unchanged(lower_bitfield, R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 3
  %2: i32 = ushr %0, %1
  %3: f32 = bitcast %2
  store_output 0.x, %3
}
)");
}

TEST_CASE("lower_bitfield: a field at a constant position becomes a shift and a mask") {
    CHECK(after(lower_bitfield, R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 8
  %2: i32 = ubfe %0, %1, %1
  %3: f32 = bitcast %2
  store_output 0.x, %3
}
)") == R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 8
  %2: i32 = const 8
  %3: i32 = const 8
  %4: i32 = const 24
  %5: i32 = ushr %0, %2
  %6: i32 = const 255
  %7: i32 = iand %5, %6
  %8: i32 = const 0
  %9: f32 = bitcast %7
  store_output 0.x, %9
}
)");
}

TEST_CASE("lower_bitfield: fields keep their values at any position") {
    for (const Op op : {Op::UBitfieldExtract, Op::IBitfieldExtract, Op::BitfieldInsert})
        for (const int32_t offset : kPlaces)
            for (const int32_t bits : kPlaces)
                for (const bool constant : {false, true}) {
                    CAPTURE(offset);
                    CAPTURE(bits);
                    CHECK(field(op, offset, bits, constant, true) ==
                          field(op, offset, bits, constant, false));
                }
}
