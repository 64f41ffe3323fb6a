// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiled shaders on the warp executor have the IR interpreter's results.
#include "tests/mali/compiler/check.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;

TEST_CASE("mali compiler: arithmetic in fragment shaders") {
    for (const char* body : {
             "void main() { gl_FragColor = vec4(0.25, 1.0, 0.0, 0.5); }",
             "void main() { gl_FragColor = a; }",
             "void main() { gl_FragColor = a + b; }",
             "void main() { gl_FragColor = a * u + w[2]; }",
             "void main() { gl_FragColor = a - b * u; }",
             "void main() { gl_FragColor = (a * b) - u; }",
             "void main() { gl_FragColor = -a * abs(b) + abs(u - a); }",
             "void main() { gl_FragColor = m * a + b; }",
             "void main() { gl_FragColor = clamp(a + b, 0.0, 1.0); }",
             "void main() { gl_FragColor = clamp(a, 0.0, 1.0) + clamp(a * b, -0.5, 0.5); }",
             "void main() { gl_FragColor = min(a, b) * max(a, u); }",
             "void main() { gl_FragColor = floor(a * 3.0) + ceil(b) + fract(a * 7.0); }",
             "void main() { gl_FragColor = sign(a) + step(a, b) + mod(a, 0.7); }",
             "void main() { gl_FragColor = mix(a, b, u.x) + smoothstep(-1.0, 1.0, a); }",
             "void main() { gl_FragColor = a / (abs(b) + 1.0); }",
             "void main() { gl_FragColor = sqrt(abs(a)) + inversesqrt(abs(b) + 0.1); }",
             "void main() { gl_FragColor = exp2(a) + exp(b); }",
             "void main() { gl_FragColor = log2(abs(a) + 0.1) + log(abs(b) + 0.2); }",
             "void main() { gl_FragColor = pow(abs(a) + 0.1, b); }",
             "void main() { gl_FragColor = sin(a * 5.0) + cos(b * 3.0) + tan(a * 0.5); }",
             "void main() { gl_FragColor = atan(a, b) + asin(clamp(a, -1.0, 1.0)) + acos(clamp(b, -1.0, "
             "1.0)); }",
             "void main() { gl_FragColor = vec4(normalize(a.xyz), length(b)) + vec4(dot(a, b), cross(a.xyz, "
             "b.xyz)); }",
             "void main() { gl_FragColor = vec4(reflect(a.xyz, normalize(b.xyz)), distance(a, b)); }",
             "void main() { gl_FragColor = vec4(greaterThan(a, b)) + vec4(equal(floor(a), floor(b))); }",
             "void main() { gl_FragColor = vec4(a.x > b.x && a.y < b.y, a.z > 0.0 || z, !z, a.x != b.x); }",
             "void main() { gl_FragColor = a.x > b.x ? a : u; }",
             "void main() { gl_FragColor = vec4(any(lessThan(a, b)), all(lessThan(a, b + 1.0)), z ^^ (a.x > "
             "0.0), z); }",
             "void main() { gl_FragColor = gl_FragCoord * u; }",
             "void main() { gl_FragColor = gl_FrontFacing ? a : b; }",
             "void main() { mat3 k = mat3(m) * mat3(a.x); gl_FragColor = vec4(k * b.xyz, k[1][2]); }",
         })
        check_fragment(body);
}

TEST_CASE("mali compiler: integers in fragment shaders") {
    for (const char* body : {
             "void main() { ivec4 i = ivec4(a), k = ivec4(b); gl_FragColor = vec4(i + k * n - 3); }",
             "void main() { ivec4 i = ivec4(a), k = ivec4(b); gl_FragColor = vec4(i / (k + 1000)) + vec4(i / "
             "k); }",
             "void main() { ivec4 i = ivec4(a * 1000.0); gl_FragColor = vec4(i / 7 - (i / 7) * 7 + n); }",
             "void main() { ivec4 i = ivec4(a); gl_FragColor = vec4(-i) + vec4(lessThan(i, ivec4(b))) + "
             "vec4(equal(i, ivec4(b))); }",
             "void main() { gl_FragColor = vec4(float(n), float(z), float(int(z)), float(bool(n - 2))); }",
         })
        check_fragment(body, -100, 100);
}

