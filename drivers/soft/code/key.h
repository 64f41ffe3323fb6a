// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a shader's machine code depends on: the shader's content (shaders/ir/binary.h), the CPU and the
// compiler. The cache adds the build of this library.
#pragma once

#include <string_view>

#include "shaders/cache/cache.h"
#include "shaders/ir/binary.h"

namespace terrazzo::soft {

/// `maker`: the compiler's name, version and options.
[[nodiscard]] shaders::CacheKey code_key(const ir::ContentHash& hash, std::string_view maker);

}  // namespace terrazzo::soft
