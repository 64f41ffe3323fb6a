// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Pieces of assembly text: splitting, numbers with their range, printing.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "drivers/common/isa/error.h"

namespace terrazzo::isa {

std::string_view trimmed(std::string_view text);

/// Takes what stands before the first `separator` off `*rest` (all of it where there is none), trimmed.
/// False: `*rest` had been used up (its data pointer is null).
bool next_part(std::string_view* rest, char separator, std::string_view* part);

/// A decimal or 0x-hexadecimal number, with an optional minus sign, that is all of `text` and lies in the
/// range.
[[nodiscard]] bool parse_number(std::string_view text, int64_t minimum, int64_t maximum, int64_t* out,
                                Error* error);

/// At most 95 characters.
[[gnu::format(printf, 2, 3)]] void append(std::string* out, const char* format, ...);

}  // namespace terrazzo::isa
