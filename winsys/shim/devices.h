// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which device the shim shows.
#pragma once

#include <memory>
#include <string>

#include "winsys/virtual/door/chips.h"

namespace terrazzo::winsys::shim {

/// The chip of the device in TERRAZZO_DEVICE; if unset, the first virtual GPU's. "soft": a chip without a
/// GPU.
[[nodiscard]] const virt::Chip& chosen_chip();
/// Creates the device in TERRAZZO_DEVICE; if unset or a path, the first virtual GPU; for "soft", a node for
/// programs that draw on the CPU. Null: `*why` is a line for the user.
[[nodiscard]] std::shared_ptr<virt::Device> create_chosen_device(std::string* why);

}  // namespace terrazzo::winsys::shim
