// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The formats of extensions: EXT_texture_rg, EXT_texture_type_2_10_10_10_REV, OES_required_internalformat,
// EXT_texture_storage, and the compressed ones.
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;
using Bytes = std::vector<uint8_t>;

TEST_CASE("EXT_texture_rg: textures, render targets and reads") {
    Fixture f;
    const uint8_t texels[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const GLuint r = f.texture();
    f.image(0, 4, 1, texels, GL_RED_EXT);
    CHECK(f.texel(r, 0, 1, 0) == Bytes{2});
    const GLuint rg = f.texture();
    f.image(0, 2, 1, texels, GL_RG_EXT);
    CHECK(f.texel(rg, 0, 1, 0) == Bytes{3, 4});
    f.image(0, 1, 1, texels, GL_RG_EXT, GL_HALF_FLOAT_OES);
    CHECK(f.object(rg).image(0, 0)->layout == pipe::Format::R16G16_FLOAT);
    f.image(0, 2, 1, texels, GL_RG_EXT);
    f.framebuffer();
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, rg, 0);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
    GLint format = 0;
    GetIntegerv(f.gl(), GL_IMPLEMENTATION_COLOR_READ_FORMAT, &format);
    CHECK(format == GL_RG_EXT);
    uint8_t rgba[4] = {};
    ReadPixels(f.gl(), 1, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    CHECK(Bytes(rgba, rgba + 4) == Bytes{3, 4, 0, 255});
    // Red can be copied, blue does not exist.
    f.texture();
    CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RED_EXT, 0, 0, 1, 1, 0);
    CHECK(f.error() == GL_NO_ERROR);
    CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 1, 1, 0);
    CHECK(f.error() == GL_INVALID_OPERATION);
    f.renderbuffer(GL_R8_EXT, 4, 4);
    GLint bits[2] = {};
    GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_RED_SIZE, &bits[0]);
    GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_GREEN_SIZE, &bits[1]);
    CHECK(bits[0] == 8);
    CHECK(bits[1] == 0);
    CHECK(f.error() == GL_NO_ERROR);
}

TEST_CASE("EXT_texture_rg: missing components read 0, alpha 1") {
    Fixture f;
    const GLuint r = f.texture();
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f.image(0, 1, 1, nullptr, GL_RED_EXT);
    f.use_samplers({TextureTarget::Tex2D});
    const pipe::SamplerView* const v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->desc.swizzle[0] == pipe::Swizzle::Channel0);
    CHECK(v->desc.swizzle[1] == pipe::Swizzle::Zero);
    CHECK(v->desc.swizzle[3] == pipe::Swizzle::One);
    CHECK(f.object(r).image(0, 0)->internal_format == GL_RED_EXT);
}

TEST_CASE("a border's alpha is in the channel of the replacement format") {
    struct Row {
        GLenum format;
        float border[4];
    };
    for (const Row& row :
         {Row{GL_RGBA, {0.125f, 0.25f, 0.5f, 0.75f}}, Row{GL_LUMINANCE, {0.125f, 0.25f, 0.5f, 0.75f}},
          Row{GL_LUMINANCE_ALPHA, {0.125f, 0.75f, 0.5f, 0.75f}},
          Row{GL_ALPHA, {0.75f, 0.25f, 0.5f, 0.75f}}}) {
        Fixture f;
        f.screen.unsupported = [](pipe::Format p, uint32_t) {
            return p == pipe::Format::A8_UNORM || p == pipe::Format::L8_UNORM ||
                   p == pipe::Format::L8A8_UNORM;
        };
        (void)f.texture();
        const float border[] = {0.125f, 0.25f, 0.5f, 0.75f};
        TexParameterfv(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, border);
        TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        f.image(0, 1, 1, nullptr, row.format);
        f.use_samplers({TextureTarget::Tex2D});
        REQUIRE(f.emitted_view());
        const auto& s =
            static_cast<const fake::FakeSampler&>(*f.c().samplers[size_t(pipe::Stage::Fragment)][0]);
        for (unsigned i = 0; i < 4; ++i)
            CHECK(s.desc.border[i] == row.border[i]);
    }
}

