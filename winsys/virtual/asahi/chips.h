// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the kernel says of AGX chips, and devices of them without a GPU.
#pragma once

#include <span>

#include "winsys/virtual/asahi/gpu.h"
#include "winsys/virtual/door/chips.h"

namespace terrazzo::winsys::virt::asahi {

[[nodiscard]] std::span<const GpuInfo> chip_rows();
/// "noop:agx-g13g" and so on: only the shim shows them. Never destroyed.
[[nodiscard]] Chips noop_chips();

}  // namespace terrazzo::winsys::virt::asahi
