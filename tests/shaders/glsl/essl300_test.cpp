// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Features of ESSL 3.00, tested by their results.
#include <doctest/doctest.h>

#include "shaders/ir/validate.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using test::run300;

namespace {
struct Case {
    std::string statements;
    std::string expected;
    std::string globals = "";
};
void check(std::initializer_list<Case> cases) {
    for (const Case& c : cases) {
        CAPTURE(c.statements);
        CHECK(run300(c.statements, c.globals) == c.expected);
    }
}
}  // namespace

TEST_CASE("essl 3.00: integers") {
    // iv = (1, -2, 3, 7), uv = (1, 2, 0x80000000, 0xffffffff)
    check({
        {"color = vec4(iv.w / iv.z, iv.w % iv.z, iv.y * iv.w, iv.x - iv.w);", "2 1 -14 -6"},
        {"color = vec4(uv.w / 16u == 0x0fffffffu, uv.w % 7u, uv.z / uv.y == 0x40000000u, uv.x - uv.y == "
         "uv.w);",
         "1 3 1 1"},
        {"color = vec4(iv & 3) ;", "1 2 3 3"},
        {"color = vec4((iv ^ ivec4(1, 1, 1, 1)).xzw, ~iv.x);", "0 2 6 -2"},
        {"color = vec4(iv.w << 2u, iv.w >> 1, iv.y >> 1, uv.z >> 31);", "28 3 -1 1"},
        {"ivec2 a = iv.xw; a <<= ivec2(1, 2); a |= 1; a %= 8; color = vec4(a, -a);", "3 5 -3 -5"},
        {"uint a = uv.x; uint b = a++; color = vec4(a, b, --a, -uv.x == uv.w);", "2 1 1 1"},
        {"color = vec4(uv.z > uv.y, uv.w >= uv.z, iv.y < iv.x, int(uv.w) < 0);", "1 1 1 1"},
        {"color = vec4(int(un), uint(v.w), float(uv.z) == 2147483648.0, int(uv.w));", "-3 4 1 -1"},
        {"color = vec4(bool(uv.x), bool(0u), uint(true), ivec2(-1.5, 2.5).y);", "1 0 1 2"},
        {"color = vec4(abs(iv.y), sign(iv.y), min(iv.x, iv.y), max(uv.x, uv.w) == uv.w);", "2 -1 -2 1"},
        {"color = vec4(clamp(iv, -1, 2));", "1 -1 2 2"},
        {"color = vec4(clamp(uv.zw, uvec2(0), uvec2(5, 6)), min(uv.zw, 3u));", "5 6 3 3"},
        {"color = vec4(lessThan(uv.xz, uv.yw), greaterThanEqual(iv.xy, ivec2(0)));", "1 1 1 0"},
        {"color = vec4(equal(uv, uvec4(1u, 2u, 3u, 4294967295u)));", "1 1 0 1"},
        {"color = vec4(0x10, 010, 0xFFu, 1e1f);", "16 8 255 10"},
    });
}

