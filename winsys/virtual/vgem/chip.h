// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A DRM device without a GPU, as Linux' vgem is one: its files tell which device draws (the CPU), and import and export
// memory. The shim shows it to programs that insist on a DRM node where everything is drawn by the CPU.
#pragma once

#include "winsys/virtual/door/chips.h"

namespace terrazzo::winsys::virt {

/// It is in no list of virtual GPUs, and "sim:" of it means nothing.
[[nodiscard]] const Chip& vgem_chip();

}  // namespace terrazzo::winsys::virt
