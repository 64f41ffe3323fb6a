// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/texture/format.h"

#include <bit>

#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

using units::NumberKind;

bool texture_format(hw::Format format, hw::ColorSwap swap, bool srgb, TextureFormat* out) {
    TextureFormat f;
    if (format == hw::Format::FMT6_UNSET || !surface_format(format, swap, srgb, &f.reader) || !f.reader)
        return false;
    const pipe::FormatInfo& info = pipe::format_info(f.reader.format);
    f.block_w_px = info.block_w_px;
    f.block_h_px = info.block_h_px;
    f.fixed_point = f.reader.depth;
    for (unsigned c = 0; c < info.channel_count; ++c) {
        const pipe::ChannelType type = info.channel[c].type;
        f.fixed_point |= type == pipe::ChannelType::Unorm || type == pipe::ChannelType::Snorm;
        f.is_signed |= type == pipe::ChannelType::Snorm || type == pipe::ChannelType::Sint;
        f.wide_integer |= f.reader.kind != NumberKind::Float && info.channel[c].bits > 24;
    }
    *out = f;
    return true;
}

uint32_t to_register(isa::Type type, NumberKind kind, uint32_t bits) {
    if (!isa::is_half(type)) return bits;
    if (kind == NumberKind::Float) return wave::to_half(double(std::bit_cast<float>(bits)));
    return bits & 0xffff;
}

wave::U32 to_registers(isa::Type type, NumberKind kind, wave::U32 bits) {
    if (!isa::is_half(type)) return bits;
    return kind == NumberKind::Float ? wave::to_halves(wave::as_float(bits)) : bits & 0xffffu;
}

}  // namespace terrazzo::adreno::sim
