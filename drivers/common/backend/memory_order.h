// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The dependencies of loads and stores in a scheduler: stores keep their order, and a load does not pass a
// store. Loads between the same stores may be reordered. It also serves other state with readers and writers
// that is not a word. Each load depends on the store before it, and the store after it depends on the load.
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
    /// Both call edge(earlier, clk) for each step that step n must follow.
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
