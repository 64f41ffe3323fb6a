// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which device the shim shows.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "winsys/virtual/chips.h"

namespace terrazzo::winsys::shim {

/// The chips that this library was linked with: a driver's sim/ defines it.
[[nodiscard]] std::span<const virt::Chip> linked_chips();

/// The device that TERRAZZO_DEVICE names; null or a path: sim:mali-g610. Null: `*why` is a line to tell the user.
[[nodiscard]] std::shared_ptr<virt::Device> create_chosen_device(const char* name, std::string* why);

}  // namespace terrazzo::winsys::shim
