// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The counters of a pass' draws, and the queries that they are for.
#include <algorithm>

#include "drivers/adreno/passes/draw_context.h"

namespace terrazzo::adreno {

void DrawContext::end_counting_but(std::span<contexts::Query* const> open) {
    std::erase_if(counting_, [&](const Counting& c) {
        const bool goes_on = std::any_of(open.begin(), open.end(), [&](const contexts::Query* q) {
            return q->count.memory().get() == c.memory.get();
        });
        if (!goes_on) pass_.counts.end(pass_.draws, c.counter, c.numbers_va, c.memory->block.va);
        return !goes_on;
    });
}

void DrawContext::count_none() {
    end_counting_but({});
}

void DrawContext::update_counting() {
    std::vector<contexts::Query*> open = queries_.written;
    if (queries_.samples) open.push_back(queries_.samples);
    if (queries_.generated) open.push_back(queries_.generated);
    end_counting_but(open);
    for (const contexts::Query* q : open) {
        const auto& memory = q->count.memory();
        if (std::any_of(counting_.begin(), counting_.end(),
                        [&](const Counting& c) { return c.memory.get() == memory.get(); }))
            continue;
        recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(memory.get()));
        const Counter counter = counter_of(q->kind);
        const uint64_t numbers_va = pass_.counts.begin(recorder_.pool, pass_.draws, counter);
        counting_.push_back({counter, memory, numbers_va});
    }
}

contexts::CountLayout DrawContext::count_layout(pipe::QueryKind kind) const {
    const bool counts = submission::counts_samples(kind) || kind == pipe::QueryKind::PrimitivesWritten ||
                        kind == pipe::QueryKind::PrimitivesGenerated;
    return counts ? contexts::CountLayout{.size_B = QueryMemory::kSize_B} : contexts::CountLayout{};
}

/// The next draw, or the pass' end, begins or ends the count in the stream.
void DrawContext::counting_changes(const contexts::Query& q) {
    state_.dirty |= kQueries;
    if (q.counts_samples()) state_.dirty |= kDepthPlane;
    if (q.kind == pipe::QueryKind::PrimitivesGenerated && state_.raster->desc.discard)
        state_.dirty |= kDiscard;
}

}  // namespace terrazzo::adreno
