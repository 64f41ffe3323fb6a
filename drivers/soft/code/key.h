// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What machine code for a shader depends on: the shader's content (shaders/ir/binary.h), the CPU, and who
// makes the code (the cache adds the build of this library itself).
#pragma once

#include <string_view>

#include "shaders/cache/cache.h"
#include "shaders/ir/binary.h"

namespace terrazzo::soft {

/// `maker`: the compiler's name, version and all that it lets vary.
[[nodiscard]] shaders::CacheKey code_key(const ir::ContentHash& hash, std::string_view maker);

}  // namespace terrazzo::soft
