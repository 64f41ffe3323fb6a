// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ESSL 3.20, and the extensions of ESSL 3.10 that became part of it.
#include <doctest/doctest.h>

#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

constexpr std::string_view kNames[] = {"GL_EXT_gpu_shader5", "GL_OES_gpu_shader5",
                                       "GL_OES_shader_image_atomic"};

CompileResult compile_as(int version, const std::string& text, int max_version = 320) {
    CompileOptions o = test::options(ir::Stage::Fragment, max_version);
    o.extensions = kNames;
    return compile("#version " + std::to_string(version) + " es\n" + text, o);
}

const char* const kMain = "precision highp float; out vec4 c; uniform vec4 v;\nvoid main() { c = ";

}  // namespace

TEST_CASE("essl320: the version is accepted if the context supports it") {
    const std::string text = std::string(kMain) + "v; }";
    CHECK(compile_as(320, text).shader);
    const CompileResult r = compile_as(320, text, 310);
    CHECK(!r.shader);
    CHECK(r.log.find("GLSL ES 3.20 is not supported; the highest version here is GLSL ES 3.10") !=
          std::string::npos);
}

TEST_CASE("essl320: additions to ESSL 3.10, and the extensions that define them there") {
    struct Case {
        const char *globals, *expression, *extension;
    };
    static constexpr Case kCases[] = {
        {"", "fma(v, v, v)", "GL_EXT_gpu_shader5"},
        {"precise vec4 p;", "p = v * v + v", "GL_OES_gpu_shader5"},
        {"uniform sampler2D s[4]; uniform int i;", "texture(s[i], v.xy)", "GL_EXT_gpu_shader5"},
        {"uniform U { vec4 a; } u[3]; uniform int i;", "u[i].a", "GL_OES_gpu_shader5"},
        {"layout(r32ui, binding = 0) highp uniform uimage2D m;", "vec4(imageAtomicAdd(m, ivec2(1), 2u))",
         "GL_OES_shader_image_atomic"},
    };
    for (const Case& k : kCases) {
        const std::string text =
            std::string("precision highp float;\n") + k.globals + "\n" + kMain + k.expression + "; }";
        CAPTURE(text);
        const std::string enable = std::string("#extension ") + k.extension + " : require\n";
        const CompileResult r = compile_as(320, text), e = compile_as(310, enable + text);
        CHECK_MESSAGE(r.shader, r.log);
        CHECK_MESSAGE(e.shader, e.log);
        CHECK(!compile_as(310, text).shader);
    }
}

TEST_CASE("essl320: members of structures are not precise") {
    const auto log = [](const std::string& globals) { return compile_as(320, globals + kMain + "v; }").log; };
    CHECK(log("struct S { highp vec4 a; }; precise highp float p;\n") == "");
    CHECK(log("struct S { vec2 b; precise vec4 a; };\n").find("'precise' : not allowed on members") !=
          std::string::npos);
}

TEST_CASE("essl320: macros exist for the extensions of the context") {
    CHECK(compile_as(310, "#if GL_EXT_gpu_shader5 != 1 || defined(GL_EXT_geometry_shader)\n#error\n#endif\n" +
                              std::string(kMain) + "v; }")
              .shader);
    CHECK(!compile_as(310, std::string(kMain) + "v * float(GL_EXT_geometry_shader); }").shader);
    const CompileResult r =
        compile_as(310, "#extension GL_EXT_geometry_shader : require\n" + std::string(kMain) + "v; }");
    CHECK(!r.shader);
    CHECK(r.log.find("extension not supported: GL_EXT_geometry_shader") != std::string::npos);
}