TEST_CASE("OES_required_internalformat: sized names need client data of at least their bits") {
    Fixture f;
    const uint8_t texel[4] = {255, 128, 0, 255};
    struct Row {
        GLint internal;
        GLenum format, type;
        pipe::Format layout;
    };
    const Row rows[] = {
        {GL_RGBA8_OES, GL_RGBA, GL_UNSIGNED_BYTE, pipe::Format::R8G8B8A8_UNORM},
        {GL_RGBA4, GL_RGBA, GL_UNSIGNED_BYTE, pipe::Format::A4B4G4R4_UNORM},
        {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV_EXT, pipe::Format::A1B5G5R5_UNORM},
        {GL_RGB565, GL_RGB, GL_UNSIGNED_BYTE, pipe::Format::B5G6R5_UNORM},
        {GL_RGB10_A2_EXT, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV_EXT, pipe::Format::R10G10B10A2_UNORM},
        {GL_LUMINANCE4_ALPHA4_OES, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, pipe::Format::L8A8_UNORM},
        {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, pipe::Format::D16_UNORM},
    };
    for (const Row& r : rows) {
        CAPTURE(r.internal);
        const GLuint t = f.texture();
        TexImage2D(f.gl(), GL_TEXTURE_2D, 0, r.internal, 1, 1, 0, r.format, r.type, texel);
        CHECK(f.error() == GL_NO_ERROR);
        CHECK(f.object(t).image(0, 0)->layout == r.layout);
        TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 1, 1, r.format, r.type, texel);
        CHECK(f.error() == GL_NO_ERROR);
    }
    // Errors: more bits than the client data has, another base format.
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA8_OES, 1, 1, 0, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, texel);
    CHECK(f.error() == GL_INVALID_OPERATION);
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA8_OES, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, texel);
    CHECK(f.error() == GL_INVALID_OPERATION);
    CopyTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGB565, 0, 0, 2, 2, 0);
    CHECK(f.error() == GL_NO_ERROR);
}

TEST_CASE("EXT_texture_type_2_10_10_10_REV: textures that are not renderable") {
    Fixture f;
    const uint32_t texel = 1u << 30 | 3u << 20 | 2u << 10 | 1;
    const GLuint t = f.texture();
    f.image(0, 1, 1, &texel, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV_EXT);
    CHECK(f.texel(t, 0, 0, 0) == Bytes{1, 8, 0x30, 0x40});
    f.framebuffer();
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT));
}

