// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The only header of the Adreno driver for other rooms.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pipe/debug.h"
#include "pipe/screen.h"
#include "winsys/drm/drm.h"

namespace terrazzo::adreno {

inline constexpr std::string_view kKernelDriver = "msm";
/// The words of TERRAZZO_DEBUG that this driver has in addition to those of all drivers, and its name in
/// messages about them.
inline constexpr pipe::DebugWord kDebugWords[] = {pipe::DebugWord::Gmem, pipe::DebugWord::Sysmem,
                                                  pipe::DebugWord::NoBin, pipe::DebugWord::NoLrz,
                                                  pipe::DebugWord::NoUbwc};
inline constexpr pipe::DebugDriver kDebugDriver{"Adreno", kDebugWords};

/// The screen of an open msm file, real or virtual. Null: `*why` says the reason in one line.
[[nodiscard]] std::unique_ptr<pipe::Screen> create_screen(std::unique_ptr<winsys::Drm> drm,
                                                          const pipe::Log& log, std::string* why);

}  // namespace terrazzo::adreno
