// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The code numbers of swizzles in each kind of source.
#pragma once
#include <string_view>

#include "drivers/mali/isa/info.h"

namespace terrazzo::mali::isa {

/// The swizzle of a code number. False: the code is reserved.
[[nodiscard]] bool swizzle_of_code(SwizzleSet set, uint64_t code, Swizzle* out);
/// The code number of a swizzle; -1: the set does not have it.
int code_of_swizzle(SwizzleSet set, Swizzle swizzle);
/// "" for kNone.
const char* swizzle_name(Swizzle swizzle);
/// Finds a swizzle by its text. The explicit names of kNone ("h01", "b0123") are accepted, too. False: the
/// set does not have it.
[[nodiscard]] bool find_swizzle(SwizzleSet set, std::string_view text, Swizzle* out);

}  // namespace terrazzo::mali::isa
