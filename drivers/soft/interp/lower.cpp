// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/interp/lower.h"

#include <algorithm>

#include "drivers/soft/interp/lower_samples.h"
#include "drivers/soft/interp/tex_groups.h"
#include "pipe/debug.h"
#include "shaders/ir/print.h"
#include "shaders/passes/cse.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/lower_bitfield.h"
#include "shaders/passes/lower_transcendental.h"

namespace terrazzo::soft {

namespace {

template <class Visit>
void walk(const ir::Region& r, Visit&& visit) {
    for (const ir::Instr* i = r.first; i; i = i->next) {
        visit(*i);
        for (unsigned n = 0; n < i->region_count; ++n)
            walk(*i->regions[n], visit);
    }
}

}  // namespace

std::unique_ptr<ir::Shader> lower_for_soft(const ir::Shader& shader) {
    std::unique_ptr<ir::Shader> s = ir::clone(shader);
    // The other operations have exact instructions on every CPU.
    ir::LowerTranscendentalOptions options;
    options.rcp = options.rsq = options.sign = options.fract = options.round = options.sat = false;
    bool changed = lower_sample_places(*s);
    changed |= ir::lower_bitfield(*s);
    if (ir::lower_transcendental(*s, options) || changed) {
        ir::cse(*s);
        ir::dce(*s);
        s->renumber();
    }
    if (s->stage == ir::Stage::Fragment) gather_tex_coordinates(*s);
    if (pipe::debug(pipe::DebugWord::Ir))
        pipe::debug_print(pipe::DebugWord::Ir, "soft, lowered:\n" + ir::print(*s));
    return s;
}

uint32_t uniform_size_dw(const ir::Shader& shader) {
    uint32_t size_dw = 0;
    walk(*shader.body, [&](const ir::Instr& i) {
        if (i.op != ir::Op::LoadUniform) return;
        const uint32_t words = ir::bit_size(i.result()->type) == 64 ? 2 : 1;
        const uint32_t reach = i.operand_count ? std::max(i.u.io.count, 1u) : 1;
        size_dw = std::max(size_dw, i.u.io.slot + reach + words - 1);
    });
    return size_dw;
}

}  // namespace terrazzo::soft
