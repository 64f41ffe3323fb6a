// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries and fences.
#pragma once

#include "drivers/soft/thread_pool.h"
#include "pipe/context.h"

namespace terrazzo::soft {

class SoftQuery final : public pipe::Query {
  public:
    explicit SoftQuery(pipe::QueryKind k) : Query(k) {}
    uint64_t value = 0;  // complete when the context's queue has done seq
    uint64_t begin = 0;  // the clock, or the context's count of primitives
    uint64_t seq = 0;    // of the last queued pass that counts for it
};

class SoftFence final : public pipe::Fence {
  public:
    explicit SoftFence(pipe::Ref<JobQueue> q) : queue(std::move(q)) {}
    /// Draws tiles while it waits for ever.
    [[nodiscard]] bool wait(uint64_t timeout_ns) override { return queue->wait(seq, timeout_ns); }
    const pipe::Ref<JobQueue> queue;
    uint64_t seq = 0;
};

}  // namespace terrazzo::soft
