// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips of the generation, one row each: what the kernel reports about them (names as in panthor's
// GPU_INFO and CSIF_INFO) and what only tables know. What all chips share is a default; the values are a
// G610's.
#pragma once

#include <cstdint>

#include "drivers/common/tables/chips.h"

namespace terrazzo::mali::hw {

struct Chip {
    const char* name;            // the name in TERRAZZO_DEVICE: "mali-g610"
    const char* marketing_name;  // "Mali-G610"
    // GPU_INFO
    uint32_t gpu_id;  // architecture major, minor, revision, product (4 bits each); version major (4), minor
                      // (8), status (4)
    uint32_t gpu_rev = 0;
    uint32_t csf_id = 0x40a0412;
    uint32_t l2_features = 0x7120306;
    uint32_t tiler_features =
        0x809;              // log2 of the bin size in bytes (5 bits), levels of the hierarchy (4 bits from
                            // bit 8)
    uint32_t mem_features;  // the number of L2 slices minus 1, in 4 bits from bit 8
    uint32_t mmu_features = 0x2830;        // bits of virtual addresses (8), of physical addresses (8)
    uint32_t thread_features = 0x4010000;  // registers per core (22 bits), tasks per core from bit 24
    uint32_t max_threads = 2048;           // per core, with 32 registers each
    uint32_t thread_max_workgroup_size = 1024;
    uint32_t thread_max_barrier_size = 1024;
    uint32_t coherency_features = 0;
    uint32_t texture_features[4] = {
        0xc1ffff9e, 0, 0, 0};  // bit n of the first one: PixelFormatCode n of the compressed formats
    uint32_t as_present = 0xff;
    uint64_t shader_present;
    uint64_t l2_present = 1;
    uint64_t tiler_present = 1;
    uint32_t core_features;  // the low 8 bits distinguish variants of a product
    // CSIF_INFO
    uint32_t csg_slot_count = 8;
    uint32_t cs_slot_count = 8;
    uint32_t cs_reg_count = 96;
    uint32_t scoreboard_slot_count = 8;
    uint32_t unpreserved_cs_reg_count = 4;  // the last ones are the kernel's
    // From tables
    uint32_t tile_buffer_B;  // per core; a tile should use at most half, so that two are in flight
    /// False: only product, cores and tile buffer are known; the other values are a G610's.
    bool is_measured;

    /// By product id and variant (core_features' low 8 bits).
    constexpr bool is(uint32_t id, uint64_t features) const {
        return id >> 16 == product_id() && (features & 0xff) == core_features;
    }
    constexpr uint32_t product_id() const { return gpu_id >> 16; }
    constexpr uint32_t arch_major() const { return gpu_id >> 28; }
    constexpr unsigned core_count() const { return unsigned(__builtin_popcountll(shader_present)); }
    /// The highest core's number plus 1: the length of arrays that are indexed by core.
    constexpr unsigned core_id_range() const { return 64 - unsigned(__builtin_clzll(shader_present)); }
    constexpr unsigned va_bits() const { return mmu_features & 0xff; }
    constexpr unsigned tiler_levels() const { return tiler_features >> 8 & 0xf; }
    constexpr bool has_texture_feature(unsigned bit) const { return texture_features[0] >> bit & 1; }
};

/// The G610 is first.
extern const tables::Chips<Chip> chips;
inline constexpr tables::FindChip<chips> find_chip;

}  // namespace terrazzo::mali::hw
