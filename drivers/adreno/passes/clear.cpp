// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clears inside a pass: by the 2D engine or, if only some components or stencil bits are cleared, by drawing
// a rectangle.
#include "drivers/adreno/passes/draw_context.h"

namespace terrazzo::adreno {

using namespace pipe::attachment_bit;

void DrawContext::clear(const pipe::ClearInfo& info) {
    if (!in_pass_) return log_(pipe::Severity::Error, "adreno: clear outside a render pass");
    if (!pass_.active()) return;
    const pipe::RenderPassDesc& desc = pass_.desc();
    clears::Plan plan = clears::plan(info, desc);
    for (uint32_t i = 0; i < desc.color_count; ++i)
        if ((plan.whole & kColor0 << i) && !can_fill(pass_.targets().color[i])) {
            plan.whole &= ~(kColor0 << i);
            plan.masked |= kColor0 << i;
        }
    const pipe::Scissor all{0, 0, int32_t(desc.width), int32_t(desc.height)};
    if (plan.whole) pass_.clear(plan.whole, info.scissored ? info.scissor : all, info);
    state_.dirty |= kDepthPlane;  // LRZ
    if (!plan.masked) return;
    const StateAside saved(*this);
    screen_.draw_clears().run(*this, info, desc, plan.masked, log_);
}

}  // namespace terrazzo::adreno
