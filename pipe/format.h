// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pixel and vertex formats: names, memory layout, and conversion to and from float and integer RGBA, depth
// and stencil. The rows, with the order of bits of every format, are in pipe/format_rows.inc. Conversion
// rules: OpenGL ES 3.2 sections 2.3.4 and 2.3.5 (fixed point, small floats), 8.24 (sRGB), 8.5.2 (shared
// exponent). All functions are pure and reentrant, and do not allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace terrazzo::pipe {

enum class Format : uint8_t {
#define TERRAZZO_FORMAT(name, row) name,
#include "pipe/format_rows.inc"
#undef TERRAZZO_FORMAT
};

inline constexpr size_t kFormatCount = 0
#define TERRAZZO_FORMAT(name, row) +1
#include "pipe/format_rows.inc"
#undef TERRAZZO_FORMAT
    ;
static_assert(kFormatCount <= 256, "Format has 8 bits");

/// The conversion of one channel's bits to a number. Scaled: the integer's value as a float. Fixed: 16.16.
enum class ChannelType : uint8_t { None, Unorm, Snorm, Uint, Sint, Uscaled, Sscaled, Fixed, Float };

/// The source of one of R, G, B, A: a channel of FormatInfo::channel, or a constant.
enum class Swizzle : uint8_t { Channel0, Channel1, Channel2, Channel3, Zero, One };

/// The rule that decodes a block.
enum class FormatLayout : uint8_t {
    None,            // Format::None
    Plain,           // channels at fixed bits of a pixel
    SmallFloat,      // R11G11B10_FLOAT
    SharedExponent,  // R9G9B9E5_FLOAT
    Etc,             // ETC1, ETC2, EAC
    Astc,            // ASTC, LDR profile
    Bc,              // BC1 to BC7: S3TC, RGTC, BPTC
};

struct ChannelInfo {
    ChannelType type = ChannelType::None;  // None: padding
    uint8_t bits = 0;
    uint8_t shift = 0;  // of the lowest bit, from the lowest bit of the block's first byte (little-endian)
    char letter = 0;    // R G B A L D S X E
};

struct FormatInfo {
    const char* name = "";
    Format format = Format::None;
    FormatLayout layout = FormatLayout::None;
    uint8_t block_w_px = 1;  // 1 unless compressed
    uint8_t block_h_px = 1;
    uint8_t block_B = 0;  // bytes per block (a pixel if not compressed); 0 only for None
    uint8_t channel_count = 0;
    ChannelInfo channel[4] = {};
    Swizzle swizzle[4] = {Swizzle::Zero, Swizzle::Zero, Swizzle::Zero, Swizzle::One};  // of R, G, B, A
    bool is_color : 1 = false;
    bool has_depth : 1 = false;
    bool has_stencil : 1 = false;
    bool is_srgb : 1 = false;  // R, G, B (not A) hold sRGB values
    bool is_compressed : 1 = false;
    bool is_pure_uint : 1 = false;    // shaders read it as uint
    bool is_pure_sint : 1 = false;    // shaders read it as int
    bool is_vertex_only : 1 = false;  // not a texture or attachment format
    bool has_alpha : 1 = false;       // A (or LA) is stored

    constexpr bool is_pure_int() const { return is_pure_uint || is_pure_sint; }
    constexpr bool is_depth_stencil() const { return has_depth || has_stencil; }
    /// Number of bits of component c (0-3 = R, G, B, A); 0 if it is not stored. A nominal number for
    /// compressed formats.
    constexpr unsigned component_bits(unsigned c) const {
        return swizzle[c] <= Swizzle::Channel3 ? channel[size_t(swizzle[c])].bits : 0;
    }
    /// Number of bits of depth or stencil; 0 if it is not stored.
    constexpr unsigned depth_bits() const { return letter_bits('D'); }
    constexpr unsigned stencil_bits() const { return letter_bits('S'); }

  private:
    constexpr unsigned letter_bits(char letter) const {
        for (unsigned i = 0; i < channel_count; ++i)
            if (channel[i].letter == letter) return channel[i].bits;
        return 0;
    }
};

namespace detail {
extern const FormatInfo* const kFormats;  // kFormatCount rows, indexed by Format
}

inline const FormatInfo& format_info(Format format) {
    return detail::kFormats[size_t(format)];
}
inline const char* format_name(Format format) {
    return format_info(format).name;
}
/// The format with exactly this name; Format::None if there is none.
Format format_from_name(std::string_view name);

/// The format with the same layout and the other transfer function; Format::None if there is none. Returns
/// the format itself if it has the wanted function.
Format format_to_linear(Format format);
Format format_to_srgb(Format format);

