// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/buffer_object.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace terrazzo::winsys::virt {
namespace {

// The size of a dma-buf never changes; these seals tell ours from other memfds, and keep a mapping from ever
// losing its pages.
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

}  // namespace

bool inode_of(int fd, Inode* out) {
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) return false;
    *out = {st.st_dev, st.st_ino};
    return true;
}

int BufferObject::map() {
    void* p = mmap(nullptr, size_B_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
    if (p == MAP_FAILED) return -ENOMEM;
    host_ = static_cast<uint8_t*>(p);
    return inode_of(fd_, &inode_) ? 0 : -EBADF;
}

std::shared_ptr<BufferObject> BufferObject::create(uint64_t size_B, uint32_t flags, int* error) {
    const uint64_t rounded_B = (size_B + kPageSize_B - 1) & ~(kPageSize_B - 1);
    if (rounded_B == 0 || rounded_B < size_B || rounded_B > INT64_MAX) {
        *error = -EINVAL;
        return nullptr;
    }
    std::shared_ptr<BufferObject> bo(new BufferObject);
    bo->size_B_ = rounded_B;
    bo->flags_ = flags;
    bo->fd_ = memfd_create("terrazzo-bo", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (bo->fd_ < 0) {
        *error = errno == EMFILE || errno == ENFILE ? -errno : -ENOMEM;
        return nullptr;
    }
    if (ftruncate(bo->fd_, static_cast<off_t>(rounded_B)) != 0 || fcntl(bo->fd_, F_ADD_SEALS, kSeals) != 0 ||
        bo->map() != 0) {
        *error = -ENOMEM;
        return nullptr;
    }
    return bo;
}

std::shared_ptr<BufferObject> BufferObject::import(int fd, int* error) {
    struct stat st;
    if (fstat(fd, &st) != 0) {
        *error = -EBADF;
        return nullptr;
    }
    *error = -EINVAL;
    if (fcntl(fd, F_GET_SEALS) != kSeals || st.st_size <= 0 || st.st_size % kPageSize_B) return nullptr;
    std::shared_ptr<BufferObject> bo(new BufferObject);
    bo->size_B_ = static_cast<uint64_t>(st.st_size);
    bo->fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (bo->fd_ < 0) {
        *error = -errno;
        return nullptr;
    }
    *error = bo->map();
    return *error == 0 ? bo : nullptr;
}

BufferObject::~BufferObject() {
    if (host_) munmap(host_, size_B_);
    if (fd_ >= 0) close(fd_);
}

}  // namespace terrazzo::winsys::virt
