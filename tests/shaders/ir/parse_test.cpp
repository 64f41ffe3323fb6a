// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/ir/parse.h"

#include "shaders/ir/builder.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

constexpr std::string_view kEverything =
    R"(fragment {
  info inputs_read=0x80 outputs_written=0x1 sampler_count=3 uniform_dw=20 uses_discard )"
    R"(uses_derivatives uses_front_facing uses_point_coord uses_frag_coord reads_color writes_depth )"
    R"(writes_memory early_fragment_tests workgroup_size=8,4,2
  var v0 "a \x22quoted\x22 \xc3\xa4" f32[4] local
  var v1 "color" f32[4] input highp flat centroid location=3
  var v2 "lights.tex" f32[2] sampler lowp binding=2 cube array shadow
  var v3 "o" i32[1] output mediump noperspective sample invariant
  %0: f32 = const 1.5
  %1: f32 = const 0x7fc00000
  %2: f16 = const -0.25
  %3: i32 = const -7
  %4: bool = const true
  %5: i64 = const -9000000000
  %6: f32 = load_var v0[2]
  %7: f32 = load_var v1[0 + %3] !12
  store_var v0[1 + %3], %0
  store_var v0[3], %6
  %8: f32 = fadd.exact.mediump %0, %6 !4000000000
  %9: f32 = load_input 7.y flat centroid
  %10: f32 = load_uniform 12 + %3 of 8
  %11: f32 = load_sysval frag_coord.w
  %12: f32, %13: i32 = if %4 {
    yield %0, %3
  } else {
    yield %8, %3
  }
  if %4 {
    discard %4
  }
  %17: f32 = loop (%14: f32 = %0, %15: i32 = %3) {
    %16: bool = ilt %15, %3
    if %16 {
      break %14
    }
    continue %14, %15
  }
  %18: f32 = tex sample_grad cube array shadow indexed coords=4 var=v2 (%0, %0, %0, %0, %6, %0, %0, )"
    R"(%0, %0, %0, %0, %3)
  %19: i32, %20: i32, %21: i32, %22: i32 = tex fetch 2d coords=2 gather=1 result=i32 offset=1,-2,3 )"
    R"(binding=5 (%3, %3, %3)
  %23: i32 = atomic_buffer add buffer coherent volatile restrict indexed binding=1 slots=4 )"
    R"(offset_B=8 (%3, %3, %3)
  %24: f32 = undef
  store_image image 3d r32i writeonly binding=0 (%3, %3, %3, %3, %3, %3, %3)
  barrier execution=workgroup memory=device buffers images shared ()
  %25: f32 = load_input_at 7.z noperspective center (%0, %24)
  %26: f32 = load_input_at 7.z sample (%3)
  %27: f32 = load_input_at 7.z centroid ()
  %28: i32 = load_sysval num_samples.x
  store_output.mediump.rounded 0.x, %24
}
)";

}  // namespace

TEST_CASE("the text form of everything survives the round trip") {
    ParseResult r = parse(kEverything);
    REQUIRE_MESSAGE(r.shader, r.error);
    CHECK(print(*r.shader) == kEverything);
    CHECK(validate(*r.shader) == "");
    CHECK(print(*clone(*r.shader)) == kEverything);
    CHECK(r.shader->vars()[0]->name == "a \"quoted\" \xc3\xa4");
    CHECK(r.shader->value_count() == 29);
}

TEST_CASE("floats print as the shortest decimals that read back the same") {
    Shader s(Stage::Vertex);
    Builder b(s);
    for (float v : {0.1f, 1e-45f, 3.4028235e38f, -0.0f, 16777216.0f})
        b.store_output(0, 0, b.f32(v));
    const std::string text = print(s);
    CHECK(text.find("const 0.1\n") != text.npos);
    CHECK(text.find("const 1e-45\n") != text.npos);
    CHECK(text.find("const 3.4028235e+38\n") != text.npos);
    CHECK(text.find("const -0.0\n") != text.npos);
    CHECK(print(*shader_of(text)) == text);
}

