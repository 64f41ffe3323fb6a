// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ReadPixels, ReadnPixels, CopyTexImage2D and CopyTexSubImage2D: the pixels that they read, and what stays
// unchanged.
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;
using Bytes = std::vector<uint8_t>;

namespace {

/// A framebuffer object on a texture of w x h whose texel (x, y) is (16x, 16y, 7, 128).
GLuint gradient(Fixture& f, GLsizei w, GLsizei h, GLenum format = GL_RGBA) {
    Bytes p;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            p.insert(p.end(), {uint8_t(16 * x), uint8_t(16 * y), 7});
            if (format == GL_RGBA) p.push_back(128);
        }
    GLuint t = f.texture();
    PixelStorei(f.gl(), GL_UNPACK_ALIGNMENT, 1);
    f.image(0, w, h, p.data(), format);
    f.framebuffer();
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    return t;
}

Bytes read(Fixture& f, GLint x, GLint y, GLsizei w, GLsizei h, GLenum format, GLenum type, size_t size) {
    Bytes out(size, 0xee);
    ReadPixels(f.gl(), x, y, w, h, format, type, out.data());
    return out;
}

const ErrorRow kRows[] = {
    {"format", GL_INVALID_ENUM, [](Fixture& f) { read(f, 0, 0, 1, 1, 0, GL_UNSIGNED_BYTE, 4); }},
    {"type", GL_INVALID_ENUM, [](Fixture& f) { read(f, 0, 0, 1, 1, GL_RGBA, 0, 4); }},
    {"width", GL_INVALID_VALUE, [](Fixture& f) { read(f, 0, 0, -1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4); }},
    {"height", GL_INVALID_VALUE, [](Fixture& f) { read(f, 0, 0, 1, -1, GL_RGBA, GL_UNSIGNED_BYTE, 4); }},
    {"565 of RGBA", GL_INVALID_OPERATION,
     [](Fixture& f) { read(f, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_SHORT_5_6_5, 4); }},
    {"4444 of RGB", GL_INVALID_OPERATION,
     [](Fixture& f) { read(f, 0, 0, 1, 1, GL_RGB, GL_UNSIGNED_SHORT_4_4_4_4, 4); }},
    {"LUMINANCE_ALPHA", GL_INVALID_OPERATION,
     [](Fixture& f) { read(f, 0, 0, 1, 1, GL_LUMINANCE_ALPHA, GL_UNSIGNED_SHORT_4_4_4_4, 4); }},
    {"ALPHA bytes", GL_INVALID_OPERATION,
     [](Fixture& f) { read(f, 0, 0, 1, 1, GL_ALPHA, GL_UNSIGNED_BYTE, 4); }},
    {"565 of a framebuffer that is not", GL_INVALID_OPERATION,
     [](Fixture& f) { read(f, 0, 0, 1, 1, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 4); }},
    {"incomplete framebuffer", GL_INVALID_FRAMEBUFFER_OPERATION,
     [](Fixture& f) { f.framebuffer(), read(f, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4); }},
    {"surfaceless", GL_INVALID_FRAMEBUFFER_OPERATION,
     [](Fixture& f) {
         f.gl().make_current(nullptr, nullptr), read(f, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4);
     }},
    {"framebuffer without colour", GL_INVALID_OPERATION,
     [](Fixture& f) {
         f.framebuffer();
         FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                 f.renderbuffer(GL_DEPTH_COMPONENT16, 4, 4));
         read(f, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4);
     }},
    {"nothing", GL_NO_ERROR, [](Fixture& f) { read(f, 0, 0, 0, 0, GL_RGBA, GL_UNSIGNED_BYTE, 4); }},
    {"null", GL_NO_ERROR,
     [](Fixture& f) { ReadPixels(f.gl(), 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr); }},
    {"far outside", GL_NO_ERROR,
     [](Fixture& f) { read(f, 0x7fffffff, -0x7fffffff, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4); }},
    {"ReadnPixels too small", GL_INVALID_OPERATION,
     [](Fixture& f) {
         uint8_t out[64];
         ReadnPixels(f.gl(), 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, 63, out);
     }},
    {"ReadnPixels negative", GL_INVALID_OPERATION,
     [](Fixture& f) {
         uint8_t out[64];
         ReadnPixels(f.gl(), 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, -1, out);
     }},
    {"ReadnPixels exact", GL_NO_ERROR,
     [](Fixture& f) {
         uint8_t out[64];
         ReadnPixels(f.gl(), 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, 64, out);
     }},
    {"ReadnPixels of more than an address space", GL_INVALID_OPERATION,
     [](Fixture& f) {
         uint8_t out[64];
         ReadnPixels(f.gl(), 0, 0, 0x7fffffff, 0x7fffffff, GL_RGBA, GL_UNSIGNED_BYTE, 64, out);
     }},
};

}  // namespace

