// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A vendor's instructions, as words and as text. A decoded word must encode to the same word, and its text
// must assemble to it. Text that assembles must print, and the printed text must assemble to the same word.
// The first byte of the input chooses words or text.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "drivers/common/isa/program.h"
#include "tests/fuzz/bytes.h"

namespace fuzz {

[[noreturn]] inline void fail_isa(const char* what, const std::string& text) {
    std::fprintf(stderr, "isa_fuzz: %s: %s\n", what, text.c_str());
    std::abort();
}

/// Hides the namespace terrazzo::decode, so that a vendor's functions are found by their arguments.
void decode() = delete;

/// `word` is zero above the instruction's end.
template <typename Instr>
void check_instruction(const Instr& instr, const typename Instr::Word& word) {
    std::string text;
    print(instr, &text);
    terrazzo::isa::Error error;
    typename Instr::Word again{};
    if (!encode(instr, &again, &error)) fail_isa(error.reason, text);
    if (!(again == word)) fail_isa("encodes to another word", text);
    Instr read;
    if (!assemble_line(text, &read, &error)) fail_isa(error.reason, text);
    if (!encode(read, &again, &error) || !(again == word)) fail_isa("its text is another instruction", text);
}

template <typename Instr, typename Unit>
int fuzz_instructions(const uint8_t* data, size_t size) {
    using Word = typename Instr::Word;
    Bytes in(data, size);
    terrazzo::isa::Error error;
    Instr instr;
    Word word{};
    if (in.u8() & 1) {
        const std::string text(reinterpret_cast<const char*>(in.rest().data()), in.rest().size());
        if (!assemble_line(text, &instr, &error)) return 0;
        if (!encode(instr, &word, &error)) fail_isa(error.reason, text);
        check_instruction(instr, word);
        return 0;
    }
    std::vector<Unit> units((in.rest().size() + sizeof(Unit) - 1) / sizeof(Unit));
    if (!units.empty()) std::memcpy(units.data(), in.rest().data(), in.rest().size());
    for (std::span<const Unit> rest = units; !rest.empty();) {
        size_t length = 1;
        if (terrazzo::isa::decode_first(rest, &instr, &length, &error))
            check_instruction(instr, terrazzo::isa::load_word<Word>(rest.first(length)));
        rest = rest.subspan(length);
    }
    return 0;
}

}  // namespace fuzz
