// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: requests to the virtual kernel by a program that it does not trust (winsys/shim's case). The
// first byte says with what GPU: mostly none, which completes work at once and needs no thread. Then come
// steps: requests whose words are small numbers, sizes, flags or pointers, and words put where those pointers
// point.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/target.h"
#include "tests/winsys/virtual/test_gpu.h"
#include "winsys/uapi/panthor.h"
#include "winsys/virtual/file.h"
#include "winsys/virtual/panthor/driver.h"

using namespace terrazzo;
using namespace terrazzo::uapi;
namespace virt = terrazzo::winsys::virt;

namespace {

constexpr unsigned kMaxSteps = 200;
constexpr size_t kDeep_B = 512;              // what pointers reach
constexpr uint64_t kMaxObject_B = 16 << 20;  // so that the machine is not eaten
constexpr size_t kPage_B = 4096;
// Where a process has its memory; the words that are pointers apart, none may lie here.
constexpr uint64_t kFirstOwn = uint64_t(1) << 40, kEndOfOwn = uint64_t(1) << 47;

constexpr unsigned long kRequests[] = {kIoctlVersion,
                                       kIoctlGetUnique,
                                       kIoctlGetMagic,
                                       kIoctlSetVersion,
                                       kIoctlGemClose,
                                       kIoctlGemFlink,
                                       kIoctlGemOpen,
                                       kIoctlGetCap,
                                       kIoctlSetClientCap,
                                       kIoctlAuthMagic,
                                       kIoctlSetMaster,
                                       kIoctlDropMaster,
                                       kIoctlPrimeHandleToFd,
                                       kIoctlPrimeFdToHandle,
                                       kIoctlModeGetResources,
                                       kIoctlModeCreateDumb,
                                       kIoctlSyncobjCreate,
                                       kIoctlSyncobjDestroy,
                                       kIoctlSyncobjHandleToFd,
                                       kIoctlSyncobjFdToHandle,
                                       kIoctlSyncobjWait,
                                       kIoctlSyncobjReset,
                                       kIoctlSyncobjSignal,
                                       kIoctlSyncobjTimelineWait,
                                       kIoctlSyncobjQuery,
                                       kIoctlSyncobjTransfer,
                                       kIoctlSyncobjTimelineSignal,
                                       kPanthorDevQuery,
                                       kPanthorVmCreate,
                                       kPanthorVmDestroy,
                                       kPanthorVmBind,
                                       kPanthorVmGetState,
                                       kPanthorBoCreate,
                                       kPanthorBoMmapOffset,
                                       kPanthorGroupCreate,
                                       kPanthorGroupDestroy,
                                       kPanthorGroupSubmit,
                                       kPanthorGroupGetState,
                                       kPanthorTilerHeapCreate,
                                       kPanthorTilerHeapDestroy};
/// Of what arrays hold, and some that are wrong.
constexpr uint32_t kStrides[] = {sizeof(drm_panthor_sync_op),
                                 sizeof(drm_panthor_vm_bind_op),
                                 sizeof(drm_panthor_queue_submit),
                                 sizeof(drm_panthor_queue_create),
                                 0,
                                 1,
                                 12,
                                 64};

/// A page between two that nobody may touch. Arguments lie at its end, what they point to at its beginning.
struct UserPage {
    uint8_t* start;
    UserPage() {
        void* const p = mmap(nullptr, 3 * kPage_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED ||
            mprotect(static_cast<uint8_t*>(p) + kPage_B, kPage_B, PROT_READ | PROT_WRITE) != 0)
            std::abort();
        start = static_cast<uint8_t*>(p) + kPage_B;
    }
    [[nodiscard]] uint8_t* arguments(size_t size_B) const { return start + kPage_B - size_B; }
};

class Program {
  public:
    Program(bool gpu, fuzz::Bytes in) : in_(in) {
        virt::SchedulerOptions options;
        options.run_timeout_ns = options.blocked_timeout_ns = 5'000'000;
        options.report = [](const std::string&) {};
        device_ = virt::panthor::create_device(test::test_info(),
                                               gpu ? test::create_test_gpu(&log_) : nullptr, options);
        if (!device_) std::abort();
        open();
    }
    ~Program() {
        for (const int fd : fds_)
            close(fd);
    }
    void run() {
        for (unsigned n = 0; n < kMaxSteps && !in_.empty(); ++n)
            step();
    }

