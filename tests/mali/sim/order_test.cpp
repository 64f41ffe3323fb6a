// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The work of other queues that a queue may use, job by job.
#include "drivers/mali/sim/csf/order.h"

#include <doctest/doctest.h>

#include <string_view>
#include <thread>
#include <vector>

using terrazzo::mali::sim::Order;

namespace {

constexpr unsigned kFragment = 1, kCompute = 2;
constexpr uint64_t kImage = 0x10000, kImage_B = 0x3000, kSync = 0x800;

bool says(const char* why, const char* text) {
    return why && std::string_view(why).find(text) != std::string_view::npos;
}

/// `queue` waits for the jobs of `other` so far. With `flush` its caches are invalidated.
void follow(Order& order, unsigned queue, unsigned other, uint64_t value, bool flush) {
    order.signal(other, order.job(other), kSync, value);
    order.wait(queue, kSync, value, value);
    if (flush) order.flush(queue, 0, true, true);
}

}  // namespace

TEST_CASE("order: compute jobs may not store to memory that others may still read, draw or store to") {
    for (const bool waits : {false, true}) {
        CAPTURE(waits);
        const auto store = [&](Order& order, uint64_t va) {
            if (waits) follow(order, kCompute, kFragment, 1, false);
            (void)order.begin_job(kCompute);
            order.stored(kCompute, va, 16);
            return order.take_mistake().why;
        };
        {
            Order order;
            (void)order.begin_job(kFragment);
            CHECK(order.read(kFragment, kImage, kImage_B) == nullptr);
            const char* const why = store(order, kImage + kImage_B - 8);
            CHECK((waits ? why == nullptr : says(why, "may still read it")));
        }
        {
            Order order;
            (void)order.begin_job(kFragment);
            CHECK(order.read(kFragment, kImage, kImage_B) == nullptr);
            CHECK(store(order, kImage + kImage_B) == nullptr);  // next to the image
        }
        {
            Order order;
            order.drew(kFragment, kImage, order.begin_job(kFragment));
            const char* const why = store(order, kImage);
            CHECK((waits ? why == nullptr : says(why, "may still draw it")));
        }
    }
}

TEST_CASE("order: accesses across the end of a page count in both pages") {
    constexpr uint64_t kPageEnd = 0x5000;
    const auto second_store = [](uint64_t first, uint64_t second) {
        Order order;
        (void)order.begin_job(kFragment);
        order.stored(kFragment, first, 16);
        CHECK(order.take_mistake().why == nullptr);
        (void)order.begin_job(kCompute);
        order.stored(kCompute, second, 16);
        return order.take_mistake().why;
    };
    CHECK(says(second_store(kPageEnd - 8, kPageEnd), "may still do so"));
    CHECK(says(second_store(kPageEnd, kPageEnd - 8), "may still do so"));
    CHECK(second_store(kPageEnd - 8, kPageEnd + 8) == nullptr);
    Order order;
    (void)order.begin_job(kFragment);
    order.stored(kFragment, kPageEnd - 8, 16);
    (void)order.begin_job(kCompute);
    CHECK(says(order.loaded(kCompute, kPageEnd, 4), "may still store to it"));
    CHECK(order.loaded(kCompute, kPageEnd + 8, 4) == nullptr);
}

TEST_CASE("order: compute jobs of one queue, and one job with itself") {
    Order order;
    const uint64_t first = order.begin_job(kCompute);
    CHECK(order.read(kCompute, kImage, 64) == nullptr);
    order.stored(kCompute, kImage, 64);  // over the memory that it reads itself
    order.stored(kCompute, kImage, 16);
    CHECK(order.take_mistake().why == nullptr);
    (void)order.begin_job(kCompute);
    order.stored(kCompute, kImage + 64, 16);
    CHECK(order.take_mistake().why == nullptr);
    order.stored(kCompute, kImage + 48, 16);
    const Order::Mistake mistake = order.take_mistake();
    CHECK(says(mistake.why, "may still"));
    CHECK(mistake.va == kImage + 48);
    CHECK(order.take_mistake().why == nullptr);
    Order waited;
    (void)waited.begin_job(kCompute);
    waited.stored(kCompute, kImage, 64);
    waited.finish_jobs(kCompute, first);
    (void)waited.begin_job(kCompute);
    waited.stored(kCompute, kImage, 64);
    CHECK(waited.take_mistake().why == nullptr);
}