TEST_CASE("EXT_texture_storage: all levels at once, immutable") {
    Fixture f;
    const GLuint t = f.texture();
    TexStorage2D(f.gl(), GL_TEXTURE_2D, 2, GL_RGBA8_OES, 8, 4);
    REQUIRE(f.error() == GL_NO_ERROR);
    GLint immutable = 0;
    GetTexParameteriv(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_FORMAT_EXT, &immutable);
    CHECK(immutable == 1);
    CHECK(f.object(t).image(0, 1)->width == 4);
    CHECK(f.object(t).image(0, 1)->resource == f.object(t).image(0, 0)->resource);
    CHECK_FALSE(f.object(t).image(0, 2));
    CHECK(texture_completeness(f.object(t), true).levels == 2);  // a filter with mipmaps needs no more levels
    f.image(0, 8, 4);
    CHECK(f.error() == GL_INVALID_OPERATION);
    TexStorage2D(f.gl(), GL_TEXTURE_2D, 1, GL_RGBA8_OES, 8, 4);
    CHECK(f.error() == GL_INVALID_OPERATION);
    const uint8_t texel[4] = {1, 2, 3, 4};
    TexSubImage2D(f.gl(), GL_TEXTURE_2D, 1, 3, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    CHECK(f.texel(t, 1, 3, 1) == Bytes{1, 2, 3, 4});
    GenerateMipmap(f.gl(), GL_TEXTURE_2D);
    CHECK(f.error() == GL_NO_ERROR);
    CHECK_FALSE(f.object(t).image(0, 2));
    GLuint cube = f.texture(GL_TEXTURE_CUBE_MAP);
    BindTexture(f.gl(), GL_TEXTURE_CUBE_MAP, 0);
    TextureStorage2D(f.gl(), cube, GL_TEXTURE_CUBE_MAP, 3, GL_R8_EXT, 4, 4);
    CHECK(f.error() == GL_NO_ERROR);
    CHECK(f.object(cube).image(5, 2)->width == 1);
}

TEST_CASE("EXT_texture_storage: errors") {
    static constexpr ErrorRow kRows[] = {
        {"the default texture", GL_INVALID_OPERATION,
         [](Fixture& f) { TexStorage2D(f.gl(), GL_TEXTURE_2D, 1, GL_RGBA8_OES, 4, 4); }},
        {"a target", GL_INVALID_ENUM,
         [](Fixture& f) { TexStorage2D(f.gl(), GL_TEXTURE_CUBE_MAP_POSITIVE_X, 1, GL_RGBA8_OES, 4, 4); }},
        {"an unsized format", GL_INVALID_ENUM,
         [](Fixture& f) { f.texture(), TexStorage2D(f.gl(), GL_TEXTURE_2D, 1, GL_RGBA, 4, 4); }},
        {"a format of renderbuffers", GL_INVALID_ENUM,
         [](Fixture& f) { f.texture(), TexStorage2D(f.gl(), GL_TEXTURE_2D, 1, GL_STENCIL_INDEX8, 4, 4); }},
        {"no level", GL_INVALID_VALUE,
         [](Fixture& f) { f.texture(), TexStorage2D(f.gl(), GL_TEXTURE_2D, 0, GL_RGBA8_OES, 4, 4); }},
        {"no height", GL_INVALID_VALUE,
         [](Fixture& f) { f.texture(), TexStorage2D(f.gl(), GL_TEXTURE_2D, 1, GL_RGBA8_OES, 4, 0); }},
        {"too many levels", GL_INVALID_OPERATION,
         [](Fixture& f) { f.texture(), TexStorage2D(f.gl(), GL_TEXTURE_2D, 4, GL_RGBA8_OES, 4, 4); }},
        {"texture 0", GL_INVALID_VALUE,
         [](Fixture& f) { TextureStorage2D(f.gl(), 0, GL_TEXTURE_2D, 1, GL_RGBA8_OES, 4, 4); }},
        {"volumes", GL_INVALID_ENUM,
         [](Fixture& f) { TexStorage3D(f.gl(), GL_TEXTURE_2D, 1, GL_RGBA8_OES, 4, 4, 4); }},
    };
    check_errors(kRows);
}

TEST_CASE("compressed formats: listed, decoded if the device lacks them, changed in whole blocks") {
    Fixture f;
    // This device supports neither BC nor ASTC.
    f.screen.unsupported = [](pipe::Format p, uint32_t) { return pipe::format_info(p).is_compressed; };
    GLint count = 0, formats[64] = {};
    GetIntegerv(f.gl(), GL_NUM_COMPRESSED_TEXTURE_FORMATS, &count);
    GetIntegerv(f.gl(), GL_COMPRESSED_TEXTURE_FORMATS, formats);
    CHECK(count == 41);
    CHECK(formats[0] == GL_ETC1_RGB8_OES);
    const uint8_t block[16] = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0};
    const GLuint t = f.texture();
    CompressedTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 6, 4, 0, 16, nullptr);
    CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 4, 0, 2, 4, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8, block);
    CHECK(f.error() == GL_NO_ERROR);
    CHECK(f.texel(t, 0, 5, 0) == Bytes{0, 0, 255, 255});
    CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 2, 0, 4, 4, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8, block);
    CHECK(f.error() == GL_INVALID_OPERATION);
    CompressedTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_BPTC_UNORM_EXT, 4, 4, 0, 8, block);
    CHECK(f.error() == GL_INVALID_VALUE);
    CompressedTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_RED_RGTC1_EXT, 4, 4, 0, 8, block);
    CHECK(f.error() == GL_NO_ERROR);
    CHECK(f.object(t).image(0, 0)->layout == pipe::Format::R16_FLOAT);
    GenerateMipmap(f.gl(), GL_TEXTURE_2D);
    CHECK(f.error() == GL_INVALID_OPERATION);
    CompressedTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_ASTC_4x4_KHR, 4, 4, 0, 16, block);
    CHECK(f.error() == GL_NO_ERROR);
}

TEST_CASE("EXT_texture_compression_s3tc: uncompressed texels are stored in its formats") {
    Fixture f;
    const GLuint t = f.texture();
    const uint8_t texels[8 * 4 * 3] = {10, 20, 30, 40, 50, 60};
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 8, 4, 0, GL_RGB, GL_UNSIGNED_BYTE,
               texels);
    REQUIRE(f.error() == GL_NO_ERROR);
    CHECK(f.texel(t, 0, 1, 0) == Bytes{40, 50, 60, 255});
    const uint8_t texel[4 * 4 * 4] = {1, 2, 3, 4};
    TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 4, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    CHECK(f.error() == GL_NO_ERROR);
    CHECK(f.texel(t, 0, 4, 0) == Bytes{1, 2, 3, 4});
    TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 2, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    CHECK(f.error() == GL_INVALID_OPERATION);
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 4, 4, 0, GL_LUMINANCE,
               GL_UNSIGNED_BYTE, texels);
    CHECK(f.error() == GL_INVALID_OPERATION);
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_BPTC_UNORM_EXT, 4, 4, 0, GL_RGBA,
               GL_UNSIGNED_BYTE, texels);
    CHECK(f.error() == GL_INVALID_VALUE);
}

