// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A query's count on the device (samples, primitives): numbers in memory that the GPU writes, and that the
// CPU adds up when the work is done. One thread.
#pragma once

#include "drivers/common/memory/block.h"
#include "drivers/common/memory/timeline.h"
#include "pipe/context.h"

namespace terrazzo::submission {

/// Work that counts holds a reference.
class CountMemory final : public pipe::RefCounted {
  public:
    memory::Block block;
};

[[nodiscard]] constexpr bool counts_samples(pipe::QueryKind k) {
    return k == pipe::QueryKind::Samples || k == pipe::QueryKind::AnySamples ||
           k == pipe::QueryKind::AnySamplesConservative;
}

class SampleCount {
  public:
    /// Begins with zeroes in new memory: work of an earlier count may still write the old one. Throws
    /// std::bad_alloc.
    void begin(memory::Device& device, uint32_t size_B);
    /// Null: begin() was never called.
    [[nodiscard]] const pipe::Ref<CountMemory>& memory() const { return memory_; }
    /// Whether some of the counting work may not have been submitted yet.
    [[nodiscard]] bool is_open() const { return point_ == kOpen; }
    /// Ends the count. `point`: where on the context's timeline it is complete; 0: nothing was submitted.
    void close(uint64_t point) { point_ = point; }
    /// For a closed count. The sum of the first `numbers` values of 64 bits; for kinds that ask for any
    /// samples, whether the sum is not 0. False: not complete yet, and !wait.
    [[nodiscard]] bool result(memory::Timeline& timeline, bool wait, uint32_t numbers, pipe::QueryKind kind,
                              uint64_t* out) const;

  private:
    static constexpr uint64_t kOpen = ~uint64_t(0);
    pipe::Ref<CountMemory> memory_;
    uint64_t point_ = 0;
};

}  // namespace terrazzo::submission
