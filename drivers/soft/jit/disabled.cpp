// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A build without LLVM: there is no JIT; shaders run in the interpreter.
#include "drivers/soft/jit/jit.h"

namespace terrazzo::soft {

std::unique_ptr<ShaderCompiler> create_jit_compiler(unsigned) {
    return nullptr;
}

std::unique_ptr<ShaderCompiler> create_jit_compiler(const JitOptions&) {
    return nullptr;
}

}  // namespace terrazzo::soft
