// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Helpers for assembly text: splitting, numbers within a range, printing.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace terrazzo::isa {

/// The reason why an instruction word or a line of assembly was refused. Does not allocate.
struct Error {
    char reason[192] = "";
};

/// Writes the reason, cut if it is too long, unless `error` is null. Returns false.
[[gnu::format(printf, 2, 3)]] bool refuse(Error* error, const char* format, ...);

std::string_view trimmed(std::string_view text);

/// Removes the text before the first `separator` (all of the text, if there is none) from `*rest`, and the
/// separator. `*part` is the text, trimmed. False: `*rest` is exhausted (its data pointer is null).
bool next_part(std::string_view* rest, char separator, std::string_view* part);

/// Parses a decimal or 0x-hexadecimal number with an optional minus sign. It must be the whole of `text` and
/// within the range.
[[nodiscard]] bool parse_number(std::string_view text, int64_t minimum, int64_t maximum, int64_t* out,
                                Error* error);

/// Appends formatted text, cut after 95 characters.
[[gnu::format(printf, 2, 3)]] void append(std::string* out, const char* format, ...);

}  // namespace terrazzo::isa
