// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries of a context. Those of time wait until the GPU is idle.
#include "drivers/mali/submission/query.h"

#include <algorithm>
#include <new>

#include "drivers/mali/context.h"

namespace terrazzo::mali {

pipe::Ref<pipe::Query> MaliContext::create_query(pipe::QueryKind kind) {
    return pipe::Ref<pipe::Query>::adopt(new (std::nothrow) MaliQuery(kind));
}

void MaliContext::begin_query(pipe::Query& query) {
    MaliQuery& q = static_cast<MaliQuery&>(query);
    if (q.counts_samples()) {
        // New memory: older counts may still go on.
        auto m = pipe::Ref<QueryMemory>::adopt(new QueryMemory);
        const uint32_t size_B = screen_.device().chip().core_id_range() * 8;
        m->block = screen_.device().create_block(size_B, 64);
        if (!m->block) throw std::bad_alloc();
        std::fill_n(m->block.cpu, size_B, uint8_t(0));
        q.memory = std::move(m);
        q.point = ~uint64_t(0);
        samples_query_ = &q;
        dirty_ |= kQuery | kFlags;
        return;
    }
    switch (q.kind) {
        case pipe::QueryKind::TimeElapsed:
            finish();
            q.begin = screen_.timestamp_ns();
            break;
        case pipe::QueryKind::PrimitivesGenerated:
            q.begin = primitives_;
            break;
        case pipe::QueryKind::PrimitivesWritten:
            unsupported("transform feedback");
            break;
        default:
            break;
    }
}

void MaliContext::end_query(pipe::Query& query) {
    MaliQuery& q = static_cast<MaliQuery&>(query);
    if (q.counts_samples()) {
        if (samples_query_ == &q) samples_query_ = nullptr;
        dirty_ |= kQuery | kFlags;
        return;
    }
    switch (q.kind) {
        case pipe::QueryKind::TimeElapsed:
            finish();
            q.value = screen_.timestamp_ns() - q.begin;
            break;
        case pipe::QueryKind::Timestamp:
            finish();
            q.value = screen_.timestamp_ns();
            break;
        case pipe::QueryKind::PrimitivesGenerated:
            q.value = primitives_ - q.begin;
            break;
        default:
            break;
    }
}

bool MaliContext::query_result(pipe::Query& query, bool wait, uint64_t* out) {
    MaliQuery& q = static_cast<MaliQuery&>(query);
    if (!q.counts_samples()) return *out = q.value, true;
    if (!q.memory) return *out = 0, true;
    // Counted by work that is recorded, or open: this submission's end is late enough.
    if (q.point == ~uint64_t(0)) {
        (void)submit();
        q.point = recorder_.last_point();
    }
    if (q.point) {
        const WaitResult r = recorder_.queues().timeline()->wait(q.point, wait ? ~uint64_t(0) : 0);
        if (r == WaitResult::Timeout) return false;
    }
    uint64_t sum = 0;
    for (unsigned i = 0; i < screen_.device().chip().core_id_range(); ++i)
        sum += reinterpret_cast<const volatile uint64_t*>(q.memory->block.cpu)[i];
    *out = q.kind == pipe::QueryKind::Samples ? sum : sum != 0;
    return true;
}

}  // namespace terrazzo::mali
