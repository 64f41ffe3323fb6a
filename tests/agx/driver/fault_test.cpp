// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Faults and crashes, as a driver sees them; and more commands than one submit may have. The GPU is that of
// the virtual kernel's tests.
#include <cstring>
#include <thread>
#include <vector>

#include "drivers/agx/sim/chips.h"
#include "drivers/agx/submission/queue.h"
#include "drivers/common/memory/pool.h"
#include "tests/agx/driver/device_fixture.h"
#include "tests/common/messages.h"
#include "tests/winsys/virtual/asahi_test_gpu.h"
#include "winsys/virtual/asahi/driver.h"

using namespace terrazzo;
using namespace terrazzo::agx;
using namespace terrazzo::test;

namespace {

/// A device that runs programs, in pool memory for code.
struct Scene {
    AsahiLog log;
    DrmControl control;
    Messages messages;
    pipe::Ref<Device> device = open();
    std::unique_ptr<Queue> queue = Queue::create(device, 1);
    memory::Pool pool{device, memory::Pool::kChunk_B, bo_flag::kExecutable};
    pipe::Ref<Bo> data = device->create_bo(4096, 0);

    pipe::Ref<Device> open() {
        std::string why;
        auto virtual_device = winsys::virt::asahi::create_device(sim::gpu_info(*hw::chips().begin()),
                                                                 create_asahi_test_gpu(&log),
                                                                 {.report = [](const std::string&) {}});
        auto opened = Device::create(
            std::make_unique<ControlledDrm>(winsys::open_virtual_drm(std::move(virtual_device)), control),
            messages.log(), &why);
        REQUIRE_MESSAGE(opened, why);
        return opened;
    }
    [[nodiscard]] uapi::drm_asahi_cmd_compute dispatch(const std::vector<Instr>& instrs) {
        const auto at = pool.allocate(uint32_t((instrs.size() + 1) * sizeof(Instr)), 64);
        memset(at.cpu, 0, (instrs.size() + 1) * sizeof(Instr));
        memcpy(at.cpu, instrs.data(), instrs.size() * sizeof(Instr));
        uapi::drm_asahi_cmd_compute c{};
        c.cdm_ctrl_stream_base = at.va;
        return c;
    }
    uint64_t submit(const std::vector<Instr>& instrs, std::span<const Point> waits = {}) {
        Commands commands(device->max_commands());
        commands.add(dispatch(instrs), {});
        return queue->submit(commands, waits);
    }
    /// Blocks until the word is 1.
    [[nodiscard]] Instr gate(unsigned n) const { return {Op::WaitGe, data->va + n * 8, 1}; }
    void open_gate(unsigned n) const {
        __atomic_store_n(reinterpret_cast<uint64_t*>(data->cpu) + n, 1, __ATOMIC_RELEASE);
    }
    [[nodiscard]] WaitResult wait(uint64_t point) const { return queue->timeline()->wait(point, UINT64_MAX); }
};

}  // namespace

TEST_CASE("agx pool: chunks for code are in the window of queues") {
    Scene s;
    const auto piece = s.pool.allocate(64, 64);
    CHECK(piece.va > Asahi::kUscBase);
    CHECK(piece.va + memory::Pool::kChunk_B <= Asahi::kUscBase + (4ull << 30));
    memory::Pool data(s.device);
    CHECK(data.allocate(64, 64).va >= Asahi::kUscBase + (4ull << 30));
}

TEST_CASE("agx queue: a fault loses its own submit, and a new queue works") {
    Scene s;
    const uint64_t good = s.submit({{Op::Log, 1, 0}});
    const uint64_t bad = s.submit({{Op::Fault, 0, 0}});
    const uint64_t later = s.submit({{Op::Log, 2, 0}});
    CHECK(s.wait(later) == WaitResult::Done);  // points before it are found, too
    CHECK(s.wait(bad) == WaitResult::Lost);
    CHECK(s.wait(good) == WaitResult::Done);
    CHECK(s.log.get() == std::vector<uint64_t>{1, 2});
    CHECK(s.queue->timeline()->queue_state() == QueueState::Guilty);
    // The queue goes on until the loss was reported.
    CHECK(s.wait(s.submit({{Op::Log, 3, 0}})) == WaitResult::Done);
    CHECK(s.queue->take_state() == QueueState::Guilty);
    CHECK(s.queue->take_state() == QueueState::Usable);
    const uint64_t after = s.submit({{Op::Log, 4, 0}});
    CHECK(s.queue->generation() == 1);
    CHECK(s.wait(after) == WaitResult::Done);
    CHECK(s.queue->take_state() == QueueState::Usable);
    CHECK(s.wait(bad) == WaitResult::Lost);
    // A second fault, in the new queue.
    const uint64_t unmapped = s.submit({{Op::Store, 64, 1}});
    CHECK(s.wait(unmapped) == WaitResult::Lost);
    CHECK(s.wait(after) == WaitResult::Done);
    CHECK(s.queue->take_state() == QueueState::Guilty);
}

