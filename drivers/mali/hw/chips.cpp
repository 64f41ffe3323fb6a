// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/hw/chips.h"

namespace terrazzo::mali::hw {

namespace {

constexpr Chip kChips[] = {
#define CHIP(name_, marketing_, id_, variant_, shaders_, memory_, tile_B_, measured_) \
    {.name = name_,                                                                   \
     .marketing_name = marketing_,                                                    \
     .gpu_id = id_,                                                                   \
     .mem_features = memory_,                                                         \
     .shader_present = shaders_,                                                      \
     .core_features = variant_,                                                       \
     .tile_buffer_B = tile_B_,                                                        \
     .is_measured = measured_},
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
