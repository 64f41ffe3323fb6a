// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture functions of ESSL 3.10 and of the extensions that became part of 3.20: gathers, samples, buffer
// textures, cube map arrays.
#include <doctest/doctest.h>

#include "shaders/ir/print.h"
#include "shaders/ir/validate.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

constexpr std::string_view kExtensions[] = {"GL_EXT_gpu_shader5", "GL_EXT_texture_buffer",
                                            "GL_EXT_texture_cube_map_array",
                                            "GL_OES_texture_storage_multisample_2d_array"};

/// The texture instructions of a vec4 expression, from "tex" to the operands, one a line.
std::string instructions(const std::string& expression, std::string_view extension = {}) {
    std::string text = "#version 310 es\n";
    if (!extension.empty()) text += "#extension " + std::string(extension) + " : require\n";
    text +=
        "precision highp float; precision highp int;\n"
        "uniform highp sampler2D s; uniform highp isampler2DArray a; uniform highp samplerCube q;\n"
        "uniform highp sampler2DShadow d; uniform highp usampler2DMS m;\n";
    if (extension == "GL_EXT_texture_buffer") text += "uniform highp samplerBuffer b;\n";
    if (extension == "GL_EXT_texture_cube_map_array") text += "uniform highp samplerCubeArrayShadow c;\n";
    if (extension == "GL_OES_texture_storage_multisample_2d_array")
        text += "uniform highp sampler2DMSArray n;\n";
    text += "in vec4 v; flat in ivec2 o; out vec4 f; void main() { f = " + expression + "; }";
    CompileOptions options = test::options(ir::Stage::Fragment, 310);
    options.extensions = kExtensions;
    const CompileResult r = compile(text, options);
    if (!r.shader) return r.log;
    CHECK(ir::validate(*r.shader->ir) == "");
    const std::string ir = ir::print(*r.shader->ir);
    std::string found;
    for (size_t at = ir.find("= tex "); at != ir.npos; at = ir.find("= tex ", at + 1))
        found += ir.substr(at + 6, ir.find(" var=", at) - at - 6) + "\n";
    return found;
}

}  // namespace

TEST_CASE("essl310: gathers") {
    CHECK(instructions("textureGather(s, v.xy)") == "gather 2d coords=2\n");
    CHECK(instructions("textureGather(s, v.xy, 2)") == "gather 2d coords=2 gather=2\n");
    CHECK(instructions("vec4(textureGather(a, v.xyz, 3))") ==
          "gather 2d array coords=3 gather=3 result=i32\n");
    CHECK(instructions("textureGather(q, v.xyz, 1)") == "gather cube coords=3 gather=1\n");
    CHECK(instructions("textureGather(d, v.xy, v.z)") == "gather 2d shadow coords=2\n");
    CHECK(instructions("textureGatherOffset(s, v.xy, ivec2(1, -3), 1)") ==
          "gather 2d coords=2 gather=1 offset=1,-3,0\n");
    CHECK(instructions("textureGatherOffset(d, v.xy, v.z, ivec2(7, -8))") ==
          "gather 2d shadow coords=2 offset=7,-8,0\n");
    CHECK(instructions("textureGatherOffset(s, v.xy, o)").find("gather") ==
          std::string::npos);  // needs gpu_shader5
    CHECK(instructions("textureGatherOffset(s, v.xy, o, 3)", kExtensions[0]) ==
          "gather 2d offsets coords=2 gather=3\n");
    CHECK(instructions(
              "textureGatherOffsets(s, v.xy, ivec2[4](ivec2(1, 2), ivec2(0), ivec2(-3, 4), ivec2(5)), 2)",
              kExtensions[0]) ==
          "gather 2d coords=2 gather=2 offset=1,2,0\ngather 2d coords=2 gather=2\n"
          "gather 2d coords=2 gather=2 offset=-3,4,0\ngather 2d coords=2 gather=2 offset=5,5,0\n");
}

TEST_CASE("essl310: samples, buffer textures, cube map arrays") {
    CHECK(instructions("vec4(texelFetch(m, o, 3))") == "fetch_ms 2dms coords=2 result=i32\n");
    CHECK(instructions("vec4(textureSize(m), 0, 0)") == "size 2dms coords=2 result=i32\n");
    CHECK(instructions("texelFetch(n, ivec3(o, 1), 2)", kExtensions[3]) == "fetch_ms 2dms array coords=3\n");
    CHECK(instructions("texelFetch(b, o.x)", kExtensions[1]) == "fetch texbuffer coords=1\n");
    CHECK(instructions("vec4(textureSize(b))", kExtensions[1]) == "size texbuffer coords=1 result=i32\n");
    CHECK(instructions("vec4(texture(c, v, 0.5))", kExtensions[2]) == "sample cube array shadow coords=4\n");
    CHECK(instructions("vec4(textureSize(c, 0), 0)", kExtensions[2]) ==
          "size cube array shadow coords=3 result=i32\n");
    CHECK(instructions("textureGather(c, v, 0.5)", kExtensions[2]) == "gather cube array shadow coords=4\n");
}
