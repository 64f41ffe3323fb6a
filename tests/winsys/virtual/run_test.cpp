// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Streams on a GPU: order, waits, faults, priorities, heaps, and their ends.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/winsys/virtual/kernel.h"
#include "winsys/clock.h"

using namespace terrazzo::test;
using terrazzo::winsys::clock_ns;
using terrazzo::winsys::monotonic_ns;
using terrazzo::winsys::virt::RunClock;
using terrazzo::winsys::virt::SchedulerOptions;

namespace {

constexpr uint64_t kCode = 0x10000, kData = 0x80000;

/// A kernel with a VM, mapped code and data, and one group.
struct Machine : Kernel {
    explicit Machine(uint32_t queues = 1, SchedulerOptions options = {}) : Kernel(true, options) {
        vm_id = vm();
        code_bo = bo(65536);
        data_bo = bo(4096);
        code = map<Instr>(code_bo, 65536);
        data = map<uint64_t>(data_bo, 4096);
        bind(vm_id, code_bo, kCode, 65536);
        bind(vm_id, data_bo, kData, 4096, kVmBindOpNoExec);
        group_id = group(vm_id, queues);
        next_B = 0;
    }
    ~Machine() {
        file.reset();
        munmap(code, 65536);
        munmap(data, 4096);
    }
    /// Writes a stream and submits it.
    int run(const std::vector<Instr>& stream, uint32_t queue = 0,
            const std::vector<drm_panthor_sync_op>& syncs = {}, uint32_t group = 0) {
        const uint64_t at_B = next_B;
        memcpy(reinterpret_cast<uint8_t*>(code) + at_B, stream.data(), stream.size() * sizeof(Instr));
        next_B = (next_B + stream.size() * sizeof(Instr) + 63) & ~uint64_t{63};
        return submit_error(group ? group : group_id, queue, kCode + at_B,
                            static_cast<uint32_t>(stream.size() * sizeof(Instr)), syncs);
    }
    /// The value that the GPU wrote.
    uint64_t at(uint32_t index) const { return __atomic_load_n(&data[index], __ATOMIC_ACQUIRE); }
    static uint64_t va(uint32_t index) { return kData + index * uint64_t{8}; }

    uint32_t vm_id, code_bo, data_bo, group_id;
    Instr* code;
    uint64_t* data;
    uint64_t next_B;
};

}  // namespace

