// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/memory/buffer_object.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "winsys/environment/file_size.h"
#include "winsys/memory/dmabuf.h"

namespace terrazzo::winsys::virt {
namespace {

// A dma-buf has a fixed size. These seals tell our memfds from other ones and guarantee that a mapping never
// loses its pages.
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// Drivers map small objects often and write most of each, so one request is cheaper than a fault per page.
// Populating for reads maps the existing pages in groups of sixteen; shared pages that were read are writable
// as well.
constexpr uint64_t kPopulated_B = 64 << 10;
constexpr int kPopulateRead = 22;  // MADV_POPULATE_READ, since Linux 5.14; older kernels refuse it

/// Objects of a real kernel need no descriptors, so the soft limit of descriptors must not stop a program: it
/// is raised.
int new_memfd() {
    const int fd = memfd_create("terrazzo-bo", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    rlimit limit;
    if (fd >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
        limit.rlim_cur >= limit.rlim_max)
        return fd;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    return memfd_create("terrazzo-bo", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

/// Closes the descriptor if it throws.
std::shared_ptr<MemfdUses> own_file(int fd, bool own) {
    try {
        return std::make_shared<MemfdUses>(fd, own);
    } catch (const std::bad_alloc&) {
        close(fd);
        throw;
    }
}

/// mremap(2) with an old size of 0 maps a shared mapping a second time. Unless `fixed`, the kernel chooses
/// the address; `address` is no hint.
void* map_again(void* shared, uint64_t size_B, bool fixed, void* address) {
    return mremap(shared, 0, size_B, MREMAP_MAYMOVE | (fixed ? MREMAP_FIXED : 0), address);
}

/// Whether memory without a descriptor can be mapped a second time. Valgrind and some sandboxes refuse it.
bool maps_again() {
    static const bool does = [] {
        void* const first =
            mmap(nullptr, kPageSize_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (first == MAP_FAILED) return true;
        void* const second = map_again(first, kPageSize_B, false, nullptr);
        if (second != MAP_FAILED) munmap(second, kPageSize_B);
        munmap(first, kPageSize_B);
        return second != MAP_FAILED;
    }();
    return does;
}

}  // namespace

bool inode_of(int fd, Inode* out) {
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) return false;
    *out = {st.st_dev, st.st_ino};
    return true;
}

int BufferObject::map_first(int flags) {
    const int fd = file_ ? file_->fd() : -1;
    void* p = mmap(nullptr, size_B_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | flags, fd, 0);
    if (p == MAP_FAILED) return -ENOMEM;
    host_ = static_cast<uint8_t*>(p);
    return fd < 0 || inode_of(fd, &inode_) ? 0 : -EBADF;
}

std::shared_ptr<BufferObject> BufferObject::create(uint64_t size_B, uint32_t flags, bool can_be_exported,
                                                   int* error) {
    const uint64_t rounded_B = (size_B + kPageSize_B - 1) & ~(kPageSize_B - 1);
    if (rounded_B == 0 || rounded_B < size_B || rounded_B > INT64_MAX) {
        *error = -EINVAL;
        return nullptr;
    }
    std::shared_ptr<BufferObject> bo(new BufferObject);
    bo->size_B_ = rounded_B;
    bo->flags_ = flags;
    bo->can_be_exported_ = can_be_exported;
    if (!can_be_exported && maps_again()) {
        *error = bo->map_first(MAP_ANONYMOUS);
        return *error == 0 ? bo : nullptr;
    }
    const int fd = new_memfd();
    if (fd < 0) {
        *error = errno == EMFILE || errno == ENFILE ? -errno : -ENOMEM;
        return nullptr;
    }
    bo->file_ = own_file(fd, true);
    const FileSizeSignalBlock no_signal;
    *error = ftruncate(fd, static_cast<off_t>(rounded_B)) != 0 || fcntl(fd, F_ADD_SEALS, kSeals) != 0
                 ? -ENOMEM
                 : bo->map_first(0);
    return *error == 0 ? bo : nullptr;
}

int BufferObject::map(void* address, uint64_t size_B, int prot, int flags, void** out) const {
    void* p;
    if (file_) {
        p = mmap(address, size_B, prot, flags, file_->fd(), 0);
    } else {
        p = map_again(host_, size_B, flags & MAP_FIXED, address);
        if (p != MAP_FAILED && prot != (PROT_READ | PROT_WRITE) && mprotect(p, size_B, prot) != 0) {
            const int error = errno;
            munmap(p, size_B);
            return -error;
        }
    }
    if (p == MAP_FAILED) return -errno;
    if (size_B <= kPopulated_B) (void)madvise(p, size_B, kPopulateRead);
    *out = p;
    return 0;
}

std::shared_ptr<BufferObject> BufferObject::import(int fd, int* error) {
    struct stat st;
    if (fstat(fd, &st) != 0) {
        *error = -EBADF;
        return nullptr;
    }
    *error = -EINVAL;
    const bool is_memfd = fcntl(fd, F_GET_SEALS) == kSeals;
    if (!is_memfd && !is_kernel_dmabuf(fd)) return nullptr;
    if (st.st_size <= 0 || st.st_size % kPageSize_B) return nullptr;
    std::shared_ptr<BufferObject> bo(new BufferObject);
    bo->size_B_ = static_cast<uint64_t>(st.st_size);
    // With an open file description of its own, this process can show other processes its uses.
    int own = is_memfd ? open_memfd_again(fd) : -1;
    const bool again = own >= 0;
    if (!again) own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0) {
        *error = -errno;
        return nullptr;
    }
    bo->file_ = own_file(own, again);
    *error = bo->map_first(0);
    if (*error) return nullptr;
    bo->reservation.share(bo->file_);
    return bo;
}

int BufferObject::export_fd(bool close_on_exec) {
    if (!can_be_exported_) return -EPERM;
    const int fd = file_->export_fd(close_on_exec);
    if (fd < 0) return -errno;
    reservation.share(file_);
    return fd;
}

BufferObject::~BufferObject() {
    if (host_) munmap(host_, size_B_);
}

}  // namespace terrazzo::winsys::virt
