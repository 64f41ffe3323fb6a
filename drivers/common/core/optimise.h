// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shorter blocks with the same results: what rows of instructions, each for itself, leave over. Copies, and
// registers that the block itself wrote, are read where they came from; integers of constants are computed
// here; fields of bits that were just put together are not taken apart; equal operations are one; registers
// that are overwritten, and temporaries that are not read, go.
//
// Floats of constants are computed when the block runs, since denormals are the host's mode.
#pragma once

#include "drivers/common/core/micro.h"

namespace terrazzo::core {

/// Each temporary of `block` must be written once, before it is read. Linear in the block's length.
void optimise(MicroBlock* block);

}  // namespace terrazzo::core