TEST_CASE("mali compiler: control flow in fragment shaders") {
    for (const char* body : {
             "void main() { if (a.x > 0.0) gl_FragColor = a; else gl_FragColor = b; }",
             "void main() { vec4 c = u; if (a.x > 0.0) { c = sin(a); if (b.y > 0.0) c += exp2(b); } else { c "
             "*= b; } gl_FragColor = c; }",
             "void main() { vec4 c = u; for (int i = 0; i < 5; i++) { c = c * a + b; if (c.x > 1.0) break; } "
             "gl_FragColor = c; }",
             "void main() { vec4 c = u; for (int i = 0; i < 200; i++) { if (float(i) > a.x * 40.0) break; c "
             "+= sin(b * float(i)); } gl_FragColor = c * 0.01; }",
             "void main() { vec4 c = u, d = a; for (int i = 0; i < 100; i++) { if (i > n * 20) break; if "
             "(c.x > d.x) continue;"
             " vec4 e = c; c = d * 0.5; d = e + b * 0.1; } gl_FragColor = c + d; }",
             "void main() { float s = 0.0; for (int i = 0; i < 50; i++) { for (int k = 0; k < 60; k++) { if "
             "(k > n + i) break;"
             " s += a.x; if (s > 10.0) s -= b.y * b.y * 11.0; } } gl_FragColor = vec4(s, s * 0.5, a.x, 1.0); "
             "}",
             "void main() { if (a.x > b.x) discard; gl_FragColor = a; }",
             "void main() { vec4 c = a; if (a.x > 0.3) { if (a.y > 0.2) discard; c = b * b; } gl_FragColor = "
             "c; }",
             "void main() { gl_FragColor = w[n] + a; }",
             "void main() { vec4 k[4]; k[0] = a; k[1] = b; k[2] = u; k[3] = a * b; gl_FragColor = k[n]; }",
             "void main() { float k[20]; for (int i = 0; i < 20; i++) k[i] = a.x * float(i); k[n * 3] = b.y; "
             "gl_FragColor = "
             "vec4(k[n + 3], k[n * 4], k[3], a.y); }",
             "void main() { if (a.x > 0.0) discard; else if (b.x > 0.0) { gl_FragColor = u; return; } "
             "gl_FragColor = m[n] * "
             "a.x; }",
             "vec4 f(vec4 x) { if (x.x > 0.5) return x * 2.0; return x - 1.0; } void main() { gl_FragColor = "
             "f(a) + f(f(b)); }",
         })
        check_fragment(body);
}

TEST_CASE("mali compiler: the thread's own memory") {
    for (const char* body : {
             "void main() { vec4 k[40]; for (int i = 0; i < 40; i++) k[i] = a * float(i) + b; k[n * 7] = u; "
             "vec4 c = "
             "vec4(0.0); for (int i = 0; i < 40; i++) c = c * 0.5 + k[int(mod(float(i * 7 + n), 40.0))]; "
             "gl_FragColor = c; }",
             "void main() { float k[100], m[60]; for (int i = 0; i < 100; i++) { k[i] = a.x * float(i); if "
             "(i < 60) m[i] = "
             "b.x - k[i]; } if (a.y > 0.0) { k[n * 13] = b.y; m[n] = 7.0; } gl_FragColor = vec4(k[n * 13], "
             "m[n + 1], m[n], "
             "k[n * 26]); }",
             "void main() { bool k[70]; for (int i = 0; i < 70; i++) k[i] = a.x * float(i) > b.y; "
             "gl_FragColor = vec4(k[n * "
             "9], k[n * 13], k[69 - n], 1.0); }",
         })
        check_fragment(body);
    // More live values than registers.
    std::string many = "void main() { ";
    for (int i = 0; i < 90; i++)
        many += "float x" + std::to_string(i) + " = sin(a." + "xyzw"[i % 4] + " * " + std::to_string(i) +
                ".5 + b." + "xyzw"[i / 4 % 4] + ");\n";
    std::string sum = "0.0", product = "1.0";
    for (int i = 0; i < 90; i++) {
        sum += " + x" + std::to_string(i);
        product += " * (1.25 - x" + std::to_string(89 - i) + " * 0.5)";
    }
    std::string loop =
        "vec4 c = vec4(0.0); for (int i = 0; i < 40; i++) { if (float(i) > float(n) * 9.0 + a.x) break; c += "
        "texture2D(t, vec2(x3, x80) + c.xy * 0.001).wzyx * x50; } ";
    check_fragment(many + "gl_FragColor = vec4(" + sum + ", " + product + ", x7, x88) * 0.1; }");
    check_fragment(many + loop + "gl_FragColor = vec4(" + sum + ", " + product +
                   ", x7, x88) * 0.1 + c * 0.01; }");
}

