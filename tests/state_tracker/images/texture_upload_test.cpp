// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uploads of client memory: each combination of TexImage2D against literal bytes, sub-rectangles, row
// strides.
#include "state_tracker/images/formats.h"
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;
using Bytes = std::vector<uint8_t>;

namespace {

struct UploadRow {
    GLenum format, type;
    Bytes client;         // one pixel
    pipe::Format layout;  // of the image
    Bytes texel;
};

const UploadRow kUploads[] = {
    {GL_RGBA, GL_UNSIGNED_BYTE, {1, 2, 3, 4}, pipe::Format::R8G8B8A8_UNORM, {1, 2, 3, 4}},
    {GL_BGRA_EXT, GL_UNSIGNED_BYTE, {1, 2, 3, 4}, pipe::Format::B8G8R8A8_UNORM, {1, 2, 3, 4}},
    {GL_RGB, GL_UNSIGNED_BYTE, {1, 2, 3}, pipe::Format::R8G8B8X8_UNORM, {1, 2, 3, 255}},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, {0x34, 0x12}, pipe::Format::B5G6R5_UNORM, {0x34, 0x12}},
    {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, {0x34, 0x12}, pipe::Format::A4B4G4R4_UNORM, {0x34, 0x12}},
    {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, {0x34, 0x12}, pipe::Format::A1B5G5R5_UNORM, {0x34, 0x12}},
    {GL_LUMINANCE, GL_UNSIGNED_BYTE, {7}, pipe::Format::L8_UNORM, {7}},
    {GL_ALPHA, GL_UNSIGNED_BYTE, {7}, pipe::Format::A8_UNORM, {7}},
    {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, {7, 8}, pipe::Format::L8A8_UNORM, {7, 8}},
    {GL_RGBA,
     GL_HALF_FLOAT_OES,
     {0, 0x3c, 0, 0x40, 0, 0xc0, 1, 0},
     pipe::Format::R16G16B16A16_FLOAT,
     {0, 0x3c, 0, 0x40, 0, 0xc0, 1, 0}},
    {GL_RGB,
     GL_HALF_FLOAT_OES,
     {0, 0x3c, 0, 0x40, 0, 0xc0},
     pipe::Format::R16G16B16X16_FLOAT,
     {0, 0x3c, 0, 0x40, 0, 0xc0, 0, 0x3c}},
    {GL_LUMINANCE, GL_HALF_FLOAT_OES, {0, 0x3c}, pipe::Format::L16_FLOAT, {0, 0x3c}},
    {GL_ALPHA, GL_HALF_FLOAT_OES, {0, 0x3c}, pipe::Format::A16_FLOAT, {0, 0x3c}},
    {GL_LUMINANCE_ALPHA,
     GL_HALF_FLOAT_OES,
     {0, 0x3c, 0, 0x40},
     pipe::Format::L16A16_FLOAT,
     {0, 0x3c, 0, 0x40}},
    {GL_RGBA,
     GL_FLOAT,
     {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 192, 1, 0, 0, 0},
     pipe::Format::R32G32B32A32_FLOAT,
     {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 192, 1, 0, 0, 0}},
    {GL_RGB,
     GL_FLOAT,
     {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 192},
     pipe::Format::R32G32B32_FLOAT,
     {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 192}},
    {GL_LUMINANCE, GL_FLOAT, {0, 0, 128, 63}, pipe::Format::L32_FLOAT, {0, 0, 128, 63}},
    {GL_ALPHA, GL_FLOAT, {0, 0, 128, 63}, pipe::Format::A32_FLOAT, {0, 0, 128, 63}},
    {GL_LUMINANCE_ALPHA,
     GL_FLOAT,
     {0, 0, 128, 63, 0, 0, 0, 64},
     pipe::Format::L32A32_FLOAT,
     {0, 0, 128, 63, 0, 0, 0, 64}},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, {0x34, 0x12}, pipe::Format::D16_UNORM, {0x34, 0x12}},
    {GL_DEPTH_COMPONENT,
     GL_UNSIGNED_INT,
     {0xff, 0xff, 0xff, 0xff},
     pipe::Format::D24_UNORM_X8,
     {0xff, 0xff, 0xff}},
    {GL_DEPTH_STENCIL_OES,
     GL_UNSIGNED_INT_24_8_OES,
     {0x12, 0xff, 0xff, 0xff},
     pipe::Format::D24_UNORM_S8_UINT,
     {0xff, 0xff, 0xff, 0x12}},
};

}  // namespace

