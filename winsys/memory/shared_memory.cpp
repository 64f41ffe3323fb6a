// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Linux Documentation/driver-api/dma-buf.rst (poll of a dma-buf), include/uapi/linux/udmabuf.h,
// memfd_create(2).
#include "winsys/memory/shared_memory.h"

#include <fcntl.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "winsys/drm/sync_file.h"
#include "winsys/environment/file_size.h"
#include "winsys/memory/dmabuf.h"

namespace terrazzo::winsys {
namespace {

constexpr uint64_t kPage_B = 4096;
/// The seals of the virtual kernel's dma-bufs (virtual/memory/buffer_object.cpp).
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
constexpr char kUdmabuf[] = "/dev/udmabuf";
constexpr char kSealed[] = "it is sealed against writing (F_SEAL_WRITE)";
constexpr char kReadOnly[] = "its descriptor only allows reading";

int create_memfd(uint64_t size_B) {
    const int fd = memfd_create("terrazzo-image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -1;
    const FileSizeSignalBlock no_signal;
    if (ftruncate(fd, off_t(size_B)) == 0) return fd;
    close(fd);
    return -1;
}

/// A dma-buf of the memfd's pages; -1: the kernel has no udmabuf, or this process may not use it.
int create_udmabuf(int memfd, uint64_t size_B) {
    const int device = open(kUdmabuf, O_RDWR | O_CLOEXEC);
    if (device < 0) return -1;
    udmabuf_create request{};
    request.memfd = uint32_t(memfd);
    request.flags = UDMABUF_FLAGS_CLOEXEC;
    request.size = size_B;
    const int fd = ioctl(device, UDMABUF_CREATE, &request);
    close(device);
    return fd < 0 ? -1 : fd;
}

}  // namespace

bool SharedMemory::map(uint64_t used_B) {
    const uint64_t size_B = used_B < size_B_ ? used_B : size_B_;
    mapped_B_ = ((size_B + kPage_B - 1) & ~(kPage_B - 1)) + kPage_B;
    void* const room =
        mmap(nullptr, mapped_B_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return false;
    data_ = static_cast<uint8_t*>(room);
    if (!not_writable_ &&
        mmap(room, size_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_->fd(), 0) != MAP_FAILED)
        return true;
    if (!not_writable_) not_writable_ = kReadOnly;
    return mmap(room, size_B, PROT_READ, MAP_SHARED | MAP_FIXED, file_->fd(), 0) != MAP_FAILED;
}

std::unique_ptr<SharedMemory> SharedMemory::create(uint64_t size_B) {
    const uint64_t rounded_B = (size_B + kPage_B - 1) & ~(kPage_B - 1);
    if (!rounded_B || rounded_B < size_B || rounded_B > INT64_MAX) return nullptr;
    std::unique_ptr<SharedMemory> m(new SharedMemory);
    m->size_B_ = rounded_B;
    const int memfd = create_memfd(rounded_B);
    if (memfd < 0) return nullptr;
    auto file = std::make_unique<MemfdUses>(memfd, true);
    // udmabuf requires this seal and refuses all others.
    if (fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK) != 0) return nullptr;
    if (const int dmabuf = create_udmabuf(memfd, rounded_B); dmabuf >= 0) {
        file = std::make_unique<MemfdUses>(dmabuf, false);
        m->is_dmabuf_ = true;
    } else if (fcntl(memfd, F_ADD_SEALS, kSeals) != 0) {
        return nullptr;
    }
    m->file_ = std::move(file);
    return m->map(rounded_B) ? std::move(m) : nullptr;
}

std::unique_ptr<SharedMemory> SharedMemory::import(int fd, uint64_t used_B) {
    const int seals = fcntl(fd, F_GET_SEALS);
    const bool sealed = seals >= 0 && (seals & F_SEAL_SHRINK);
    const bool dmabuf = seals < 0 && is_kernel_dmabuf(fd);
    const off_t size_B = lseek(fd, 0, SEEK_END);
    if ((!sealed && !dmabuf) || size_B <= 0) return nullptr;
    std::unique_ptr<SharedMemory> m(new SharedMemory);
    m->size_B_ = uint64_t(size_B);
    m->is_dmabuf_ = dmabuf;
    int own = sealed ? open_memfd_again(fd) : -1;
    const bool again = own >= 0;
    if (!again) own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0) return nullptr;
    m->file_ = std::make_unique<MemfdUses>(own, again);
    if (seals >= 0 && (seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE))) m->not_writable_ = kSealed;
    return m->map(used_B) ? std::move(m) : nullptr;
}

SharedMemory::~SharedMemory() {
    if (data_) munmap(data_, mapped_B_);
}

int SharedMemory::export_fd() const {
    return file_->export_fd();
}

bool SharedMemory::used_by_others(bool write) const {
    if (is_dmabuf_)
        return !wait_for_dmabuf(file_->fd(), write, 0) && !given_up_.load(std::memory_order_relaxed);
    std::vector<MemfdUses::Others> others;
    file_->collect(write, &others);
    return !others.empty();
}

bool SharedMemory::wait_for_others(bool write, uint64_t limit_ns, pid_t* pid) const {
    if (!is_dmabuf_) return file_->wait(write, limit_ns, pid);
    const bool given_up = given_up_.load(std::memory_order_relaxed);
    const bool done = wait_for_dmabuf(file_->fd(), write, given_up ? 0 : limit_ns);
    given_up_.store(!done, std::memory_order_relaxed);
    *pid = 0;
    return done || given_up;
}

uint64_t SharedMemory::inode() const {
    struct stat s {};
    return fstat(file_->fd(), &s) == 0 ? uint64_t(s.st_ino) : 0;
}

}  // namespace terrazzo::winsys
