// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The set of pointers that are objects of ours, since programs may pass any pointer to EGL.
#pragma once

#include <mutex>
#include <unordered_set>

namespace terrazzo::gbm {

/// Callable from any thread.
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

/// The set of gbm_devices, gbm_surfaces or gbm_bos. Never destroyed, since programs destroy objects while
/// they exit.
template <class T>
[[nodiscard]] LiveSet& live() {
    static LiveSet* const set = new LiveSet;
    return *set;
}

}  // namespace terrazzo::gbm