TEST_CASE("a device without 24 bits of depth stores 32") {
    Fixture f;
    f.screen.unsupported = [](pipe::Format p, uint32_t) {
        return p == pipe::Format::D24_UNORM_X8 || p == pipe::Format::D24_UNORM_S8_UINT;
    };
    const GLuint t = f.texture();
    const uint8_t half[4] = {0, 0, 0, 0x80}, half_and_stencil[4] = {0x12, 0, 0, 0x80};
    f.image(0, 1, 1, half, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    REQUIRE(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.object(t).image(0, 0)->layout == pipe::Format::D32_FLOAT);
    CHECK(f.texel(t, 0, 0, 0) == Bytes{0, 0, 0, 0x3f});
    f.image(0, 1, 1, half_and_stencil, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES);
    REQUIRE(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.object(t).image(0, 0)->layout == pipe::Format::D32_FLOAT_S8X24_UINT);
    Bytes texel = f.texel(t, 0, 0, 0);
    REQUIRE(texel.size() == 8);
    CHECK(texel[3] == 0x3f);
    CHECK(texel[4] == 0x12);
    using enum pipe::Format;
    CHECK(pipe::choose_depth_format(f.screen, D24_UNORM_X8, 1) == D32_FLOAT);
    CHECK(pipe::choose_depth_format(f.screen, D24_UNORM_S8_UINT, 1) == D32_FLOAT_S8X24_UINT);
    CHECK(pipe::choose_depth_format(f.screen, D16_UNORM, 1) == D16_UNORM);
    CHECK(pipe::choose_depth_format(f.screen, None, 1) == None);
}

TEST_CASE("each combination of TexImage2D is stored as its row says") {
    for (const UploadRow& r : kUploads) {
        CAPTURE(r.format);
        CAPTURE(r.type);
        Fixture f;
        GLuint t = f.texture();
        f.image(0, 1, 1, r.client.data(), r.format, r.type);
        REQUIRE(f.error() == GLenum(GL_NO_ERROR));
        CHECK(f.object(t).image(0, 0)->layout == r.layout);
        Bytes texel = f.texel(t, 0, 0, 0);
        texel.resize(r.texel.size());  // padding of D24X8 may be anything
        CHECK(texel == r.texel);
        // Likewise through TexSubImage2D, over zeros.
        f.image(0, 2, 2, nullptr, r.format, r.type);
        TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 1, 1, 1, 1, r.format, r.type, r.client.data());
        texel = f.texel(t, 0, 1, 1);
        texel.resize(r.texel.size());
        CHECK(texel == r.texel);
        CHECK(f.texel(t, 0, 0, 0) == Bytes(f.texel(t, 0, 0, 0).size()));
        CHECK(f.error() == GLenum(GL_NO_ERROR));
    }
}

TEST_CASE("devices without luminance, alpha, RGBX or ETC store replacement formats that sample the same") {
    struct Row {
        GLenum format;
        Bytes client, texel;
        pipe::Format resource;
        std::array<pipe::Swizzle, 4> swizzle;
    };
    using enum pipe::Swizzle;
    const Row rows[] = {
        {GL_ALPHA, {7}, {7}, pipe::Format::R8_UNORM, {Zero, Zero, Zero, Channel0}},
        {GL_LUMINANCE, {7}, {7}, pipe::Format::R8_UNORM, {Channel0, Channel0, Channel0, One}},
        {GL_LUMINANCE_ALPHA,
         {7, 8},
         {7, 8},
         pipe::Format::R8G8_UNORM,
         {Channel0, Channel0, Channel0, Channel1}},
        {GL_RGB,
         {1, 2, 3},
         {1, 2, 3, 255},
         pipe::Format::R8G8B8A8_UNORM,
         {Channel0, Channel1, Channel2, One}},
    };
    for (const Row& r : rows) {
        CAPTURE(r.format);
        Fixture f;
        f.screen.unsupported = [](pipe::Format p, uint32_t) {
            const pipe::FormatInfo& i = pipe::format_info(p);
            return i.channel[0].letter == 'L' || i.channel[0].letter == 'A' || i.channel[3].letter == 'X' ||
                   i.is_compressed;
        };
        GLuint t = f.texture();
        TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        f.image(0, 1, 1, r.client.data(), r.format);
        CHECK(f.texel(t, 0, 0, 0) == r.texel);
        f.use_samplers({TextureTarget::Tex2D});
        pipe::SamplerView* v = f.emitted_view();
        REQUIRE(v);
        CHECK(v->desc.format == r.resource);
        for (int c = 0; c < 4; ++c)
            CHECK(v->desc.swizzle[c] == r.swizzle[size_t(c)]);
    }
    Fixture f;
    f.screen.unsupported = [](pipe::Format p, uint32_t) { return pipe::format_info(p).is_compressed; };
    GLuint t = f.texture();
    // Individual mode with the base colours 0xF and 0x0 (4 bits), table 0, all indices 0: +2.
    const uint8_t block[8] = {0xf0, 0xf0, 0xf0, 0, 0, 0, 0, 0};
    CompressedTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 4, 4, 0, 8, block);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.texel(t, 0, 0, 0) == Bytes{255, 255, 255, 255});
    CHECK(f.texel(t, 0, 3, 0) == Bytes{2, 2, 2, 255});
}

