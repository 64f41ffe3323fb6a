// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory and queues of the panthor kernel driver, with one address space for each file.
#pragma once

#include <string>

#include "drivers/common/memory/vm_kernel.h"
#include "drivers/mali/hw/chips.h"
#include "winsys/uapi/panthor.h"

namespace terrazzo::mali {

/// What the kernel says of the GPU (`kWhat`: uapi::kDevQuery*). Returns 0 or a negative errno.
template <class T, uint32_t kWhat>
[[nodiscard]] int query(winsys::Drm& drm, T* out) {
    uapi::drm_panthor_dev_query args{kWhat, sizeof *out, reinterpret_cast<uintptr_t>(out)};
    return drm.ioctl(uapi::kPanthorDevQuery, &args);
}

/// As memory::VmKernel requires.
struct PanthorRequests {
    using Create = uapi::drm_panthor_bo_create;
    using Bind = uapi::drm_panthor_vm_bind;
    using BindOp = uapi::drm_panthor_vm_bind_op;
    using MmapOffset = uapi::drm_panthor_bo_mmap_offset;
    using VmDestroy = uapi::drm_panthor_vm_destroy;
    static constexpr unsigned long kCreate = uapi::kPanthorBoCreate, kBind = uapi::kPanthorVmBind,
                                   kMmapOffset = uapi::kPanthorBoMmapOffset,
                                   kVmDestroy = uapi::kPanthorVmDestroy;
    static constexpr uint32_t kPrivate = 0, kHidden = uapi::kBoNoMmap;
    static constexpr auto kHandle = &BindOp::bo_handle;
    static constexpr auto kVa = &BindOp::va, kSize = &BindOp::size;
    static constexpr uint32_t kMap = uapi::kVmBindOpMap, kUnmap = uapi::kVmBindOpUnmap;
    static constexpr uint32_t kWritable = 0, kReadOnly = uapi::kVmBindOpReadOnly,
                              kNotExecutable = uapi::kVmBindOpNoExec;
};

class Panthor final : public memory::VmKernel<PanthorRequests> {
  public:
    /// Creates the address space: the user's half of the chip's addresses. Null: `*why` says the reason in
    /// one line. Throws std::bad_alloc.
    [[nodiscard]] static std::unique_ptr<Panthor> create(std::unique_ptr<winsys::Drm> drm,
                                                         const hw::Chip& chip, std::string* why);
    ~Panthor() override;

    /// The LATEST_FLUSH register, valid as long as this object lives.
    [[nodiscard]] const volatile uint32_t* flush_id() const {
        return static_cast<const volatile uint32_t*>(flush_id_page_);
    }
    /// `queue`: a group.
    [[nodiscard]] memory::QueueState queue_state(uint32_t queue) override;

  private:
    using VmKernel::VmKernel;

    void* flush_id_page_ = nullptr;
};

}  // namespace terrazzo::mali
