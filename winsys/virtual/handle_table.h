// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Handles of one open file: the lowest free number, as the kernel's idr and xarray give them.
#pragma once

#include <cstdint>
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
        while (lowest_free_ < slots_.size() && slots_[lowest_free_])
            lowest_free_++;
        if (lowest_free_ > last_ - first_) return false;
        if (lowest_free_ == slots_.size()) slots_.emplace_back();
        *handle = first_ + static_cast<uint32_t>(lowest_free_);
        return true;
    }
    /// After reserve().
    void add(uint32_t handle, T value) { slots_[handle - first_] = std::move(value); }
    /// Null: no such handle.
    [[nodiscard]] T find(uint32_t handle) const {
        return handle >= first_ && handle - first_ < slots_.size() ? slots_[handle - first_] : T{};
    }
    /// What was there; null: nothing.
    T remove(uint32_t handle) {
        if (handle < first_ || handle - first_ >= slots_.size()) return {};
        if (handle - first_ < lowest_free_) lowest_free_ = handle - first_;
        return std::exchange(slots_[handle - first_], T{});
    }
    /// Every value that is there.
    template <typename F>
    void for_each(F&& f) const {
        for (const T& value : slots_)
            if (value) f(value);
    }

  private:
    std::vector<T> slots_;
    size_t lowest_free_ = 0;
    const uint32_t first_, last_;
};

}  // namespace terrazzo::winsys::virt
