// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The vertices that must be shaded for a batch of a draw's primitives: each once for each instance. A batch
// may have primitives of several instances.
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

/// The vertices of a batch, each once, in the order of their first use. Several threads find those of
/// parts of the primitives. Then they are joined: they are fewer than the primitives' corners.
class BatchVertices {
  public:
    /// A batch of `count` primitives of a draw. `of_instance`: the primitives of each instance.
    void begin(const Primitives& of_instance, size_t count) {
        of_instance_ = &of_instance;
        count_ = count;
        if (parts_.size() < parts()) parts_.resize(parts());
    }
    unsigned parts() const { return unsigned((count_ + kPart - 1) / kPart); }
    /// Finds the vertices of part `n`. number_of(i): the number of primitive i of the batch in the draw, over
    /// all instances; they increase. Thread: any, if simultaneous calls have different parts.
    template <class NumberOf>
    void find(size_t n, const NumberOf& number_of) {
        Part& part = parts_[n];
        part.vertices.clear();
        part.places.clear();
        const size_t corners = of_instance_->corners, all = of_instance_->count();
        const size_t end = std::min(count_, (n + 1) * kPart);
        for (size_t i = n * kPart; i < end;) {
            const uint64_t instance = number_of(i) / all, first = instance * all;
            part.ids.clear();
            for (; i < end && number_of(i) - first < all; ++i) {
                const uint32_t* const from = &of_instance_->vertices[size_t(number_of(i) - first) * corners];
                part.ids.insert(part.ids.end(), from, from + corners);
            }
            part.unique.add(part.ids, uint32_t(instance), &part.vertices, &part.places);
        }
    }
    /// After the last part. *vertices: those of the batch.
    void join(std::vector<VertexInvocation>* vertices);
    /// After join(): corner k of primitive i, as an index of *vertices.
    uint32_t vertex(size_t i, size_t k) const {
        const Part& part = parts_[i / kPart];
        return places_[part.first_place + part.places[i % kPart * of_instance_->corners + k]];
    }

  private:
    static constexpr size_t kPart = 1024;  // primitives
    struct Part {
        UniqueVertices unique;
        std::vector<VertexInvocation> vertices;
        std::vector<uint32_t> ids, places;  // places: of each corner, in `vertices`
        size_t first_place = 0;             // in places_
    };
    const Primitives* of_instance_ = nullptr;
    size_t count_ = 0;
    std::vector<Part> parts_;  // of which the first parts() are the batch's
    UniqueVertices unique_;
    std::vector<uint32_t> ids_, places_;  // places_: of the parts' vertices, in those of the batch
};

/// The number of threads that pays off for so many waves of vertices.
inline unsigned vertex_threads(size_t waves, unsigned allowed) {
    constexpr size_t kWavesAThread = 4;
    return unsigned(std::clamp<size_t>(waves / kWavesAThread, 1, std::max(allowed, 1u)));
}

}  // namespace terrazzo::units
