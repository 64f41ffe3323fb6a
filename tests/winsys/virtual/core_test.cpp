// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The DRM core: identity, permissions, handles, dma-bufs. Expected errors: drm_ioctl.c, drm_gem.c,
// drm_prime.c of Linux 6.12.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "tests/winsys/virtual/kernel.h"
#include "winsys/drm/drm.h"
#include "winsys/virtual/door/chips.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("VERSION returns panthor 1.3, as much as fits") {
    Kernel k(false);
    char name[16] = "...............", date[4], desc[4];
    drm_version v{};
    REQUIRE(k.ioctl(kIoctlVersion, &v) == 0);
    CHECK(v.name_len == 7);
    CHECK(v.desc_len == 18);
    v.name = name;
    v.name_len = 3;
    v.date = date;
    v.date_len = 0;
    v.desc = desc;
    v.desc_len = 4;
    REQUIRE(k.ioctl(kIoctlVersion, &v) == 0);
    CHECK(std::string(name, 4) == "pan.");
    CHECK(v.name_len == 7);
    CHECK(memcmp(desc, "Pant", 4) == 0);
    CHECK(v.version_major == 1);
    CHECK(v.version_minor == 3);
    v.name = reinterpret_cast<char*>(8);
    CHECK(k.ioctl(kIoctlVersion, &v) == -EFAULT);
}

TEST_CASE("capabilities of a driver without mode setting") {
    Kernel k(false);
    const auto cap = [&](uint64_t which, uint64_t* value) {
        drm_get_cap args{which, 77};
        const int error = k.ioctl(kIoctlGetCap, &args);
        *value = args.value;
        return error;
    };
    uint64_t value;
    CHECK(cap(kCapPrime, &value) == 0);
    CHECK(value == 3);
    CHECK(cap(kCapSyncobj, &value) == 0);
    CHECK(value == 1);
    CHECK(cap(kCapSyncobjTimeline, &value) == 0);
    CHECK(value == 1);
    CHECK(cap(kCapTimestampMonotonic, &value) == 0);
    CHECK(value == 1);
    CHECK(cap(1, &value) == -EOPNOTSUPP);  // dumb buffers
    CHECK(value == 0);
    CHECK(cap(999, &value) == -EOPNOTSUPP);
}

TEST_CASE("a render node refuses what is not for rendering, a card node what it cannot do") {
    Kernel k(false);
    const auto card = k.open(Node::Card);
    uint64_t zero[16] = {};
    for (const unsigned long request : {kIoctlGetUnique, kIoctlGetMagic, kIoctlSetVersion, kIoctlGemFlink,
                                        kIoctlGemOpen, kIoctlSetClientCap, kIoctlAuthMagic, kIoctlSetMaster,
                                        kIoctlDropMaster, kIoctlModeGetResources, kIoctlModeCreateDumb})
        CHECK(k.ioctl(request, zero) == -EACCES);
    CHECK(card->ioctl(kIoctlModeGetResources, zero) == -EOPNOTSUPP);
    CHECK(card->ioctl(kIoctlSetClientCap, zero) == -EOPNOTSUPP);
    CHECK(card->ioctl(kIoctlModeCreateDumb, zero) == -ENOSYS);
    CHECK(card->ioctl(kIoctlGemFlink, zero) == -EACCES);
    CHECK(card->ioctl(kIoctlGemOpen, zero) == -ENOENT);
    CHECK(card->ioctl(kIoctlGetMagic, zero) == 0);
    // The first file that opens a card is its master.
    CHECK(card->master);
    const auto second = k.open(Node::Card);
    CHECK_FALSE(second->master);
    CHECK(second->ioctl(kIoctlSetMaster, nullptr) == -EBUSY);
    CHECK(second->ioctl(kIoctlDropMaster, nullptr) == -EINVAL);
    CHECK(card->ioctl(kIoctlDropMaster, nullptr) == 0);
    CHECK(second->ioctl(kIoctlSetMaster, nullptr) == 0);
}

