// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/threads/worker_pool.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

using terrazzo::threads::WorkerPool;

namespace {

size_t thread_count() {
    return size_t(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

/// A thread that was joined leaves /proc a moment later.
bool becomes(size_t count) {
    for (int n = 0; n < 2000 && thread_count() != count; n++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return thread_count() == count;
}

}  // namespace

TEST_CASE("worker pool: each item is called at most once, and all items are done when run() returns") {
    const auto pool = WorkerPool::acquire(4);
    for (int round = 0; round < 500; round++) {
        std::atomic<unsigned> next{0}, done{0};
        std::atomic<unsigned> calls[4] = {};
        auto work = [&](unsigned n) {
            calls[n]++;
            while (next.fetch_add(1) < 50)
                done++;
        };
        pool->run(4, work);
        REQUIRE(done == 50);
        REQUIRE(calls[0] == 1);
        for (const auto& c : calls)
            REQUIRE(c <= 1);
    }
}

TEST_CASE("worker pool: calls run at the same time, on no more threads than were requested") {
    const size_t alone = thread_count();
    std::thread([] {}).join();  // a sanitizer starts its own thread with the program's first one
    const size_t before = becomes(alone) ? alone : thread_count();
    {
        const auto pool = WorkerPool::acquire(3), same = WorkerPool::acquire(2);
        CHECK(pool == same);
        CHECK(thread_count() == before);  // none before there is work
        std::atomic<unsigned> here{0};
        auto meet = [&](unsigned) {
            here++;
            while (here < 3)
                std::this_thread::yield();
        };
        pool->run(3, meet);
        CHECK(here == 3);
        CHECK(thread_count() == before + 2);
        std::atomic<unsigned> calls{0};
        auto count = [&](unsigned) { calls++; };
        pool->run(20, count);
        CHECK(calls >= 1);
        CHECK(thread_count() == before + 2);
    }
    CHECK(becomes(before));
}

TEST_CASE("worker pool: with one thread no other is created") {
    const size_t before = thread_count();
    const auto pool = WorkerPool::acquire(1);
    unsigned calls = 0;
    auto work = [&](unsigned n) { calls += n == 0 ? 1 : 100; };
    pool->run(8, work);
    CHECK(calls == 1);
    CHECK(thread_count() == before);
}

TEST_CASE("worker pool: several jobs at once share the threads") {
    const auto pool = WorkerPool::acquire(3);
    std::vector<std::thread> callers;
    std::atomic<unsigned> bad{0};
    for (int c = 0; c < 4; c++)
        callers.emplace_back([&] {
            for (int round = 0; round < 200; round++) {
                std::atomic<unsigned> next{0}, done{0};
                auto work = [&](unsigned) {
                    while (next.fetch_add(1) < 20)
                        done++;
                };
                pool->run(5, work);
                if (done != 20) bad++;
            }
        });
    for (std::thread& t : callers)
        t.join();
    CHECK(bad == 0);
}

TEST_CASE("worker pool: a child process works alone, and ends") {
    auto pool = WorkerPool::acquire(3);
    auto nothing = [](unsigned) {};
    pool->run(3, nothing);
    const pid_t child = fork();
    if (child == 0) {
        unsigned calls = 0;
        auto count = [&](unsigned) { calls++; };
        pool->run(3, count);
        pool.reset();
        _exit(calls == 1 ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
