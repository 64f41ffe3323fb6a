// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a query counts on the device (samples, primitives): numbers in memory that the GPU writes and the CPU adds up when the work is done. One thread.
#pragma once

#include "drivers/common/memory/block.h"
#include "drivers/common/memory/timeline.h"
#include "pipe/context.h"

namespace terrazzo::submission {

/// Work that counts holds it.
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
    /// Zeroes in new memory: older counts may still go on. Throws std::bad_alloc.
    void begin(memory::Device& device, uint32_t size_B);
    /// Null: it never began.
    [[nodiscard]] const pipe::Ref<CountMemory>& memory() const { return memory_; }
    /// Whether the work that counts may not have been submitted yet.
    [[nodiscard]] bool is_open() const { return point_ == kOpen; }
    /// The point of the context's timeline where the count is complete; 0: nothing was submitted.
    void close(uint64_t point) { point_ = point; }
    /// The sum of the first `numbers` (64 bits each), or whether there is any, as the kind says. False: not complete yet, and
    /// !wait. Of a count that is closed.
    [[nodiscard]] bool result(memory::Timeline& timeline, bool wait, uint32_t numbers, pipe::QueryKind kind,
                              uint64_t* out) const;

  private:
    static constexpr uint64_t kOpen = ~uint64_t(0);
    pipe::Ref<CountMemory> memory_;
    uint64_t point_ = 0;
};

}  // namespace terrazzo::submission