TEST_CASE("mali compiler: textures and derivatives") {
    for (const char* body : {
             "void main() { gl_FragColor = texture2D(t, a.xy); }",
             "void main() { gl_FragColor = texture2D(t, a.xy).wwyx + texture2D(t, b.zw * 2.0, 1.5); }",
             "void main() { vec4 c = texture2D(t, a.xy); gl_FragColor = texture2D(t, c.xy) * "
             "texture2DProj(t, vec3(b.xy, 2.0)).z; }",
             "void main() { if (u.x * 0.0 == 0.0) gl_FragColor = texture2D(t, a.xy); else gl_FragColor = b; "
             "}",
         })
        check_fragment(body);
    for (const char* body : {
             "void main() { gl_FragColor = textureCube(cube, a.xyz) + textureCube(cube, b.wzy); }",
             "void main() { gl_FragColor = texture2DGradEXT(t, a.xy, b.xy, u.xy) + texture2DLodEXT(t, b.zw, "
             "2.5); }",
         })
        check_fragment(std::string(body));
    for (const char* f : {"dFdx(a)", "dFdy(a * b)", "fwidth(b)"})
        check_fragment(std::string("void main() { gl_FragColor = ") + f + "; }");
}

TEST_CASE("mali compiler: both parts of a vertex shader") {
    const auto program = compiled::link(
        "attribute vec4 p; attribute vec3 q; uniform mat4 m; uniform float s; varying vec4 a; varying vec2 "
        "b; varying float c;\n"
        "void main() { gl_Position = m * p; gl_PointSize = s; a = p * p; b = q.xy * s; c = q.z; if (q.x > "
        "0.0) b = -b; }",
        "precision highp float; varying vec4 a; varying vec2 b; varying float c; void main() { gl_FragColor "
        "= a + b.xyxy + c; }");
    REQUIRE(program);
    check_vertex(*program);
}

TEST_CASE("mali compiler: positions with a constant w are not divided") {
    const auto count = [](const std::string& position) {
        const auto program = compiled::link(
            "attribute vec4 p; varying vec4 v; void main() { v = p; gl_PointSize = p.x; gl_Position = " +
                position + "; }",
            "precision highp float; varying vec4 v; void main() { gl_FragColor = v; }");
        REQUIRE(program);
        check_vertex(*program);
        const Binary b =
            compile(*program->stages[unsigned(ir::Stage::Vertex)].get(), Part::Position, kValidated);
        return std::pair(b.info.statistics.sfu, b.info.statistics.fma);
    };
    CHECK(count("p") == std::pair(1u, 6u));
    CHECK(count("vec4(p.xyz, 1.0)") == std::pair(0u, 3u));
    CHECK(count("vec4(p.xy, 0.0, 1.0)") == std::pair(0u, 2u));
    // The reciprocal of a constant is a constant.
    CHECK(count("vec4(p.xyz, 2.0)") == std::pair(0u, 6u));
    CHECK(count("vec4(p.xyz, -1.0)") == std::pair(0u, 6u));
    CHECK(count("vec4(3.0, p.yz, 2.0)") == std::pair(0u, 5u));
}
