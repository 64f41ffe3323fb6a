// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glReadPixels of every renderable format with the pair of format and type of its upload, on TERRAZZO_DEVICE:
// the result must be the uploaded pixels, bit by bit.
#include <GLES3/gl32.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "tests/api/egl/fixture.h"

#include <GLES2/gl2ext.h>

namespace {

struct FormatRow {
    GLenum sized, format, type;
    unsigned texel_B;
    const char* extension;  // the extension that makes it renderable; null: OpenGL ES `version`
    int version;
};
constexpr FormatRow kFormats[] = {
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, nullptr, 30},
    {GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 3, nullptr, 30},
    {GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2, nullptr, 20},
    {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2, nullptr, 20},
    {GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, nullptr, 20},
    {GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, nullptr, 30},
    {GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2, nullptr, 30},
    {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, nullptr, 30},
    {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, nullptr, 30},
    {GL_BGRA8_EXT, GL_BGRA_EXT, GL_UNSIGNED_BYTE, 4, "GL_EXT_texture_format_BGRA8888", 20},
    {GL_R8_SNORM, GL_RED, GL_BYTE, 1, "GL_EXT_render_snorm", 31},
    {GL_RG8_SNORM, GL_RG, GL_BYTE, 2, "GL_EXT_render_snorm", 31},
    {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 4, "GL_EXT_render_snorm", 31},
    {GL_R16_SNORM_EXT, GL_RED, GL_SHORT, 2, "GL_EXT_render_snorm", 31},
    {GL_RG16_SNORM_EXT, GL_RG, GL_SHORT, 4, "GL_EXT_render_snorm", 31},
    {GL_RGBA16_SNORM_EXT, GL_RGBA, GL_SHORT, 8, "GL_EXT_render_snorm", 31},
    {GL_R16_EXT, GL_RED, GL_UNSIGNED_SHORT, 2, "GL_EXT_texture_norm16", 31},
    {GL_RG16_EXT, GL_RG, GL_UNSIGNED_SHORT, 4, "GL_EXT_texture_norm16", 31},
    {GL_RGBA16_EXT, GL_RGBA, GL_UNSIGNED_SHORT, 8, "GL_EXT_texture_norm16", 31},
    {GL_R16F, GL_RED, GL_HALF_FLOAT, 2, "GL_EXT_color_buffer_float", 30},
    {GL_RG16F, GL_RG, GL_HALF_FLOAT, 4, "GL_EXT_color_buffer_float", 30},
    {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8, "GL_EXT_color_buffer_float", 30},
    {GL_RGB16F, GL_RGB, GL_HALF_FLOAT, 6, "GL_EXT_color_buffer_half_float", 30},
    {GL_R32F, GL_RED, GL_FLOAT, 4, "GL_EXT_color_buffer_float", 30},
    {GL_RG32F, GL_RG, GL_FLOAT, 8, "GL_EXT_color_buffer_float", 30},
    {GL_RGBA32F, GL_RGBA, GL_FLOAT, 16, "GL_EXT_color_buffer_float", 30},
    {GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, 4, "GL_EXT_color_buffer_float", 30},
    {GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, 4, nullptr, 30},
    {GL_R8I, GL_RED_INTEGER, GL_BYTE, 1, nullptr, 30},
    {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1, nullptr, 30},
    {GL_R16I, GL_RED_INTEGER, GL_SHORT, 2, nullptr, 30},
    {GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, 2, nullptr, 30},
    {GL_R32I, GL_RED_INTEGER, GL_INT, 4, nullptr, 30},
    {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, nullptr, 30},
    {GL_RG8I, GL_RG_INTEGER, GL_BYTE, 2, nullptr, 30},
    {GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE, 2, nullptr, 30},
    {GL_RG16I, GL_RG_INTEGER, GL_SHORT, 4, nullptr, 30},
    {GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, 4, nullptr, 30},
    {GL_RG32I, GL_RG_INTEGER, GL_INT, 8, nullptr, 30},
    {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 8, nullptr, 30},
    {GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, 4, nullptr, 30},
    {GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, nullptr, 30},
    {GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, 8, nullptr, 30},
    {GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, 8, nullptr, 30},
    {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16, nullptr, 30},
    {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16, nullptr, 30},
};

constexpr int kW = 5, kH = 3;
using Bytes = std::vector<unsigned char>;

