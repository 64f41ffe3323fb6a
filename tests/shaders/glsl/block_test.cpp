// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform blocks: the offsets of their members, and loads. Memory contains its own byte offsets, so that a
// shader's result shows what it read.
#include <doctest/doctest.h>

#include <bit>

#include "shaders/glsl/block.h"
#include "shaders/ir/interp.h"
#include "shaders/ir/validate.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

constexpr unsigned kLanes = 4;

/// Word n of slot s is float(1000 * s + 4 * n).
class BlockEnv final : public ir::InterpEnv {
  public:
    BlockEnv() {
        for (uint32_t s = 0; s < kSlots; ++s) {
            for (uint32_t n = 0; n < std::size(words_[s]); ++n)
                words_[s][n] = std::bit_cast<uint32_t>(float(1000 * s + 4 * n));
            ranges_[s] = {reinterpret_cast<uint8_t*>(words_[s]), sizeof words_[s]};
        }
    }
    float out[4] = {};
    std::vector<uint32_t> block;

    void load_input(const ir::IoInfo&, ir::Type, const uint32_t*, uint32_t* o) override {
        std::fill_n(o, kLanes, 0u);
    }
    void load_sysval(ir::Sysval, unsigned, ir::Type, uint32_t* o) override { std::fill_n(o, kLanes, 0u); }
    void store_output(const ir::IoInfo& io, ir::Type, ir::InterpMask, const uint32_t* v) override {
        out[io.component] = std::bit_cast<float>(v[0]);
    }
    void tex(ir::InterpTex&) override {}
    std::span<const ir::MemoryRange> slots(ir::Storage space) override {
        return space == ir::Storage::UniformBlock ? std::span<const ir::MemoryRange>(ranges_)
                                                  : std::span<const ir::MemoryRange>();
    }

  private:
    static constexpr uint32_t kSlots = 4;
    uint32_t words_[kSlots][240];
    ir::MemoryRange ranges_[kSlots];
};

const char* const kVertex = "#version 300 es\nvoid main() { gl_Position = vec4(0.0); }";

std::string text(const ir::Shader& s, std::vector<uint32_t> uniforms) {
    const auto program = ir::InterpProgram::create(s, kLanes);
    ir::InterpState state(*program);
    BlockEnv env;
    env.uniforms = uniforms;
    REQUIRE(ir::run(*program, state, env, 0xf, 1000) == ir::InterpStatus::Done);
    std::string r;
    for (const float f : env.out)
        r += (r.empty() ? "" : " ") + std::to_string(int(f));
    return r;
}

/// The colour that the expression returns; `n` is a uniform with that value.
std::string colour(const std::string& blocks, const std::string& expression, int n = 0) {
    const std::string source =
        "#version 300 es\nprecision highp float; precision highp int;\nuniform int n;\n" + blocks +
        "\nout vec4 c;\nvoid main() { c = " + expression + "; }\n";
    const LinkResult l = test::link_pair(kVertex, source, 300);
    REQUIRE_MESSAGE(l.program, l.log);
    return text(*l.program->stages[unsigned(ir::Stage::Fragment)], {uint32_t(n)});
}

std::string log_of(const std::string& source) {
    const CompileResult r = test::compile_fragment("#version 300 es\nprecision highp float;\n" + source, 300);
    return r.shader ? "compiled" : r.log;
}

const char* const kExample =
    "struct F { int d; bvec2 e; }; struct O { uvec3 j; vec2 k; float l[2]; vec2 m; mat3 n[2]; };\n"
    "layout(std140) uniform Example { float a; vec2 b; vec3 c_; F f; float g; float h[2]; mat2x3 i; O o[2]; "
    "};\n";

}  // namespace

TEST_CASE("block: std140, the example of OpenGL ES 3.0 section 2.12.6.4") {
    CHECK(colour(kExample, "vec4(a, b, g)") == "0 8 12 48");
    CHECK(colour(kExample, "vec4(c_, h[1])") == "16 20 24 80");
    CHECK(colour(kExample, "vec4(intBitsToFloat(f.d), h[0], i[1].xy)") == "32 64 112 116");
    CHECK(colour(kExample, "vec4(i[0], i[1].z)") == "96 100 104 120");
    CHECK(colour(kExample, "vec4(uintBitsToFloat(o[0].j), o[0].k.y)") == "128 132 136 148");
    CHECK(colour(kExample, "vec4(o[0].l[0], o[0].l[1], o[0].m)") == "160 176 192 196");
    CHECK(colour(kExample, "vec4(o[0].n[0][2], o[0].n[1][0].x)") == "240 244 248 256");
    CHECK(colour(kExample, "vec4(uintBitsToFloat(o[1].j.z), o[1].m, o[1].n[1][2][2])") == "312 368 372 472");
}

