// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The code numbers of swizzles in each kind of source.
#pragma once
#include <string_view>

#include "drivers/mali/isa/info.h"

namespace terrazzo::mali::isa {

/// What a code number chooses; false: reserved.
[[nodiscard]] bool swizzle_of_code(SwizzleSet set, uint64_t code, Swizzle* out);
/// -1: such a source cannot choose that.
int code_of_swizzle(SwizzleSet set, Swizzle swizzle);
/// "" for kNone.
const char* swizzle_name(Swizzle swizzle);
/// By its text; also the name of what kNone means in the set ("h01", "b0123"). False: not of the set.
[[nodiscard]] bool find_swizzle(SwizzleSet set, std::string_view text, Swizzle* out);

}  // namespace terrazzo::mali::isa
