// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPU with the virtual kernel: real requests, a real stream, memory and fences.
#include "drivers/common/host/gpu.h"

#include <cstring>

#include "drivers/mali/hw/cs.h"
#include "drivers/mali/sim/chips.h"
#include "tests/winsys/virtual/kernel.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;

namespace {

constexpr uint64_t kCode = 0x10000, kData = 0x80000;

struct Setup : Kernel {
    explicit Setup(uint32_t queues = 2) : Kernel(false) {
        winsys::virt::SchedulerOptions options;
        options.report = [this](const std::string& line) { reports.push_back(line); };
        file.reset();
        device = winsys::virt::panthor::create_device(
            sim::gpu_info(*hw::find_chip("mali-g610")),
            host::create_gpu(*sim::host_vendor().find("mali-g610"), {.trace = {}}), options);
        file = open();
        vm_id = vm();
        const uint32_t code_bo = bo(4096), data_bo = bo(4096);
        code = map<uint64_t>(code_bo, 4096);
        data = map<uint64_t>(data_bo, 4096);
        bind(vm_id, code_bo, kCode, 4096);
        bind(vm_id, data_bo, kData, 4096, kVmBindOpNoExec);
        group_id = group(vm_id, queues);
    }
    ~Setup() {
        file.reset();
        munmap(code, 4096);
        munmap(data, 4096);
    }
    void run(uint32_t queue, uint32_t at, std::initializer_list<uint64_t> stream, uint32_t done) {
        std::copy(stream.begin(), stream.end(), code + at);
        REQUIRE(submit_error(group_id, queue, kCode + 8 * at, uint32_t(8 * stream.size()),
                             {{kSyncOpSignal, done, 0}}) == 0);
    }
    uint32_t vm_id, group_id;
    uint64_t *code, *data;
};

uint64_t move(unsigned reg, uint64_t v) {
    return hw::pack64(hw::CsMove{.immediate = v, .destination = reg});
}
uint64_t slots() {
    return hw::pack64(hw::CsSetSbEntry{.endpoint_entry = 2, .other_entry = 0});
}

}  // namespace

TEST_CASE("gpu: two queues wait for each other through memory") {
    Setup s;
    const uint32_t first = s.syncobj(), second = s.syncobj();
    s.run(0, 0,
          {move(10, kData), move(12, 4),
           hw::pack64(hw::CsSyncWait64{.condition = hw::CsCondition::Greater, .data = 12, .address = 10}),
           move(14, kData + 64), move(16, 99), slots(),
           hw::pack64(hw::CsStoreMultiple{.mask = 3, .address = 14, .base_register = 16})},
          first);
    CHECK(s.wait(first, 20) == -ETIME);
    s.run(1, 64, {move(10, kData), move(12, 5), hw::pack64(hw::CsSyncAdd64{.data = 12, .address = 10})},
          second);
    CHECK(s.wait(second) == 0);
    CHECK(s.wait(first) == 0);
    CHECK(s.data[0] == 5);
    CHECK(s.data[8] == 99);
}

TEST_CASE("gpu: passes go from queue to queue by their numbers, in any order of submissions") {
    constexpr uint32_t kPasses = 20;
    for (const bool vertices_first : {false, true}) {
        Setup s(3);
        uint32_t done[3];
        for (uint32_t& d : done)
            d = s.syncobj();
        // Queue q waits until the queue before it has counted more than `n`, then increments its own count.
        const auto pass = [&](uint32_t queue, uint32_t n) {
            const uint64_t own = kData + 64 * queue, before = own - 64;
            const uint64_t wait = queue
                                      ? hw::pack64(hw::CsSyncWait64{
                                            .condition = hw::CsCondition::Greater, .data = 12, .address = 10})
                                      : hw::pack64(hw::CsNop{});
            s.run(queue, (queue * kPasses + n) * 8,
                  {move(10, before), move(12, n), wait, move(14, own), move(16, 1),
                   hw::pack64(hw::CsSyncAdd64{.data = 16, .address = 14})},
                  done[queue]);
        };
        for (uint32_t n = 0; n < kPasses; ++n)
            for (uint32_t i = 0; i < 3; ++i)
                pass(vertices_first ? i : 2 - i, n);
        for (const uint32_t d : done)
            CHECK(s.wait(d) == 0);
        for (const unsigned queue : {0, 1, 2})
            CHECK(s.data[8 * queue] == kPasses);
        CHECK(s.reports.empty());
    }
}

TEST_CASE("gpu: a fault loses the group, and the report has its address") {
    Setup s;
    const uint32_t done = s.syncobj();
    s.run(0, 0,
          {slots(), move(10, 0x7770000),
           hw::pack64(hw::CsLoadMultiple{.mask = 1, .address = 10, .base_register = 4})},
          done);
    CHECK(s.wait(done) == 0);
    CHECK(s.status(done) < 0);
    CHECK(s.state(s.group_id).state != 0);
    bool told = false;
    for (const std::string& line : s.reports)
        told |= line.find("instruction at 0x10010") != std::string::npos &&
                line.find("not mapped") != std::string::npos;
    CHECK(told);
}
