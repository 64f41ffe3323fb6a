// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries of the code generators on the IR's regions.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::soft {

/// The number of breaks or continues (Count_: of both) of the loop that contains `r`.
inline unsigned count_exits(const ir::Region& r, ir::Op which) {
    unsigned n = 0;
    for (const ir::Instr* i = r.first; i; i = i->next) {
        const bool exit = i->op == ir::Op::Break || i->op == ir::Op::Continue;
        if (exit && (which == ir::Op::Count_ || which == i->op)) ++n;
        if (i->op == ir::Op::If) n += count_exits(*i->regions[0], which) + count_exits(*i->regions[1], which);
    }
    return n;
}

/// Whether every iteration except the last passes on arguments for all lanes, including those that left the
/// loop.
inline bool hands_over_all(const ir::Region& loop) {
    return count_exits(loop, ir::Op::Continue) == 1 && loop.last && loop.last->op == ir::Op::Continue;
}

/// The instructions of the region and its nested regions; counting stops at `enough`.
inline uint32_t count_instructions(const ir::Region& r, uint32_t enough) {
    uint32_t n = 0;
    for (const ir::Instr* i = r.first; i && n < enough; i = i->next) {
        ++n;
        for (unsigned k = 0; k < i->region_count && n < enough; ++k)
            n += count_instructions(*i->regions[k], enough - n);
    }
    return n;
}

inline bool only_yields(const ir::Region& r) {
    return !r.first || r.first->op == ir::Op::Yield;
}

}  // namespace terrazzo::soft
