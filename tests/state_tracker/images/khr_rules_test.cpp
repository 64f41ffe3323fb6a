// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules for images of OpenGL ES 3.x from Khronos' own tests: the formats of CopyTexImage2D, the commands that
// accept compressed formats, attachment of whole textures.
#include <doctest/doctest.h>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/images/texture.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct Images : test::Harness {
    explicit Images(const ContextConfig& c = test::es31()) : Harness(c) {
        GenTextures(ctx, 2, textures);
        GenFramebuffers(ctx, 1, &framebuffer);
        BindFramebuffer(ctx, GL_FRAMEBUFFER, framebuffer);
    }
    /// A framebuffer of that format. Copies read it and write the second texture.
    void source(GLenum format) {
        DeleteTextures(ctx, 1, textures);
        GenTextures(ctx, 1, textures);
        BindTexture(ctx, GL_TEXTURE_2D, textures[0]);
        TexStorage2D(ctx, GL_TEXTURE_2D, 1, format, 4, 4);
        FramebufferTexture2D(ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[0], 0);
        REQUIRE(CheckFramebufferStatus(ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        BindTexture(ctx, GL_TEXTURE_2D, textures[1]);
        REQUIRE(error() == GL_NO_ERROR);
    }
    template <class F>
    void fails(GLenum with, F&& f) {
        f();
        CHECK(error() == with);
    }
    GLenum copy(GLenum format) {
        CopyTexImage2D(ctx, GL_TEXTURE_2D, 0, format, 0, 0, 4, 4, 0);
        return error();
    }
    GLenum read(GLenum type) {
        uint8_t bytes[4 * 4 * 4];
        ReadPixels(ctx, 0, 0, 4, 4, GL_RGBA, type, bytes);
        return error();
    }
    GLuint textures[2] = {}, framebuffer = 0;
};

}  // namespace

TEST_CASE("CopyTexImage2D creates unrenderable formats, too, and does not convert between kinds of numbers") {
    Images h;
    h.source(GL_SRGB8_ALPHA8);
    CHECK(h.copy(GL_SRGB8) == GL_NO_ERROR);
    CHECK(h.copy(GL_RGB8) == GL_INVALID_OPERATION);
    h.source(GL_RGBA8I);
    CHECK(h.copy(GL_RGB8I) == GL_NO_ERROR);
    CHECK(h.copy(GL_RGB8UI) == GL_INVALID_OPERATION);
    h.source(GL_R8);
    for (const GLenum refused : {GL_R8_SNORM, GL_RGB8_SNORM, GL_SRGB8, GL_RGB32F, GL_RGB9_E5, GL_R16F})
        CHECK(h.copy(refused) == GL_INVALID_OPERATION);
    CHECK(h.copy(GL_R8) == GL_NO_ERROR);
    CHECK(h.copy(GL_COMPRESSED_RGB8_ETC2) == GL_INVALID_ENUM);
    CHECK(h.copy(GL_DEPTH_COMPONENT16) == GL_INVALID_ENUM);
}

TEST_CASE("CopyTexImage2D: unsized formats get up to 8 bits a component") {
    Images h;
    h.source(GL_RGB10_A2);
    for (const GLenum refused : {GL_RGB, GL_RGBA, GL_LUMINANCE, GL_ALPHA})
        CHECK(h.copy(refused) == GL_INVALID_OPERATION);
    CHECK(h.copy(GL_RGB10_A2) == GL_NO_ERROR);
    h.source(GL_RGB565);
    CHECK(h.copy(GL_RGB) == GL_NO_ERROR);
}

TEST_CASE("signed numbers are read as signed") {
    Images h;
    h.source(GL_RGBA8_SNORM);
    CHECK(h.read(GL_BYTE) == GL_NO_ERROR);
    CHECK(h.read(GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
}

TEST_CASE("unsized float formats are not renderable") {
    Images h;
    BindTexture(h.ctx, GL_TEXTURE_2D, h.textures[0]);
    TexImage2D(h.ctx, GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_FLOAT, nullptr);
    FramebufferTexture2D(h.ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, h.textures[0], 0);
    CHECK(CheckFramebufferStatus(h.ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    TexImage2D(h.ctx, GL_TEXTURE_2D, 0, GL_RGBA32F, 4, 4, 0, GL_RGBA, GL_FLOAT, nullptr);
    CHECK(CheckFramebufferStatus(h.ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("TexImage2D refuses compressed formats, CompressedTexSubImage2D refuses others") {
    Images h;
    const uint8_t block[16] = {};
    BindTexture(h.ctx, GL_TEXTURE_2D, h.textures[0]);
    h.fails(GL_INVALID_VALUE, [&] {
        TexImage2D(h.ctx, GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 0, GL_RGB, GL_UNSIGNED_BYTE,
                   block);
    });
    CompressedTexImage2D(h.ctx, GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 0, 8, block);
    CHECK(h.error() == GL_NO_ERROR);
    const auto change = [&](GLenum format) {
        CompressedTexSubImage2D(h.ctx, GL_TEXTURE_2D, 0, 0, 0, 4, 4, format, 8, block);
    };
    h.fails(GL_INVALID_OPERATION, [&] { change(GL_RGB); });
    h.fails(GL_INVALID_ENUM, [&] { change(GL_TEXTURE_2D); });
}

TEST_CASE("FramebufferTexture: names, levels and buffer textures") {
    Images h(test::es31());
    const auto attach = [&](GLuint t, GLint level) {
        FramebufferTexture(h.ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, level);
    };
    h.fails(GL_INVALID_VALUE, [&] { attach(77, 0); });
    BindTexture(h.ctx, GL_TEXTURE_3D, h.textures[0]);
    TexStorage3D(h.ctx, GL_TEXTURE_3D, 2, GL_RGBA8, 4, 4, 4);
    h.fails(GL_INVALID_VALUE, [&] { attach(h.textures[0], 2); });
    attach(h.textures[0], 1);
    CHECK(h.error() == GL_NO_ERROR);
    BindTexture(h.ctx, GL_TEXTURE_BUFFER, h.textures[1]);
    h.fails(GL_INVALID_OPERATION, [&] { attach(h.textures[1], 0); });
}

TEST_CASE("textures report their compatibility class for images") {
    Images h;
    BindTexture(h.ctx, GL_TEXTURE_2D, h.textures[0]);
    GLint type = 0;
    GetTexParameteriv(h.ctx, GL_TEXTURE_2D, GL_IMAGE_FORMAT_COMPATIBILITY_TYPE, &type);
    CHECK(type == GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE);
}