TEST_CASE("ReadPixels: errors") {
    check_errors(kRows);
}

TEST_CASE("ReadPixels converts; the bottom row comes first") {
    Fixture f;
    gradient(f, 4, 4);
    CHECK(read(f, 1, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4) == Bytes{16, 32, 7, 128});
    CHECK(read(f, 1, 2, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_BYTE, 4) == Bytes{7, 32, 16, 128});
    CHECK(read(f, 0, 0, 1, 2, GL_RGBA, GL_UNSIGNED_BYTE, 8) == Bytes{0, 0, 7, 128, 0, 16, 7, 128});
    // A: 128/255 * 15 = 7.53, rounded to 8; R: 16/255 * 15 = 0.94: 1; G: 1.88: 2; B: 0.41: 0.
    CHECK(read(f, 1, 2, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT, 2) == Bytes{0x20, 0x81});
    GLenum format = 0, type = 0;
    CHECK(color_read_format(f.gl(), &format, &type));
    CHECK(format == GL_RGBA);
    CHECK(type == GL_UNSIGNED_BYTE);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}

TEST_CASE("the implementation's read format copies bits") {
    struct Row {
        GLenum storage, format, type;
    };
    const Row rows[] = {
        {GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5},     {GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4},
        {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1}, {GL_RGBA8_OES, GL_RGBA, GL_UNSIGNED_BYTE},
        {GL_RGB8_OES, GL_RGB, GL_UNSIGNED_BYTE},          {GL_BGRA_EXT, GL_BGRA_EXT, GL_UNSIGNED_BYTE},
    };
    for (const Row& r : rows) {
        CAPTURE(r.storage);
        Fixture f;
        f.framebuffer();
        FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                f.renderbuffer(r.storage, 2, 2));
        GLenum format = 0, type = 0;
        CHECK(color_read_format(f.gl(), &format, &type));
        CHECK(format == r.format);
        CHECK(type == r.type);
        f.gl().state.clear_color[0] = 1;
        f.gl().state.clear_color[3] = 1;
        Clear(f.gl(), GL_COLOR_BUFFER_BIT);
        const Bytes bits = read(f, 1, 1, 1, 1, format, type, 4);
        CHECK(f.error() == GLenum(GL_NO_ERROR));
        CHECK(read(f, 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4) == Bytes{255, 0, 0, 255});
        const pipe::Format layout = f.gl().renderbuffer->layout;
        if (pipe::format_info(layout).block_B == 2) {
            float rgba[4];
            pipe::unpack_rgba_f32(layout, rgba, bits.data(), 1);
            CHECK(rgba[0] == 1);
            CHECK(rgba[1] == 0);
        }
    }
    Fixture f;
    f.framebuffer();
    GLenum format, type;
    CHECK(!color_read_format(f.gl(), &format, &type));
}

TEST_CASE("pack alignment; pixels outside the framebuffer stay unchanged") {
    Fixture f;
    gradient(f, 4, 4);
    // A row has 3 pixels of 2 bytes and is padded to 8 bytes.
    PixelStorei(f.gl(), GL_PACK_ALIGNMENT, 8);
    Bytes out = read(f, 0, 0, 3, 2, GL_BGRA_EXT, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT, 16);
    CHECK(out[6] == 0xee);
    CHECK(out[7] == 0xee);
    CHECK(out[8] != 0xee);
    CHECK(out[14] == 0xee);
    PixelStorei(f.gl(), GL_PACK_ALIGNMENT, 4);
    out = read(f, -1, 3, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, 16);
    CHECK(Bytes(out.begin(), out.begin() + 4) == Bytes(4, 0xee));
    CHECK(Bytes(out.begin() + 4, out.begin() + 8) == Bytes{0, 48, 7, 128});
    CHECK(Bytes(out.begin() + 8, out.end()) == Bytes(8, 0xee));
}

TEST_CASE("reads see pending clears; surfaces without alpha read 1") {
    Fixture f(pipe::Format::B8G8R8X8_UNORM);
    f.gl().state.clear_color[2] = 1;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    CHECK(read(f, 15, 7, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4) == Bytes{0, 0, 255, 255});
    Fixture g;
    g.drawable->alpha_bits = 0;  // a config without alpha; the storage has alpha
    Clear(g.gl(), GL_COLOR_BUFFER_BIT);
    CHECK(read(g, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4) == Bytes{0, 0, 0, 255});
}

