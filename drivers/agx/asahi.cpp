// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/asahi_drm.h of Linux; drivers/gpu/drm/asahi/mmu.rs (pages of 16 KiB only).
#include "drivers/agx/asahi.h"

#include <cstring>

#include "drivers/common/memory/bo.h"

namespace terrazzo::agx {

using namespace terrazzo::uapi;
namespace bo_flag = memory::bo_flag;

namespace {

constexpr uint64_t kPage_B = 16 << 10;
// Nothing lies below, so that a null pointer with any 32-bit offset faults. The first page of the window for
// code stays free, so that no program's offset is 0.
constexpr uint64_t kCodeBegin = Asahi::kUscBase + kPage_B, kCodeEnd = Asahi::kUscBase + (4ull << 30);

}  // namespace

int read_params(winsys::Drm& drm, drm_asahi_params_global* out) {
    *out = {};
    drm_asahi_get_params args{0, 0, reinterpret_cast<uintptr_t>(out), sizeof *out};
    return drm.ioctl(kAsahiGetParams, &args);
}

std::unique_ptr<Asahi> Asahi::create(std::unique_ptr<winsys::Drm> drm, std::string* why) {
    std::unique_ptr<Asahi> kernel(new Asahi(std::move(drm)));
    drm_asahi_params_global params;
    if (const int error = read_params(kernel->drm(), &params)) {
        *why = std::string("the kernel does not describe its GPU: ") + strerror(-error);
        return nullptr;
    }
    const uint64_t end = params.vm_end & ~(kPage_B - 1), kernel_B = params.vm_kernel_min_size;
    if (params.vm_start > kCodeBegin || end < kernel_B || end - kernel_B <= kCodeEnd) {
        *why = "the kernel's range of GPU addresses is too small";
        return nullptr;
    }
    const uint64_t kernel_start = (end - kernel_B) & ~(kPage_B - 1);
    drm_asahi_vm_create vm{kernel_start, end, 0, 0};
    if (const int error = kernel->drm().ioctl(kAsahiVmCreate, &vm)) {
        *why = std::string("the kernel cannot create an address space: ") + strerror(-error);
        return nullptr;
    }
    kernel->vm_id_ = vm.vm_id;
    kernel->set_limits({.page_B = kPage_B,
                        .large_page_B = kPage_B,
                        .data = {kCodeEnd, kernel_start},
                        .code = {kCodeBegin, kCodeEnd}});
    return kernel;
}

Asahi::~Asahi() {
    drm_asahi_vm_destroy args{vm_id_, 0};
    if (vm_id_) (void)drm().ioctl(kAsahiVmDestroy, &args);
}

bool Asahi::create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) {
    // Objects that only this address space uses need no fences of other drivers.
    const bool is_private = !(flags & bo_flag::kShareable);
    drm_asahi_gem_create args{*size_B, is_private ? kAsahiGemVmPrivate : 0, is_private ? vm_id_ : 0, 0, 0};
    if (drm().ioctl(kAsahiGemCreate, &args) != 0) return false;
    *handle = args.handle;
    return true;
}

bool Asahi::run_bind_op(const drm_asahi_gem_bind_op& op) {
    drm_asahi_vm_bind args{vm_id_, 1, sizeof op, 0, reinterpret_cast<uintptr_t>(&op)};
    return drm().ioctl(kAsahiVmBind, &args) == 0;
}

bool Asahi::bind(uint32_t handle, uint64_t size_B, uint32_t flags, uint64_t* va) {
    const uint32_t write = flags & bo_flag::kReadOnly ? 0 : kAsahiBindWrite;
    return run_bind_op({kAsahiBindRead | write, handle, 0, size_B, *va});
}

bool Asahi::unbind(uint32_t, uint64_t size_B, uint64_t va) {
    return run_bind_op({kAsahiBindUnbind, 0, 0, size_B, va});
}

bool Asahi::mmap_offset(uint32_t handle, uint64_t* offset_B) {
    drm_asahi_gem_mmap_offset args{handle, 0, 0};
    if (drm().ioctl(kAsahiGemMmapOffset, &args) != 0) return false;
    *offset_B = args.offset;
    return true;
}

memory::QueueState Asahi::queue_state(uint32_t) {
    drm_asahi_params_global params;
    return read_params(drm(), &params) ? memory::QueueState::Guilty : memory::QueueState::Usable;
}

}  // namespace terrazzo::agx
