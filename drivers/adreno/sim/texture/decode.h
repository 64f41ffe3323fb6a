// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Steps of decoding descriptors, and of converting texels. Internal to texture/.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/adreno/sim/texture/layout.h"
#include "drivers/common/units/refuse.h"

namespace terrazzo::adreno::sim {

using units::refuse;

/// False: reserved bits: `why`.
template <class Descriptor>
[[nodiscard]] bool unpack_descriptor(const uint32_t* words, Descriptor* out, std::string* why) {
    fields::ReservedBits found;
    if (hw::unpack(words, out, &found) && !found.any()) return true;
    fields::StringSink sink;
    found.print(sink, 0);
    return refuse(why, sink.text.substr(0, sink.text.find('\n')));
}

/// Converts values to the instruction's type: floats are rounded to halves, integers lose their high bits.
/// If only one of value and type is a float, the bits are unchanged.
inline U32 to_registers(isa::Type type, units::NumberKind kind, U32 bits) {
    if (!isa::is_half(type)) return bits;
    return kind == units::NumberKind::Float ? wave::to_halves(wave::as_float(bits)) : bits & 0xffffu;
}

/// Whether all words of a descriptor are zeros: nothing is bound.
inline bool is_null_descriptor(const uint32_t words[hw::TexConst::kSize_dw]) {
    return std::all_of(words, words + hw::TexConst::kSize_dw, [](uint32_t w) { return w == 0; });
}

/// The components of a view: units::kZero, kOne.
inline void decode_swizzle(const hw::TexConst& d, uint8_t out[4]) {
    const hw::TexSwiz swizzle[4] = {d.swiz_x, d.swiz_y, d.swiz_z, d.swiz_w};
    static_assert(uint8_t(hw::TexSwiz::A6XX_TEX_ZERO) == units::kZero &&
                  uint8_t(hw::TexSwiz::A6XX_TEX_ONE) == units::kOne);
    for (unsigned c = 0; c < 4; ++c)
        out[c] = uint8_t(swizzle[c]);
}

/// A level of a layer or slice of a descriptor.
inline SurfaceDesc describe_surface(const hw::TexConst& d, const LevelPlace& place, uint32_t z) {
    SurfaceDesc s;
    s.va = d.base + place.offset_B + z * place.z_stride_B;
    s.format = d.fmt;
    s.srgb = d.srgb;
    s.tile_mode = place.tile_mode;
    s.swap = d.swap;
    s.pitch_B = place.pitch_B;
    s.width_px = place.width_el;
    s.height_px = place.height_el;
    s.has_flags = place.has_flags;
    s.flags_va = place.has_flags ? d.flag_base + place.flags_offset_B + z * place.flags_z_stride_B : 0;
    s.flags_pitch_B = place.flags_pitch_B;
    return s;
}

/// A surface that is decoded at its first use. Null: the description is not valid: `why`.
inline const Surface* decode_surface(std::unique_ptr<Surface>& slot, const SurfaceDesc& desc,
                                     const hw::Chip& chip, std::string* why) {
    if (slot) return slot.get();
    auto fresh = std::make_unique<Surface>();
    if (fresh->init(desc, chip, why)) slot = std::move(fresh);
    return slot.get();
}

}  // namespace terrazzo::adreno::sim
