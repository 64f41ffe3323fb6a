// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips of hw/chips.h as devices of the virtual kernel: "sim:mali-g610", "noop:mali-g610", ...
#pragma once

#include "winsys/virtual/door/chips.h"

namespace terrazzo::mali::sim {

/// The list is static.
winsys::virt::Chips virtual_chips();

}  // namespace terrazzo::mali::sim
