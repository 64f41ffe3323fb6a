// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/device/device.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <new>

namespace terrazzo::winsys::virt {
namespace {

// DRM_FILE_PAGE_OFFSET_START of Linux' 64-bit kernels.
constexpr uint64_t kFirstOffset = 0x1'0000'0000;

template <typename Map>
void drop_dead(Map& map) {
    for (auto it = map.begin(); it != map.end();)
        it = it->second.expired() ? map.erase(it) : std::next(it);
}

}  // namespace

Device::Device() : foreign(domain), pollables(domain, foreign), next_offset_(kFirstOffset) {
    void* page = mmap(nullptr, kPageSize_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    (void)madvise(page, kPageSize_B, MADV_WIPEONFORK);
    alive_ = new (page) std::atomic<uint8_t>(1);
}

std::shared_ptr<Device> Device::create() {
    std::shared_ptr<Device> device(new (std::nothrow) Device);
    return device && device->alive_ ? device : nullptr;
}

Device::~Device() {
    foreign.stop();  // before driver_->stop(): jobs that wait for foreign fences belong to the driver
    if (driver_) driver_->stop();
    driver_.reset();
    if (alive_) munmap(alive_, kPageSize_B);
}

void Device::remember(const std::shared_ptr<BufferObject>& bo) {
    exported_.insert_or_assign(bo->inode(), bo);
    if (exported_.size() + at_offset_.size() >= clean_at_) {
        drop_dead(exported_);
        drop_dead(at_offset_);
        clean_at_ = std::max<size_t>(64, 2 * (exported_.size() + at_offset_.size()));
    }
}

std::shared_ptr<BufferObject> Device::object_of(int dmabuf, int* error) {
    Inode inode;
    if (!inode_of(dmabuf, &inode)) {
        *error = -EBADF;
        return nullptr;
    }
    if (const auto it = exported_.find(inode); it != exported_.end())
        if (auto bo = it->second.lock()) return bo;
    auto bo = BufferObject::import(dmabuf, error);
    if (bo) remember(bo);
    return bo;
}

uint64_t Device::mmap_offset(const std::shared_ptr<BufferObject>& bo) {
    if (bo->mmap_offset == 0) {
        at_offset_.emplace(next_offset_, bo);
        bo->mmap_offset = next_offset_;
        next_offset_ += bo->size_B();
        if (exported_.size() + at_offset_.size() >= clean_at_) {
            drop_dead(exported_);
            drop_dead(at_offset_);
            clean_at_ = std::max<size_t>(64, 2 * (exported_.size() + at_offset_.size()));
        }
    }
    return bo->mmap_offset;
}

std::shared_ptr<BufferObject> Device::object_at(uint64_t offset) {
    const auto it = at_offset_.find(offset);
    return it == at_offset_.end() ? nullptr : it->second.lock();
}

}  // namespace terrazzo::winsys::virt
