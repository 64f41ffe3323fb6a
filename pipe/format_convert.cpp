// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Conversion of rectangles: a copy if the formats are equal, byte shuffles between the common 8-bit layouts,
// and otherwise row by row through float, integer, depth or stencil values in a small buffer on the stack.
#include <algorithm>
#include <array>
#include <cstring>

#include "pipe/format.h"
#include "pipe/format_bc.h"
#include "pipe/format_etc.h"

namespace terrazzo::pipe {

namespace {

constexpr size_t kChunk_px = 256;

struct Rows {
    uint8_t* dst;
    ptrdiff_t dst_stride_B;
    const uint8_t* src;
    ptrdiff_t src_stride_B;
    uint32_t w_px, h_px;
};

// Calls `chunk(dst, src, count)` for pieces of at most kChunk_px pixels of every row.
template <class F>
void for_each_chunk(const Rows& r, unsigned dst_px_B, unsigned src_px_B, F&& chunk) {
    for (uint32_t y = 0; y < r.h_px; ++y) {
        uint8_t* dst = r.dst + ptrdiff_t(y) * r.dst_stride_B;
        const uint8_t* src = r.src + ptrdiff_t(y) * r.src_stride_B;
        for (size_t x = 0; x < r.w_px; x += kChunk_px) {
            const size_t n = std::min<size_t>(kChunk_px, r.w_px - x);
            chunk(dst + x * dst_px_B, src + x * src_px_B, n);
        }
    }
}

bool is_float_color(const FormatInfo& info) {
    return info.is_color && !info.is_pure_int();
}

// ---- Byte shuffles ----

// For formats with 8-bit UNORM or sRGB channels: the source's byte for each byte of the destination; 0x80:
// constant 255, 0x81: constant 0.
struct Shuffle {
    uint8_t from[4];
    unsigned dst_B, src_B;
};

bool all_bytes(const FormatInfo& info) {
    if (info.layout != FormatLayout::Plain || info.is_depth_stencil()) return false;
    for (unsigned i = 0; i < info.channel_count; ++i)
        if (info.channel[i].bits != 8 ||
            (info.channel[i].type != ChannelType::Unorm && info.channel[i].type != ChannelType::None))
            return false;
    return true;
}

bool find_shuffle(const FormatInfo& dst, const FormatInfo& src, Shuffle& out) {
    if (!all_bytes(dst) || !all_bytes(src) || dst.is_srgb != src.is_srgb) return false;
    out.dst_B = dst.block_B;
    out.src_B = src.block_B;
    for (unsigned i = 0; i < dst.channel_count; ++i) {
        unsigned component = 0;
        switch (dst.channel[i].letter) {
            case 'G':
                component = 1;
                break;
            case 'B':
                component = 2;
                break;
            case 'A':
                component = 3;
                break;
            case 'X':
                out.from[i] = 0x80;
                continue;
            default:
                break;
        }
        const Swizzle s = src.swizzle[component];
        out.from[i] = s == Swizzle::One ? 0x80 : s == Swizzle::Zero ? 0x81 : uint8_t(s);
    }
    return true;
}

// RGBA <-> BGRA: swaps bytes 0 and 2, keeps 1, and keeps or sets 3.
void swap_red_blue(uint8_t* dst, const uint8_t* src, size_t count, uint32_t or_mask) {
    for (size_t i = 0; i < count; ++i) {
        uint32_t v;
        std::memcpy(&v, src + i * 4, 4);
        v = (v & 0xff00ff00u) | (v & 0xffu) << 16 | (v >> 16 & 0xffu) | or_mask;
        std::memcpy(dst + i * 4, &v, 4);
    }
}

void keep_order(uint8_t* dst, const uint8_t* src, size_t count, uint32_t or_mask) {
    for (size_t i = 0; i < count; ++i) {
        uint32_t v;
        std::memcpy(&v, src + i * 4, 4);
        v |= or_mask;
        std::memcpy(dst + i * 4, &v, 4);
    }
}

template <unsigned kDst_B>
void shuffle_row(uint8_t* dst, const uint8_t* src, size_t count, const Shuffle& s) {
    // The pixel is followed by the two constants, so that the inner loop has no branch.
    uint8_t window[6] = {0, 0, 0, 0, 255, 0};
    uint8_t from[4];
    for (unsigned i = 0; i < kDst_B; ++i)
        from[i] = s.from[i] < 4 ? s.from[i] : s.from[i] == 0x80 ? 4 : 5;
    for (size_t p = 0; p < count; ++p, dst += kDst_B, src += s.src_B) {
        for (unsigned i = 0; i < s.src_B; ++i)
            window[i] = src[i];
        for (unsigned i = 0; i < kDst_B; ++i)
            dst[i] = window[from[i]];
    }
}

void shuffle_rect(const Rows& r, const Shuffle& s) {
    const bool words =
        s.dst_B == 4 && s.src_B == 4 && s.from[1] == 1 && (s.from[3] == 3 || s.from[3] == 0x80);
    const uint32_t or_mask = s.from[3] == 0x80 ? 0xff000000u : 0;
    for (uint32_t y = 0; y < r.h_px; ++y) {
        uint8_t* dst = r.dst + ptrdiff_t(y) * r.dst_stride_B;
        const uint8_t* src = r.src + ptrdiff_t(y) * r.src_stride_B;
        if (words && s.from[0] == 2 && s.from[2] == 0)
            swap_red_blue(dst, src, r.w_px, or_mask);
        else if (words && s.from[0] == 0 && s.from[2] == 2)
            keep_order(dst, src, r.w_px, or_mask);
        else if (s.dst_B == 4)
            shuffle_row<4>(dst, src, r.w_px, s);
        else if (s.dst_B == 3)
            shuffle_row<3>(dst, src, r.w_px, s);
        else if (s.dst_B == 2)
            shuffle_row<2>(dst, src, r.w_px, s);
        else
            shuffle_row<1>(dst, src, r.w_px, s);
    }
}

// ETC blocks and most BC blocks hold 8-bit values, which need no conversion to float and back.
bool is_blocks_to_bytes(const FormatInfo& dst, const FormatInfo& src) {
    const bool bytes = src.layout == FormatLayout::Etc  ? src.channel_count > 2
                       : src.layout == FormatLayout::Bc ? detail::bc_is_8bit(src.format)
                                                        : false;
    return bytes && all_bytes(dst) && dst.is_srgb == src.is_srgb;
}

void blocks_to_bytes(const FormatInfo& dst, const FormatInfo& src, const Rows& r) {
    const FormatInfo& rgba8 = format_info(src.is_srgb ? Format::R8G8B8A8_SRGB : Format::R8G8B8A8_UNORM);
    Shuffle shuffle;
    if (!find_shuffle(dst, rgba8, shuffle)) return;
    uint8_t rgba[64];
    for (uint32_t y = 0; y < r.h_px; y += 4)
        for (uint32_t x = 0; x < r.w_px; x += 4) {
            const auto decode = src.layout == FormatLayout::Etc ? detail::decode_etc_block_rgba8
                                                                : detail::decode_bc_block_rgba8;
            decode(src.format, rgba, r.src + ptrdiff_t(y / 4) * r.src_stride_B + size_t(x / 4) * src.block_B);
            shuffle_rect({r.dst + ptrdiff_t(y) * r.dst_stride_B + size_t(x) * dst.block_B, r.dst_stride_B,
                          rgba, 16, std::min(4u, r.w_px - x), std::min(4u, r.h_px - y)},
                         shuffle);
        }
}

// Converts 16-bit words of small UNORM channels (565, 4444, 5551) to bytes, with a table of rounded values
// for each channel.
bool is_word_to_bytes(const FormatInfo& dst, const FormatInfo& src) {
    if (src.layout != FormatLayout::Plain || src.block_B != 2 || !src.is_color || !all_bytes(dst) ||
        dst.is_srgb)
        return false;
    for (unsigned i = 0; i < src.channel_count; ++i)
        if (src.channel[i].type != ChannelType::Unorm || src.channel[i].bits >= 8) return false;
    return true;
}

struct ByteTable {
    unsigned shift = 0, mask = 0;
    uint8_t value[64] = {};  // mask 0: the constant
};

template <unsigned kDst_B>
void table_rows(const Rows& r, const ByteTable tables[4]) {
    for (uint32_t y = 0; y < r.h_px; ++y) {
        uint8_t* dst = r.dst + ptrdiff_t(y) * r.dst_stride_B;
        const uint8_t* src = r.src + ptrdiff_t(y) * r.src_stride_B;
        for (uint32_t x = 0; x < r.w_px; ++x, src += 2, dst += kDst_B) {
            const unsigned word = unsigned(src[0]) | unsigned(src[1]) << 8;
            for (unsigned i = 0; i < kDst_B; ++i)
                dst[i] = tables[i].value[word >> tables[i].shift & tables[i].mask];
        }
    }
}

void word_to_bytes(const FormatInfo& dst, const FormatInfo& src, const Rows& r) {
    ByteTable tables[4];
    for (unsigned i = 0; i < dst.channel_count; ++i) {
        const char letter = dst.channel[i].letter;
        const Swizzle s = letter == 'X' ? Swizzle::One
                                        : src.swizzle[letter == 'G'   ? 1
                                                      : letter == 'B' ? 2
                                                      : letter == 'A' ? 3
                                                                      : 0];
        ByteTable& t = tables[i];
        if (s > Swizzle::Channel3) {
            t.value[0] = s == Swizzle::One ? 255 : 0;
            continue;
        }
        const ChannelInfo& c = src.channel[size_t(s)];
        t.shift = c.shift;
        t.mask = (1u << c.bits) - 1;
        for (unsigned v = 0; v <= t.mask; ++v)
            t.value[v] = uint8_t((v * 510 + t.mask) / (2 * t.mask));
    }
    switch (dst.block_B) {
        case 1:
            return table_rows<1>(r, tables);
        case 2:
            return table_rows<2>(r, tables);
        case 3:
            return table_rows<3>(r, tables);
        default:
            return table_rows<4>(r, tables);
    }
}

// ---- Conversion through values ----

void copy_rect(const FormatInfo& info, const Rows& r) {
    const size_t row_B = size_t(format_row_B(info.format, r.w_px));
    const uint32_t rows = format_block_rows(info.format, r.h_px);
    if (r.dst_stride_B == r.src_stride_B && r.dst_stride_B == ptrdiff_t(row_B)) {
        std::memcpy(r.dst, r.src, row_B * rows);
        return;
    }
    for (uint32_t y = 0; y < rows; ++y)
        std::memcpy(r.dst + ptrdiff_t(y) * r.dst_stride_B, r.src + ptrdiff_t(y) * r.src_stride_B, row_B);
}

// Decodes blocks, and calls put(x, y, rgba, count) for their rows of float pixels.
template <class F>
void decode_blocks(const FormatInfo& info, const Rows& r, F&& put) {
    float block[12 * 12 * 4];
    const auto decode = format_ops(info.format).decode_block;
    for (uint32_t y = 0; y < r.h_px; y += info.block_h_px) {
        const uint8_t* src = r.src + ptrdiff_t(y / info.block_h_px) * r.src_stride_B;
        for (uint32_t x = 0; x < r.w_px; x += info.block_w_px, src += info.block_B) {
            decode(block, src);
            const uint32_t w = std::min<uint32_t>(info.block_w_px, r.w_px - x);
            const uint32_t h = std::min<uint32_t>(info.block_h_px, r.h_px - y);
            for (uint32_t row = 0; row < h; ++row)
                put(x, y + row, block + size_t(row) * info.block_w_px * 4, w);
        }
    }
}

void convert_float(const FormatInfo& dst, const FormatInfo& src, const Rows& r) {
    const auto pack = format_ops(dst.format).pack_f32;
    if (src.is_compressed) {
        decode_blocks(src, r, [&](uint32_t x, uint32_t y, const float* rgba, uint32_t count) {
            pack(r.dst + ptrdiff_t(y) * r.dst_stride_B + size_t(x) * dst.block_B, rgba, count);
        });
        return;
    }
    const auto unpack = format_ops(src.format).unpack_f32;
    float rgba[kChunk_px * 4];
    for_each_chunk(r, dst.block_B, src.block_B, [&](uint8_t* d, const uint8_t* s, size_t n) {
        unpack(rgba, s, n);
        pack(d, rgba, n);
    });
}

void convert_int(const FormatInfo& dst, const FormatInfo& src, const Rows& r) {
    const FormatOps &to = format_ops(dst.format), &from = format_ops(src.format);
    if (src.is_pure_uint) {
        uint32_t rgba[kChunk_px * 4];
        for_each_chunk(r, dst.block_B, src.block_B, [&](uint8_t* d, const uint8_t* s, size_t n) {
            from.unpack_u32(rgba, s, n);
            to.pack_u32(d, rgba, n);
        });
    } else {
        int32_t rgba[kChunk_px * 4];
        for_each_chunk(r, dst.block_B, src.block_B, [&](uint8_t* d, const uint8_t* s, size_t n) {
            from.unpack_s32(rgba, s, n);
            to.pack_s32(d, rgba, n);
        });
    }
}

void convert_depth_stencil(const FormatInfo& dst, const FormatInfo& src, const Rows& r) {
    const FormatOps &to = format_ops(dst.format), &from = format_ops(src.format);
    const bool depth = dst.has_depth && src.has_depth, stencil = dst.has_stencil && src.has_stencil;
    float depths[kChunk_px];
    uint8_t stencils[kChunk_px];
    for_each_chunk(r, dst.block_B, src.block_B, [&](uint8_t* d, const uint8_t* s, size_t n) {
        if (depth) {
            from.unpack_depth(depths, s, n);
            to.pack_depth(d, depths, n);
        }
        if (stencil) {
            from.unpack_stencil(stencils, s, n);
            to.pack_stencil(d, stencils, n);
        }
    });
}

}  // namespace

bool can_convert(Format dst_format, Format src_format) {
    if (dst_format == Format::None || src_format == Format::None) return false;
    if (dst_format == src_format) return true;
    const FormatInfo &dst = format_info(dst_format), &src = format_info(src_format);
    if (dst.is_compressed) return false;
    if (is_float_color(dst) && is_float_color(src)) return true;
    if (dst.is_pure_int() && src.is_pure_int()) return true;
    return (dst.has_depth && src.has_depth) || (dst.has_stencil && src.has_stencil);
}

bool convert_rect(Format dst_format, void* dst, ptrdiff_t dst_stride_B, Format src_format, const void* src,
                  ptrdiff_t src_stride_B, uint32_t w_px, uint32_t h_px) {
    if (!can_convert(dst_format, src_format)) return false;
    if (w_px == 0 || h_px == 0) return true;
    const FormatInfo &to = format_info(dst_format), &from = format_info(src_format);
    const Rows rows = {
        static_cast<uint8_t*>(dst), dst_stride_B, static_cast<const uint8_t*>(src), src_stride_B, w_px, h_px};
    Shuffle shuffle;
    if (dst_format == src_format)
        copy_rect(to, rows);
    else if (to.is_depth_stencil())
        convert_depth_stencil(to, from, rows);
    else if (to.is_pure_int())
        convert_int(to, from, rows);
    else if (find_shuffle(to, from, shuffle))
        shuffle_rect(rows, shuffle);
    else if (is_blocks_to_bytes(to, from))
        blocks_to_bytes(to, from, rows);
    else if (is_word_to_bytes(to, from))
        word_to_bytes(to, from, rows);
    else
        convert_float(to, from, rows);
    return true;
}

bool unpack_rect_f32(Format format, float* dst_rgba, ptrdiff_t dst_stride_B, const void* src,
                     ptrdiff_t src_stride_B, uint32_t w_px, uint32_t h_px) {
    return can_convert(Format::R32G32B32A32_FLOAT, format) &&
           convert_rect(Format::R32G32B32A32_FLOAT, dst_rgba, dst_stride_B, format, src, src_stride_B, w_px,
                        h_px);
}

}  // namespace terrazzo::pipe
