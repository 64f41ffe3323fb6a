// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <xxhash.h>

#include <cstring>
#include <string>

#include "shader_seeds.h"
#include "shaders/compile.h"
#include "tests/fuzz/program_binary.h"
#include "tests/fuzz/program_texts.h"

namespace fuzz {

using namespace terrazzo;

namespace {

constexpr const char* kPairs[][2] = {
    {"attribute vec4 position; attribute vec3 direction; attribute mat2 extra; uniform mat4 mvp; uniform "
     "vec4 bones[6];"
     "uniform ivec2 which; uniform bool flip; uniform sampler2D tex; varying vec3 normal; varying vec2 uv;"
     "void main() { float w[5]; w[0] = position.x; w[1] = direction.y; w[2] = extra[1].x; w[3] = 1.0; w[4] = "
     "2.0;"
     " w[which.y] = 0.5; vec4 p = mvp * position + bones[which.x] * w[which.x]; if (flip) p.xy = extra * "
     "p.xy;"
     " for (int i = 0; i < 20; i++) { if (p.x > 9.0) break; p.x += w[which.y] * 0.1; }"
     " normal = direction * texture2D(tex, p.xy).xyz; uv = p.xy; gl_Position = p; gl_PointSize = 3.0 + p.y; "
     "}",
     "#extension GL_OES_standard_derivatives : enable\n"
     "precision highp float; uniform sampler2D tex; uniform sampler2D more[3]; uniform samplerCube cube;"
     "uniform vec4 table[5]; uniform ivec4 a; uniform float k[3]; varying vec3 normal; varying vec2 uv;"
     "void main() { vec4 c = texture2D(tex, uv) + textureCube(cube, normal) + texture2D(more[1], uv.yx, 1.0);"
     " for (int i = 0; i < 3; i++) c += texture2D(more[i], uv * float(i)); float s[4]; s[0] = c.x; s[1] = "
     "c.y;"
     " s[2] = k[a.x]; s[3] = gl_FragCoord.z; s[a.y] += 1.0; c += table[a.z] * s[a.w];"
     " int n = a.x; while (n > 0) { c.x = fract(c.x + sin(c.y)); if (c.x > 0.9) { n -= 2; continue; } n--; }"
     " if (c.a < 0.01 && !gl_FrontFacing) discard; c.xy += dFdx(uv) + gl_PointCoord; gl_FragColor = c; }"},
    {"attribute vec4 position; varying vec4 v; void main() { gl_Position = position; v = position * "
     "gl_DepthRange.diff; }",
     "precision mediump float; varying vec4 v; uniform vec4 u; void main() { gl_FragColor = v + u; }"},
    {"attribute vec4 position; varying vec2 v; void main() { gl_Position = position; v = position.xy; }",
     "#extension GL_EXT_draw_buffers : enable\n#extension GL_EXT_frag_depth : enable\n"
     "precision highp float; varying vec2 v; uniform mat3 m; uniform int n;"
     "void main() { mat3 t = m; t[n] = vec3(v, 1.0); gl_FragData[0] = vec4(t[1] * m, v[n]);"
     " gl_FragDepthEXT = t[2][n]; if (v.x > 0.5) gl_FragData[1] = vec4(pow(v.x, 2.0)); }"},
    {"#version 300 es\nin vec4 position; in uvec3 flags; flat out uvec3 bits; out vec3 at; uniform mat2x4 "
     "shape;"
     "uniform highp isampler2DArray levels; void main() { gl_Position = position; bits = flags >> "
     "uint(gl_VertexID & 3);"
     " at = vec3(texelFetch(levels, ivec3(0, 0, gl_InstanceID), 0).xy, 0.5) + (position * shape).xyx; }",
     "#version 300 es\nprecision highp float; precision highp int; flat in uvec3 bits; in vec3 at;"
     "layout(location = 0) out vec4 color; layout(location = 2) out ivec2 ids[2];"
     "uniform highp sampler3D volume; uniform highp sampler2DArrayShadow shadow; uniform uvec4 mask; uniform "
     "int mode;"
     "void main() { uvec3 b = (bits & mask.xyz) % max(mask.yzw, 1u); vec4 c = textureGrad(volume, at, "
     "dFdx(at), dFdy(at));"
     " switch (mode) { case 0: c += unpackHalf2x16(b.x).xyxy; break; case 1: c.x = texture(shadow, vec4(at, "
     "0.5)); default: c.y = "
     "float(textureSize(volume, mode).z); } color = mix(c, c.wzyx, greaterThan(c, vec4(0.5)));"
     " ids[0] = ivec2(b.xy); ids[1] = ivec2(int(b.z) / mode, floatBitsToInt(c.x)); }"},
    {"#version 300 es\nlayout(location = 0) in vec4 position; in ivec2 which; out vec4 v; out vec2 "
     "captured[3]; flat out int "
     "n;"
     "uniform Scene { mat4 mvp; layout(row_major) mat3x2 rows[2]; vec4 bones[8]; int count; }; uniform Other "
     "{ float f; } "
     "other[2];"
     "void main() { gl_Position = mvp * position; n = count; v = bones[which.x & 7] * other[1].f;"
     " for (int i = 0; i < 3; ++i) captured[i] = rows[i & 1] * position.xyz + other[0].f; }",
     "#version 300 es\nprecision highp float; in vec4 v; flat in int n; out vec4 c; struct S { vec3 a[2]; "
     "bool b; };"
     "uniform Other { float f; } other[2]; layout(std140) uniform Lights { S s[3]; vec4 last; } lights; "
     "uniform vec4 plain;"
     "void main() { c = v * plain + lights.last; for (int i = 0; i < n && i < 9; ++i) c.xyz += lights.s[i % "
     "3].a[n & 1];"
     " if (lights.s[1].b) c.w = other[1].f; c.y += lights.s[int(v.x) % 3].a[0].z; }"},
};

Bytes pair_program(uint32_t n) {
    static const std::string_view kExtensions[] = {"GL_OES_standard_derivatives", "GL_EXT_draw_buffers",
                                                   "GL_EXT_frag_depth"};
    std::shared_ptr<const shaders::CompiledShader> stages[2];
    for (const bool fragment : {false, true}) {
        shaders::CompileOptions o;
        o.stage = fragment ? ir::Stage::Fragment : ir::Stage::Vertex;
        o.extensions = kExtensions;
        o.max_version = 300;
        stages[fragment] = shaders::compile(kPairs[n % std::size(kPairs)][fragment], o).shader;
    }
    const shaders::CompiledShader* both[] = {stages[0].get(), stages[1].get()};
    static const std::string kCaptures[] = {"captured", "gl_Position", "v"};
    shaders::LinkOptions options;
    if (n % std::size(kPairs) == 4) options.capture = std::span(kCaptures).first(n / 4 % 4);
    const shaders::LinkResult linked = shaders::link(both, options);
    return linked.program ? shaders::serialize(*linked.program) : Bytes();
}

/// Programs of one stage: the stages, and their texts.
struct Lone {
    ir::Stage stage;
    const char* text;
};
constexpr Lone kLone[] = {
    {ir::Stage::Compute,
     "#version 310 es\nlayout(local_size_x = 4, local_size_y = 2) in; shared uint found[8]; shared vec4 sum;"
     "layout(std430, binding = 0) buffer Cells { uint n; vec4 at[4]; mat3 m; uint rest[]; } cells[2];"
     "layout(binding = 1, offset = 4) uniform atomic_uint counter; layout(binding = 2) uniform atomic_uint "
     "more[2];"
     "layout(r32ui, binding = 0) uniform highp uimage2D field; layout(rgba8, binding = 1) uniform highp "
     "readonly "
     "image2D in_;"
     "uniform sampler2D tex; uniform uint k[3]; uniform B { ivec4 i[3]; float f; };"
     "void main() { uint l = gl_LocalInvocationIndex; found[l] = atomicAdd(cells[0].n, l) + k[l % 3u]; "
     "barrier();"
     " if (l == 0u) sum = cells[1].at[i[l % 3u].x & 3] * f + imageLoad(in_, ivec2(gl_GlobalInvocationID.xy));"
     " memoryBarrierShared(); barrier(); cells[1].rest[found[7u - l]] = atomicCounterIncrement(counter);"
     " cells[0].m[l & 1u] = texture(tex, sum.xy).xyz; imageStore(field, ivec2(l, 1), uvec4(found[l]));"
     " if (uint(cells[0].rest.length()) > l) cells[0].rest[l] = atomicCounterDecrement(more[l & 1u]); }"},
    {ir::Stage::Fragment,
     "#version 310 es\nprecision highp float; layout(location = 1) in vec4 v[2]; flat in ivec2 n; in struct "
     "{ mat2 "
     "a; float b; } s; layout(location = 0) out vec4 o; layout(binding = 0) buffer B { vec4 w[]; }; uniform "
     "vec4 u;"
     "void main() { o = v[n.x & 1] * u + s.a[1].xyxy * s.b + gl_FragCoord; w[n.y] = o; }"},
    {ir::Stage::Vertex,
     "#version 310 es\nin vec4 position; layout(location = 3) out vec4 v; out vec2 captured[3]; uniform vec4 "
     "u;"
     "void main() { gl_Position = position; v = u; captured[0] = captured[1] = captured[2] = position.xy; }"},
};

Bytes lone_program(const Lone& lone) {
    shaders::CompileOptions o;
    o.stage = lone.stage;
    o.max_version = 310;
    const shaders::CompileResult r = shaders::compile(lone.text, o);
    const shaders::CompiledShader* const only[] = {r.shader.get()};
    shaders::LinkOptions options;
    options.separable = true;
    const shaders::LinkResult linked = shaders::link(only, options);
    return linked.program ? shaders::serialize(*linked.program) : Bytes();
}

/// The n-th seed that has geometry or tessellation stages.
Bytes program_of_many_stages(uint32_t n) {
    static const std::string_view kExtensions[] = {"GL_EXT_geometry_shader", "GL_EXT_geometry_point_size",
                                                   "GL_EXT_clip_cull_distance"};
    std::vector<ProgramTexts> seeds;
    for (const char* const seed : kShaderSeeds)
        if (const ProgramTexts p = split_program(seed);
            !p[Stage::Geometry].empty() || !p[Stage::Control].empty())
            seeds.push_back(p);
    const ProgramTexts& texts = seeds[n % seeds.size()];
    std::vector<std::shared_ptr<const shaders::CompiledShader>> compiled;
    std::vector<const shaders::CompiledShader*> stages;
    for (size_t s = 0; s < kStages; ++s) {
        if (texts.texts[s].empty()) continue;
        shaders::CompileOptions o;
        o.stage = ir::Stage(s);  // both enumerations have the same order
        o.extensions = kExtensions;
        o.max_version = 320;
        compiled.push_back(shaders::compile(texts.texts[s], o).shader);
        stages.push_back(compiled.back().get());
    }
    static const std::string kCaptures[] = {"gl_Position"};
    shaders::LinkOptions options;
    options.capture = std::span(kCaptures).first(n / seeds.size() % 2);
    const shaders::LinkResult linked = shaders::link(stages, options);
    return linked.program ? shaders::serialize(*linked.program) : Bytes();
}
static_assert(ir::Stage(int(Stage::Evaluation)) == ir::Stage::TessEval &&
              ir::Stage(int(Stage::Compute)) == ir::Stage::Compute);

}  // namespace

Bytes first_program(uint32_t n) {
    if (n % 4 == 3) return program_of_many_stages(n / 4);
    return n % 3 == 2 ? lone_program(kLone[n / 3 % std::size(kLone)]) : pair_program(n);
}

void mend_header(Bytes& b) {
    static const Bytes kGood = first_program(1);
    if (b.size() < kBinaryHeader_B || kGood.size() < kBinaryHeader_B) return;
    std::memcpy(b.data(), kGood.data(), 8);
    const uint64_t length = b.size() - kBinaryHeader_B,
                   hash = XXH3_64bits(b.data() + kBinaryHeader_B, length);
    std::memcpy(b.data() + 8, &length, 8);
    std::memcpy(b.data() + 16, &hash, 8);
}

}  // namespace fuzz
