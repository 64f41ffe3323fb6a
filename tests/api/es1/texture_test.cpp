// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/es1/paletted.h"
#include "api/es1/texture_state.h"
#include "tests/api/es1/harness.h"

using namespace terrazzo;
using namespace terrazzo::es1;

namespace {

const st::Texture& bound(test::Es1Harness& h) {
    return st::bound_texture(h.ctx, st::TextureTarget::Tex2D);
}

}  // namespace

TEST_CASE("es1 texture: palettes decode") {
    const PaletteFormat rgb = palette_format(GL_PALETTE4_RGB8_OES),
                        rgba4 = palette_format(GL_PALETTE8_RGBA4_OES);
    CHECK((rgb.format == GL_RGB && rgb.entry_B == 3 && rgb.index_bits == 4));
    CHECK((rgba4.format == GL_RGBA && rgba4.type == GL_UNSIGNED_SHORT_4_4_4_4 && rgba4.index_bits == 8));
    CHECK(palette_level_B(rgb, 3, 3) == 5);
    CHECK(palette_level_B(rgba4, 3, 3) == 9);
    std::vector<uint8_t> palette(48);
    for (unsigned i = 0; i < 48; ++i)
        palette[i] = uint8_t(i);
    const uint8_t indices[] = {0x1f, 0x20};  // 1, 15, 2
    CHECK(decode_palette(rgb, palette.data(), indices, 3, 1) ==
          std::vector<uint8_t>{3, 4, 5, 45, 46, 47, 6, 7, 8});
}

TEST_CASE("es1 texture: a paletted image includes its mipmaps") {
    test::Es1Harness h;
    h.texture(GL_RGB);
    PixelStorei(h.es1, GL_UNPACK_ALIGNMENT, 8);
    const std::vector<uint8_t> data(48 + 8 + 2 + 1);  // 4x4, 2x2, 1x1
    CompressedTexImage2D(h.es1, GL_TEXTURE_2D, -2, GL_PALETTE4_RGB8_OES, 4, 4, 0, GLsizei(data.size()),
                         data.data());
    CHECK(h.error() == GL_NO_ERROR);
    REQUIRE(bound(h).image(0, 2));
    CHECK(bound(h).image(0, 2)->width == 1);
    CHECK(bound(h).image(0, 0)->internal_format == GL_RGB);
    CHECK(h.ctx.state.unpack.alignment == 8);
    CompressedTexImage2D(h.es1, GL_TEXTURE_2D, -2, GL_PALETTE4_RGB8_OES, 4, 4, 0, 58, data.data());
    CHECK(h.error() == GL_INVALID_VALUE);
    CompressedTexImage2D(h.es1, GL_TEXTURE_2D, 1, GL_PALETTE4_RGB8_OES, 4, 4, 0, 56, data.data());
    CHECK(h.error() == GL_INVALID_VALUE);
    CompressedTexImage2D(h.es1, GL_TEXTURE_2D, -3, GL_PALETTE4_RGB8_OES, 4, 4, 0, 60, data.data());
    CHECK(h.error() == GL_INVALID_VALUE);
    CompressedTexSubImage2D(h.es1, GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_PALETTE4_RGB8_OES, 56, data.data());
    CHECK(h.error() == GL_INVALID_OPERATION);
    CompressedTexImage2D(h.es1, GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 0, 8, data.data());
    CHECK(h.error() == GL_INVALID_ENUM);
}

TEST_CASE("es1 texture: formats and parameters of only this version") {
    test::Es1Harness h;
    h.texture(GL_RGBA);
    const auto image = [&](GLint internal, GLenum format, GLenum type) {
        TexImage2D(h.es1, GL_TEXTURE_2D, 0, internal, 2, 2, 0, format, type, nullptr);
        return h.error();
    };
    CHECK(image(GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE) == GL_NO_ERROR);
    CHECK(image(GL_RGBA8_OES, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_VALUE);
    CHECK(image(GL_RGB, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    CHECK(image(GL_RGBA, GL_RGBA, GL_FLOAT) == GL_INVALID_ENUM);
    CHECK(image(GL_RED, GL_RED, GL_UNSIGNED_BYTE) == GL_INVALID_VALUE);
    CHECK(image(GL_RGB, GL_RED, GL_UNSIGNED_BYTE) == GL_INVALID_ENUM);
    CHECK(image(GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_4_4_4_4) == GL_INVALID_OPERATION);
    TexParameteri(h.es1, GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    CHECK(h.error() == GL_INVALID_ENUM);
    TexParameteri(h.es1, GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    CHECK(h.error() == GL_INVALID_ENUM);
    TexParameterx(h.es1, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    CHECK(bound(h).params.min_filter == GL_LINEAR);
    BindTexture(h.es1, GL_TEXTURE_3D, 1);
    CHECK(h.error() == GL_INVALID_ENUM);
    const GLint crop[4] = {1, 2, 3, -4};
    TexParameteriv(h.es1, GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, crop);
    GLint back[4] = {};
    GetTexParameteriv(h.es1, GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, back);
    CHECK(std::equal(crop, crop + 4, back));
}

TEST_CASE("es1 texture: mipmaps follow the base level if requested") {
    test::Es1Harness h;
    h.texture(GL_RGBA);
    const auto upload = [&] {
        TexImage2D(h.es1, GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    };
    upload();
    CHECK_FALSE(bound(h).image(0, 1));
    TexParameteri(h.es1, GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
    CHECK_FALSE(bound(h).image(0, 1));
    upload();
    CHECK(bound(h).image(0, 1));
    CHECK(bound(h).image(0, 2));
    CHECK(h.error() == GL_NO_ERROR);
}