TEST_CASE("essl 3.00: functions of floats") {
    check({
        {"color = vec4(trunc(un), round(un), roundEven(uh), roundEven(1.5 * u1));", "-3 -4 0 2"},
        {"float w1; float f1 = modf(un, w1); vec2 w2; vec2 f2 = modf(vec2(2.25) * u1, w2); color = vec4(f1, "
         "w1, "
         "f2.x, w2.y);",
         "-0.5 -3 0.25 2"},
        {"color = vec4(isnan(un), isinf(un), isinf(u1 / 0.0), isnan(sqrt(un)));", "0 0 1 1"},
        {"color = vec4(floatBitsToInt(u1) == 0x3f800000, floatBitsToUint(-u2) == 0xc0000000u, "
         "intBitsToFloat(0x40400000 * i1), uintBitsToFloat(0x3f000000u * uv.x));",
         "1 1 3 0.5"},
        {"color = vec4(mix(v.xy, w.xy, bvec2(f, t)), mix(u1, u2, t), mix(u1, u2, f));", "1 6 2 1"},
        {"color = vec4(sinh(u1), cosh(u1), tanh(u1), asinh(u1));", "1.1752 1.54308 0.761594 0.881374"},
        {"color = vec4(acosh(u2), atanh(uh), sinh(-u1), tanh(un));", "1.31696 0.549306 -1.1752 -0.998178"},
        {"uint p = packSnorm2x16(vec2(-u1, uh)); color = vec4(p & 0xffffu, p >> 16, unpackSnorm2x16(p));",
         "32769 16384 -1 0.500015"},
        {"uint p = packUnorm2x16(vec2(u2, uh)); color = vec4(p & 0xffffu, p >> 16, unpackUnorm2x16(p));",
         "65535 32768 1 0.500008"},
        {"uint p = packHalf2x16(vec2(u1, un)); color = vec4(p & 0xffffu, p >> 16, unpackHalf2x16(p));",
         "15360 49920 1 -3.5"},
        {"color = vec4(dFdx(gl_FragCoord.x), dFdy(gl_FragCoord.y * 3.0), fwidth(gl_FragCoord.xy));",
         "1 3 1 1"},
    });
}

TEST_CASE("essl 3.00: matrices of all shapes") {
    check({
        {"mat2x3 m = mat2x3(1, 2, 3, 4, 5, 6) * u1; color = vec4(m * v.xy, 0.0);", "9 12 15 0"},
        {"mat2x3 m = mat2x3(1, 2, 3, 4, 5, 6) * u1; color = vec4(v.xyz * m, m[1].yz);", "14 32 5 6"},
        {"mat3x2 m = transpose(mat2x3(1, 2, 3, 4, 5, 6) * u1); color = vec4(m[0], m[2]);", "1 4 3 6"},
        {"mat2x4 a = mat2x4(v, w); mat4x2 b = transpose(a); mat2 c = b * a; color = vec4(c[0], c[1]);",
         "30 70 70 174"},
        {"mat3x2 m = outerProduct(v.xy, w.xyz); color = vec4(m[0], m[2]);", "5 10 7 14"},
        {"color = vec4(determinant(m2), determinant(mat3(2, 0, 0, 0, 3, 0, 0, 0, 4) * u1), "
         "determinant(mat4(u2)), 0);",
         "-2 24 16 0"},
        {"mat2 m = inverse(m2); color = vec4(m[0], m[1]);", "-2 1 1.5 -0.5"},
        {"mat3 m = inverse(mat3(2, 0, 0, 0, 4, 0, 1, 0, 8) * u1); color = vec4(m[0].x, m[1].y, m[2].xz);",
         "0.5 0.25 -0.0625 0.125"},
        {"mat4 m = inverse(mat4(2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 8, 0, 1, 0, 0, 1) * u1); color = vec4(m[0].x, "
         "m[1].y, m[2].z, m[3].x);",
         "0.5 0.25 0.125 -0.5"},
        {"mat4x3 m = mat4x3(m4); mat3x4 n = mat3x4(m); color = vec4(m[3], n[2].w);", "13 14 15 0"},
        {"mat2x4 m = matrixCompMult(mat2x4(v, w), mat2x4(w, v)); color = m[0] + m[1];", "10 24 42 64"},
        {"mat4x3 m = mat4x3(m4); m[i2][i1] = 100.0; m[1] = w.xyz; color = vec4(m[2].y, m[1]);", "100 5 6 7"},
    });
}

