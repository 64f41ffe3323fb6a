// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The different vertices of a batch of primitives. A batch takes those that it shares with the batch before
// from there, so that vertices of neighbouring primitives are shaded once.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/common/units/primitive.h"

namespace terrazzo::mali::sim {

class BatchVertices {
  public:
    static constexpr uint32_t kNone = ~0u;
    /// The most vertices of a batch.
    static constexpr unsigned kMost = 1024;

    std::vector<uint32_t> ids;
    std::vector<units::WindowVertex> positions;
    std::vector<float> sizes;
    std::vector<uint32_t> varying;  // index of each vertex' varyings; kNone: its primitives are not visible
    uint64_t varyings = 0;          // the address of the varyings

    void clear() {
        ++stamp_;
        ids.clear();
        positions.clear();
        sizes.clear();
        varying.clear();
        varyings = 0;
    }
    /// The index of a vertex; kNone: the batch does not have it.
    uint32_t find(uint32_t id) const {
        const Slot& s = table_[place(id)];
        return s.stamp == stamp_ ? s.index : kNone;
    }
    /// The index of a vertex, which is added if the batch does not have it.
    uint32_t find_or_add(uint32_t id, bool* added) {
        Slot& s = table_[place(id)];
        *added = s.stamp != stamp_;
        if (!*added) return s.index;
        s = {id, uint32_t(ids.size()), stamp_};
        ids.push_back(id);
        return s.index;
    }

  private:
    struct Slot {
        uint32_t id = 0, index = 0;
        uint64_t stamp = 0;
    };
    static constexpr unsigned kBits = 12;
    static_assert(kMost <= (1u << kBits) / 4, "a search for a free slot is short");

    // The slot of a vertex, or the free one where it belongs.
    unsigned place(uint32_t id) const {
        unsigned at = id * 0x9e3779b1u >> (32 - kBits);
        while (table_[at].stamp == stamp_ && table_[at].id != id)
            at = (at + 1) & ((1u << kBits) - 1);
        return at;
    }

    std::vector<Slot> table_ = std::vector<Slot>(size_t(1) << kBits);
    uint64_t stamp_ = 1;  // of the slots that are in use
};

}  // namespace terrazzo::mali::sim
