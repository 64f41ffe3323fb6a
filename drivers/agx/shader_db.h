// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The AGX compiler without a device, for statistics.
#pragma once

#include "drivers/common/shader_db/offline.h"

namespace terrazzo::agx {

/// The traits of the chips of hw/chips.h (shader_db.cpp).
struct G13;
inline constexpr auto& offline_compilers = shader_db::chip_compilers<G13>;

}  // namespace terrazzo::agx
