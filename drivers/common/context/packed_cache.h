// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small direct-mapped caches of the descriptors that this submission packed in pool memory, so that state
// which recurs is not packed again. Of two states with the same slot, the later one is kept.
#pragma once

#include <array>
#include <cstddef>

namespace terrazzo::contexts {

/// `Entry` has a key and what was packed for it; an Entry() is empty.
template <class Entry, size_t kSlots>
class PackedCache {
  public:
    /// The entry whose key has this hash. If its key differs, it is the one to fill.
    [[nodiscard]] Entry& at(size_t hash) { return entries_[hash % kSlots]; }
    void clear() { entries_.fill({}); }

  private:
    std::array<Entry, kSlots> entries_;
};

}  // namespace terrazzo::contexts
