// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Framebuffers in OpenGL ES 3.0: separate framebuffers for reading and drawing, layers, blits, clears of one
// buffer, queries, reads of every kind of number, samples.
#include <cstring>

#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;
using Bytes = std::vector<uint8_t>;

namespace {

/// A framebuffer with a renderbuffer or texture of this format.
struct Target {
    Target(Fixture& f, GLenum format, GLsizei w = 4, GLsizei h = 4, GLsizei samples = 0) {
        GenRenderbuffers(f.gl(), 1, &renderbuffer);
        BindRenderbuffer(f.gl(), GL_RENDERBUFFER, renderbuffer);
        RenderbufferStorageMultisample(f.gl(), GL_RENDERBUFFER, samples, format, w, h);
        name = f.framebuffer();
        FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
        REQUIRE(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
        REQUIRE(f.error() == GLenum(GL_NO_ERROR));
    }
    GLuint name = 0, renderbuffer = 0;
};

Bytes read(Fixture& f, GLenum format = GL_RGBA, GLenum type = GL_UNSIGNED_BYTE, GLint x = 0, GLint y = 0,
           size_t size_B = 4) {
    Bytes b(size_B);
    ReadPixels(f.gl(), x, y, 1, 1, format, type, b.data());
    return b;
}

GLint parameter(Fixture& f, GLenum attachment, GLenum pname) {
    GLint v = -1;
    GetFramebufferAttachmentParameteriv(f.gl(), GL_DRAW_FRAMEBUFFER, attachment, pname, &v);
    return v;
}

}  // namespace

TEST_CASE("drawing and reading have separate framebuffers") {
    Fixture30 f;
    const Target a(f, GL_RGBA8), b(f, GL_RGBA8);
    BindFramebuffer(f.gl(), GL_DRAW_FRAMEBUFFER, a.name);
    ClearColor(f.gl(), 1, 0, 0, 1);
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    CHECK(read(f) == Bytes{0, 0, 0, 0});
    BindFramebuffer(f.gl(), GL_READ_FRAMEBUFFER, a.name);
    CHECK(read(f) == Bytes{255, 0, 0, 255});
    ReadBuffer(f.gl(), GL_NONE);
    read(f);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    ReadBuffer(f.gl(), GL_COLOR_ATTACHMENT1);
    read(f);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));  // nothing is attached there
    ReadBuffer(f.gl(), GL_BACK);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    ReadBuffer(f.gl(), GL_FRONT);
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
    DeleteFramebuffers(f.gl(), 1, &a.name);
    CHECK_FALSE(f.gl().read_framebuffer);
    CHECK_FALSE(f.gl().framebuffer);
    Fixture old;
    BindFramebuffer(old.gl(), GL_READ_FRAMEBUFFER, 0);
    CHECK(old.error() == GLenum(GL_INVALID_ENUM));
}

TEST_CASE("layers of arrays and 3D textures are rendered to") {
    Fixture30 f;
    const GLuint t = f.texture(GL_TEXTURE_2D_ARRAY);
    TexStorage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 2, 2, 3);
    f.framebuffer();
    FramebufferTextureLayer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 0, 2);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
    ClearColor(f.gl(), 0, 1, 0, 1);
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    CHECK(read(f) == Bytes{0, 255, 0, 255});
    CHECK(f.texel(t, 0, 0, 0, 0, 2) == Bytes{0, 255, 0, 255});
    CHECK(f.texel(t, 0, 0, 0, 0, 1) == Bytes{0, 0, 0, 0});
    CHECK(parameter(f, GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER) == 2);
    FramebufferTextureLayer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 0, 3);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT));
    FramebufferTextureLayer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 0, -1);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    const GLuint flat = f.texture();
    FramebufferTextureLayer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, flat, 0, 0);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
}

TEST_CASE("a slice of a 3D texture is rendered to (OES_texture_3D)") {
    Fixture30 f;
    const GLuint t = f.texture(GL_TEXTURE_3D), flat = f.texture();
    TexStorage3D(f.gl(), GL_TEXTURE_3D, 1, GL_RGBA8, 2, 2, 3);
    f.framebuffer();
    const auto attach = [&](GLenum textarget, GLuint texture, GLint slice) {
        FramebufferTexture3D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, textarget, texture, 0, slice);
        return f.error();
    };
    CHECK(attach(GL_TEXTURE_3D, t, 1) == GLenum(GL_NO_ERROR));
    ClearColor(f.gl(), 0, 1, 0, 1);
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    CHECK(read(f) == Bytes{0, 255, 0, 255});
    CHECK(f.texel(t, 0, 0, 0, 0, 1) == Bytes{0, 255, 0, 255});
    CHECK(f.texel(t, 0, 0, 0, 0, 0) == Bytes{0, 0, 0, 0});
    CHECK(attach(GL_TEXTURE_2D, t, 1) == GLenum(GL_INVALID_OPERATION));
    CHECK(attach(GL_TEXTURE_3D, flat, 0) == GLenum(GL_INVALID_OPERATION));
    CHECK(attach(GL_TEXTURE_3D, t, -1) == GLenum(GL_INVALID_VALUE));
    CHECK(attach(GL_TEXTURE_3D, 0, 0) == GLenum(GL_NO_ERROR));
    CHECK(parameter(f, GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_NONE);
}

