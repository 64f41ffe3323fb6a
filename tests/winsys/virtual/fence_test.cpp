// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/fences/fence.h"

#include <doctest/doctest.h>

#include <unistd.h>

#include <cerrno>
#include <vector>

#include "winsys/clock.h"
#include "winsys/drm/sync_file.h"
#include "winsys/uapi/drm.h"
#include "winsys/virtual/fences/pollable.h"
#include "winsys/virtual/fences/sync_wait.h"
#include "winsys/virtual/fences/syncobj.h"

using namespace terrazzo;
using namespace terrazzo::winsys;
using namespace terrazzo::winsys::virt;

TEST_CASE("a fence signals once, with its first error") {
    SyncDomain domain;
    const std::lock_guard lock(domain.mutex);
    Fence fence(domain);
    std::vector<int> calls;
    fence.on_signal([&](int error) { calls.push_back(error); });
    CHECK_FALSE(fence.signaled());
    fence.signal(-EINVAL);
    fence.signal(-ETIME);
    CHECK(fence.signaled());
    CHECK(fence.error() == -EINVAL);
    CHECK(fence.timestamp_ns() > 0);
    fence.on_signal([&](int error) { calls.push_back(error + 1); });
    CHECK(calls == std::vector<int>{-EINVAL, -EINVAL + 1});
}

TEST_CASE("callbacks do not nest") {
    SyncDomain domain;
    const std::lock_guard lock(domain.mutex);
    auto a = std::make_shared<Fence>(domain), b = std::make_shared<Fence>(domain);
    std::vector<int> order;
    a->on_signal([&](int) {
        b->signal(0);
        order.push_back(1);
    });
    b->on_signal([&](int) { order.push_back(2); });
    a->signal(0);
    CHECK(order == std::vector<int>{1, 2});
}

TEST_CASE("a fence of several signals with the last and keeps the first error") {
    SyncDomain domain;
    const std::lock_guard lock(domain.mutex);
    auto a = std::make_shared<Fence>(domain), b = std::make_shared<Fence>(domain);
    const auto all = Fence::all_of(domain, {a, b});
    b->signal(-ECANCELED);
    CHECK_FALSE(all->signaled());
    a->signal(0);
    CHECK(all->signaled());
    CHECK(all->error() == -ECANCELED);
    CHECK(Fence::all_of(domain, {})->signaled());
}

TEST_CASE("a point signals after all before it") {
    SyncDomain domain;
    const std::lock_guard lock(domain.mutex);
    Syncobj timeline(domain);
    auto one = std::make_shared<Fence>(domain), two = std::make_shared<Fence>(domain),
         five = std::make_shared<Fence>(domain);
    timeline.add_point(one, 1);
    timeline.add_point(two, 2);
    timeline.add_point(five, 5);
    std::shared_ptr<Fence> at1, at2, at3, at6;
    REQUIRE(timeline.find(1, &at1) == 0);
    REQUIRE(timeline.find(2, &at2) == 0);
    REQUIRE(timeline.find(3, &at3) == 0);  // 5's
    CHECK(timeline.find(6, &at6) == -EINVAL);
    CHECK(at3 == timeline.fence());
    CHECK(timeline.query(false) == 0);
    CHECK(timeline.query(true) == 5);
    two->signal(0);
    CHECK_FALSE(at2->signaled());
    one->signal(0);
    CHECK(at1->signaled());
    CHECK(at2->signaled());
    CHECK_FALSE(at3->signaled());
    CHECK(timeline.query(false) == 2);
    five->signal(0);
    CHECK(at3->signaled());
    CHECK(timeline.query(false) == 5);
    REQUIRE(timeline.find(1, &at1) == 0);
    CHECK(at1->signaled());
}

TEST_CASE("a point has no error; its parts have, until they are forgotten") {
    SyncDomain domain;
    const std::lock_guard lock(domain.mutex);
    Syncobj s(domain);
    std::shared_ptr<Fence> work[3], first;
    for (uint64_t n = 0; n < 2; n++)
        s.add_point(work[n] = std::make_shared<Fence>(domain), n + 1);
    REQUIRE(s.find(1, &first) == 0);
    CHECK(parts_of(first) == std::list{work[0]});
    CHECK(parts_of(s.fence()) == std::list{work[1], work[0]});
    work[0]->signal(-EIO);
    work[1]->signal(0);
    CHECK(s.fence()->error() == 0);
    CHECK(first->error() == 0);
    CHECK(parts_of(s.fence()) == std::list{work[1]});
    CHECK(parts_of(first).front()->error() == -EIO);
    // A later request for the earlier point finds a fence without an error.
    REQUIRE(s.find(1, &first) == 0);
    CHECK(parts_of(first).front()->error() == 0);
    CHECK(parts_of(work[0]) == std::list{work[0]});
}

