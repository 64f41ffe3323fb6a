// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The handles of one open file. A new handle is the lowest free number, as with the kernel's idr and xarray.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace terrazzo::winsys::virt {

/// T: a pointer type. Null marks an empty slot.
template <typename T>
class HandleTable {
  public:
    /// Handles [first, last].
    explicit HandleTable(uint32_t first = 1, uint32_t last = UINT32_MAX) : first_(first), last_(last) {}

    /// Finds the handle that the next add() will use and allocates what add() needs, so that add() cannot
    /// throw. False: the table is full (-EBUSY, -ENOSPC).
    [[nodiscard]] bool reserve(uint32_t* handle) {
        if (free_.empty()) {
            if (slots_.size() > last_ - first_) return false;
            // The set's node is later the one that remove() inserts again.
            free_.insert(static_cast<uint32_t>(slots_.size()));
            try {
                slots_.emplace_back();
            } catch (...) {
                free_.clear();
                throw;
            }
        }
        *handle = first_ + *free_.begin();
        return true;
    }
    /// Must follow reserve() of this handle.
    void add(uint32_t handle, T value) {
        slots_[handle - first_].value = std::move(value);
        slots_[handle - first_].node = free_.extract(handle - first_);
    }
    /// Null: no such handle.
    [[nodiscard]] T find(uint32_t handle) const {
        return handle >= first_ && handle - first_ < slots_.size() ? slots_[handle - first_].value : T{};
    }
    /// Returns the removed value; null: there was none.
    T remove(uint32_t handle) {
        if (handle < first_ || handle - first_ >= slots_.size()) return {};
        Slot& slot = slots_[handle - first_];
        if (slot.node) free_.insert(std::move(slot.node));
        return std::exchange(slot.value, T{});
    }
    /// Calls `f` with every value.
    template <typename F>
    void for_each(F&& f) const {
        for (const Slot& slot : slots_)
            if (slot.value) f(slot.value);
    }

  private:
    using Free = std::set<uint32_t>;
    struct Slot {
        T value{};
        // the node of free_ that remove() inserts, so that it needs no memory; empty while the slot is free
        Free::node_type node;
    };
    std::vector<Slot> slots_;
    Free free_;
    const uint32_t first_, last_;
};

}  // namespace terrazzo::winsys::virt