TEST_CASE("a stream runs and its fence signals") {
    Machine m;
    const uint32_t done = m.syncobj();
    REQUIRE(m.run({{Op::Store, Machine::va(3), 0x77}}, 0, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(m.wait(done) == 0);
    CHECK(m.at(3) == 0x77);
    CHECK(m.status(done) == 1);
    CHECK(m.state(m.group_id).state == 0);
    CHECK(m.reports.empty());
}

TEST_CASE("a stream waits for a timeline's point though the timeline is destroyed") {
    Machine m(2);
    const uint32_t gate = m.syncobj(), later = m.syncobj(), done = m.syncobj();
    REQUIRE(m.run({{Op::WaitGe, Machine::va(0), 1}}, 0, {{kSyncOpSignal, gate, 0}}) == 0);
    drm_syncobj_transfer transfer{gate, later, 0, 1, 0, 0};
    REQUIRE(m.ioctl(kIoctlSyncobjTransfer, &transfer) == 0);
    REQUIRE(m.run({{Op::Store, Machine::va(1), 5}}, 1,
                  {{kSyncOpWait | kSyncOpTimeline, later, 1}, {kSyncOpSignal, done, 0}}) == 0);
    drm_syncobj_destroy destroy{later, 0};
    REQUIRE(m.ioctl(kIoctlSyncobjDestroy, &destroy) == 0);
    CHECK(m.wait(done, 20) == -ETIME);
    __atomic_store_n(&m.data[0], 1, __ATOMIC_RELEASE);
    CHECK(m.wait(done) == 0);
    CHECK(m.at(1) == 5);
}

TEST_CASE("streams of a queue run in order, after their waits") {
    Machine m(2);
    const uint32_t gate = m.syncobj(), done = m.syncobj();
    REQUIRE(m.run({{Op::WaitGe, Machine::va(0), 1}, {Op::Log, 1, 0}}, 0, {{kSyncOpSignal, gate, 0}}) == 0);
    REQUIRE(m.run({{Op::Log, 2, 0}}, 1, {{kSyncOpWait, gate, 0}}) == 0);
    REQUIRE(m.run({{Op::Log, 3, 0}}, 1, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(m.wait(done, 10) == -ETIME);
    m.data[0] = 1;
    CHECK(m.wait(done) == 0);
    CHECK(m.log.get() == std::vector<uint64_t>{1, 2, 3});
}

TEST_CASE("a blocked queue continues when another queue has written the value") {
    Machine m(2);
    const uint32_t done = m.syncobj();
    REQUIRE(m.run({{Op::Log, 1, 0}, {Op::WaitGe, Machine::va(0), 5}, {Op::Log, 4, 0}}, 0,
                  {{kSyncOpSignal, done, 0}}) == 0);
    REQUIRE(m.run({{Op::Sleep, 5, 0}, {Op::Log, 2, 0}, {Op::Store, Machine::va(0), 5}, {Op::Log, 3, 0}}, 1) ==
            0);
    CHECK(m.wait(done) == 0);
    CHECK(m.log.get() == std::vector<uint64_t>{1, 2, 3, 4});
}

TEST_CASE("an empty stream waits for those before it") {
    Machine m;
    const uint32_t done = m.syncobj(), t = m.syncobj();
    REQUIRE(m.run({{Op::WaitGe, Machine::va(0), 1}, {Op::Store, Machine::va(1), 9}}) == 0);
    REQUIRE(m.submit_error(m.group_id, 0, 0, 0,
                           {{kSyncOpSignal, done, 0}, {kSyncOpSignal | kSyncOpTimeline, t, 4}}) == 0);
    CHECK(m.wait(done, 10) == -ETIME);
    m.data[0] = 1;
    CHECK(m.wait(done) == 0);
    CHECK(m.at(1) == 9);
    CHECK(m.wait(t) == 0);
}

TEST_CASE("binds wait in order, and streams for binds") {
    Machine m;
    const uint32_t gate = m.syncobj(), bound = m.syncobj(), done = m.syncobj(), more = m.bo(4096);
    REQUIRE(m.run({{Op::WaitGe, Machine::va(0), 1}}, 0, {{kSyncOpSignal, gate, 0}}) == 0);
    std::vector<drm_panthor_sync_op> first = {{kSyncOpWait, gate, 0}}, second = {{kSyncOpSignal, bound, 0}};
    drm_panthor_vm_bind_op ops[] = {{0, more, 0, 0x200000, 4096, array_of(first)},
                                    {0, more, 0, 0x300000, 4096, array_of(second)}};
    drm_panthor_vm_bind args{m.vm_id, kVmBindAsync, {sizeof ops[0], 2, reinterpret_cast<uintptr_t>(ops)}};
    REQUIRE(m.ioctl(kPanthorVmBind, &args) == 0);
    CHECK(m.wait(bound, 10) == -ETIME);  // after the first one
    const uint32_t other = m.group(m.vm_id);
    REQUIRE(m.run({{Op::Store, 0x300010, 3}}, 0, {{kSyncOpWait, bound, 0}, {kSyncOpSignal, done, 0}},
                  other) == 0);
    m.data[0] = 1;
    CHECK(m.wait(done) == 0);
    CHECK(m.status(done) == 1);
    auto* memory = m.map<uint64_t>(more, 4096);
    CHECK(memory[2] == 3);
    munmap(memory, 4096);
}

TEST_CASE("a recoverable fault drops the rest of its stream only") {
    Machine m;
    const uint32_t a = m.syncobj(), b = m.syncobj();
    REQUIRE(m.run({{Op::Fault, 0x58, 0}, {Op::Log, 1, 0}}, 0, {{kSyncOpSignal, a, 0}}) == 0);
    REQUIRE(m.run({{Op::Log, 2, 0}}, 0, {{kSyncOpSignal, b, 0}}) == 0);
    CHECK(m.wait(b) == 0);
    CHECK(m.status(a) == -EINVAL);
    CHECK(m.status(b) == 1);
    CHECK(m.log.get() == std::vector<uint64_t>{2});
    CHECK(m.state(m.group_id).state == 0);
    REQUIRE(m.reports.size() == 1);
    CHECK(m.reports[0] ==
          "terrazzo: panthor: group 1 queue 0: fault, exception 0x58 (DATA_INVALID_FAULT): asked for");
}

TEST_CASE("a fatal fault loses only its group") {
    Machine m(2);
    const uint32_t a = m.syncobj(), b = m.syncobj(), c = m.syncobj(), d = m.syncobj();
    const uint32_t other = m.group(m.vm_id);
    REQUIRE(m.run({{Op::WaitGe, Machine::va(0), 1}}, 0, {{kSyncOpSignal, c, 0}}) == 0);
    REQUIRE(m.run({{Op::Count, 0, 0}}, 1, {{kSyncOpSignal, a, 0}}) == 0);
    (void)m.run({{Op::Log, 1, 0}}, 1, {{kSyncOpSignal, b, 0}});  // may come too late
    CHECK(m.wait(a) == 0);
    CHECK(m.status(a) == -EINVAL);
    CHECK(m.wait(c) == 0);
    CHECK(m.status(c) == -ECANCELED);
    CHECK(m.state(m.group_id).state == kGroupStateFatalFault);
    CHECK(m.state(m.group_id).fatal_queues == 2);
    CHECK(m.run({{Op::Log, 1, 0}}) == -EINVAL);
    REQUIRE(m.run({{Op::Log, 7, 0}}, 0, {{kSyncOpSignal, d, 0}}, other) == 0);
    CHECK(m.wait(d) == 0);
    CHECK(m.log.get() == std::vector<uint64_t>{7});
    REQUIRE(m.reports.size() == 1);
    CHECK(m.reports[0] ==
          "terrazzo: panthor: group 1 queue 1: fatal, exception 0x49 (CS_INSTR_INVALID): no such operation");
}

TEST_CASE("an access that the address space refuses loses every queue") {
    Machine m(3);
    const uint32_t done = m.syncobj();
    REQUIRE(m.run({{Op::Store, 0x7000000, 1}}, 1, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(m.wait(done) == 0);
    CHECK(m.state(m.group_id).fatal_queues == 7);
    REQUIRE(m.reports.size() == 1);
    CHECK(m.reports[0] ==
          "terrazzo: panthor: group 1 queue 1: fatal, exception 0xc3 (TRANSLATION_FAULT_3): queue 1, "
          "write to 0x7000000: nothing is mapped there");
}

TEST_CASE("code must be executable, and unbound memory is not accessible") {
    Machine m;
    const uint32_t done = m.syncobj();
    REQUIRE(m.submit_error(m.group_id, 0, kData, 24, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(m.wait(done) == 0);
    REQUIRE(m.reports.size() == 1);
    CHECK(m.reports[0].find("PERM_FAULT_3") != std::string::npos);

    const uint32_t second = m.group(m.vm_id);
    drm_panthor_vm_destroy destroy{m.vm_id, 0};
    REQUIRE(m.ioctl(kPanthorVmDestroy, &destroy) == 0);
    REQUIRE(m.run({{Op::Nop, 0, 0}}, 0, {{kSyncOpSignal, done, 0}}, second) == 0);
    CHECK(m.wait(done) == 0);
    CHECK(m.status(done) == -EINVAL);
    CHECK(m.state(second).state == kGroupStateFatalFault);
}

TEST_CASE("a stream that never ends is killed, and its group timed out") {
    SchedulerOptions options;
    options.run_timeout_ns = 30'000'000;
    Machine m(1, options);
    const uint32_t done = m.syncobj(), next = m.syncobj();
    REQUIRE(m.run({{Op::Spin, 0, 0}}, 0, {{kSyncOpSignal, done, 0}}) == 0);
    REQUIRE(m.run({{Op::Log, 1, 0}}, 0, {{kSyncOpSignal, next, 0}}) == 0);
    CHECK(m.wait(next) == 0);
    CHECK(m.status(done) == -ETIMEDOUT);
    CHECK(m.status(next) == -ETIMEDOUT);
    CHECK(m.state(m.group_id).state == kGroupStateTimedout);
    CHECK(m.state(m.group_id).fatal_queues == 0);
    CHECK(m.log.get().empty());
}

TEST_CASE("a stream that waits forever is killed") {
    SchedulerOptions options;
    options.blocked_timeout_ns = 30'000'000;
    Machine m(1, options);
    const uint32_t done = m.syncobj();
    REQUIRE(m.run({{Op::WaitGe, Machine::va(0), 1}}, 0, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(m.wait(done) == 0);
    CHECK(m.status(done) == -ETIMEDOUT);
    CHECK(m.state(m.group_id).state == kGroupStateTimedout);
}

TEST_CASE("a stream is not killed for time that its process did not get") {
    SchedulerOptions options;
    options.run_timeout_ns = 30'000'000;
    Machine m(1, options);
    const uint32_t done = m.syncobj();
    REQUIRE(m.run({{Op::Doze, 120, 0}, {Op::Log, 1, 0}}, 0, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(m.wait(done) == 0);
    CHECK(m.status(done) == 1);
    CHECK(m.log.get() == std::vector<uint64_t>{1});
}

TEST_CASE("a stream is not killed for time that other threads of its process got") {
    SchedulerOptions options;
    options.run_timeout_ns = 30'000'000;
    Machine m(1, options);
    std::atomic<bool> ends{false};
    std::thread busy([&] {
        while (!ends.load()) {
        }
    });
    const uint32_t done = m.syncobj();
    REQUIRE(m.run({{Op::Doze, 200, 0}, {Op::Log, 1, 0}}, 0, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(m.wait(done) == 0);
    ends = true;
    busy.join();
    CHECK(m.status(done) == 1);
    CHECK(m.log.get() == std::vector<uint64_t>{1});
}

TEST_CASE("a job's time is the sum over its threads") {
    for (const unsigned threads : {1u, 4u}) {
        CAPTURE(threads);
        constexpr uint64_t kLimit_ns = 60'000'000;
        RunClock clock;
        const auto spin = [&] {
            while (!clock.is_over()) {
            }
        };
        const uint64_t cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID), start_ns = monotonic_ns();
        clock.begin(10'000'000, 10'000'000, kLimit_ns);
        std::vector<std::thread> others;
        for (unsigned i = 1; i < threads; ++i)
            others.emplace_back(spin);
        spin();
        const uint64_t took_ns = monotonic_ns() - start_ns;
        for (std::thread& t : others)
            t.join();
        // Not before a thread can have used it, and not much later than when all threads have.
        CHECK(took_ns >= kLimit_ns);
        CHECK(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns < (threads + 1) * 2 * kLimit_ns);
        CHECK(clock.used_ns() >= 10'000'000 + kLimit_ns);
    }
}

TEST_CASE("a job may use its limit for each piece of work, up to four times in total") {
    constexpr uint64_t kLimit_ns = 60'000'000;
    RunClock clock;
    // It continued, and its last piece began after 10 ms.
    clock.begin(50'000'000, 10'000'000, kLimit_ns);
    CHECK(!clock.is_over());
    while (!clock.is_over()) {
    }
    CHECK(clock.used_ns() >= 10'000'000 + kLimit_ns);
    CHECK(clock.progress_ns() == 10'000'000);
    clock.note_progress();
    CHECK(!clock.is_over());
    CHECK(clock.progress_ns() >= 10'000'000 + kLimit_ns);
    // Continuous progress is not accepted forever.
    while (!clock.is_over())
        clock.note_progress();
    CHECK(clock.used_ns() >= 4 * kLimit_ns);
    clock.note_progress();
    CHECK(clock.is_over());
    for (const uint64_t never_ns : {UINT64_MAX, uint64_t{1} << 62}) {  // no overflow
        clock.begin(50'000'000, 10'000'000, never_ns);
        CHECK(!clock.is_over());
        clock.note_progress();
        CHECK(!clock.is_over());
    }
}

TEST_CASE("a stream that makes progress is not killed before four times its limit") {
    SchedulerOptions options;
    options.run_timeout_ns = 60'000'000;
    Machine m(1, options);
    const uint32_t done = m.syncobj(), next = m.syncobj();
    const Instr work{Op::Work, 40, 0};
    REQUIRE(m.run({work, work, work, {Op::Log, 1, 0}}, 0, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(m.wait(done) == 0);
    CHECK(m.status(done) == 1);
    CHECK(m.log.get() == std::vector<uint64_t>{1});
    REQUIRE(m.run({work, work, work, work, work, work, work, {Op::Log, 2, 0}}, 0,
                  {{kSyncOpSignal, next, 0}}) == 0);
    CHECK(m.wait(next) == 0);
    CHECK(m.status(next) == -ETIMEDOUT);
    CHECK(m.log.get() == std::vector<uint64_t>{1});
}

TEST_CASE("a stream waits as long as its group makes progress") {
    SchedulerOptions options;
    options.blocked_timeout_ns = 30'000'000;
    Machine m(1, options);
    auto args = Kernel::group_args(m.vm_id);
    REQUIRE(m.group_error(args, {{2, {}, 4096}, {2, {}, 4096}}) == 0);
    const uint32_t two = m.last_group, done = m.syncobj();
    REQUIRE(m.run({{Op::WaitGe, Machine::va(0), 1}, {Op::Log, 1, 0}}, 1, {{kSyncOpSignal, done, 0}}, two) ==
            0);
    for (int i = 0; i < 8; ++i)
        REQUIRE(m.run({{Op::Sleep, 15, 0}}, 0, {}, two) == 0);
    REQUIRE(m.run({{Op::Store, Machine::va(0), 1}}, 0, {}, two) == 0);
    CHECK(m.wait(done) == 0);
    CHECK(m.status(done) == 1);
    CHECK(m.log.get() == std::vector<uint64_t>{1});
}

TEST_CASE("a stream that does not end does not block other groups") {
    SchedulerOptions options;
    options.spare_wait_ns = 5'000'000;
    Machine m(1, options);
    const uint32_t second = m.group(m.vm_id, 1), third = m.group(m.vm_id, 1);
    const uint32_t done = m.syncobj();
    REQUIRE(m.run({{Op::Doze, 30000, 0}, {Op::Log, 7, 0}}) == 0);
    REQUIRE(m.run({{Op::Doze, 30000, 0}, {Op::Log, 8, 0}}, 0, {}, second) == 0);
    REQUIRE(m.run({{Op::Log, 1, 0}}, 0, {{kSyncOpSignal, done, 0}}, third) == 0);
    CHECK(m.wait(done) == 0);
    CHECK(m.log.get() == std::vector<uint64_t>{1});
}

TEST_CASE("the higher priority goes first, among groups and then among queues") {
    SchedulerOptions options;
    options.spare_wait_ns = UINT64_MAX / 4;  // only one worker
    Machine m(1, options);
    const uint32_t low = m.group(m.vm_id, 1, kGroupPriorityLow), gate = m.syncobj(), done = m.syncobj();
    auto args = Kernel::group_args(m.vm_id);
    REQUIRE(m.group_error(args, {{2, {}, 4096}, {9, {}, 4096}}) == 0);
    const uint32_t two = m.last_group;
    // Everything is submitted while the only worker is busy.
    REQUIRE(m.run({{Op::Log, 0, 0}, {Op::Sleep, 100, 0}}, 0, {{kSyncOpSignal, gate, 0}}) == 0);
    while (m.log.get().empty())
        usleep(1000);
    REQUIRE(m.run({{Op::Log, 3, 0}}, 0, {{kSyncOpSignal, done, 0}}, low) == 0);
    REQUIRE(m.run({{Op::Log, 2, 0}}, 0, {}, two) == 0);
    REQUIRE(m.run({{Op::Log, 1, 0}}, 1, {}, two) == 0);
    CHECK(m.wait(done) == 0);
    CHECK(m.log.get() == std::vector<uint64_t>{0, 1, 2, 3});
}

TEST_CASE("a tiler heap grows to its limit, chunk by chunk") {
    Machine m;
    drm_panthor_tiler_heap_create heap{m.vm_id, 2, 128 << 10, 3, 65535, 0, 0, 0};
    REQUIRE(m.ioctl(kPanthorTilerHeapCreate, &heap) == 0);
    const uint32_t done = m.syncobj();
    REQUIRE(m.run({{Op::Grow, heap.tiler_heap_ctx_gpu_va, Machine::va(0)},
                   {Op::Grow, heap.tiler_heap_ctx_gpu_va, Machine::va(1)},
                   {Op::Grow, heap.tiler_heap_ctx_gpu_va + 64, Machine::va(2)},
                   {Op::Grow, 0x1000, Machine::va(3)}},
                  0, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(m.wait(done) == 0);
    CHECK((m.at(0) & 0xfff) == 32);  // 128 KiB, in pages
    CHECK((m.at(0) & ~0xfffull) > heap.first_heap_chunk_gpu_va);
    CHECK(static_cast<int64_t>(m.at(1)) == -ENOMEM);
    CHECK(static_cast<int64_t>(m.at(2)) == -EINVAL);
    CHECK(static_cast<int64_t>(m.at(3)) == -EINVAL);
}

TEST_CASE("the initial chunks are linked, the newest first") {
    Machine m;
    drm_panthor_tiler_heap_create heap{m.vm_id, 3, 256 << 10, 3, 65535, 0, 0, 0};
    REQUIRE(m.ioctl(kPanthorTilerHeapCreate, &heap) == 0);
    auto* panthor = static_cast<terrazzo::winsys::virt::panthor::PanthorFile*>(m.file->driver_file.get());
    const auto& space = panthor->vms.find(m.vm_id)->space;
    terrazzo::winsys::virt::MemoryFault fault;
    uint64_t next = 0, at = heap.first_heap_chunk_gpu_va;
    for (int i = 0; i < 3; i++) {
        REQUIRE(space.read(at, &next, 8, &fault));
        CHECK((next & 0xfff) == (i < 2 ? 64 : 0));
        at = next & ~0xfffull;
    }
    CHECK(next == 0);
    CHECK(space.lookup(heap.first_heap_chunk_gpu_va).flags.no_exec);
}

TEST_CASE("ending a group or a file in mid-stream cancels waiting streams, without hanging") {
    auto m = std::make_unique<Machine>();
    const uint32_t running = m->syncobj(), waiting = m->syncobj();
    REQUIRE(m->run({{Op::Log, 1, 0}, {Op::Spin, 0, 0}}, 0, {{kSyncOpSignal, running, 0}}) == 0);
    REQUIRE(m->run({{Op::Log, 2, 0}}, 0, {{kSyncOpSignal, waiting, 0}}) == 0);
    while (m->log.get().empty())
        usleep(1000);
    drm_panthor_group_destroy destroy{m->group_id, 0};
    REQUIRE(m->ioctl(kPanthorGroupDestroy, &destroy) == 0);
    CHECK(m->wait(waiting) == 0);
    CHECK(m->status(running) == -ECANCELED);
    CHECK(m->status(waiting) == -ECANCELED);
    CHECK(m->log.groups == 0);
    const uint32_t other = m->group(m->vm_id);
    REQUIRE(m->run({{Op::Spin, 0, 0}}, 0, {}, other) == 0);
    m->file.reset();
    m->device.reset();
    CHECK(m->log.groups == 0);
}

TEST_CASE("a process that exits in mid-stream does not hang") {
    fflush(nullptr);  // otherwise the child's exit() would print it again
    const pid_t child = fork();
    if (child == 0) {
        // exit() destroys it while a worker is in the GPU, like a library's table of displays.
        static std::unique_ptr<Machine> machine;
        machine = std::make_unique<Machine>();
        (void)machine->run({{Op::Log, 1, 0}, {Op::Spin, 0, 0}});
        while (machine->log.get().empty())
            usleep(1000);
        exit(0);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("without a GPU streams end at once, after their waits") {
    Kernel k(false);
    const uint32_t vm = k.vm(), group = k.group(vm), done = k.syncobj(), gate = k.syncobj();
    REQUIRE(k.submit_error(group, 0, 0x1000, 8, {{kSyncOpSignal, done, 0}}) == 0);
    CHECK(k.wait(done, 0) == 0);
    // It waits for a fence of another kernel, whose GPU is still busy, through a sync file.
    Machine m;
    const uint32_t theirs = m.syncobj();
    REQUIRE(m.run({{Op::Sleep, 20, 0}}, 0, {{kSyncOpSignal, theirs, 0}}) == 0);
    drm_syncobj_handle args{theirs, kSyncobjFdSyncFile, -1, 0};
    REQUIRE(m.ioctl(kIoctlSyncobjHandleToFd, &args) == 0);
    drm_syncobj_handle import{gate, kSyncobjFdSyncFile, args.fd, 0};
    REQUIRE(k.ioctl(kIoctlSyncobjFdToHandle, &import) == 0);
    REQUIRE(k.submit_error(group, 0, 0x1000, 8, {{kSyncOpWait, gate, 0}, {kSyncOpSignal, done, 0}}) == 0);
    CHECK(k.wait(done) == 0);
    CHECK(m.wait(theirs, 0) == 0);
    close(args.fd);
}
