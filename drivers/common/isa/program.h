// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A program as text: a line an instruction.
#pragma once
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drivers/common/isa/error.h"
#include "drivers/common/isa/text.h"

namespace terrazzo::isa {

/// Blank lines and those that start with '#' are skipped. `line_to_word(line, &word, &reason)` assembles one.
/// The reason of an error starts with the line's number; `*out` changes only on success.
template <typename LineToWord>
[[nodiscard]] bool assemble_lines(std::string_view text, std::vector<uint64_t>* out, Error* error,
                                  LineToWord line_to_word) {
    std::vector<uint64_t> words;
    std::string_view rest = text.data() ? text : std::string_view(""), line;
    for (unsigned number = 1; next_part(&rest, '\n', &line); number++) {
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        Error reason;
        uint64_t word = 0;
        if (!line_to_word(line, &word, &reason)) {
            return refuse(error, "line %u: %s", number, reason.reason);
        }
        words.push_back(word);
    }
    *out = std::move(words);
    return true;
}

/// A line a word: its instruction, or the word and why it is none. `word_to_text(word, &out, &reason)` appends the instruction's text.
template <typename WordToText>
[[nodiscard]] std::string disassemble_words(std::span<const uint64_t> words, WordToText word_to_text) {
    std::string out;
    for (const uint64_t word : words) {
        Error reason;
        if (!word_to_text(word, &out, &reason)) {
            char digits[17];
            std::snprintf(digits, sizeof digits, "%016" PRIx64, word);
            ((out += digits) += " (") += reason.reason;
            out += ')';
        }
        out += '\n';
    }
    return out;
}

}  // namespace terrazzo::isa
