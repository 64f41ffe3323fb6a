// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Errors and state of EXT_clear_texture, MESA_framebuffer_flip_y, EXT_depth_clamp, EXT_shadow_samplers and
// EXT_separate_shader_objects, in the versions that their specifications require.
// tests/api/egl/extension_pixels_test.cpp tests their pixels.
#include <doctest/doctest.h>

#include <string>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

bool lists(test::Harness& h, const std::string& name) {
    const std::string all = " " + h.ctx.extension_string + " ";
    return all.find(" " + name + " ") != std::string::npos;
}

}  // namespace

TEST_CASE("small extensions: the versions that support them") {
    test::Harness es2, es3{test::es3()}, es31{test::es31()};
    struct Row {
        const char* name;
        bool in_2, in_30, in_31;
    };
    for (const Row& r : {Row{"GL_EXT_shadow_samplers", true, true, true},
                         {"GL_EXT_separate_shader_objects", true, true, true},
                         {"GL_MESA_framebuffer_flip_y", false, true, true},
                         {"GL_OES_sample_variables", false, true, true},
                         {"GL_OES_shader_multisample_interpolation", false, true, true},
                         {"GL_OES_sample_shading", false, true, true},
                         {"GL_EXT_clear_texture", false, false, true}}) {
        CAPTURE(std::string(r.name));
        CHECK(lists(es2, r.name) == r.in_2);
        CHECK(lists(es3, r.name) == r.in_30);
        CHECK(lists(es31, r.name) == r.in_31);
    }
}

TEST_CASE("EXT_shadow_samplers: the comparison of textures in OpenGL ES 2.0") {
    test::Harness h;
    GLint mode = 0, func = 0;
    BindTexture(h.ctx, GL_TEXTURE_2D, 1);
    GetTexParameteriv(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE_EXT, &mode);
    GetTexParameteriv(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC_EXT, &func);
    CHECK(mode == GL_NONE);
    CHECK(func == GL_LEQUAL);
    TexParameteri(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE_EXT, GL_COMPARE_REF_TO_TEXTURE_EXT);
    TexParameteri(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC_EXT, GL_GREATER);
    CHECK(h.error() == GL_NO_ERROR);
    TexParameteri(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC_EXT, GL_LINEAR);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetTexParameteriv(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC_EXT, &func);
    CHECK(func == GL_GREATER);
}

TEST_CASE("EXT_separate_shader_objects: pipelines in OpenGL ES 2.0 and 3.0") {
    for (const int version : {20, 30}) {
        CAPTURE(version);
        ContextConfig config;
        config.version = version;
        test::Harness h{config};
        GLuint p = CreateProgram(h.ctx), pipeline = 0;
        ProgramParameteri(h.ctx, p, GL_PROGRAM_SEPARABLE_EXT, 2);
        CHECK(h.error() == GL_INVALID_VALUE);
        ProgramParameteri(h.ctx, p, GL_PROGRAM_SEPARABLE_EXT, GL_TRUE);
        CHECK(h.error() == GL_NO_ERROR);
        const GLuint v =
            h.shader(GL_VERTEX_SHADER,
                     "#extension GL_EXT_separate_shader_objects : require\nlayout(location = 2) attribute "
                     "vec4 a; layout(location = 1) varying vec4 b; void main() { gl_Position = b = a; }");
        AttachShader(h.ctx, p, v);
        LinkProgram(h.ctx, p);
        REQUIRE(h.linked(p));
        CHECK(GetAttribLocation(h.ctx, p, "a") == 2);
        GLint value = 0;
        GetProgramiv(h.ctx, p, GL_PROGRAM_SEPARABLE_EXT, &value);
        CHECK(value == 1);
        GenProgramPipelines(h.ctx, 1, &pipeline);
        BindProgramPipeline(h.ctx, pipeline);
        CHECK(h.integer(GL_PROGRAM_PIPELINE_BINDING_EXT) == GLint(pipeline));
        UseProgramStages(h.ctx, pipeline, GL_VERTEX_SHADER_BIT_EXT, p);
        CHECK(h.error() == GL_NO_ERROR);
        UseProgramStages(h.ctx, pipeline, 4, p);  // a bit of a geometry stage
        CHECK(h.error() == GL_INVALID_VALUE);
        UseProgramStages(h.ctx, pipeline, GL_ALL_SHADER_BITS_EXT, p);
        CHECK(h.error() == GL_NO_ERROR);
        GetProgramPipelineiv(h.ctx, pipeline, GL_VERTEX_SHADER, &value);
        CHECK(value == GLint(p));
    }
}

TEST_CASE("MESA_framebuffer_flip_y: errors and state") {
    for (const int version : {30, 31}) {
        CAPTURE(version);
        ContextConfig config;
        config.version = version;
        test::Harness h{config};
        GLint value = -1;
        FramebufferParameteri(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_TRUE);
        CHECK(h.error() == GL_INVALID_OPERATION);  // the default framebuffer
        GetFramebufferParameteriv(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, &value);
        CHECK(h.error() == GL_INVALID_OPERATION);
        BindFramebuffer(h.ctx, GL_FRAMEBUFFER, 7);
        GetFramebufferParameteriv(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, &value);
        CHECK(value == 0);
        FramebufferParameteri(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, 5);
        GetFramebufferParameteriv(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, &value);
        CHECK(value == 1);
        CHECK(h.error() == GL_NO_ERROR);
        FramebufferParameteri(h.ctx, GL_TEXTURE_2D, GL_FRAMEBUFFER_FLIP_Y_MESA, 1);
        CHECK(h.error() == GL_INVALID_ENUM);
        // OpenGL ES 3.0 supports no other parameter.
        FramebufferParameteri(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, 8);
        CHECK(h.error() == (version == 30 ? GL_INVALID_ENUM : GL_NO_ERROR));
    }
}

