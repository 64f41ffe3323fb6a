// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The entry point of a vendor's driver, for its factory.h. It includes only headers that other rooms may see.
#pragma once

#include <memory>
#include <string>

#include "pipe/screen.h"
#include "winsys/drm/drm.h"

namespace terrazzo::screens {

/// Creates the screen of an open file of the vendor's kernel driver, real or virtual. Null: `*why` is the
/// reason, in one line. `Screen` is the vendor's class; its source file instantiates this template.
template <class Screen>
[[nodiscard]] std::unique_ptr<pipe::Screen> create_screen(std::unique_ptr<winsys::Drm> drm,
                                                          const pipe::Log& log, std::string* why);

}  // namespace terrazzo::screens
