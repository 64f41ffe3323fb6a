// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory of shaders' invocations (SP_xS_PVT_MEM). A fiber is a place in a shader processor whatever runs there, so that all programs of a size
// share one piece, and those of another size have another.
#pragma once

#include <mutex>
#include <vector>

#include "drivers/adreno/device.h"

namespace terrazzo::adreno {

struct PrivateMemory {
    pipe::Ref<Bo> bo;  // null: none
    uint32_t fiber_B = 0, processor_B = 0;
    [[nodiscard]] uint64_t va() const { return bo ? bo->va : 0; }
};

class PrivateMemories {
  public:
    /// Of an invocation, at most.
    static constexpr uint32_t kMost_B = 255 * 512;
    /// For `fiber_B` bytes an invocation, from 1 to kMost_B. No `bo`: out of memory. Thread: any.
    [[nodiscard]] PrivateMemory get(Device& device, uint32_t fiber_B);

  private:
    std::mutex mutex_;
    std::vector<PrivateMemory> sizes_;
};

}  // namespace terrazzo::adreno
