// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries of a context. Those of time wait until the GPU is idle.
#include "drivers/mali/submission/query.h"

#include <new>

#include "drivers/mali/context.h"

namespace terrazzo::mali {

pipe::Ref<pipe::Query> MaliContext::create_query(pipe::QueryKind kind) {
    return pipe::Ref<pipe::Query>::adopt(new (std::nothrow) MaliQuery(kind));
}

void MaliContext::begin_query(pipe::Query& query) {
    MaliQuery& q = static_cast<MaliQuery&>(query);
    if (q.counts_samples()) {
        q.samples.begin(screen_.device(), screen_.device().chip().core_id_range() * 8);
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
    if (!q.samples.memory()) return *out = 0, true;
    // Counted by work that is recorded, or open: this submission's end is late enough.
    if (q.samples.is_open()) {
        (void)submit();
        q.samples.close(recorder_.last_point());
    }
    return q.samples.result(*recorder_.queues().timeline(), wait, screen_.device().chip().core_id_range(),
                            q.kind, out);
}

}  // namespace terrazzo::mali
