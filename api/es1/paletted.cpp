// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/es1/paletted.h"

#include <algorithm>
#include <cstring>

#include "state_tracker/images/texture.h"

namespace terrazzo::es1 {
namespace {

/// Uploads by the state tracker see plain memory, whatever the application's pixel store and buffers are.
class PlainUnpack {
  public:
    explicit PlainUnpack(st::Context& gl)
        : gl_(gl), store_(gl.state.unpack), buffer_(std::move(gl.pixel_unpack_buffer)) {
        gl.state.unpack = {};
        gl.state.unpack.alignment = 1;
        gl.pixel_unpack_buffer = nullptr;
    }
    ~PlainUnpack() {
        gl_.state.unpack = store_;
        gl_.pixel_unpack_buffer = std::move(buffer_);
    }
    PlainUnpack(const PlainUnpack&) = delete;

  private:
    st::Context& gl_;
    st::PixelStore store_;
    pipe::Ref<st::Buffer> buffer_;
};

}  // namespace

PaletteFormat palette_format(GLenum internal_format) {
    static constexpr PaletteFormat kFormats[] = {
        {GL_RGB, GL_UNSIGNED_BYTE, 3, 4},           {GL_RGBA, GL_UNSIGNED_BYTE, 4, 4},
        {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, 4},    {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2, 4},
        {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2, 4},
    };
    const unsigned row = internal_format - GL_PALETTE4_RGB8_OES;
    PaletteFormat f = kFormats[row % 5];
    if (row >= 5) f.index_bits = 8;
    return f;
}

uint64_t palette_level_B(const PaletteFormat& f, uint32_t width, uint32_t height) {
    return (uint64_t(width) * height * f.index_bits + 7) / 8;
}

std::vector<uint8_t> decode_palette(const PaletteFormat& f, const uint8_t* palette, const uint8_t* indices,
                                    uint32_t width, uint32_t height) {
    const uint64_t texels = uint64_t(width) * height;
    std::vector<uint8_t> out(texels * f.entry_B);
    for (uint64_t i = 0; i < texels; ++i) {
        // Of two indices in a byte the first is the high one.
        const unsigned index = f.index_bits == 8 ? indices[i] : indices[i / 2] >> (i % 2 ? 0 : 4) & 15;
        std::memcpy(&out[i * f.entry_B], palette + index * f.entry_B, f.entry_B);
    }
    return out;
}

void paletted_image(Context& ctx, GLenum target, GLint level, GLenum internal_format, GLsizei width,
                    GLsizei height, GLint border, GLsizei size_B, const void* data) {
    static constexpr char kName[] = "glCompressedTexImage2D";
    st::ImageTarget it;
    if (!st::image_target(ctx.gl, target, 2, &it))
        return ctx.gl.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    const uint32_t most = st::max_size_px(ctx.gl, it.target);
    if (width < 0 || height < 0 || uint32_t(width) > most || uint32_t(height) > most || border != 0)
        return ctx.gl.error(GL_INVALID_VALUE, kName, "%d x %d texels with a border of %d", width, height,
                            border);
    if (level > 0 || -int64_t(level) >= st::full_level_count(uint32_t(width), uint32_t(height)))
        return ctx.gl.error(GL_INVALID_VALUE, kName,
                            "level %d: paletted images have level 0, or minus the number of mipmaps", level);
    const PaletteFormat f = palette_format(internal_format);
    const uint32_t levels = uint32_t(-level) + 1, palette_B = f.entry_B << f.index_bits;
    uint64_t want_B = palette_B;
    for (uint32_t n = 0; n < levels; ++n)
        want_B += palette_level_B(f, st::minify(uint32_t(width), n), st::minify(uint32_t(height), n));
    if (size_B < 0 || uint64_t(size_B) != want_B)
        return ctx.gl.error(GL_INVALID_VALUE, kName,
                            "imageSize is %d, and the palette and %u levels take %llu bytes", size_B, levels,
                            static_cast<unsigned long long>(want_B));
    const PlainUnpack plain(ctx.gl);
    const auto* palette = static_cast<const uint8_t*>(data);
    const uint8_t* indices = palette ? palette + palette_B : nullptr;
    for (uint32_t n = 0; n < levels; ++n) {
        const uint32_t w = st::minify(uint32_t(width), n), h = st::minify(uint32_t(height), n);
        std::vector<uint8_t> texels;
        if (data) texels = decode_palette(f, palette, indices, w, h);
        st::TexImage2D(ctx.gl, target, GLint(n), GLint(f.format), GLsizei(w), GLsizei(h), 0, f.format, f.type,
                       data ? texels.data() : nullptr);
        if (data) indices += palette_level_B(f, w, h);
    }
}

}  // namespace terrazzo::es1
