// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How a request reaches its handler (drivers/gpu/drm/drm_ioctl.c: sizes, permissions), and mmap (drm_gem.c).
#include "winsys/virtual/files/file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "winsys/uapi/drm.h"
#include "winsys/virtual/memory/user_memory.h"

namespace terrazzo::winsys::virt {

File::File(std::shared_ptr<Device> device, Node node, bool trusted)
    : user(trusted), device_(std::move(device)), node_(node) {
    const std::lock_guard lock(device_->domain.mutex);
    if (node_ == Node::Card && !device_->has_master) master = device_->has_master = true;
    driver_file = device_->driver().open(*this);
}

File::~File() {
    if (!device_->alive()) {
        // In a forked child, a thread that does not exist there may hold the lock, and the driver's threads
        // cannot be joined. The objects are leaked.
        (void)driver_file.release();
        (void)new (std::nothrow) std::shared_ptr<Device>(device_);
        return;
    }
    const std::lock_guard lock(device_->domain.mutex);
    if (master) device_->has_master = false;
    driver_file.reset();
}

int File::add_object(std::shared_ptr<BufferObject> bo, uint32_t* handle) {
    if (const auto it = handle_of.find(bo.get()); it != handle_of.end()) {
        *handle = it->second;
        return 0;
    }
    uint32_t free_handle;
    if (!objects.reserve(&free_handle)) return -ENOSPC;
    handle_of.emplace(bo.get(), free_handle);
    objects.add(free_handle, std::move(bo));
    *handle = free_handle;
    return 0;
}

int File::permitted(const IoctlDesc& desc) const {
    if (node_ == Node::Render) return desc.permissions & kRenderAllow ? 0 : -EACCES;
    if ((desc.permissions & kAuth) && !master && geteuid() != 0) return -EACCES;
    return (desc.permissions & kMaster) && !master ? -EACCES : 0;
}

const IoctlDesc* File::find_ioctl(unsigned nr) const {
    if (nr >= uapi::kDrmCommandBase && nr < uapi::kDrmCommandEnd)
        return device_->driver().find_ioctl(nr - uapi::kDrmCommandBase);
    return find_core_ioctl(nr);
}

int File::ioctl(unsigned long request, void* arg) {
    if (!device_->alive()) return -ENODEV;
    if (_IOC_TYPE(request) != 'd') return -ENOTTY;
    const IoctlDesc* desc = find_ioctl(_IOC_NR(request));
    if (!desc) return -EINVAL;
    const auto direction = _IOC_DIR(request) & _IOC_DIR(desc->request);
    const size_t user_B = _IOC_SIZE(request), own_B = _IOC_SIZE(desc->request);
    const size_t in_B = direction & _IOC_WRITE ? user_B : 0, out_B = direction & _IOC_READ ? user_B : 0;

    alignas(8) uint8_t small[256];
    std::unique_ptr<uint8_t[]> big;
    uint8_t* data = small;
    const size_t size_B = std::max({in_B, out_B, own_B});
    if (size_B > sizeof small) {
        big.reset(new (std::nothrow) uint8_t[size_B]);
        if (!big) return -ENOMEM;
        data = big.get();
    }
    const auto address = reinterpret_cast<uintptr_t>(arg);
    if (const int error = user.read(data, address, in_B)) return error;
    memset(data + in_B, 0, size_B - in_B);

    int result = permitted(*desc);
    if (result == 0) {
        try {
            const std::lock_guard lock(device_->domain.mutex);
            result = desc->run(*this, data);
        } catch (const std::bad_alloc&) {
            result = -ENOMEM;
        }
    }
    // Copied back also when the handler fails, as in the kernel: some requests return how far they came.
    if (user.write(address, data, out_B) != 0) return -EFAULT;
    return result;
}

int File::find_mapped(uint64_t size_B, int prot, uint64_t offset, std::shared_ptr<BufferObject>* out) {
    if (offset >= device_->driver().first_special_offset()) {
        *out = device_->driver().mmap_object(offset, size_B, prot);
        return *out ? 0 : -EINVAL;
    }
    const std::lock_guard lock(device_->domain.mutex);
    *out = device_->object_at(offset);
    if (!*out || size_B > (*out)->size_B()) return -EINVAL;
    return handle_of.contains(out->get()) ? 0 : -EACCES;
}

int File::mmap(void* address, uint64_t size_B, int prot, int flags, uint64_t offset, void** out) {
    if (!device_->alive()) return -ENODEV;
    if (size_B == 0 || offset % kPageSize_B) return -EINVAL;
    std::shared_ptr<BufferObject> bo;
    if (const int error = find_mapped(size_B, prot, offset, &bo)) return error;
    if ((flags & MAP_TYPE) == MAP_PRIVATE)  // copy on write is not supported on a device's memory
        return -EINVAL;
    return bo->map(address, size_B, prot, flags, out);
}

}  // namespace terrazzo::winsys::virt
