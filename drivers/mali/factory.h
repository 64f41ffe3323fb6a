// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The only header of the Mali driver for other rooms.
#pragma once

#include <string_view>

#include "drivers/common/screen/factory.h"
#include "pipe/debug.h"

namespace terrazzo::mali {

inline constexpr std::string_view kKernelDriver = "panthor";
/// The words of TERRAZZO_DEBUG that this driver has in addition to those of all drivers, and its name in
/// messages about them.
inline constexpr pipe::DebugWord kDebugWords[] = {pipe::DebugWord::NoAfbc, pipe::DebugWord::NoCrc,
                                                  pipe::DebugWord::NoEarlyZ};
inline constexpr pipe::DebugDriver kDebugDriver{"Mali", kDebugWords};

class MaliScreen;
inline constexpr auto& create_screen = screens::create_screen<MaliScreen>;

}  // namespace terrazzo::mali
