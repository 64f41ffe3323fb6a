// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A texture instruction and its operands. Internal to texture/.
#pragma once

#include <bit>
#include <cstring>

#include "drivers/adreno/sim/texture/shader_units.h"
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
    float number(unsigned k, unsigned lane) const {
        const uint32_t w = word(k, lane);
        return half ? pipe::half_to_float(uint16_t(w)) : std::bit_cast<float>(w);
    }
    int32_t integer(unsigned k, unsigned lane) const {
        const uint32_t w = word(k, lane);
        return half ? int32_t(int16_t(w)) : int32_t(w);
    }
    /// An offset in texels, signed.
    int32_t offset(unsigned c, unsigned lane) const {
        return c < operands.offsets ? integer(second + c, lane) : 0;
    }
    /// Coordinates, divided if the instruction projects.
    void position(unsigned lane, float out[3]) const {
        out[2] = 0;
        for (unsigned c = 0; c < operands.coordinates; ++c)
            out[c] = number(c, lane);
        if (operands.divisor == TextureOperands::kNone) return;
        const float divisor = number(operands.divisor, lane);
        for (unsigned c = 0; c < operands.coordinates; ++c)
            out[c] /= divisor;
    }
    /// The first two coordinates of a group's lanes.
    void positions(unsigned group, float s[kGroupLanes], float t[kGroupLanes]) const {
        if (!half && operands.coordinates >= 2 && operands.divisor == TextureOperands::kNone) {
            std::memcpy(s, &call.in[0][group], sizeof(U32));
            std::memcpy(t, &call.in[1][group], sizeof(U32));
            return;
        }
        for (unsigned n = 0; n < kGroupLanes; ++n) {
            float at[3] = {};
            position(group * kGroupLanes + n, at);
            s[n] = at[0], t[n] = at[1];
        }
    }
    void put(unsigned lane, const uint32_t v[4], units::NumberKind kind) const {
        for (unsigned c = 0; c < 4; ++c)
            call.out[c][lane / kGroupLanes][lane % kGroupLanes] = to_register(call.instr.type(), kind, v[c]);
    }
};

}  // namespace terrazzo::adreno::sim
