// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Built without asmjit: there is no first-tier compiler.
#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft {

std::unique_ptr<ShaderCompiler> create_tier1_compiler() {
    return nullptr;
}

}  // namespace terrazzo::soft
