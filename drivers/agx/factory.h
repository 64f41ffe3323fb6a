// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The only header of the AGX driver for other rooms.
#pragma once

#include <string_view>

#include "drivers/common/screen/factory.h"
#include "pipe/debug.h"

namespace terrazzo::agx {

inline constexpr std::string_view kKernelDriver = "asahi";
/// The words of TERRAZZO_DEBUG that this driver has in addition to those of all drivers: none.
inline constexpr pipe::DebugDriver kDebugDriver{"AGX", {}};

class AgxScreen;
inline constexpr auto& create_screen = screens::create_screen<AgxScreen>;

}  // namespace terrazzo::agx
