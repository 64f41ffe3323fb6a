// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Combines two compilers. The first one compiles quickly. The second one generates fast code in the
// background, for shaders that are used often. Both give bit-identical results, so the switch is not visible.
// Shaders that the first does not support are interpreted until the second's code is ready: the second never
// compiles inside a GL call.
#pragma once

#include <memory>

#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft {

struct TierOptions {
    /// Draws with a shader before the second compiler starts on it: for one or two draws it is not worth its
    /// time.
    uint32_t draws_before_second = 8;
    /// False: the draw that reaches the number compiles, for tests.
    bool background = true;
};

/// Code in the second's cache is used at once. A shader that `first` cannot compile is interpreted, and
/// queued for the second at its first draw. Either compiler may be null. Each tiered compiler has one thread
/// of low priority, which starts with the first job and is joined by the destructor. A forked child has no
/// such thread and keeps the code it has. Shaders may outlive the compiler.
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_tiered_compiler(std::unique_ptr<ShaderCompiler> first,
                                                                     std::unique_ptr<ShaderCompiler> second,
                                                                     const TierOptions& options);

}  // namespace terrazzo::soft
