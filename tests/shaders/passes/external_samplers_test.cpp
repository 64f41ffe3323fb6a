// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/external_samplers.h"

#include <algorithm>
#include <array>

#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

/// Applies the pass to the variables whose names begin with "external".
bool pass(Shader& s) {
    std::vector<Var*> samplers;
    for (Var* v : s.vars())
        if (v->name.starts_with("external")) samplers.push_back(v);
    return !lower_external_samplers(s, samplers).empty();
}

}  // namespace

TEST_CASE("external_samplers: other samplers, queries and unused samples stay") {
    unchanged(pass, R"(fragment {
  var v0 "plain" f32[1] sampler 2d
  %0: f32 = load_sysval frag_coord.x
  %1: f32, %2: f32, %3: f32, %4: f32 = tex sample 2d coords=2 var=v0 (%0, %0)
  store_output 0.x, %1
}
)");
    unchanged(pass, R"(fragment {
  var v0 "external" f32[1] sampler 2d
  %0: i32 = const 0
  %1: i32, %2: i32 = tex size 2d coords=2 result=i32 var=v0 (%0)
  store_output 0.x, %1
}
)");
    unchanged(pass, R"(fragment {
  var v0 "external" f32[1] sampler 2d
  %0: f32 = load_sysval frag_coord.x
  %1: f32, %2: f32, %3: f32, %4: f32 = tex sample 2d coords=2 var=v0 (%0, %0)
  store_output 0.x, %0
}
)");
}

TEST_CASE("external_samplers: a sample converts its used components if there are other planes") {
    CHECK(after(pass, R"(fragment {
  var v0 "external" f32[1] sampler 2d
  %0: f32 = load_sysval frag_coord.x
  %1: f32, %2: f32, %3: f32, %4: f32 = tex sample 2d coords=2 var=v0 (%0, %0)
  store_output 0.x, %2
}
)") == R"(fragment {
  var v0 "external" f32[1] sampler 2d
  var v1 "external plane 1" f32[1] sampler 2d
  var v2 "external plane 2" f32[1] sampler 2d
  var v3 "external conversion" f32[24] uniform
  %0: f32 = load_sysval frag_coord.x
  %1: f32, %2: f32, %3: f32, %4: f32 = tex sample 2d coords=2 var=v0 (%0, %0)
  %5: f32 = load_var v3[0]
  %6: f32 = const 0.0
  %7: bool = fne %5, %6
  %8: f32 = if %7 {
    %9: f32 = load_var v3[4]
    %10: f32 = fmul %0, %9
    %11: f32 = load_var v3[6]
    %12: f32 = fadd %10, %11
    %13: f32 = load_var v3[5]
    %14: f32 = fmul %0, %13
    %15: f32 = load_var v3[7]
    %16: f32 = fadd %14, %15
    %17: f32, %18: f32, %19: f32, %20: f32 = tex sample 2d coords=2 var=v1 (%12, %16)
    %21: f32 = const 2.0
    %22: bool = fge %5, %21
    %23: f32 = if %22 {
      %24: f32, %25: f32, %26: f32, %27: f32 = tex sample 2d coords=2 var=v2 (%12, %16)
      yield %24
    } else {
      yield %18
    }
    %28: f32 = load_var v3[15]
    %29: f32 = load_var v3[12]
    %30: f32 = fmul %1, %29
    %31: f32 = fadd %30, %28
    %32: f32 = load_var v3[13]
    %33: f32 = fmul %17, %32
    %34: f32 = fadd %33, %31
    %35: f32 = load_var v3[14]
    %36: f32 = fmul %23, %35
    %37: f32 = fadd %36, %34
    %38: f32 = fsat %37
    yield %38
  } else {
    yield %2
  }
  store_output 0.x, %8
}
)");
}

TEST_CASE("external_samplers: a fetch shifts its coordinates; each element has its own conversion") {
    CHECK(after(pass, R"(fragment {
  var v0 "external" f32[3] sampler 2d
  %0: i32 = load_sysval sample_id.x
  %1: i32 = const 0
  %2: f32, %3: f32, %4: f32, %5: f32 = tex fetch 2d indexed coords=2 var=v0 (%0, %0, %1, %0)
  store_output 0.x, %5
}
)") == R"(fragment {
  var v0 "external" f32[3] sampler 2d
  var v1 "external plane 1" f32[3] sampler 2d
  var v2 "external plane 2" f32[3] sampler 2d
  var v3 "external conversion" f32[72] uniform
  %0: i32 = load_sysval sample_id.x
  %1: i32 = const 0
  %2: f32, %3: f32, %4: f32, %5: f32 = tex fetch 2d indexed coords=2 var=v0 (%0, %0, %1, %0)
  %6: i32 = const 24
  %7: i32 = imul %0, %6
  %8: f32 = load_var v3[0 + %7]
  %9: f32 = const 0.0
  %10: bool = fne %8, %9
  %11: f32 = if %10 {
    %12: f32 = load_var v3[1 + %7]
    %13: i32 = f2i %12
    %14: i32 = ishr %0, %13
    %15: f32 = load_var v3[2 + %7]
    %16: i32 = f2i %15
    %17: i32 = ishr %0, %16
    %18: f32, %19: f32, %20: f32, %21: f32 = tex fetch 2d indexed coords=2 var=v1 (%14, %17, %1, %0)
    %22: f32 = const 2.0
    %23: bool = fge %8, %22
    %24: f32 = if %23 {
      %25: f32, %26: f32, %27: f32, %28: f32 = tex fetch 2d indexed coords=2 var=v2 (%14, %17, %1, %0)
      yield %25
    } else {
      yield %19
    }
    %29: f32 = load_var v3[23 + %7]
    %30: f32 = load_var v3[20 + %7]
    %31: f32 = fmul %2, %30
    %32: f32 = fadd %31, %29
    %33: f32 = load_var v3[21 + %7]
    %34: f32 = fmul %18, %33
    %35: f32 = fadd %34, %32
    %36: f32 = load_var v3[22 + %7]
    %37: f32 = fmul %24, %36
    %38: f32 = fadd %37, %35
    %39: f32 = fsat %38
    yield %39
  } else {
    yield %5
  }
  store_output 0.x, %11
}
)");
    const std::string constant = after(pass, R"(fragment {
  var v0 "external" f32[3] sampler 2d
  %0: f32 = load_sysval frag_coord.x
  %1: i32 = const 2
  %2: f32, %3: f32, %4: f32, %5: f32 = tex sample 2d indexed coords=2 var=v0 (%0, %0, %1)
  store_output 0.x, %2
}
)");
    CHECK(constant.find("load_var v3[48]") != std::string::npos);  // 2 * 24: the mode
    CHECK(constant.find("imul") == std::string::npos);
}

