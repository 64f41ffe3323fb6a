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

/// The chips that this library was linked with: chips.cpp has those without a virtual GPU, a driver's sim/
/// brings its own.
[[nodiscard]] std::span<const virt::Chip> linked_chips();

/// The device that TERRAZZO_DEVICE names; null: the default, which is the first with a virtual GPU, or else
/// the first of all.
/// `*why` is a line to tell the user: why there is none, or that this one does not draw.
[[nodiscard]] std::shared_ptr<virt::Device> create_chosen_device(const char* name, std::string* why);

}  // namespace terrazzo::winsys::shim