TEST_CASE("EXT_texture_compression_s3tc_srgb: blocks are decoded, texels are stored unchanged") {
    Fixture f(pipe::Format::R8G8B8A8_UNORM, pipe::Format::D24_UNORM_S8_UINT, 30);
    const GLuint t = f.texture();
    // DXT1 with the colours white and black in 5-6-5; each texel has the first one. Values are sRGB, not
    // linear.
    const uint8_t white[8] = {0xff, 0xff, 0, 0, 0, 0, 0, 0};
    CompressedTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_SRGB_S3TC_DXT1_EXT, 4, 4, 0, 8, white);
    REQUIRE(f.error() == GL_NO_ERROR);
    CHECK(f.texel(t, 0, 3, 3) == Bytes{255, 255, 255, 255});
    const uint8_t grey[8] = {0x10, 0x84, 0, 0, 0, 0, 0, 0};  // 16, 32, 16 of 31, 63, 31
    CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_COMPRESSED_SRGB_S3TC_DXT1_EXT, 8, grey);
    REQUIRE(f.error() == GL_NO_ERROR);
    CHECK(f.texel(t, 0, 3, 3) == Bytes{132, 130, 132, 255});
    const uint8_t texels[4 * 4 * 4] = {1, 2, 3, 4};
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, 4, 4, 0, GL_RGBA,
               GL_UNSIGNED_BYTE, texels);
    REQUIRE(f.error() == GL_NO_ERROR);
    CHECK(f.texel(t, 0, 0, 0) == Bytes{1, 2, 3, 4});
    CHECK(pipe::format_info(static_cast<fake::FakeResource&>(*f.object(t).image(0, 0)->resource).desc.format)
              .is_srgb);
    TexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, 4, 4, 0, GL_RGBA, GL_FLOAT,
               texels);
    CHECK(f.error() == GL_INVALID_OPERATION);
    Fixture es2;  // OpenGL ES 2.0 has no sRGB
    CompressedTexImage2D(es2.gl(), GL_TEXTURE_2D, 0, GL_COMPRESSED_SRGB_S3TC_DXT1_EXT, 4, 4, 0, 8, white);
    CHECK(es2.error() == GL_INVALID_ENUM);
}

TEST_CASE("OES_texture_float and _half_float: sized names, too") {
    Fixture f;
    const float texel[4] = {0.5f, 2, -3, 1};
    const uint16_t half[4] = {0x3800, 0x4000, 0xc200, 0x3c00};
    struct Row {
        GLint internal;
        GLenum format, type;
        pipe::Format layout;
        bool accepted;
    };
    using pipe::Format;
    const Row rows[] = {
        {GL_RGBA32F_EXT, GL_RGBA, GL_FLOAT, Format::R32G32B32A32_FLOAT, true},
        {GL_RGB32F_EXT, GL_RGB, GL_FLOAT, Format::R32G32B32_FLOAT, true},
        {GL_RG32F_EXT, GL_RG_EXT, GL_FLOAT, Format::R32G32_FLOAT, true},
        {GL_R32F_EXT, GL_RED_EXT, GL_FLOAT, Format::R32_FLOAT, true},
        {GL_RGBA16F_EXT, GL_RGBA, GL_FLOAT, Format::R16G16B16A16_FLOAT, true},
        {GL_RGBA16F_EXT, GL_RGBA, GL_HALF_FLOAT_OES, Format::R16G16B16A16_FLOAT, true},
        {GL_RGB16F_EXT, GL_RGB, GL_HALF_FLOAT_OES, Format::R16G16B16X16_FLOAT, true},
        {GL_RG16F_EXT, GL_RG_EXT, GL_HALF_FLOAT_OES, Format::R16G16_FLOAT, true},
        {GL_R16F_EXT, GL_RED_EXT, GL_FLOAT, Format::R16_FLOAT, true},
        // Errors: more bits than the client data has, another base format, sized luminance, integers.
        {GL_RGBA32F_EXT, GL_RGBA, GL_HALF_FLOAT_OES, Format::None, false},
        {GL_RGBA32F_EXT, GL_RGB, GL_FLOAT, Format::None, false},
        {GL_RGB32F_EXT, GL_RGBA, GL_FLOAT, Format::None, false},
        {GL_LUMINANCE32F_EXT, GL_LUMINANCE, GL_FLOAT, Format::None, false},
        {GL_RGBA32F_EXT, GL_RGBA, GL_UNSIGNED_BYTE, Format::None, false},
    };
    for (const Row& r : rows) {
        CAPTURE(r.internal);
        CAPTURE(r.type);
        const GLuint t = f.texture();
        const void* const data = r.type == GL_FLOAT ? static_cast<const void*>(texel) : half;
        TexImage2D(f.gl(), GL_TEXTURE_2D, 0, r.internal, 1, 1, 0, r.format, r.type, data);
        CHECK(f.error() == (r.accepted ? GL_NO_ERROR : GL_INVALID_OPERATION));
        if (!r.accepted) continue;
        CHECK(f.object(t).image(0, 0)->layout == r.layout);
        TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 1, 1, r.format, r.type, data);
        CHECK(f.error() == GL_NO_ERROR);
    }
}
