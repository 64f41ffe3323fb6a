// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clears. Before the first draw they become the tiles' initial contents. Later clears, masked ones and
// scissored ones draw a rectangle.
#include "drivers/mali/passes/draw_context.h"

namespace terrazzo::mali {

void DrawContext::clear(const pipe::ClearInfo& info) {
    if (!in_pass_) {
        log_(pipe::Severity::Error, "mali: clear outside a render pass");
        return;
    }
    const clears::Plan plan = clears::plan(info, pass_.desc());
    uint32_t drawn = plan.masked | plan.whole;
    if (pass_.fresh() && clears::covers(info, pass_.desc())) {
        pass_.clear_on_load(info, plan.whole);
        drawn = plan.masked;
    }
    if (!drawn) return;
    const StateAside saved(*this);
    screen_.draw_clears().run(*this, info, pass_.desc(), drawn, log_);
}

}  // namespace terrazzo::mali