TEST_CASE("unknown requests") {
    Kernel k(false);
    uint64_t zero[64] = {};
    CHECK(k.ioctl(_IOC(_IOC_READ, 'x', 0, 8), zero) == -ENOTTY);
    CHECK(k.ioctl(_IOC(_IOC_NONE, 'd', 0x20, 0), zero) == -EINVAL);
    CHECK(k.ioctl(_IOC(_IOC_READ | _IOC_WRITE, 'd', 0x40 + 13, 16), zero) == -EINVAL);
    CHECK(k.ioctl(_IOC(_IOC_READ | _IOC_WRITE, 'd', 0x9f, 16), zero) == -EINVAL);
    CHECK(k.ioctl(_IOC(_IOC_READ | _IOC_WRITE, 'd', 0xff, 16), zero) == -EINVAL);
    CHECK(k.ioctl(kIoctlGetCap, nullptr) == -EFAULT);
    CHECK(k.ioctl(kIoctlGetCap, reinterpret_cast<void*>(0x10)) == -EFAULT);
}

TEST_CASE("a shorter struct is padded with zeros, a longer one is truncated") {
    Kernel k(false);
    // Without a deadline, as before Linux 6.6.
    uint32_t handle = k.syncobj(kSyncobjCreateSignaled);
    struct {
        drm_syncobj_wait wait;
        uint64_t more[4];
    } args{};
    args.wait.handles = reinterpret_cast<uintptr_t>(&handle);
    args.wait.count_handles = 1;
    args.wait.first_signaled = 9;
    CHECK(k.ioctl(_IOC(_IOC_READ | _IOC_WRITE, 'd', 0xc3, 32), &args) == 0);
    CHECK(args.wait.first_signaled == 0);
    args.wait.first_signaled = 9;
    CHECK(k.ioctl(_IOC(_IOC_READ | _IOC_WRITE, 'd', 0xc3, sizeof args), &args) == 0);
    CHECK(args.wait.first_signaled == 0);
    // Write-only: no data is returned.
    args.wait.first_signaled = 9;
    CHECK(k.ioctl(_IOC(_IOC_WRITE, 'd', 0xc3, 40), &args) == 0);
    CHECK(args.wait.first_signaled == 9);
}

TEST_CASE("handles are the lowest free numbers, and closing twice is an error") {
    Kernel k(false);
    CHECK(k.bo(1) == 1);
    CHECK(k.bo(1) == 2);
    CHECK(k.bo(1) == 3);
    drm_gem_close args{2, 0};
    CHECK(k.ioctl(kIoctlGemClose, &args) == 0);
    CHECK(k.ioctl(kIoctlGemClose, &args) == -EINVAL);
    CHECK(k.bo(1) == 2);
    args.handle = 0;
    CHECK(k.ioctl(kIoctlGemClose, &args) == -EINVAL);
}

TEST_CASE("dma-bufs: the same object is imported as the same handle") {
    Kernel k(false);
    const uint32_t bo = k.bo(8192);
    drm_prime_handle args{bo, O_CLOEXEC | O_RDWR, -1};
    REQUIRE(k.ioctl(kIoctlPrimeHandleToFd, &args) == 0);
    const int fd = args.fd;
    CHECK(lseek(fd, 0, SEEK_END) == 8192);
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    const int copy = dup(fd);
    args = {99, 0, copy};
    REQUIRE(k.ioctl(kIoctlPrimeFdToHandle, &args) == 0);
    CHECK(args.handle == bo);

    // In another file it is another handle for the same memory.
    const auto other = k.open();
    args = {0, 0, copy};
    REQUIRE(other->ioctl(kIoctlPrimeFdToHandle, &args) == 0);
    CHECK(args.handle == 1);
    CHECK(other->objects.find(1) == k.file->objects.find(bo));
    args.handle = 0;
    REQUIRE(other->ioctl(kIoctlPrimeFdToHandle, &args) == 0);
    CHECK(args.handle == 1);

    // Likewise in another kernel, as in another process.
    Kernel foreign(false);
    args = {0, 0, fd};
    REQUIRE(foreign.ioctl(kIoctlPrimeFdToHandle, &args) == 0);
    auto* here = k.map<uint32_t>(bo, 8192);
    auto* there = foreign.map<uint32_t>(args.handle, 8192);
    here[7] = 0xabcd;
    CHECK(there[7] == 0xabcd);
    munmap(here, 8192);
    munmap(there, 8192);
    close(fd);
    close(copy);
}

