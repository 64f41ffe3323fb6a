// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs for the random draws: small, different in what they read and write, loops that end. And texts that
// mutated ones come from.
#pragma once

#include "tests/fuzz/mutator.h"
#include "tests/fuzz/shader_pair.h"

namespace fuzz {

inline constexpr const char* kVertexTexts[] = {
    "attribute vec4 a; void main() { gl_Position = a; gl_PointSize = 3.0; }",
    "attribute vec4 a; attribute vec4 b; uniform mat4 m; varying vec4 v; void main() { gl_Position = m * a; "
    "v = b; }",
    "attribute vec3 a; attribute vec2 b; varying vec4 v; uniform float f[3]; void main() { gl_Position = "
    "vec4(a * f[1], 1.0);"
    " v = b.xyxy; gl_PointSize = f[2]; }",
    "attribute vec4 a; varying vec4 v; uniform sampler2D s; void main() { gl_Position = a; v = "
    "texture2DLod(s, a.xy, 0.0); }",
};
inline constexpr const char* kFragmentTexts[] = {
    "precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }",
    "precision mediump float; varying vec4 v; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, "
    "v.xy) * v; }",
    "precision highp float; varying vec4 v; uniform samplerCube s; uniform int n; void main() { vec4 t = "
    "vec4(0.0);"
    " for (int i = 0; i < 4; ++i) { if (v.x > 0.5) discard; t += textureCube(s, v.xyz + float(i)); } "
    "gl_FragColor = t; }",
    "#extension GL_OES_standard_derivatives : enable\nprecision mediump float; varying vec4 v; uniform "
    "struct S { vec2 a; mat3 m; } s[2];"
    " void main() { gl_FragColor = vec4(dFdx(v.xyz) * s[1].m + fwidth(v.yzw), s[0].a.y) + gl_FragCoord * "
    "0.001; }",
    "#extension GL_EXT_draw_buffers : require\nprecision mediump float; varying vec4 v; uniform int n; void "
    "main() {"
    " gl_FragData[0] = v; gl_FragData[1] = v.wzyx; gl_FragData[n] = vec4(0.5); }",
    "#extension GL_EXT_frag_depth : require\nprecision highp float; varying vec4 v; uniform float f[3]; void "
    "main() {"
    " float d = 0.0; for (int i = 0; i < 3; ++i) d += f[i]; if (d < 0.0) discard; gl_FragDepthEXT = d * v.x;"
    " gl_FragColor = v; }",
    "precision mediump float; void main() { gl_FragColor = vec4(gl_PointCoord, gl_FrontFacing ? 1.0 : 0.0, "
    "1.0); }",
};

/// Use much of the language.
inline constexpr ShaderText kShaderSeeds[] = {
    {false, R"(#extension GL_OES_standard_derivatives : enable
precision mediump float;
struct Light { vec3 position; vec4 color[2]; };
uniform Light lights[2]; uniform sampler2D tex; uniform samplerCube cube; varying vec3 normal; varying vec2 uv;
const vec2 kOffset = vec2(0.5, 0.25);
float shade(in vec3 n, const Light l, inout vec4 sum) {
    float d = max(dot(normalize(n), normalize(l.position)), 0.0);
    if (d < 0.1) return 0.0;
    for (int i = 0; i < 2; ++i) { if (i == 1 && d > 0.9) continue; sum += l.color[i] * d; }
    return d;
}
void main() {
    vec4 sum = vec4(0.0); float n = 0.0;
    int i = 0;
    while (i < 2) { n += shade(normal, lights[i], sum); i++; }
    do { n -= 0.25; } while (n > 1.0);
    if (sum.a < 0.01 || n < -1.0) discard;
    mat3 m = mat3(1.0); m[1].xy *= mat2(uv, kOffset);
    gl_FragColor = (n > 0.5 ? texture2D(tex, uv + dFdx(uv)) : textureCube(cube, m * normal)) + sum.zyxw;
}
)"},
    {true, R"(attribute vec4 position; attribute vec3 direction; attribute mat2 extra;
uniform mat4 mvp; uniform mat4 bones[4]; uniform ivec2 which; uniform bool flip; uniform sampler2D tex;
varying vec3 normal; varying vec2 uv; invariant gl_Position;
vec4 skin(vec4 p) { vec4 r = vec4(0.0); for (int i = 0; i < 4; i++) r += bones[i] * p; return r / float(4); }
void main() {
    vec4 p = skin(position);
    float w[3]; w[0] = p.x; w[1] = p.y; w[2] = p.z;
    p[which.x] = w[which.y]; p.w = flip ? 1.0 : mix(p.x, p.y, 0.5);
    normal = reflect(direction, p.xyz); uv = extra * p.xy + vec2(pow(2.0, p.x), mod(p.y, 3.0));
    if (which.x > which.y / 2) uv *= texture2DLod(tex, uv, 1.0).xy;
    gl_Position = mvp * p + position; gl_PointSize = clamp(length(p), 1.0, 8.0);
}
)"},
    {false, R"(#extension GL_EXT_frag_depth : enable
#extension GL_EXT_shader_texture_lod : enable
precision highp float; precision highp int;
uniform sampler2D tex; uniform ivec4 a; uniform bvec3 on; uniform vec4 table[5]; varying vec3 normal; varying vec2 uv;
bool inside(vec2 p) { return all(lessThan(abs(p), vec2(0.75))) != any(on); }
mat2 turn(float angle) { return mat2(cos(angle), -sin(angle), sin(angle), cos(angle)); }
void main() {
    vec4 c = vec4(0.0); vec2 p = uv; int n = a.x;
    for (int i = 0; i < 20; i++) {
        p = turn(float(i)) * p + fract(normal.xy) * exp2(-p.x) - sqrt(abs(p.y)) / 3.0;
        if (inside(p)) { c += table[i - (i / 5) * 5]; n -= i; } else if (n > 40) break;
        c[i / 5] += atan(p.y, p.x) + float(n * a[i / 5]);
    }
    if (!gl_FrontFacing) { c = c.wzyx; return; }
    gl_FragDepthEXT = smoothstep(0.0, 2.0, gl_FragCoord.z);
    gl_FragColor = clamp(c, table[0], max(table[1], 1.0)) * texture2DLodEXT(tex, gl_PointCoord, floor(c.x));
}
)"},
    {false, R"(#extension GL_EXT_draw_buffers : enable
precision mediump float;
uniform mat4 m; uniform float t; varying vec3 normal; varying vec2 uv;
void swap(inout vec4 a, inout vec4 b) { vec4 c = a; a = b; b = c; }
void main() {
    vec4 a = m[0] * t, b = m * vec4(normal, 1.0);
    while (a.x < b.x) { swap(a, b); a.x += 1.0; if (a.x > 10.0) { b = -a; continue; } b.x -= 0.5; }
    gl_FragData[0] = a == b ? refract(a, b, 0.5) : faceforward(a, b, vec4(uv, uv).xzyw);
}
)"},
    {false, R"(#version 300 es
precision highp float; precision highp int;
struct Wave { vec2 at; float height[3]; int kind; };
layout(location = 0) out vec4 color; layout(location = 1) out ivec4 ids[2];
flat in ivec3 id; in vec3 normal; in vec2 uv; uniform highp usampler2D tex; uniform int mode; uniform uvec4 bits;
const int kSize = 3; const float kTable[4] = float[](1.0, cosh(0.0), 4.0, float(kSize));
uvec2 pick(const uint n, out uint rest) { rest = n % 7u; return uvec2(n >> 3u, n << 2u) ^ bits.xy; }
void main() {
    uint rest; uvec2 p = pick(texture(tex, uv).x, rest); Wave w[2];
    for (int i = 0; i < w.length(); ++i) { w[i].at = uv * float(i); w[i].height = float[3](1.0, uv.x, 2.0); w[i].kind = i; }
    switch (mode) { case 0: color = vec4(kTable[id.x & 3]); break; case 1: p >>= 1u; default: color = vec4(p, rest, ~id.x); }
    if (w[0] != w[1]) color.xy += vec2(textureSize(tex, 0)) + trunc(uv) - modf(w[1].height[id.y & 1], color.z);
    do { color.w -= 0.5; if (isnan(color.w)) discard; } while (color.w > uintBitsToFloat(bits.z & 0x3fffffffu));
    ids[0] = ivec4(id, id.x / id.y); ids[1] = ivec4(bits) ^ ids[0] ^ floatBitsToInt(color); gl_FragDepth = fract(color.x);
}
)"},
    {true, R"(#version 300 es
layout(location = 0) in vec4 position; layout(location = 3) in mat3x2 extra; in ivec4 joints; in uvec2 flags;
uniform mat4 bones[4]; uniform mat2x4 rows; uniform highp sampler3D volume; uniform highp isampler2DArray layers;
layout(std140) uniform Scene { mat4 view; vec3 eye; float weights[4]; } scene;
flat out ivec3 id; out vec3 normal; centroid out vec2 uv; invariant gl_Position;
mat3 turn(float a) { return transpose(mat3(cos(a), sin(a), 0, -sin(a), cos(a), 0, 0, 0, 1)); }
void main() {
    vec4 p = bones[joints.x & 3] * position * scene.weights[gl_VertexID & 3]; int n = gl_InstanceID;
    while (n-- > 0) { p.xyz = turn(float(n)) * p.xyz; if (n > 5) continue; p += texelFetch(layers, ivec3(n, 1, 0), 0).x > 2 ? p.wzyx : p; }
    mat4x2 q = mat4x2(extra * mat2x3(p.xyz, scene.eye)) + outerProduct(p.xy, rows * p.zw);
    normal = vec3(determinant(mat2(q)), inverse(mat2(q))[1]) + textureLodOffset(volume, p.xyz, 0.5, ivec3(1, -2, 0)).rgb;
    uv = unpackHalf2x16(flags.x) + unpackSnorm2x16(packUnorm2x16(p.xy)) * roundEven(p.z);
    id = joints.xyz % max(ivec3(flags.y >> 1, 2, 3), 1); gl_Position = scene.view * p; gl_PointSize = 2.0;
}
)"},
    {false, R"(#version 300 es
precision mediump float; precision mediump int;
uniform highp sampler2DArrayShadow shadow; uniform mediump samplerCubeShadow cube; uniform sampler2D maps[3]; uniform int n;
in vec3 normal; in vec2 uv; flat in ivec3 id; out vec4 color;
vec4[2] both(vec4 a, vec4 b) { return vec4[2](a, b); }
bool near(vec4 a, vec4 b) { for (int i = 0; i < 4; i++) if (abs(a[i] - b[i]) > 0.1) return false; return true; }
void main() {
    vec4 a[2] = both(textureProj(maps[0], vec3(uv, 2.0)), textureGrad(maps[1], uv, dFdx(uv), dFdy(uv)));
    float lit = texture(shadow, vec4(uv, 1.0, 0.5)) + texture(cube, vec4(normal, uv.x)) + textureGradOffset(maps[2], uv, uv, uv, ivec2(3, -1)).w;
    for (uint i = 0u, k = 9u; i < k; i += 2u, --k) { a[i & 1u] = a[1].yzwx * lit; if (near(a[0], a[1])) break; }
    a[n & 1] += mat4x3(2.0) [n & 3].xyzz; color = a == both(a[0], a[1]) ? a[0] : fwidth(a[1]);
    color.rgb = mix(color.rgb, sinh(normal), lessThan(normal, asinh(uv.xyx))); color.a = float(id.x << id.y) * lit;
}
)"},
    {true, R"(#version 310 es
layout(location = 0) in vec4 position; in ivec2 joints; out vec3 normal; out vec2 uv; flat out ivec3 id;
layout(std430, binding = 3) readonly buffer Bones { mat4 bones[]; }; layout(location = 4) uniform vec4 grid[2][2]; uniform struct { float a; vec2 b[2]; } s[2];
void main() {
    int i = joints.x & (bones.length() - 1); vec4 p = bones[i] * position + grid[joints.y & 1][i & 1]; normal = unpackSnorm4x8(uint(joints.x)).xyz;
    uv = s[i & 1].b[joints.y & 1] * s[0].a; id = ivec3(bitCount(joints.x), findLSB(joints.y), 1); gl_Position = p; gl_PointSize = 2.0;
}
)"},
    {false, R"(#version 320 es
precision highp float; precision highp int; layout(early_fragment_tests) in;
in vec3 normal; in vec2 uv; flat in ivec3 id; layout(location = 0) out vec4 color; precise vec4 exact;
layout(binding = 0) buffer Out { uint count; vec4 w[]; }; layout(binding = 1, r32ui) uniform highp uimage2D marks;
uniform sampler2D maps[3]; uniform Lights { vec4 at[2]; } lights[2]; uniform int n; float table[2][3];
void main() {
    table = float[2][3](float[3](1.0, 2.0, uv.x), float[3](uv.y, 5.0, 6.0)); uint carry; uint s = uaddCarry(uint(id.x), 7u, carry);
    exact = fma(texture(maps[n], uv), vec4(table[id.y & 1][n]), lights[n].at[1]); ivec3 e; vec3 f = frexp(normal, e) + ldexp(normal, e);
    w[s & 3u] = exact; atomicAdd(count, carry); imageAtomicMax(marks, id.xy, s); color = exact + f.xyzx * float(imageSize(marks).x);
}
)"},
    {false, R"(#version 310 es
layout(local_size_x = 4, local_size_y = 2) in; shared uint all[8]; shared vec4 sum; struct S { mat3 m; uint n[2]; };
layout(std430, binding = 0) buffer Cells { uint n; vec4 at[4]; S s; uint rest[]; } cells[2];
layout(std140, binding = 2) readonly buffer Short { mat2x3 a[2]; float b[]; };
layout(binding = 1, offset = 4) uniform atomic_uint counter; layout(binding = 0) uniform atomic_uint more[2];
layout(r32ui, binding = 0) uniform highp coherent uimage2D field; layout(rgba8, binding = 1) uniform highp readonly image2D source;
uniform sampler2D tex; uniform uint k[3]; uniform B { ivec4 i[3]; float f; };
uint step_(uint a, inout vec4 v) { v += vec4(a); return bitfieldExtract(a, 2, 7) + uint(findMSB(a)) + bitfieldReverse(a); }
void main() {
    uint l = gl_LocalInvocationIndex; vec4 v = vec4(0.0); all[l] = atomicAdd(cells[0].n, l) + k[l % 3u]; barrier();
    if (l == 0u) sum = cells[1].at[i[l % 3u].x & 3] * f + imageLoad(source, ivec2(gl_GlobalInvocationID.xy));
    memoryBarrierShared(); barrier(); cells[1].rest[all[7u - l]] = atomicCounterIncrement(counter) + step_(l, v);
    cells[0].s.m[l & 1u] = textureLod(tex, sum.xy, b[l]).xyz * a[1][l & 1u]; imageStore(field, ivec2(l, 1), uvec4(all[l]));
    for (uint n = 0u; n < l; ++n) { if (cells[0].s.n[n & 1u] > 9u) break; cells[0].s.n[1] = atomicMax(cells[1].n, n); barrier(); }
    if (uint(cells[0].rest.length()) > l) cells[0].rest[l] = atomicCounterDecrement(more[l & 1u]) + packUnorm4x8(v);
}
)"}};
/// What a mutated text is linked with: of its language's version.
inline constexpr const char* kPlainVertexText =
    "attribute vec4 position; varying vec3 normal; varying vec2 uv; void main() {"
    " gl_Position = position; gl_PointSize = 3.0; normal = position.xyz; uv = position.yx; }";
inline constexpr const char* kPlainFragmentText =
    "precision mediump float; varying vec3 normal; varying vec2 uv; void main() {"
    " gl_FragColor = vec4(normal, uv.x + uv.y); }";
inline constexpr const char* kPlainVertexText300 =
    "#version 300 es\nin vec4 position; out vec3 normal; out vec2 uv; flat out ivec3 id; void main() {"
    " gl_Position = position; gl_PointSize = 3.0; normal = position.xyz; uv = position.yx; id = "
    "ivec3(position.xyz * 4.0); }";
inline constexpr const char* kPlainFragmentText300 =
    "#version 300 es\nprecision mediump float; in vec3 normal; in vec2 uv; flat in highp ivec3 id; out vec4 "
    "color; void main() {"
    " color = vec4(normal, uv.x + uv.y + float(id.x)); }";

/// A program of a text and what goes with it.
inline ShaderPair pair_with(std::string_view text, bool vertex) {
    const bool is_300 = text.find("#version 3") < 20;
    if (vertex) return {text, is_300 ? kPlainFragmentText300 : kPlainFragmentText};
    return {is_300 ? kPlainVertexText300 : kPlainVertexText, text};
}

}  // namespace fuzz