TEST_CASE("reads come from the read surface") {
    Fixture f;
    auto other = pipe::Ref<TestDrawable>::adopt(
        new TestDrawable(f.screen, pipe::Format::R8G8B8A8_UNORM, pipe::Format::None, 4, 4));
    f.gl().make_current(f.drawable, other);
    f.gl().state.clear_color[0] = 1;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    CHECK(read(f, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4) == Bytes{0, 0, 0, 0});
    CHECK(read(f, 8, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4) == Bytes(4, 0xee));
}

TEST_CASE("CopyTexImage2D to each format") {
    struct Row {
        GLenum format;
        Bytes texel;  // the texel for (16, 32, 7, 128)
    };
    const Row rows[] = {
        {GL_RGBA, {16, 32, 7, 128}},     {GL_RGB, {16, 32, 7, 255}}, {GL_LUMINANCE, {16}},
        {GL_LUMINANCE_ALPHA, {16, 128}}, {GL_ALPHA, {128}},
    };
    for (const Row& r : rows) {
        CAPTURE(r.format);
        Fixture f;
        gradient(f, 4, 4);
        GLuint t = f.texture();
        CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, r.format, 1, 1, 2, 2, 0);
        CHECK(f.error() == GLenum(GL_NO_ERROR));
        CHECK(f.texel(t, 0, 0, 1) == r.texel);
        f.image(0, 4, 4, nullptr, r.format);
        CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 2, 3, 1, 2, 1, 1);
        CHECK(f.error() == GLenum(GL_NO_ERROR));
        CHECK(f.texel(t, 0, 2, 3) == r.texel);
        CHECK(f.texel(t, 0, 3, 3) == Bytes(f.texel(t, 0, 3, 3).size()));
    }
}

TEST_CASE("copies from outside the framebuffer: zero in new images, unchanged in old ones") {
    Fixture f;
    gradient(f, 4, 4);
    GLuint t = f.texture();
    const Bytes nines(4 * 4 * 4, 9);
    f.image(0, 4, 4, nines.data());
    CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA, -2, 2, 4, 4, 0);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.texel(t, 0, 0, 0) == Bytes(4));
    CHECK(f.texel(t, 0, 1, 3) == Bytes(4));
    CHECK(f.texel(t, 0, 2, 0) == Bytes{0, 32, 7, 128});
    CHECK(f.texel(t, 0, 3, 1) == Bytes{16, 48, 7, 128});
    CHECK(f.texel(t, 0, 3, 2) == Bytes(4));
    f.image(0, 4, 4, nines.data());
    CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 3, 3, 4, 4);
    CHECK(f.texel(t, 0, 0, 0) == Bytes{48, 48, 7, 128});
    CHECK(f.texel(t, 0, 1, 0) == Bytes(4, 9));
    CHECK(f.texel(t, 0, 0, 1) == Bytes(4, 9));
    CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 0x7ffffff0, -0x7ffffff0, 4, 4);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA, 100, 100, 4, 4, 0);
    CHECK(f.texel(t, 0, 3, 3) == Bytes(4));
}

TEST_CASE("a texture copied to itself") {
    Fixture f;
    GLuint t = gradient(f, 4, 4);
    CopyTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 1, 1, 0, 0, 3, 3);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.texel(t, 0, 3, 3) == Bytes{32, 32, 7, 128});
    CHECK(f.texel(t, 0, 1, 1) == Bytes{0, 0, 7, 128});
    CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 2, 2, 0);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.object(t).image(0, 0)->width == 2);
    CHECK(f.texel(t, 0, 1, 1) == Bytes{0, 0, 7, 128});
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
}

TEST_CASE("multisampled planes are resolved for reads") {
    // In the fake device's memory the two samples of a pixel are adjacent.
    Fixture f;
    pipe::ResourceDesc d;
    d.format = pipe::Format::R8G8B8A8_UNORM;
    d.samples = 2;
    d.bind = pipe::bind::kColor;
    f.framebuffer();
    GLuint r = f.renderbuffer(GL_RGBA8_OES, 1, 1);
    f.gl().renderbuffer->resource = f.screen.create_resource(d);
    f.gl().renderbuffer->samples = 2;
    auto& bytes = static_cast<fake::FakeResource&>(*f.gl().renderbuffer->resource).bytes;
    bytes = {0, 0, 0, 0, 200, 100, 50, 255};
    FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, r);
    CHECK(read(f, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, 4) == Bytes{100, 50, 25, 128});
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}
