// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VMs and queues (file.rs, mmu.rs).
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "winsys/virtual/asahi/driver.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/files/user_arrays.h"

namespace terrazzo::winsys::virt::asahi {
namespace {

using uapi::drm_asahi_gem_bind_op;

bool overflows(uint64_t begin, uint64_t size_B) {
    return begin + size_B < begin;
}

/// Whether the range is within the addresses that users and the kernel share.
bool is_in_vm(uint64_t va, uint64_t size_B) {
    return size_B == 0 || (va >= kVmStart && va + size_B <= kVmEnd);
}

int unbind(File& file, uint32_t vm_id, const drm_asahi_gem_bind_op& op) {
    if (op.offset || op.flags != uapi::kAsahiBindUnbind || op.handle) return -EINVAL;
    if ((op.addr | op.range) % kGpuPage_B || overflows(op.addr, op.range) || !is_in_vm(op.addr, op.range))
        return -EINVAL;
    const auto vm = own(file).vms.find(vm_id);
    if (!vm) return -ENOENT;
    if (!vm->is_users(op.addr, op.range)) return -EINVAL;
    return op.range ? vm->space.unmap(op.addr, op.range) : 0;
}

}  // namespace

int create_vm(File& file, uint64_t kernel_start, uint64_t kernel_end, uint32_t* id) {
    auto vm = Vm::create(kernel_start, kernel_end);
    if (!vm) return -EINVAL;
    uint32_t handle;
    if (!own(file).vms.reserve(&handle)) return -EBUSY;
    own(file).vms.add(handle, std::move(vm));
    *id = handle;
    return 0;
}

int destroy_vm(File& file, uint32_t id) {
    const auto vm = own(file).vms.remove(id);
    if (!vm) return -ENOENT;
    vm->unmap_users();
    return 0;
}

int bind(File& file, uint32_t vm_id, const drm_asahi_gem_bind_op& op) {
    if (op.flags & uapi::kAsahiBindUnbind) return unbind(file, vm_id, op);
    const bool reads = op.flags & uapi::kAsahiBindRead, writes = op.flags & uapi::kAsahiBindWrite,
               single = op.flags & uapi::kAsahiBindSinglePage;
    if ((op.addr | op.range | op.offset) % kGpuPage_B ||
        (op.flags & ~(uapi::kAsahiBindRead | uapi::kAsahiBindWrite | uapi::kAsahiBindSinglePage)))
        return -EINVAL;
    const auto bo = file.objects.find(op.handle);
    if (!bo) return -ENOENT;
    const uint64_t used_B = single ? kGpuPage_B : op.range;
    if (overflows(op.addr, op.range) || overflows(op.offset, used_B) || op.offset + used_B > bo->size_B() ||
        !is_in_vm(op.addr, op.range) || (!reads && !writes))
        return -EINVAL;
    const auto vm = own(file).vms.find(vm_id);
    if (!vm) return -ENOENT;
    if (!vm->is_users(op.addr, op.range) || (bo->exclusive && bo->exclusive != vm->space.number))
        return -EINVAL;
    const MapFlags flags{.read_only = !writes, .write_only = !reads};
    if (op.range == 0) return 0;
    return single ? vm->space.map_repeated(op.addr, op.range, bo, op.offset, flags)
                  : vm->space.map(op.addr, op.range, bo, op.offset, flags);
}

int create_queue(File& file, uint32_t vm_id, const QueueTraits& traits, uint32_t* id) {
    AsahiFile& asahi = own(file);
    auto vm = asahi.vms.find(vm_id);
    if (!vm) return -ENOENT;
    uint32_t handle;
    if (!asahi.queues.reserve(&handle)) return -EBUSY;
    std::shared_ptr<Group> group;
    if (const int error = asahi.driver().add_group(&asahi, std::move(vm), traits, &group)) return error;
    asahi.queues.add(handle, std::move(group));
    *id = handle;
    return 0;
}

int destroy_queue(File& file, uint32_t id) {
    const auto group = own(file).queues.remove(id);
    if (!group) return -ENOENT;
    group->close();
    return 0;
}

namespace ioctls {

int vm_create(File& file, void* data) {
    auto* args = static_cast<uapi::drm_asahi_vm_create*>(data);
    return create_vm(file, args->kernel_start, args->kernel_end, &args->vm_id);
}

int vm_destroy(File& file, void* data) {
    return destroy_vm(file, static_cast<uapi::drm_asahi_vm_destroy*>(data)->vm_id);
}

int vm_bind(File& file, void* data) {
    const auto* args = static_cast<uapi::drm_asahi_vm_bind*>(data);
    if (!args->stride || args->pad) return -EINVAL;
    const uint64_t size_B = uint64_t{args->stride} * args->num_binds;
    if (size_B > kMaxKernelAllocation_B) return -ENOMEM;
    std::vector<uint8_t> bytes(size_B);  // all of it is read before anything is bound
    if (const int error = file.user.read(bytes.data(), args->userptr, size_B)) return error;
    for (uint32_t i = 0; i < args->num_binds; i++) {
        drm_asahi_gem_bind_op op{};
        memcpy(&op, bytes.data() + size_t{i} * args->stride, std::min<size_t>(args->stride, sizeof op));
        if (const int error = bind(file, args->vm_id, op)) return error;
    }
    return 0;
}

int queue_create(File& file, void* data) {
    auto* args = static_cast<uapi::drm_asahi_queue_create*>(data);
    // The two highest priorities are reserved.
    if (args->flags || args->priority > uapi::kAsahiPriorityMedium) return -EINVAL;
    const QueueTraits traits{static_cast<uint8_t>(args->priority), true, true, args->usc_exec_base};
    return create_queue(file, args->vm_id, traits, &args->queue_id);
}

int queue_destroy(File& file, void* data) {
    return destroy_queue(file, static_cast<uapi::drm_asahi_queue_destroy*>(data)->queue_id);
}

}  // namespace ioctls
}  // namespace terrazzo::winsys::virt::asahi
