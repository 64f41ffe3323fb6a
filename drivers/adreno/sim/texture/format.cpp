// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/texture/format.h"

#include <bit>

#include "drivers/adreno/sim/surface/surface.h"

namespace terrazzo::adreno::sim {

using units::NumberKind;

bool texture_format(hw::Format format, hw::ColorSwap swap, bool srgb, units::FormatReader* out) {
    units::FormatReader found;
    if (format == hw::Format::FMT6_UNSET || !surface_format(format, swap, srgb, &found) || !found)
        return false;
    *out = found;
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