TEST_CASE("comments and blank lines are skipped") {
    const auto s = shader_of("vertex {  # a comment\n\n  %0: f32 = const 2.0 # two\n store_output 0.x, %0 }");
    CHECK(print(*s) == "vertex {\n  %0: f32 = const 2.0\n  store_output 0.x, %0\n}\n");
}

TEST_CASE("errors name the line") {
    const auto error = [](std::string_view text) {
        ParseResult r = parse(text);
        CHECK(!r.shader);
        return r.error;
    };
    CHECK(error("") == "line 1: unknown word, found 'end of text'");
    CHECK(error("vertex {\n  %0: f32 = fad %1\n}") == "line 2: unknown operation 'fad', found '%'");
    CHECK(error("vertex {\n\n  %0: f32 = fneg %1\n}")
              .starts_with("line 4: %1 is not defined before it is used"));
    CHECK(error("vertex {\n  %0: f32 = const 1.0\n  %0: f32 = const 1.0\n}").find("%0 is defined twice") !=
          std::string::npos);
    CHECK(error("vertex {\n  %0: f32 = const 1.0\n").find("expected a word, found 'end of text'") !=
          std::string::npos);
    CHECK(error("vertex {\n}\nvertex {}").starts_with("line 3: expected nothing after the shader"));
    CHECK(error("vertex {\n  var v1 \"x\" f32[1] local\n}").starts_with("line 2: variables are numbered"));
    CHECK(error("vertex {\n  %0: i16 = const 40000\n}")
              .starts_with("line 3: '40000' is no number that fits here"));
    CHECK(error("vertex {\n  %5000000: i32 = const 4\n}").find("no number that fits") != std::string::npos);
}

TEST_CASE("deep nesting is an error, not a stack overflow") {
    std::string text = "vertex {\n%0: bool = const true\n";
    for (int i = 0; i < 100000; i++)
        text += "if %0 {\n";
    ParseResult r = parse(text);
    CHECK(!r.shader);
    CHECK(r.error.find("nested too deeply") != std::string::npos);
}

TEST_CASE("random shaders are valid and survive the round trip") {
    for (uint32_t seed = 0; seed < 60; seed++) {
        const auto s = random_shader(seed, {.half = true, .transcendental = true});
        REQUIRE(validate(*s, Phase::AfterLink) == "");
        const std::string text = print(*s);
        const auto again = shader_of(text, Phase::AfterLink);
        REQUIRE(print(*again) == text);
        REQUIRE(print(*clone(*s)) == text);
    }
}

TEST_CASE("mutated texts never crash, and texts that parse can be validated and printed") {
    Random random(20260);
    unsigned parsed = 0;
    for (unsigned n = 0; n < 4000; n++) {
        std::string text =
            n % 3 ? print(*random_shader(n % 7, {.statements = 12})) : std::string(kEverything);
        for (uint32_t k = 1 + random.below(3); k > 0; k--) {
            const size_t at = random.below(uint32_t(text.size()));
            switch (random.below(5)) {
                case 0:
                    text[at] = char(random.below(256));
                    break;
                case 1:
                    text.erase(at, random.below(8));
                    break;
                case 2:
                    text.insert(at, text.substr(random.below(uint32_t(text.size())), random.below(20)));
                    break;
                case 3:
                    text[at] = "0123456789%[](){}=,.+-"[random.below(22)];
                    break;
                default:
                    text.resize(at + 1);
                    break;
            }
        }
        const ParseResult r = parse(text);
        if (!r.shader) {
            CHECK(r.error.starts_with("line "));
            continue;
        }
        parsed++;
        const std::string once = print(*r.shader);
        (void)validate(*r.shader, Phase::AfterLink);
        const ParseResult again = parse(once);
        REQUIRE_MESSAGE(again.shader, again.error);
        REQUIRE(print(*again.shader) == once);
    }
    CHECK(parsed > 60);
}
