// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

void erase_from(Instr* i) {
    // From the end: users go before what they use. Nothing outside the region sees these values.
    Region* r = i->parent;
    while (r->last != i)
        erase(r->last);
    erase(i);
}

}  // namespace terrazzo::ir
