// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The vendors' drivers of this build, with their words of TERRAZZO_DEBUG.
#pragma once

#include <iterator>
#include <span>

#include "drivers/vendors/list.h"
#include "drivers/vendors/screens.h"
#include "pipe/debug.h"

namespace terrazzo::api {

[[nodiscard]] inline std::span<const pipe::DebugDriver> debug_drivers() {
#define TERRAZZO_ROW(vendor) vendor::kDebugDriver,
    // An array needs an element, also without vendors: the last one is not part of the list.
    static constexpr pipe::DebugDriver kDrivers[] = {TERRAZZO_VENDORS(TERRAZZO_ROW){}};
#undef TERRAZZO_ROW
    return {kDrivers, std::size(kDrivers) - 1};
}

}  // namespace terrazzo::api
