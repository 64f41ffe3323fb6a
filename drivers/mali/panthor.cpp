// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/panthor_drm.h of Linux, drivers/gpu/drm/panthor/panthor_sched.c (a lost group's
// state is set before its fences are signalled). Half of the addresses are the user's, as in Mesa 25.0.7
// (src/panfrost/lib/kmod/panthor_kmod.c).
#include "drivers/mali/panthor.h"

#include <sys/mman.h>

#include <cstring>
#include <string>

#include "drivers/common/memory/bo.h"
#include "winsys/uapi/panthor.h"

namespace terrazzo::mali {
namespace {

using namespace terrazzo::uapi;
namespace bo_flag = memory::bo_flag;

constexpr uint64_t kPage_B = 4096, kLargePage_B = 2 << 20;
// Nothing lies below, so that a null pointer with any 32-bit offset faults. A blend shader is identified by
// the low half of its address, where 0 means none: so the first bytes of the window are not used. The low
// half is unambiguous since all code is in one window of 4 GiB.
constexpr uint64_t kExecutableBegin = (4ull << 30) + kLargePage_B, kExecutableEnd = 8ull << 30;

bool run_bind_op(winsys::Drm& drm, uint32_t vm_id, drm_panthor_vm_bind_op op) {
    drm_panthor_vm_bind args{vm_id, 0, {sizeof op, 1, reinterpret_cast<uintptr_t>(&op)}};
    return drm.ioctl(kPanthorVmBind, &args) == 0;
}

}  // namespace

std::unique_ptr<Panthor> Panthor::create(std::unique_ptr<winsys::Drm> drm, const hw::Chip& chip,
                                         std::string* why) {
    std::unique_ptr<Panthor> kernel(new Panthor(std::move(drm)));
    drm_panthor_vm_create vm{0, 0, 1ull << (chip.va_bits() - 1)};
    if (const int error = kernel->drm().ioctl(kPanthorVmCreate, &vm)) {
        *why = std::string("the kernel cannot create an address space: ") + strerror(-error);
        return nullptr;
    }
    kernel->vm_id_ = vm.id;
    kernel->set_limits({.page_B = kPage_B,
                        .large_page_B = kLargePage_B,
                        .data = {kExecutableEnd, vm.user_va_range & ~(kLargePage_B - 1)},
                        .code = {kExecutableBegin, kExecutableEnd}});
    if (const int error =
            kernel->drm().map(kPanthorFlushIdOffset, kPage_B, PROT_READ, &kernel->flush_id_page_)) {
        kernel->flush_id_page_ = nullptr;
        *why = std::string("the kernel cannot map its flush-id page: ") + strerror(-error);
        return nullptr;
    }
    return kernel;
}

Panthor::~Panthor() {
    if (flush_id_page_) drm().unmap(flush_id_page_, kPage_B);
    drm_panthor_vm_destroy args{vm_id_, 0};
    if (vm_id_) (void)drm().ioctl(kPanthorVmDestroy, &args);
}

bool Panthor::create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) {
    // Objects that only this address space uses need no fences of other drivers.
    const uint32_t exclusive_vm = flags & bo_flag::kShareable ? 0 : vm_id_;
    drm_panthor_bo_create args{*size_B, flags & bo_flag::kNoCpu ? kBoNoMmap : 0, exclusive_vm, 0, 0};
    if (drm().ioctl(kPanthorBoCreate, &args) != 0) return false;
    *size_B = args.size;
    *handle = args.handle;
    return true;
}

bool Panthor::bind(uint32_t handle, uint64_t size_B, uint32_t flags, uint64_t* va) {
    drm_panthor_vm_bind_op op{};
    op.flags = kVmBindOpMap | (flags & bo_flag::kExecutable ? 0 : kVmBindOpNoExec) |
               (flags & bo_flag::kReadOnly ? kVmBindOpReadOnly : 0);
    op.bo_handle = handle;
    op.va = *va;
    op.size = size_B;
    return run_bind_op(drm(), vm_id_, op);
}

bool Panthor::unbind(uint32_t, uint64_t size_B, uint64_t va) {
    drm_panthor_vm_bind_op op{};
    op.flags = kVmBindOpUnmap;
    op.va = va;
    op.size = size_B;
    return run_bind_op(drm(), vm_id_, op);
}

bool Panthor::mmap_offset(uint32_t handle, uint64_t* offset_B) {
    drm_panthor_bo_mmap_offset args{handle, 0, 0};
    if (drm().ioctl(kPanthorBoMmapOffset, &args) != 0) return false;
    *offset_B = args.offset;
    return true;
}

memory::QueueState Panthor::queue_state(uint32_t queue) {
    drm_panthor_group_get_state args{queue, 0, 0, 0};
    const int error = drm().ioctl(kPanthorGroupGetState, &args);
    if (!error && !args.state) return memory::QueueState::Usable;
    return !error && (args.state & kGroupStateInnocent) ? memory::QueueState::Innocent
                                                        : memory::QueueState::Guilty;
}

}  // namespace terrazzo::mali
