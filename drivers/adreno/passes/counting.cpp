// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/passes/counting.h"

#include <algorithm>

namespace terrazzo::adreno {

contexts::CountLayout OpenCounts::layout(const hw::Chip&, pipe::QueryKind kind) {
    const bool counts = submission::counts_samples(kind) || kind == pipe::QueryKind::PrimitivesWritten ||
                        kind == pipe::QueryKind::PrimitivesGenerated;
    return {.size_B = counts ? QueryMemory::kSize_B : 0};
}

void OpenCounts::end_but(std::span<contexts::Query* const> open) {
    std::erase_if(open_, [&](const Counting& c) {
        const bool goes_on = std::any_of(open.begin(), open.end(), [&](const contexts::Query* q) {
            return q->count.memory().get() == c.memory.get();
        });
        if (!goes_on) pass_.counts.end(pass_.draws, c.counter, c.numbers_va, c.memory->block.va);
        return !goes_on;
    });
}

void OpenCounts::update(const contexts::OpenQueries& queries) {
    std::vector<contexts::Query*> open = queries.written;
    if (queries.samples) open.push_back(queries.samples);
    if (queries.generated) open.push_back(queries.generated);
    end_but(open);
    for (const contexts::Query* q : open) {
        const auto& memory = q->count.memory();
        if (std::any_of(open_.begin(), open_.end(),
                        [&](const Counting& c) { return c.memory.get() == memory.get(); }))
            continue;
        recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(memory.get()));
        const Counter counter = counter_of(q->kind);
        const uint64_t numbers_va = pass_.counts.begin(recorder_.pool, pass_.draws, counter);
        open_.push_back({counter, memory, numbers_va});
    }
}

}  // namespace terrazzo::adreno
