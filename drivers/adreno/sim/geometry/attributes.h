// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VFD: the inputs in a vertex shader's registers. Source of the registers' meaning: Mesa 25.0.7,
// src/freedreno/registers/adreno/a6xx.xml and src/gallium/drivers/freedreno/a6xx (fd6_context.cc,
// fd6_emit.cc, fd6_program.cc).
#pragma once

#include <vector>

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/adreno/sim/machine.h"
#include "drivers/common/units/format.h"
#include "drivers/common/units/vertices.h"

namespace terrazzo::adreno::sim {

/// An index of the draw, without VFD_INDEX_OFFSET, and the instance.
using units::VertexInvocation;

/// Writes values[lane] to a register of the wave's first `count` lanes, in groups of 16; r63.x: does nothing.
/// False: no register with one value per lane; `what` names it in the fault.
[[nodiscard]] bool place_words(uint8_t reg, const uint32_t* values, unsigned count, Wave* wave,
                               const char* what, Fault* fault);

class VertexFetch {
  public:
    /// Decodes the registers once per draw. `rectangles`: attributes that no register describes are left out
    /// instead of a fault: freedreno's clear of layers has two attributes, of which its rectangle has one,
    /// and the other has no destination.
    [[nodiscard]] bool init(Machine& machine, bool rectangles, Fault* fault);
    /// Writes attributes and ids of `count` invocations to the first lanes of a wave. Values beyond a
    /// buffer's size are 0.
    [[nodiscard]] bool load(window::Window& memory, const VertexInvocation* v, unsigned count, Wave* wave,
                            Fault* fault) const;

  private:
    struct Attribute {
        units::FormatReader format;
        uint64_t base = 0;
        uint32_t size_B = 0, stride_B = 0, offset_B = 0, step_rate = 1;
        bool instanced = false;
        uint8_t buffer = 0, reg = 0, mask = 0;
    };
    bool decode(Machine& machine, unsigned i, Attribute* out, Fault* fault) const;
    bool fetch(window::Window& memory, const Attribute& a, const VertexInvocation* v, unsigned count,
               Wave* wave, Fault* fault) const;

    std::vector<Attribute> attributes_;
    uint32_t index_offset_ = 0, instance_start_ = 0;
    uint8_t vertex_reg_ = 0, instance_reg_ = 0;
    bool add_index_offset_ = false, add_instance_start_ = false;
};

}  // namespace terrazzo::adreno::sim