namespace {

namespace at = external_conversion;

/// All texels of a plane are equal: (0.5, ..), (0.25, 0.125, ..), (0.75, ..).
struct PlanesEnv : TestEnv {
    PlanesEnv() : TestEnv(4) {}
    void tex(InterpTex& t) override {
        static constexpr float kTexels[3][4] = {{0.5f, 0, 0, 1}, {0.25f, 0.125f, 0, 1}, {0.75f, 0, 0, 1}};
        const auto plane = unsigned(t.info->binding);  // the variable
        sampled += char('0' + plane);
        for (unsigned n = 0; n < t.result_count; ++n)
            std::fill_n(t.out[n], lanes, std::bit_cast<uint32_t>(kTexels[plane][n]));
        for (unsigned n = 0; n < 2; ++n)
            coordinates[plane][n] = t.coord[n][3];
    }
    std::string sampled;  // the planes in the order of their samples
    uint32_t coordinates[3][2] = {};
};

/// Runs a shader whose variable 0 is the sampler, with this conversion.
PlanesEnv sampled_planes(std::string_view text, const std::vector<float>& numbers) {
    const auto s = shader_of(text);
    Var* const sampler = s->vars()[0];
    const std::vector<ExternalSampler> made = lower_external_samplers(*s, std::array{sampler});
    REQUIRE(made.size() == 1);
    CHECK(made[0].chroma[0]->id == 1);
    CHECK(made[0].conversion->count == at::kCount);
    const auto program = InterpProgram::create(*s, 4);
    InterpState state(*program);
    for (unsigned n = 0; n < numbers.size(); ++n)
        std::ranges::fill(state.var_row(made[0].conversion->id, n), std::bit_cast<uint32_t>(numbers[n]));
    PlanesEnv env;
    CHECK(run(*program, state, env, 8, 10000) == InterpStatus::Done);
    return env;
}

const char* const kSample = R"(fragment {
  var v0 "external" f32[1] sampler 2d
  %0: f32 = load_sysval frag_coord.x
  %1: f32, %2: f32, %3: f32, %4: f32 = tex sample 2d coords=2 var=v0 (%0, %0)
  store_output 0.x, %1
  store_output 0.y, %2
  store_output 0.z, %3
  store_output 0.w, %4
}
)";

std::vector<float> conversion(float mode) {
    return {mode, 1, 2,  0,      0.5f, 0.25f, 1, 2,  // shifts, scales, offsets
            1,    2, 0,  0,                          // red
            0,    0, 1,  0,                          // green
            1,    0, 0,  -0.25f,                     // blue
            0,    0, -1, 0};                         // alpha
}

std::vector<float> color(const PlanesEnv& env) {
    std::vector<float> out;
    for (unsigned n = 0; n < 4; ++n)
        out.push_back(f(env.outputs.at(n)[3]));
    return out;
}

}  // namespace

TEST_CASE("external_samplers: the mode determines the planes") {
    const PlanesEnv plain = sampled_planes(kSample, std::vector<float>(at::kCount));
    CHECK(plain.sampled == "0");
    CHECK(color(plain) == std::vector<float>{0.5f, 0, 0, 1});
    const PlanesEnv two = sampled_planes(kSample, conversion(1));
    CHECK(two.sampled == "01");
    CHECK(color(two) == std::vector<float>{1, 0.125f, 0.25f, 0});
    const PlanesEnv three = sampled_planes(kSample, conversion(2));
    CHECK(three.sampled == "012");
    CHECK(color(three) == std::vector<float>{1, 0.75f, 0.25f, 0});
}

TEST_CASE("external_samplers: coordinates in the other planes") {
    const PlanesEnv sampled = sampled_planes(kSample, conversion(2));
    CHECK(f(sampled.coordinates[0][0]) == 3);  // the lane's number
    for (const unsigned plane : {1u, 2u}) {
        CHECK(f(sampled.coordinates[plane][0]) == 3 * 0.5f + 1);
        CHECK(f(sampled.coordinates[plane][1]) == 3 * 0.25f + 2);
    }
    const PlanesEnv fetched = sampled_planes(R"(fragment {
  var v0 "external" f32[1] sampler 2d
  %0: i32 = const 13
  %1: i32 = const 0
  %2: f32, %3: f32, %4: f32, %5: f32 = tex fetch 2d coords=2 offset=0,-2,0 var=v0 (%0, %0, %1)
  store_output 0.x, %2
}
)",
                                             conversion(1));
    CHECK(fetched.coordinates[0][0] == 13);
    CHECK(fetched.coordinates[1][0] == 6);
    CHECK(fetched.coordinates[1][1] == 2);  // (13 - 2) / 4
}