TEST_CASE("order: a job that has stored to a page notices what other jobs do there since") {
    constexpr uint64_t kFar = kImage + 0x800;  // in the same page
    const auto store = [](Order& order, uint64_t va) {
        order.stored(kCompute, va, 16);
        return order.take_mistake().why;
    };
    struct Case {
        const char* text;  // of the mistake
        void (*other)(Order&);
    };
    constexpr Case kCases[] = {
        {"may still load it", [](Order& o) { CHECK(o.loaded(kFragment, kFar, 16) == nullptr); }},
        {"may still do so", [](Order& o) { o.stored(kFragment, kFar, 16); }},
        {"may still read it", [](Order& o) { CHECK(o.read(kFragment, kFar, 16) == nullptr); }},
        {"may still read it", [](Order& o) { (void)o.read(kFragment, kFar - 0x2000, 0x2010); }},
        {"may still draw it", [](Order& o) { o.drew(kFragment, kFar, o.job(kFragment)); }},
    };
    for (const Case& c : kCases) {
        CAPTURE(c.text);
        Order order;
        (void)order.begin_job(kCompute);
        (void)order.begin_job(kFragment);
        // Not at the place that the fragment job accesses.
        CHECK(store(order, kImage) == nullptr);
        CHECK(store(order, kImage + 16) == nullptr);
        c.other(order);
        CHECK(order.take_mistake().why == nullptr);
        CHECK(says(store(order, kFar), c.text));
        CHECK(says(store(order, kFar), c.text));
        CHECK(store(order, kFar + 16) == nullptr);
        CHECK(store(order, kFar + 0x1000) == nullptr);
        follow(order, kCompute, kFragment, 1, false);
        CHECK(store(order, kFar) == nullptr);
        // The queue's next job has not waited for this one.
        const uint64_t job = order.job(kCompute);
        (void)order.begin_job(kCompute);
        CHECK(says(store(order, kFar), "may still do so"));
        order.finish_jobs(kCompute, job);
        CHECK(store(order, kFar) == nullptr);
    }
}

TEST_CASE("order: several threads of a job store") {
    constexpr unsigned kThreads = 2, kStores = 40000;
    constexpr uint64_t kPages = 2048, kLoaded = kImage + 0x1ff0;
    Order order;
    (void)order.begin_job(kFragment);
    CHECK(order.loaded(kFragment, kLoaded, 16) == nullptr);
    (void)order.begin_job(kCompute);
    for (const bool all : {false, true}) {
        std::vector<std::thread> threads;
        for (unsigned t = 0; t < kThreads; ++t)
            threads.emplace_back([&order, all] {
                for (unsigned n = 0; n < kStores; ++n)
                    order.stored(kCompute, kImage + n % kPages * 0x1000 + n / kPages * 16, 16);
                if (all) order.stored(kCompute, kLoaded, 16);
            });
        for (std::thread& t : threads)
            t.join();
        const Order::Mistake mistake = order.take_mistake();
        CHECK((mistake.why != nullptr) == all);
        CHECK(mistake.va == (all ? kLoaded : 0));
    }
    for (uint64_t page = 0; page < kPages; ++page)
        REQUIRE(says(order.loaded(kFragment, kImage + page * 0x1000, 16), "was not waited for"));
}

TEST_CASE("order: stores to the last page of the address space do not hang") {
    Order order;
    (void)order.begin_job(kCompute);
    order.stored(kCompute, ~uint64_t(0) - 31, 16);
    order.stored(kCompute, ~uint64_t(0) - 15, 16);  // its end is 0
    CHECK(order.take_mistake().why == nullptr);
}