TEST_CASE("essl 3.00: arrays and structures are values") {
    check({
        {"float a[3] = float[](1.0, u2, 3.0); float b[3]; b = a; b[i1] = 9.0; color = vec4(a[1], b[1], a == "
         "b, a "
         "!= b);",
         "2 9 0 1"},
        {"color = vec4(f3()[i2], f3().length(), arr.length(), int[2](4, 5)[i1]);", "7 3 4 5",
         "float[3] f3() { return float[3](5.0, 6.0, 7.0 * u1); }"},
        {"vec2 a[2]; set(a); color = vec4(a[0], a[1]);", "1 2 5 6",
         "void set(out vec2 a[2]) { a = vec2[](v.xy, w.xy); }"},
        {"S a = s, b = S(1.0, vec2(2.0, 3.0), float[3](4.0, 5.0, 6.0)); color = vec4(a == b, a != b, "
         "a.c[i2], ss[i1].c[i0]);",
         "1 0 6 14"},
        {"S q[2]; q = ss; q[i1].b = v.zw; color = vec4(q[0].a, q[1].b, q == ss);", "1 3 4 0"},
        {"color = vec4(kTable[i2], kTable[i0], kTable.length(), 0);", "30 10 4 0",
         "const float kTable[4] = float[](10.0, 20.0, 30.0, 40.0);"},
        {"color = vec4(t ? kA[i1] : kB[i1], (t ? v : w).yzw);", "2 2 3 4",
         "const float kA[2] = float[](1.0, 2.0), kB[2] = float[](3.0, 4.0);"},
        {"ivec2 a[2] = ivec2[2](iv.xy, iv.zw); int n = 0; for (int i = 0; i < a.length(); ++i) n += a[i].x * "
         "a[i].y; "
         "color = vec4(n);",
         "19 19 19 19"},
    });
}

TEST_CASE("essl 3.00: loops and switch") {
    check({
        {"int n = 0; do { n += i2; } while (n < 7); color = vec4(n);", "8 8 8 8"},
        {"int n = 0; while (true) { if (++n > i3) break; if (n == 1) continue; n += 10; } color = vec4(n);",
         "13 13 13 13"},
        {"uint n = 0u; for (uint i = 0u; i < uv.y; i++) for (int k = i3; k > 0; k -= i2) n += uint(k); color "
         "= "
         "vec4(n);",
         "8 8 8 8"},
        {"switch (uv.y) { case 1u: color = v; break; case 2u: color = w; case 3u: color.x = 0.0; break; "
         "default: "
         "color = vec4(9); }",
         "0 6 7 8"},
        {"vec4 c = vec4(0); for (int i = 0; i < 4; ++i) { switch (i) { case 1: continue; case 3: break; "
         "default: "
         "c[i] = v[i]; } c.w += 1.0; } color = c;",
         "1 0 3 3"},
    });
}

TEST_CASE("essl 3.00: a switch of many cases") {
    std::string plain, returns, mixed;
    for (int n = 0; n < 300; ++n) {
        const std::string k = std::to_string(n), head = "case " + k + ": ";
        plain += head + "color = vec4(" + k + "); break; ";
        returns += head + "return " + k + ".5; ";
        mixed += head + (n % 3 == 0   ? "continue; "
                         : n % 3 == 1 ? "x += " + k + ".0; break; "
                                      : "return x * 2.0; ");
    }
    check({
        {"switch (iv.w * 40 + i3) { " + plain + "default: color = vec4(-1); }", "283 283 283 283"},
        {"switch (iv.y) { " + plain + "default: color = vec4(-1); }", "-1 -1 -1 -1"},
        {"switch (iv.y) { default: color = vec4(-1); break; " + plain + "}", "-1 -1 -1 -1"},
        {"color = vec4(g(iv.w), g(i0), g(iv.y), 0.0);", "7.5 0.5 9 0",
         "float g(int k) { switch (k) { " + returns + "} return 9.0; }"},
        {"color = vec4(g(3), g(1), g(-7), 0.0);", "10 4 0 0",
         "float g(int k) { float x = 0.0; for (int i = k; i < k + 4 + i0; ++i) { switch (i) { " + mixed +
             "} x += 1.0; } return x - 4.0; }"},
    });
}

TEST_CASE("essl300: a constant table may hold the integer 0") {
    const shaders::CompileResult r = test::compile_fragment(
        "#version 300 es\nprecision highp float; uniform int i; const ivec2 t[2] = ivec2[2](ivec2(0, 5), "
        "ivec2(7, "
        "0));\nout vec4 c; void main() { c = vec4(t[i], 0, 1); }",
        300);
    REQUIRE_MESSAGE(r.shader, r.log);
    CHECK(ir::validate(*r.shader->ir) == "");
}

