// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What machine code finds behind the `shader` pointer of its arguments: the functions it calls. Code holds no
// address of this process, so that it can be stored and used by another.
#pragma once

#include "drivers/soft/interp/interface.h"
#include "shaders/ir/eval.h"

namespace terrazzo::soft::jit {

/// Ops that have no code of their own are computed by the IR's own kernels (shaders/ir/eval.h).
struct KernelId {
    ir::Op op;
    ir::Type result, operand;
    bool operator==(const KernelId&) const = default;
};

inline constexpr unsigned kMaxKernels = 64;

struct Runtime {
    decltype(&sample_indexed) indexed = sample_indexed;
    decltype(&texture_size) size = texture_size;
    ir::Kernel kernels[kMaxKernels] = {};
};

}  // namespace terrazzo::soft::jit