TEST_CASE("formats with ten bits are renderable only with their sized name") {
    Fixture30 f;
    for (const GLenum name : {GLenum(GL_RGB10_A2), GLenum(GL_RGBA)}) {
        GLuint t = 0;
        GenTextures(f.gl(), 1, &t);
        BindTexture(f.gl(), GL_TEXTURE_2D, t);
        TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GLint(name), 4, 4, 0, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV,
                   nullptr);
        f.framebuffer();
        FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
        CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) ==
              GLenum(name == GL_RGBA ? GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT : GL_FRAMEBUFFER_COMPLETE));
        CHECK(f.error() == GLenum(GL_NO_ERROR));
    }
}

TEST_CASE("with attachments of different sizes the framebuffer is their intersection") {
    Fixture30 f;
    const Target a(f, GL_RGBA8, 8, 2);
    GLuint depth = f.renderbuffer(GL_DEPTH24_STENCIL8, 4, 4);
    FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
    const FramebufferInfo info = bound_framebuffer_info(f.gl());
    CHECK(info.width_px == 4);
    CHECK(info.height_px == 2);
    CHECK(info.stencil_bits == 8);
    CHECK(parameter(f, GL_DEPTH_STENCIL_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) == GLint(depth));
    CHECK(parameter(f, GL_DEPTH_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE) == 24);
    FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, 0);
    parameter(f, GL_DEPTH_STENCIL_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    parameter(f, GL_STENCIL_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + 31, GL_RENDERBUFFER, depth);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
}

TEST_CASE("the default framebuffer has attachments BACK, DEPTH and STENCIL") {
    Fixture30 f;
    CHECK(parameter(f, GL_BACK, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_FRAMEBUFFER_DEFAULT);
    CHECK(parameter(f, GL_BACK, GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE) == 8);
    CHECK(parameter(f, GL_BACK, GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE) == GL_UNSIGNED_NORMALIZED);
    CHECK(parameter(f, GL_BACK, GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING) == GL_LINEAR);
    CHECK(parameter(f, GL_DEPTH, GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE) == 24);
    CHECK(parameter(f, GL_STENCIL, GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE) == GL_UNSIGNED_INT);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    parameter(f, GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE);
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
    Fixture old;
    parameter(old, GL_BACK, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE);
    CHECK(old.error() == GLenum(GL_INVALID_ENUM));
}

TEST_CASE("ClearBuffer* clears one buffer to values of its kind, deferred like Clear") {
    Fixture30 f;
    const Target a(f, GL_RGBA8);
    const GLuint ints = f.renderbuffer(GL_R32I, 4, 4);
    FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER, ints);
    const GLenum both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    DrawBuffers(f.gl(), 2, both);
    const GLfloat blue[4] = {0, 0, 1, 1};
    const GLint value[4] = {-5, 0, 0, 0};
    ClearBufferfv(f.gl(), GL_COLOR, 0, blue);
    ClearBufferiv(f.gl(), GL_COLOR, 1, value);
    CHECK(read(f) == Bytes{0, 0, 255, 255});
    REQUIRE(f.c().passes.size() == 1);
    CHECK(f.c().passes[0].clear_color[1].i[0] == -5);
    CHECK(f.c().passes[0].color[0].load == pipe::LoadOp::Clear);
    CHECK(f.c().passes[0].color[1].load == pipe::LoadOp::Clear);
    ClearBufferfv(f.gl(), GL_COLOR, 8, blue);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    ClearBufferfv(f.gl(), GL_STENCIL, 0, blue);
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
    ClearBufferfi(f.gl(), GL_DEPTH_STENCIL, 1, 0, 0);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    ClearBufferuiv(f.gl(), GL_DEPTH, 0, nullptr);
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
    // A buffer that is not a draw buffer is not cleared.
    const GLenum none = GL_NONE;
    DrawBuffers(f.gl(), 1, &none);
    const GLfloat white[4] = {1, 1, 1, 1};
    ClearBufferfv(f.gl(), GL_COLOR, 0, white);
    CHECK(read(f) == Bytes{0, 0, 255, 255});
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}

