// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which of a program's pointers are objects of ours: EGL is given any.
#pragma once

#include <mutex>
#include <unordered_set>

namespace terrazzo::gbm {

/// Thread: any.
class LiveSet {
  public:
    /// Throws std::bad_alloc.
    void insert(const void* object) {
        const std::lock_guard lock(mutex_);
        objects_.insert(object);
    }
    void erase(const void* object) {
        const std::lock_guard lock(mutex_);
        objects_.erase(object);
    }
    [[nodiscard]] bool contains(const void* object) {
        const std::lock_guard lock(mutex_);
        return objects_.contains(object);
    }

  private:
    std::mutex mutex_;
    std::unordered_set<const void*> objects_;
};

/// Of gbm_devices, gbm_surfaces and gbm_bos each; never destroyed, for programs destroy objects while they end.
template <class T>
[[nodiscard]] LiveSet& live() {
    static LiveSet* const set = new LiveSet;
    return *set;
}

}  // namespace terrazzo::gbm
