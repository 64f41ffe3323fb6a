// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a render has stored, as a picture.
#pragma once

#include <string>

#include "drivers/agx/sim/core/group.h"
#include "drivers/common/host/picture.h"
#include "drivers/common/window/window.h"

namespace terrazzo::agx::sim {

/// The first layer of the first image that a program can write. False: `why` says why it cannot be shown, or
/// is as before, if the program has no image.
[[nodiscard]] bool picture_of(const Bindings& bindings, window::Window& memory, host::Picture* out,
                              std::string* why);

}  // namespace terrazzo::agx::sim