TEST_CASE("block: indices that are not constant") {
    CHECK(colour(kExample, "vec4(h[n], o[n].l[n], o[n].m.y, i[n].z)", 1) == "80 352 372 120");
    CHECK(colour(kExample, "vec4(o[0].n[n][n], o[1].n[0][1][n])", 1) == "272 276 280 404");
    CHECK(colour(kExample, "vec4(c_[n], c_.zx[n], h[n + 5], h[n - 9])", 1) == "20 16 80 64");
}

TEST_CASE("block: row_major") {
    const char* const b =
        "layout(std140, row_major) uniform B { mat3x2 m; layout(column_major) mat3x2 k; mat2 a[2]; vec4 end; "
        "};";
    // m: two rows of three at 0 and 16; k: three columns of two at 32, 48, 64; a: 80, 112.
    CHECK(colour(b, "vec4(m[0], m[2])") == "0 16 8 24");
    CHECK(colour(b, "vec4(k[0], k[2])") == "32 36 64 68");
    CHECK(colour(b, "vec4(a[1][0], a[n][1])", 1) == "112 128 116 132");
    CHECK(colour(b, "vec4(m[n].y, m[1][n], end.yw)", 1) == "20 20 148 156");
    CHECK(colour(b, "vec4((m * vec3(0.0, 1.0, 0.0)), (vec2(1.0, 0.0) * m).xz)") == "4 20 0 8");
}

TEST_CASE("block: structures, arrays and matrices as a whole") {
    CHECK(colour(std::string(kExample) + "float sum(O x) { return x.k.x + x.l[1] + x.n[1][2].z; }",
                 "vec4(sum(o[0]), sum(o[n]), 0.0, 0.0)", 1) == "616 1144 0 0");
    CHECK(colour("uniform B { float a[3]; mat2 m[2]; };",
                 "float[3](a[0], a[1], a[2]) == a ? vec4(m[1]) : vec4(-1.0)") == "80 84 96 100");
    CHECK(colour("uniform B { bvec4 b; bool x[2]; ivec2 i; };", "vec4(b) + vec4(x[0], x[1], 0.0, 0.0)") ==
          "1 2 1 1");
}

TEST_CASE("block: instances and arrays of blocks") {
    const char* const b = "uniform A { vec4 x; } first; uniform B { vec4 x; vec2 y[2]; } more[3];";
    CHECK(colour(b, "vec4(first.x.y, more[0].x.y, more[1].y[1].x, more[2].x.w)") == "4 1004 2032 3012");
    CHECK(colour(b, "vec4(more[2].y[n].y, first.x.zyx)", 1) == "3036 8 4 0");
}

TEST_CASE("block: before linking a slot is a variable") {
    const CompileResult r = test::compile_fragment(
        "#version 300 es\nprecision highp float; uniform A { vec4 x; } first; uniform B { vec4 x; } more[2]; "
        "out vec4 c;\n"
        "void main() { c = more[1].x; }",
        300);
    REQUIRE_MESSAGE(r.shader, r.log);
    CHECK(ir::validate(*r.shader->ir, ir::Phase::BeforeLink) == "");
    REQUIRE(r.shader->blocks.size() == 2);
    CHECK(r.shader->blocks[1].name == "B");
    CHECK(r.shader->blocks[1].array_size == 2);
    CHECK(r.shader->blocks[1].var->count == 2);
    CHECK(r.shader->blocks[1].statically_used);
    CHECK_FALSE(r.shader->blocks[0].statically_used);
}

TEST_CASE("block: invalid blocks are refused") {
    CHECK(log_of("uniform B { sampler2D s; };\nvoid main() {}") != "compiled");
    CHECK(log_of("uniform B { float x; }; uniform C { float x; };\nvoid main() {}") != "compiled");
    CHECK(log_of("uniform B { float x; };\nvoid main() { x = 1.0; }") != "compiled");
    CHECK(log_of("in B { float x; } b;\nvoid main() {}") != "compiled");
    CHECK(log_of("uniform B { mat4 m[200000]; };\nvoid main() {}").find("Terrazzo: array too large") !=
          std::string::npos);
    CHECK(log_of("uniform B { float x; } b[2];\nvoid main() {}") == "compiled");
}
