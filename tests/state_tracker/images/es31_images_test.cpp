// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Multisampled textures, queries of levels, framebuffers without attachments (OpenGL ES 3.1).
#include <doctest/doctest.h>

#include "state_tracker/images/texture.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct Images31 : test::Harness {
    Images31() : Harness(test::es31()) { GenTextures(ctx, 2, textures); }
    GLuint textures[2] = {};
    template <class F>
    GLenum error_of(F&& f) {
        f();
        return error();
    }
    GLint level(GLenum target, GLenum pname, GLint n = 0) {
        GLint v = -77;
        GetTexLevelParameteriv(ctx, target, n, pname, &v);
        return v;
    }
    GLuint framebuffer() {
        GLuint f = 0;
        GenFramebuffers(ctx, 1, &f);
        BindFramebuffer(ctx, GL_FRAMEBUFFER, f);
        return f;
    }
};

}  // namespace

TEST_CASE("multisampled textures") {
    Images31 h;
    constexpr GLenum kTarget = GL_TEXTURE_2D_MULTISAMPLE;
    BindTexture(h.ctx, kTarget, h.textures[0]);
    CHECK(h.integer(GL_TEXTURE_BINDING_2D_MULTISAMPLE) == GLint(h.textures[0]));
    const auto storage = [&](GLsizei samples, GLenum format, GLsizei width) {
        TexStorage2DMultisample(h.ctx, kTarget, samples, format, width, 8, GL_FALSE);
        return h.error();
    };
    CHECK(storage(0, GL_RGBA8, 16) == GL_INVALID_VALUE);
    CHECK(storage(4, GL_RGBA8, 0) == GL_INVALID_VALUE);
    CHECK(storage(5, GL_RGBA8, 16) == GL_INVALID_OPERATION);
    CHECK(storage(4, GL_RGB9_E5, 16) == GL_INVALID_ENUM);  // not renderable
    CHECK(storage(3, GL_RGBA8, 16) == GL_NO_ERROR);
    CHECK(storage(4, GL_RGBA8, 16) == GL_INVALID_OPERATION);  // the storage is immutable
    CHECK(bound_texture(h.ctx, TextureTarget::Tex2DMS).image(0, 0)->resource->desc.samples == 4);
    CHECK(h.level(kTarget, GL_TEXTURE_SAMPLES) == 4);
    CHECK(h.level(kTarget, GL_TEXTURE_FIXED_SAMPLE_LOCATIONS) == 0);
    CHECK(h.level(kTarget, GL_TEXTURE_WIDTH) == 16);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.error_of([&] { h.level(kTarget, GL_TEXTURE_WIDTH, 1); }) == GL_INVALID_VALUE);
    CHECK(h.error_of([&] { TexParameteri(h.ctx, kTarget, GL_TEXTURE_MIN_FILTER, GL_NEAREST); }) ==
          GL_INVALID_ENUM);
    CHECK(h.error_of([&] { TexParameteri(h.ctx, kTarget, GL_TEXTURE_BASE_LEVEL, 1); }) ==
          GL_INVALID_OPERATION);
    CHECK(h.error_of([&] { TexParameteri(h.ctx, kTarget, GL_TEXTURE_MAX_LEVEL, 1); }) == GL_NO_ERROR);
    CHECK(h.error_of([&] { GenerateMipmap(h.ctx, kTarget); }) == GL_INVALID_ENUM);
    CHECK(h.error_of([&] {
        TexImage2D(h.ctx, kTarget, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    }) == GL_INVALID_ENUM);

    h.framebuffer();
    CHECK(h.error_of([&] {
        FramebufferTexture2D(h.ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kTarget, h.textures[0], 1);
    }) == GL_INVALID_VALUE);
    FramebufferTexture2D(h.ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kTarget, h.textures[0], 0);
    CHECK(CheckFramebufferStatus(h.ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(h.integer(GL_SAMPLES) == 4);
    test::Harness old(test::es3());
    BindTexture(old.ctx, kTarget, 1);
    CHECK(old.error() == GL_INVALID_ENUM);
}

TEST_CASE("depth or stencil can be sampled") {
    Images31 h;
    BindTexture(h.ctx, GL_TEXTURE_2D, h.textures[0]);
    TexStorage2D(h.ctx, GL_TEXTURE_2D, 1, GL_DEPTH24_STENCIL8, 4, 4);
    GLint mode = 0;
    GetTexParameteriv(h.ctx, GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, &mode);
    CHECK(mode == GL_DEPTH_COMPONENT);
    TexParameteri(h.ctx, GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
    GetTexParameteriv(h.ctx, GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, &mode);
    CHECK(mode == GL_STENCIL_INDEX);
    CHECK(h.error() == GL_NO_ERROR);
    TexParameteri(h.ctx, GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_RGBA);
    CHECK(h.error() == GL_INVALID_ENUM);
    test::Harness old(test::es3());
    TexParameteri(old.ctx, GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
    CHECK(old.error() == GL_INVALID_ENUM);
}

TEST_CASE("levels of textures can be queried") {
    Images31 h;
    BindTexture(h.ctx, GL_TEXTURE_2D_ARRAY, h.textures[0]);
    TexStorage3D(h.ctx, GL_TEXTURE_2D_ARRAY, 3, GL_RGB565, 16, 8, 5);
    CHECK(h.level(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WIDTH, 1) == 8);
    CHECK(h.level(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_HEIGHT, 2) == 2);
    CHECK(h.level(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_DEPTH, 2) == 5);
    CHECK(h.level(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_INTERNAL_FORMAT) == GL_RGB565);
    CHECK(h.level(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_GREEN_SIZE) == 6);
    CHECK(h.level(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_ALPHA_SIZE) == 0);
    CHECK(h.level(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_RED_TYPE) == GL_UNSIGNED_NORMALIZED);
    CHECK(h.level(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_ALPHA_TYPE) == GL_NONE);
    CHECK(h.level(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPRESSED) == 0);
    BindTexture(h.ctx, GL_TEXTURE_2D, h.textures[1]);
    TexStorage2D(h.ctx, GL_TEXTURE_2D, 1, GL_DEPTH24_STENCIL8, 4, 4);
    CHECK(h.level(GL_TEXTURE_2D, GL_TEXTURE_DEPTH_SIZE) == 24);
    CHECK(h.level(GL_TEXTURE_2D, GL_TEXTURE_STENCIL_SIZE) == 8);
    CHECK(h.level(GL_TEXTURE_2D, GL_TEXTURE_DEPTH_TYPE) == GL_UNSIGNED_NORMALIZED);
    CHECK(h.level(GL_TEXTURE_2D, GL_TEXTURE_RED_SIZE) == 0);
    CHECK(h.level(GL_TEXTURE_2D, GL_TEXTURE_SHARED_SIZE) == 0);
    CHECK(h.level(GL_TEXTURE_2D, GL_TEXTURE_WIDTH, 3) == 0);  // the level was never defined
    GLfloat width = 0;
    GetTexLevelParameterfv(h.ctx, GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    CHECK(width == 4);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.error_of([&] { h.level(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WIDTH); }) == GL_INVALID_ENUM);
    CHECK(h.error_of([&] { h.level(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER); }) == GL_INVALID_ENUM);
    CHECK(h.error_of([&] { h.level(GL_TEXTURE_2D, GL_TEXTURE_WIDTH, -1); }) == GL_INVALID_VALUE);
    CHECK(h.error_of([&] { h.level(GL_TEXTURE_2D, GL_TEXTURE_WIDTH, 40); }) == GL_INVALID_VALUE);
}

TEST_CASE("framebuffers without attachments") {
    Images31 h;
    const auto set = [&](GLenum pname, GLint value) {
        FramebufferParameteri(h.ctx, GL_FRAMEBUFFER, pname, value);
        return h.error();
    };
    CHECK(set(GL_FRAMEBUFFER_DEFAULT_WIDTH, 4) == GL_INVALID_OPERATION);  // not for the default framebuffer
    h.framebuffer();
    CHECK(CheckFramebufferStatus(h.ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    CHECK(set(GL_FRAMEBUFFER_DEFAULT_WIDTH, 20) == GL_NO_ERROR);
    CHECK(CheckFramebufferStatus(h.ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    CHECK(set(GL_FRAMEBUFFER_DEFAULT_HEIGHT, 10) == GL_NO_ERROR);
    CHECK(CheckFramebufferStatus(h.ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    GLint v = 0;
    GetFramebufferParameteriv(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, &v);
    CHECK(v == 10);
    UseProgram(h.ctx, h.simple_program());
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().pass.width == 20);
    CHECK(h.pipe().pass.color_count == 0);
    CHECK(h.pipe().draws.size() == 1);
    CHECK(set(GL_FRAMEBUFFER_DEFAULT_WIDTH, -1) == GL_INVALID_VALUE);
    CHECK(set(GL_FRAMEBUFFER_DEFAULT_WIDTH, 1 << 20) == GL_INVALID_VALUE);
    CHECK(set(GL_FRAMEBUFFER_DEFAULT_SAMPLES, 99) == GL_INVALID_VALUE);
    CHECK(set(GL_TEXTURE_WIDTH, 1) == GL_INVALID_ENUM);
    CHECK(h.error_of([&] { FramebufferParameteri(h.ctx, GL_RGBA, GL_FRAMEBUFFER_DEFAULT_WIDTH, 1); }) ==
          GL_INVALID_ENUM);
    CHECK(h.error_of([&] { GetFramebufferParameteriv(h.ctx, GL_FRAMEBUFFER, GL_RGBA, &v); }) ==
          GL_INVALID_ENUM);
}
