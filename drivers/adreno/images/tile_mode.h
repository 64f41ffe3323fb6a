// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "drivers/adreno/hw/enums.h"
#include "pipe/layout/layout.h"

namespace terrazzo::adreno {

/// The tile mode of a level, or of an image.
[[nodiscard]] constexpr hw::TileMode tile_mode_of(pipe::Tiling t) {
    return t == pipe::Tiling::Linear ? hw::TileMode::TILE6_LINEAR : hw::TileMode::TILE6_3;
}

}  // namespace terrazzo::adreno
