// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GPU memory for pixels in transfer between the CPU and images. Pieces are allocated one after another from
// chunks; a chunk lives as long as one of its pieces. No byte is allocated twice, so caches never hold old
// contents of a piece. One thread.
#pragma once

#include "drivers/common/memory/device.h"

namespace terrazzo::images {

class StagingMemory {
  public:
    struct Piece {
        pipe::Ref<memory::Bo> bo;  // null: out of memory
        uint64_t offset_B = 0;     // a multiple of a page
    };
    /// The contents are undefined.
    [[nodiscard]] Piece allocate(memory::Device& device, uint64_t size_B) {
        if (size_B > kChunk_B / 4) return {device.create_bo(size_B, memory::bo_flag::kUndefined), 0};
        if (!chunk_ || used_B_ + size_B > kChunk_B) {
            chunk_ = device.create_bo(kChunk_B, memory::bo_flag::kUndefined);
            used_B_ = 0;
            if (!chunk_) return {};
        }
        const uint64_t at_B = used_B_;
        used_B_ += (size_B + kAlign_B - 1) / kAlign_B * kAlign_B;
        return {chunk_, at_B};
    }

  private:
    static constexpr uint64_t kChunk_B = 1 << 20, kAlign_B = 4096;
    pipe::Ref<memory::Bo> chunk_;
    uint64_t used_B_ = 0;
};

}  // namespace terrazzo::images
