// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/context.h"

#include <algorithm>

namespace terrazzo::adreno {

AdrenoContext::~AdrenoContext() {
    submit_last();
}

void AdrenoContext::touch_memory(images::StoredResource& r) {
    const auto in = [&](const auto& bound) {
        return std::any_of(bound.begin(), bound.end(), [&](const auto& b) { return b.resource == &r; });
    };
    if (in(state_.vertex_buffers)) state_.dirty |= kVertexBuffers;
    const bool is_buffer = r.desc.kind == pipe::ResourceKind::Buffer;
    for (size_t i = 0; i < state_.stages.size(); ++i) {
        const auto stage = pipe::Stage(i);
        const contexts::BoundStage& s = state_.stages[stage];
        if (in(s.blocks)) state_.touch(stage, StageGroup::Blocks);
        if (in(s.storage_buffers) || in(s.images)) state_.touch(stage, StageGroup::Storage);
        // Views may be gone that nobody draws with.
        if (!is_buffer || s.buffer_views) state_.touch(stage, StageGroup::Textures);
    }
}

bool AdrenoContext::hand_over() {
    counters_.before_submit();
    const bool done = recorder_.submit();
    counters_.after_submit();
    return done;
}

}  // namespace terrazzo::adreno
