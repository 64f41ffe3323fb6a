// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where the levels of a texture are, as the hardware computes it from a descriptor's few fields: the inverse
// of pipe/layout/a6xx.h, which has the rules for a driver. Source: Mesa 25.0.7,
// src/freedreno/fdl/fd6_layout.c, fd6_view.c.
#pragma once

#include <array>

#include "drivers/adreno/hw/structs.h"
#include "drivers/common/units/format.h"

namespace terrazzo::adreno::sim {

struct LevelPlace {
    uint64_t offset_B = 0, flags_offset_B = 0;  // of layer or slice 0, from the descriptor's addresses
    uint64_t z_stride_B = 0, flags_z_stride_B = 0;
    uint32_t pitch_B = 0, flags_pitch_B = 0;
    uint32_t width_px = 1, height_px = 1, depth_px = 1;
    uint32_t width_el = 1, height_el = 1;  // blocks
    hw::TileMode tile_mode{};
    bool has_flags = false;
};

inline constexpr unsigned kMaxTextureLevels = 16;

/// Not for buffers. Writes the elements 0 to d.miplvls.
void place_levels(const hw::TexConst& d, const units::FormatReader& format,
                  std::array<LevelPlace, kMaxTextureLevels>* out);

}  // namespace terrazzo::adreno::sim
