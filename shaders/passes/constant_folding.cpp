// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/constant_folding.h"

#include "shaders/ir/builder.h"
#include "shaders/ir/eval.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

bool constant_folding(Shader& s) {
    bool changed = false;
    for_each(s.body, [&](Instr* i) {
        std::optional<uint64_t> bits;
        if (i->op == Op::Undef)
            bits = 0;
        else
            bits = evaluate(*i);
        if (!bits) return;
        Value* c = Builder(s, i).constant(i->result()->type, *bits);
        replace_uses(i->result(), c);
        erase(i);
        changed = true;
    });
    return changed;
}

}  // namespace terrazzo::ir
