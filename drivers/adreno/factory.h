// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The only header of the Adreno driver for other rooms.
#pragma once

#include <string_view>

#include "drivers/common/screen/factory.h"
#include "pipe/debug.h"

namespace terrazzo::adreno {

inline constexpr std::string_view kKernelDriver = "msm";
/// The words of TERRAZZO_DEBUG that this driver has in addition to those of all drivers, and its name in
/// messages about them.
inline constexpr pipe::DebugWord kDebugWords[] = {pipe::DebugWord::Gmem, pipe::DebugWord::Sysmem,
                                                  pipe::DebugWord::NoBin, pipe::DebugWord::NoLrz,
                                                  pipe::DebugWord::NoUbwc};
inline constexpr pipe::DebugDriver kDebugDriver{"Adreno", kDebugWords};

class AdrenoScreen;
inline constexpr auto& create_screen = screens::create_screen<AdrenoScreen>;

}  // namespace terrazzo::adreno
