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
    // Powers of two, so that there are few sizes.
    const uint32_t size_B = std::min(std::bit_ceil((fiber_B + kUnit_B - 1) / kUnit_B) * kUnit_B, kMost_B);
    const PrivateMemory* const memory = sizes_.find(size_B, [&]() -> std::unique_ptr<PrivateMemory> {
        auto m = std::make_unique<PrivateMemory>();
        m->fiber_B = size_B;
        m->processor_B = (size_B * chip.fibers_per_sp + kProcessorUnit_B - 1) & ~(kProcessorUnit_B - 1);
        m->bo =
            device.create_bo(uint64_t(m->processor_B) * chip.sp_count, bo_flag::kNoCpu | bo_flag::kUndefined);
        return m->bo ? std::move(m) : nullptr;
    });
    return memory ? *memory : PrivateMemory();
}

}  // namespace terrazzo::adreno