  private:
    void open();
    void step();
    void request();
    void descriptor_request();
    void map();
    uint64_t word();
    void tame(unsigned long request, uint8_t* arguments);
    int descriptor() { return fds_.empty() ? -1 : fds_[in_.u8() % fds_.size()]; }
    template <class T>
    static T* as(uint8_t* arguments) {
        return reinterpret_cast<T*>(arguments);
    }

    static const UserPage& page() {
        static const UserPage p;
        return p;
    }
    fuzz::Bytes in_;
    test::GpuLog log_;
    std::shared_ptr<virt::Device> device_;
    std::unique_ptr<virt::File> file_;
    std::vector<int> fds_;
    uint64_t last_offset_ = 0;  // for mmap
};

/// A fresh file with something to name: VM 1 with 64 KiB bound, object 1, group 1 of two queues, syncobjs 1
/// and 2.
void Program::open() {
    file_ = std::make_unique<virt::File>(device_, virt::Node::Render, false);
    drm_panthor_vm_create vm{};
    drm_panthor_bo_create bo{65536, 0, 0, 0, 0};
    bool good = file_->ioctl(kPanthorVmCreate, &vm) == 0 && file_->ioctl(kPanthorBoCreate, &bo) == 0;
    drm_panthor_vm_bind_op op{0, bo.handle, 0, 0x1000, 65536, {}};
    drm_panthor_vm_bind bind{vm.id, 0, {sizeof op, 1, reinterpret_cast<uintptr_t>(&op)}};
    good = good && file_->ioctl(kPanthorVmBind, &bind) == 0;
    drm_panthor_queue_create queues[2] = {{0, {}, 4096}, {0, {}, 4096}};
    drm_panthor_group_create group{};
    group.queues = {sizeof queues[0], 2, reinterpret_cast<uintptr_t>(queues)};
    group.max_compute_cores = group.max_fragment_cores = 4;
    group.max_tiler_cores = 1;
    group.compute_core_mask = group.fragment_core_mask = 0x50005;
    group.tiler_core_mask = 1;
    group.priority = kGroupPriorityMedium;
    group.vm_id = vm.id;
    good = good && file_->ioctl(kPanthorGroupCreate, &group) == 0;
    for (unsigned i = 0; i < 2; ++i) {
        drm_syncobj_create s{0, i};
        good = good && file_->ioctl(kIoctlSyncobjCreate, &s) == 0;
    }
    if (good) return;
    std::fprintf(stderr, "ioctl_fuzz: a plain request was refused\n");
    std::abort();
}

/// Eight bytes of a struct. What kernels take is mostly small numbers (handles, counts), pairs of such,
/// sizes, flags and pointers.
uint64_t Program::word() {
    const uint8_t k = in_.u8();
    const unsigned low = k & 31;
    if (k < 0x30) return k;
    if (k < 0x40) return (k & 15) | uint64_t(in_.u8()) << 32;
    if (k < 0x60) return uint64_t(low) << 12;
    if (k < 0x80) return uint64_t(1) << low * 2;
    if (k < 0xa0) return reinterpret_cast<uintptr_t>(page().start) + low * 16;
    if (k < 0xb0) return kStrides[k & 7] | uint64_t(in_.u8()) << 32;
    if (k < 0xc0) return in_.u32();
    if (k < 0xd0) {
        // libFuzzer learns our own pointers from comparisons. A request that writes to one damages the
        // program that made it, on any kernel.
        const uint64_t w = in_.u64();
        return w >= kFirstOwn && w < kEndOfOwn ? w | kEndOfOwn : w;
    }
    if (k < 0xd8) return reinterpret_cast<uintptr_t>(page().start) + kPage_B - (k & 7) * 8;
    return k < 0xe0 ? ~uint64_t(0) : 0;
}

void Program::step() {
    const uint8_t k = in_.u8();
    if (k < 0xb0) return request();
    if (k < 0xe0) {
        const size_t at = in_.u8() % (kDeep_B / 8), count = 1 + k % 8;
        for (size_t i = at; i < at + count && i < kDeep_B / 8; ++i) {
            const uint64_t w = word();
            std::memcpy(page().start + i * 8, &w, 8);
        }
        return;
    }
    if (k < 0xf0) return descriptor_request();
    if (k < 0xf8) return map();
    if (k < 0xfa && !fds_.empty()) {
        const size_t which = in_.u8() % fds_.size();
        close(fds_[which]);
        fds_.erase(fds_.begin() + ptrdiff_t(which));
    }
    if (k >= 0xfe) open();
}

/// What a kernel would do too, and what a fuzzer cannot use: waiting, eating the machine, taking descriptors
/// that are not the program's.
void Program::tame(unsigned long request, uint8_t* a) {
    switch (request) {
        case kPanthorBoCreate:
            as<drm_panthor_bo_create>(a)->size %= kMaxObject_B;
            break;
        case kPanthorTilerHeapCreate: {
            auto* const h = as<drm_panthor_tiler_heap_create>(a);
            if (h->chunk_size > 8u << 20) break;  // is refused
            h->initial_chunk_count %= 64;
            break;
        }
        case kIoctlSyncobjWait:
            as<drm_syncobj_wait>(a)->timeout_nsec = 0;
            break;
        case kIoctlSyncobjTimelineWait:
            as<drm_syncobj_timeline_wait>(a)->timeout_nsec = 0;
            break;
        case kIoctlSyncobjTransfer:
            as<drm_syncobj_transfer>(a)->flags &= ~kSyncobjWaitForSubmit;
            break;
        case kIoctlPrimeFdToHandle:
            as<drm_prime_handle>(a)->fd = descriptor();
            break;
        case kIoctlSyncobjFdToHandle:
            as<drm_syncobj_handle>(a)->fd = descriptor();
            break;
    }
}

void Program::request() {
    const unsigned long request = in_.pick(kRequests);
    const bool gives_descriptor = request == kIoctlPrimeHandleToFd || request == kIoctlSyncobjHandleToFd;
    const size_t size_B = _IOC_SIZE(request);
    uint8_t* const a = page().arguments((size_B + 7) & ~size_t(7));
    for (size_t at = 0; at < size_B; at += 8) {
        const uint64_t w = word();
        std::memcpy(a + at, &w, 8);
    }
    tame(request, a);
    if (gives_descriptor) {
        int fd = -1;
        if (fds_.size() >= 32 || file_->ioctl(request, a) != 0) return;
        std::memcpy(&fd,
                    request == kIoctlPrimeHandleToFd ? a + offsetof(drm_prime_handle, fd)
                                                     : a + offsetof(drm_syncobj_handle, fd),
                    4);
        fds_.push_back(fd);
        return;
    }
    // Now and then longer or shorter than the kernel knows it.
    const uint8_t other = in_.u8();
    const unsigned long as_sent = other < 0xf0 ? request : request ^ 1ul << (_IOC_SIZESHIFT + (other & 7));
    if (file_->ioctl(as_sent, a) == 0 && request == kPanthorBoMmapOffset)
        last_offset_ = as<drm_panthor_bo_mmap_offset>(a)->offset;
}

void Program::descriptor_request() {
    const int fd = descriptor();
    if (fd < 0) return;
    constexpr unsigned long kOf[] = {kIoctlSyncMerge, kIoctlSyncFileInfo, kIoctlDmaBufSync,
                                     kIoctlDmaBufExportSyncFile, kIoctlDmaBufImportSyncFile};
    const unsigned long request = in_.pick(kOf);
    uint8_t* const a = page().arguments((_IOC_SIZE(request) + 7) & ~size_t(7));
    for (size_t at = 0; at < _IOC_SIZE(request); at += 8) {
        const uint64_t w = word();
        std::memcpy(a + at, &w, 8);
    }
    if (request == kIoctlSyncMerge) as<sync_merge_data>(a)->fd2 = descriptor();
    if (request == kIoctlDmaBufImportSyncFile) as<dma_buf_sync_file>(a)->fd = descriptor();
    bool ours = false;
    if (device_->descriptor_ioctl(fd, request, a, &ours) != 0 || !ours) return;
    if (request == kIoctlSyncMerge) fds_.push_back(as<sync_merge_data>(a)->fence);
    if (request == kIoctlDmaBufExportSyncFile) fds_.push_back(as<dma_buf_sync_file>(a)->fd);
}

void Program::map() {
    const uint64_t size_B = uint64_t(in_.u8()) << 10, offset = in_.u8() % 4 ? last_offset_ : word();
    void* p = nullptr;
    if (file_->mmap(nullptr, size_B, PROT_READ | (in_.u8() % 2 ? PROT_WRITE : 0), MAP_SHARED, offset, &p) ==
        0)
        munmap(p, size_B);
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    if (!size) return 0;
    Program(data[0] >= 0xf0, {data + 1, size - 1}).run();
    return 0;
}
