// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures in OpenGL ES 3.0: formats, 3D and array images, pixel buffers, levels, swizzles, samplers.
#include <cstring>

#include "state_tracker/images/formats.h"
#include "state_tracker/images/sampler.h"
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;
using Bytes = std::vector<uint8_t>;

namespace {

struct Row {
    GLenum internal_format, format, type;
    Bytes client;         // one pixel
    pipe::Format layout;  // of the image
    Bytes texel;
};

/// The rows of table 3.2 that need more than a copy.
const Row kRows[] = {
    {GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, {1, 2, 3}, pipe::Format::R8G8B8X8_SRGB, {1, 2, 3, 255}},
    {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, {1, 2, 3, 4}, pipe::Format::R8G8B8A8_SRGB, {1, 2, 3, 4}},
    {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, {1, 2, 0x80, 4}, pipe::Format::R8G8B8A8_SNORM, {1, 2, 0x80, 4}},
    {GL_RGB8_SNORM, GL_RGB, GL_BYTE, {1, 2, 3}, pipe::Format::R8G8B8X8_SNORM, {1, 2, 3, 127}},
    {GL_RGBA16F,
     GL_RGBA,
     GL_HALF_FLOAT,
     {0, 60, 0, 64, 0, 0, 0, 0},
     pipe::Format::R16G16B16A16_FLOAT,
     {0, 60, 0, 64, 0, 0, 0, 0}},
    {GL_R16F, GL_RED, GL_FLOAT, {0, 0, 128, 63}, pipe::Format::R16_FLOAT, {0, 60}},
    {GL_R11F_G11F_B10F,
     GL_RGB,
     GL_UNSIGNED_INT_10F_11F_11F_REV,
     {1, 2, 3, 4},
     pipe::Format::R11G11B10_FLOAT,
     {1, 2, 3, 4}},
    {GL_RGB9_E5,
     GL_RGB,
     GL_UNSIGNED_INT_5_9_9_9_REV,
     {1, 2, 3, 4},
     pipe::Format::R9G9B9E5_FLOAT,
     {1, 2, 3, 4}},
    {GL_RGB10_A2,
     GL_RGBA,
     GL_UNSIGNED_INT_2_10_10_10_REV,
     {1, 2, 3, 4},
     pipe::Format::R10G10B10A2_UNORM,
     {1, 2, 3, 4}},
    {GL_RGB10_A2UI,
     GL_RGBA_INTEGER,
     GL_UNSIGNED_INT_2_10_10_10_REV,
     {1, 2, 3, 4},
     pipe::Format::R10G10B10A2_UINT,
     {1, 2, 3, 4}},
    {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, {200}, pipe::Format::R8_UINT, {200}},
    {GL_RG16I, GL_RG_INTEGER, GL_SHORT, {1, 2, 3, 4}, pipe::Format::R16G16_SINT, {1, 2, 3, 4}},
    {GL_RGB8UI, GL_RGB_INTEGER, GL_UNSIGNED_BYTE, {1, 2, 3}, pipe::Format::R8G8B8X8_UINT, {1, 2, 3, 1}},
    {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, Bytes(16, 9), pipe::Format::R32G32B32A32_UINT,
     Bytes(16, 9)},
    {GL_DEPTH_COMPONENT32F,
     GL_DEPTH_COMPONENT,
     GL_FLOAT,
     {0, 0, 0, 63},
     pipe::Format::D32_FLOAT,
     {0, 0, 0, 63}},
    {GL_RGB565, GL_RGB, GL_UNSIGNED_BYTE, {255, 0, 0}, pipe::Format::B5G6R5_UNORM, {0, 0xf8}},
};

uint8_t level_of(const pipe::SamplerView& v) {
    return v.desc.first_level;
}

}  // namespace

TEST_CASE("formats of OpenGL ES 3.0 are stored as their rows say, only in contexts of that version") {
    for (const Row& r : kRows) {
        CAPTURE(r.internal_format);
        CAPTURE(r.type);
        Fixture30 f;
        GLuint t = f.texture();
        TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GLint(r.internal_format), 1, 1, 0, r.format, r.type,
                   r.client.data());
        REQUIRE(f.error() == GLenum(GL_NO_ERROR));
        CHECK(f.object(t).image(0, 0)->layout == r.layout);
        CHECK(f.texel(t, 0, 0, 0) == r.texel);
        // Likewise through immutable storage of an array.
        GLuint a = f.texture(GL_TEXTURE_2D_ARRAY);
        TexStorage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 1, r.internal_format, 2, 2, 3);
        TexSubImage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 0, 1, 1, 2, 1, 1, 1, r.format, r.type, r.client.data());
        CHECK(f.error() == GLenum(GL_NO_ERROR));
        CHECK(f.texel(a, 0, 1, 1, 0, 2) == r.texel);
    }
    Fixture f;
    f.texture();
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_R8UI, 1, 1, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, nullptr);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, nullptr);
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
    TexStorage2D(f.gl(), GL_TEXTURE_2D, 1, GL_R8UI, 1, 1);
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
}