/// Texels that survive a conversion in their format: no infinities, and only one encoding of -1.
Bytes texels(const FormatRow& f) {
    Bytes out(size_t(kW * kH) * f.texel_B);
    for (size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<unsigned char>(i * 37 % 100 + 11);
    return out;
}

struct Pairs : fixture::Display {
    int version = 20;
    Pairs() {
        EGLConfig c = config({EGL_RED_SIZE, 8});
        EGLSurface s = pbuffer(c, 16, 16);
        EGLContext x = context(c);
        REQUIRE(eglMakeCurrent(dpy, s, s, x));
        const std::string text =
            reinterpret_cast<const char*>(glGetString(GL_VERSION));  // "OpenGL ES 3.2 ..."
        version = (text[10] - '0') * 10 + (text[12] - '0');
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    }
    bool has(const char* extension) const {
        const std::string all =
            std::string(" ") + reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)) + " ";
        return all.find(std::string(" ") + extension + " ") != std::string::npos;
    }
    bool renderable(const FormatRow& f) const {
        return version >= f.version && (!f.extension || has(f.extension));
    }
    /// Binds a framebuffer with a texture of such texels.
    void upload(const FormatRow& f, const Bytes& bytes) {
        GLuint texture = 0, fbo = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        // In OpenGL ES 2.0 BGRA has only its unsized name.
        const bool unsized = f.sized == GL_BGRA8_EXT || version < 30;
        glTexImage2D(GL_TEXTURE_2D, 0, GLint(unsized ? f.format : f.sized), kW, kH, 0, f.format, f.type,
                     bytes.data());
        REQUIRE(glGetError() == GL_NO_ERROR);
        glGenFramebuffers(1, &fbo);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    }
    Bytes read(GLenum format, GLenum type, size_t texel_B) {
        Bytes out(size_t(kW * kH) * texel_B, 0xee);
        glReadPixels(0, 0, kW, kH, format, type, out.data());
        return out;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Pairs,
                  "read pixels: every renderable format is read as it was uploaded, with its own pair") {
    int count = 0;
    for (const FormatRow& f : kFormats) {
        if (!renderable(f)) continue;
        CAPTURE(f.sized);
        const Bytes bytes = texels(f);
        upload(f, bytes);
        CHECK(read(f.format, f.type, f.texel_B) == bytes);
        CHECK(glGetError() == GL_NO_ERROR);
        // Also with the implementation's pair, which may be another one, without an error.
        GLint format = 0, type = 0;
        glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_FORMAT, &format);
        glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_TYPE, &type);
        read(GLenum(format), GLenum(type), 16);
        CHECK(glGetError() == GL_NO_ERROR);
        ++count;
    }
    CHECK(count >= (version >= 30 ? 25 : 3));
}

TEST_CASE_FIXTURE(Pairs, "read pixels: pairs of other formats stay errors") {
    struct Row {
        GLenum sized, format, type;
    };
    constexpr Row kRows[] = {
        {GL_R8, GL_RED, GL_BYTE},
        {GL_R8, GL_RGB, GL_UNSIGNED_BYTE},
        {GL_RGBA8, GL_RGB, GL_UNSIGNED_BYTE},
        {GL_RGB565, GL_RGB, GL_UNSIGNED_BYTE},
        {GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1},
        {GL_R8_SNORM, GL_RG, GL_BYTE},
        {GL_R8_SNORM, GL_RED, GL_UNSIGNED_BYTE},
        {GL_R8_SNORM, GL_RED, GL_SHORT},
        {GL_RG16_SNORM_EXT, GL_RED, GL_SHORT},
        {GL_R16F, GL_RED, GL_FLOAT},
        {GL_R8UI, GL_RED_INTEGER, GL_BYTE},
        {GL_RG16UI, GL_RG, GL_UNSIGNED_SHORT},
    };
    for (const Row& r : kRows) {
        const auto* const f = std::find_if(std::begin(kFormats), std::end(kFormats),
                                           [&](const FormatRow& row) { return row.sized == r.sized; });
        REQUIRE(f != std::end(kFormats));
        if (!renderable(*f)) continue;
        CAPTURE(r.sized);
        CAPTURE(r.format);
        CAPTURE(r.type);
        upload(*f, texels(*f));
        const Bytes out = read(r.format, r.type, 8);
        // OpenGL ES 2.0 has neither signed bytes nor red with these names.
        const GLenum error = glGetError();
        CHECK((error == GL_INVALID_OPERATION || (version < 30 && error == GL_INVALID_ENUM)));
        CHECK(out == Bytes(out.size(), 0xee));
    }
}