/// Bytes of a tightly packed row of blocks that covers width_px pixels, and the number of rows of blocks in
/// height_px.
uint64_t format_row_B(Format format, uint32_t width_px);
uint32_t format_block_rows(Format format, uint32_t height_px);

// ---- Rows of pixels. dst and src need no alignment and must not overlap. `count` is in pixels. ----

/// Conversion functions of one format. A null pointer: the format does not have this conversion.
/// - unpack_f32/pack_f32: every colour format that is neither pure-integer nor compressed (vertex formats
///   too). sRGB formats unpack to linear values. Missing components read as 0, alpha as 1. Packing clamps to
///   the format's range, rounds to nearest (NaN becomes 0 in fixed-point formats) and writes padding as 1.0.
/// - unpack_u32/pack_u32, unpack_s32/pack_s32: pure-integer formats of either sign. Values are clamped to the
///   limits of the destination.
/// - depth: [0,1] for UNORM. Packing a UNORM clamps; D32_FLOAT is stored unchanged. Packing depth leaves
///   stencil in memory unchanged, and vice versa.
struct FormatOps {
    void (*unpack_f32)(float* dst_rgba, const void* src, size_t count) = nullptr;
    void (*pack_f32)(void* dst, const float* src_rgba, size_t count) = nullptr;
    void (*unpack_u32)(uint32_t* dst_rgba, const void* src, size_t count) = nullptr;
    void (*pack_u32)(void* dst, const uint32_t* src_rgba, size_t count) = nullptr;
    void (*unpack_s32)(int32_t* dst_rgba, const void* src, size_t count) = nullptr;
    void (*pack_s32)(void* dst, const int32_t* src_rgba, size_t count) = nullptr;
    void (*unpack_depth)(float* dst, const void* src, size_t count) = nullptr;
    void (*pack_depth)(void* dst, const float* src, size_t count) = nullptr;
    void (*unpack_stencil)(uint8_t* dst, const void* src, size_t count) = nullptr;
    void (*pack_stencil)(void* dst, const uint8_t* src, size_t count) = nullptr;
    /// Compressed formats: decodes one block to block_w_px * block_h_px RGBA values, row by row (linear
    /// values for sRGB formats).
    void (*decode_block)(float* dst_rgba, const void* block) = nullptr;
};

const FormatOps& format_ops(Format format);

// The same functions by the format's name; the format must have the conversion.
void unpack_rgba_f32(Format format, float* dst_rgba, const void* src, size_t count);
void pack_rgba_f32(Format format, void* dst, const float* src_rgba, size_t count);
void unpack_rgba_u32(Format format, uint32_t* dst_rgba, const void* src, size_t count);
void pack_rgba_u32(Format format, void* dst, const uint32_t* src_rgba, size_t count);
void unpack_rgba_s32(Format format, int32_t* dst_rgba, const void* src, size_t count);
void pack_rgba_s32(Format format, void* dst, const int32_t* src_rgba, size_t count);
void unpack_depth_f32(Format format, float* dst, const void* src, size_t count);
void pack_depth_f32(Format format, void* dst, const float* src, size_t count);
void unpack_stencil_u8(Format format, uint8_t* dst, const void* src, size_t count);
void pack_stencil_u8(Format format, void* dst, const uint8_t* src, size_t count);

// ---- Rectangles. Strides are bytes from one row (of blocks) to the next, and may be negative to flip. ----

/// Unpacks w x h pixels to rows of float RGBA. The rectangle of a compressed format must begin at a block's
/// corner. False (nothing written): the format has no float values.
[[nodiscard]] bool unpack_rect_f32(Format format, float* dst_rgba, ptrdiff_t dst_stride_B, const void* src,
                                   ptrdiff_t src_stride_B, uint32_t w_px, uint32_t h_px);

/// Converts w x h pixels between two formats of one class: both are float-valued colours (including
/// compressed sources), both are pure-integer, or both have depth or both have stencil. An aspect of the
/// destination that the source lacks is left unchanged. Equal formats are copied bit by bit, compressed ones
/// in whole blocks. The regions must not overlap. False, with nothing written: there is no such conversion.
[[nodiscard]] bool convert_rect(Format dst_format, void* dst, ptrdiff_t dst_stride_B, Format src_format,
                                const void* src, ptrdiff_t src_stride_B, uint32_t w_px, uint32_t h_px);
/// Whether convert_rect supports the two formats.
bool can_convert(Format dst_format, Format src_format);

// ---- sRGB, exact to the last bit of 8. ----
float srgb8_to_linear(uint8_t value);
uint8_t linear_to_srgb8(float value);  // clamps; NaN becomes 0

}  // namespace terrazzo::pipe