TEST_CASE("each format is renderable, filterable and multisampled as the table says") {
    Fixture30 f;
    const auto row = [](GLenum sized) -> const InternalFormat& { return *find_internal_format(sized); };
    for (GLenum e : {GL_RGBA8, GL_RGB10_A2, GL_SRGB8_ALPHA8, GL_R8UI, GL_RGBA32I, GL_RGB565,
                     GL_R11F_G11F_B10F, GL_RG32F})
        CHECK(color_renderable(f.gl(), row(e)));
    for (GLenum e : {GL_SRGB8, GL_RGBA8_SNORM, GL_RGB9_E5, GL_RGB8UI, GL_DEPTH_COMPONENT16})
        CHECK_FALSE(color_renderable(f.gl(), row(e)));
    for (GLenum e : {GL_SRGB8, GL_RGBA8_SNORM, GL_RGB9_E5, GL_RGBA16F})
        CHECK(texture_filterable(f.gl(), row(e)));
    for (GLenum e : {GL_R8UI, GL_RGB32I, GL_RGB10_A2UI})
        CHECK_FALSE(texture_filterable(f.gl(), row(e)));
    CHECK(max_samples(f.gl(), row(GL_RGBA8)) == 4);
    Fixture old;
    CHECK_FALSE(color_renderable(old.gl(), row(GL_RGB10_A2)));
}

TEST_CASE("3D textures and arrays accept boxes with every unpack parameter") {
    for (GLenum target : {GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY}) {
        Fixture30 f;
        const GLuint t = f.texture(target);
        // Rows of 4 pixels, images of 3 rows. The box begins at pixel 1 of row 1 of image 1.
        uint8_t client[3 * 3 * 4];
        for (size_t i = 0; i < sizeof client; ++i)
            client[i] = uint8_t(i);
        PixelStorei(f.gl(), GL_UNPACK_ALIGNMENT, 1);
        PixelStorei(f.gl(), GL_UNPACK_ROW_LENGTH, 4);
        PixelStorei(f.gl(), GL_UNPACK_IMAGE_HEIGHT, 3);
        PixelStorei(f.gl(), GL_UNPACK_SKIP_PIXELS, 1);
        PixelStorei(f.gl(), GL_UNPACK_SKIP_ROWS, 1);
        PixelStorei(f.gl(), GL_UNPACK_SKIP_IMAGES, 1);
        TexImage3D(f.gl(), target, 0, GL_R8, 2, 2, 2, 0, GL_RED, GL_UNSIGNED_BYTE, client);
        REQUIRE(f.error() == GLenum(GL_NO_ERROR));
        for (int z = 0; z < 2; ++z)
            for (int y = 0; y < 2; ++y)
                CHECK(f.texel(t, 0, 1, y, 0, z) == Bytes{client[(z + 1) * 12 + (y + 1) * 4 + 2]});
        // Two-dimensional uploads ignore the parameters of images.
        const GLuint flat = f.texture();
        TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_R8, 2, 2, 0, GL_RED, GL_UNSIGNED_BYTE, client);
        CHECK(f.texel(flat, 0, 1, 1) == Bytes{client[2 * 4 + 2]});
    }
}

TEST_CASE("texels are read from a pixel-unpack buffer, by offset") {
    Fixture30 f;
    const GLuint t = f.texture();
    const uint8_t bytes[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    f.buffer(GL_PIXEL_UNPACK_BUFFER, sizeof bytes, bytes);
    const auto at = [](uintptr_t offset_B) { return reinterpret_cast<const void*>(offset_B); };
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA8, 1, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, at(4));
    REQUIRE(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.texel(t, 0, 0, 1) == Bytes{8, 9, 10, 11});
    TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, at(0));
    CHECK(f.texel(t, 0, 0, 1) == Bytes{0, 1, 2, 3});
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA8, 1, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, at(5));
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));  // beyond the end of the buffer
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA8, 1, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, at(~uintptr_t(7)));
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_R16UI, 1, 1, 0, GL_RED_INTEGER, GL_UNSIGNED_SHORT, at(1));
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));  // the offset is not aligned
    MapBufferRange(f.gl(), GL_PIXEL_UNPACK_BUFFER, 0, 4, GL_MAP_READ_BIT);
    TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, at(0));
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));  // the buffer is mapped
    UnmapBuffer(f.gl(), GL_PIXEL_UNPACK_BUFFER);
    CHECK(f.texel(t, 0, 0, 0) == Bytes{4, 5, 6, 7});
}

