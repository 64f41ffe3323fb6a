// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The one place where the decoder prints code.
#include "drivers/adreno/decode/context.h"

namespace terrazzo::adreno::decode {

void print_code(Context& context, unsigned indent, std::span<const uint32_t> words) {
    if (!context.options.shaders) return;
    // Code is loaded in units of 16 instructions; what fills the last one is nops, which are zeros.
    size_t end_dw = words.size() / 2 * 2;
    while (end_dw && !words[end_dw - 1] && !words[end_dw - 2])
        end_dw -= 2;
    for (size_t i = 0; i < end_dw && !context.full(); i += 2)
        context.print(indent, "%04zx: %08x_%08x", i / 2, words[i + 1], words[i]);
    if (end_dw < words.size()) context.print(indent, "and %zu nops", (words.size() - end_dw) / 2);
}

}  // namespace terrazzo::adreno::decode
