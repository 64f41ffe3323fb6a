// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clears inside a pass, by the 2D engine.
#include "drivers/adreno/context.h"

namespace terrazzo::adreno {

using namespace pipe::attachment_bit;

void AdrenoContext::clear(const pipe::ClearInfo& info) {
    if (!in_pass_) return log_(pipe::Severity::Error, "adreno: clear outside a render pass");
    if (!pass_.active()) return;
    const pipe::RenderPassDesc& desc = pass_.desc();
    const Targets& targets = pass_.targets();
    uint32_t wanted = 0;
    bool masked = false;
    for (uint32_t i = 0; i < desc.color_count; ++i) {
        if (!desc.color[i].resource || !(info.attachments & kColor0 << i)) continue;
        // Components that the format does not store do not count.
        const uint32_t stored = targets.components >> (4 * i) & 0xf;
        if (!(info.color_mask[i] & stored)) continue;
        masked |= (info.color_mask[i] & stored) != stored;
        wanted |= kColor0 << i;
    }
    if (desc.depth_stencil.resource) {
        if (info.attachments & kDepth) wanted |= kDepth;
        if (targets.has_stencil && (info.attachments & kStencil) && info.stencil_mask) {
            masked |= info.stencil_mask != 0xff;
            wanted |= kStencil;
        }
    }
    if (!wanted) return;
    if (masked) return unsupported("a clear of some components or stencil bits alone");
    const pipe::Scissor all{0, 0, int32_t(desc.width), int32_t(desc.height)};
    pass_.clear(wanted, info.scissored ? info.scissor : all, info);
}

}  // namespace terrazzo::adreno
