// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs, as text.
#include <algorithm>
#include <array>
#include <cinttypes>

#include "drivers/agx/decode/objects.h"
#include "drivers/agx/isa/isa.h"

namespace terrazzo::agx::decode {

namespace {

constexpr uint64_t kMostCode_B = 1 << 20;  // of a program; a longer one is garbage

}  // namespace

void print_code(Context& context, unsigned indent, uint32_t address) {
    const uint64_t va = context.options.usc_base + address;
    if (!context.options.shaders || context.printed_above(indent, "Code", 'C', va)) return;
    context.print(indent, "Code @0x%" PRIx64 ":", va);
    uint64_t furthest_B = 0;  // target of a jump
    for (uint64_t at_B = 0; at_B < kMostCode_B && !context.full();) {
        std::array<isa::Unit, sizeof(isa::Word) / sizeof(isa::Unit)> units;
        size_t count = 0;
        while (count < units.size() && context.read(va + at_B + 2 * count, &units[count], sizeof(isa::Unit)))
            ++count;
        isa::Instr instr;
        isa::Error error;
        size_t length = 0;
        if (!count || !terrazzo::isa::decode_first(std::span<const isa::Unit>(units.data(), count), &instr,
                                                   &length, &error)) {
            context.print(indent + 1, "%04" PRIx64 ": ! %s", at_B, count ? error.reason : "unmapped");
            return;
        }
        std::string text;
        isa::print(instr, &text);
        context.print(indent + 1, "%04" PRIx64 ": %s", at_B, text.c_str());
        if (int32_t offset_B; isa::jump_offset(instr, &offset_B) && offset_B > 0)
            furthest_B = std::max(furthest_B, at_B + uint32_t(offset_B));
        if (instr.info().is(isa::kEnds) && furthest_B <= at_B) return;
        at_B += length * sizeof(isa::Unit);
    }
    context.print(indent + 1, "! no end within %" PRIu64 " bytes", kMostCode_B);
}

}  // namespace terrazzo::agx::decode
