// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Two compilers as one: the first makes code quickly, the second makes fast code, in the background, for
// shaders that turn out to be used. Both give the same results to the bit, so that nobody sees the change.
// What the first does not cover runs in the interpreter until the second's code is there: the second never
// compiles inside a GL call.
#pragma once

#include <memory>

#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft {

struct TierOptions {
    /// Draws with a shader before the second compiler is set to work on it: a program that is drawn with once
    /// or twice is not worth its time.
    uint32_t draws_before_second = 8;
    /// Else the draw that reaches the number compiles: for tests.
    bool background = true;
};

/// What `second` has in its cache is taken from there at once. A shader that `first` cannot compile is
/// interpreted, and the second's at the first draw. Either may be null: there is no such compiler.
/// One thread of low priority a compiler, started when there is something to do and joined with the compiler.
/// A fork's child has no such thread and keeps the code it has. The shaders that it made may outlive it.
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_tiered_compiler(std::unique_ptr<ShaderCompiler> first,
                                                                     std::unique_ptr<ShaderCompiler> second,
                                                                     const TierOptions& options);

}  // namespace terrazzo::soft
