// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Built without LLVM: there is no JIT, shaders run in the interpreter.
#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft {

std::unique_ptr<ShaderCompiler> create_jit_compiler(unsigned) {
    return nullptr;
}

}  // namespace terrazzo::soft
