// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A mutex that its thread may lock again. Unlike std::recursive_mutex it is small enough to be inlined when
// no other thread holds it: commands that look up a name lock a share group's. The three states of the lock
// are those of Drepper, "Futexes are tricky" (2011), section "Mutex, take 2".
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

namespace terrazzo::st {

class RecursiveLock {
  public:
    void lock() {
        const pthread_t self = pthread_self();
        if (owner_.load(std::memory_order_relaxed) == self) {  // only this thread writes its own id here
            ++depth_;
            return;
        }
        uint32_t free = kFree;
        if (!state_.compare_exchange_strong(free, kLocked, std::memory_order_acquire)) [[unlikely]]
            wait();
        owner_.store(self, std::memory_order_relaxed);
        depth_ = 1;
    }
    void unlock() {
        if (--depth_) return;
        owner_.store(pthread_t{}, std::memory_order_relaxed);
        if (state_.exchange(kFree, std::memory_order_release) == kContended) [[unlikely]]
            state_.notify_one();
    }

  private:
    static constexpr uint32_t kFree = 0, kLocked = 1, kContended = 2;
    void wait() {
        while (state_.exchange(kContended, std::memory_order_acquire) != kFree)
            state_.wait(kContended, std::memory_order_relaxed);
    }
    std::atomic<uint32_t> state_{kFree};
    std::atomic<pthread_t> owner_{};
    uint32_t depth_ = 0;  // of the owner
};

}  // namespace terrazzo::st
