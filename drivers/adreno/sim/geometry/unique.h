// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which vertices a batch of primitives has, each once.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/adreno/sim/geometry/attributes.h"

namespace terrazzo::adreno::sim {

class UniqueVertices {
  public:
    /// Appends the vertices of one instance, each once, in the order in which `ids` has them first; and for each id its place in *vertices.
    void add(const std::vector<uint32_t>& ids, uint32_t instance, std::vector<VertexInvocation>* vertices,
             std::vector<uint32_t>* places);

  private:
    std::vector<uint32_t> table_, sorted_;
};

}  // namespace terrazzo::adreno::sim