TEST_CASE("depth textures sample as luminance") {
    Fixture f;
    f.texture();
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f.image(0, 1, 1, nullptr, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT);
    f.use_samplers({TextureTarget::Tex2D});
    pipe::SamplerView* v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->desc.swizzle[1] == pipe::Swizzle::Channel0);
    CHECK(v->desc.swizzle[2] == pipe::Swizzle::Channel0);
    CHECK(v->desc.swizzle[3] == pipe::Swizzle::One);
}

TEST_CASE("unpack alignment pads rows") {
    // A row is one RGB pixel, 3 bytes: the alignment moves the second row.
    for (GLint alignment : {1, 2, 4, 8}) {
        CAPTURE(alignment);
        Fixture f;
        GLuint t = f.texture();
        uint8_t rows[16];
        for (unsigned i = 0; i < sizeof rows; ++i)
            rows[i] = uint8_t(i);
        PixelStorei(f.gl(), GL_UNPACK_ALIGNMENT, alignment);
        f.image(0, 1, 2, rows, GL_RGB);
        const uint8_t second = uint8_t(alignment == 1 ? 3 : alignment == 8 ? 8 : 4);
        CHECK(f.texel(t, 0, 0, 0) == Bytes{0, 1, 2, 255});
        CHECK(f.texel(t, 0, 0, 1) == Bytes{second, uint8_t(second + 1), uint8_t(second + 2), 255});
    }
}

TEST_CASE("EXT_unpack_subimage selects a rectangle") {
    Fixture f;
    GLuint t = f.texture();
    uint8_t pixels[8][8][4];  // row, column
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
            pixels[y][x][0] = uint8_t(x), pixels[y][x][1] = uint8_t(y), pixels[y][x][2] = 0,
            pixels[y][x][3] = 1;
    PixelStorei(f.gl(), GL_UNPACK_ROW_LENGTH_EXT, 8);
    PixelStorei(f.gl(), GL_UNPACK_SKIP_ROWS_EXT, 3);
    PixelStorei(f.gl(), GL_UNPACK_SKIP_PIXELS_EXT, 2);
    f.image(0, 4, 4, pixels);
    CHECK(f.texel(t, 0, 0, 0) == Bytes{2, 3, 0, 1});
    CHECK(f.texel(t, 0, 3, 3) == Bytes{5, 6, 0, 1});
    TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 1, 1, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixels[0][1]);
    CHECK(f.texel(t, 0, 1, 1) == Bytes{3, 3, 0, 1});
    CHECK(f.texel(t, 0, 2, 1) == Bytes{4, 3, 0, 1});
    CHECK(f.texel(t, 0, 3, 1) == Bytes{5, 4, 0, 1});
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    // Parameters whose sum overflows any address.
    PixelStorei(f.gl(), GL_UNPACK_ROW_LENGTH_EXT, 0x7fffffff);
    PixelStorei(f.gl(), GL_UNPACK_SKIP_ROWS_EXT, 0x7fffffff);
    f.image(0, 4, 4, pixels, GL_RGBA, GL_FLOAT);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    CHECK(f.texel(t, 0, 0, 0) == Bytes{2, 3, 0, 1});
}

TEST_CASE("out of memory leaves the image as it was") {
    Fixture f;
    GLuint t = f.texture();
    const uint8_t red[4] = {255, 0, 0, 255};
    f.image(0, 1, 1, red);
    f.screen.fail_after = 0;
    f.image(0, 64, 64);
    CHECK(f.error() == GLenum(GL_OUT_OF_MEMORY));
    CHECK(f.object(t).image(0, 0)->width == 1);
    CHECK(f.texel(t, 0, 0, 0) == Bytes{255, 0, 0, 255});
    f.screen.fail_after = 0;
    CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 4, 4, 0);
    CHECK(f.error() == GLenum(GL_OUT_OF_MEMORY));
    CHECK(f.object(t).image(0, 0)->width == 1);
}
