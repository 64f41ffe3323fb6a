// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CopyImageSubData: the copied texels, compatible formats, errors (OpenGL ES 3.2 section 16.2.2).
#include <doctest/doctest.h>

#include "state_tracker/images/copy_class.h"
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using st::images_test::Fixture30;

namespace {

struct Copies : Fixture30 {
    /// A texture with `levels` levels and nearest filters.
    GLuint storage(GLenum target, GLenum format, GLsizei w, GLsizei h, GLsizei depth = 0,
                   GLsizei levels = 1) {
        const GLuint t = texture(target);
        TexParameteri(gl(), target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        TexParameteri(gl(), target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        if (depth)
            TexStorage3D(gl(), target, levels, format, w, h, depth);
        else
            TexStorage2D(gl(), target, levels, format, w, h);
        CHECK(error() == GL_NO_ERROR);
        return t;
    }
    /// An RGBA8 texture whose texel (x, y) is {x, y, layer, 9}.
    GLuint counted(GLenum target, GLsizei w, GLsizei h, GLsizei depth = 0) {
        const GLuint t = storage(target, GL_RGBA8, w, h, depth);
        for (GLsizei z = 0; z < std::max(depth, 1); ++z) {
            std::vector<uint8_t> texels;
            for (GLsizei y = 0; y < h; ++y)
                for (GLsizei x = 0; x < w; ++x)
                    texels.insert(texels.end(), {uint8_t(x), uint8_t(y), uint8_t(z), 9});
            if (depth)
                TexSubImage3D(gl(), target, 0, 0, 0, z, w, h, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
            else
                TexSubImage2D(gl(), target, 0, 0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        }
        CHECK(error() == GL_NO_ERROR);
        return t;
    }
    GLenum copy(GLuint from, GLenum from_target, GLint level, GLint x, GLint y, GLint z, GLuint to,
                GLenum to_target, GLint to_level, GLint to_x, GLint to_y, GLint to_z, GLsizei w, GLsizei h,
                GLsizei d) {
        CopyImageSubData(gl(), from, from_target, level, x, y, z, to, to_target, to_level, to_x, to_y, to_z,
                         w, h, d);
        return error();
    }
};

using Bytes = std::vector<uint8_t>;

bool compatible(GLenum a, GLenum b) {
    const bool there = copy_compatible(*find_internal_format(a), *find_internal_format(b));
    CHECK(there == copy_compatible(*find_internal_format(b), *find_internal_format(a)));
    return there;
}

}  // namespace

TEST_CASE("copies between formats of one class") {
    CHECK(compatible(GL_RGBA8, GL_RGBA8));
    CHECK(compatible(GL_RGBA8, GL_R32F));
    CHECK(compatible(GL_RGB9_E5, GL_RGB10_A2UI));
    CHECK(compatible(GL_RGB8, GL_SRGB8));
    CHECK(compatible(GL_RGB16F, GL_RGB16UI));
    CHECK(!compatible(GL_RGBA8, GL_RGB8));
    CHECK(!compatible(GL_RGBA8, GL_RGBA32F));
    // A format without a class can only be copied to itself.
    CHECK(compatible(GL_RGB565, GL_RGB565));
    CHECK(!compatible(GL_RGB565, GL_RGBA4));
    CHECK(!compatible(GL_RGB565, GL_R16UI));
    CHECK(!compatible(GL_DEPTH_COMPONENT16, GL_R16UI));
    // Blocks are copied as blocks, and as texels of their size.
    CHECK(compatible(GL_COMPRESSED_RGB8_ETC2, GL_COMPRESSED_SRGB8_ETC2));
    CHECK(compatible(GL_COMPRESSED_SIGNED_R11_EAC, GL_COMPRESSED_R11_EAC));
    CHECK(!compatible(GL_COMPRESSED_RGB8_ETC2, GL_COMPRESSED_R11_EAC));
    CHECK(!compatible(GL_COMPRESSED_RGB8_ETC2, GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2));
    CHECK(compatible(GL_COMPRESSED_RGBA_ASTC_6x5_KHR, GL_COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR));
    CHECK(!compatible(GL_COMPRESSED_RGBA_ASTC_6x5_KHR, GL_COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR));
    CHECK(compatible(GL_COMPRESSED_RGB8_ETC2, GL_RG32UI));
    CHECK(compatible(GL_COMPRESSED_RGBA8_ETC2_EAC, GL_RGBA32F));
    CHECK(!compatible(GL_COMPRESSED_RGBA8_ETC2_EAC, GL_RG32UI));
    CHECK(!compatible(GL_COMPRESSED_RGB8_ETC2, GL_R32UI));
}

TEST_CASE("texels are copied as bits, between targets and levels") {
    Copies f;
    const GLuint from = f.counted(GL_TEXTURE_2D, 8, 8);
    const GLuint to = f.storage(GL_TEXTURE_2D_ARRAY, GL_R32UI, 16, 16, 3, 2);
    CHECK(f.copy(from, GL_TEXTURE_2D, 0, 2, 3, 0, to, GL_TEXTURE_2D_ARRAY, 1, 4, 5, 2, 3, 2, 1) ==
          GL_NO_ERROR);
    CHECK(f.texel(to, 1, 4, 5, 0, 2) == Bytes{2, 3, 0, 9});
    CHECK(f.texel(to, 1, 6, 6, 0, 2) == Bytes{4, 4, 0, 9});
    CHECK(f.texel(to, 1, 7, 6, 0, 2) == Bytes{0, 0, 0, 0});
    CHECK(f.texel(to, 1, 4, 5, 0, 1) == Bytes{0, 0, 0, 0});

    const GLuint array = f.counted(GL_TEXTURE_2D_ARRAY, 4, 4, 4),
                 cube = f.storage(GL_TEXTURE_CUBE_MAP, GL_RGBA8, 4, 4);
    CHECK(f.copy(array, GL_TEXTURE_2D_ARRAY, 0, 0, 0, 1, cube, GL_TEXTURE_CUBE_MAP, 0, 0, 0, 3, 4, 4, 3) ==
          GL_NO_ERROR);
    CHECK(f.texel(cube, 0, 1, 2, 3) == Bytes{1, 2, 1, 9});
    CHECK(f.texel(cube, 0, 1, 2, 5) == Bytes{1, 2, 3, 9});
    CHECK(f.texel(cube, 0, 1, 2, 2) == Bytes{0, 0, 0, 0});

    const GLuint rb = f.renderbuffer(GL_RGBA8, 4, 4);
    const GLuint volume = f.counted(GL_TEXTURE_3D, 4, 4, 4), flat = f.storage(GL_TEXTURE_2D, GL_RGBA8, 4, 4);
    CHECK(f.copy(volume, GL_TEXTURE_3D, 0, 0, 0, 2, rb, GL_RENDERBUFFER, 0, 0, 0, 0, 4, 4, 1) == GL_NO_ERROR);
    CHECK(f.copy(rb, GL_RENDERBUFFER, 0, 1, 1, 0, flat, GL_TEXTURE_2D, 0, 0, 0, 0, 2, 2, 1) == GL_NO_ERROR);
    CHECK(f.texel(flat, 0, 0, 0) == Bytes{1, 1, 2, 9});
    CHECK(f.texel(flat, 0, 1, 1) == Bytes{2, 2, 2, 9});
}

TEST_CASE("blocks are copied as texels and back") {
    Copies f;
    const GLuint blocks = f.storage(GL_TEXTURE_2D, GL_COMPRESSED_RGB8_ETC2, 10, 6);  // 3 x 2 blocks
    Bytes data(48);
    for (size_t i = 0; i < data.size(); ++i)
        data[i] = uint8_t(i + 1);
    CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 10, 6, GL_COMPRESSED_RGB8_ETC2, 48, data.data());
    const GLuint texels = f.storage(GL_TEXTURE_2D, GL_RG32UI, 5, 5);
    CHECK(f.copy(blocks, GL_TEXTURE_2D, 0, 4, 0, 0, texels, GL_TEXTURE_2D, 0, 1, 2, 0, 6, 6, 1) ==
          GL_NO_ERROR);
    CHECK(f.texel(texels, 0, 1, 2) == Bytes(data.begin() + 8, data.begin() + 16));
    CHECK(f.texel(texels, 0, 2, 3) == Bytes(data.begin() + 40, data.end()));
    CHECK(f.texel(texels, 0, 3, 3) == Bytes(8));
    // The last block is partly outside the image.
    CHECK(f.copy(texels, GL_TEXTURE_2D, 0, 1, 2, 0, blocks, GL_TEXTURE_2D, 0, 8, 4, 0, 1, 1, 1) ==
          GL_NO_ERROR);
    CHECK(f.texel(blocks, 0, 8, 4) == Bytes(data.begin() + 8, data.begin() + 16));
    CHECK(f.copy(texels, GL_TEXTURE_2D, 0, 1, 2, 0, blocks, GL_TEXTURE_2D, 0, 8, 4, 0, 2, 1, 1) ==
          GL_INVALID_VALUE);
    CHECK(f.copy(texels, GL_TEXTURE_2D, 0, 1, 2, 0, blocks, GL_TEXTURE_2D, 0, 2, 4, 0, 1, 1, 1) ==
          GL_INVALID_VALUE);
    CHECK(f.copy(blocks, GL_TEXTURE_2D, 0, 0, 0, 0, texels, GL_TEXTURE_2D, 0, 0, 0, 0, 3, 4, 1) ==
          GL_INVALID_VALUE);
}

TEST_CASE("RGB that a device stores as RGBA is copied, too") {
    Copies h;
    h.screen.unsupported = [](pipe::Format f, uint32_t) {
        return f == pipe::Format::R32G32B32_FLOAT || f == pipe::Format::R32G32B32_UINT;
    };
    const GLuint from = h.storage(GL_TEXTURE_2D, GL_RGB32F, 4, 4);
    const GLuint to = h.storage(GL_TEXTURE_2D, GL_RGB32UI, 4, 4);
    CHECK(h.copy(from, GL_TEXTURE_2D, 0, 0, 0, 0, to, GL_TEXTURE_2D, 0, 1, 1, 0, 3, 3, 1) == GL_NO_ERROR);
}

TEST_CASE("errors of CopyImageSubData") {
    Copies f;
    const GLenum k2D = GL_TEXTURE_2D;
    const GLuint a = f.counted(k2D, 8, 8), b = f.storage(k2D, GL_RGBA8, 8, 8),
                 wide = f.storage(k2D, GL_RGBA32F, 8, 8);
    const GLuint unfinished = f.texture(k2D);
    f.image(0, 8, 8);
    const auto simple = [&](GLuint from, GLenum from_target, GLint level, GLuint to, GLenum to_target,
                            GLint x, GLsizei w) {
        return f.copy(from, from_target, level, x, 0, 0, to, to_target, 0, 0, 0, 0, w, 1, 1);
    };
    CHECK(simple(a, k2D, 0, b, k2D, 0, 1) == GL_NO_ERROR);
    CHECK(simple(a, GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, b, k2D, 0, 1) == GL_INVALID_ENUM);
    CHECK(simple(a, GL_TEXTURE_EXTERNAL_OES, 0, b, k2D, 0, 1) == GL_INVALID_ENUM);
    CHECK(simple(a, k2D, 0, b, GL_TEXTURE_3D, 0, 1) == GL_INVALID_ENUM);
    CHECK(simple(999, k2D, 0, b, k2D, 0, 1) == GL_INVALID_VALUE);
    CHECK(simple(a, k2D, 0, 999, GL_RENDERBUFFER, 0, 1) == GL_INVALID_VALUE);
    CHECK(simple(a, k2D, 1, b, k2D, 0, 1) == GL_INVALID_VALUE);
    CHECK(simple(a, k2D, -1, b, k2D, 0, 1) == GL_INVALID_VALUE);
    CHECK(simple(a, k2D, 0, b, k2D, 0, -1) == GL_INVALID_VALUE);
    CHECK(simple(a, k2D, 0, b, k2D, -1, 1) == GL_INVALID_VALUE);
    CHECK(simple(a, k2D, 0, b, k2D, 7, 2) == GL_INVALID_VALUE);
    CHECK(simple(a, k2D, 0, b, k2D, INT32_MAX, INT32_MAX) == GL_INVALID_VALUE);
    CHECK(simple(a, k2D, 0, wide, k2D, 0, 1) == GL_INVALID_OPERATION);
    CHECK(simple(unfinished, k2D, 0, b, k2D, 0, 1) == GL_INVALID_OPERATION);  // its filter needs mipmaps
    CHECK(f.copy(a, k2D, 0, 0, 0, 0, b, k2D, 0, 0, 0, 1, 1, 1, 1) == GL_INVALID_VALUE);
    CHECK(f.texel(b, 0, 7, 0) == Bytes(4));
}

TEST_CASE("blocks of images that the device stores decoded are copied, too") {
    Copies f;
    f.screen.unsupported = [](pipe::Format format, uint32_t) {
        return pipe::format_info(format).is_compressed;
    };
    const GLenum format = GL_COMPRESSED_RGBA8_ETC2_EAC;
    const GLuint from = f.storage(GL_TEXTURE_2D, format, 8, 4), to = f.storage(GL_TEXTURE_2D, format, 8, 4);
    const GLuint texels = f.storage(GL_TEXTURE_2D, GL_RGBA32UI, 2, 1);
    BindTexture(f.gl(), GL_TEXTURE_2D, from);
    // Alpha is 200 everywhere; the colour is one base colour without differences.
    const Bytes block{200, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x40, 0x20, 2, 0, 0, 0, 0};
    Bytes both(16);
    both.insert(both.end(), block.begin(), block.end());
    CompressedTexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 8, 4, format, 32, both.data());
    CHECK(f.copy(from, GL_TEXTURE_2D, 0, 4, 0, 0, texels, GL_TEXTURE_2D, 0, 0, 0, 0, 4, 4, 1) == GL_NO_ERROR);
    CHECK(f.texel(texels, 0, 0, 0) == block);
    CHECK(f.copy(texels, GL_TEXTURE_2D, 0, 0, 0, 0, to, GL_TEXTURE_2D, 0, 4, 0, 0, 1, 1, 1) == GL_NO_ERROR);
    CHECK(f.texel(to, 0, 5, 1) == f.texel(from, 0, 5, 1));
    CHECK(f.texel(to, 0, 5, 1)[3] == 200);
    CHECK(f.copy(to, GL_TEXTURE_2D, 0, 4, 0, 0, from, GL_TEXTURE_2D, 0, 0, 0, 0, 4, 4, 1) == GL_NO_ERROR);
    CHECK(f.texel(from, 0, 1, 1) == f.texel(to, 0, 5, 1));
}
