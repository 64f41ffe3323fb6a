// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/fuzz/bombs.h"

#include <algorithm>

namespace fuzz {

namespace {

using std::string;

/// Repeats `text` n times. # is replaced by the repetition's number, @ by the previous number (the first
/// time: 0).
string repeat(unsigned n, const string& text, unsigned first = 0) {
    string all;
    for (unsigned i = first; i < first + n; ++i)
        for (const char c : text)
            if (c == '#')
                all += std::to_string(i);
            else if (c == '@')
                all += std::to_string(i ? i - 1 : 0);
            else
                all += c;
    return all;
}
string times(unsigned n, const string& text) {
    string all;
    for (unsigned i = 0; i < n; ++i)
        all += text;
    return all;
}
/// open... core close...
string nest(unsigned n, const string& open, const string& core, const string& close) {
    return repeat(n, open) + core + times(n, close);
}

constexpr const char* kVertex =
    "attribute vec4 position; varying vec4 v; void main() { gl_Position = position; v = position; }";
constexpr const char* kFragment = "precision highp float; varying vec4 v; void main() { gl_FragColor = v; }";

/// A fragment shader with a vec4 c, a float x, and an int k that the compiler does not know. The result is
/// visible.
BombTexts body(const string& statements, const string& globals = "") {
    return {kVertex,
            "#extension GL_OES_standard_derivatives : enable\n"
            "precision highp float; precision highp int; varying vec4 v; uniform vec4 u; uniform int n;\n"
            "uniform sampler2D t; uniform samplerCube q; uniform mat4 m;\n" +
                globals + "\nvoid main() {\nvec4 c = v; float x = v.x; int k = n;\n" + statements +
                "\ngl_FragColor = c + x + float(k);\n}\n"};
}
BombTexts vertex_body(const string& statements, const string& globals = "") {
    return {"attribute vec4 position; varying vec4 v; uniform vec4 u; uniform int n; uniform sampler2D t;\n" +
                globals + "\nvoid main() {\nvec4 c = position; float x = position.x; int k = n;\n" +
                statements + "\ngl_Position = position; v = c + x + float(k);\n}\n",
            kFragment};
}
constexpr const char* kVertex300 =
    "#version 300 es\nin vec4 position; out vec4 v; flat out ivec4 w; void main() { "
    "gl_Position = position; v = position; w = ivec4(position * 8.0); }";
/// Like body(), in ESSL 3.00, with a uint j, a matrix, an ivec4 and other textures.
BombTexts body300(const string& statements, const string& globals = "") {
    return {kVertex300,
            "#version 300 es\nprecision highp float; precision highp int; in vec4 v; flat in ivec4 w;\n"
            "uniform vec4 u; uniform int n; uniform sampler2D t; uniform mat4 m; uniform highp "
            "sampler2DArray a2;\n"
            "uniform highp sampler3D a3; uniform highp usampler2D ut; uniform highp sampler2DShadow st; out "
            "vec4 o;\n" +
                globals + "\nvoid main() {\nvec4 c = v; float x = v.x; int k = n + w.x; uint j = uint(k);\n" +
                statements + "\no = c + x + float(k) + float(j);\n}\n"};
}
BombTexts lines300(unsigned n, const string& line) {
    return body300(repeat(n, line + "\n"));
}
string defines(unsigned n) {
    string s;
    for (unsigned i = 0; i < n; ++i)
        s += "#define M" + std::to_string(i) + " (u.x * " + std::to_string(i) + ".0)\n";
    return s;
}
BombTexts lines(unsigned n, const string& line) {
    return body(repeat(n, line + "\n"));
}

// Rows of a table.
// clang-format off
const Bomb kBombs[] = {
    // Code without branches.
    {"assign", 20000, [](unsigned n) { return lines(n, "x = x * 1.01 + v.y;"); }},
    {"assign_vec4", 20000, [](unsigned n) { return lines(n, "c = c * 0.5 + u * #.0;"); }},
    {"assign_swap", 20000, [](unsigned n) { return lines(n, "c = c.yzwx + x; x += c.w * #.5;"); }},
    {"assign_live",
     20000,
     [](unsigned n) {
         return body(repeat(n, "float a# = v.x * #.0 + u.y;\n") + repeat(n, "x = x * 0.9 + a#;\n"));
     }},
    {"assign_live_backwards",
     5000,
     [](unsigned n) {
         string s = repeat(n, "float a# = sqrt(abs(v.x - #.0));\n");
         for (unsigned i = n; i-- > 0;)
             s += "x = x / (1.0 + a" + std::to_string(i) + ");\n";
         return body(s);
     }},
    {"assign_vertex", 20000, [](unsigned n) { return vertex_body(repeat(n, "x = x * 1.01 + position.y;\n")); }},
    {"sum_of_products", 20000, [](unsigned n) { return lines(n, "c += v * #.0 * u.x;"); }},
    {"swizzles", 20000, [](unsigned n) { return lines(n, "c.xyzw = c.wzyx; c.xy = c.zw; c.zy += u.xy;"); }},
    {"matrices", 1000, [](unsigned n) { return body("mat4 a = m;\n" + times(n, "a = a * m;\n") + "c = a * c;"); }},
    {"matrix_vectors", 5000, [](unsigned n) { return lines(n, "c = m * c;"); }},
    {"divisions", 20000, [](unsigned n) { return lines(n, "x = u.x / x;"); }},
    {"int_divisions", 20000, [](unsigned n) { return lines(n, "k = #000 / k;"); }},
    {"bools", 20000, [](unsigned n) { return body("bool b = n > 1;\n" + repeat(n, "b = b != (v.x > #.0);\n") + "x = float(b);"); }},
    {"ternaries", 10000, [](unsigned n) { return lines(n, "x = v.y > #.0 ? x * u.y : x + u.z;"); }},
    {"constants_folded", 20000, [](unsigned n) { return lines(n, "x += sqrt(#.0) * sin(#.5) + float(# / 3);"); }},
    {"dead_code", 20000, [](unsigned n) { return body("float d = x;\n" + repeat(n, "d = d * u.x + #.0;\n")); }},
    {"same_code", 20000, [](unsigned n) { return lines(n, "x += length(v + u);"); }},
    {"comma", 5000, [](unsigned n) { return lines(n, "x = (c.x += 1.0, c.y += x, c.z * u.x);"); }},
    {"increments", 20000, [](unsigned n) { return lines(n, "k++; c.x += float(k--); ++k;"); }},
    // Expensive operations.
    {"fetches", 5000, [](unsigned n) { return lines(n, "c += texture2D(t, v.xy * #.0);"); }},
    {"fetches_dependent", 5000, [](unsigned n) { return lines(n, "c += texture2D(t, c.xy);"); }},
    {"fetches_same", 5000, [](unsigned n) { return lines(n, "c = c * 0.5 + texture2D(t, v.xy);"); }},
    {"fetches_bias", 5000, [](unsigned n) { return lines(n, "c += texture2D(t, v.xy, #.0);"); }},
    {"fetches_cube", 5000, [](unsigned n) { return lines(n, "c += textureCube(q, v.xyz + #.0);"); }},
    {"fetches_proj", 5000, [](unsigned n) { return lines(n, "c += texture2DProj(t, v.xyz + #.0);"); }},
    {"fetches_held",
     5000,
     [](unsigned n) {
         return body(repeat(n, "vec4 a# = texture2D(t, v.xy + #.0);\n") + repeat(n, "c = c * u + a#;\n"));
     }},
    {"fetches_vertex", 5000, [](unsigned n) { return vertex_body(repeat(n, "c += texture2DLod(t, c.xy, #.0);\n")); }},
    {"fetches_in_ifs", 3000, [](unsigned n) { return lines(n, "if (v.x > #.0) c += texture2D(t, c.xy);"); }},
    {"derivatives", 10000, [](unsigned n) { return lines(n, "x += dFdx(x * v.y) + dFdy(c.x + #.0);"); }},
    {"sin", 5000, [](unsigned n) { return lines(n, "x = sin(x);"); }},
    {"sin_cos", 5000, [](unsigned n) { return lines(n, "x += sin(v.x * #.0) * cos(x);"); }},
    {"pow", 5000, [](unsigned n) { return lines(n, "x = pow(x, u.y);"); }},
    {"pow_vec4", 2000, [](unsigned n) { return lines(n, "c = pow(c, u + #.0);"); }},
    {"exp_log", 5000, [](unsigned n) { return lines(n, "x = exp(x); x = log(x + 1.0);"); }},
    {"atan", 5000, [](unsigned n) { return lines(n, "x = atan(x, u.x);"); }},
    {"asin_tan", 3000, [](unsigned n) { return lines(n, "x = asin(x); x = tan(x); x = acos(x);"); }},
    {"normalize", 5000, [](unsigned n) { return lines(n, "c = normalize(c); c.xyz = cross(c.xyz, u.xyz);"); }},
    {"reflect", 5000, [](unsigned n) { return lines(n, "c = reflect(c, u); c = refract(c, v, 0.5);"); }},
    {"smoothstep", 5000, [](unsigned n) { return lines(n, "c = smoothstep(v, u, c); c = mod(c, u);"); }},
    // Nesting. Some of these are refused; then the message matters.
    {"nest_brackets", 190, [](unsigned n) { return body("x = " + nest(n, "(u.x + ", "x", ")") + ";"); }},
    {"nest_brackets_too_deep", 50000, [](unsigned n) { return body("x = " + nest(n, "(", "x", ")") + ";"); }},
    {"nest_ifs", 190, [](unsigned n) { return body(nest(n, "if (v.x > #.0) { c += u; ", "x = c.y;", "}")); }},
    {"nest_ifs_else", 500, [](unsigned n) { return body(repeat(n, "if (v.x == #.0) x += #.0; else ") + "x = 1.0;"); }},
    {"nest_loops", 100, [](unsigned n) { return body(nest(n, "for (int i# = 0; i# < 2; i#++) { ", "x += u.x;", "}")); }},
    {"nest_loops_unknown", 60, [](unsigned n) { return body(nest(n, "for (int i# = 0; i# < 1000; i#++) { if (x > u.x) break; ", "x += 1.0;", "x += c.z;}")); }},
    {"nest_calls", 190, [](unsigned n) { return body("x = " + nest(n, "sqrt(", "x", ")") + ";"); }},
    {"nest_sin", 190, [](unsigned n) { return body("c = " + nest(n, "sin(", "c", ")") + ";"); }},
    {"nest_ternaries", 190, [](unsigned n) { return body("x = " + nest(n, "(v.x > #.0 ? ", "x", " : u.y)") + ";"); }},
    {"nest_blocks", 190, [](unsigned n) { return body(nest(n, "{ float x = c.x + #.0; c += x; ", "", "}")); }},
    {"nest_constructors", 190, [](unsigned n) { return body("c = " + nest(n, "vec4(u.x, ", "c.xyz", ").xyz") + ".xyzz;"); }},
    {"nest_fetches", 190, [](unsigned n) { return body("c = " + nest(n, "texture2D(t, ", "c.xy", ".xy)") + ";"); }},
    {"nest_signs", 199, [](unsigned n) { return body("x = " + times(n, "- ") + "x;"); }},
    {"nest_indices", 90, [](unsigned n) { return body("float a[8]; for (int i = 0; i < 8; i++) a[i] = u.x;\nx = " + nest(n, "a[int(", "x", ")]") + ";"); }},
    {"nest_functions", 500, [](unsigned n) { return body("x = f" + std::to_string(n - 1) + "(x);", "float f0(float a) { return a + u.x; }\n" + repeat(n - 1, "float f#(float a) { return f@(a) * 1.5; }\n", 1)); }},
    {"nest_structs", 190, [](unsigned n) { return body("S" + std::to_string(n - 1) + " s; x = s" + times(n - 1, ".s") + ".a;", "struct S0 { float a; };\n" + repeat(n - 1, "struct S# { S@ s; };\n", 1)); }},
    {"long_sum", 500, [](unsigned n) { return body("x = x" + repeat(n, " + v.x * #.0") + ";"); }},
    {"long_sum_too_long", 100000, [](unsigned n) { return body("x = x" + repeat(n, " + v.x * #.0") + ";"); }},
    {"long_and", 500, [](unsigned n) { return body("if (v.x > 0.0" + repeat(n, " && v.y > #.0") + ") x = 1.0;"); }},
    {"long_or_of_calls", 500, [](unsigned n) { return body("if (v.x > 0.0" + repeat(n, " || f(#.0)") + ") x = 1.0;", "bool f(float a) { c0 += a; return c0 > u.x; }"); }},
    // Control flow.
    {"ifs", 10000, [](unsigned n) { return lines(n, "if (v.x > #.0) x += u.x;"); }},
    {"ifs_large", 2000, [](unsigned n) { return lines(n, "if (v.x > #.0) { " + times(20, "c = c * u + v; ") + "} else c = c.yzwx;"); }},
    {"ifs_discard", 5000, [](unsigned n) { return lines(n, "if (v.x == #.0) discard;"); }},
    {"ifs_return", 2000, [](unsigned n) { return lines(n, "if (v.x == #.0) { gl_FragColor = c; return; } c += sin(c);"); }},
    {"ifs_of_many",
     1000,
     [](unsigned n) {
         return body(repeat(100, "float a# = v.x + #.0;\n") +
                     repeat(n, "if (v.y > #.0) {" + repeat(100, "a# = sin(a#);") + "}\n") +
                     repeat(100, "x += a#;\n"));
     }},
    {"loops", 2000, [](unsigned n) { return lines(n, "for (int i = 0; i < 200; i++) { if (x > u.x) break; x += #.0; }"); }},
    {"loops_unrolled", 2000, [](unsigned n) { return lines(n, "for (int i = 0; i < 16; i++) x = x * u.x + float(i);"); }},
    {"loops_unrolled_nested", 100, [](unsigned n) { return lines(n, "for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) x = x * u.x + float(i * j);"); }},
    {"loops_of_many",
     2000,
     [](unsigned n) {
         return body(repeat(n, "float a# = v.x + #.0;\n") + "for (int i = 0; i < 3000; i++) { if (x > u.x) break;\n" +
                     repeat(n, "a# = a# * u.x + x;\n") + "x += 0.5; }\n" + repeat(n, "x += a#;\n"));
     }},
    {"loop_of_breaks", 2000, [](unsigned n) { return body("for (int i = 0; i < 100; i++) {\n" + repeat(n, "if (x == #.0) { c.x += u.x; break; } x += c.y;\n") + "}"); }},
    {"loop_of_continues", 2000, [](unsigned n) { return body("for (int i = 0; i < 100; i++) {\n" + repeat(n, "if (x == #.0) { c.x += u.x; continue; } x += c.y;\n") + "}"); }},
    {"loop_of_returns", 2000, [](unsigned n) { return body("for (int i = 0; i < 100; i++) {\n" + repeat(n, "if (x == #.0) { gl_FragColor = c; return; } x += c.y;\n") + "}"); }},
    {"loop_of_fetches", 2000, [](unsigned n) { return body("for (int i = 0; i < 3; i++) {\n" + repeat(n, "c += texture2D(t, c.xy * #.0);\n") + "}"); }},
    {"loops_while", 2000, [](unsigned n) { return lines(n, "while (x < u.x) { x += 1.0; if (x > #.0) break; } do { c.x += 1.0; } while (c.x < u.y);"); }},
    {"loops_nested_of_many",
     40,
     [](unsigned n) {
         return body(repeat(100, "float a# = v.x + #.0;\n") +
                     nest(n, "for (int i# = 0; i# < 100; i#++) { if (x > u.x) break;\n",
                          repeat(100, "a# = a# * u.x + x;\n"), "}\n") +
                     repeat(100, "x += a#;\n"));
     }},
    {"switches",
     2000,
     [](unsigned n) {
         return BombTexts{kVertex300, "#version 300 es\nprecision highp float; out vec4 o; uniform int n; void main() { o = vec4(0); switch (n) {" +
                                       repeat(n, "case #: o += vec4(#.0);\n") + "} }"};
     }},
    // ESSL 3.00.
    {"300_ints", 10000, [](unsigned n) { return lines300(n, "k = (k << 3) ^ (k / (w.y | 1)) % #7; j = (j >> 1u) + uint(k) * #u;"); }},
    {"300_bits", 10000, [](unsigned n) { return lines300(n, "j ^= packHalf2x16(c.xy * #.0); c.zw += unpackSnorm2x16(j); k = floatBitsToInt(x) & k;"); }},
    {"300_conversions", 10000, [](unsigned n) { return lines300(n, "c += vec4(ivec4(c) + w); j += uint(c.x * #.0); x += float(j);"); }},
    {"300_fetches", 3000, [](unsigned n) { return lines300(n, "c += texture(a2, c.xyz * #.0) + texelFetch(a2, ivec3(c.xyz), k & 3);"); }},
    {"300_fetches_grad", 2000, [](unsigned n) { return lines300(n, "c += textureGradOffset(a3, c.xyz, c.yzw * #.0, c.zwx, ivec3(1, -2, 3));"); }},
    {"300_fetches_ints", 3000, [](unsigned n) { return lines300(n, "j += texture(ut, c.xy + #.0).y;"); }},
    {"300_fetches_shadow", 3000, [](unsigned n) { return lines300(n, "x += textureProj(st, c + #.0) + textureLod(st, c.xyz, 1.0);"); }},
    {"300_sizes", 5000, [](unsigned n) { return lines300(n, "k += textureSize(a2, k & 7).x * textureSize(a2, #).z;"); }},
    {"300_inverse", 200, [](unsigned n) { return body300("mat4 a = m;\n" + repeat(n, "a = inverse(a + mat4(#.0)) * transpose(a);\n") + "c = a * c + determinant(a);"); }},
    {"300_shapes", 1000, [](unsigned n) { return body300("mat3x4 a = mat3x4(m); mat4x3 b = mat4x3(m);\n" + times(n, "a = mat3x4(a * b * a); b = outerProduct(c.xyz, c) + b;\n") + "c = a * b * c;"); }},
    {"300_hyperbolic", 2000, [](unsigned n) { return lines300(n, "x = sinh(x); x = acosh(x + #.0); c = asinh(c) + atanh(c) - tanh(c);"); }},
    {"300_constants", 3000, [](unsigned n) { return body300(repeat(n, "c += k#;\n"), repeat(n, "const vec4 k# = inverse(mat4(#.5)) * transpose(mat4(2.0))[1] + unpackHalf2x16(#u).xyxy;\n")); }},
    {"300_array_values", 1000, [](unsigned n) { return body300("float a[64], b[64];\n" + repeat(n, "b = a; b[k & 63] = x + #.0; if (a != b) a = b;\n") + "x = a[k & 63];"); }},
    {"300_array_returns", 1000, [](unsigned n) { return body300("float a[64];\n" + times(n, "a = f(a);\n") + "x = a[k & 63];", "float[64] f(float a[64]) { a[w.y & 63] += u.x; return a; }"); }},
    {"300_array_constants", 20000, [](unsigned n) { return body300("x = kTable[k & 1023] + kTable[3];", "const float kTable[" + std::to_string(n) + "] = float[](" + repeat(n - 1, "#.0, ") + "1.0);"); }},
    {"300_labels", 20000, [](unsigned n) { return body300("switch (k) { " + repeat(n, "case #: ") + " x += 1.0; break; default: x = 2.0; }"); }},
    {"300_cases", 2000, [](unsigned n) { return body300("switch (k) { " + repeat(n, "case #: x += #.0; break;\n") + "}"); }},
    {"300_nest_switches", 90, [](unsigned n) { return body300(nest(n, "switch (k + #) { case 1: x += 1.0; case 2: ", "x += 2.0;", " break; default: x = 3.0; }")); }},
    {"300_nest_loops", 60, [](unsigned n) { return body300(nest(n, "do { while (x < #.0) { x += 1.0; ", "x += c.z;", " if (x > u.x) break; } } while (x < u.y);")); }},
    {"300_joined_lines", 4000000, [](unsigned n) { return body300(times(n, "\\\n")); }},
    {"300_joined_word", 1000000, [](unsigned n) { return body300("float a" + times(n, "\\\nb") + " = 1.0;"); }},
    {"300_comment_first", 4000000, [](unsigned n) { BombTexts b = body300(""); b.fragment = "/*" + string(n, '*') + "*/" + b.fragment; return b; }},
    {"300_outputs", 8, [](unsigned n) { BombTexts b = body300(repeat(n, "p[#] = c;\n")); b.fragment.replace(b.fragment.find("out vec4 o;"), 11, "vec4 o; out vec4 p[" + std::to_string(n) + "];"); return b; }},
    {"300_outputs_too_many", 10000, [](unsigned n) { return body300("", repeat(n, "layout(location = #) out vec4 p#;\n")); }},
    {"300_varyings", 1000, [](unsigned n) { BombTexts b = body300(repeat(n, "c += vec4(s#.b);\n"), "struct S { vec3 a; mat2 b; };\n" + repeat(n, "in S s#;\n")); b.vertex = "#version 300 es\nin vec4 position; struct S { vec3 a; mat2 b; }; out vec4 v; flat out ivec4 w;\n" + repeat(n, "out S s#;\n") + "void main() { gl_Position = v = position; w = ivec4(1);\n" + repeat(n, "s#.b = mat2(v);\n") + "}"; return b; }},
    {"300_block_members", 4000, [](unsigned n) { return body300(repeat(n, "c += b.a#;\n"), "layout(std140) uniform B { " + repeat(n, "vec4 a#;\n") + "} b;"); }},
    {"300_blocks_too_many", 2000, [](unsigned n) { return body300(repeat(n, "c += z#;\n"), repeat(n, "uniform B# { vec4 z#; };\n")); }},
    // Calls.
    {"calls", 5000, [](unsigned n) { return body(times(n, "c = f(c);\n"), "vec4 f(vec4 a) { vec4 b = a * u; b.x += sin(b.y); return b + a.yzwx; }"); }},
    {"calls_doubling", 12, [](unsigned n) { return body("c = f" + std::to_string(n) + "(c);", "vec4 f0(vec4 a) { return a * u; }\n" + repeat(n, "vec4 f#(vec4 a) { return f@(a) + f@(a.yzwx); }\n", 1)); }},
    {"calls_doubling_too_often", 60, [](unsigned n) { return body("c = f" + std::to_string(n) + "(c);", "vec4 f0(vec4 a) { return a * u; }\n" + repeat(n, "vec4 f#(vec4 a) { return f@(a) + f@(a.yzwx); }\n", 1)); }},
    {"calls_empty_doubling", 60, [](unsigned n) { return body("f" + std::to_string(n) + "();", "void f0() { }\n" + repeat(n, "void f#() { f@(); f@(); }\n", 1)); }},
    {"calls_with_returns", 1000, [](unsigned n) { return body(repeat(n, "x = f(x, #.0);\n"), "float f(float a, float b) { for (int i = 0; i < 9; i++) { if (a > u.x) return a; a += b; if (a < u.y) return b; } return u.z; }"); }},
    {"calls_inout", 3000, [](unsigned n) { return body("S s; s.a[1] = v;\n" + times(n, "f(s, c);\n") + "c += s.a[2];", "struct S { vec4 a[4]; float b; };\nvoid f(inout S s, inout vec4 c) { s.a[0] += c; c = s.a[3] * s.b; s.b = c.x; }"); }},
    {"calls_of_arrays", 500, [](unsigned n) { return body("float a[256]; a[3] = x;\n" + times(n, "x += f(a);\n"), "float f(float a[256]) { a[4] += u.x; return a[3] + a[n]; }"); }},
    {"functions", 10000, [](unsigned n) { return body(repeat(n, "x = f#(x);\n"), repeat(n, "float f#(float a) { return a * #.0 + u.x; }\n")); }},
    {"functions_unused", 20000, [](unsigned n) { return body("", repeat(n, "float f#(float a) { return a * #.0 + u.x; }\n")); }},
    {"overloads", 2000, [](unsigned n) { return body("S7 s; x = f(s);", repeat(n, "struct S# { float a; }; float f(S# s) { return s.a; }\n")); }},
    {"recursion", 1000, [](unsigned n) { return body("x = f0(x);", repeat(n, "float f#(float);\n") + repeat(n - 1, "float f@(float a) { return f#(a); }\n", 1) + "float f" + std::to_string(n - 1) + "(float a) { return f0(a); }"); }},
    // Names.
    {"uniforms", 1000, [](unsigned n) { return body(repeat(n, "c += w#;\n"), repeat(n, "uniform vec4 w#;\n")); }},
    {"uniforms_too_many", 10000, [](unsigned n) { return body(repeat(n, "c += w#;\n"), repeat(n, "uniform vec4 w#;\n")); }},
    {"uniforms_unused", 20000, [](unsigned n) { return body("", repeat(n, "uniform vec4 w#;\n")); }},
    {"uniforms_both",
     900,
     [](unsigned n) {
         const string names = repeat(n, "uniform mediump float w#;\n");
         BombTexts b = body(repeat(n, "x += w#;\n"), names);
         b.vertex = vertex_body(repeat(n, "x += w#;\n"), names).vertex;
         return b;
     }},
    {"uniform_members", 1000, [](unsigned n) { return body(repeat(n, "x += s.a#;\n"), "struct S { " + repeat(n, "float a#;\n") + "}; uniform S s;"); }},
    {"uniform_structs", 1000, [](unsigned n) { return body("x = s[3].a.x + s[n].b;", "struct S { vec4 a; float b; }; uniform S s[" + std::to_string(n) + "];"); }},
    {"samplers", 1000, [](unsigned n) { return body(repeat(n, "c += texture2D(t#, v.xy);\n"), repeat(n, "uniform sampler2D t#;\n")); }},
    {"varyings",
     1000,
     [](unsigned n) {
         const string names = repeat(n, "varying highp vec4 v#;\n");
         BombTexts b = body(repeat(n, "c += v#;\n"), names);
         b.vertex = vertex_body(repeat(n, "v# = c * #.0;\n"), names).vertex;
         return b;
     }},
    {"varyings_unused",
     5000,
     [](unsigned n) {
         const string names = repeat(n, "varying highp vec4 v#;\n");
         return BombTexts{vertex_body("", names).vertex, body("", names).fragment};
     }},
    {"attributes", 1000, [](unsigned n) { return vertex_body(repeat(n, "c += a#;\n"), repeat(n, "attribute vec4 a#;\n")); }},
    {"attributes_unused", 5000, [](unsigned n) { return vertex_body("", repeat(n, "attribute vec4 a#;\n")); }},
    {"locals", 20000, [](unsigned n) { return body(repeat(n, "float a#;\n")); }},
    {"locals_vec4", 20000, [](unsigned n) { return body(repeat(n, "vec4 a#; a# = v;\n") + repeat(n, "c += a#;\n")); }},
    {"globals", 20000, [](unsigned n) { return body(repeat(n, "g# = x; x = g@ + u.x;\n"), repeat(n, "float g#;\n")); }},
    {"globals_initialised", 10000, [](unsigned n) { return body(repeat(n, "x += g#;\n"), repeat(n, "float g# = #.0;\n")); }},
    {"constants", 20000, [](unsigned n) { return body(repeat(n, "x = x * u.x + k#;\n"), repeat(n, "const float k# = #.0 * 0.5;\n")); }},
    {"constants_chained", 20000, [](unsigned n) { return body("x += k" + std::to_string(n - 1) + ";", "const float k0 = 1.0;\n" + repeat(n - 1, "const float k# = k@ + 1.0;\n", 1)); }},
    {"structs", 10000, [](unsigned n) { return body("S9 s; s.a = v; c = s.a;", repeat(n, "struct S# { vec4 a; float b; };\n")); }},
    {"members", 5000, [](unsigned n) { return body("S s;\n" + repeat(n, "s.a# = x * #.0;\n") + repeat(n, "x += s.a#;\n"), "struct S { " + repeat(n, "float a#;\n") + "};"); }},
    {"long_names", 1000, [](unsigned n) { const string a(900, 'a'); return body(repeat(n, "float " + a + "# = x; x += " + a + "#;\n")); }},
    {"shadowed_names", 190, [](unsigned n) { return body(nest(n, "{ float x = u.x + #.0; c.x += x; ", "", "}") + repeat(5000, "{ float x = #.0; c.y += x; }\n")); }},
    // Arrays.
    {"array_65536", 65536, [](unsigned n) { const string s = std::to_string(n); return body("float a[" + s + "], b[" + s + "], d[" + s + "], e[" + s + "]; a[k] = x; b[k] = x; d[k] = x; e[k] = x; x = a[k + 1] + b[k] + d[k] + e[k];"); }},
    {"array_200000", 200000, [](unsigned n) { return body("float a[" + std::to_string(n) + "]; a[k] = x; x = a[k + 1];"); }},
    {"array_many", 100, [](unsigned n) { return body(repeat(n, "float a#[10000]; a#[k] = x; x = a#[k + 1];\n")); }},
    {"array_constant_index", 4096, [](unsigned n) { return body("float a[" + std::to_string(n) + "];\n" + repeat(n, "a[#] = x * #.0;\n") + repeat(n, "x += a[#];\n")); }},
    {"array_of_16", 2000, [](unsigned n) { return body("float a[16];\n" + repeat(n, "a[k + #] = x; x += a[k - #];\n")); }},
    {"array_of_64", 5000, [](unsigned n) { return body("vec4 a[64];\n" + repeat(n, "a[k + #] = c; c += a[k - #];\n")); }},
    {"array_in_loop", 64, [](unsigned n) { const string s = std::to_string(n); return body("float a[" + s + "]; for (int i = 0; i < " + s + "; i++) for (int j = 0; j < " + s + "; j++) a[i] = a[j] + x; x = a[k];"); }},
    {"array_copies", 1000, [](unsigned n) { return body("S a, b; a.f[3] = x;\n" + times(n, "b = a; a.f[n] = b.f[n + 1];\n") + "x = b.f[n];", "struct S { float f[1000]; };"); }},
    {"array_structs", 24, [](unsigned n) { return body(repeat(n, "S a#[1000]; a#[k].m[k] = c; c = a#[k + 1].m[1];\n"), "struct S { vec4 m[16]; float f[16]; };"); }},
    {"array_equal", 200, [](unsigned n) { return body("S a, b; a.f[n] = x; b.f[n + 1] = x;\n" + times(n, "if (a == b) { x += 1.0; a = b; a.f[n] = x; }\n"), "struct S { float f[200]; };"); }},
    {"uniform_array", 5000, [](unsigned n) { return body(repeat(n, "c += w[k + #] * w[#];\n"), "uniform vec4 w[" + std::to_string(std::min(n, 200u)) + "];"); }},
    {"uniform_array_huge", 1000000, [](unsigned n) { return body("c += w[k];", "uniform vec4 w[" + std::to_string(n) + "];"); }},
    {"vector_index", 5000, [](unsigned n) { return lines(n, "c[k] = x * #.0; x += c[k - 1]; k = int(x);"); }},
    {"matrix_index", 2000, [](unsigned n) { return body("mat4 a = m;\n" + repeat(n, "a[k][k] = x; x += a[k + 1].y; k = int(x);\n")); }},
    // The preprocessor and the text.
    {"macros", 20000, [](unsigned n) { return body(repeat(n, "x += M#;\n"), defines(n)); }},
    {"macros_doubling", 14, [](unsigned n) { return body("x = M" + std::to_string(n) + ";", "#define M0 x;\n" + [n] { string s; for (unsigned i = 1; i <= n; ++i) s += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " x = u.x * M" + std::to_string(i - 1) + "\n"; return s; }()); }},
    {"macros_doubling_too_often", 60, [](unsigned n) { string s = "#define M0 x\n"; for (unsigned i = 1; i <= n; ++i) s += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " + M" + std::to_string(i - 1) + "\n"; return body("x = M" + std::to_string(n) + ";", s); }},
    {"macro_arguments", 20, [](unsigned n) { string s = "#define M0(a) a a\n"; for (unsigned i = 1; i <= n; ++i) s += "#define M" + std::to_string(i) + "(a) M" + std::to_string(i - 1) + "(a a)\n"; return body("M" + std::to_string(n) + "(x += 1.0;)", s); }},
    {"macro_long", 200000, [](unsigned n) { return body("M M M M", "#define M " + times(n, "x += u.x; ") + "\n"); }},
    {"conditionals", 50000, [](unsigned n) { string s; for (unsigned i = 0; i < n; ++i) s += "#if " + std::to_string(i) + " > 3\nx += 1.0;\n#endif\n"; return body(s); }},
    {"conditionals_nested", 2000, [](unsigned n) { return body(times(n, "#ifdef GL_ES\n") + "x = 2.0;\n" + times(n, "#endif\n")); }},
    {"extensions", 50000, [](unsigned n) { return BombTexts{kVertex, times(n, "#extension GL_OES_standard_derivatives : enable\n") + kFragment}; }},
    {"comments", 4000000, [](unsigned n) { return body("/*" + string(n, '*') + "*/"); }},
    {"spaces", 15000000, [](unsigned n) { return body(string(n, ' ')); }},
    {"newlines", 15000000, [](unsigned n) { return body(string(n, '\n')); }},
    {"semicolons", 1000000, [](unsigned n) { return body(string(n, ';')); }},
    {"blocks", 200000, [](unsigned n) { return body(times(n, "{}")); }},
    {"errors", 20000, [](unsigned n) { return lines(n, "y# = x;"); }},
    {"errors_of_syntax", 20000, [](unsigned n) { return lines(n, "x = = #;"); }},
    {"warnings", 20000, [](unsigned n) { return lines(n, "float a__# = x; x += a__#;"); }},
    {"largest_text", 170000, [](unsigned n) { return lines(n, "x = x * u.x + v.y * 0.5;"); }},
    {"garbage", 4000000, [](unsigned n) { string s; for (unsigned i = 0; i < n; ++i) s += char(' ' + i * 2654435761u % 95); return BombTexts{kVertex, s}; }},
};
// clang-format on

}  // namespace

std::span<const Bomb> bombs() {
    return kBombs;
}

}  // namespace fuzz