TEST_CASE("arrays accept ETC2, with size checks, 3D textures do not") {
    Fixture30 f;
    const GLuint t = f.texture(GL_TEXTURE_2D_ARRAY);
    const Bytes blocks(2 * 8, 7);
    CompressedTexImage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 2, 0, 16,
                         blocks.data());
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.texel(t, 0, 0, 0, 0, 1) == Bytes(8, 7));
    CompressedTexSubImage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 0, 0, 0, 1, 4, 4, 1, GL_COMPRESSED_RGB8_ETC2, 9,
                            blocks.data());
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    f.texture(GL_TEXTURE_3D);
    CompressedTexImage3D(f.gl(), GL_TEXTURE_3D, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 2, 0, 16, blocks.data());
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    TexImage3D(f.gl(), GL_TEXTURE_3D, 0, GL_RGBA8, 1, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CompressedTexSubImage3D(f.gl(), GL_TEXTURE_3D, 0, 0, 0, 0, 4, 4, 1, GL_COMPRESSED_RGB8_ETC2, 8,
                            blocks.data());
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));  // for any box
    Fixture old;
    old.texture();
    CompressedTexImage2D(old.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 0, 8, blocks.data());
    CHECK(old.error() == GLenum(GL_INVALID_ENUM));
}

TEST_CASE("the base level and the maximum level choose the levels that are sampled and must be complete") {
    Fixture30 f;
    const GLuint t = f.texture();
    f.use_samplers({TextureTarget::Tex2D});
    TexImage2D(f.gl(), GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    TexImage2D(f.gl(), GL_TEXTURE_2D, 2, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK_FALSE(f.emitted_view());  // level 0 is missing
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    CHECK_FALSE(f.emitted_view());  // level 3 is missing
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
    pipe::SamplerView* v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->desc.last_level - v->desc.first_level == 1);
    CHECK(f.object(t).image(0, 1)->resource == f.object(t).image(0, 2)->resource);
    CHECK(f.object(t).image(0, 1)->level == level_of(*v));
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    CHECK_FALSE(f.emitted_view());
    // Immutable textures clamp the levels.
    f.texture();
    TexStorage2D(f.gl(), GL_TEXTURE_2D, 2, GL_RGBA8, 4, 4);
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 7);
    v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->desc.first_level == 1);
    CHECK(v->desc.last_level == 1);
    GLint levels = 0;
    GetTexParameteriv(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_LEVELS, &levels);
    CHECK(levels == 2);
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, -1);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
}

TEST_CASE("mipmaps after the base level: for 3D textures, arrays and sRGB, not for other formats") {
    Fixture30 f;
    const GLuint t = f.texture(GL_TEXTURE_3D);
    const Bytes texels(4 * 4 * 4 * 4, 8);
    TexImage3D(f.gl(), GL_TEXTURE_3D, 1, GL_RGBA8, 4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    TexParameteri(f.gl(), GL_TEXTURE_3D, GL_TEXTURE_BASE_LEVEL, 1);
    GenerateMipmap(f.gl(), GL_TEXTURE_3D);
    REQUIRE(f.error() == GLenum(GL_NO_ERROR));
    REQUIRE(f.object(t).image(0, 3));
    CHECK(f.object(t).image(0, 2)->depth == 2);
    CHECK(f.texel(t, 3, 0, 0) == Bytes{8, 8, 8, 8});
    const GLuint a = f.texture(GL_TEXTURE_2D_ARRAY);
    TexImage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 0, GL_SRGB8_ALPHA8, 4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               texels.data());
    GenerateMipmap(f.gl(), GL_TEXTURE_2D_ARRAY);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.object(a).image(0, 2)->depth == 4);
    CHECK(f.texel(a, 2, 0, 0, 0, 3) == Bytes{8, 8, 8, 8});
    f.texture();
    GenerateMipmap(f.gl(), GL_TEXTURE_2D);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));  // the level is not defined
    for (GLenum format : {GL_SRGB8, GL_RGB8_SNORM, GL_RGB8UI}) {
        f.texture();
        TexStorage2D(f.gl(), GL_TEXTURE_2D, 2, format, 4, 4);
        GenerateMipmap(f.gl(), GL_TEXTURE_2D);
        CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    }
}