TEST_CASE("blits scale, mirror and convert, inside the scissor") {
    Fixture30 f;
    const Target a(f, GL_RGBA8, 2, 1), b(f, GL_RGB565, 4, 2);
    BindFramebuffer(f.gl(), GL_FRAMEBUFFER, a.name);
    Enable(f.gl(), GL_SCISSOR_TEST);
    Scissor(f.gl(), 0, 0, 1, 1);
    ClearColor(f.gl(), 1, 0, 0, 1);
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    Disable(f.gl(), GL_SCISSOR_TEST);
    BindFramebuffer(f.gl(), GL_DRAW_FRAMEBUFFER, b.name);
    BlitFramebuffer(f.gl(), 0, 0, 2, 1, 4, 0, 0, 2, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    REQUIRE(f.error() == GLenum(GL_NO_ERROR));
    BindFramebuffer(f.gl(), GL_READ_FRAMEBUFFER, b.name);
    CHECK(read(f, GL_RGBA, GL_UNSIGNED_BYTE, 3, 1) == Bytes{255, 0, 0, 255});
    CHECK(read(f, GL_RGBA, GL_UNSIGNED_BYTE, 1, 1) == Bytes{0, 0, 0, 255});
    // Errors: onto itself, to another kind of format, with an unknown mask.
    BlitFramebuffer(f.gl(), 0, 0, 2, 1, 0, 0, 2, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    const Target ints(f, GL_R8UI);
    BindFramebuffer(f.gl(), GL_READ_FRAMEBUFFER, b.name);
    BlitFramebuffer(f.gl(), 0, 0, 2, 1, 0, 0, 2, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    BlitFramebuffer(f.gl(), 0, 0, 2, 1, 0, 0, 2, 1, GL_DEPTH_BUFFER_BIT, GL_LINEAR);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    BlitFramebuffer(f.gl(), 0, 0, 2, 1, 0, 0, 2, 1, 1, GL_NEAREST);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    BlitFramebuffer(f.gl(), 0, 0, 2, 1, 0, 0, 2, 1, GL_COLOR_BUFFER_BIT, GL_REPEAT);
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
    BindFramebuffer(f.gl(), GL_DRAW_FRAMEBUFFER, a.name);
    BlitFramebuffer(f.gl(), INT32_MIN, 0, INT32_MAX, 1, 0, 0, 2, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
}

TEST_CASE("samples: which formats support them, and how a blit treats them") {
    Fixture30 f;
    const Target one(f, GL_RGBA8, 2, 2), four(f, GL_RGBA8, 2, 2, 3);
    CHECK(f.gl().renderbuffer->samples == 4);
    CHECK(f.gl().renderbuffer->resource->desc.samples == 4);
    GLint samples = 0;
    GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &samples);
    CHECK(samples == 4);
    read(f);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));  // needs a resolve first
    BindFramebuffer(f.gl(), GL_DRAW_FRAMEBUFFER, one.name);
    BlitFramebuffer(f.gl(), 0, 0, 2, 2, 0, 0, 2, 2, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    BlitFramebuffer(f.gl(), 0, 0, 2, 2, 2, 0, 0, 2, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    BindFramebuffer(f.gl(), GL_FRAMEBUFFER, four.name);
    FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER, one.renderbuffer);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE));
    RenderbufferStorageMultisample(f.gl(), GL_RENDERBUFFER, 5, GL_RGBA8, 2, 2);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    RenderbufferStorageMultisample(f.gl(), GL_RENDERBUFFER, 2, GL_R8UI, 2, 2);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    RenderbufferStorageMultisample(f.gl(), GL_RENDERBUFFER, 1, GL_R8UI, 2, 2);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    RenderbufferStorageMultisample(f.gl(), GL_RENDERBUFFER, -1, GL_RGBA8, 2, 2);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    // One sample differs from "no samples": otherwise it would match attachments of textures.
    RenderbufferStorageMultisample(f.gl(), GL_RENDERBUFFER, 1, GL_RGBA8, 2, 2);
    CHECK(f.gl().renderbuffer->samples == 2);
    RenderbufferStorageMultisample(f.gl(), GL_RENDERBUFFER, 0, GL_RGBA8, 2, 2);
    CHECK(f.gl().renderbuffer->samples == 1);
}

TEST_CASE("samples: a device that has no 2 samples gives 4, and says so") {
    Fixture30 f;
    f.screen.least_samples = 4;
    const Target two(f, GL_RGBA8, 2, 2, 2);
    CHECK(f.gl().renderbuffer->samples == 4);
    CHECK(f.gl().renderbuffer->resource->desc.samples == 4);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
    GLint counts[3] = {-1, -1, -1};
    GetInternalformativ(f.gl(), GL_RENDERBUFFER, GL_RGBA8, GL_NUM_SAMPLE_COUNTS, 1, counts);
    CHECK(counts[0] == 1);
    GetInternalformativ(f.gl(), GL_RENDERBUFFER, GL_RGBA8, GL_SAMPLES, 3, counts);
    CHECK(counts[0] == 4);
    CHECK(counts[1] == -1);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}

