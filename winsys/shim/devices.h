// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which device the shim shows.
#pragma once

#include <memory>
#include <string>

#include "winsys/virtual/door/chips.h"

namespace terrazzo::winsys::shim {

/// The chip of the device that TERRAZZO_DEVICE names; the first one's where it names none. "soft": that of no GPU.
[[nodiscard]] const virt::Chip& chosen_chip();
/// A device that TERRAZZO_DEVICE names; unset or a path: the first virtual GPU; "soft": a node that the CPU device's users want. Null: `*why` is a line to tell the user.
[[nodiscard]] std::shared_ptr<virt::Device> create_chosen_device(std::string* why);

}  // namespace terrazzo::winsys::shim