TEST_CASE("errors of PRIME") {
    Kernel k(false);
    const uint32_t bo = k.bo(4096), vm = k.vm(), own = k.bo(4096, 0, vm);
    drm_prime_handle args{bo, 1, -1};
    CHECK(k.ioctl(kIoctlPrimeHandleToFd, &args) == -EINVAL);
    args = {77, O_CLOEXEC, -1};
    CHECK(k.ioctl(kIoctlPrimeHandleToFd, &args) == -ENOENT);
    args = {own, O_CLOEXEC, -1};
    CHECK(k.ioctl(kIoctlPrimeHandleToFd, &args) == -EINVAL);  // exclusive to a VM
    args = {0, 0, -1};
    CHECK(k.ioctl(kIoctlPrimeFdToHandle, &args) == -EBADF);
    int pipes[2];
    REQUIRE(pipe(pipes) == 0);
    args = {0, 0, pipes[0]};
    CHECK(k.ioctl(kIoctlPrimeFdToHandle, &args) == -EINVAL);
    const int memfd = memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    REQUIRE(ftruncate(memfd, 4096) == 0);
    args = {0, 0, memfd};
    CHECK(k.ioctl(kIoctlPrimeFdToHandle, &args) == -EINVAL);
    close(memfd);
    close(pipes[0]);
    close(pipes[1]);
}

TEST_CASE("mmap finds exactly the objects with a handle in this file") {
    Kernel k(false);
    const uint32_t bo = k.bo(8192);
    drm_panthor_bo_mmap_offset args{bo, 0, 0};
    REQUIRE(k.ioctl(kPanthorBoMmapOffset, &args) == 0);
    CHECK(args.offset == 0x100000000);
    void* p = nullptr;
    const auto map = [&](uint64_t offset, uint64_t size_B, int flags = MAP_SHARED) {
        const int error = k.file->mmap(nullptr, size_B, PROT_READ, flags, offset, &p);
        if (error == 0) munmap(p, size_B);
        return error;
    };
    CHECK(map(args.offset, 8192) == 0);
    CHECK(map(args.offset, 4096) == 0);
    CHECK(map(args.offset, 8193) == -EINVAL);
    CHECK(map(args.offset + 4096, 4096) == -EINVAL);
    CHECK(map(args.offset, 0) == -EINVAL);
    CHECK(map(0, 4096) == -EINVAL);
    CHECK(map(args.offset, 4096, MAP_PRIVATE) == -EINVAL);
    const auto other = k.open();
    CHECK(other->mmap(nullptr, 4096, PROT_READ, MAP_SHARED, args.offset, &p) == -EACCES);
}

TEST_CASE("objects that cannot be exported need no descriptor") {
    Kernel k(false);
    const uint32_t vm = k.vm();
    const int before = dup(0);
    for (int i = 0; i < 50; i++)
        (void)k.bo(4096, 0, vm);
    const int after = dup(0);
    CHECK(after == before + 1);
    close(before);
    close(after);
}

