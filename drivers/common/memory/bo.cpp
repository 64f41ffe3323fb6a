// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The kernel's objects, where the GPU and the CPU see them, and those kept for reuse. Binds are synchronous:
// a new object needs no fence, and an old one is unbound when no work reads it.
#include "drivers/common/memory/bo.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "drivers/common/memory/device_impl.h"
#include "drivers/common/memory/implicit_fences.h"
#include "drivers/common/memory/timeline.h"
#include "winsys/uapi/drm.h"

namespace terrazzo::memory {
namespace {

using namespace terrazzo::uapi;

constexpr uint32_t kUncachedFlags = bo_flag::kNoCpu | bo_flag::kShareable;
constexpr uint64_t kLargestCached_B = 32 << 20;

}  // namespace

Bo::Bo(Device& d, Memory& memory)
    : device(&d),
      handle(memory.handle),
      flags(memory.flags),
      va(memory.va),
      size_B(memory.size_B),
      cpu(memory.cpu),
      memory_(&memory),
      shared_(memory.shared) {}

Bo::~Bo() {
    Device::Impl& impl = *device->impl_;
    const std::lock_guard lock(impl.mutex);
    if (memory_->bo == this) memory_->bo = nullptr;
    if (--memory_->users == 0) impl.release(*memory_);
}

WaitResult Bo::wait(bool write, uint64_t timeout_ns) {
    if (!shared()) return uses.wait(write, timeout_ns);
    const uint64_t deadline_ns = deadline_of(timeout_ns);
    const WaitResult own = uses.wait(write, timeout_ns);
    if (own == WaitResult::Timeout) return own;
    const WaitResult others = wait_for_foreign(*this, write, left_until(deadline_ns));
    return others == WaitResult::Timeout ? others : own;
}

unsigned Device::Impl::size_class(uint64_t size_B) const {
    return unsigned(std::bit_width(size_B / limits.page_B)) - 1;
}

void Device::Impl::close_handle(uint32_t handle) {
    drm_gem_close args{handle, 0};
    (void)kernel.drm().ioctl(kIoctlGemClose, &args);
}

bool Device::Impl::bind(Memory& memory) {
    if (kernel_chooses) return kernel.bind(memory.handle, memory.size_B, memory.flags, &memory.va);
    memory.va = space_of(memory.flags).allocate(memory.size_B);
    if (!memory.va) return false;
    if (kernel.bind(memory.handle, memory.size_B, memory.flags, &memory.va)) return true;
    space_of(memory.flags).free(memory.va);
    memory.va = 0;
    return false;
}

bool Device::Impl::map(Memory& memory) {
    uint64_t offset_B;
    if (!kernel.mmap_offset(memory.handle, &offset_B)) return false;
    void* address;
    if (kernel.drm().map(offset_B, memory.size_B, PROT_READ | PROT_WRITE, &address) != 0) return false;
    memory.cpu = static_cast<uint8_t*>(address);
    return true;
}

void Device::Impl::destroy_memory(Memory& memory, std::list<Memory>& list) {
    if (memory.cpu) kernel.drm().unmap(memory.cpu, memory.size_B);
    if (memory.va && kernel.unbind(memory.handle, memory.size_B, memory.va) && !kernel_chooses)
        space_of(memory.flags).free(memory.va);
    if (memory.handle) close_handle(memory.handle);
    list.erase(memory.self);
}

Memory* Device::Impl::create_memory(uint64_t size_B, uint32_t flags) {
    live.emplace_front();
    Memory& memory = live.front();
    memory.self = live.begin();
    memory.flags = flags;
    memory.size_B = size_B;
    if (kernel.create_object(flags, &memory.size_B, &memory.handle) && bind(memory) &&
        (flags & bo_flag::kNoCpu || map(memory)))
        return &memory;
    destroy_memory(memory, live);
    return nullptr;
}

Memory* Device::Impl::find_cached(uint64_t size_B, uint32_t flags) {
    if (flags & kUncachedFlags) return nullptr;
    const unsigned first = size_class(size_B), last = size_class(size_B + size_B / 4);
    for (unsigned c = first; c <= last && c < kSizeClasses; c++)
        for (Memory& memory : cached[c])
            if (memory.flags == flags && memory.size_B >= size_B && memory.size_B <= size_B + size_B / 4) {
                cached_B -= memory.size_B;
                live.splice(live.begin(), cached[c], memory.self);
                return &memory;
            }
    return nullptr;
}

void Device::Impl::release(Memory& memory) {
    if (memory.flags & kUncachedFlags || memory.size_B > kLargestCached_B) {
        shared.erase(memory.handle);
        destroy_memory(memory, live);
        return;
    }
    auto& list = cached[size_class(memory.size_B)];
    memory.stamp = ++cache_clock;
    cached_B += memory.size_B;
    list.splice(list.begin(), live, memory.self);
    shrink_cache(kCacheLimit_B);
}

void Device::Impl::shrink_cache(uint64_t limit_B) {
    while (cached_B > limit_B) {
        std::list<Memory>* oldest = nullptr;
        for (auto& list : cached)
            if (!list.empty() && (!oldest || list.back().stamp < oldest->back().stamp)) oldest = &list;
        if (!oldest) return;
        cached_B -= oldest->back().size_B;
        destroy_memory(oldest->back(), *oldest);
    }
}

pipe::Ref<Bo> Device::Impl::create_bo_of(Device& device, Memory& memory) {
    bool listed = true;
    if (memory.flags & bo_flag::kShareable) try {
            shared.emplace(memory.handle, &memory);
        } catch (const std::bad_alloc&) {
            listed = false;
        }
    Bo* const bo = listed ? new (std::nothrow) Bo(device, memory) : nullptr;
    if (bo) {
        memory.bo = bo;
        memory.users++;
    } else if (memory.users == 0) {
        release(memory);
    }
    return pipe::Ref<Bo>::adopt(bo);
}

pipe::Ref<Bo> Device::create_bo(uint64_t size_B, uint32_t flags) {
    if (size_B == 0 || size_B >= impl_->limits.page_B << (Impl::kSizeClasses - 1)) return nullptr;
    size_B = impl_->round_to_pages(size_B);
    const uint32_t kind = flags & ~bo_flag::kUndefined;
    bool reused;
    pipe::Ref<Bo> bo;
    try {
        const std::lock_guard lock(impl_->mutex);
        Memory* memory = impl_->find_cached(size_B, kind);
        reused = memory;
        if (!memory) memory = impl_->create_memory(size_B, kind);
        if (!memory) {  // free memory or addresses by emptying the cache
            impl_->shrink_cache(0);
            memory = impl_->create_memory(size_B, kind);
        }
        if (memory) bo = impl_->create_bo_of(*this, *memory);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    if (bo && reused && !(flags & bo_flag::kUndefined)) memset(bo->cpu, 0, bo->size_B);
    return bo;
}

Memory* Device::Impl::import_memory(uint32_t handle, uint64_t size_B) {
    try {
        live.emplace_front();
    } catch (const std::bad_alloc&) {
        close_handle(handle);
        return nullptr;
    }
    Memory& memory = live.front();
    memory.self = live.begin();
    memory.handle = handle;
    memory.flags = bo_flag::kShareable;
    memory.shared = true;
    memory.size_B = size_B;
    if (size_B && bind(memory)) {
        if (!map(memory)) memory.flags |= bo_flag::kNoCpu;  // the exporter may not allow mapping
        return &memory;
    }
    destroy_memory(memory, live);
    return nullptr;
}

pipe::Ref<Bo> Device::import_bo(int fd) {
    const off_t end = lseek(fd, 0, SEEK_END);
    const std::lock_guard lock(impl_->mutex);
    drm_prime_handle args{0, 0, fd};
    if (drm().ioctl(kIoctlPrimeFdToHandle, &args) != 0) return nullptr;
    const auto known = impl_->shared.find(args.handle);
    if (known != impl_->shared.end()) {
        Memory& memory = *known->second;
        memory.shared = true;
        if (memory.bo && memory.bo->try_add_ref()) {
            memory.bo->shared_.store(true, std::memory_order_release);
            return pipe::Ref<Bo>::adopt(memory.bo);
        }
        return impl_->create_bo_of(*this, memory);
    }
    Memory* memory = impl_->import_memory(
        args.handle, end > 0 ? static_cast<uint64_t>(end) & ~(impl_->limits.page_B - 1) : 0);
    return memory ? impl_->create_bo_of(*this, *memory) : nullptr;
}

int Device::open_dmabuf(const Bo& bo) {
    // Not every kernel refuses this: some have no objects that are private to an address space.
    if (!(bo.flags & bo_flag::kShareable)) return -1;
    drm_prime_handle args{bo.handle, O_CLOEXEC | O_RDWR, -1};
    return drm().ioctl(kIoctlPrimeHandleToFd, &args) == 0 ? args.fd : -1;
}

int Device::export_bo(Bo& bo) {
    const int fd = open_dmabuf(bo);
    if (fd < 0 || bo.shared()) return fd;
    {
        const std::lock_guard lock(impl_->mutex);
        bo.memory_->shared = true;
    }
    bo.shared_.store(true, std::memory_order_release);
    // Later submissions leave fences. Earlier ones have not, so wait for them.
    (void)bo.uses.wait(true, UINT64_MAX);
    return fd;
}

}  // namespace terrazzo::memory
