// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The one place where the decoder prints code.
#include "drivers/adreno/decode/context.h"

namespace terrazzo::adreno::decode {

void print_code(Context& context, unsigned indent, std::span<const uint32_t> words) {
    if (!context.options.shaders) return;
    for (size_t i = 0; i + 1 < words.size() && !context.full(); i += 2)
        context.print(indent, "%04zx: %08x_%08x", i / 2, words[i + 1], words[i]);
}

}  // namespace terrazzo::adreno::decode
