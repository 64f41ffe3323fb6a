// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/hw/chips.h"

namespace terrazzo::agx::hw {

namespace {

// Identity, dies, clusters, cores and clock: hw/{t8103,t600x}.rs of Linux' drivers/gpu/drm/asahi, with all
// cores present; the highest frequency: file.rs there; addresses and names: the devicetrees. The revisions of
// the S, C and D have no source.
constexpr Chip kChips[] = {
    {"agx-g13g", "Apple M1", 'G', 0x11, 0x8103, 1, 1, "206400000", "apple,agx-t8103", "apple,agx-g13g"},
    {"agx-g13s", "Apple M1 Pro", 'S', 0x20, 0x6000, 1, 2, "406400000", "apple,agx-t6000", "apple,agx-g13s"},
    {"agx-g13c", "Apple M1 Max", 'C', 0x20, 0x6001, 1, 4, "406400000", "apple,agx-t6001", "apple,agx-g13c"},
    {"agx-g13d", "Apple M1 Ultra", 'D', 0x20, 0x6002, 2, 8, "406400000", "apple,agx-t6002", "apple,agx-g13d"},
};

}  // namespace

constexpr tables::Chips<Chip, &Chip::chip_id, &Chip::generation> chips{kChips};

}  // namespace terrazzo::agx::hw
