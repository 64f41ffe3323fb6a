// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: Adreno's instructions, as words and as text. A decoded word must encode to the same word, and
// its text must assemble to it. Text that assembles must print, and the printed text must assemble to the
// same word. The first byte chooses words or text.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "drivers/adreno/isa/isa.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/target.h"

namespace isa = terrazzo::adreno::isa;

namespace {

void fail(const char* what, const std::string& text) {
    std::fprintf(stderr, "adreno_isa_fuzz: %s: %s\n", what, text.c_str());
    std::abort();
}

void check_instruction(const isa::Instr& instr, uint64_t word) {
    std::string text;
    isa::print(instr, &text);
    isa::Error error;
    uint64_t again = 0;
    if (!isa::encode(instr, &again, &error)) fail(error.reason, text);
    if (again != word) fail("encodes to another word", text);
    isa::Instr read;
    if (!isa::assemble_line(text, &read, &error)) fail(error.reason, text);
    if (!isa::encode(read, &again, &error) || again != word) fail("its text is another instruction", text);
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    fuzz::Bytes in(data, size);
    isa::Error error;
    if (in.u8() & 1) {
        const std::string text(reinterpret_cast<const char*>(in.rest().data()), in.rest().size());
        isa::Instr instr;
        uint64_t word = 0;
        if (!isa::assemble_line(text, &instr, &error)) return 0;
        if (!isa::encode(instr, &word, &error)) fail(error.reason, text);
        check_instruction(instr, word);
        return 0;
    }
    while (!in.empty()) {
        const uint64_t word = in.u64();
        isa::Instr instr;
        if (isa::decode(word, &instr, &error)) check_instruction(instr, word);
    }
    return 0;
}
