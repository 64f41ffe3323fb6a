// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// split_preamble, compared with literals, no-change cases first; then with random programs in the
// interpreter. The preamble runs in one lane. The rest of the shader reads its results as uniforms, and must
// store what the whole shader stored.
#include "shaders/passes/preamble.h"

#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

constexpr uint32_t kFirst_dw = 64;  // TestEnv has this many uniforms

void unchanged(std::string_view text, const PreambleModel& model = {}) {
    const auto s = shader_of(text);
    CHECK(!split_preamble(*s, model, kFirst_dw).shader);
    CHECK(print(*s) == text);
}

struct Parts {
    std::string preamble, main;
};
Parts split(std::string_view text, const PreambleModel& model = {}) {
    const auto s = shader_of(text);
    const SplitPreamble p = split_preamble(*s, model, kFirst_dw);
    REQUIRE(p.shader);
    CHECK(validate(*p.shader).empty());
    CHECK(validate(*s).empty());
    s->renumber();
    return {print(*p.shader), print(*s)};
}

/// The result of execute(), with the preamble's results after the uniforms.
TestEnv execute_parts(const Shader& main, const SplitPreamble& p, uint32_t seed, InterpMask mask) {
    TestEnv env = execute(main, seed, 0);  // no lane runs: only the environment is needed
    env.outputs.clear();
    const auto whole = InterpProgram::create(*p.shader, 4);
    InterpState state(*whole);
    std::vector<uint32_t> buffer(p.count_dw, 0xdeadbeef);
    std::swap(env.buffer, buffer);
    env.uniforms = env.uniform_words;
    CHECK(run(*whole, state, env, 1, 1) == InterpStatus::Done);
    CHECK(env.outputs.empty());
    std::swap(env.buffer, buffer);
    env.uniform_words.insert(env.uniform_words.end(), buffer.begin(), buffer.end());
    env.uniforms = env.uniform_words;
    const auto rest = InterpProgram::create(main, 8);
    InterpState rest_state(*rest);
    CHECK(run(*rest, rest_state, env, mask, 10000) == InterpStatus::Done);
    env.outputs[~0u] = {uint32_t(rest_state.discarded())};
    env.outputs[~1u] = env.buffer;
    return env;
}

}  // namespace

TEST_CASE("preamble: code of single lanes, free code and code with too little gain stay") {
    unchanged(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_uniform 3
  %2: f32 = fmul %0, %1
  store_output 0.x, %2
}
)");
    // A single product.
    unchanged(R"(fragment {
  %0: f32 = load_uniform 3
  %1: f32 = fmul %0, %0
  store_output 0.x, %1
}
)");
    // Other invocations may store to the buffer.
    unchanged(R"(fragment {
  %0: i32 = const 8
  %1: f32 = load_buffer buffer binding=0 (%0)
  %2: f32 = frcp %1
  store_output 0.x, %2
}
)");
}

TEST_CASE("preamble: chains move as a whole, out of branches, too") {
    const Parts p = split(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_uniform 3
  %2: f32 = frcp %1
  %3: bool = flt %0, %1
  if %3 {
    %4: i32 = const 16
    %5: f32 = load_buffer uniform_block binding=1 (%4)
    %6: f32 = fmul %5, %2
    %7: f32 = fadd %6, %0
    store_output 0.x, %7
  }
  store_output 0.y, %2
})");
    CHECK(p.preamble == R"(compute {
  %0: f32 = load_uniform 3
  %1: f32 = frcp %0
  %2: i32 = const 16
  %3: f32 = load_buffer uniform_block binding=1 (%2)
  %4: f32 = fmul %3, %1
  %5: i32 = const 0
  store_buffer buffer binding=0 (%5, %1)
  %6: i32 = const 4
  store_buffer buffer binding=0 (%6, %4)
}
)");
    CHECK(p.main == R"(fragment {
  info uniform_dw=66
  %0: f32 = load_input 7.x
  %1: f32 = load_uniform 3
  %2: f32 = load_uniform 64
  %3: bool = flt %0, %1
  if %3 {
    %4: f32 = load_uniform 65
    %5: f32 = fadd %4, %0
    store_output 0.x, %5
  }
  store_output 0.y, %2
}
)");
}

