// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The ir3 compiler without a device, for statistics.
#pragma once

#include "drivers/common/shader_db/offline.h"

namespace terrazzo::adreno {

/// The traits of the chips of hw/chips.h (shader_db.cpp).
struct Ir3;
inline constexpr auto& offline_compilers = shader_db::chip_compilers<Ir3>;

}  // namespace terrazzo::adreno
