// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The Valhall compiler without a device, for statistics.
#pragma once

#include "drivers/common/shader_db/offline.h"

namespace terrazzo::mali {

/// The traits of the chips of hw/chips.h (shader_db.cpp).
struct Valhall;
inline constexpr auto& offline_compilers = shader_db::chip_compilers<Valhall>;

}  // namespace terrazzo::mali