TEST_CASE("order: fragment jobs may use computed memory after a wait") {
    Order order;
    (void)order.begin_job(kCompute);
    order.stored(kCompute, kImage, 64);
    (void)order.begin_job(kFragment);
    CHECK(says(order.read(kFragment, kImage, kImage_B), "was not waited for"));
    CHECK(says(order.busy(kFragment, kImage), "a job may still store to it"));
    follow(order, kFragment, kCompute, 1, false);
    CHECK(says(order.read(kFragment, kImage, kImage_B), "without a FLUSH_CACHE2"));
    CHECK(order.busy(kFragment, kImage + 64) == nullptr);
    follow(order, kFragment, kCompute, 2, true);
    CHECK(order.read(kFragment, kImage, kImage_B) == nullptr);
    order.finish_jobs(kFragment, order.job(kFragment));
    CHECK(order.busy(kFragment, kImage) == nullptr);
}

TEST_CASE(
    "order: shaders load what a job stored after a wait and a flush, and are waited for before stores") {
    Order order;
    (void)order.begin_job(kCompute);
    order.stored(kCompute, kImage, 64);
    CHECK(order.loaded(kCompute, kImage, 4) == nullptr);  // its own
    (void)order.begin_job(kFragment);
    CHECK(order.loaded(kFragment, kImage + 64, 4) == nullptr);
    CHECK(says(order.loaded(kFragment, kImage + 60, 4), "was not waited for"));
    follow(order, kFragment, kCompute, 1, false);
    CHECK(says(order.loaded(kFragment, kImage + 60, 4), "without a FLUSH_CACHE2"));
    follow(order, kFragment, kCompute, 2, true);
    CHECK(order.loaded(kFragment, kImage + 60, 4) == nullptr);
    (void)order.begin_job(kCompute);
    order.finish_jobs(kCompute, order.job(kCompute));
    order.stored(kCompute, kImage + 60, 4);
    CHECK(says(order.take_mistake().why, "may still load it"));
    follow(order, kCompute, kFragment, 3, false);
    order.stored(kCompute, kImage + 60, 4);
    CHECK(order.take_mistake().why == nullptr);
}

TEST_CASE("order: a front end loads computed memory after a wait, and its own queue's, too") {
    for (const unsigned queue : {kFragment, kCompute}) {
        CAPTURE(queue);
        Order order;
        CHECK(order.load(queue, kImage, 16) == nullptr);
        const uint64_t job = order.begin_job(kCompute);
        order.stored(kCompute, kImage + 12, 4);
        CHECK(says(order.load(queue, kImage, 16), "was not waited for"));
        CHECK(order.load(queue, kImage, 12) == nullptr);
        CHECK(order.load(queue, kImage + 16, 4) == nullptr);
        if (queue == kCompute)
            order.finish_jobs(queue, job);
        else
            follow(order, queue, kCompute, 1, false);
        CHECK(says(order.load(queue, kImage, 16), "without a FLUSH_CACHE2"));
        order.flush(queue, job, true, true);
        CHECK(order.load(queue, kImage, 16) == nullptr);
    }
}

TEST_CASE("order: a queue that waits for another also knows the jobs that this one has waited for") {
    Order order;
    const uint64_t job = order.begin_job(kFragment);
    CHECK(order.done(kFragment, kFragment) == 0);
    follow(order, kCompute, kFragment, 1, false);
    CHECK(order.done(kFragment, kFragment) == 0);
    order.signal(kCompute, 0, kSync + 8, 1);
    order.wait(kFragment, kSync + 8, 1, 1);
    CHECK(order.done(kFragment, kFragment) == job);
}

TEST_CASE("order: the host knows the jobs that announced streams know") {
    Order order;
    order.begin_stream(kCompute, false);
    order.wrote(kCompute, order.begin_job(kCompute));
    order.finish_jobs(kCompute, order.job(kCompute));
    order.end_stream(kCompute, false);
    CHECK_FALSE(order.all_announced());
    order.begin_stream(kFragment, false);
    order.end_stream(kFragment, true);
    CHECK_FALSE(order.all_announced());
    follow(order, kFragment, kCompute, 1, true);
    order.end_stream(kFragment, true);
    CHECK(order.all_announced());
}
