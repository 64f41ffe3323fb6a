// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The LLVM shader compiler with its cache of machine code.
#pragma once

#include "drivers/soft/code/store.h"
#include "drivers/soft/jit/estimate.h"

namespace terrazzo::soft {

struct JitOptions {
    std::shared_ptr<shaders::ShaderCache> cache;  // null: no cache
    std::shared_ptr<SlowNotice> notice;           // told why shaders are interpreted; may be null
    CodeMapping mapping = CodeMapping::Any;
    /// True: shaders that cannot be compiled are interpreted. False: make() returns null for them.
    bool interprets = true;
    /// Another compiler's code runs until this one's is ready.
    bool has_first = false;
    /// Shaders for which LLVM would take longer are refused (jit/estimate.h).
    double max_llvm_s = jit::kMaxLlvm_s;
    unsigned lanes = 0;  // fragments that code handles at once, 4, 8 or 16; 0: the best for this CPU
};

/// Null if built without LLVM. If LLVM cannot be loaded or the host forbids executable memory, shaders run in
/// the interpreter.
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_jit_compiler(const JitOptions& options);

}  // namespace terrazzo::soft
