// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shader compiler by LLVM, and its cache of machine code.
#pragma once

#include "drivers/soft/code/store.h"
#include "drivers/soft/jit/estimate.h"

namespace terrazzo::soft {

struct JitOptions {
    std::shared_ptr<shaders::ShaderCache> cache;  // null: none
    std::shared_ptr<SlowNotice> notice;  // told why shaders are interpreted, where they are; may be null
    CodeMapping mapping = CodeMapping::Any;
    /// What cannot be compiled is interpreted; false: it is not made (make() gives null).
    bool interprets = true;
    /// Another compiler's code runs until there is this one's.
    bool has_first = false;
    /// Shaders that LLVM would take longer for are not given to it (jit/estimate.h).
    double max_llvm_s = jit::kMaxLlvm_s;
    unsigned lanes = 0;  // fragments that code handles at once, 4, 8 or 16; 0: what suits the CPU
};

/// Null where built without LLVM. Where LLVM cannot be loaded or the host forbids executable memory, shaders
/// run in the interpreter.
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_jit_compiler(const JitOptions& options);

}  // namespace terrazzo::soft
