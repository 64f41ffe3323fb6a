// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The built-in functions of ESSL 3.00 and later (section 8 of the specifications).
#pragma once

#include <string_view>

namespace terrazzo::shaders::glsl {

/// The version that has the function: 300, or 310 for those of later versions and of extensions that became
/// parts of 3.20 (glslang itself checks whether a text may call them). 0: there is no such function.
[[nodiscard]] int version_of_function(std::string_view name);

}  // namespace terrazzo::shaders::glsl