TEST_CASE("EXT_clear_texture: errors change nothing") {
    test::Harness h{test::es31()};
    const unsigned char color[4] = {1, 2, 3, 4};
    const auto clear = [&](GLuint t, GLint level, GLenum format, GLenum type) {
        ClearTexImage(h.ctx, t, level, format, type, color);
        return h.error();
    };
    const auto box = [&](GLuint t, GLint x, GLint y, GLint z, GLsizei w, GLsizei height, GLsizei d) {
        ClearTexSubImage(h.ctx, t, 0, x, y, z, w, height, d, GL_RGBA, GL_UNSIGNED_BYTE, color);
        return h.error();
    };
    CHECK(clear(0, 0, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    CHECK(clear(5, 0, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    BindTexture(h.ctx, GL_TEXTURE_2D, 5);
    CHECK(clear(5, 0, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);  // the level has no image
    TexImage2D(h.ctx, GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(clear(5, 0, GL_RGBA, GL_UNSIGNED_BYTE) == GL_NO_ERROR);
    CHECK(clear(5, -1, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_VALUE);
    CHECK(clear(5, 1, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    CHECK(clear(5, 0, GL_TEXTURE_2D, GL_UNSIGNED_BYTE) == GL_INVALID_ENUM);
    CHECK(clear(5, 0, GL_RGBA, GL_RGBA) == GL_INVALID_ENUM);
    CHECK(clear(5, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT) == GL_INVALID_OPERATION);
    CHECK(clear(5, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    CHECK(box(5, 1, 1, 0, 3, 3, 1) == GL_NO_ERROR);
    CHECK(box(5, 1, 1, 0, 4, 3, 1) == GL_INVALID_OPERATION);
    CHECK(box(5, 0, 2, 0, 4, 3, 1) == GL_INVALID_OPERATION);
    CHECK(box(5, 0, 0, 1, 4, 4, 1) == GL_INVALID_OPERATION);
    CHECK(box(5, -1, 0, 0, 2, 2, 1) == GL_INVALID_OPERATION);
    CHECK(box(5, 0, 0, 0, -1, 2, 1) == GL_INVALID_VALUE);
    BindTexture(h.ctx, GL_TEXTURE_2D, 6);
    TexStorage2D(h.ctx, GL_TEXTURE_2D, 1, GL_COMPRESSED_RGB8_ETC2, 4, 4);
    CHECK(clear(6, 0, GL_RGB, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    BindTexture(h.ctx, GL_TEXTURE_2D, 7);
    TexStorage2D(h.ctx, GL_TEXTURE_2D, 1, GL_DEPTH24_STENCIL8, 4, 4);
    CHECK(clear(7, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT) == GL_INVALID_OPERATION);
    CHECK(clear(7, 0, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8) == GL_NO_ERROR);
    BindTexture(h.ctx, GL_TEXTURE_2D, 8);
    TexStorage2D(h.ctx, GL_TEXTURE_2D, 1, GL_R32I, 4, 4);
    CHECK(clear(8, 0, GL_RED, GL_FLOAT) == GL_INVALID_OPERATION);
    CHECK(clear(8, 0, GL_RED_INTEGER, GL_INT) == GL_NO_ERROR);
    // z counts the faces of a cube map; all faces of the box must exist.
    BindTexture(h.ctx, GL_TEXTURE_CUBE_MAP, 9);
    TexImage2D(h.ctx, GL_TEXTURE_CUBE_MAP_NEGATIVE_X, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               nullptr);
    CHECK(box(9, 0, 0, 1, 4, 4, 1) == GL_NO_ERROR);
    CHECK(box(9, 0, 0, 1, 4, 4, 2) == GL_INVALID_OPERATION);
    CHECK(box(9, 0, 0, 6, 4, 4, 1) == GL_INVALID_OPERATION);
    CHECK(clear(9, 0, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
}

TEST_CASE("limits: the device's limits, bounded by Terrazzo's tables, and relations between limits") {
    ContextConfig config;
    config.version = 32;
    test::Harness h{config};
    CHECK(h.integer(GL_MAX_VARYING_COMPONENTS) == 4 * h.integer(GL_MAX_VARYING_VECTORS));
    CHECK(h.integer(GL_MAX_GEOMETRY_OUTPUT_COMPONENTS) == 4 * h.integer(GL_MAX_VARYING_VECTORS));
    const auto all = h.integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
    CHECK(all >= h.integer(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS) + h.integer(GL_MAX_TEXTURE_IMAGE_UNITS));
    CHECK(kMaxTextureUnits == 6 * pipe::kMaxSamplers);
    ActiveTexture(h.ctx, GLenum(GL_TEXTURE0 + all - 1));
    CHECK(h.error() == GL_NO_ERROR);
    ActiveTexture(h.ctx, GLenum(GL_TEXTURE0 + all));
    CHECK(h.error() == GL_INVALID_ENUM);
}
