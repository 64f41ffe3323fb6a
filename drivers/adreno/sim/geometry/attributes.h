// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VFD: what a vertex shader finds in its registers. Source of the registers' meaning: Mesa 25.0.7, src/freedreno/registers/adreno/a6xx.xml and
// src/gallium/drivers/freedreno/a6xx (fd6_context.cc, fd6_emit.cc, fd6_program.cc).
#pragma once

#include <vector>

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/adreno/sim/geometry/vertex_format.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// One invocation of a vertex shader: an index of the draw, and the instance counted from 0.
struct VertexInvocation {
    uint32_t index = 0, instance = 0;
};

/// Puts values[lane] into a register of the wave's first `count` lanes, whole groups of 16; nothing for r63.x. False: it is no register of a lane, and `what` names it.
[[nodiscard]] bool place_words(uint8_t reg, const uint32_t* values, unsigned count, Wave* wave,
                               const char* what, Fault* fault);

class VertexFetch {
  public:
    /// Decodes the registers once a draw. `rectangles`: what no register describes is left out, and not a fault: freedreno's clear of layers has two attributes, of
    /// which its rectangle has one, and passes the other on to nobody.
    [[nodiscard]] bool init(Machine& machine, bool rectangles, Fault* fault);
    /// Puts attributes and ids of `count` invocations into the first lanes of a wave. What lies beyond a buffer's size is 0.
    [[nodiscard]] bool load(window::Window& memory, const VertexInvocation* v, unsigned count, Wave* wave,
                            Fault* fault) const;

  private:
    struct Attribute {
        const VertexFormat* format = nullptr;
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
