// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private memory of shader invocations (SP_xS_PVT_MEM). A fiber is a slot of a shader processor, whatever
// runs there: all programs with the same size share one allocation.
#pragma once

#include "drivers/adreno/device.h"
#include "drivers/common/program/variants.h"

namespace terrazzo::adreno {

struct PrivateMemory {
    pipe::Ref<Bo> bo;  // null: no memory
    uint32_t fiber_B = 0, processor_B = 0;
    [[nodiscard]] uint64_t va() const { return bo ? bo->va : 0; }
};

class PrivateMemories {
  public:
    /// The most bytes of an invocation.
    static constexpr uint32_t kMost_B = 255 * 512;
    /// Returns memory with `fiber_B` bytes for each invocation, from 1 to kMost_B. `bo` is null: out of
    /// memory. Thread: any.
    [[nodiscard]] PrivateMemory get(Device& device, uint32_t fiber_B);

  private:
    programs::Variants<uint32_t, const PrivateMemory> sizes_;
};

}  // namespace terrazzo::adreno
