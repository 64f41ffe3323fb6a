// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders that must not compile, with the expected text of the log; and similar shaders that must compile.
#include <doctest/doctest.h>

#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {
struct Case {
    std::string source, log;
};
void fails(const CompileResult& r, const Case& c) {
    CAPTURE(c.source);
    CAPTURE(r.log);
    CHECK(!r.shader);
    CHECK(r.log.find(c.log) != std::string::npos);
    CHECK(r.log.find("ERROR: 0:") != std::string::npos);
}
}  // namespace

TEST_CASE("glsl: errors of fragment shaders") {
    static const Case kCases[] = {
        {"void main() { gl_FragColor = vec4(x); }", "'x' : undeclared identifier"},
        {"void main() { float x; }", "type requires declaration of default precision qualifier"},
        {"void main() { gl_FragColor = vec4(0.0); gl_FragData[0] = vec4(0.0); }",
         "may assign to one of them, not to both"},
        {"void main() {} void f() { gl_FragColor = vec4(0.0); } void g() { gl_FragData[0] = vec4(0.0); }",
         "not to both"},
        {"#extension GL_EXT_blend_func_extended : enable\nvoid main() { gl_FragColor = vec4(0.0); "
         "gl_SecondaryFragDataEXT[0] = vec4(0.0); }",
         "'gl_FragColor' and 'gl_SecondaryFragDataEXT' : a shader may assign to one of them"},
        {"#extension GL_EXT_blend_func_extended : enable\nvoid main() { gl_FragData[0] = vec4(0.0); "
         "gl_SecondaryFragColorEXT = vec4(0.0); }",
         "'gl_SecondaryFragColorEXT' and 'gl_FragData' : a shader may assign to one of them"},
        {"precision mediump float; float f(); void main() { gl_FragColor = vec4(f()); }",
         "'f' : function is called but has no body"},
        {"precision mediump float; float f(float x) { return f(x); } void main() { gl_FragColor = "
         "vec4(f(1.0)); }",
         "recursion is not allowed"},
        {"void f(); void g() { f(); } void f() { g(); } void main() {}", "recursion is not allowed"},
        {"#version 300 es\nvoid main() {}",
         "GLSL ES 3.00 is not supported; the highest version here is GLSL ES 1.00"},
        {"#version 330\nvoid main() {}", "GLSL 3.30 is not supported"},
        {"#version 120\nvoid main() {}", "GLSL 1.20 is not supported"},
        {"\n\n#version 330 es\nvoid main() {}",
         "0:3: '#version' : GLSL ES 3.30 is not supported; use '100', '300 es', '310 es' or '320 es'"},
        {"#version 450 core\nvoid main() {}", "0:1: '#version' : GLSL 4.50 is not supported"},
        {"#version\nvoid main() {}", "'#version' : must be followed by '100'"},
        {"#version 300es\nvoid main() {}", "'#version' : must be followed by '100'"},
        {"#version 99999999999\nvoid main() {}", "'#version' : must be followed by '100'"},
        {"#version 310\nvoid main() {}", "'#version' : 310 must be followed by 'es'"},
        {"#version 320 core\nvoid main() {}", "'#version' : 320 must be followed by 'es'"},
        {"#version 300 es x\nvoid main() {}", "'#version' : nothing may follow 'es'"},
        {"#version 100 es\nvoid main() {}", "'#version' : nothing may follow 100"},
        {"\n#extension GL_EXT_YUV_target : require\nvoid main() {}",
         "extension not supported: GL_EXT_YUV_target"},
        {"void main() {\n#extension GL_OES_standard_derivatives : enable\n}",
         "must stand before the shader's first token"},
        {"precision mediump float; void main() { gl_FragColor = vec4(dFdx(gl_FragCoord.x)); }", "dFdx"},
        {"#ifdef GL_EXT_YUV_target\n#error visible\n#endif\n#ifndef GL_OES_standard_derivatives\n#error "
         "hidden\n#endif\nx",
         "'' :  syntax error"},
        {"invariant gl_FrontFacing; void main() {}", "gl_FrontFacing"},
        {"int i = 0;\nvoid main() { i = 1.0; }", "0:2: 'assign' :  cannot convert"},
        {"uniform int gl_mine; void main() {}", "reserved"},
        {"void main() { int a[2]; a = a; }", "array assignment"},
        {"void main() { int a = 1 % 2; }", "%"},
        {"attribute vec4 a; void main() {}", "attribute"},
    };
    for (const Case& c : kCases)
        fails(test::compile_fragment(c.source), c);
}

