// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips of generation 13, one row each: what the kernel reports about them, and where a board has them.
#pragma once

#include <cstdint>

#include "drivers/common/tables/chips.h"

namespace terrazzo::agx::hw {

struct Chip {
    const char* name;                           // in TERRAZZO_DEVICE after "sim:": "agx-g13g"
    const char* marketing_name;                 // "Apple M1"
    char variant;                               // 'G'
    uint32_t revision;                          // in BCD: 0x11 is B1
    uint32_t chip_id;                           // 0x8103 for T8103
    uint32_t dies, clusters;                    // clusters: of all dies
    const char *address, *compatible, *family;  // in the devicetree
    uint32_t generation = 13;
    uint32_t cores_per_cluster = 8, frags_per_cluster = 8, gps_per_cluster = 4;
    uint64_t core_mask = 0xff;  // of each cluster
    uint32_t max_frequency_khz = 1'000'000;
    uint64_t timer_hz = 24'000'000;
};

/// The G13G is first.
extern const tables::Chips<Chip, &Chip::chip_id, &Chip::generation> chips;
inline constexpr tables::FindChip<chips> find_chip;

}  // namespace terrazzo::agx::hw
