// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/ir/interp.h"

#include "shaders/ir/builder.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {
std::vector<float> floats(const std::vector<uint32_t>& words) {
    std::vector<float> r;
    for (uint32_t w : words)
        r.push_back(f(w));
    return r;
}
using Floats = std::vector<float>;
}  // namespace

TEST_CASE("arms of an if run under masks") {
    const auto s = shader_of(R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 3
  %2: bool = ilt %0, %1
  %3: f32 = if %2 {
    %4: f32 = const 10.0
    yield %4
  } else {
    %5: f32 = i2f %0
    yield %5
  }
  store_output 0.x, %3
})");
    CHECK(floats(execute(*s).outputs[0]) == Floats{10, 10, 10, 3, 4, 5, 6, 7});
}

TEST_CASE("lanes outside the mask have no effect") {
    const auto s = shader_of("vertex {\n %0: f32 = const 2.0\n store_output 0.x, %0\n}");
    const auto row = execute(*s, 1, 0b0101).outputs[0];
    CHECK(f(row[0]) == 2.0f);
    CHECK(row[1] == 0xdeadbeefu);
    CHECK(f(row[2]) == 2.0f);
    CHECK(row[7] == 0xdeadbeefu);
}

TEST_CASE("each lane leaves a loop separately") {
    // Sums 0 to lane - 1, with arguments that are swapped in each iteration.
    const auto s = shader_of(R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 0
  %2: i32 = const 1
  %3: i32, %4: i32 = loop (%5: i32 = %1, %6: i32 = %1, %7: i32 = %2, %8: i32 = %1) {
    %9: bool = ige %5, %0
    if %9 {
      break %6, %7
    }
    %10: i32 = iadd %6, %5
    %11: i32 = iadd %5, %2
    continue %11, %10, %8, %7
  }
  %12: f32 = i2f %3
  %13: f32 = i2f %4
  store_output 0.x, %12
  store_output 0.y, %13
})");
    auto env = execute(*s);
    CHECK(floats(env.outputs[0]) == Floats{0, 0, 1, 3, 6, 10, 15, 21});
    CHECK(floats(env.outputs[1]) == Floats{1, 0, 1, 0, 1, 0, 1, 0});
}

TEST_CASE("continue within nested ifs and loops") {
    const auto s = shader_of(R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 0
  %2: i32 = const 1
  %3: i32 = const 4
  %20: i32 = loop (%4: i32 = %1, %5: i32 = %1) {
    %6: bool = ige %4, %3
    if %6 {
      break %5
    }
    %7: i32 = iadd %4, %2
    %8: bool = ieq %4, %0
    if %8 {
      continue %7, %5
    }
    %15: i32 = loop (%9: i32 = %1) {
      %10: bool = ige %9, %0
      if %10 {
        break %9
      }
      %11: i32 = iadd %9, %2
      continue %11
    }
    %16: i32 = iadd %5, %15
    continue %7, %16
  }
  %21: f32 = i2f %20
  store_output 0.x, %21
})");
    // Lane n adds n in each of four iterations, except iteration n.
    CHECK(floats(execute(*s).outputs[0]) == Floats{0, 3, 6, 9, 16, 20, 24, 28});
}

TEST_CASE("endless loops end when the budget does") {
    const auto s = shader_of("vertex {\n loop () {\n continue\n }\n}");
    (void)execute(*s, 1, 0xff, 8, InterpStatus::OutOfBudget);
}

TEST_CASE("derivatives use the quad, also its discarded lanes") {
    const auto s = shader_of(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = const 1.5
  %2: bool = flt %0, %1
  discard %2
  %3: f32 = fddx %0
  %4: f32 = fddy %0
  %5: f32 = fddx_fine %0
  %6: f32 = fddy_fine %0
  store_output 0.x, %3
  store_output 0.y, %4
  store_output 0.z, %5
  store_output 0.w, %6
})");
    const auto program = InterpProgram::create(*s, 4);
    InterpState state(*program);
    TestEnv env(4);
    for (float v : {1.0f, 2.0f, 4.0f, 8.0f})
        env.inputs[28].push_back(std::bit_cast<uint32_t>(v));
    // At first only lane 3 is covered; the other lanes are helpers.
    CHECK(run(*program, state, env, 0b1000, 10) == InterpStatus::Done);
    CHECK(f(env.outputs[0][3]) == 1.0f);
    CHECK(f(env.outputs[1][3]) == 3.0f);
    CHECK(f(env.outputs[2][3]) == 4.0f);
    CHECK(f(env.outputs[3][3]) == 6.0f);
    CHECK(env.outputs[0][2] == 0xdeadbeefu);
    env.outputs.clear();
    CHECK(run(*program, state, env, 0b1111, 10) == InterpStatus::Done);
    CHECK(state.discarded() == 0b0001);
    CHECK(env.outputs[0][0] == 0xdeadbeefu);
    CHECK(f(env.outputs[3][1]) == 6.0f);
}

