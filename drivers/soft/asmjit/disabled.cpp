// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A build without asmjit: there is no first-tier compiler.
#include "drivers/soft/asmjit/tier1.h"

namespace terrazzo::soft {

std::unique_ptr<ShaderCompiler> create_tier1_compiler() {
    return nullptr;
}

std::unique_ptr<ShaderCompiler> create_tier1_compiler(const CodeOptions&) {
    return nullptr;
}

}  // namespace terrazzo::soft