TEST_CASE("preamble: conditions and halves are passed as dwords") {
    const Parts p = split(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_uniform 3
  %2: f32 = frcp %1
  %3: bool = flt %2, %1
  %4: f16 = f2f %2
  %5: f16 = fmul %4, %4
  %6: f16 = f2f %0
  %7: f16 = select %3, %5, %6
  %8: f32 = f2f %7
  store_output 0.x, %8
})");
    CHECK(p.preamble.find("b2i") != std::string::npos);
    CHECK(p.main == R"(fragment {
  info uniform_dw=66
  %0: f32 = load_input 7.x
  %1: bool = load_uniform 64
  %2: f32 = load_uniform 65
  %3: f16 = f2f %2
  %4: f16 = f2f %0
  %5: f16 = select %1, %3, %4
  %6: f32 = f2f %5
  store_output 0.x, %6
}
)");
}

TEST_CASE("preamble: with too many results first loads of uniform blocks stay, then everything") {
    const char* text = R"(fragment {
  %0: f32 = load_input 7.x
  %1: i32 = const 16
  %2: f32, %3: f32 = load_buffer uniform_block binding=1 words=2 (%1)
  %4: f32 = load_uniform 3
  %5: f32 = frcp %4
  %6: f32 = ffma %0, %2, %3
  %7: f32 = fmul %6, %5
  store_output 0.x, %7
}
)";
    PreambleModel model;
    model.max_dw = 2;
    CHECK(split(text).preamble.find("load_buffer") != std::string::npos);
    const Parts p = split(text, model);
    CHECK(p.preamble.find("load_buffer") == std::string::npos);
    CHECK(p.main.find("load_buffer") != std::string::npos);
    model.max_dw = 0;
    unchanged(text, model);
    model.max_dw = 256;
    model.min_gain = 100;
    unchanged(text, model);
}

TEST_CASE("preamble: a device decides what can be computed and its gain") {
    class Parameters final : public PreambleModel {
      public:
        [[nodiscard]] Scope scope(const Shader& s, const Instr& i) const override {
            return i.op == Op::LoadSysval ? Scope::Draw : PreambleModel::scope(s, i);
        }
        [[nodiscard]] bool can_compute(const Instr& i) const override {
            return i.op != Op::FRcp && PreambleModel::can_compute(i);
        }
        [[nodiscard]] unsigned gain(const Instr& i) const override {
            return i.op == Op::IMul ? 2 : PreambleModel::gain(i);
        }
    };
    const Parts p = split(R"(vertex {
  %0: i32 = load_sysval draw_id.x
  %1: i32 = imul %0, %0
  %2: f32 = i2f %1
  %3: f32 = frcp %2
  store_output 0.x, %3
})",
                          Parameters());
    CHECK(p.main == R"(vertex {
  info uniform_dw=65
  %0: f32 = load_uniform 64
  %1: f32 = frcp %0
  store_output 0.x, %1
}
)");
}

TEST_CASE("preamble: random programs store the same") {
    unsigned split = 0, with_blocks = 0, branches = 0;
    for (uint32_t seed = 0; seed < 300; seed++) {
        CAPTURE(seed);
        const auto before = random_shader(
            seed * 29 + 5, {.statements = 25 + seed % 40, .half = seed % 4 == 0, .memory = seed % 2 == 1});
        const auto main = clone(*before);
        const SplitPreamble p = split_preamble(*main, {}, kFirst_dw);
        if (!p.shader) {
            CHECK(print(*main) == print(*before));
            continue;
        }
        split++;
        with_blocks += print(*p.shader).find("load_buffer") != std::string::npos;
        branches += print(*main).find("    %") != std::string::npos;
        for (Shader* s : {main.get(), p.shader.get()}) {
            const std::string rule = validate(*s, Phase::AfterLink);
            REQUIRE_MESSAGE(rule.empty(), rule << "\n" << print(*s));
        }
        for (uint32_t run = 0; run < 2; run++) {
            const TestEnv a = execute(*before, run + 1, run ? 0xffu : 0xb6u);
            const TestEnv b = execute_parts(*main, p, run + 1, run ? 0xffu : 0xb6u);
            REQUIRE_MESSAGE(same_outputs(a, b), print(*before) << print(*p.shader) << print(*main));
        }
    }
    CHECK(split > 100);
    CHECK(with_blocks > 10);
    CHECK(branches > 50);
}
