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
    unsigned lanes() const { return call.wave.groups * kGroupLanes; }
    uint32_t word(unsigned k, unsigned lane) const {
        return call.in[k][lane / kGroupLanes][lane % kGroupLanes];
    }
    int32_t integer(unsigned k, unsigned lane) const {
        const uint32_t w = word(k, lane);
        return half ? int32_t(int16_t(w)) : int32_t(w);
    }
    /// An offset in texels, signed.
    int32_t offset(unsigned c, unsigned lane) const {
        return c < operands.offsets ? integer(second + c, lane) : 0;
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
    void put(unsigned lane, const uint32_t v[4], units::NumberKind kind) const {
        for (unsigned c = 0; c < 4; ++c)
            call.out[c][lane / kGroupLanes][lane % kGroupLanes] = to_register(call.instr.type(), kind, v[c]);
    }
};

}  // namespace terrazzo::adreno::sim
