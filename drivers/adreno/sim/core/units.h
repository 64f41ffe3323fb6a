// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fixed-function units that shaders call: one call an instruction of a wave. The core reads the sources' registers and writes the results; a unit sees
// values alone. It returns false, with a reason, for what is a fault. Lanes that are not active keep their registers, whatever the unit puts there.
#pragma once

#include <algorithm>
#include <string>

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/common/window/window.h"

namespace terrazzo::adreno::sim {

/// An instruction's operands. Values are words: halves are in the low 16 bits, and floats of halves are half floats.
struct UnitCall {
    /// `in` is whoever calls to fill in: it is large, and most calls use little of it. `out` begins as zeros.
    UnitCall(const isa::Instr& i, Wave& w, const LaneMask& lanes, window::Window& m)
        : instr(i), wave(w), active(lanes), memory(m) {
        for (auto& word : out)
            std::fill_n(word, w.groups, U32{});
    }
    const isa::Instr& instr;
    Wave& wave;
    LaneMask active;
    window::Window& memory;
    /// Of a texture or memory instruction, whole vectors in the order of the instruction's operands: `in[k][g]` is word k of what the instruction reads, for
    /// group g. Which word is what: see each call.
    static constexpr unsigned kMaxIn = 16, kMaxOut = 4;
    U32 in[kMaxIn][kMaxGroups];
    unsigned in_count = 0;
    U32 out[kMaxOut][kMaxGroups];
    /// The texture and the sampler that the instruction names, by number or in a register, one for the wave. Bindless: base is the descriptor set's number, and
    /// the number counts in it.
    bool bindless = false;
    uint32_t base = 0, texture = 0, sampler = 0;
    uint32_t sampler_base = 0;  // the sampler's set: other than base where a1.x says it
};

class Units {
  public:
    virtual ~Units() = default;
    /// Category 5 but derivatives and exchanges in a quad, which the core does. in: the first source vector's words (coordinates, in the order of the ISA:
    /// s t r-or-layer, comparison reference, ...), then from in[8] the second's (lod or bias, offsets, gradients). Components that instr's write mask has are
    /// taken from out[component].
    virtual bool texture(UnitCall& call, std::string* why) = 0;
    /// bary.f: in[0] the location as a number of 32-bit slots, in[1], in[2] the weights i and j. flat.b, ldlv: in[0] the location. out: as many as repeated.
    virtual bool varying(UnitCall& call, std::string* why) = 0;
    /// ldc, and uniform buffers of ldc.k and getinfo: in[0] the offset (units of 16 bytes as ldc has it); `texture` the buffer's number.
    virtual bool uniform_buffer(UnitCall& call, std::string* why) = 0;
    /// ldib, stib, resinfo, atomics of an image or storage buffer (category 6 .b): in[0..] coordinates, from in[8] data; `texture` the image's number.
    virtual bool image(UnitCall& call, std::string* why) = 0;
};

}  // namespace terrazzo::adreno::sim
