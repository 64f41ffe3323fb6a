// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Batches of a draw's primitives, with the vertices that must be shaded for them: each once a batch and
// instance. A batch may have primitives of several instances.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "drivers/common/units/areas.h"
#include "drivers/common/units/assembly.h"

namespace terrazzo::units {

/// One invocation of a vertex shader: a vertex id, and the instance, counted from 0.
struct VertexInvocation {
    uint32_t index = 0, instance = 0;
};

class UniqueVertices {
  public:
    /// Appends the vertices of one instance, each once, in the order of their first use in `ids`; and for
    /// each id its index in *vertices.
    void add(const std::vector<uint32_t>& ids, uint32_t instance, std::vector<VertexInvocation>* vertices,
             std::vector<uint32_t>* places);

  private:
    std::vector<uint32_t> table_, sorted_;
};

/// Divides a draw into batches.
class BatchReader {
  public:
    /// The next `most` primitives from number *at on, of those before `stop` that needs(number) selects.
    /// `of_instance`: the primitives of each instance. *numbers: theirs in the draw, over all instances;
    /// *corners: indices of *vertices.
    template <class Needs>
    void next(const Primitives& of_instance, uint64_t* at, uint64_t stop, size_t most, Needs&& needs,
              std::vector<VertexInvocation>* vertices, std::vector<uint32_t>* corners,
              std::vector<uint64_t>* numbers) {
        const size_t n = of_instance.corners, count = of_instance.count();
        vertices->clear();
        corners->clear();
        numbers->clear();
        while (*at < stop && numbers->size() < most) {
            const uint64_t instance = *at / count, begin = instance * count;
            const uint64_t end = std::min(begin + count, stop);
            const size_t room = size_t(std::min<uint64_t>(most - numbers->size(), end - *at));
            ids_.resize(room * n);
            const uint32_t* from = &of_instance.vertices[size_t(*at - begin) * n];
            uint32_t* to = ids_.data();
            for (; *at < end && numbers->size() < most; ++*at, from += n) {
                if (!needs(*at)) continue;
                numbers->push_back(*at);
                for (size_t k = 0; k < n; ++k)
                    to[k] = from[k];
                to += n;
            }
            ids_.resize(size_t(to - ids_.data()));
            unique_.add(ids_, uint32_t(instance), vertices, corners);
        }
    }

  private:
    UniqueVertices unique_;
    std::vector<uint32_t> ids_;
};

/// The number of threads that pays off for so many waves of vertices.
inline unsigned vertex_threads(size_t waves, unsigned allowed) {
    constexpr size_t kWavesAThread = 4;
    return unsigned(std::clamp<size_t>(waves / kWavesAThread, 1, std::max(allowed, 1u)));
}

}  // namespace terrazzo::units
