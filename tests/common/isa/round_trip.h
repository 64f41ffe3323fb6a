// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// What holds of every instruction word of every vendor.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace terrazzo::tests {

/// A word is refused with a reason, or says the same after decode, print, assemble and encode. True: it was
/// taken. The vendor's functions are found by the namespace of its `Instr`.
template <typename Instr, typename Error>
bool check_word(uint64_t word) {
    Instr instr;
    Error error;
    if (!decode(word, &instr, &error)) {
        CHECK_MESSAGE(error.reason[0] != 0, word);
        return false;
    }
    uint64_t again = 0;
    std::string text;
    print(instr, &text);
    const bool encoded = encode(instr, &again, &error);
    CHECK_MESSAGE(encoded, text, ": ", error.reason);
    CHECK_MESSAGE(again == word, text);
    Instr parsed;
    const bool assembled = assemble_line(text, &parsed, &error);
    CHECK_MESSAGE(assembled, text, ": ", error.reason);
    CHECK_MESSAGE(parsed == instr, text);
    return true;
}

}  // namespace terrazzo::tests