TEST_CASE("glsl: a version that a stage does not have is refused before glslang corrects it") {
    // glslang used to get this version. For compute shaders it replaced 1.20 by a version without a profile,
    // could not parse the built-in functions of that, and wrote their text to stdout.
    for (const ir::Stage stage :
         {ir::Stage::Compute, ir::Stage::Geometry, ir::Stage::TessControl, ir::Stage::TessEval}) {
        const auto log = [&](const char* text) {
            return shaders::compile(text, test::options(stage, 320)).log;
        };
        const char* const kNeeds = "'#version' : a shader of this stage needs '310 es' or '320 es'\n";
        CHECK(log("void main() {}") == std::string("ERROR: 0:1: ") + kNeeds);
        CHECK(log("// c\n#version 300 es\nvoid main() {}") == std::string("ERROR: 0:2: ") + kNeeds);
        for (const char* const version : {"110", "120", "130", "140", "150", "420", "450 core"})
            CHECK(log(("#version " + std::string(version) + "\nvoid main() {}").c_str())
                      .find("is not supported; use '100', '300 es'") != std::string::npos);
    }
}

TEST_CASE("glsl: shaders that must compile") {
    static const char* const kSources[] = {
        "void main() {}",
        "#version 100\n#if !defined __VERSION__ || __VERSION__ != 100 || !defined(__LINE__) || "
        "!defined(GL_ES)\n#error\n#endif\n"
        "#ifndef __FILE__\n#error\n#endif\nvoid main() {}",
        "#define HAVE defined(GL_ES)\n#if HAVE\nvoid main() {}\n#endif\n",
        "#extension GL_EXT_YUV_target : enable\nvoid main() {}",
        "#extension GL_OES_texture_3D : require\nprecision mediump float; uniform mediump sampler3D s; "
        "varying "
        "vec4 v; void main() { gl_FragColor = texture3D(s, v.xyz) + texture3DProj(s, v, 0.5); }",
        "#extension GL_OES_EGL_image_external : require\nprecision mediump float; uniform samplerExternalOES "
        "s; void main() { "
        "gl_FragColor = texture2D(s, vec2(0.5)); }",
        "precision highp float; void main() { for (float x = 0.0; x != 1.0; x += gl_FragCoord.x) { if (x > "
        "2.0) break; } }",
        "precision mediump float; uniform sampler2D s[3]; uniform int i; void main() { gl_FragColor = "
        "texture2D(s[i], vec2(0.0)); }",
        "struct S { int x; } s; void f(S a) { a.x++; } void main() { s.x = 1; f(s); ; }",
    };
    for (size_t i = 0; i < std::size(kSources); ++i) {
        const CompileResult r = test::compile_fragment(kSources[i]);
        CAPTURE(kSources[i]);
        CAPTURE(r.log);
        CHECK(r.shader);
    }
    // Without main() it compiles and fails to link.
    const CompileResult part = test::compile_fragment("void f() {}");
    REQUIRE(part.shader);
    CHECK(!part.shader->has_main);
}

TEST_CASE("glsl: macros exist for the enabled extensions, and only for supported ones") {
    for (const char* const text :
         {"#define HAS GL_OES_standard_derivatives\n#if HAS != 1\n#error hidden\n#endif\nvoid main() {}",
          "int a = GL_OES_standard_derivatives + GL_EXT_frag_depth;\nvoid main() {}",
          "#if !defined(GL_ES) || GL_FRAGMENT_PRECISION_HIGH != 1\n#error none\n#endif\nvoid main() {}",
          "#if defined GL_EXT_gpu_shader5 || defined(GL_EXT_YUV_target)\n#error visible\n#endif\nvoid main() "
          "{}",
          "#ifndef GL_EXT_shader_texture_lod\n#error hidden\n#endif\nvoid main() {}"}) {
        CAPTURE(text);
        CHECK(test::compile_fragment(text).shader);
    }
    CHECK(!test::compile_fragment("int a = GL_EXT_gpu_shader5;\nvoid main() {}").shader);
}