TEST_CASE("objects that cannot be exported can be mapped any number of times") {
    Kernel k(false);
    const uint32_t first = k.bo(8192, 0, k.vm());
    auto* a = k.map<uint32_t>(first, 8192);
    auto* b = k.map<uint32_t>(first, 4096);
    a[9] = 4;
    CHECK(b[9] == 4);
    CHECK(k.file->objects.find(first)->host()[36] == 4);
    // At a fixed address, and read-only.
    void* place = mmap(nullptr, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    drm_panthor_bo_mmap_offset args{first, 0, 0};
    REQUIRE(k.ioctl(kPanthorBoMmapOffset, &args) == 0);
    void* there = nullptr;
    REQUIRE(k.file->mmap(place, 8192, PROT_READ, MAP_SHARED | MAP_FIXED, args.offset, &there) == 0);
    CHECK(there == place);
    CHECK(static_cast<uint32_t*>(there)[9] == 4);
    for (void* p : {static_cast<void*>(a), there})
        munmap(p, 8192);
    munmap(b, 4096);
}

/// mremap with an old size of 0 returns EINVAL, as under Valgrind.
bool refuse_second_mappings() {
    constexpr auto load = [](size_t at) {
        return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, unsigned(at));
    };
    constexpr auto equal = [](unsigned value, unsigned char yes, unsigned char no) {
        return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
    };
    sock_filter filter[] = {
        load(offsetof(seccomp_data, nr)),
        equal(__NR_mremap, 0, 3),
        load(offsetof(seccomp_data, args[1])),
        equal(0, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EINVAL & SECCOMP_RET_DATA)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// A new process runs these cases, since whether the system maps memory again is asked only once.
TEST_CASE("where memory without a descriptor cannot be mapped again, objects can") {
    constexpr int kCannotRestrict = 99;
    const pid_t child = fork();
    if (child == 0) {
        if (!refuse_second_mappings()) _exit(kCannotRestrict);
        execl("/proc/self/exe", "test_winsys", "-m",
              "-tc=objects that cannot be exported can be mapped*,msm: objects that are not shared cannot*",
              nullptr);
        _exit(kCannotRestrict);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) == kCannotRestrict) return;
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("an object keeps its offset, and a mapping keeps the memory") {
    Kernel k(false);
    const uint32_t bo = k.bo(4096);
    auto* memory = k.map<uint32_t>(bo, 4096);
    auto* again = k.map<uint32_t>(bo, 4096);
    memory[0] = 5;
    CHECK(again[0] == 5);
    drm_gem_close close_args{bo, 0};
    REQUIRE(k.ioctl(kIoctlGemClose, &close_args) == 0);
    memory[0] = 6;  // as with a real driver, the mapping keeps the memory
    CHECK(again[0] == 6);
    munmap(memory, 4096);
    munmap(again, 4096);
}

TEST_CASE("a child has lost the device, and exits without hanging") {
    GpuLog log;
    auto device = winsys::virt::panthor::create_device(test_info(), create_test_gpu(&log), {});
    auto drm = winsys::open_virtual_drm(device);
    drm_get_cap cap{kCapPrime, 0};
    REQUIRE(drm->ioctl(kIoctlGetCap, &cap) == 0);
    const std::unique_lock lock(device->domain.mutex);  // as another thread might hold it
    const pid_t child = fork();
    if (child == 0) {
        const bool lost = drm->ioctl(kIoctlGetCap, &cap) == -ENODEV;
        drm.reset();
        device.reset();
        _exit(lost ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("devices have names") {
    std::string why;
    struct NoopChip : winsys::virt::Chip {
        std::string_view name() const override { return "mali-g610"; }
        std::string_view kernel_driver() const override { return "panthor"; }
        winsys::virt::PlatformDevice platform() const override { return {"1000", "gpu", {"test,gpu"}}; }
        bool has_gpu() const override { return false; }
        std::shared_ptr<winsys::virt::Device> create_device(bool runs, uint64_t) const override {
            CHECK_FALSE(runs);
            return winsys::virt::panthor::create_device(test_info(), nullptr, {});
        }
    } chip;
    const winsys::virt::Chip* const chips[] = {&chip};
    CHECK(winsys::virt::device_names(chips) == std::vector<std::string>{"noop:mali-g610"});
    CHECK(winsys::virt::create_device("noop:mali-g610", chips, &why) != nullptr);
    CHECK(winsys::virt::create_device("sim:mali-g610", chips, &why) == nullptr);
    CHECK(why == "there is no device 'sim:mali-g610'; there is noop:mali-g610");
    CHECK(winsys::open_drm_node("/dev/dri/none", &why) == nullptr);
    CHECK(why == "cannot open /dev/dri/none: No such file or directory");
}
