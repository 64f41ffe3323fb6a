// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Timelines and uses with msm's submitqueues: what is done, what waits, and what a faulty submit loses.
#include "drivers/common/memory/timeline.h"

#include <poll.h>
#include <unistd.h>

#include <vector>

#include "drivers/common/memory/fence.h"
#include "tests/common/memory/msm_queue.h"

using namespace terrazzo;
using namespace terrazzo::memory;
using namespace terrazzo::test;

TEST_CASE("timeline: points are reached in order, and reached points are remembered") {
    MsmScene s;
    MsmQueue q(*s.device);
    for (uint64_t n = 1; n <= 3; n++)
        CHECK(q.submit({{Op::Store, s.data->va, n}}) == n);
    CHECK(q.timeline->wait(3, UINT64_MAX) == WaitResult::Done);
    CHECK(q.timeline->reached() == 3);
    CHECK(s.word(0) == 3);
    const unsigned calls = s.control.calls;
    CHECK(q.timeline->done(2));
    CHECK(s.control.calls == calls);
    CHECK(q.timeline->queue_state() == QueueState::Usable);
}

TEST_CASE("timeline: a submit waits for another queue's point, which the uses return") {
    MsmScene s;
    MsmQueue a(*s.device), b(*s.device);
    const uint64_t first = a.submit({s.gate(0), {Op::Store, s.data->va + 8, 5}});
    Uses uses;
    uses.note(a.timeline, first, true);
    std::vector<Point> waits;
    uses.collect(*a.timeline, true, &waits);
    CHECK(waits.empty());  // the same queue needs no wait
    uses.collect(*b.timeline, false, &waits);
    REQUIRE(waits.size() == 1);
    const uint64_t second = b.submit({{Op::Store, s.data->va + 8, 6}}, waits);
    CHECK(b.timeline->wait(second, 20'000'000) == WaitResult::Timeout);
    CHECK(uses.busy(false));
    s.open_gate(0);
    CHECK(uses.wait(true, UINT64_MAX) == WaitResult::Done);
    CHECK(!uses.busy(true));
    CHECK(b.timeline->wait(second, UINT64_MAX) == WaitResult::Done);
    CHECK(s.word(1) == 6);
}

TEST_CASE("uses: readers do not wait for readers") {
    MsmScene s;
    MsmQueue q(*s.device);
    const uint64_t point = q.submit({s.gate(0)});
    Uses uses;
    uses.note(q.timeline, point, false);
    CHECK(!uses.busy(false));
    CHECK(uses.busy(true));
    s.open_gate(0);
    CHECK(uses.wait(true, UINT64_MAX) == WaitResult::Done);
}

TEST_CASE("timeline: a faulty submit loses its queue's later points, and a new queue works") {
    MsmScene s;
    MsmQueue q(*s.device);
    const uint64_t good = q.submit({{Op::Store, s.data->va, 1}});
    CHECK(q.timeline->wait(good, UINT64_MAX) == WaitResult::Done);
    const uint64_t bad = q.submit({{Op::Fault, 0, 0}});
    CHECK(q.timeline->wait(bad, UINT64_MAX) == WaitResult::Lost);
    CHECK(q.timeline->wait(bad, 0) == WaitResult::Lost);
    CHECK(q.timeline->wait(good, 0) == WaitResult::Done);
    CHECK(q.timeline->queue_state() == QueueState::Guilty);
    q.timeline->detach();
    CHECK(q.timeline->queue_state() == QueueState::Guilty);
    q.open();
    CHECK(q.timeline->queue_state() == QueueState::Usable);
    CHECK(q.timeline->wait(bad, 0) == WaitResult::Lost);
}

TEST_CASE("timeline: queue 0 is an ordinary queue; without a queue there is no query") {
    MsmScene s;
    const auto timeline = Timeline::create(*s.device);
    REQUIRE(timeline);
    const unsigned calls = s.control.calls;
    CHECK(timeline->queue_state() == QueueState::Usable);
    CHECK(s.control.calls == calls);
    REQUIRE(timeline->attach(0, 0));
    CHECK(timeline->queue_state() == QueueState::Usable);  // msm's first submitqueue
    CHECK(s.control.calls == calls + 1);
    timeline->detach();
    REQUIRE(timeline->attach(77, 0));
    CHECK(timeline->queue_state() == QueueState::Guilty);  // there is no such queue
}

TEST_CASE("timeline: sync files outlive device and queue") {
    int fd;
    {
        MsmScene s;
        MsmQueue q(*s.device);
        fd = q.timeline->export_sync_file(q.submit({{Op::Nop, 0, 0}}));
        CHECK(q.timeline->export_sync_file(99) == -1);
    }
    REQUIRE(fd >= 0);
    pollfd p{fd, POLLIN, 0};
    CHECK(poll(&p, 1, 5000) == 1);
    close(fd);
}

TEST_CASE("timeline: when the device is gone, waits end as lost") {
    MsmScene s;
    MsmQueue q(*s.device);
    const uint64_t point = q.submit({{Op::Nop, 0, 0}});
    CHECK(q.timeline->wait(point, UINT64_MAX) == WaitResult::Done);
    s.control.gone = true;
    CHECK(q.timeline->wait(point, UINT64_MAX) == WaitResult::Done);
    CHECK(q.timeline->wait(point + 1, UINT64_MAX) == WaitResult::Lost);
    CHECK(!Timeline::create(*s.device));
}

TEST_CASE("fence: waits for its point; lost work and no work count as done") {
    MsmScene s;
    MsmQueue q(*s.device);
    const auto fence_of = [](const Point& p) { return pipe::Ref<pipe::Fence>::adopt(new Fence(p)); };
    const auto nothing = fence_of({q.timeline, 0});
    CHECK(nothing->wait(0));
    // A sync file that is already signalled.
    const int file = nothing->export_fd();
    REQUIRE(file >= 0);
    pollfd signalled{file, POLLIN, 0};
    CHECK(poll(&signalled, 1, 0) == 1);
    close(file);
    const auto work = fence_of({q.timeline, q.submit({s.gate(0)})});
    CHECK(!work->wait(0));
    s.open_gate(0);
    CHECK(work->wait(pipe::Fence::kForever));
    const auto lost = fence_of({q.timeline, q.submit({{Op::Fault, 0, 0}})});
    CHECK(lost->wait(pipe::Fence::kForever));
    CHECK(q.timeline->queue_state() == QueueState::Guilty);
}

TEST_CASE("fence: a sync file is imported; other files are refused") {
    MsmScene s;
    MsmQueue q(*s.device);
    const uint64_t point = q.submit({s.gate(0)});
    REQUIRE(point);
    const int file = q.timeline->export_sync_file(point);
    REQUIRE(file >= 0);
    const auto fence = import_fence(*s.device, file);
    close(file);
    REQUIRE(fence);
    CHECK(!fence->wait(0));
    s.open_gate(0);
    CHECK(fence->wait(pipe::Fence::kForever));
    const int again = fence->export_fd();
    CHECK(again >= 0);
    close(again);
    CHECK(!import_fence(*s.device, -1));
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    CHECK(!import_fence(*s.device, ends[1]));
    close(ends[0]);
    close(ends[1]);
}
