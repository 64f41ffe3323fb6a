// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LRZ that outlives a pass, of the depth images that a context drew into last. It is good for the next pass on the same image if that keeps the depths and nobody
// else wrote them: then every depth is still on the near side of its block's value, in the direction in which they move.
#pragma once

#include <array>

#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/passes/lrz.h"

namespace terrazzo::adreno {

class KeptLrz {
  public:
    /// What a buffer is of.
    struct Image {
        uint64_t id = 0;  // AdrenoResource's
        uint32_t level = 0, layer = 0, width = 0, height = 0;
        bool operator==(const Image&) const = default;
    };
    struct Entry {
        Image image;
        uint64_t writes = 0;  // AdrenoResource's, behind the pass
        LrzTracker tracker;   // as that pass left it
        bool fast = false;    // it clears fast
        pipe::Ref<Bo> memory;
        uint64_t used = 0;
    };
    /// What is good now. Null: nothing is.
    [[nodiscard]] Entry* find(const Image& image, uint64_t writes);
    /// For what a pass leaves; its memory may be another image's.
    [[nodiscard]] Entry& replace(const Image& image);
    /// Work that was recorded was not done.
    void forget() { entries_ = {}; }

  private:
    std::array<Entry, 4> entries_;
    uint64_t clock_ = 0;
};

}  // namespace terrazzo::adreno
