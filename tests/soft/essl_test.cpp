// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragment shaders of ESSL 3.00, from their texts. The code of each compiler must have the interpreter's
// results, for random varyings, uniforms and textures of all kinds.
#include "shaders/compile.h"
#include "tests/soft/jit_harness.h"
#include "tests/soft/texture_reference.h"

namespace terrazzo::soft::test {

namespace {

/// Statements that compute `vec4 c` from vec4 v, ivec4 i, uvec4 u (varyings), vec4 f, ivec4 j, uvec4 w
/// (uniforms).
const char* const kBodies[] = {
    "i = (i / j) % (j | 1) + (i << (j & 31)) - (i >> (j & 31)); c = vec4(i);",
    "u = (u / w) % (w | 1u) ^ (u << (w & 31u)) | (u >> (w & 31u)) & ~w; c = vec4(u);",
    "c = vec4(ivec4(v * f)) + vec4(uvec4(abs(v))) + vec4(bvec4(i)) + vec4(greaterThan(u, w)) + "
    "vec4(lessThanEqual(i, j));",
    "c = uintBitsToFloat(floatBitsToUint(v) ^ (w & 0x7fffffu)) + intBitsToFloat(j & 0x3fffffff); c.x += "
    "float(floatBitsToInt(v.y) >> 9);",
    "uint p = packHalf2x16(v.xy) ^ packSnorm2x16(v.zw) + packUnorm2x16(f.xy); c = vec4(unpackHalf2x16(p), "
    "unpackSnorm2x16(p)) + unpackUnorm2x16(p).xyxy;",
    "c = trunc(v) + round(v * f) * roundEven(f) + vec4(isnan(v)) - vec4(isinf(f / v)); vec4 whole; c += "
    "modf(v, whole) * whole;",
    "c = sinh(clamp(v, -9.0, 9.0)) + cosh(f * 0.01) * tanh(v) + asinh(v) + acosh(abs(v) + 1.0) + "
    "atanh(clamp(f, -0.9, 0.9));",
    "mat3x2 a = mat3x2(v, f.xy); mat2x3 b = transpose(a); mat3 k = b * a + outerProduct(v.xyz, f.yzw); c = "
    "vec4(inverse(k)[1], determinant(k));",
    "mat4x3 a = mat4x3(v, f, v.yzwx); mat3x4 b = transpose(a); mat4 k = b * a; k[i.x & 3][i.y & 3] = 2.0; c "
    "= k * v + v * matrixCompMult(k, k);",
    "float a[5] = float[](v.x, f.y, v.z, 1.0, 2.0); float b[5] = a; b[(i.x & 3) + 1] = f.w; c = vec4(a == b, "
    "a[uint(j.y & 3)], b[w.x % 5u], a.length());",
    "struct S { ivec2 n[3]; vec2 t; }; S s = S(ivec2[3](i.xy, j.xy, i.zw), v.xy), t = s; t.n[u.x % 3u].y ^= "
    "j.z; c = vec4(s != t, vec2(t.n[w.y % 3u]), s.t.x);",
    "switch (i.x & 7) { case 0: c = v; break; case 1: c = f; case 2: c += v.wzyx; break; case 5: { for (int "
    "k = 0; k < 4; ++k) { if (k == (j.x & 3)) continue; "
    "c[k] -= v[k]; } break; } default: c = vec4(i); }",
    "uint k = 0u; do { c += v * float(k); k += 1u + (w.x & 1u); } while (k < (u.x & 15u)); while (c.x > f.x "
    "&& k-- > 0u) c.x *= 0.5;",
    "c = mix(v, f, lessThan(v, f)) + vec4(mix(v.x, f.x, i.x > j.x), max(i.xy, j.xy), min(u.z, w.z)) + "
    "vec4(clamp(i, -j, j)) + vec4(sign(i) * abs(j));",
    "c = dFdx(v) + dFdy(f * v.wzyx) + fwidth(v * v); if (i.x > j.x) discard;",
    "c = texture(t2, v.xy) + textureLod(t2, f.xy, v.x) + textureGrad(t2, v.xy, f.xy, f.zw) + "
    "textureProjOffset(t2, v.xyz, ivec2(-3, 7)) + texelFetch(t2, i.xy & 7, j.x & 3);",
    "c = texture(t3, v.xyz, 1.0) + textureLodOffset(t3, f.xyz, v.x, ivec3(1, -2, 3)) + textureProjGrad(t3, "
    "v, f.xyz, f.yzw) + texelFetchOffset(t3, i.xyz & 3, 0, ivec3(1, 0, -1));",
    "c = texture(ta, v.xyz) + textureGradOffset(ta, v.xyw, f.xy, f.zw, ivec2(2)) + texelFetch(ta, i.xyz & 3, "
    "1) + texture(tc, v.xyz) + textureGrad(tc, f.xyz, v.xyz, v.yzw);",
    "c = vec4(texture(ti, v.xy) + texelFetch(ti, j.xy & 7, 1)) + vec4(textureLod(tu, f.xyz, v.x) ^ "
    "texelFetch(tu, i.xyz & 3, 0));",
    "c = vec4(texture(s2, v.xyz), textureProj(s2, v), textureLod(s2, f.xyz, 1.0), textureGradOffset(s2, "
    "v.xyz, f.xy, f.zw, ivec2(1)));",
    "c = vec4(texture(sa, v), textureGrad(sa, f, v.xy, v.zw), texture(sc, v), textureGrad(sc, f, v.xyz, "
    "v.yzw));",
    "c = vec4(texture(sa, v, f.x), textureLod(sa, f, v.x), textureOffset(sa, v, ivec2(-8, 7), f.y), "
    "textureLodOffset(sa, f, v.y, ivec2(3, -2))) + vec4(textureLod(sc, v, f.z), texture(sc, v, f.w), "
    "textureOffset(sa, f, ivec2(1)), 0);",
    "ivec3 k = textureSize(t3, i.x & 3) + textureSize(ta, j.x & 3) * 7 + ivec3(textureSize(tc, 0), "
    "textureSize(s2, i.y & 7).x); c = vec4(k, textureSize(sa, 1).z);",
    "c = vec4(textureQueryLOD(t2, v.xy * f.xy), textureQueryLOD(ta, v.yz)) + "
    "vec4(textureQueryLOD(tc, "
    "v.xyz), textureQueryLOD(tu, v.zwx)) + textureQueryLOD(s2, v.xy).xxyy;",
    "vec4 a[3]; for (int k = 0; k < 3; ++k) a[k] = texture(many[0], v.xy * float(k)) + textureLod(many[2], "
    "v.yx, float(k)); c = a[i.x & 1] * a[2];",
};

struct Program {
    std::shared_ptr<const shaders::LinkedProgram> linked;
    [[nodiscard]] const ir::Shader& fragment() const {
        return *linked->stages[unsigned(ir::Stage::Fragment)];
    }
    [[nodiscard]] const std::vector<shaders::SamplerSlot>& samplers() const {
        return linked->samplers[unsigned(ir::Stage::Fragment)];
    }
};

Program program_of(const std::string& body) {
    const std::string vertex =
        "#version 300 es\nin vec4 p; in ivec4 q; out vec4 v0; flat out ivec4 i0; flat out uvec4 u0;\n"
        "void main() { gl_Position = v0 = p; i0 = q; u0 = uvec4(q); }";
    const std::string fragment =
        "#version 300 es\n#extension GL_EXT_texture_query_lod : require\n"
        "#extension GL_EXT_texture_shadow_lod : require\n"
        "precision highp float; precision highp int; precision highp sampler2D; precision "
        "highp sampler3D;\n"
        "precision highp samplerCube; precision highp sampler2DArray; precision highp sampler2DShadow;\n"
        "precision highp sampler2DArrayShadow; precision highp samplerCubeShadow; precision highp "
        "isampler2D;\n"
        "precision highp usampler3D; uniform sampler2D t2, many[3]; uniform sampler3D t3; uniform "
        "sampler2DArray ta;\n"
        "uniform samplerCube tc; uniform sampler2DShadow s2; uniform sampler2DArrayShadow sa; uniform "
        "samplerCubeShadow sc;\n"
        "uniform isampler2D ti; uniform usampler3D tu; uniform vec4 f; uniform ivec4 j; uniform uvec4 w;\n"
        "in vec4 v0; flat in ivec4 i0; flat in uvec4 u0; out vec4 o;\n"
        "void main() { vec4 v = v0, c = vec4(0.0); ivec4 i = i0; uvec4 u = u0;\n" +
        body + "\no = c; }\n";
    shaders::CompileOptions options;
    options.max_version = 300;
    const auto v = shaders::compile(vertex, options);
    options.stage = ir::Stage::Fragment;
    static constexpr std::string_view kExtensions[] = {"GL_EXT_texture_query_lod",
                                                       "GL_EXT_texture_shadow_lod"};
    options.extensions = kExtensions;
    const auto f = shaders::compile(fragment, options);
    REQUIRE_MESSAGE(f.shader, f.log);
    const shaders::CompiledShader* stages[] = {v.shader.get(), f.shader.get()};
    const shaders::LinkResult r = shaders::link(stages, {});
    REQUIRE_MESSAGE(r.program, r.log);
    return {r.program};
}

Texture texture_for(const shaders::GlslType& t, std::mt19937& random) {
    using K = pipe::ResourceKind;
    using F = pipe::Format;
    const K kind = t.dim == ir::TexDim::Cube ? K::Cube
                   : t.dim == ir::TexDim::D3 ? K::Tex3D
                   : t.arrayed               ? K::Tex2DArray
                                             : K::Tex2D;
    const bool integer = t.sampled != shaders::BaseType::Float;
    const F format = t.shadow                               ? F::D32_FLOAT
                     : t.sampled == shaders::BaseType::Int  ? F::R32G32B32A32_SINT
                     : t.sampled == shaders::BaseType::Uint ? F::R32G32B32A32_UINT
                                                            : F::R8G8B8A8_UNORM;
    Texture texture(kind, format, 8, 8, kind == K::Cube ? 6 : kind == K::Tex2D ? 1 : 4, 4, random);
    pipe::SamplerDesc& s = texture.unit.sampler;
    s.compare_enable = t.shadow;
    s.min = s.mag = integer || random() % 2 ? pipe::Filter::Nearest : pipe::Filter::Linear;
    s.mip = pipe::MipFilter(random() % 3);
    s.seamless_cube = true;
    prepare_texture_unit(&texture.unit);
    return texture;
}

/// A number as programs use them: rarely huge.
uint32_t plain_word(Numbers& n) {
    return n.below(8) ? std::bit_cast<uint32_t>(float(int32_t(n.below(40001)) - 20000) / 1024.0f) : n.word();
}

void compare(const Program& program, Compilers& compilers, Numbers& numbers) {
    const auto pair = compilers.compile(program.fragment());
    for (unsigned round = 0; round < 12; ++round) {
        std::vector<Plane> planes(kMaxInputs * 4);
        for (Plane& p : planes) {
            // Flat inputs are the bits of a0: words of all kinds. The other inputs are used as floats.
            const float a0 = std::bit_cast<float>(plain_word(numbers));
            p = {a0, float(numbers.below(100)) / 64.0f, float(numbers.below(100)) / 128.0f};
        }
        std::vector<uint32_t> uniforms(program.linked->uniform_dw[unsigned(ir::Stage::Fragment)] + 1);
        for (uint32_t& u : uniforms)
            u = plain_word(numbers);
        std::vector<Texture> textures;
        for (const shaders::SamplerSlot& s : program.samplers())
            textures.push_back(texture_for(s.type, numbers.random));
        std::vector<TextureUnit> units;
        for (const Texture& t : textures)
            units.push_back(t.unit);
        PrimitiveSetup setup = {};
        setup.inv_w = {1, 0, 0};
        setup.varyings = planes.data();
        Watch watch;
        auto args = std::make_unique<FragmentArgs[]>(2);
        for (unsigned n = 0; n < 2; ++n) {
            FragmentArgs& a = args[n];
            give_memory(&a);
            a.shader = (n ? *pair.interpreter : *pair.jit).self;
            a.watch = &watch;
            a.uniforms = uniforms.data();
            a.textures = units.data();
            a.count = 3;
            for (int b = 0; b < 3; ++b) {
                a.setup[b] = &setup;
                a.x[b] = 4 * b;
                a.mask[b] = b == 1 ? 0x3b : 0xff;
            }
            (n ? *pair.interpreter : *pair.jit).fragment(&a);
        }
        for (unsigned b = 0; b < 3; ++b) {
            REQUIRE(args[0].mask[b] == args[1].mask[b]);
            for (unsigned i = 0; i < kLanes; ++i)
                for (unsigned k = 0; k < 4 && (args[0].mask[b] >> i & 1); ++k)
                    REQUIRE(same_word(std::bit_cast<uint32_t>(args[0].color[0][k][b * kLanes + i]),
                                      std::bit_cast<uint32_t>(args[1].color[0][k][b * kLanes + i])));
        }
    }
}

}  // namespace

TEST_CASE("essl 3.00: compiled texts have the interpreter's results") {
    for (const unsigned lanes : {4u, 8u, 16u}) {
        Compilers compilers(lanes);
        Numbers numbers(7);
        for (const char* const body : kBodies) {
            CAPTURE(lanes);
            INFO(std::string(body));
            compare(program_of(body), compilers, numbers);
        }
    }
}

}  // namespace terrazzo::soft::test
