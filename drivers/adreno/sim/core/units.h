// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fixed-function units that shaders call: one call per instruction of a wave. The core reads the sources'
// registers and writes the results; a unit only sees values. It returns false with a reason for a fault.
// Inactive lanes keep their registers, whatever the unit writes there.
#pragma once

#include <algorithm>
#include <string>

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/common/units/refuse.h"
#include "drivers/common/window/window.h"

namespace terrazzo::adreno::sim {

using units::refuse;

/// An instruction's operands. Values are words: halves are in the low 16 bits, and floats of halves are half
/// floats.
struct UnitCall {
    /// The caller fills `in` in: it is large, and most calls use little of it. `out` starts as zeros.
    UnitCall(const isa::Instr& i, Wave& w, const LaneMask& lanes, window::Window& m)
        : instr(i), wave(w), active(lanes), memory(m) {
        for (auto& word : out)
            std::fill_n(word, w.groups, U32{});
    }
    const isa::Instr& instr;
    Wave& wave;
    LaneMask active;
    window::Window& memory;
    /// For a texture or memory instruction: whole vectors in the order of its operands. `in[k][g]`: word k of
    /// what the instruction reads, for group g. Each call below lists its words.
    static constexpr unsigned kMaxIn = 16, kMaxOut = 4;
    U32 in[kMaxIn][kMaxGroups];
    unsigned in_count = 0;
    U32 out[kMaxOut][kMaxGroups];
    /// The texture and the sampler that the instruction names, by number or in a register, the same for the
    /// whole wave. Bindless: `base` is the descriptor set's number, and the numbers are indices in it.
    bool bindless = false;
    uint32_t base = 0, texture = 0, sampler = 0;
    uint32_t sampler_base = 0;  // the sampler's set: a1.x may name another one than `base`
};

class Units {
  public:
    virtual ~Units() = default;
    /// Category 5, except derivatives and exchanges within a quad, which the core executes. in: the words of
    /// the first source vector (coordinates, in the ISA's order: s t r-or-layer, comparison reference, ...),
    /// then from in[8] those of the second (lod or bias, offsets, gradients). The components of the
    /// instruction's write mask are taken from out[component].
    virtual bool texture(UnitCall& call, std::string* why) = 0;
    /// bary.f: in[0] the location as a number of 32-bit slots, in[1], in[2] the weights i and j. flat.b,
    /// ldlv: in[0] the location. out: one per repeat.
    virtual bool varying(UnitCall& call, std::string* why) = 0;
    /// bary.f in a straight run: writes the planes of the locations in the mask to the wave's rows
    /// (kPlaneRow), for all lanes. False: not all of them are interpolated by planes; use varying().
    virtual bool planes(Wave&, uint32_t /*locations*/) { return false; }
    /// ldc, and uniform buffers of ldc.k and getinfo: in[0] the offset (in units of 16 bytes, as in ldc);
    /// `texture`: the buffer's number.
    virtual bool uniform_buffer(UnitCall& call, std::string* why) = 0;
    /// ldib, stib, resinfo, atomics of an image or storage buffer (category 6 .b): in[0..] coordinates, from
    /// in[8] data; `texture`: the image's number.
    virtual bool image(UnitCall& call, std::string* why) = 0;
};

}  // namespace terrazzo::adreno::sim
