// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Two devices, each with its own kernel as if they were in two processes, and memory that they share.
#include "drivers/common/memory/implicit_fences.h"

#include <unistd.h>

#include <cerrno>

#include "drivers/common/submission/recording.h"
#include "tests/common/memory/msm_queue.h"

using namespace terrazzo;
using namespace terrazzo::memory;
using namespace terrazzo::test;

namespace {

/// Like a vendor's recorder.
struct Recorder final : submission::Recording {
    using Recording::Recording;
    /// Submits `work`, which uses the recorded objects.
    void submit(MsmQueue& queue, std::initializer_list<Instr> work) {
        const submission::Needs needs = begin_submission(*queue.timeline);
        end_submission(queue.timeline, queue.submit(work, needs.waits));
    }
};

struct Two {
    MsmScene a, b;
    MsmQueue queue_a{*a.device}, queue_b{*b.device};
    Recorder recorder_a{a.device}, recorder_b{b.device};
    pipe::Ref<Bo> in_a = a.device->create_bo(4096, bo_flag::kShareable), in_b;
    Two() {
        REQUIRE(in_a);
        CHECK(!in_a->shared());
        const int fd = a.device->export_bo(*in_a);
        REQUIRE(fd >= 0);
        in_b = b.device->import_bo(fd);
        close(fd);
        REQUIRE(in_b);
        CHECK((in_a->shared() && in_b->shared()));
    }
    ~Two() {
        a.open_gate(0);
        b.open_gate(0);
        (void)queue_a.timeline->wait(queue_a.point, UINT64_MAX);
        (void)queue_b.timeline->wait(queue_b.point, UINT64_MAX);
    }
};

constexpr uint64_t kSoon_ns = 20'000'000, kLong_ns = 20'000'000'000;

}  // namespace

TEST_CASE("implicit fences: a reader waits for another process' writer, on the GPU and on the CPU") {
    Two t;
    t.recorder_a.use(t.in_a, true);
    t.recorder_a.submit(t.queue_a, {t.a.gate(0), {Op::Store, t.in_a->va, 7}});
    CHECK(t.in_b->busy(false));
    CHECK(t.in_b->wait(false, kSoon_ns) == WaitResult::Timeout);
    t.recorder_b.use(t.in_b, false);
    t.recorder_b.submit(t.queue_b, {{Op::WaitGe, t.in_b->va, 7}, {Op::Store, t.b.data->va + 8, 1}});
    CHECK(t.queue_b.timeline->wait(1, kSoon_ns) == WaitResult::Timeout);
    t.a.open_gate(0);
    CHECK(t.queue_b.timeline->wait(1, kLong_ns) == WaitResult::Done);
    CHECK(t.in_b->wait(false, kLong_ns) == WaitResult::Done);
    CHECK(t.b.word(1) == 1);
}

TEST_CASE("implicit fences: a writer waits for readers, readers do not wait for readers") {
    Two t;
    t.recorder_b.use(t.in_b, false);
    t.recorder_b.submit(t.queue_b, {t.b.gate(0)});
    CHECK(!t.in_a->busy(false));
    CHECK(t.in_a->busy(true));
    t.recorder_a.use(t.in_a, false);
    t.recorder_a.submit(t.queue_a, {{Op::Store, t.a.data->va + 8, 1}});
    CHECK(t.queue_a.timeline->wait(1, kLong_ns) == WaitResult::Done);
    t.recorder_a.use(t.in_a, true);
    t.recorder_a.submit(t.queue_a, {{Op::Store, t.in_a->va, 2}});
    CHECK(t.queue_a.timeline->wait(2, kSoon_ns) == WaitResult::Timeout);
    t.b.open_gate(0);
    CHECK(t.queue_a.timeline->wait(2, kLong_ns) == WaitResult::Done);
}

TEST_CASE("implicit fences: work that does not use the shared memory is not synchronized") {
    Two t;
    t.recorder_a.use(t.a.data, true);
    t.recorder_a.submit(t.queue_a, {t.a.gate(0)});
    CHECK(!t.in_b->busy(true));
    t.recorder_b.use(t.in_b, true);
    t.recorder_b.submit(t.queue_b, {{Op::Store, t.in_b->va, 1}});
    CHECK(t.queue_b.timeline->wait(1, kLong_ns) == WaitResult::Done);
}

TEST_CASE("implicit fences: memory is shared after work without fences on it has ended") {
    MsmScene s;
    MsmQueue queue(*s.device);
    Recorder recorder(s.device);
    const auto bo = s.device->create_bo(4096, bo_flag::kShareable);
    recorder.use(bo, true);
    recorder.submit(queue, {{Op::Sleep, 20, 0}, {Op::Store, bo->va, 3}});
    const int fd = s.device->export_bo(*bo);
    CHECK(queue.timeline->reached() == 1);
    close(fd);
}

TEST_CASE("implicit fences: without kernel support the CPU waits, and others find only finished work") {
    Two t;
    t.a.control.dma_buf_error = -ENOTTY;
    t.recorder_a.use(t.in_a, true);
    t.recorder_a.submit(t.queue_a, {{Op::Sleep, 20, 0}, {Op::Store, t.in_a->va, 9}});
    CHECK(t.queue_a.timeline->reached() == 1);
    CHECK(t.in_a->wait(true, 0) == WaitResult::Done);
}
