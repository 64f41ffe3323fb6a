// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The form of an instruction's text (info.h): pieces in braces and the characters between them. Printer and
// parser read the same form.
#pragma once
#include <string_view>

namespace terrazzo::adreno::isa {

/// Removes the next piece from `*rest`: the text between braces, or the characters up to the next brace.
/// False: nothing is left.
constexpr bool next_piece(std::string_view* rest, std::string_view* piece, bool* braced) {
    if (rest->empty()) return false;
    *braced = (*rest)[0] == '{';
    size_t end = rest->find(*braced ? '}' : '{');
    end = end == std::string_view::npos ? rest->size() : end;
    *piece = *braced ? rest->substr(1, end - 1) : rest->substr(0, end);
    rest->remove_prefix(*braced && end < rest->size() ? end + 1 : end);
    return true;
}

}  // namespace terrazzo::adreno::isa
