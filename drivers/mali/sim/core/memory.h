// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Names of this virtual GPU for GPU memory.
#pragma once

#include "drivers/common/window/window.h"

namespace terrazzo::mali::sim {

using window::Access;
using window::AccessFault;
using window::Mapping;
using window::Space;
using window::to_string;
using window::Window;

}  // namespace terrazzo::mali::sim
