// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/queries.h"

#include <algorithm>
#include <new>

#include "drivers/common/context/recording_context.h"

namespace terrazzo::contexts {

using pipe::QueryKind;

void Queries::add(Query& q) {
    if (q.counts_samples())
        open.samples = &q;
    else if (q.kind == QueryKind::PrimitivesGenerated)
        open.generated = &q;
    else
        open.written.push_back(&q);
}

void Queries::remove(Query& q) {
    if (open.samples == &q) open.samples = nullptr;
    if (open.generated == &q) open.generated = nullptr;
    std::erase(open.written, &q);
}

pipe::Ref<pipe::Query> Queries::create(QueryKind kind) const {
    return pipe::Ref<pipe::Query>::adopt(new (std::nothrow)
                                             Query(kind, context_.count_layout(kind).size_B != 0));
}

void Queries::begin(Query& q) {
    if (q.on_device) {
        q.count.begin(context_.recording().pool.device(), context_.count_layout(q.kind).size_B);
        add(q);
        return context_.counting_changes(q);
    }
    switch (q.kind) {
        case QueryKind::TimeElapsed:
            context_.finish();
            q.begin = context_.screen.timestamp_ns();
            break;
        case QueryKind::PrimitivesGenerated:
            q.begin = open.primitives;
            add(q);
            break;
        case QueryKind::PrimitivesWritten:
            q.begin = open.captured;
            break;
        case QueryKind::Samples:
        case QueryKind::AnySamples:
        case QueryKind::AnySamplesConservative:
            context_.unsupported("a query of samples");
            break;
        case QueryKind::Timestamp:  // a point in time: only its end matters
            break;
    }
}

void Queries::end(Query& q) {
    if (q.on_device) {
        remove(q);
        return context_.counting_changes(q);
    }
    switch (q.kind) {
        case QueryKind::TimeElapsed:
        case QueryKind::Timestamp:
            context_.finish();
            q.value = context_.screen.timestamp_ns() - q.begin;
            break;
        case QueryKind::PrimitivesGenerated:
            q.value = open.primitives - q.begin;
            remove(q);
            break;
        case QueryKind::PrimitivesWritten:
            q.value = open.captured - q.begin;
            break;
        case QueryKind::Samples:
        case QueryKind::AnySamples:
        case QueryKind::AnySamplesConservative:
            break;  // begin() has refused them
    }
}

bool Queries::result(Query& q, bool wait, uint64_t* out) {
    if (!q.on_device) return *out = q.value, true;
    if (!q.count.memory()) return *out = 0, true;
    // Recorded or open work may count for it. The count is complete when this submission is.
    if (q.count.is_open()) {
        (void)context_.submit();
        q.count.close(context_.recording().last_point());
    }
    return q.count.result(*context_.recording().timeline(), wait, context_.count_layout(q.kind).numbers,
                          q.kind, out);
}

}  // namespace terrazzo::contexts