TEST_CASE("essl 3.00: texture functions") {
    // The harness returns (x + 10 * unit, y, lod or bias or gradient, third coordinate).
    check({
        {"color = texture(tex, v.xy);", "1 2 -1 0"},
        {"color = texture(tex, v.xy, u2);", "1 2 2 0"},
        {"color = texture(vol, v.xyz);", "1 2 -1 3"},
        {"color = texture(layers, v.xyz, u2);", "1 2 2 3"},
        {"color = texture(cube, v.xyz);", "1 2 -1 3"},
        {"color = textureProj(tex, vec3(6.0, 4.0, 2.0));", "3 2 -1 0"},
        {"color = textureProj(tex, vec4(6.0, 4.0, 9.0, 2.0), uh);", "3 2 0.5 0"},
        {"color = textureProj(vol, vec4(6.0, 4.0, 9.0, 2.0));", "3 2 -1 4.5"},
        {"color = textureLod(layers, v.xyz, u2);", "1 2 2 3"},
        {"color = textureOffset(tex, v.xy, ivec2(1, -2));", "101 -198 -1 0"},
        {"color = textureOffset(vol, v.xyz, ivec3(1, -2, 3), u2);", "101 -198 2 303"},
        {"color = textureProjOffset(tex, vec3(6.0, 4.0, 2.0), ivec2(7, -8));", "703 -798 -1 0"},
        {"color = textureLodOffset(tex, v.xy, u2, ivec2(1));", "101 102 2 0"},
        {"color = textureProjLod(tex, vec3(6.0, 4.0, 2.0), un);", "3 2 -3.5 0"},
        {"color = textureProjLodOffset(vol, vec4(6.0, 4.0, 9.0, 2.0), un, ivec3(1, 0, 1));",
         "103 2 -3.5 104.5"},
        {"color = textureGrad(tex, v.xy, w.xy, w.zw);", "1 2 13 0"},
        {"color = textureGrad(vol, v.xyz, w.xyz, w.xyz);", "1 2 11 3"},
        {"color = textureGrad(layers, v.xyz, w.xy, w.zw);", "1 2 13 3"},
        {"color = textureGradOffset(tex, v.xy, w.xy, w.zw, ivec2(1));", "101 102 13 0"},
        {"color = textureProjGrad(tex, vec3(6.0, 4.0, 2.0), w.xy, w.zw);", "3 2 13 0"},
        {"color = textureProjGradOffset(vol, vec4(6.0, 4.0, 9.0, 2.0), w.xyz, w.xyz, ivec3(0, 0, 1));",
         "3 2 11 104.5"},
        {"color = texelFetch(tex, iv.xz, i2);", "1 3 2 0"},
        {"color = texelFetch(vol, iv.xzw, i2);", "1 3 2 7"},
        {"color = texelFetchOffset(layers, iv.xzw, i2, ivec2(1, 2));", "101 203 2 7"},
        {"color = texelFetch(texs[1], iv.xz, i1);", "11 3 1 0"},
        {"color = vec4(texelFetch(itex, iv.xy, i1)) + vec4(texture(uvol, v.xyz));", "12 0 4.29497e+09 3"},
        {"color = vec4(texture(shadow, v.xyz), textureProj(shadow, vec4(1, 2, 6, 2)), texture(cube_shadow, "
         "v), texture(layers_shadow, w));",
         "3 3 4 8"},
        {"color = vec4(textureLod(shadow, v.xyz, u2), textureOffset(shadow, v.xyz, ivec2(1)), "
         "textureGrad(shadow, "
         "w.xyz, v.xy, v.xy), textureProjLodOffset(shadow, vec4(1, 2, 6, 2), u1, ivec2(1)));",
         "3 103 7 103"},
        {"color = vec4(textureSize(tex, i2), textureSize(texs[1], 0));", "100 202 120 200"},
        {"color = vec4(textureSize(vol, i1), 0) + vec4(textureSize(layers_shadow, 0).z);", "400 501 600 300"},
    });
}
