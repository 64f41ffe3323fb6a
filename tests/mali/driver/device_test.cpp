// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opening a device, panthor's part of its memory (tests/common/memory tests the rest), and every request
// failing in turn.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "drivers/mali/submission/queues.h"
#include "tests/common/memory/controlled_drm.h"
#include "tests/mali/driver/device_fixture.h"
#include "winsys/uapi/panthor.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;

namespace {

/// Requests that undo earlier ones cannot fail.
bool undoes(unsigned long request, const void* arg) {
    if (request == uapi::kPanthorVmBind) {
        const auto* args = static_cast<const uapi::drm_panthor_vm_bind*>(arg);
        const auto* op = reinterpret_cast<const uapi::drm_panthor_vm_bind_op*>(args->ops.array);
        return (op->flags & uapi::kVmBindOpTypeMask) == uapi::kVmBindOpUnmap;
    }
    return request == uapi::kPanthorVmDestroy || request == uapi::kPanthorGroupDestroy ||
           request == uapi::kPanthorTilerHeapDestroy;
}

pipe::Ref<Device> open_controlled(DrmControl& control, std::string* why,
                                  const char* name = "noop:mali-g610") {
    control.create_request = uapi::kPanthorBoCreate;
    control.undoes = undoes;
    auto device = winsys::virt::create_device(name, sim::virtual_chips(), why);
    REQUIRE_MESSAGE(device, *why);
    return Device::create(
        std::make_unique<ControlledDrm>(winsys::open_virtual_drm(std::move(device)), control), {}, why);
}

}  // namespace

TEST_CASE("device: its facts about the chip") {
    const auto device = open_device("noop:mali-g610");
    CHECK(std::string(device->chip().name) == "mali-g610");
    CHECK(device->chip().core_count() == 4);
    CHECK(device->vm_id() != 0);
    const uint64_t first = device->timestamp_ns(), second = device->timestamp_ns();
    CHECK(first > 0);
    CHECK(second >= first);
    (void)device->flush_id();
}

TEST_CASE("device: an unknown chip and another driver are refused with one line") {
    struct Other final : winsys::Drm {
        const char* name;
        int major;
        Other(const char* n, int m) : name(n), major(m) {}
        int ioctl(unsigned long request, void* arg) override {
            if (request == uapi::kIoctlVersion) {
                auto* v = static_cast<uapi::drm_version*>(arg);
                v->version_major = major;
                strncpy(v->name, name, v->name_len);
                return 0;
            }
            if (request != uapi::kPanthorDevQuery) return -EINVAL;
            auto* query = static_cast<uapi::drm_panthor_dev_query*>(arg);
            if (query->type == 0) {
                auto* gpu = reinterpret_cast<uapi::drm_panthor_gpu_info*>(query->pointer);
                gpu->gpu_id = 0xb8a10000;
            }
            return 0;
        }
        int map(uint64_t, size_t, int, void**) override { return -EINVAL; }
        void unmap(void*, size_t) override {}
        int descriptor_ioctl(int, unsigned long, void*) override { return -EINVAL; }
    };
    std::string why;
    CHECK(!Device::create(std::make_unique<Other>("msm", 1), {}, &why));
    CHECK(why == "the kernel driver is msm 1.0, not panthor 1");
    CHECK(!Device::create(std::make_unique<Other>("panthor", 1), {}, &why));
    CHECK(why == "unknown GPU 0xb8a10000 (features 0x0), not one of Mali v10's");
}

TEST_CASE("bo: zeroed, also after an earlier use; code is in one window") {
    const auto device = open_device("noop:mali-g610");
    uint64_t va;
    {
        const auto bo = device->create_bo(10000, 0);
        REQUIRE(bo);
        CHECK(bo->size_B == 12288);
        CHECK(bo->va >= (8ull << 30));
        va = bo->va;
        memset(bo->cpu, 0xff, bo->size_B);
    }
    const auto again = device->create_bo(9000, 0);
    REQUIRE(again);
    CHECK(again->va == va);
    CHECK(again->cpu[0] == 0);
    CHECK(again->cpu[12287] == 0);
    const auto code = device->create_bo(4096, bo_flag::kExecutable | bo_flag::kReadOnly);
    REQUIRE(code);
    CHECK((code->va >> 32) == 1);
    CHECK(uint32_t(code->va) != 0);  // 0 would mean no shader to blend descriptors
    const auto hidden = device->create_bo(65536, bo_flag::kNoCpu);
    REQUIRE(hidden);
    CHECK(!hidden->cpu);
    CHECK(!device->create_bo(0, 0));
    CHECK(!device->create_bo(1ull << 50, 0));
}

TEST_CASE("device: every request fails in turn, and nothing leaks") {
    unsigned total = 0;
    for (unsigned at = 1;; at++) {
        DrmControl control;
        control.fail_at = at;
        std::string why;
        bool all = false;
        {
            const auto device = open_controlled(control, &why);
            if (device) {
                const auto bo = device->create_bo(4096, 0),
                           shared = device->create_bo(8192, bo_flag::kShareable);
                const Block block = device->create_block(64, 64);
                const auto queues = Queues::create(device, 1);
                all = bo && shared && block && queues;
            } else {
                CHECK(!why.empty());
            }
            total = control.calls;
        }
        CHECK(control.open_handles == 0);
        if (all && control.fail_at) break;  // there are no more requests
        REQUIRE(at < 200);
    }
    CHECK(total > 20);
}

TEST_CASE("device: after fork every call fails, and none hangs") {
    const auto device = open_device("noop:mali-g610");
    auto bo = device->create_bo(4096, 0);
    auto queues = Queues::create(device, 1);
    REQUIRE(queues);
    const pid_t child = fork();
    if (child == 0) {
        bool ok = !device->create_bo(100000, 0) && !device->import_bo(0);
        ok &= queues->timeline()->wait(1, UINT64_MAX) == WaitResult::Lost;
        ok &= queues->submit({Stream{}, Stream{bo->va, 8}, Stream{}}, {}) == 0;
        ok &= queues->take_state() == QueueState::Guilty;
        ok &= !queues->prepare();
        queues.reset();
        bo = nullptr;
        _exit(ok ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
