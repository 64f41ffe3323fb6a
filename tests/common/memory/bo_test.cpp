// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffer objects, on a kernel that chooses addresses and on kernels that do not: reuse, dma-bufs, and every
// request failing in turn.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>
#include <vector>

#include "tests/common/memory/msm_device.h"

using namespace terrazzo;
using namespace terrazzo::memory;
using namespace terrazzo::test;

TEST_CASE("memory: an object is zero, also when it is reused") {
    for (const MsmAddresses addresses : kMsmAddresses) {
        CAPTURE(int(addresses));
        DrmControl control;
        const auto device = open_msm(control, addresses);
        uint64_t va;
        {
            const auto bo = device->create_bo(10000, 0);
            REQUIRE(bo);
            CHECK(bo->size_B == 12288);
            va = bo->va;
            if (addresses != MsmAddresses::Kernel) CHECK(va == kMsmTestRange.begin);
            CHECK(va != 0);
            memset(bo->cpu, 0xff, bo->size_B);
        }
        const auto again = device->create_bo(9000, 0);
        REQUIRE(again);
        CHECK(again->va == va);
        CHECK(again->cpu[0] == 0);
        CHECK(again->cpu[12287] == 0);
        // Here there is no window for code: it is with the other objects.
        const auto code = device->create_bo(4096, bo_flag::kExecutable | bo_flag::kReadOnly);
        REQUIRE(code);
        CHECK(code->va >= (4ull << 30));
        CHECK(code->va != va);
        const auto hidden = device->create_bo(65536, bo_flag::kNoCpu);
        REQUIRE(hidden);
        CHECK(!hidden->cpu);
        CHECK(!device->create_bo(0, 0));
        CHECK(!device->create_bo(1ull << 50, 0));
    }
}

TEST_CASE("memory: sizes and addresses are multiples of pages of any size") {
    DrmControl control;
    const auto device = open_msm(control, MsmAddresses::Bind, 16384);
    const auto a = device->create_bo(1, 0), b = device->create_bo(16385, 0);
    REQUIRE(a);
    REQUIRE(b);
    CHECK(a->size_B == 16384);
    CHECK(b->size_B == 32768);
    CHECK(b->va == a->va + 2 * 16384);  // with a free page between them
    const auto large = device->create_bo(2 << 20, 0);
    REQUIRE(large);
    CHECK(large->va % (2 << 20) == 0);
}

TEST_CASE("memory: addresses are released with their objects") {
    for (const MsmAddresses addresses : kMsmAddresses) {
        CAPTURE(int(addresses));
        DrmControl control;
        const auto device = open_msm(control, addresses);
        // In total this is far more than the address space.
        for (int i = 0; i < 40; i++) {
            const auto bo = device->create_bo(256 << 20, bo_flag::kNoCpu);
            REQUIRE(bo);
        }
        CHECK(control.open_handles == 0);
    }
}

TEST_CASE("memory: when addresses run out, the cache releases its own") {
    DrmControl control;
    const auto device = open_msm(control, MsmAddresses::Set);
    std::vector<pipe::Ref<Bo>> bos;
    for (uint64_t left_B = (2ull << 30) - (34 << 20); left_B; left_B -= std::min<uint64_t>(left_B, 126 << 20))
        bos.push_back(device->create_bo(std::min<uint64_t>(left_B, 126 << 20), bo_flag::kNoCpu));
    (void)device->create_bo(1 << 20, 0);  // is put into the cache when it is released
    CHECK(control.open_handles == int(bos.size()) + 1);
    pipe::Ref<Bo> last;
    for (uint64_t size_B = 32 << 20; !last; size_B -= 4096)
        last = device->create_bo(size_B, bo_flag::kNoCpu);
    CHECK(control.open_handles == int(bos.size()) + 1);
    CHECK(!device->create_bo(16 << 20, bo_flag::kNoCpu));
}

TEST_CASE("memory: the cache keeps 64 MiB at most, and releases it when memory is short") {
    DrmControl control;
    const auto device = open_msm(control, MsmAddresses::Bind);
    {
        std::vector<pipe::Ref<Bo>> bos;
        for (int i = 0; i < 40; i++)
            bos.push_back(device->create_bo(4 << 20, 0));
        CHECK(control.open_handles == 40);
    }
    CHECK(control.open_handles == 16);
    control.fail_at = 1;
    CHECK(device->create_bo(1 << 20, 0));  // the second attempt succeeds
    CHECK(control.open_handles == 1);
}

