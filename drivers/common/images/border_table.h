// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device's table of border colors, which samplers name by number. Entries live as long as the table.
#pragma once

#include <algorithm>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "drivers/common/memory/device.h"
#include "pipe/state.h"

namespace terrazzo::images {

/// `Form`: an enumeration. A color has an entry of its own for each form in which samplers use it; value 0 is
/// the form of floats. `Entry`: the descriptor. `kDescribe`: Entry(const pipe::BorderColor&, Form).
template <class Form, class Entry, auto kDescribe>
class BorderTable {
  public:
    static constexpr uint32_t kMost = 1024;
    /// Throws std::bad_alloc.
    explicit BorderTable(memory::Device& device)
        : bo_(device.create_bo(uint64_t(kMost) * Entry::kSize_B, 0)) {
        if (!bo_) throw std::bad_alloc();
        (void)number({}, Form{});  // number 0: transparent black
    }
    /// Returns the number of the color's entry, which is created if missing. If the table is full, returns
    /// that of transparent black, and logs an error. Thread: any.
    [[nodiscard]] uint32_t number(const pipe::BorderColor& color, Form form) {
        const Key key{color, form};
        const std::lock_guard guard(mutex_);
        const auto found = std::find(keys_.begin(), keys_.end(), key);
        const auto number = uint32_t(found - keys_.begin());
        if (found != keys_.end()) return number;
        if (number >= kMost) {
            bo_->device->log()(pipe::Severity::Error,
                               std::string(bo_->device->vendor) +
                                   ": too many border colours: transparent black replaces one");
            return 0;
        }
        keys_.push_back(key);
        pack(kDescribe(color, form), reinterpret_cast<uint32_t*>(bo_->cpu + size_t(number) * Entry::kSize_B));
        return number;
    }
    [[nodiscard]] uint64_t va() const { return bo_->va; }
    [[nodiscard]] const pipe::Ref<memory::Bo>& bo() const { return bo_; }

  private:
    struct Key {
        pipe::BorderColor color;
        Form form;
        bool operator==(const Key&) const = default;
    };
    const pipe::Ref<memory::Bo> bo_;
    std::mutex mutex_;
    std::vector<Key> keys_;
};

}  // namespace terrazzo::images
