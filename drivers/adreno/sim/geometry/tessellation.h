// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fixed-function tessellator: creates points of domains, and primitives between them, from the levels
// that a hull shader wrote to memory. In memory (PC_TESSFACTOR_ADDR) a patch has its primitive id, outer
// levels and inner levels, as many as its domain has: Mesa 25.0.7, ir3_nir_lower_tess.c
// (build_tessfactor_base).
#pragma once

#include <vector>

#include "drivers/adreno/sim/geometry/vertex_stage.h"
#include "drivers/common/units/primitive.h"
#include "pipe/tess/tess.h"

namespace terrazzo::adreno::sim {

class PatchTessellator {
  public:
    /// Decodes the registers once per draw.
    [[nodiscard]] bool init(Machine& machine, hw::PatchType type, Fault* fault);
    units::PrimitiveKind kind() const { return kind_; }
    /// Appends the points of a patch of the subdraw, and its primitives' corners as indices of points. False:
    /// `fault`.
    [[nodiscard]] bool run(Machine& machine, uint32_t patch, std::vector<DomainPoint>* points,
                           std::vector<uint32_t>* corners, Fault* fault);

  private:
    pipe::Tessellator tessellator_;
    pipe::TessDomain domain_;
    units::PrimitiveKind kind_ = units::PrimitiveKind::Triangle;
    uint64_t levels_va_ = 0;
    unsigned outer_ = 0, inner_ = 0;
};

}  // namespace terrazzo::adreno::sim