TEST_CASE("swizzles are combined with those of the format") {
    using enum pipe::Swizzle;
    Fixture30 f;
    f.texture();
    f.use_samplers({TextureTarget::Tex2D});
    TexStorage2D(f.gl(), GL_TEXTURE_2D, 1, GL_RG8, 1, 1);
    const GLenum swizzle[4] = {GL_GREEN, GL_ONE, GL_BLUE, GL_ALPHA};
    for (GLenum i = 0; i < 4; ++i)
        TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R + i, GLint(swizzle[i]));
    const pipe::SamplerView* v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->desc.swizzle[0] == Channel1);
    CHECK(v->desc.swizzle[1] == One);
    CHECK(v->desc.swizzle[2] == Zero);
    CHECK(v->desc.swizzle[3] == One);
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_LUMINANCE);
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
}

TEST_CASE("a sampler object replaces the texture's parameters, and decides completeness") {
    Fixture30 f;
    f.texture();
    f.use_samplers({TextureTarget::Tex2D});
    f.image(0, 4, 4);
    CHECK_FALSE(f.emitted_view());  // there are no mipmaps
    GLuint s = 0;
    GenSamplers(f.gl(), 1, &s);
    CHECK(IsSampler(f.gl(), s));
    BindSampler(f.gl(), 0, s);
    CHECK_FALSE(f.emitted_view());
    SamplerParameteri(f.gl(), s, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    SamplerParameterf(f.gl(), s, GL_TEXTURE_MAX_LOD, 2.5f);
    SamplerParameteri(f.gl(), s, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    CHECK(f.emitted_view());
    const auto& made =
        static_cast<fake::FakeSampler&>(*f.c().samplers[size_t(pipe::Stage::Fragment)][0]).desc;
    CHECK(made.max_lod == 2.5f);
    CHECK(made.compare_enable);
    CHECK(made.mip == pipe::MipFilter::None);
    // Integer textures are never filtered.
    f.texture();
    TexStorage2D(f.gl(), GL_TEXTURE_2D, 1, GL_R8UI, 4, 4);
    CHECK_FALSE(f.emitted_view());
    SamplerParameteri(f.gl(), s, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    SamplerParameteri(f.gl(), s, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    CHECK(f.emitted_view());
    DeleteSamplers(f.gl(), 1, &s);
    CHECK_FALSE(f.emitted_view());
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    SamplerParameteri(f.gl(), s, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    BindSampler(f.gl(), kMaxTextureUnits, 0);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
}

TEST_CASE("depth textures of sized formats read as red, and are filtered only with comparison") {
    using enum pipe::Swizzle;
    Fixture30 f;
    f.texture();
    f.use_samplers({TextureTarget::Tex2D});
    TexStorage2D(f.gl(), GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, 4, 4);
    CHECK_FALSE(f.emitted_view());
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    const pipe::SamplerView* v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->desc.swizzle[0] == Channel0);
    CHECK(v->desc.swizzle[1] == Zero);
    TexImage3D(f.gl(), GL_TEXTURE_3D, 0, GL_DEPTH_COMPONENT16, 1, 1, 1, 0, GL_DEPTH_COMPONENT,
               GL_UNSIGNED_SHORT, nullptr);
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
}

TEST_CASE("CopyTexSubImage3D writes one layer; values are not converted between classes") {
    Fixture30 f;
    ClearColor(f.gl(), 1, 0, 0, 1);
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    const GLuint t = f.texture(GL_TEXTURE_2D_ARRAY);
    TexStorage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 4, 4, 3);
    CopyTexSubImage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 0, 1, 1, 2, 0, 0, 2, 2);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.texel(t, 0, 1, 1, 0, 2) == Bytes{255, 0, 0, 255});
    CHECK(f.texel(t, 0, 1, 1, 0, 1) == Bytes{0, 0, 0, 0});
    CopyTexSubImage3D(f.gl(), GL_TEXTURE_2D_ARRAY, 0, 1, 1, 3, 0, 0, 2, 2);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    f.texture();
    for (GLenum format : {GL_RGBA8UI, GL_RGBA16F, GL_SRGB8_ALPHA8, GL_RGB10_A2}) {
        CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, format, 0, 0, 2, 2, 0);
        CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    }
    CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB8, 0, 0, 2, 2, 0);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}
