// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/hw/chips.h"

namespace terrazzo::adreno::hw {

namespace {

#define GENERATION(name, ...) constexpr Generation name{__VA_ARGS__};
#define CHIP(...)
#include "drivers/adreno/hw/chip_rows.inc"
#undef GENERATION
#undef CHIP

constexpr Chip kChips[] = {
#define GENERATION(name, ...)
#define CHIP(number, chip_id, generation, gmem_KiB, sps, align_w, align_h, fibers, bank_bit, swizzle, \
             macrotile, ...)                                                                          \
    {"adreno-" #number, "Adreno " #number, number, chip_id,  generation, gmem_KiB * 1024, sps,        \
     align_w,           align_h,           fibers, bank_bit, swizzle,    macrotile,       {__VA_ARGS__}},
#include "drivers/adreno/hw/chip_rows.inc"
#undef GENERATION
#undef CHIP
};

constexpr bool rows_hold() {
    for (const Chip& a : kChips) {
        // A tile's width and height are stored in units of 32 and 16.
        if (a.chip_id >> 24 != 6 || a.gpu_id / 100 != 6 || a.tile_align_w_px % 32 || a.tile_align_h_px % 16)
            return false;
        if (a.gpu_id != 600 + (a.chip_id >> 16 & 0xff) * 10 + (a.chip_id >> 8 & 0xff)) return false;
        for (const Chip& b : kChips)
            if (&a != &b && a.chip_id >> 8 == b.chip_id >> 8) return false;
    }
    return true;
}
static_assert(rows_hold(), "a chip that is no a6xx, or that cannot be told from another");

}  // namespace

constinit const tables::Chips<Chip> chips{kChips};

}  // namespace terrazzo::adreno::hw
