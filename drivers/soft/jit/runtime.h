// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The functions that machine code calls, at the `shader` pointer of its arguments. Code contains no addresses
// of a process, so it can be stored and used by another process.
#pragma once

#include "drivers/soft/interp/interface.h"

namespace terrazzo::soft::jit {

/// The same for all shaders. Operations without generated code use the IR's kernels, which are found by
/// symbol (code/image.h).
struct Runtime {
    decltype(&sample_indexed) indexed = sample_indexed;
    decltype(&texture_size) size = texture_size;
    decltype(&texture_size_indexed) size_indexed = texture_size_indexed;
    decltype(&call_memory) memory = call_memory;
    decltype(&wait_at_barrier) wait = wait_at_barrier;
};

}  // namespace terrazzo::soft::jit
