// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries, and the packets that count samples.
#pragma once

#include "drivers/adreno/submission/cs_builder.h"
#include "drivers/common/submission/sample_count.h"

namespace terrazzo::adreno {

/// What draws count: samples that pass, primitives that stream output writes, primitives that the last stage before it makes.
enum class Counter : uint8_t { Samples, Written, Generated };
/// What a query's memory holds: the sum.
struct QueryMemory {
    static constexpr uint32_t kSum_B = 0, kSize_B = 16;
};

/// What draws of a pass count: their stream writes the counter (of written primitives: two of each of four streams) to memory before and behind them, and does not
/// wait for samples. Behind all draws the CP adds the differences to the queries' sums; where draws run once a tile, behind each tile.
/// Generated primitives are the same in each tile: the stream counts them in binning passes and in sysmem alone, and they are added once a pass.
class Counts {
  public:
    /// Before draws. Where the numbers go, for end(). Throws std::bad_alloc.
    [[nodiscard]] uint64_t begin(memory::Pool& pool, CsBuilder& draws, Counter counter);
    void end(CsBuilder& draws, Counter counter, uint64_t numbers_va, uint64_t query_va);
    /// Before the stream of draws runs.
    void write_before(CsBuilder& cs) const;
    /// Behind it: sums of what each run counts.
    void write_sums(CsBuilder& cs) const;
    /// Behind all runs, of which one was a binning pass or in sysmem: sums of what those count.
    void write_sums_of_pass(CsBuilder& cs) const;
    /// Whether draws must run once in a binning pass or in sysmem.
    [[nodiscard]] bool counts_generated() const;
    void clear() { counted_.clear(); }
    [[nodiscard]] bool empty() const { return counted_.empty(); }

  private:
    struct Counted {
        Counter counter;
        uint64_t numbers_va, query_va;
    };
    template <class F>
    void for_each_last(F&& f) const;
    static void add_difference(CsBuilder& cs, const Counted& c);
    std::vector<Counted> counted_;  // in the order of their ends
};

/// A count that is open in a stream.
struct Counting {
    Counter counter;
    pipe::Ref<submission::CountMemory> memory;
    uint64_t numbers_va;
};

[[nodiscard]] constexpr Counter counter_of(pipe::QueryKind kind) {
    return submission::counts_samples(kind)             ? Counter::Samples
           : kind == pipe::QueryKind::PrimitivesWritten ? Counter::Written
                                                        : Counter::Generated;
}

}  // namespace terrazzo::adreno
