// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LRZ buffers that are kept after a pass, for the depth images that a context drew into last. One is valid
// for the next pass on the same image if that pass loads the depths and no other work wrote them: then every
// depth is still on the near side of its block's value, in the direction in which depths change.
#pragma once

#include <array>

#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/passes/lrz.h"

namespace terrazzo::adreno {

class KeptLrz {
  public:
    /// The image that a buffer belongs to.
    struct Image {
        uint64_t id = 0;  // AdrenoResource::id
        uint32_t level = 0, layer = 0, width = 0, height = 0;
        bool operator==(const Image&) const = default;
    };
    struct Entry {
        Image image;
        uint64_t writes = 0;  // AdrenoResource::writes() after the pass
        LrzTracker tracker;   // its state after the pass
        bool fast = false;    // the buffer has fast-clear bits
        pipe::Ref<Bo> memory;
        uint64_t used = 0;
    };
    /// The valid buffer of the image. Null: there is none.
    [[nodiscard]] Entry* find(const Image& image, uint64_t writes);
    /// An entry for the image, whose memory may have been another image's.
    [[nodiscard]] Entry& replace(const Image& image);
    /// Drops all entries: recorded work was not executed.
    void forget() { entries_ = {}; }

  private:
    std::array<Entry, 4> entries_;
    uint64_t clock_ = 0;
};

}  // namespace terrazzo::adreno