TEST_CASE(
    "memory: a dma-buf is the same object each time it is imported, and another device sees its bytes") {
    for (const MsmAddresses addresses : kMsmAddresses) {
        CAPTURE(int(addresses));
        DrmControl control;
        const auto device = open_msm(control, addresses);
        const auto bo = device->create_bo(8192, bo_flag::kShareable);
        REQUIRE(bo);
        const int fd = device->export_bo(*bo);
        REQUIRE(fd >= 0);
        CHECK(device->import_bo(fd).get() == bo.get());
        DrmControl other_control;
        const auto other = open_msm(other_control, addresses);
        const auto same = other->import_bo(fd);
        REQUIRE(same);
        CHECK(same->size_B == 8192);
        bo->cpu[8191] = 99;
        CHECK(same->cpu[8191] == 99);
        const auto private_one = device->create_bo(4096, 0);
        REQUIRE(private_one);
        CHECK(device->export_bo(*private_one) == -1);
        CHECK(!device->import_bo(-1));
        close(fd);
    }
}

TEST_CASE("memory: imports race with the release of the last reference") {
    DrmControl control;
    const auto device = open_msm(control, MsmAddresses::Bind);
    auto bo = device->create_bo(8192, bo_flag::kShareable);
    const int fd = device->export_bo(*bo);
    REQUIRE(fd >= 0);
    bo->cpu[5] = 77;
    bo = nullptr;
    std::vector<std::thread> threads;
    std::atomic<int> bad{0};
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < 200; i++) {
                const auto one = device->import_bo(fd);
                if (!one || one->cpu[5] != 77) bad++;
            }
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(bad == 0);
    close(fd);
}

TEST_CASE("memory: every request fails in turn, nothing is leaked") {
    for (const MsmAddresses addresses : kMsmAddresses) {
        CAPTURE(int(addresses));
        unsigned total = 0;
        for (unsigned at = 1;; at++) {
            DrmControl control;
            control.fail_at = at;
            bool all = false;
            if (const auto device = MsmTestDevice::create(control, addresses)) {
                const auto bo = device->create_bo(4096, 0),
                           shared = device->create_bo(8192, bo_flag::kShareable);
                const Block block = device->create_block(64, 64);
                const int fd = shared ? device->export_bo(*shared) : -1;
                const auto same = fd >= 0 ? device->import_bo(fd) : nullptr;
                if (fd >= 0) close(fd);
                all = bo && block && same;
                total = control.calls;
            }
            CHECK(control.open_handles == 0);
            if (all && control.fail_at) break;  // there are fewer requests than that
            REQUIRE(at < 200);
        }
        CHECK(total >= 11);
    }
}

TEST_CASE("memory: when the device is gone, everything fails and ends") {
    for (const MsmAddresses addresses : kMsmAddresses) {
        DrmControl control;
        const auto device = open_msm(control, addresses);
        const auto bo = device->create_bo(4096, 0);
        Block block = device->create_block(64, 64);
        CHECK(block);
        control.gone = true;
        CHECK(!device->create_bo(100000, 0));
        CHECK(!device->import_bo(0));
        CHECK(device->export_bo(*bo) == -1);
        block.reset();
    }
}

TEST_CASE("memory: a child's writes are private, and it begins with zeros") {
    DrmControl control;
    const auto device = open_msm(control, MsmAddresses::Bind);
    const auto bo = device->create_bo(8192, 0), shared = device->create_bo(4096, bo_flag::kShareable);
    REQUIRE(bo);
    REQUIRE(shared);
    {
        // In a child, unmapped memory may contain anything.
        const auto gone = device->create_bo(64 << 20, 0);
        REQUIRE(gone);
    }
    bo->cpu[0] = bo->cpu[5000] = shared->cpu[0] = 1;
    const pid_t child = fork();
    if (child == 0) {
        const bool zero = !bo->cpu[0] && !bo->cpu[5000] && !shared->cpu[0];
        memset(bo->cpu, 7, bo->size_B);
        memset(shared->cpu, 7, shared->size_B);
        _exit(zero ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(int(bo->cpu[0]) == 1);
    CHECK(int(bo->cpu[1]) == 0);
    CHECK(int(bo->cpu[5000]) == 1);
    CHECK(int(shared->cpu[0]) == 1);
}
