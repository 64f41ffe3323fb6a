// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints shader code.
#include "drivers/adreno/decode/context.h"
#include "drivers/adreno/isa/isa.h"

namespace terrazzo::adreno::decode {

void print_code(Context& context, unsigned indent, std::span<const uint32_t> words) {
    if (!context.options.shaders) return;
    // Code is loaded in units of 16 instructions; the last unit is padded with nops, which are zeros.
    size_t end_dw = words.size() / 2 * 2;
    while (end_dw && !words[end_dw - 1] && !words[end_dw - 2])
        end_dw -= 2;
    for (size_t i = 0; i < end_dw && !context.full(); i += 2) {
        isa::Instr instr;
        isa::Error error;
        std::string text;
        if (isa::decode(words[i] | uint64_t(words[i + 1]) << 32, &instr, &error)) {
            isa::print(instr, &text);
        } else {
            ++context.statistics.problems;
            text = std::string("! ") + error.reason;
        }
        context.print(indent, "%04zx: %08x_%08x  %s", i / 2, words[i + 1], words[i], text.c_str());
    }
    if (end_dw < words.size()) context.print(indent, "and %zu nops", (words.size() - end_dw) / 2);
}

}  // namespace terrazzo::adreno::decode
