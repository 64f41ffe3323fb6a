// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The vertices of a batch of primitives, each once.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/adreno/sim/geometry/attributes.h"

namespace terrazzo::adreno::sim {

class UniqueVertices {
  public:
    /// Appends the vertices of one instance, each once, in the order of their first use in `ids`; and for
    /// each id its index in *vertices.
    void add(const std::vector<uint32_t>& ids, uint32_t instance, std::vector<VertexInvocation>* vertices,
             std::vector<uint32_t>* places);

  private:
    std::vector<uint32_t> table_, sorted_;
};

}  // namespace terrazzo::adreno::sim
