// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A DRM device without a GPU, like Linux' vgem. Its files identify the device that draws (the CPU), and
// import and export memory. The shim shows it to programs that require a DRM node when the CPU draws.
#pragma once

#include "winsys/virtual/door/chips.h"

namespace terrazzo::winsys::virt {

/// No list of virtual GPUs has it, and it has no "sim:" device.
[[nodiscard]] const Chip& vgem_chip();

}  // namespace terrazzo::winsys::virt
