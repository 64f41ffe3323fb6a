// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Handles of one open file: the lowest free number, as the kernel's idr and xarray give them.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace terrazzo::winsys::virt {

/// T: a pointer that is null where empty.
template <typename T>
class HandleTable {
  public:
    /// Handles [first, last].
    explicit HandleTable(uint32_t first = 1, uint32_t last = UINT32_MAX) : first_(first), last_(last) {}

    /// The handle that the next add() gives; false: the table is full (-EBUSY, -ENOSPC). Makes room, so that
    /// add() cannot throw.
    [[nodiscard]] bool reserve(uint32_t* handle) {
        if (free_.empty()) {
            if (slots_.size() > last_ - first_) return false;
            // Its node is the one that remove() needs.
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
    /// After reserve().
    void add(uint32_t handle, T value) {
        slots_[handle - first_].value = std::move(value);
        slots_[handle - first_].node = free_.extract(handle - first_);
    }
    /// Null: no such handle.
    [[nodiscard]] T find(uint32_t handle) const {
        return handle >= first_ && handle - first_ < slots_.size() ? slots_[handle - first_].value : T{};
    }
    /// What was there; null: nothing.
    T remove(uint32_t handle) {
        if (handle < first_ || handle - first_ >= slots_.size()) return {};
        Slot& slot = slots_[handle - first_];
        if (slot.node) free_.insert(std::move(slot.node));
        return std::exchange(slot.value, T{});
    }
    /// Every value that is there.
    template <typename F>
    void for_each(F&& f) const {
        for (const Slot& slot : slots_)
            if (slot.value) f(slot.value);
    }

  private:
    using Free = std::set<uint32_t>;
    struct Slot {
        T value{};
        Free::node_type node;  // for free_, so that remove() needs no memory; empty where it is there
    };
    std::vector<Slot> slots_;
    Free free_;
    const uint32_t first_, last_;
};

}  // namespace terrazzo::winsys::virt
