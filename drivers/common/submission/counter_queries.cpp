// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/submission/counter_queries.h"

#include <new>

namespace terrazzo::submission {
namespace {

CounterQuery& counter_query(pipe::CounterQuery& q) {
    return static_cast<CounterQuery&>(q);
}

}  // namespace

CounterTable::CounterTable(std::span<const CounterRow> rows) {
    for (const CounterRow& r : rows)
        counters_.push_back({r.name});
    for (size_t i = 0; i < rows.size();) {
        size_t end = i;
        while (end < rows.size() && rows[end].group == rows[i].group)
            ++end;
        groups_.push_back({rows[i].group, rows[i].slots, {&counters_[i], end - i}});
        first_.push_back(i);
        i = end;
    }
}

pipe::Ref<pipe::CounterQuery> CounterQueries::create_counter_query(std::span<const pipe::CounterId> ids) {
    auto q = pipe::Ref<CounterQuery>::adopt(new (std::nothrow) CounterQuery);
    if (!q) return nullptr;
    std::vector<unsigned> used(table_.groups().size());
    for (const pipe::CounterId& id : ids)
        q->counters.push_back({table_.row(id), used[id.group]++});
    return q;
}

void CounterQueries::begin_counters(pipe::CounterQuery& query) {
    CounterQuery& q = counter_query(query);
    q.memory.begin(recording_.pool.device(), uint32_t(q.counters.size()) * CounterQuery::kSize_B);
    active_ = pipe::Ref<CounterQuery>(&q);
    resume(q);
}

void CounterQueries::end_counters(pipe::CounterQuery& query) {
    pause(counter_query(query));
    active_ = nullptr;
}

bool CounterQueries::counter_values(pipe::CounterQuery& query, bool wait, uint64_t* values) {
    CounterQuery& q = counter_query(query);
    // The values are final at the end of this submission.
    if (q.memory.is_open()) {
        submit_();
        q.memory.close(recording_.last_point());
    }
    uint64_t first = 0;
    if (!q.memory.result(*recording_.timeline(), wait, 1, pipe::QueryKind::Samples, &first)) return false;
    const auto* at = reinterpret_cast<const volatile uint64_t*>(q.memory.memory()->block.cpu);
    for (size_t i = 0; i < q.counters.size(); ++i, at += CounterQuery::kSize_B / sizeof *at)
        values[i] = *at;
    return true;
}

}  // namespace terrazzo::submission
