// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/hw/chips.h"

namespace terrazzo::mali::hw {

namespace {

constexpr Chip make_chip(const char* name, const char* marketing_name, uint32_t gpu_id, uint32_t variant,
                         uint64_t shader_present, uint32_t mem_features, uint32_t tile_buffer_B,
                         bool is_measured) {
    return {.name = name,
            .marketing_name = marketing_name,
            .gpu_id = gpu_id,
            .gpu_rev = 0,
            .csf_id = 0x40a0412,
            .l2_features = 0x7120306,
            .tiler_features = 0x809,
            .mem_features = mem_features,
            .mmu_features = 0x2830,
            .thread_features = 0x4010000,
            .max_threads = 2048,
            .thread_max_workgroup_size = 1024,
            .thread_max_barrier_size = 1024,
            .coherency_features = 0,
            .texture_features = {0xc1ffff9e, 0, 0, 0},
            .as_present = 0xff,
            .shader_present = shader_present,
            .l2_present = 1,
            .tiler_present = 1,
            .core_features = variant,
            .csg_slot_count = 8,
            .cs_slot_count = 8,
            .cs_reg_count = 96,
            .scoreboard_slot_count = 8,
            .unpreserved_cs_reg_count = 4,
            .tile_buffer_B = tile_buffer_B,
            .is_measured = is_measured};
}

constexpr Chip kChips[] = {
#define CHIP(...) make_chip(__VA_ARGS__),
#include "drivers/mali/hw/chip_rows.inc"
#undef CHIP
};

constexpr bool rows_hold() {
    for (const Chip& a : kChips) {
        if (a.arch_major() != 10 || !a.shader_present || (a.tile_buffer_B & (a.tile_buffer_B - 1)))
            return false;
        for (const Chip& b : kChips)
            if (&a != &b && (std::string_view(a.name) == b.name ||
                             (a.product_id() == b.product_id() && a.core_features == b.core_features)))
                return false;
    }
    return true;
}
static_assert(rows_hold(), "a chip that is not v10, or that cannot be told from another");

}  // namespace

constinit const tables::Chips<Chip> chips{kChips};

}  // namespace terrazzo::mali::hw
