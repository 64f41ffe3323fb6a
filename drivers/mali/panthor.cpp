// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/panthor_drm.h of Linux, drivers/gpu/drm/panthor/panthor_sched.c (a lost group's
// state is set before its fences are signalled; a CS_FAULT is an error of the job's fence, and the group goes
// on). Half of the addresses are the user's, as in Mesa 25.0.7
// (src/panfrost/lib/kmod/panthor_kmod.c).
#include "drivers/mali/panthor.h"

#include <sys/mman.h>

namespace terrazzo::mali {
namespace {

using namespace terrazzo::uapi;

constexpr uint64_t kPage_B = 4096, kLargePage_B = 2 << 20;
// Nothing lies below, so that a null pointer with any 32-bit offset faults. A blend shader is identified by
// the low half of its address, where 0 means none: so the first bytes of the window are not used. The low
// half is unambiguous since all code is in one window of 4 GiB.
constexpr uint64_t kExecutableBegin = (4ull << 30) + kLargePage_B, kExecutableEnd = 8ull << 30;

}  // namespace

std::unique_ptr<Panthor> Panthor::create(std::unique_ptr<winsys::Drm> drm, const hw::Chip& chip,
                                         std::string* why) {
    std::unique_ptr<Panthor> kernel(new Panthor(std::move(drm)));
    drm_panthor_vm_create vm{0, 0, 1ull << (chip.va_bits() - 1)};
    if (const int error = kernel->drm().ioctl(kPanthorVmCreate, &vm)) {
        *why = memory::reason("the kernel cannot create an address space", error);
        return nullptr;
    }
    kernel->set_vm(vm.id);
    kernel->set_limits({.page_B = kPage_B,
                        .large_page_B = kLargePage_B,
                        .data = {kExecutableEnd, vm.user_va_range & ~(kLargePage_B - 1)},
                        .code = {kExecutableBegin, kExecutableEnd},
                        .faults_in_fences = true});
    if (const int error =
            kernel->drm().map(kPanthorFlushIdOffset, kPage_B, PROT_READ, &kernel->flush_id_page_)) {
        kernel->flush_id_page_ = nullptr;
        *why = memory::reason("the kernel cannot map its flush-id page", error);
        return nullptr;
    }
    return kernel;
}

Panthor::~Panthor() {
    if (flush_id_page_) drm().unmap(flush_id_page_, kPage_B);
}

memory::QueueState Panthor::queue_state(uint32_t queue) {
    drm_panthor_group_get_state args{queue, 0, 0, 0};
    const int error = drm().ioctl(kPanthorGroupGetState, &args);
    if (!error && !args.state) return memory::QueueState::Usable;
    return !error && (args.state & kGroupStateInnocent) ? memory::QueueState::Innocent
                                                        : memory::QueueState::Guilty;
}

}  // namespace terrazzo::mali
