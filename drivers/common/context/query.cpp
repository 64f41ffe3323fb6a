// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries of a context. Time queries wait until the GPU is idle.
#include "drivers/common/context/query.h"

#include <new>

#include "drivers/common/context/recording_context.h"

namespace terrazzo::contexts {

using pipe::QueryKind;

void OpenQueries::open(Query& q) {
    if (q.counts_samples())
        samples = &q;
    else if (q.kind == QueryKind::PrimitivesGenerated)
        generated = &q;
    else
        written.push_back(&q);
}

void OpenQueries::close(Query& q) {
    if (samples == &q) samples = nullptr;
    if (generated == &q) generated = nullptr;
    std::erase(written, &q);
}

pipe::Ref<pipe::Query> RecordingContext::create_query(QueryKind kind) {
    return pipe::Ref<pipe::Query>::adopt(new (std::nothrow) Query(kind, count_layout(kind).size_B != 0));
}

void RecordingContext::begin_query(pipe::Query& query) {
    auto& q = static_cast<Query&>(query);
    if (q.on_device) {
        q.count.begin(device_, count_layout(q.kind).size_B);
        queries_.open(q);
        return counting_changes(q);
    }
    switch (q.kind) {
        case QueryKind::TimeElapsed:
            finish();
            q.begin = screen.timestamp_ns();
            break;
        case QueryKind::PrimitivesGenerated:
            q.begin = primitives_;
            break;
        case QueryKind::PrimitivesWritten:
            unsupported("transform feedback");
            break;
        case QueryKind::Samples:
        case QueryKind::AnySamples:
        case QueryKind::AnySamplesConservative:
            unsupported("a query of samples");
            break;
        case QueryKind::Timestamp:  // a point in time: only its end matters
            break;
    }
}

void RecordingContext::end_query(pipe::Query& query) {
    auto& q = static_cast<Query&>(query);
    if (q.on_device) {
        queries_.close(q);
        return counting_changes(q);
    }
    switch (q.kind) {
        case QueryKind::TimeElapsed:
        case QueryKind::Timestamp:
            finish();
            q.value = screen.timestamp_ns() - q.begin;
            break;
        case QueryKind::PrimitivesGenerated:
            q.value = primitives_ - q.begin;
            break;
        case QueryKind::PrimitivesWritten:
        case QueryKind::Samples:
        case QueryKind::AnySamples:
        case QueryKind::AnySamplesConservative:
            break;  // begin_query() has refused them
    }
}

bool RecordingContext::query_result(pipe::Query& query, bool wait, uint64_t* out) {
    auto& q = static_cast<Query&>(query);
    if (!q.on_device) return *out = q.value, true;
    if (!q.count.memory()) return *out = 0, true;
    // Recorded or open work may count for it. The count is complete when this submission is.
    if (q.count.is_open()) {
        (void)submit();
        q.count.close(recording().last_point());
    }
    return q.count.result(*recording().timeline(), wait, count_layout(q.kind).numbers, q.kind, out);
}

}  // namespace terrazzo::contexts
