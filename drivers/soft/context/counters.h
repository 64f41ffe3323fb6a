// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The CPU driver's counters. Calls and their sizes are counted on the calling thread; results of tiles once
// these are drawn. The kernel has no counter of its own: while counters run, draws without an occlusion query
// get an internal one.
#pragma once

#include <array>
#include <functional>
#include <new>
#include <vector>

#include "drivers/soft/context/query.h"
#include "pipe/counters.h"

namespace terrazzo::soft {

enum class SoftCounter : uint8_t {
    Draws,
    Vertices,
    Primitives,
    Passes,
    Clears,
    Dispatches,
    Tiles,      // drawn by passes
    Fragments,  // samples that passed all tests, in draws without occlusion queries
    // Draws of one state whose fragment shader was interpreted, ran the first tier's code, or ran the second
    // tier's (code/tiers.h).
    InterpretedDraws,
    FirstTierDraws,
    SecondTierDraws,
};
inline constexpr unsigned kSoftCounters = 11;

class SoftCounters final : public pipe::PerformanceCounters {
  public:
    /// `primitives` is counted by the caller. finish() completes all work of the context. All three must
    /// outlive this. changed() is called when counting begins or ends: draws must then ask fragments() again.
    SoftCounters(const uint64_t& primitives, std::function<void()> finish, std::function<void()> changed)
        : primitives_(primitives), finish_(std::move(finish)), changed_(std::move(changed)) {}
    void count(SoftCounter c, uint64_t n = 1) { counted_[unsigned(c)] += n; }
    /// The query that counts the samples of draws without a query; null: counters are off.
    [[nodiscard]] SoftQuery* fragments() const { return fragments_.get(); }

    std::span<const pipe::CounterGroup> groups() const override {
        static constexpr pipe::Counter kCounters[kSoftCounters] = {{"draws"},
                                                                   {"vertices"},
                                                                   {"primitives"},
                                                                   {"passes"},
                                                                   {"clears"},
                                                                   {"dispatches"},
                                                                   {"tiles"},
                                                                   {"fragments"},
                                                                   {"draws_interpreted"},
                                                                   {"draws_first_tier"},
                                                                   {"draws_second_tier"}};
        static constexpr pipe::CounterGroup kGroups[] = {{"CPU", kSoftCounters, kCounters}};
        return kGroups;
    }
    pipe::Ref<pipe::CounterQuery> create_counter_query(std::span<const pipe::CounterId> ids) override {
        auto q = pipe::Ref<Query>::adopt(new (std::nothrow) Query);
        if (q) q->ids.assign(ids.begin(), ids.end());
        return q;
    }
    void begin_counters(pipe::CounterQuery& q) override {
        finish_();
        fragments_ = pipe::Ref<SoftQuery>::adopt(new SoftQuery(pipe::QueryKind::Samples));
        changed_();
        static_cast<Query&>(q).begin = now();
    }
    void end_counters(pipe::CounterQuery& q) override {
        finish_();
        static_cast<Query&>(q).end = now();
        fragments_ = nullptr;
        changed_();
    }
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
        v[unsigned(SoftCounter::Fragments)] = fragments_->value;
        return v;
    }

    const uint64_t& primitives_;
    const std::function<void()> finish_, changed_;
    pipe::Ref<SoftQuery> fragments_;
    Values counted_{};
};

}  // namespace terrazzo::soft
