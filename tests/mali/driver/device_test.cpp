// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory of the device: addresses, reuse, blocks, dma-bufs, and every request failing in turn.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "drivers/mali/pool.h"
#include "drivers/mali/queues.h"
#include "drivers/mali/va_space.h"
#include "tests/mali/driver/device_fixture.h"
#include "winsys/uapi/panthor.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;

namespace terrazzo::test {

bool ControlledDrm::fails() {
    control_.calls++;
    return control_.gone || (control_.fail_at && --control_.fail_at == 0);
}

int ControlledDrm::ioctl(unsigned long request, void* arg) {
    // What undoes cannot fail.
    const bool undoes =
        request == uapi::kIoctlGemClose || request == uapi::kIoctlSyncobjDestroy ||
        request == uapi::kPanthorVmDestroy || request == uapi::kPanthorGroupDestroy ||
        request == uapi::kPanthorTilerHeapDestroy ||
        (request == uapi::kPanthorVmBind && (reinterpret_cast<const uapi::drm_panthor_vm_bind_op*>(
                                                 static_cast<uapi::drm_panthor_vm_bind*>(arg)->ops.array)
                                                 ->flags &
                                             uapi::kVmBindOpTypeMask) == uapi::kVmBindOpUnmap);
    if (control_.gone) return -ENODEV;
    if (!undoes && fails()) return -ENOMEM;
    const int error = drm_->ioctl(request, arg);
    if (!error && request == uapi::kPanthorBoCreate) control_.open_handles++;
    if (!error && request == uapi::kIoctlGemClose) control_.open_handles--;
    return error;
}

int ControlledDrm::map(uint64_t offset, size_t size_B, int prot, void** address) {
    return fails() ? -ENOMEM : drm_->map(offset, size_B, prot, address);
}

}  // namespace terrazzo::test

namespace {

pipe::Ref<Device> open_controlled(DrmControl& control, std::string* why,
                                  const char* name = "noop:mali-g610") {
    auto device = winsys::virt::create_device(name, sim::virtual_chips(), why);
    REQUIRE_MESSAGE(device, *why);
    return Device::create(
        std::make_unique<ControlledDrm>(winsys::open_virtual_drm(std::move(device)), control), {}, why);
}

}  // namespace

TEST_CASE("va space: ranges never touch, and come back") {
    VaSpace space(8ull << 30, 16ull << 30);
    std::mt19937 random(1);
    std::map<uint64_t, uint64_t> held;
    for (int i = 0; i < 4000; i++) {
        if (held.size() < 60 || random() % 2) {
            const uint64_t size_B = 4096 * (1 + random() % (random() % 8 ? 40 : 4000));
            const uint64_t va = space.allocate(size_B);
            if (!va) continue;
            CHECK(va % (size_B >= 2 << 20 ? 2 << 20 : 4096) == 0);
            CHECK(va >= (8ull << 30));
            CHECK(va + size_B < (16ull << 30));
            const auto next = held.lower_bound(va);
            if (next != held.end()) CHECK(va + size_B + 4096 <= next->first);
            if (next != held.begin()) CHECK(std::prev(next)->second + 4096 <= va);
            held.emplace(va, va + size_B);
        } else {
            const auto it = std::next(held.begin(), random() % held.size());
            space.free(it->first);
            held.erase(it);
        }
    }
    for (const auto& [va, end] : held)
        space.free(va);
    CHECK(space.used_B() == 0);
    // All of it is one range again.
    CHECK(space.allocate((8ull << 30) - 4096) == (8ull << 30));
    CHECK(space.allocate(4096) == 0);
}

TEST_CASE("device: what it says of the chip") {
    const auto device = open_device("noop:mali-g610");
    CHECK(std::string(device->chip().name) == "mali-g610");
    CHECK(device->chip().core_count() == 4);
    CHECK(device->vm_id() != 0);
    const uint64_t first = device->timestamp_ns(), second = device->timestamp_ns();
    CHECK(first > 0);
    CHECK(second >= first);
    (void)device->flush_id();
}

TEST_CASE("device: an unknown chip and another driver are refused in one line") {
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
        int descriptor_ioctl(int, unsigned long, void*) override { return -EINVAL; }
    };
    std::string why;
    CHECK(!Device::create(std::make_unique<Other>("msm", 1), {}, &why));
    CHECK(why == "the kernel driver is msm 1.0, not panthor 1");
    CHECK(!Device::create(std::make_unique<Other>("panthor", 1), {}, &why));
    CHECK(why == "unknown GPU 0xb8a10000 variant 0 (architecture 11.8), not one of Mali v10's");
}

TEST_CASE("bo: zeroed, also when it was used before; code lies in one window") {
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
    CHECK(uint32_t(code->va) != 0);  // what blend descriptors take for no shader
    const auto hidden = device->create_bo(65536, bo_flag::kNoCpu);
    REQUIRE(hidden);
    CHECK(!hidden->cpu);
    CHECK(!device->create_bo(0, 0));
    CHECK(!device->create_bo(1ull << 50, 0));
}

