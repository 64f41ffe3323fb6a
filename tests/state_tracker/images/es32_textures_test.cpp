// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures of OpenGL ES 3.2, which contexts of 3.1 support by extensions: borders, buffer textures, cube map
// arrays, multisampled arrays, stencil.
#include <doctest/doctest.h>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/images/texture.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct Textures32 : test::Harness {
    explicit Textures32(const ContextConfig& c = test::es31()) : Harness(c) { GenTextures(ctx, 3, textures); }
    GLuint textures[3] = {};
    template <class F>
    GLenum error_of(F&& f) {
        f();
        return error();
    }
    GLint level(GLenum target, GLenum pname) {
        GLint v = -77;
        GetTexLevelParameteriv(ctx, target, 0, pname, &v);
        return v;
    }
};

}  // namespace

TEST_CASE("borders are floats or integers, and are read in the form they were set") {
    Textures32 h;
    BindTexture(h.ctx, GL_TEXTURE_2D, h.textures[0]);
    constexpr GLenum kBorder = GL_TEXTURE_BORDER_COLOR;
    const GLfloat floats[] = {0.5f, -1, 2, 1};
    TexParameterfv(h.ctx, GL_TEXTURE_2D, kBorder, floats);
    GLfloat f[4] = {};
    GetTexParameterfv(h.ctx, GL_TEXTURE_2D, kBorder, f);
    CHECK(std::equal(f, f + 4, floats));
    GLint i[4] = {};
    GetTexParameteriv(h.ctx, GL_TEXTURE_2D, kBorder, i);
    CHECK(i[0] == 1073741824);  // half of the largest integer, rounded
    CHECK(i[1] == -2147483647);
    CHECK(i[3] == 2147483647);
    const GLint fixed[] = {2147483647, -2147483647, 0, 0};
    TexParameteriv(h.ctx, GL_TEXTURE_2D, kBorder, fixed);
    GetTexParameterfv(h.ctx, GL_TEXTURE_2D, kBorder, f);
    CHECK(f[0] == 1);
    CHECK(f[1] == -1);
    const GLint integers[] = {-5, 7, INT32_MIN, 9};
    TexParameterIiv(h.ctx, GL_TEXTURE_2D, kBorder, integers);
    GetTexParameterIiv(h.ctx, GL_TEXTURE_2D, kBorder, i);
    CHECK(std::equal(i, i + 4, integers));
    GLuint sampler = 0;
    GenSamplers(h.ctx, 1, &sampler);
    const GLuint words[] = {4000000000u, 1, 2, 3};
    SamplerParameterIuiv(h.ctx, sampler, kBorder, words);
    GLuint u[4] = {};
    GetSamplerParameterIuiv(h.ctx, sampler, kBorder, u);
    CHECK(std::equal(u, u + 4, words));
    const GLint wrap = GL_CLAMP_TO_BORDER;
    TexParameterIiv(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, &wrap);
    SamplerParameteri(h.ctx, sampler, GL_TEXTURE_WRAP_T, GL_MIRROR_CLAMP_TO_EDGE_EXT);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(bound_texture(h.ctx, TextureTarget::Tex2D).params.wrap_s == GL_CLAMP_TO_BORDER);
    CHECK(h.error_of([&] { TexParameterf(h.ctx, GL_TEXTURE_2D, kBorder, 1); }) == GL_INVALID_ENUM);
    CHECK(h.error_of([&] { TexParameterIiv(h.ctx, GL_TEXTURE_BUFFER, kBorder, integers); }) ==
          GL_INVALID_ENUM);
    CHECK(h.error_of([&] {
        TexParameteri(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
    }) == GL_NO_ERROR);
    CHECK(h.error_of([&] { TexParameteri(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_NEAREST); }) ==
          GL_INVALID_ENUM);
}

TEST_CASE("contexts of OpenGL ES 2.0 support borders") {
    Textures32 h{ContextConfig{}};
    REQUIRE(h.ctx.config.version == 20);
    BindTexture(h.ctx, GL_TEXTURE_2D, h.textures[0]);
    const GLfloat border[] = {0.5f, 0, 1, 1};
    TexParameterfv(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
    TexParameteri(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    GLfloat f[4] = {};
    GetTexParameterfv(h.ctx, GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, f);
    CHECK(std::equal(f, f + 4, border));
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(bound_texture(h.ctx, TextureTarget::Tex2D).params.wrap_s == GL_CLAMP_TO_BORDER);
    const GLint words[] = {1, 2, 3, 4};
    CHECK(h.error_of([&] { SamplerParameterIiv(h.ctx, 1, GL_TEXTURE_BORDER_COLOR, words); }) ==
          GL_INVALID_OPERATION);  // there are no sampler objects
    const auto* list = reinterpret_cast<const char*>(GetString(h.ctx, GL_EXTENSIONS));
    CHECK(std::string_view(list).find("GL_OES_texture_border_clamp") != std::string_view::npos);
}

TEST_CASE("buffer textures") {
    Textures32 h;
    constexpr GLenum kTarget = GL_TEXTURE_BUFFER;
    GLuint buffers[2] = {};
    GenBuffers(h.ctx, 2, buffers);
    BindBuffer(h.ctx, kTarget, buffers[0]);
    CHECK(h.integer(GL_TEXTURE_BUFFER_BINDING) == GLint(buffers[0]));
    BufferData(h.ctx, kTarget, 100, nullptr, GL_STATIC_DRAW);
    BindTexture(h.ctx, kTarget, h.textures[0]);
    CHECK(h.integer(GL_TEXTURE_BINDING_BUFFER) == GLint(h.textures[0]));
    TexBuffer(h.ctx, kTarget, GL_RGBA8UI, buffers[0]);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.level(kTarget, GL_TEXTURE_WIDTH) == 25);
    CHECK(h.level(kTarget, GL_TEXTURE_INTERNAL_FORMAT) == GL_RGBA8UI);
    CHECK(h.level(kTarget, GL_TEXTURE_BUFFER_DATA_STORE_BINDING) == GLint(buffers[0]));
    CHECK(h.level(kTarget, GL_TEXTURE_BUFFER_OFFSET) == 0);
    CHECK(h.level(kTarget, GL_TEXTURE_BUFFER_SIZE) == 100);
    TexBufferRange(h.ctx, kTarget, GL_R32F, buffers[0], 64, 30);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.level(kTarget, GL_TEXTURE_WIDTH) == 7);
    CHECK(h.level(kTarget, GL_TEXTURE_BUFFER_OFFSET) == 64);
    const auto range = [&](GLenum format, GLuint buffer, GLintptr offset, GLsizeiptr size) {
        TexBufferRange(h.ctx, kTarget, format, buffer, offset, size);
        return h.error();
    };
    CHECK(range(GL_RGB8, buffers[0], 0, 16) == GL_INVALID_ENUM);
    CHECK(range(GL_RGBA8, 999, 0, 16) == GL_INVALID_OPERATION);
    CHECK(range(GL_RGBA8, buffers[0], -16, 16) == GL_INVALID_VALUE);
    CHECK(range(GL_RGBA8, buffers[0], 0, 0) == GL_INVALID_VALUE);
    CHECK(range(GL_RGBA8, buffers[0], 96, 16) == GL_INVALID_VALUE);
    CHECK(range(GL_RGBA8, buffers[0], 4, 16) == GL_INVALID_VALUE);  // the offset is not aligned
    CHECK(h.error_of([&] { TexBuffer(h.ctx, GL_TEXTURE_2D, GL_RGBA8, buffers[0]); }) == GL_INVALID_ENUM);
    CHECK(h.error_of([&] { GenerateMipmap(h.ctx, kTarget); }) == GL_INVALID_ENUM);
    CHECK(h.error_of([&] { TexParameteri(h.ctx, kTarget, GL_TEXTURE_MIN_FILTER, GL_NEAREST); }) ==
          GL_INVALID_ENUM);
    CHECK(h.level(kTarget, GL_TEXTURE_BUFFER_OFFSET) == 64);  // errors changed nothing
    CHECK(h.error_of([&] {
        BindImageTexture(h.ctx, 0, h.textures[0], 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32F);
    }) == GL_NO_ERROR);
    // The texture keeps its buffer after the buffer's name is deleted.
    const pipe::Ref<Buffer> kept = bound_texture(h.ctx, TextureTarget::Buffer).texels.buffer;
    DeleteBuffers(h.ctx, 1, buffers);
    CHECK(bound_texture(h.ctx, TextureTarget::Buffer).texels.buffer == kept);
    TexBuffer(h.ctx, kTarget, GL_RGBA8, 0);
    CHECK(h.level(kTarget, GL_TEXTURE_BUFFER_DATA_STORE_BINDING) == 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("cube map arrays and multisampled arrays") {
    Textures32 h;
    constexpr GLenum kCubes = GL_TEXTURE_CUBE_MAP_ARRAY, kSamples = GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    BindTexture(h.ctx, kCubes, h.textures[0]);
    const auto image = [&](GLsizei width, GLsizei height, GLsizei depth) {
        TexImage3D(h.ctx, kCubes, 0, GL_RGBA8, width, height, depth, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        return h.error();
    };
    CHECK(image(8, 8, 12) == GL_NO_ERROR);
    CHECK(image(8, 4, 12) == GL_INVALID_VALUE);
    CHECK(image(8, 8, 7) == GL_INVALID_VALUE);
    CHECK(h.level(kCubes, GL_TEXTURE_DEPTH) == 12);
    const Texture& t = bound_texture(h.ctx, TextureTarget::CubeArray);
    CHECK(t.image(0, 0)->resource->desc.kind == pipe::ResourceKind::CubeArray);
    CHECK(t.image(0, 0)->resource->desc.layers == 12);
    GenerateMipmap(h.ctx, kCubes);
    CHECK(h.error() == GL_NO_ERROR);
    BindTexture(h.ctx, kCubes, h.textures[1]);
    TexStorage3D(h.ctx, kCubes, 2, GL_RGBA8, 4, 4, 9);
    CHECK(h.error() == GL_INVALID_VALUE);
    TexStorage3D(h.ctx, kCubes, 2, GL_DEPTH_COMPONENT16, 4, 4, 6);
    CHECK(h.error() == GL_NO_ERROR);
    BindTexture(h.ctx, kSamples, h.textures[2]);
    TexStorage3DMultisample(h.ctx, kSamples, 4, GL_RGBA8, 8, 8, 3, GL_TRUE);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.level(kSamples, GL_TEXTURE_SAMPLES) == 4);
    CHECK(h.level(kSamples, GL_TEXTURE_DEPTH) == 3);
    GLuint f = 0;
    GenFramebuffers(h.ctx, 1, &f);
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, f);
    FramebufferTextureLayer(h.ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, h.textures[2], 0, 2);
    CHECK(CheckFramebufferStatus(h.ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    FramebufferTextureLayer(h.ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, 0, 0, 0);
    FramebufferTextureLayer(h.ctx, GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, h.textures[1], 1, 5);
    CHECK(CheckFramebufferStatus(h.ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(h.error() == GL_NO_ERROR);
    Textures32 old(test::es3());
    CHECK(old.error_of([&] { BindTexture(old.ctx, kCubes, old.textures[0]); }) == GL_INVALID_ENUM);
    CHECK(old.error_of([&] {
        TexImage3D(old.ctx, kCubes, 0, GL_RGBA8, 8, 8, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    }) == GL_INVALID_ENUM);
}

TEST_CASE("stencil textures") {
    Textures32 h;
    BindTexture(h.ctx, GL_TEXTURE_2D, h.textures[0]);
    TexImage2D(h.ctx, GL_TEXTURE_2D, 0, GL_STENCIL_INDEX8, 4, 4, 0, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE,
               nullptr);
    CHECK(h.error() == GL_NO_ERROR);
    const Texture& t = bound_texture(h.ctx, TextureTarget::Tex2D);
    CHECK(shows_stencil(t, 0));
    SamplerParams linear;
    CHECK(broken_filter_rule(h.ctx, t, linear) != nullptr);
    linear.min_filter = linear.mag_filter = GL_NEAREST;
    CHECK(broken_filter_rule(h.ctx, t, linear) == nullptr);
    BindTexture(h.ctx, GL_TEXTURE_2D, h.textures[1]);
    TexStorage2D(h.ctx, GL_TEXTURE_2D, 1, GL_DEPTH24_STENCIL8, 4, 4);
    CHECK(!shows_stencil(bound_texture(h.ctx, TextureTarget::Tex2D), 0));
    TexParameteri(h.ctx, GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
    CHECK(shows_stencil(bound_texture(h.ctx, TextureTarget::Tex2D), 0));
    Textures32 old(test::es3());
    BindTexture(old.ctx, GL_TEXTURE_2D, old.textures[0]);
    CHECK(old.error_of([&] { TexStorage2D(old.ctx, GL_TEXTURE_2D, 1, GL_STENCIL_INDEX8, 4, 4); }) ==
          GL_INVALID_ENUM);
}
