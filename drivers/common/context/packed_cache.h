// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small direct-mapped caches of descriptors in pool memory, so that a submission does not pack the same state
// again. If two states have the same slot, the later one replaces the earlier one.
#pragma once

#include <array>
#include <cstddef>

namespace terrazzo::contexts {

/// `Entry` has a key, and the descriptors that were packed for it. An Entry() is empty.
template <class Entry, size_t kSlots>
class PackedCache {
  public:
    /// The entry for keys with this hash. If it has another key, the caller replaces it.
    [[nodiscard]] Entry& at(size_t hash) { return entries_[hash % kSlots]; }
    void clear() { entries_.fill({}); }

  private:
    std::array<Entry, kSlots> entries_;
};

}  // namespace terrazzo::contexts
