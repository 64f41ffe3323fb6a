// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries and fences.
#pragma once

#include "pipe/context.h"

namespace terrazzo::soft {

class SoftQuery final : public pipe::Query {
  public:
    explicit SoftQuery(pipe::QueryKind k) : Query(k) {}
    uint64_t value = 0;
    uint64_t begin = 0;  // the clock, or the context's count of primitives
};

/// Work is done before flush() returns, so that a fence is born signalled.
class SoftFence final : public pipe::Fence {
  public:
    [[nodiscard]] bool wait(uint64_t) override { return true; }
};

}  // namespace terrazzo::soft
