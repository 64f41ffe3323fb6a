// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What machine code finds behind the `shader` pointer of its arguments: the functions it calls. Code holds no
// address of this process, so that it can be stored and used by another.
#pragma once

#include "drivers/soft/interp/interface.h"

namespace terrazzo::soft::jit {

/// The same for all shaders. Ops that have no code of their own are computed by the IR's own kernels, which
/// code finds by symbol (code/image.h).
struct Runtime {
    decltype(&sample_indexed) indexed = sample_indexed;
    decltype(&texture_size) size = texture_size;
    decltype(&texture_size_indexed) size_indexed = texture_size_indexed;
    decltype(&call_memory) memory = call_memory;
    decltype(&wait_at_barrier) wait = wait_at_barrier;
};

}  // namespace terrazzo::soft::jit