TEST_CASE("reads return each plane's kind of numbers, and its bits") {
    struct Row {
        GLenum format, read_format, read_type;
        bool allowed;
    };
    const Row rows[] = {
        {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true},
        {GL_RGBA8, GL_RGBA, GL_FLOAT, false},
        {GL_RGBA8, GL_RGBA_INTEGER, GL_UNSIGNED_INT, false},
        {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_BYTE, true},
        {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, true},
        {GL_R8UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, true},
        {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, true},
        {GL_R8UI, GL_RGBA_INTEGER, GL_INT, false},
        {GL_R8UI, GL_RGBA, GL_UNSIGNED_BYTE, false},
        {GL_RG32I, GL_RGBA_INTEGER, GL_INT, true},
        {GL_RG32I, GL_RG_INTEGER, GL_INT, true},
        {GL_R11F_G11F_B10F, GL_RGBA, GL_FLOAT, true},
        {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, true},
        {GL_RGBA16F, GL_RGBA, GL_UNSIGNED_BYTE, false},
        {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, true},
    };
    for (const Row& r : rows) {
        CAPTURE(r.format);
        CAPTURE(r.read_type);
        Fixture30 f;
        const Target t(f, r.format, 1, 1);
        read(f, r.read_format, r.read_type, 0, 0, 16);
        CHECK(f.error() == GLenum(r.allowed ? GL_NO_ERROR : GL_INVALID_OPERATION));
        GLenum format = 0, type = 0;
        REQUIRE(color_read_format(f.gl(), &format, &type));
        read(f, format, type, 0, 0, 16);
        CHECK(f.error() == GLenum(GL_NO_ERROR));
    }
    // Bits of sRGB are returned unchanged.
    Fixture30 f;
    const GLuint t = f.texture();
    const uint8_t texel[4] = {100, 50, 25, 200};
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    f.framebuffer();
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    CHECK(read(f) == Bytes{100, 50, 25, 200});
}

TEST_CASE("ReadPixels packs into a buffer, with every pack parameter") {
    Fixture30 f;
    ClearColor(f.gl(), 1, 1, 0, 1);
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    const Bytes zeros(64);
    f.buffer(GL_PIXEL_PACK_BUFFER, 64, zeros.data());
    PixelStorei(f.gl(), GL_PACK_ROW_LENGTH, 3);
    PixelStorei(f.gl(), GL_PACK_SKIP_ROWS, 1);
    PixelStorei(f.gl(), GL_PACK_SKIP_PIXELS, 1);
    ReadPixels(f.gl(), 0, 0, 1, 2, GL_RGBA, GL_UNSIGNED_BYTE, reinterpret_cast<void*>(4));
    REQUIRE(f.error() == GLenum(GL_NO_ERROR));
    const auto* p =
        static_cast<const uint8_t*>(MapBufferRange(f.gl(), GL_PIXEL_PACK_BUFFER, 0, 64, GL_MAP_READ_BIT));
    REQUIRE(p);
    const Bytes got(p, p + 64);
    UnmapBuffer(f.gl(), GL_PIXEL_PACK_BUFFER);
    Bytes expected(64);
    for (size_t at : {4 + 12 + 4, 4 + 24 + 4})
        for (size_t i : {0, 1, 3})
            expected[at + i] = 255;
    CHECK(got == expected);
    ReadPixels(f.gl(), 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));  // does not fit into the buffer
}

TEST_CASE("invalidated attachments are not stored; partial invalidation has no effect") {
    Fixture30 f;
    const GLenum color = GL_COLOR, depth = GL_DEPTH;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    InvalidateSubFramebuffer(f.gl(), GL_FRAMEBUFFER, 1, &depth, 0, 0, 4, 4);
    InvalidateFramebuffer(f.gl(), GL_DRAW_FRAMEBUFFER, 1, &color);
    end_rendering(f.gl());
    REQUIRE(f.c().passes.size() == 1);
    CHECK(f.c().passes[0].depth_stencil.load == pipe::LoadOp::Clear);
    CHECK(f.c().passes[0].color[0].load != pipe::LoadOp::Clear);
    const GLenum attachment = GL_COLOR_ATTACHMENT0 + 30;
    f.framebuffer();
    InvalidateFramebuffer(f.gl(), GL_FRAMEBUFFER, 1, &attachment);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    InvalidateSubFramebuffer(f.gl(), GL_FRAMEBUFFER, 1, &depth, 0, 0, -1, 4);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
}
