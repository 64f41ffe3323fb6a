// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries, and the packets that count samples.
#pragma once

#include "drivers/adreno/stream/cs_builder.h"
#include "drivers/common/submission/sample_count.h"

namespace terrazzo::adreno {

/// Counters of draws: samples that pass, primitives that stream output writes, primitives that the last stage
/// before stream output emits.
enum class Counter : uint8_t { Samples, Written, Generated };
/// The memory of a query: its sum.
struct QueryMemory {
    static constexpr uint32_t kSum_B = 0, kSize_B = 16;
};

/// The counts of a pass' draws. The stream of draws writes the counter to memory before and after the counted
/// draws (for written primitives: two counters for each of four streams), and does not wait for samples.
/// After all draws the CP adds the differences to the queries' sums; if the draws run once a tile, after each
/// tile. Generated primitives are the same in each tile: the stream counts them in binning passes and in
/// sysmem only, and they are added once a pass.
class Counts {
  public:
    /// Called before the counted draws. Returns the address of the counter's values, for end(). Throws
    /// std::bad_alloc.
    [[nodiscard]] uint64_t begin(memory::Pool& pool, CsBuilder& draws, Counter counter);
    void end(CsBuilder& draws, Counter counter, uint64_t numbers_va, uint64_t query_va);
    /// Writes what must precede the stream of draws.
    void write_before(CsBuilder& cs) const;
    /// Writes what must follow each run of the stream: adds what a run counts.
    void write_sums(CsBuilder& cs) const;
    /// Writes what must follow all runs: adds what the binning pass or the run in sysmem counted.
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

/// A count that began in a stream and has not ended.
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
