// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the CPU driver counts: calls and what they ask for, on the thread that makes them.
#pragma once

#include <array>
#include <new>
#include <vector>

#include "pipe/counters.h"

namespace terrazzo::soft {

enum class SoftCounter : uint8_t { Draws, Vertices, Primitives, Passes, Clears, Dispatches };
inline constexpr unsigned kSoftCounters = 6;

class SoftCounters final : public pipe::PerformanceCounters {
  public:
    /// `primitives` is counted elsewhere, and outlives it.
    explicit SoftCounters(const uint64_t& primitives) : primitives_(primitives) {}
    void count(SoftCounter c, uint64_t n = 1) { counted_[unsigned(c)] += n; }

    std::span<const pipe::CounterGroup> groups() const override {
        static constexpr pipe::Counter kCounters[kSoftCounters] = {{"draws"},  {"vertices"}, {"primitives"},
                                                                   {"passes"}, {"clears"},   {"dispatches"}};
        static constexpr pipe::CounterGroup kGroups[] = {{"CPU", kSoftCounters, kCounters}};
        return kGroups;
    }
    pipe::Ref<pipe::CounterQuery> create_counter_query(std::span<const pipe::CounterId> ids) override {
        auto q = pipe::Ref<Query>::adopt(new (std::nothrow) Query);
        if (q) q->ids.assign(ids.begin(), ids.end());
        return q;
    }
    void begin_counters(pipe::CounterQuery& q) override { static_cast<Query&>(q).begin = now(); }
    void end_counters(pipe::CounterQuery& q) override { static_cast<Query&>(q).end = now(); }
    bool counter_values(pipe::CounterQuery& query, bool, uint64_t* values) override {
        const Query& q = static_cast<Query&>(query);
        for (size_t i = 0; i < q.ids.size(); ++i)
            values[i] = q.end[q.ids[i].counter] - q.begin[q.ids[i].counter];
        return true;
    }

  private:
    using Values = std::array<uint64_t, kSoftCounters>;
    struct Query final : pipe::CounterQuery {
        std::vector<pipe::CounterId> ids;
        Values begin{}, end{};
    };
    Values now() const {
        Values v = counted_;
        v[unsigned(SoftCounter::Primitives)] = primitives_;
        return v;
    }

    const uint64_t& primitives_;
    Values counted_{};
};

}  // namespace terrazzo::soft
