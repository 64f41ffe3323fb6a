// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/passes/targets.h"

#include <algorithm>
#include <cstring>

#include "drivers/soft/resources/resource.h"

namespace terrazzo::soft {

namespace {

ColorClass color_class(pipe::Format f) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    if (info.is_pure_uint) return ColorClass::Uint;
    if (info.is_pure_sint) return ColorClass::Sint;
    switch (f) {
        case pipe::Format::R8G8B8A8_UNORM:
        case pipe::Format::R8G8B8X8_UNORM:
            return ColorClass::Rgba8;
        case pipe::Format::B8G8R8A8_UNORM:
        case pipe::Format::B8G8R8X8_UNORM:
            return ColorClass::Bgra8;
        default:
            return ColorClass::Float;
    }
}

ColorClamp color_clamp(const pipe::FormatInfo& info) {
    switch (info.channel[0].type) {
        case pipe::ChannelType::Unorm:
            return ColorClamp::Unorm;
        case pipe::ChannelType::Snorm:
            return ColorClamp::Snorm;
        case pipe::ChannelType::None:
        case pipe::ChannelType::Uint:
        case pipe::ChannelType::Sint:
        case pipe::ChannelType::Uscaled:
        case pipe::ChannelType::Sscaled:
        case pipe::ChannelType::Fixed:
        case pipe::ChannelType::Float:
            return ColorClamp::None;
    }
    return ColorClamp::None;
}

DepthClass depth_class(pipe::Format f) {
    switch (f) {
        case pipe::Format::D16_UNORM:
            return DepthClass::D16;
        case pipe::Format::D24_UNORM_X8:
        case pipe::Format::D24_UNORM_S8_UINT:
            return DepthClass::D24;
        case pipe::Format::D32_FLOAT:
            return DepthClass::D32F;
        case pipe::Format::D32_FLOAT_S8X24_UINT:
            return DepthClass::D32FS8;
        case pipe::Format::S8_UINT:
            return DepthClass::S8;
        default:
            return DepthClass::None;
    }
}

template <class T>
void place(T& t, const pipe::Attachment& a) {
    SoftResource& r = soft(*a.resource);
    t.base = r.slice(a.level, a.first_layer);
    t.row_stride_B = r.level(a.level).row_stride_B;
    t.sample_stride_B = r.level(a.level).sample_stride_B;
}

/// Sets the bits [shift, shift + bits) of a mask.
void set_bits(uint8_t* mask, unsigned shift, unsigned bits) {
    for (unsigned i = shift; i < shift + bits; ++i)
        mask[i / 8] |= uint8_t(1u << (i % 8));
}

/// The colour's four words are floats or signed or unsigned integers.
void pack_color(const pipe::FormatInfo& info, const pipe::ClearColor& color, uint8_t* pixel) {
    if (info.is_pure_uint)
        pipe::pack_rgba_u32(info.format, pixel, color.u, 1);
    else if (info.is_pure_sint)
        pipe::pack_rgba_s32(info.format, pixel, color.i, 1);
    else
        pipe::pack_rgba_f32(info.format, pixel, color.f, 1);
}

/// Whether the write mask has the channel with this letter; padding counts as written.
bool channel_written(char letter, uint8_t write_mask) {
    switch (letter) {
        case 'R':
        case 'L':
            return write_mask & 1;
        case 'G':
            return write_mask & 2;
        case 'B':
            return write_mask & 4;
        case 'A':
            return write_mask & 8;
        default:
            return true;
    }
}

}  // namespace

ColorTarget color_target(const pipe::Attachment& a) {
    ColorTarget t;
    if (!a.resource) return t;
    const pipe::FormatInfo& info = pipe::format_info(a.format);
    const pipe::FormatOps& ops = pipe::format_ops(a.format);
    place(t, a);
    t.block_B = info.block_B;
    t.cls = color_class(a.format);
    t.clamp = color_clamp(info);
    t.has_alpha = info.has_alpha;
    switch (t.cls) {
        case ColorClass::None:
            break;
        case ColorClass::Rgba8:
        case ColorClass::Bgra8:
        case ColorClass::Float:
            t.unpack.f32 = ops.unpack_f32;
            t.pack.f32 = ops.pack_f32;
            break;
        case ColorClass::Uint:
            t.unpack.u32 = ops.unpack_u32;
            t.pack.u32 = ops.pack_u32;
            break;
        case ColorClass::Sint:
            t.unpack.s32 = ops.unpack_s32;
            t.pack.s32 = ops.pack_s32;
            break;
    }
    return t;
}

DepthTarget depth_target(const pipe::Attachment& a) {
    DepthTarget t;
    if (!a.resource) return t;
    place(t, a);
    t.cls = depth_class(a.format);
    t.pixel_B = pipe::format_info(a.format).block_B;
    t.has_stencil = pipe::format_info(a.format).has_stencil;
    t.has_depth = pipe::format_info(a.format).has_depth;
    return t;
}

bool is_whole(const FillOp& op) {
    return std::all_of(op.mask, op.mask + op.block_B, [](uint8_t m) { return m == 0xff; });
}

bool color_fill(const ColorTarget& t, pipe::Format format, const pipe::ClearColor& color, uint8_t write_mask,
                FillOp* out) {
    const pipe::FormatInfo& info = pipe::format_info(format);
    *out = FillOp();
    out->base = t.base;
    out->row_stride_B = t.row_stride_B;
    out->sample_stride_B = t.sample_stride_B;
    out->block_B = t.block_B;
    pack_color(info, color, out->value);
    bool any = false, all = true;
    for (unsigned i = 0; i < info.channel_count; ++i) {
        const bool padding = info.channel[i].letter == 'X';
        if (!channel_written(info.channel[i].letter, write_mask)) {
            all = false;
            continue;
        }
        any |= !padding;
        set_bits(out->mask, info.channel[i].shift, info.channel[i].bits);
    }
    if (all) std::memset(out->mask, 0xff, info.block_B);
    out->whole = is_whole(*out);
    return any;
}

bool depth_fill(const DepthTarget& t, pipe::Format format, bool depth, float depth_value,
                uint8_t stencil_mask, uint8_t stencil, FillOp* out) {
    const pipe::FormatInfo& info = pipe::format_info(format);
    *out = FillOp();
    out->base = t.base;
    out->row_stride_B = t.row_stride_B;
    out->sample_stride_B = t.sample_stride_B;
    out->block_B = info.block_B;
    depth &= info.has_depth;
    if (!info.has_stencil) stencil_mask = 0;
    if (!depth && !stencil_mask) return false;
    const float clamped = depth_value > 0 ? std::min(depth_value, 1.0f) : 0.0f;
    if (info.has_depth) pipe::pack_depth_f32(format, out->value, &clamped, 1);
    if (info.has_stencil) pipe::pack_stencil_u8(format, out->value, &stencil, 1);
    for (unsigned i = 0; i < info.channel_count; ++i) {
        const pipe::ChannelInfo& c = info.channel[i];
        if (c.letter == 'D' && depth) set_bits(out->mask, c.shift, c.bits);
        if (c.letter == 'S')
            for (unsigned b = 0; b < 8; ++b)
                if (stencil_mask >> b & 1) set_bits(out->mask, c.shift + b, 1);
        if (c.letter == 'X') set_bits(out->mask, c.shift, c.bits);
    }
    out->whole = is_whole(*out);
    return true;
}

}  // namespace terrazzo::soft
