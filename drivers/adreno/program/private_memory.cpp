// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, ir3_gallium.c (ir3_get_private_mem).
#include "drivers/adreno/program/private_memory.h"

#include <algorithm>
#include <bit>

namespace terrazzo::adreno {

PrivateMemory PrivateMemories::get(Device& device, uint32_t fiber_B) {
    constexpr uint32_t kUnit_B = 512, kProcessorUnit_B = 4096;
    const hw::Chip& chip = device.chip();
    PrivateMemory m;
    // Powers of two, so that there are few sizes.
    m.fiber_B = std::min(std::bit_ceil((fiber_B + kUnit_B - 1) / kUnit_B) * kUnit_B, kMost_B);
    m.processor_B = (m.fiber_B * chip.fibers_per_sp + kProcessorUnit_B - 1) & ~(kProcessorUnit_B - 1);
    const std::lock_guard guard(mutex_);
    for (const PrivateMemory& known : sizes_)
        if (known.fiber_B == m.fiber_B) return known;
    m.bo = device.create_bo(uint64_t(m.processor_B) * chip.sp_count, bo_flag::kNoCpu | bo_flag::kUndefined);
    if (m.bo) sizes_.push_back(m);
    return m;
}

}  // namespace terrazzo::adreno
