// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The first-tier compiler with a cache of its machine code.
#pragma once

#include "drivers/soft/code/store.h"

namespace terrazzo::soft {

/// See create_tier1_compiler() in shader_abi.h.
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_tier1_compiler(const CodeOptions& options);

}  // namespace terrazzo::soft
