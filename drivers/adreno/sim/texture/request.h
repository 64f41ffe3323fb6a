// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A texture instruction and its operands, by groups of sixteen lanes. Internal to texture/.
#pragma once

#include <bit>

#include "drivers/adreno/sim/texture/shader_units.h"
#include "drivers/adreno/sim/texture/to_register.h"
#include "pipe/half.h"

namespace terrazzo::adreno::sim {

using wave::I32;

struct ShaderUnits::Request {
    UnitCall& call;
    TextureOperands operands;
    unsigned second;  // index in call.in
    bool half;        // sources are halves

    explicit Request(UnitCall& c)
        : call(c),
          operands(texture_operands(c.instr)),
          second(second_source(operands)),
          half(c.instr.src[0].half) {}
    I32 integers(unsigned k, unsigned group) const {
        const I32 words = wave::as_signed(call.in[k][group]);
        return half ? words << 16 >> 16 : words;
    }
    /// Offsets in texels, signed.
    I32 offsets(unsigned c, unsigned group) const {
        return c < operands.offsets ? integers(second + c, group) : I32{};
    }
    F32 numbers(unsigned k, unsigned group) const {
        const U32 words = call.in[k][group];
        if (!half) return wave::as_float(words);
        return wave::as_float(wave::map(
            words, [](uint32_t w) { return std::bit_cast<uint32_t>(pipe::half_to_float(uint16_t(w))); }));
    }
    /// Coordinates, divided if the instruction projects; zeros for those that it does not have.
    void positions(unsigned group, F32 out[3]) const {
        for (unsigned c = 0; c < 3; ++c) {
            out[c] = c < operands.coordinates ? numbers(c, group) : F32{};
            if (operands.divisor != TextureOperands::kNone && c < operands.coordinates)
                out[c] /= numbers(operands.divisor, group);
        }
    }
    void put(unsigned group, const U32 v[4], units::NumberKind kind) const {
        for (unsigned c = 0; c < 4; ++c)
            call.out[c][group] = to_registers(call.instr.type(), kind, v[c]);
    }
    /// The same for all lanes.
    void put_all(const uint32_t (&v)[4], units::NumberKind kind) const {
        const U32 lanes[4] = {wave::splat(v[0]), wave::splat(v[1]), wave::splat(v[2]), wave::splat(v[3])};
        for (unsigned g = 0; g < call.wave.groups; ++g)
            put(g, lanes, kind);
    }
};

}  // namespace terrazzo::adreno::sim