TEST_CASE("agx queue: a fault is seen without a wait for its point") {
    Scene s;
    CHECK(s.queue->take_state() == QueueState::Usable);
    const uint64_t bad = s.submit({s.gate(0), {Op::Fault, 0, 0}});
    CHECK(s.queue->take_state() == QueueState::Usable);
    CHECK(s.queue->timeline()->wait(bad, 0) == WaitResult::Timeout);
    s.open_gate(0);
    const int file = s.queue->timeline()->export_sync_file(bad);
    for (bool ended = false; !ended; std::this_thread::yield()) {
        uapi::sync_file_info info{};
        REQUIRE(s.device->drm().descriptor_ioctl(file, uapi::kIoctlSyncFileInfo, &info) == 0);
        ended = info.status != 0;
        CHECK(info.status >= 0);  // the timeline's point has no error
    }
    close(file);
    CHECK(s.queue->take_state() == QueueState::Guilty);
    CHECK(s.wait(bad) == WaitResult::Lost);
}

TEST_CASE("agx queue: without descriptors work runs, and one message says what is missing") {
    Scene s;
    s.control.refused = uapi::kIoctlSyncobjHandleToFd;
    CHECK(s.wait(s.submit({{Op::Log, 1, 0}})) == WaitResult::Done);
    CHECK(s.wait(s.submit({{Op::Fault, 0, 0}})) == WaitResult::Done);
    CHECK(s.messages.text() == "agx: out of descriptors: faults of some work will not be seen\n");
    s.control.refused = 0;
    CHECK(s.wait(s.submit({{Op::Fault, 0, 0}})) == WaitResult::Lost);
    CHECK(s.queue->take_state() == QueueState::Guilty);
}

TEST_CASE("agx queue: a crash of the firmware loses all queues for good") {
    Scene s;
    const auto other = Queue::create(s.device, 1);
    REQUIRE(other);
    CHECK(s.wait(s.submit({{Op::Fatal, 0, 0}})) == WaitResult::Lost);
    CHECK(s.submit({{Op::Log, 1, 0}}) == 0);
    CHECK(s.queue->take_state() == QueueState::Guilty);
    CHECK(other->take_state() == QueueState::Guilty);
}

TEST_CASE("agx queue: more commands than one submit may have") {
    Scene s;
    const uint32_t most = s.device->max_commands();
    Commands commands(most);
    std::vector<uint64_t> expected;
    // The first submit ends after the others were accepted.
    commands.add(s.dispatch({s.gate(0), {Op::Log, 0, 0}}), {});
    expected.push_back(0);
    for (uint64_t n = 1; n < 2 * most + 3; n++) {
        commands.add(s.dispatch({{Op::Log, n, 0}}), {.renders = n % 2 == 0, .dispatches = n % 3 == 0});
        expected.push_back(n);
    }
    unsigned lists = 0;
    CHECK(commands.for_each_list([&](std::span<const uint8_t>) { return ++lists != 0; }));
    CHECK(lists == 3);
    const auto first = Queue::create(s.device, 0);
    REQUIRE(first);
    Commands one(most);
    one.add(s.dispatch({s.gate(1), {Op::Log, 100000, 0}}), {});
    const Point wait{first->timeline(), first->submit(one, {})};
    REQUIRE(wait.value);
    const uint64_t point = s.queue->submit(commands, {&wait, 1});
    CHECK(point == 3);
    s.open_gate(0);
    CHECK(s.queue->timeline()->wait(1, 20'000'000) == WaitResult::Timeout);
    s.open_gate(1);
    CHECK(s.wait(point) == WaitResult::Done);
    expected.insert(expected.begin(), 100000);
    CHECK(s.log.get() == expected);
    commands.clear();
    CHECK(commands.empty());
    commands.add(s.dispatch({{Op::Log, 7, 0}}), {});
    CHECK(s.wait(s.queue->submit(commands, {})) == WaitResult::Done);
}

TEST_CASE("agx queue: if a later submit is refused, the earlier ones have ended") {
    Scene s;
    Commands commands(s.device->max_commands());
    for (uint32_t n = 0; n < s.device->max_commands(); n++)
        commands.add(s.dispatch({{Op::Log, n, 0}}), {});
    uapi::drm_asahi_cmd_render bad{};  // of no size
    commands.add(bad, {});
    CHECK(s.queue->submit(commands, {}) == 0);
    CHECK(s.log.get().size() == s.device->max_commands());
    CHECK(s.queue->timeline()->reached() == 1);
    CHECK(s.queue->take_state() == QueueState::Usable);
}
