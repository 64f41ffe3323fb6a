// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/fuzz/ioctl_program.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

using namespace terrazzo;
using namespace terrazzo::uapi;
namespace virt = terrazzo::winsys::virt;

namespace fuzz {

namespace {

constexpr unsigned kMaxSteps = 200;
constexpr size_t kMaxDescriptors = 32;
constexpr size_t kDeep_B = 512;  // the memory that pointers lead to
constexpr size_t kPage_B = 4096;
// Addresses of a process' memory. Words may not point there, except for pointers of this program.
constexpr uint64_t kFirstOwn = uint64_t(1) << 40, kEndOfOwn = uint64_t(1) << 47;

/// Requests that every driver has.
constexpr unsigned long kCoreRequests[] = {kIoctlVersion,
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
                                           kIoctlSyncobjTimelineSignal};

/// A page between two inaccessible pages. Arguments are at its end, the memory of their pointers is at its
/// beginning.
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

const UserPage& page() {
    static const UserPage p;
    return p;
}

}  // namespace

IoctlProgram::IoctlProgram(std::shared_ptr<virt::Device> device, const IoctlVendor& vendor, Bytes in)
    : in_(in), vendor_(vendor), device_(std::move(device)) {
    if (!device_) std::abort();
}

IoctlProgram::~IoctlProgram() {
    for (const int fd : fds_)
        close(fd);
}

void IoctlProgram::run() {
    must_open();
    for (unsigned n = 0; n < kMaxSteps && !in_.empty(); ++n)
        step();
}

void IoctlProgram::must_open() {
    if (open()) return;
    std::fprintf(stderr, "ioctl fuzzer: a plain request was refused\n");
    std::abort();
}

bool IoctlProgram::open_file() {
    file_ = std::make_unique<virt::File>(device_, virt::Node::Render, false);
    bool good = true;
    for (unsigned i = 0; i < 2; ++i) {
        drm_syncobj_create s{0, i};
        good = good && file_->ioctl(kIoctlSyncobjCreate, &s) == 0;
    }
    return good;
}

/// Eight bytes of a struct. Kernels mostly expect small numbers (handles, counts), pairs of them, sizes,
/// flags and pointers.
uint64_t IoctlProgram::word() {
    const uint8_t k = in_.u8();
    const unsigned low = k & 31;
    if (k < 0x30) return k;
    if (k < 0x40) return (k & 15) | uint64_t(in_.u8()) << 32;
    if (k < 0x60) return uint64_t(low) << 12;
    if (k < 0x80) return uint64_t(1) << low * 2;
    if (k < 0xa0) return reinterpret_cast<uintptr_t>(page().start) + low * 16;
    if (k < 0xb0) return vendor_.strides[k & 7] | uint64_t(in_.u8()) << 32;
    if (k < 0xc0) return in_.u32();
    if (k < 0xd0) {
        // libFuzzer learns this program's pointers from comparisons. A request that writes through one would
        // damage the program, on any kernel.
        const uint64_t w = in_.u64();
        return w >= kFirstOwn && w < kEndOfOwn ? w | kEndOfOwn : w;
    }
    if (k < 0xd8) return reinterpret_cast<uintptr_t>(page().start) + kPage_B - (k & 7) * 8;
    return k < 0xe0 ? ~uint64_t(0) : 0;
}

void IoctlProgram::step() {
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
    if (k >= 0xfe) must_open();
}

/// Requests that are valid but useless for a fuzzer: those that wait, use up the machine's memory, or close
/// descriptors that are not the program's.
void IoctlProgram::tame_core(unsigned long request, uint8_t* a) {
    switch (request) {
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

void IoctlProgram::request() {
    const size_t core = std::size(kCoreRequests), which = in_.below(uint32_t(core + vendor_.requests.size()));
    const unsigned long request = which < core ? kCoreRequests[which] : vendor_.requests[which - core];
    const size_t size_B = _IOC_SIZE(request);
    uint8_t* const a = page().arguments((size_B + 7) & ~size_t(7));
    for (size_t at = 0; at < size_B; at += 8) {
        const uint64_t w = word();
        std::memcpy(a + at, &w, 8);
    }
    tame_core(request, a);
    tame(request, a);
    const uint8_t* given = given_descriptor(request, a);
    if (request == kIoctlPrimeHandleToFd) given = a + offsetof(drm_prime_handle, fd);
    if (request == kIoctlSyncobjHandleToFd) given = a + offsetof(drm_syncobj_handle, fd);
    if (given && fds_.size() >= kMaxDescriptors) return;
    // Sometimes longer or shorter than the kernel's struct; not if a descriptor would be lost.
    const uint8_t other = in_.u8();
    const unsigned long as_sent =
        given || other < 0xf0 ? request : request ^ 1ul << (_IOC_SIZESHIFT + (other & 7));
    if (file_->ioctl(as_sent, a) != 0) return;
    if (given) {
        int fd = -1;
        std::memcpy(&fd, given, sizeof fd);
        fds_.push_back(fd);
    }
    if (request == vendor_.tells_offset)
        std::memcpy(&last_offset_, a + vendor_.offset_at_B, sizeof last_offset_);
}

void IoctlProgram::descriptor_request() {
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

void IoctlProgram::map() {
    const uint64_t size_B = uint64_t(in_.u8()) << 10, offset = in_.u8() % 4 ? last_offset_ : word();
    void* p = nullptr;
    if (file_->mmap(nullptr, size_B, PROT_READ | (in_.u8() % 2 ? PROT_WRITE : 0), MAP_SHARED, offset, &p) ==
        0)
        munmap(p, size_B);
}

}  // namespace fuzz
