// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The conversion functions of every format, generated from the rows: one small loop per format and direction.
#include <array>

#include "pipe/format.h"
#include "pipe/format_astc.h"
#include "pipe/format_bc.h"
#include "pipe/format_codec.h"
#include "pipe/format_etc.h"
#include "pipe/packed_float.h"

namespace terrazzo::pipe {

namespace {

using detail::kRow;

// The component among R, G, B, A that a channel stores; 4: padding.
constexpr unsigned component_of(char letter) {
    switch (letter) {
        case 'R':
        case 'L':
            return 0;
        case 'G':
            return 1;
        case 'B':
            return 2;
        case 'A':
            return 3;
        default:
            return 4;
    }
}

// Padding is written with the type of the other channels.
constexpr ChannelType pack_type(const FormatInfo& row, unsigned c) {
    return row.channel[c].type != ChannelType::None ? row.channel[c].type : row.channel[0].type;
}

template <Format F, unsigned C>
float load_f32(const uint8_t* pixel) {
    constexpr const ChannelInfo& c = kRow<F>.channel[C];
    if constexpr (C >= kRow<F>.channel_count || c.type == ChannelType::None) {
        return 0;
    } else if constexpr (kRow<F>.is_srgb && c.letter != 'A') {
        return srgb8_to_linear(uint8_t(detail::load_channel<F, C>(pixel)));
    } else {
        return detail::decode_channel<c.type, c.bits>(detail::load_channel<F, C>(pixel));
    }
}

template <Format F, unsigned kComponent, class T>
T swizzled(const T channels[4]) {
    constexpr Swizzle s = kRow<F>.swizzle[kComponent];
    if constexpr (s == Swizzle::Zero)
        return T(0);
    else if constexpr (s == Swizzle::One)
        return T(1);
    else
        return channels[unsigned(s)];
}

template <Format F>
void unpack_f32(float* dst, const void* src_void, size_t count) {
    const uint8_t* src = static_cast<const uint8_t*>(src_void);
    if constexpr (F == Format::R32G32B32A32_FLOAT) {
        std::memcpy(dst, src, count * 16);
        return;
    }
    for (size_t i = 0; i < count; ++i, src += kRow<F>.block_B, dst += 4) {
        const float c[4] = {load_f32<F, 0>(src), load_f32<F, 1>(src), load_f32<F, 2>(src),
                            load_f32<F, 3>(src)};
        dst[0] = swizzled<F, 0>(c);
        dst[1] = swizzled<F, 1>(c);
        dst[2] = swizzled<F, 2>(c);
        dst[3] = swizzled<F, 3>(c);
    }
}

template <Format F, unsigned C>
uint32_t raw_from_f32(const float* rgba) {
    if constexpr (C >= kRow<F>.channel_count) {
        return 0;
    } else {
        constexpr const ChannelInfo& c = kRow<F>.channel[C];
        constexpr unsigned component = component_of(c.letter);
        if constexpr (component == 4) {
            return detail::encode_channel<pack_type(kRow<F>, C), c.bits>(1.0f);
        } else if constexpr (kRow<F>.is_srgb && component != 3) {
            return linear_to_srgb8(rgba[component]);
        } else {
            return detail::encode_channel<c.type, c.bits>(rgba[component]);
        }
    }
}

template <Format F>
void pack_f32(void* dst_void, const float* src, size_t count) {
    uint8_t* dst = static_cast<uint8_t*>(dst_void);
    if constexpr (F == Format::R32G32B32A32_FLOAT) {
        std::memcpy(dst, src, count * 16);
        return;
    }
    for (size_t i = 0; i < count; ++i, dst += kRow<F>.block_B, src += 4) {
        const uint32_t raw[4] = {raw_from_f32<F, 0>(src), raw_from_f32<F, 1>(src), raw_from_f32<F, 2>(src),
                                 raw_from_f32<F, 3>(src)};
        detail::store_pixel<F>(dst, raw);
    }
}

// T is uint32_t or int32_t. Values that T cannot represent are clamped.
template <Format F, unsigned C, class T>
T load_int(const uint8_t* pixel) {
    constexpr const ChannelInfo& c = kRow<F>.channel[C];
    if constexpr (C >= kRow<F>.channel_count || c.type == ChannelType::None) {
        return 0;
    } else {
        const uint32_t raw = detail::load_channel<F, C>(pixel);
        if constexpr (c.type == ChannelType::Sint) {
            const int32_t v = detail::sign_extend<c.bits>(raw);
            return std::is_signed_v<T> ? T(v) : T(v < 0 ? 0 : v);
        } else {
            return std::is_signed_v<T> ? T(detail::clamp_to_uint<31>(raw)) : T(raw);
        }
    }
}

template <Format F, class T>
void unpack_int(T* dst, const void* src_void, size_t count) {
    const uint8_t* src = static_cast<const uint8_t*>(src_void);
    for (size_t i = 0; i < count; ++i, src += kRow<F>.block_B, dst += 4) {
        const T c[4] = {load_int<F, 0, T>(src), load_int<F, 1, T>(src), load_int<F, 2, T>(src),
                        load_int<F, 3, T>(src)};
        dst[0] = swizzled<F, 0>(c);
        dst[1] = swizzled<F, 1>(c);
        dst[2] = swizzled<F, 2>(c);
        dst[3] = swizzled<F, 3>(c);
    }
}

template <Format F, unsigned C, class T>
uint32_t raw_from_int(const T* rgba) {
    if constexpr (C >= kRow<F>.channel_count) {
        return 0;
    } else {
        constexpr const ChannelInfo& c = kRow<F>.channel[C];
        constexpr unsigned component = component_of(c.letter);
        const T v = component == 4 ? T(1) : rgba[component & 3];
        if constexpr (pack_type(kRow<F>, C) == ChannelType::Sint) {
            return detail::clamp_to_sint<c.bits>(
                std::is_signed_v<T> ? int32_t(v) : int32_t(detail::clamp_to_uint<31>(uint32_t(v))));
        } else {
            return detail::clamp_to_uint<c.bits>(std::is_signed_v<T> && int32_t(v) < 0 ? 0u : uint32_t(v));
        }
    }
}

template <Format F, class T>
void pack_int(void* dst_void, const T* src, size_t count) {
    uint8_t* dst = static_cast<uint8_t*>(dst_void);
    for (size_t i = 0; i < count; ++i, dst += kRow<F>.block_B, src += 4) {
        const uint32_t raw[4] = {raw_from_int<F, 0>(src), raw_from_int<F, 1>(src), raw_from_int<F, 2>(src),
                                 raw_from_int<F, 3>(src)};
        detail::store_pixel<F>(dst, raw);
    }
}

constexpr unsigned channel_with(const FormatInfo& row, char letter) {
    for (unsigned i = 0; i < row.channel_count; ++i)
        if (row.channel[i].letter == letter) return i;
    return 4;
}

template <Format F>
void unpack_depth(float* dst, const void* src_void, size_t count) {
    constexpr unsigned channel = channel_with(kRow<F>, 'D');
    constexpr ChannelInfo c = kRow<F>.channel[channel];
    const uint8_t* src = static_cast<const uint8_t*>(src_void);
    for (size_t i = 0; i < count; ++i, src += kRow<F>.block_B)
        dst[i] = detail::decode_channel<c.type, c.bits>(detail::load_channel<F, channel>(src));
}

template <Format F>
void pack_depth(void* dst_void, const float* src, size_t count) {
    constexpr unsigned channel = channel_with(kRow<F>, 'D');
    constexpr ChannelInfo c = kRow<F>.channel[channel];
    uint8_t* dst = static_cast<uint8_t*>(dst_void);
    for (size_t i = 0; i < count; ++i, dst += kRow<F>.block_B)
        detail::store_channel<F, channel>(dst, detail::encode_channel<c.type, c.bits>(src[i]));
}

template <Format F>
void unpack_stencil(uint8_t* dst, const void* src_void, size_t count) {
    constexpr unsigned channel = channel_with(kRow<F>, 'S');
    const uint8_t* src = static_cast<const uint8_t*>(src_void);
    for (size_t i = 0; i < count; ++i, src += kRow<F>.block_B)
        dst[i] = uint8_t(detail::load_channel<F, channel>(src));
}

template <Format F>
void pack_stencil(void* dst_void, const uint8_t* src, size_t count) {
    constexpr unsigned channel = channel_with(kRow<F>, 'S');
    uint8_t* dst = static_cast<uint8_t*>(dst_void);
    for (size_t i = 0; i < count; ++i, dst += kRow<F>.block_B)
        detail::store_channel<F, channel>(dst, src[i]);
}

template <void (*kUnpack)(float*, uint32_t)>
void unpack_word(float* dst, const void* src_void, size_t count) {
    const uint8_t* src = static_cast<const uint8_t*>(src_void);
    for (size_t i = 0; i < count; ++i, src += 4, dst += 4) {
        uint32_t word;
        std::memcpy(&word, src, 4);
        kUnpack(dst, word);
        dst[3] = 1.0f;
    }
}

template <uint32_t (*kPack)(const float*)>
void pack_word(void* dst_void, const float* src, size_t count) {
    uint8_t* dst = static_cast<uint8_t*>(dst_void);
    for (size_t i = 0; i < count; ++i, dst += 4, src += 4) {
        const uint32_t word = kPack(src);
        std::memcpy(dst, &word, 4);
    }
}

template <Format F>
constexpr FormatOps make_plain_ops() {
    FormatOps ops;
    constexpr const FormatInfo& row = kRow<F>;
    if constexpr (row.is_depth_stencil()) {
        if constexpr (row.has_depth) {
            ops.unpack_depth = unpack_depth<F>;
            ops.pack_depth = pack_depth<F>;
        }
        if constexpr (row.has_stencil) {
            ops.unpack_stencil = unpack_stencil<F>;
            ops.pack_stencil = pack_stencil<F>;
        }
    } else if constexpr (row.is_pure_int()) {
        ops.unpack_u32 = unpack_int<F, uint32_t>;
        ops.pack_u32 = pack_int<F, uint32_t>;
        ops.unpack_s32 = unpack_int<F, int32_t>;
        ops.pack_s32 = pack_int<F, int32_t>;
    } else {
        ops.unpack_f32 = unpack_f32<F>;
        ops.pack_f32 = pack_f32<F>;
    }
    return ops;
}

template <Format F>
constexpr FormatOps make_ops() {
    FormatOps ops;
    switch (kRow<F>.layout) {
        case FormatLayout::None:
            break;
        case FormatLayout::Plain:
            if constexpr (kRow<F>.layout == FormatLayout::Plain) ops = make_plain_ops<F>();
            break;
        case FormatLayout::SmallFloat:
            ops.unpack_f32 = unpack_word<unpack_r11g11b10>;
            ops.pack_f32 = pack_word<pack_r11g11b10>;
            break;
        case FormatLayout::SharedExponent:
            ops.unpack_f32 = unpack_word<unpack_r9g9b9e5>;
            ops.pack_f32 = pack_word<pack_r9g9b9e5>;
            break;
        case FormatLayout::Etc:
            ops.decode_block = [](float* dst, const void* block) { detail::decode_etc_block(F, dst, block); };
            break;
        case FormatLayout::Bc:
            ops.decode_block = [](float* dst, const void* block) { detail::decode_bc_block(F, dst, block); };
            break;
        case FormatLayout::Astc:
            ops.decode_block = [](float* dst, const void* block) {
                detail::decode_astc_block(kRow<F>.block_w_px, kRow<F>.block_h_px, kRow<F>.is_srgb, dst,
                                          block);
            };
            break;
    }
    return ops;
}

constexpr std::array<FormatOps, kFormatCount> kOps = {{
#define TERRAZZO_FORMAT(name, row) make_ops<Format::name>(),
#include "pipe/format_rows.inc"
#undef TERRAZZO_FORMAT
}};

}  // namespace

const FormatOps& format_ops(Format format) {
    return kOps[size_t(format)];
}

void unpack_rgba_f32(Format format, float* dst_rgba, const void* src, size_t count) {
    kOps[size_t(format)].unpack_f32(dst_rgba, src, count);
}
void pack_rgba_f32(Format format, void* dst, const float* src_rgba, size_t count) {
    kOps[size_t(format)].pack_f32(dst, src_rgba, count);
}
void unpack_rgba_u32(Format format, uint32_t* dst_rgba, const void* src, size_t count) {
    kOps[size_t(format)].unpack_u32(dst_rgba, src, count);
}
void pack_rgba_u32(Format format, void* dst, const uint32_t* src_rgba, size_t count) {
    kOps[size_t(format)].pack_u32(dst, src_rgba, count);
}
void unpack_rgba_s32(Format format, int32_t* dst_rgba, const void* src, size_t count) {
    kOps[size_t(format)].unpack_s32(dst_rgba, src, count);
}
void pack_rgba_s32(Format format, void* dst, const int32_t* src_rgba, size_t count) {
    kOps[size_t(format)].pack_s32(dst, src_rgba, count);
}
void unpack_depth_f32(Format format, float* dst, const void* src, size_t count) {
    kOps[size_t(format)].unpack_depth(dst, src, count);
}
void pack_depth_f32(Format format, void* dst, const float* src, size_t count) {
    kOps[size_t(format)].pack_depth(dst, src, count);
}
void unpack_stencil_u8(Format format, uint8_t* dst, const void* src, size_t count) {
    kOps[size_t(format)].unpack_stencil(dst, src, count);
}
void pack_stencil_u8(Format format, void* dst, const uint8_t* src, size_t count) {
    kOps[size_t(format)].pack_stencil(dst, src, count);
}

}  // namespace terrazzo::pipe
