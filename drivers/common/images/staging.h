// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory of the GPU's for pixels on their way between the CPU and images: pieces, one after another, of
// chunks that live as long as somebody has a piece. No piece is cut twice, so that caches have nothing of it
// from before. One thread.
#pragma once

#include "drivers/common/memory/device.h"

namespace terrazzo::images {

class StagingMemory {
  public:
    struct Piece {
        pipe::Ref<memory::Bo> bo;  // null: out of memory
        uint64_t offset_B = 0;     // of a page
    };
    /// Contents are undefined.
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
