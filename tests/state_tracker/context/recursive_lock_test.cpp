// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/recursive_lock.h"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

using terrazzo::st::RecursiveLock;

TEST_CASE("one thread at a time can hold the lock, any number of times") {
    constexpr int kThreads = 4, kRounds = 20000;
    RecursiveLock lock;
    int inside = 0, count = 0;
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < kRounds; ++i) {
                const std::lock_guard outer(lock);
                if (++inside != 1) ++wrong;
                {
                    const std::lock_guard inner(lock);
                    const std::lock_guard innermost(lock);
                    ++count;
                }
                if (inside-- != 1) ++wrong;  // another thread was inside
                if (i % 4096 == 0) std::this_thread::yield();
            }
        });
    for (std::thread& t : threads)
        t.join();
    CHECK(wrong == 0);
    CHECK(count == kThreads * kRounds);
}

TEST_CASE("a waiting thread gets the lock when the owner has released it as often as it acquired it") {
    RecursiveLock lock;
    std::atomic<bool> got{false};
    lock.lock();
    lock.lock();
    std::thread other([&] {
        const std::lock_guard hold(lock);
        got = true;
    });
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(!got);
    lock.unlock();
    other.join();
    CHECK(got);
}