TEST_CASE("bo: the cache keeps 64 MiB at most, and gives it back when memory is short") {
    DrmControl control;
    std::string why;
    const auto device = open_controlled(control, &why);
    {
        std::vector<pipe::Ref<Bo>> bos;
        for (int i = 0; i < 40; i++)
            bos.push_back(device->create_bo(4 << 20, 0));
        CHECK(control.open_handles == 40);
    }
    CHECK(control.open_handles == 16);
    control.fail_at = 1;
    CHECK(device->create_bo(1 << 20, 0));  // the second try succeeds
    CHECK(control.open_handles == 1);
}

TEST_CASE("bo: a dma-buf is the same object however often it comes") {
    const auto device = open_device("noop:mali-g610");
    const auto bo = device->create_bo(8192, bo_flag::kShareable);
    REQUIRE(bo);
    const int fd = device->export_bo(*bo);
    REQUIRE(fd >= 0);
    const auto same = device->import_bo(fd);
    CHECK(same.get() == bo.get());
    // Another device sees the bytes.
    const auto private_one = device->create_bo(4096, 0);
    CHECK(device->export_bo(*private_one) == -1);
    CHECK(!device->import_bo(-1));
    close(fd);
}

TEST_CASE("bo: imports race with the end of the last reference") {
    const auto device = open_device("noop:mali-g610");
    auto bo = device->create_bo(8192, bo_flag::kShareable);
    const int fd = device->export_bo(*bo);
    REQUIRE(fd >= 0);
    bo->cpu[5] = 77;
    bo = nullptr;
    std::vector<std::thread> threads;
    std::atomic<int> bad{0};
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < 500; i++) {
                const auto one = device->import_bo(fd);
                if (!one || one->cpu[5] != 77) bad++;
            }
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(bad == 0);
    close(fd);
}

TEST_CASE("blocks: pieces do not overlap, are zero, and return to their slab") {
    DrmControl control;
    std::string why;
    const auto device = open_controlled(control, &why);
    std::mt19937 random(2);
    std::vector<Block> blocks;
    for (int i = 0; i < 3000; i++) {
        if (blocks.size() < 300 || random() % 2) {
            const uint32_t size_B = 1 + random() % (random() % 16 ? 600 : 65536),
                           align_B = 1u << random() % 13;
            Block b = device->create_block(size_B, align_B, random() % 2 ? bo_flag::kExecutable : 0);
            REQUIRE(b);
            CHECK(b.va % align_B == 0);
            bool zero = true;
            for (uint32_t k = 0; k < size_B; k++)
                zero &= b.cpu[k] == 0;
            CHECK(zero);
            memset(b.cpu, 0xaa, size_B);
            CHECK(b.bo->cpu + (b.va - b.bo->va) == b.cpu);
            blocks.push_back(std::move(b));
        } else {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            blocks.pop_back();
        }
    }
    std::map<uint64_t, uint32_t> by_va;
    for (const Block& b : blocks)
        by_va[b.va] = b.size_B;
    CHECK(by_va.size() == blocks.size());
    for (auto it = by_va.begin(), next = std::next(it); next != by_va.end(); ++it, ++next)
        CHECK(it->first + it->second <= next->first);
    blocks.clear();
    CHECK(!device->create_block(65537, 1));
    // Everything is in the cache: nothing new is needed for the same again.
    const int handles = control.open_handles;
    for (int i = 0; i < 100; i++)
        blocks.push_back(device->create_block(100, 64));
    CHECK(control.open_handles == handles);
}

TEST_CASE("pool: chunks are used again") {
    const auto device = open_device("noop:mali-g610");
    Pool pool(device, 64 << 10);
    uint64_t end = 0;
    for (int i = 0; i < 100; i++) {
        const auto piece = pool.allocate(100, 64);
        CHECK(piece.va % 64 == 0);
        if (i) CHECK(piece.va >= end);
        end = piece.va + 100;
        memset(piece.cpu, 1, 100);
    }
    const auto big = pool.allocate(200000, 4096);
    memset(big.cpu, 1, 200000);
    std::vector<pipe::Ref<Bo>> chunks;
    pool.take(&chunks);
    REQUIRE(chunks.size() == 2);
    const uint64_t first = chunks[0]->va;
    pool.recycle(std::move(chunks));
    CHECK(pool.allocate(8, 8).va == first);
}

TEST_CASE("device: every request fails in turn, nothing is leaked") {
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
        if (all && control.fail_at) break;  // there are fewer requests than that
        REQUIRE(at < 200);
    }
    CHECK(total > 20);
}

TEST_CASE("device: after fork nothing works and nothing hangs") {
    const auto device = open_device("noop:mali-g610");
    auto bo = device->create_bo(4096, 0);
    auto queues = Queues::create(device, 1);
    REQUIRE(queues);
    const pid_t child = fork();
    if (child == 0) {
        bool ok = !device->create_bo(100000, 0) && !device->import_bo(0);
        ok &= queues->timeline()->wait(1, UINT64_MAX) == WaitResult::Lost;
        ok &= queues->submit({Stream{}, Stream{bo->va, 8}, Stream{}}, {}) == 0;
        ok &= queues->take_state() == GroupState::Guilty;
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
