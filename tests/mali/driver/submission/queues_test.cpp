// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Submissions, their order, and the state of a group after it was lost.
#include "drivers/mali/submission/queues.h"

#include "drivers/mali/stream/cs_builder.h"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <thread>

#include "drivers/mali/hw/cs.h"
#include "tests/mali/driver/device_fixture.h"
#include "tests/winsys/virtual/test_gpu.h"
#include "winsys/virtual/panthor/driver.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;

namespace {

/// Streams of single instructions, one after another in one buffer object.
struct Streams {
    explicit Streams(Device& device) : bo(device.create_bo(65536, 0)) {}
    Stream add(std::initializer_list<uint64_t> words) {
        memcpy(bo->cpu + used_B, words.begin(), words.size() * 8);
        const Stream s{bo->va + used_B, uint32_t(words.size() * 8)};
        used_B += (s.size_B + 63) & ~63u;
        return s;
    }
    pipe::Ref<Bo> bo;
    uint32_t used_B = 0;
};

uint64_t move(unsigned r, uint64_t v) {
    return hw::pack64(hw::CsMove{.immediate = v, .destination = r});
}
uint64_t add64(unsigned address, unsigned data) {
    return hw::pack64(hw::CsSyncAdd64{.data = data, .address = address});
}
uint64_t wait_above(unsigned address, unsigned data) {
    return hw::pack64(
        hw::CsSyncWait64{.condition = hw::CsCondition::Greater, .data = data, .address = address});
}
uint64_t slots() {
    return hw::pack64(hw::CsSetSbEntry{.endpoint_entry = kSlotIterators, .other_entry = kSlotLoadStore});
}
uint64_t word_at(const uint8_t* p) {
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

/// Adds 1 to the fragment queue's number.
Stream count_up(Streams& streams, const Queues& q) {
    return streams.add({move(10, q.sequence_va(QueueKind::Fragment)), move(12, 1), add64(10, 12)});
}
/// A read from an unmapped address.
Stream faulty(Streams& streams) {
    return streams.add({slots(), move(10, 0x7770000),
                        hw::pack64(hw::CsLoadMultiple{.mask = 1, .address = 10, .base_register = 4})});
}

}  // namespace

TEST_CASE("queues: points are reached in order; the fragment queue waits for the others' numbers") {
    const auto device = open_device("sim:mali-g610");
    auto q = Queues::create(device, 1);
    REQUIRE(q);
    Streams streams(*device);
    const auto data = device->create_bo(4096, 0);
    const uint64_t vertex = q->sequence_va(QueueKind::VertexTiler),
                   compute = q->sequence_va(QueueKind::Compute);
    CHECK(compute == vertex + 128);
    for (uint64_t n = 1; n <= 3; n++) {
        const Stream v = streams.add({move(10, vertex), move(12, 1), add64(10, 12)});
        const Stream c = streams.add({move(10, compute), move(12, 1), add64(10, 12)});
        const Stream f =
            streams.add({slots(), move(10, vertex), move(12, n - 1), wait_above(10, 12), move(14, compute),
                         wait_above(14, 12), move(16, data->va), move(18, n),
                         hw::pack64(hw::CsStoreMultiple{.mask = 3, .address = 16, .base_register = 18})});
        CHECK(q->submit({v, f, c}, {}) == n);
    }
    CHECK(q->last_point() == 3);
    CHECK(q->timeline()->wait(3, UINT64_MAX) == WaitResult::Done);
    CHECK(q->timeline()->done(1));
    CHECK(q->timeline()->reached() == 3);
    CHECK(word_at(data->cpu) == 3);
    CHECK(q->take_state() == QueueState::Usable);
}

TEST_CASE("queues: the kernel's priorities, or the nearest ones that it allows") {
    const auto device = open_device("sim:mali-g610");
    int high = 0;
    for (const int wanted : {0, 1, 2}) {
        const auto q = Queues::create(device, wanted);
        REQUIRE(q);
        high = q->priority();
        if (wanted < 2) CHECK(high == wanted);
    }
    // It depends on CAP_SYS_NICE of the process.
    CHECK((high == 1 || high == 2));
}

TEST_CASE("queues: submissions wait for other contexts' points, and uses hold these points") {
    const auto device = open_device("sim:mali-g610");
    auto a = Queues::create(device, 1), b = Queues::create(device, 0);
    REQUIRE(a);
    REQUIRE(b);
    Streams streams(*device);
    const auto data = device->create_bo(4096, 0);
    // The first waits for the CPU, the second for the first.
    const Stream slow = streams.add({move(10, data->va), move(12, 4), wait_above(10, 12),
                                     move(14, data->va + 64), move(16, 1), add64(14, 16)});
    const uint64_t first = a->submit({Stream{}, slow, Stream{}}, {});
    REQUIRE(first);
    Uses uses;
    uses.note(a->timeline(), first, true);
    std::vector<Point> waits;
    uses.collect(*a->timeline(), true, &waits);
    CHECK(waits.empty());  // the queue's own order needs no wait
    uses.collect(*b->timeline(), false, &waits);
    REQUIRE(waits.size() == 1);
    const Stream after = streams.add({move(10, data->va + 64), move(12, 10), add64(10, 12)});
    const uint64_t second = b->submit({Stream{}, after, Stream{}}, waits);
    REQUIRE(second);
    CHECK(b->timeline()->wait(second, 20'000'000) == WaitResult::Timeout);
    CHECK(uses.busy(false));
    CHECK(word_at(data->cpu + 64) == 0);
    const uint64_t five = 5;
    memcpy(data->cpu, &five, 8);
    CHECK(uses.wait(true, UINT64_MAX) == WaitResult::Done);
    CHECK(!uses.busy(true));
    CHECK(b->timeline()->wait(second, UINT64_MAX) == WaitResult::Done);
    CHECK(word_at(data->cpu + 64) == 11);
}

TEST_CASE("queues: at most 32 submissions are pending") {
    const auto device = open_device("sim:mali-g610");
    auto q = Queues::create(device, 1);
    REQUIRE(q);
    Streams streams(*device);
    const auto data = device->create_bo(4096, 0);
    const Stream slow = streams.add({move(10, data->va), move(12, 4), wait_above(10, 12)});
    const Stream quick = streams.add({move(10, data->va + 64), move(12, 1), add64(10, 12)});
    REQUIRE(q->submit({Stream{}, slow, Stream{}}, {}) == 1);
    for (uint64_t n = 2; n <= 32; ++n)
        REQUIRE(q->submit({Stream{}, quick, Stream{}}, {}) == n);
    CHECK(!q->timeline()->done(1));
    std::thread lets_go([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const uint64_t five = 5;
        memcpy(data->cpu, &five, 8);
    });
    CHECK(q->submit({Stream{}, quick, Stream{}}, {}) == 33);
    CHECK(q->timeline()->reached() >= 1);
    lets_go.join();
    CHECK(q->timeline()->wait(33, UINT64_MAX) == WaitResult::Done);
    CHECK(word_at(data->cpu + 64) == 32);
}

TEST_CASE("uses: readers do not wait for readers") {
    const auto device = open_device("sim:mali-g610");
    auto q = Queues::create(device, 1);
    REQUIRE(q);
    Streams streams(*device);
    const auto data = device->create_bo(4096, 0);
    const uint64_t point = q->submit(
        {Stream{}, streams.add({move(10, data->va), move(12, 4), wait_above(10, 12)}), Stream{}}, {});
    REQUIRE(point);
    Uses uses;
    uses.note(q->timeline(), point, false);
    CHECK(!uses.busy(false));
    CHECK(uses.busy(true));
    memset(data->cpu, 0x11, 8);
    CHECK(uses.wait(true, UINT64_MAX) == WaitResult::Done);
}

TEST_CASE("queues: a lost group is reported once and replaced") {
    const auto device = open_device("sim:mali-g610");
    auto q = Queues::create(device, 1);
    REQUIRE(q);
    Streams streams(*device);
    const uint64_t good = q->submit({Stream{}, count_up(streams, *q), Stream{}}, {});
    CHECK(q->timeline()->wait(good, UINT64_MAX) == WaitResult::Done);
    const uint64_t bad = q->submit({Stream{}, faulty(streams), Stream{}}, {});
    const uint64_t later = q->submit({Stream{}, count_up(streams, *q), Stream{}}, {});
    REQUIRE(bad);
    CHECK(q->timeline()->wait(bad, UINT64_MAX) == WaitResult::Lost);
    if (later) CHECK(q->timeline()->wait(later, UINT64_MAX) == WaitResult::Lost);
    CHECK(q->timeline()->wait(good, 0) == WaitResult::Done);
    CHECK(q->submit({Stream{}, count_up(streams, *q), Stream{}}, {}) == 0);
    CHECK(q->take_state() == QueueState::Guilty);
    CHECK(q->take_state() == QueueState::Usable);
    const uint32_t generation = q->generation();
    REQUIRE(q->prepare());
    CHECK(q->generation() == generation + 1);
    const uint64_t next = q->submit({Stream{}, count_up(streams, *q), Stream{}}, {});
    REQUIRE(next > bad);
    CHECK(q->timeline()->wait(next, UINT64_MAX) == WaitResult::Done);
    CHECK(q->timeline()->wait(bad, 0) == WaitResult::Lost);
    CHECK(q->timeline()->wait(good, 0) == WaitResult::Done);
    CHECK(q->take_state() == QueueState::Usable);
}

TEST_CASE("queues: a fault that the group survives loses its submission, and is reported") {
    GpuLog log;
    std::string why;
    auto gpu = winsys::virt::panthor::create_device(test_info(), create_test_gpu(&log),
                                                    {.report = [](const std::string&) {}});
    const auto device = Device::create(winsys::open_virtual_drm(std::move(gpu)), {}, &why);
    REQUIRE_MESSAGE(device, why);
    auto q = Queues::create(device, 1);
    REQUIRE(q);
    const auto code = device->create_bo(4096, bo_flag::kExecutable);
    const Instr instrs[] = {{Op::Log, 1, 0}, {Op::Fault, 0x49, 0}, {Op::Fatal, 0x49, 0}};
    for (size_t n = 0; n < std::size(instrs); ++n)
        memcpy(code->cpu + n * 64, &instrs[n], sizeof instrs[n]);
    const auto submit = [&](unsigned n) {
        const uint64_t point = q->submit({Stream{}, Stream{code->va + n * 64, sizeof(Instr)}, Stream{}}, {});
        CHECK(point);
        return point;
    };
    const uint64_t good = submit(0), bad = submit(1), later = submit(0);
    CHECK(q->timeline()->wait(later, UINT64_MAX) == WaitResult::Done);
    CHECK(q->timeline()->wait(bad, UINT64_MAX) == WaitResult::Lost);
    CHECK(q->timeline()->wait(good, UINT64_MAX) == WaitResult::Done);
    CHECK(log.get() == std::vector<uint64_t>{1, 1});
    CHECK(q->take_state() == QueueState::Guilty);
    CHECK(q->take_state() == QueueState::Usable);
    REQUIRE(q->prepare());
    CHECK(q->generation() == 1);
    CHECK(q->timeline()->wait(submit(0), UINT64_MAX) == WaitResult::Done);
    CHECK(q->timeline()->wait(submit(2), UINT64_MAX) == WaitResult::Lost);
    CHECK(q->take_state() == QueueState::Guilty);
}

TEST_CASE("queues: fences outlive queues and the screen's own reference") {
    pipe::Ref<Timeline> timeline;
    uint64_t point;
    int fd;
    {
        auto device = open_device("sim:mali-g610");
        auto q = Queues::create(device, 2);
        REQUIRE(q);
        Streams streams(*device);
        point = q->submit({Stream{}, count_up(streams, *q), Stream{}}, {});
        timeline = q->timeline();
        fd = timeline->export_sync_file(point);
    }
    CHECK(timeline->wait(point, UINT64_MAX) == WaitResult::Done);
    REQUIRE(fd >= 0);
    pollfd p{fd, POLLIN, 0};
    CHECK(poll(&p, 1, 5000) == 1);
    close(fd);
}
