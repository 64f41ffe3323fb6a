// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The only header of the Mali driver for other rooms.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pipe/debug.h"
#include "pipe/screen.h"
#include "winsys/drm/drm.h"

namespace terrazzo::mali {

inline constexpr std::string_view kKernelDriver = "panthor";
/// The words of TERRAZZO_DEBUG that this driver has in addition to those of all drivers, and its name in
/// messages about them.
inline constexpr pipe::DebugWord kDebugWords[] = {pipe::DebugWord::NoAfbc, pipe::DebugWord::NoCrc,
                                                  pipe::DebugWord::NoEarlyZ};
inline constexpr pipe::DebugDriver kDebugDriver{"Mali", kDebugWords};

/// The screen of an open panthor file, real or virtual. Null: `*why` says the reason in one line.
[[nodiscard]] std::unique_ptr<pipe::Screen> create_screen(std::unique_ptr<winsys::Drm> drm,
                                                          const pipe::Log& log, std::string* why);

}  // namespace terrazzo::mali