TEST_CASE("variables: dynamic indices, zero at the start, masked stores") {
    const auto s = shader_of(R"(vertex {
  var v0 "a" f32[4] local
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 3
  %2: i32 = iand %0, %1
  %3: f32 = i2f %0
  %4: bool = ilt %2, %1
  if %4 {
    store_var v0[0 + %2], %3
  }
  %5: f32 = load_var v0[1]
  %6: f32 = load_var v0[0 + %2]
  %7: f32 = load_var v0[2 + %0]
  store_output 0.x, %5
  store_output 0.y, %6
  store_output 0.z, %7
})");
    auto env = execute(*s);
    CHECK(floats(env.outputs[0]) == Floats{0, 1, 0, 0, 0, 5, 0, 0});
    CHECK(floats(env.outputs[1]) == Floats{0, 1, 2, 0, 4, 5, 6, 0});
    CHECK(floats(env.outputs[2]) == Floats{0, 0, 0, 0, 0, 0, 0, 0});  // beyond the end: the last component
}

TEST_CASE("uniforms: dynamic, bool, beyond the block") {
    Shader s(Stage::Vertex);
    Builder b(s);
    Value* id = b.load_sysval(Sysval::VertexId, 0, Type::I32);
    b.store_output(0, 0, b.load_uniform(Type::F32, 2, id, 3));
    b.store_output(0, 1, b.load_uniform(Type::F32, 100));
    b.store_output(0, 2, b.convert(Op::B2F, Type::F32, b.load_uniform(Type::Bool, 1)));
    const auto program = InterpProgram::create(s, 4);
    InterpState state(*program);
    TestEnv env(4);
    for (float v : {0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f})
        env.uniform_words.push_back(std::bit_cast<uint32_t>(v));
    env.uniforms = env.uniform_words;
    CHECK(run(*program, state, env, 15, 0) == InterpStatus::Done);
    CHECK(floats(env.outputs[0]) == Floats{2, 3, 4, 4});
    CHECK(floats(env.outputs[1]) == Floats{0, 0, 0, 0});
    CHECK(floats(env.outputs[2]) == Floats{1, 1, 1, 1});
}

TEST_CASE("textures get whole quads, in the payload's order") {
    const auto s = shader_of(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_input 7.y
  %2: f32 = const 0.5
  %3: i32 = const 1
  %4: f32 = tex sample_lod 2d array shadow indexed coords=3 binding=4 (%0, %1, %2, %2, %0, %3)
  store_output 0.x, %4
})");
    const auto program = InterpProgram::create(*s, 8);
    InterpState state(*program);
    TestEnv env;
    CHECK(run(*program, state, env, 1, 0) == InterpStatus::Done);
    REQUIRE(env.calls.size() == 1);
    const InterpTex& t = env.calls[0];
    CHECK(t.mask == 0b1111);
    CHECK(t.info->binding == 4);
    CHECK((t.coord[0] && t.coord[1] && t.coord[2] && !t.coord[3]));
    CHECK(f(t.ref[0]) == 0.5f);
    CHECK(t.lod == t.coord[0]);
    CHECK(t.index[0] == 1);
    CHECK(t.ddx[0] == nullptr);
    CHECK(t.result_count == 1);
}

TEST_CASE("before linking, variables are the interface") {
    Shader s(Stage::Vertex);
    Var* in = s.add_var("a", Type::F32, 2, Storage::Input);
    Var* out = s.add_var("o", Type::F32, 1, Storage::Output);
    Builder b(s);
    b.store_var(out, 0, b.fadd(b.load_var(in, 0), b.load_var(in, 1)));
    const auto program = InterpProgram::create(s, 4);
    InterpState state(*program);
    TestEnv env(4);
    for (unsigned i = 0; i < 4; i++) {
        state.var_row(in->id, 0)[i] = std::bit_cast<uint32_t>(float(i));
        state.var_row(in->id, 1)[i] = std::bit_cast<uint32_t>(10.0f);
    }
    CHECK(run(*program, state, env, 15, 0) == InterpStatus::Done);
    CHECK(f(state.var_row(out->id, 0)[3]) == 13.0f);
}

TEST_CASE("64-bit values") {
    const auto s = shader_of(R"(vertex {
  var v0 "l" i64[2] local
  %0: i32 = load_sysval vertex_id.x
  %1: i64 = i2i %0
  %2: i64 = const 8589934592
  %3: i64 = imul %1, %2
  %4: i32 = const 1
  %5: i32 = iand %0, %4
  store_var v0[0 + %5], %3
  %6: i64 = load_var v0[0 + %5]
  %7: bool = ine %0, %4
  %8: i64 = if %7 {
    yield %6
  } else {
    yield %2
  }
  %9: i32 = const 33
  %10: i64 = ushr %8, %9
  %11: f32 = i2f %10
  store_output 0.x, %11
})");
    CHECK(floats(execute(*s).outputs[0]) == Floats{0, 1, 2, 3, 4, 5, 6, 7});
}