TEST_CASE("points out of order start a new timeline, after the old one") {
    SyncDomain domain;
    const std::lock_guard lock(domain.mutex);
    Syncobj timeline(domain);
    auto a = std::make_shared<Fence>(domain);
    timeline.add_point(a, 8);
    timeline.add_point(Fence::done(domain), 3);
    CHECK(timeline.query(true) == 8);  // never lower than before
    CHECK(timeline.query(false) == 0);
    a->signal(0);
    CHECK(timeline.query(false) == 8);
}

TEST_CASE("a binary syncobj has only point 0") {
    SyncDomain domain;
    const std::lock_guard lock(domain.mutex);
    Syncobj binary(domain);
    std::shared_ptr<Fence> fence;
    CHECK(binary.find(0, &fence) == -EINVAL);
    binary.replace(Fence::done(domain));
    CHECK(binary.find(0, &fence) == 0);
    CHECK(fence->signaled());
    CHECK(binary.find(1, &fence) == -EINVAL);
    CHECK(binary.query(true) == 0);
    binary.replace(nullptr);
    CHECK(binary.find(0, &fence) == -EINVAL);
}

TEST_CASE("a timeline of a hundred thousand points signals and ends without deep recursion") {
    SyncDomain domain;
    const std::lock_guard lock(domain.mutex);
    auto first = std::make_shared<Fence>(domain);
    for (const bool signals : {true, false}) {
        Syncobj timeline(domain);
        auto gate = std::make_shared<Fence>(domain);
        timeline.add_point(gate, 1);
        for (uint64_t point = 2; point <= 100'000; point++)
            timeline.add_point(std::make_shared<Fence>(domain), point);
        if (signals) {
            Syncobj done(domain);
            done.add_point(first, 1);
            for (uint64_t point = 2; point <= 100'000; point++)
                done.add_point(Fence::done(domain), point);
            first->signal(0);
            CHECK(done.query(false) == 100'000);
        }
        CHECK(timeline.query(false) == 0);
    }
}

TEST_CASE("another process' sync file reports whether it is signalled") {
    SyncDomain domain;
    ForeignFences foreign(domain);
    Pollables pollables(domain, foreign);
    const auto fence = std::make_shared<Fence>(domain);
    const int fd = [&] {
        const std::lock_guard lock(domain.mutex);
        return pollables.create(fence);
    }();
    REQUIRE(fd >= 0);
    CHECK(is_virtual_sync_file(fd));
    uapi::sync_fence_info one{};
    uapi::sync_file_info info{};
    info.num_fences = 1;
    info.sync_fence_info = reinterpret_cast<uintptr_t>(&one);
    CHECK(foreign_sync_file_info(fd, &info) == 0);
    CHECK(info.num_fences == 1);
    CHECK(info.status == 0);
    CHECK(one.status == 0);
    {
        const std::lock_guard lock(domain.mutex);
        fence->signal(0);
    }
    CHECK(foreign_sync_file_info(fd, &info) == 0);
    CHECK(info.status == 1);
    CHECK(one.status == 1);
    info.flags = 1;
    CHECK(foreign_sync_file_info(fd, &info) == -EINVAL);
    close(fd);
}

TEST_CASE("a sync file that never signals is waited for up to the limit of work") {
    constexpr uint64_t kLimit_ns = 20'000'000;
    SyncDomain others;
    SyncDomain domain;
    ForeignFences foreign(domain);
    foreign.limit_waits(kLimit_ns);
    ForeignFences none(others);
    Pollables pollables(others, none);
    const int fd = [&] {
        const std::lock_guard lock(others.mutex);
        return pollables.create(std::make_shared<Fence>(others));
    }();
    REQUIRE(fd >= 0);
    const uint64_t begin_ns = monotonic_ns();
    std::shared_ptr<Fence> fence;
    {
        const std::lock_guard lock(domain.mutex);
        fence = foreign.of_sync_file(fd);
        REQUIRE(fence);
        CHECK(wait_fences(domain, {fence}, int64_t(begin_ns + kDrawLimit_ns)) == 0);
    }
    CHECK(monotonic_ns() - begin_ns >= kLimit_ns);
    CHECK(monotonic_ns() - begin_ns < kDrawLimit_ns);
    close(fd);
}

TEST_CASE("fences that wait for a sync file that never signals are freed in the end") {
    SyncDomain others;
    SyncDomain domain;
    ForeignFences foreign(domain);
    ForeignFences none(others);
    Pollables pollables(others, none);
    const auto pending = std::make_shared<Fence>(others);
    const int fd = [&] {
        const std::lock_guard lock(others.mutex);
        return pollables.create(pending);
    }();
    REQUIRE(fd >= 0);
    std::weak_ptr<Fence> part;
    {
        const std::lock_guard lock(domain.mutex);
        const std::shared_ptr<Fence> fence = foreign.of_sync_file(fd);
        REQUIRE(fence);
        part = fence;
        // It references its parts, and they reference it.
        const std::shared_ptr<Fence> whole = Fence::all_of(domain, {fence, Fence::done(domain)});
        CHECK(!whole->signaled());
    }
    foreign.stop();
    CHECK(part.expired());
    {
        const std::lock_guard lock(others.mutex);
        pending->signal(0);
    }
    close(fd);
}
