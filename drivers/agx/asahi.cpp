// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/asahi_drm.h of Linux; drivers/gpu/drm/asahi of Asahi Linux: mmu.rs (pages of 16 KiB
// only), queue/compute.rs and queue/render.rs (a fault is an error of the job's fence, and nothing else tells
// of it). Mesa 25.0.7 reads the older interface's result buffers, which Linux' interface does not have.
#include "drivers/agx/asahi.h"

#include <algorithm>

namespace terrazzo::agx {

using namespace terrazzo::uapi;

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
        *why = memory::reason("the kernel does not describe its GPU", error);
        return nullptr;
    }
    if (!params.num_clusters_total || params.num_clusters_total > kAsahiMaxClusters) {
        *why = "the kernel describes a GPU of " + std::to_string(params.num_clusters_total) + " clusters";
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
        *why = memory::reason("the kernel cannot create an address space", error);
        return nullptr;
    }
    kernel->set_vm(vm.vm_id);
    kernel->max_commands_ = std::max(1u, params.max_commands_per_submission);
    kernel->set_limits({.page_B = kPage_B,
                        .large_page_B = kPage_B,
                        .data = {kCodeEnd, kernel_start},
                        .code = {kCodeBegin, kCodeEnd},
                        .faults_in_fences = true});
    return kernel;
}

memory::QueueState Asahi::queue_state(uint32_t) {
    drm_asahi_params_global params;
    return read_params(drm(), &params) ? memory::QueueState::Guilty : memory::QueueState::Usable;
}

}  // namespace terrazzo::agx
