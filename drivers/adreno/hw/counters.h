// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blocks with performance counters. A register selects what a counter counts (an enumeration of the block,
// counters*.rows); two others have its 64 bits. Selecting does not clear the counter. Source: Mesa 25.0.7,
// src/freedreno/perfcntrs/fd6_perfcntr.c.
#pragma once

#include <cstdint>
#include <span>

namespace terrazzo::adreno::hw {

enum class CounterBlock : uint8_t { CP, PC, VFD, HLSQ, VPC, CCU, TSE, RAS, LRZ, UCHE, TP, SP, RB, VSC };

struct CounterBlockRow {
    const char* name;
    uint16_t counter, select;  // the first of `count` registers, with 64 and 32 bits
    unsigned count;
    unsigned first_free;  // the counters before it belong to the kernel
    /// "PERF_SP_BUSY_CYCLES"; null: it cannot be selected.
    const char* (*countable)(uint32_t selector);
};
/// By CounterBlock.
std::span<const CounterBlockRow> counter_blocks();
inline const CounterBlockRow& counter_block(CounterBlock b) {
    return counter_blocks()[unsigned(b)];
}

}  // namespace terrazzo::adreno::hw
