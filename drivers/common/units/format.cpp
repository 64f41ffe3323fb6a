// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/format.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace terrazzo::units {

namespace {

// The number of pixels converted through floats at a time.
constexpr uint32_t kPart = 64;

// The number of channels, if all are words that are the first components; otherwise 0.
unsigned words_of(const pipe::FormatInfo& info) {
    const unsigned count = info.channel_count;
    for (unsigned c = 0; c < 4; ++c) {
        const pipe::Swizzle missing = c == 3 ? pipe::Swizzle::One : pipe::Swizzle::Zero;
        if (info.swizzle[c] != (c < count ? pipe::Swizzle(c) : missing)) return 0;
    }
    for (unsigned c = 0; c < count; ++c) {
        const pipe::ChannelInfo& channel = info.channel[c];
        if (channel.bits != 32 || channel.shift != 32 * c ||
            !(info.is_pure_int() || channel.type == pipe::ChannelType::Float))
            return 0;
    }
    return info.is_color && info.block_B == 4 * count ? count : 0;
}

}  // namespace

FormatReader format_reader(pipe::Format format) {
    const pipe::FormatInfo& info = pipe::format_info(format);
    FormatReader r;
    r.format = format;
    r.ops = &pipe::format_ops(format);
    r.size_B = info.block_B;
    r.depth = info.has_depth;
    r.stencil = !info.has_depth && info.has_stencil;
    r.kind = info.is_pure_uint || r.stencil ? NumberKind::Uint
             : info.is_pure_sint            ? NumberKind::Sint
                                            : NumberKind::Float;
    r.block_w_px = info.block_w_px;
    r.block_h_px = info.block_h_px;
    for (unsigned c = 0; c < info.channel_count; ++c) {
        const pipe::ChannelType type = info.channel[c].type;
        r.fixed_point |= type == pipe::ChannelType::Unorm || type == pipe::ChannelType::Snorm;
        r.is_signed |= type == pipe::ChannelType::Snorm || type == pipe::ChannelType::Sint;
        r.wide_integer |= r.kind != NumberKind::Float && info.channel[c].bits > 24;
    }
    r.words = uint8_t(words_of(info));
    return r;
}

FormatReader format_reader(pipe::Format format, const uint8_t from[4]) {
    if (format == pipe::Format::None) return {};
    FormatReader r = format_reader(format);
    std::copy_n(from, 4, r.from);
    return r;
}

void FormatReader::order(const uint32_t in[4], uint32_t out[4]) const {
    for (unsigned c = 0; c < 4; ++c)
        out[c] = from[c] < 4 ? in[from[c]] : from[c] == kOne ? one() : 0;
}

void FormatReader::read_row(const void* pixels, uint32_t count, uint32_t* out) const {
    const auto* const bytes = static_cast<const uint8_t*>(pixels);
    if (!depth && !stencil && kind == NumberKind::Uint) {
        ops->unpack_u32(out, bytes, count);
    } else if (!depth && !stencil && kind == NumberKind::Sint) {
        ops->unpack_s32(reinterpret_cast<int32_t*>(out), bytes, count);
    } else {
        float part[kPart * 4];
        uint8_t stencils[kPart];
        for (uint32_t at = 0; at < count; at += kPart) {
            const uint32_t n = std::min(kPart, count - at);
            const uint8_t* const src = bytes + size_t(at) * size_B;
            uint32_t* const dst = out + size_t(at) * 4;
            if (!depth && !stencil) {
                ops->unpack_f32(part, src, n);
                std::memcpy(dst, part, size_t(n) * 4 * sizeof(float));
                continue;
            }
            if (depth)
                ops->unpack_depth(part, src, n);
            else
                ops->unpack_stencil(stencils, src, n);
            for (uint32_t i = 0; i < n; ++i) {
                const uint32_t v[4] = {depth ? std::bit_cast<uint32_t>(part[i]) : stencils[i], 0, 0, one()};
                std::copy_n(v, 4, dst + size_t(i) * 4);
            }
        }
    }
    if (is_in_order()) return;
    for (uint32_t i = 0; i < count; ++i, out += 4) {
        const uint32_t v[4] = {out[0], out[1], out[2], out[3]};
        order(v, out);
    }
}

void FormatReader::write(const uint32_t in[4], void* pixel) const {
    uint32_t v[4] = {in[0], in[1], in[2], in[3]};
    write_row(v, 1, pixel);
}

void FormatReader::write_row(uint32_t* values, uint32_t count, void* pixels) const {
    auto* const bytes = static_cast<uint8_t*>(pixels);
    for (uint32_t i = 0; !is_in_order() && i < count; ++i) {
        uint32_t* const out = values + size_t(i) * 4;
        const uint32_t v[4] = {out[0], out[1], out[2], out[3]};
        for (unsigned c = 0; c < 4; ++c)
            if (from[c] < 4) out[from[c]] = v[c];
    }
    switch (kind) {
        case NumberKind::Uint:
            return ops->pack_u32(bytes, values, count);
        case NumberKind::Sint:
            return ops->pack_s32(bytes, reinterpret_cast<const int32_t*>(values), count);
        case NumberKind::Float: {
            float part[kPart * 4];
            for (uint32_t at = 0; at < count; at += kPart) {
                const uint32_t n = std::min(kPart, count - at);
                std::memcpy(part, values + size_t(at) * 4, size_t(n) * 4 * sizeof(float));
                ops->pack_f32(bytes + size_t(at) * size_B, part, n);
            }
        }
    }
}

}  // namespace terrazzo::units
