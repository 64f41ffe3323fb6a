// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The order that a memory asks of what a scheduler moves: loads come in any order, on their side of stores,
// and stores stay in a row. It is the same for all that has readers and writers without being a word. Each
// load has one edge to the store before it, and one from it to the store behind it.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

namespace terrazzo::backend {

class MemoryOrder {
  public:
    explicit MemoryOrder(std::pmr::memory_resource* memory) : loads_(memory) {}
    void begin() {
        last_store_ = kNone;
        loads_.clear();
    }
    /// Calls edge(earlier, clk) for those that step n must come after.
    template <typename F>
    void load(uint32_t n, const F& edge) {
        if (last_store_ != kNone) edge(last_store_, 1);
        loads_.push_back(n);
    }
    template <typename F>
    void store(uint32_t n, const F& edge) {
        if (last_store_ != kNone) edge(last_store_, 1);
        for (const uint32_t l : loads_)
            edge(l, 1);
        loads_.clear();
        last_store_ = n;
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    uint32_t last_store_ = kNone;
    std::pmr::vector<uint32_t> loads_;  // since the last store
};

}  // namespace terrazzo::backend
