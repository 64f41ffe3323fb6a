// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The least that generated emitters need: references are operands, and instructions are appended to a
// program.
#pragma once
#include <span>
#include <vector>

#include "drivers/agx/isa/isa.h"
#include "drivers/common/backend/emit.h"

namespace terrazzo::tests::agx {

namespace isa = terrazzo::agx::isa;
using Ref = isa::Operand;

/// The code of a selector. Results are 32-bit registers in order, from r0 on.
struct Program {
    std::vector<isa::Unit> units;
    unsigned next_half = 0;
    bool sound = true;

    void push(const isa::Instr& instr) {
        isa::Word word;
        isa::Error error;
        sound &= encode(instr, &word, &error);
        terrazzo::isa::append_word(word, instr.length(), &units);
    }
    Ref alu(isa::Instr instr, std::span<const Ref> src) {
        instr.dest = Ref::reg(next_half);
        next_half += 2;
        for (size_t i = 0; i < src.size(); i++)
            instr.src[i] = src[i];
        push(instr);
        return instr.dest;
    }
    Ref alu(isa::Op op, std::span<const Ref> src) { return alu(isa::make(op), src); }
};

}  // namespace terrazzo::tests::agx
