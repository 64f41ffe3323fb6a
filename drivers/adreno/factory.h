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
inline constexpr uint8_t kDebugDevice = pipe::kOnAdreno;  // the words of TERRAZZO_DEBUG for this driver

/// The screen of an open msm file, real or virtual. Null: `*why` says the reason in one line.
[[nodiscard]] std::unique_ptr<pipe::Screen> create_screen(std::unique_ptr<winsys::Drm> drm,
                                                          const pipe::Log& log, std::string* why);

}  // namespace terrazzo::adreno
