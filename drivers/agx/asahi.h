// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory of the asahi kernel driver (Linux 6.16 and later), with one address space for each file.
#pragma once

#include <string>

#include "drivers/common/memory/vm_kernel.h"
#include "winsys/uapi/asahi.h"

namespace terrazzo::agx {

/// What the kernel says of the GPU. Returns 0 or a negative errno; -ENODEV: the GPU's firmware has crashed.
[[nodiscard]] int read_params(winsys::Drm& drm, uapi::drm_asahi_params_global* out);

/// As memory::VmKernel requires.
struct AsahiRequests {
    using Create = uapi::drm_asahi_gem_create;
    using Bind = uapi::drm_asahi_vm_bind;
    using BindOp = uapi::drm_asahi_gem_bind_op;
    using MmapOffset = uapi::drm_asahi_gem_mmap_offset;
    using VmDestroy = uapi::drm_asahi_vm_destroy;
    static constexpr unsigned long kCreate = uapi::kAsahiGemCreate, kBind = uapi::kAsahiVmBind,
                                   kMmapOffset = uapi::kAsahiGemMmapOffset,
                                   kVmDestroy = uapi::kAsahiVmDestroy;
    static constexpr uint32_t kPrivate = uapi::kAsahiGemVmPrivate, kHidden = 0;
    static constexpr auto kHandle = &BindOp::handle;
    static constexpr auto kVa = &BindOp::addr, kSize = &BindOp::range;
    static constexpr uint32_t kMap = uapi::kAsahiBindRead, kUnmap = uapi::kAsahiBindUnbind;
    static constexpr uint32_t kWritable = uapi::kAsahiBindWrite, kReadOnly = 0, kNotExecutable = 0;
};

class Asahi final : public memory::VmKernel<AsahiRequests> {
  public:
    /// Programs and USC words are named by 32 bits that are relative to this address, with which queues are
    /// created. Executable objects lie in the 4 GiB from here.
    static constexpr uint64_t kUscBase = 4ull << 30;

    /// Creates the address space; the kernel's part is at its end. Null: `*why` says the reason in one line.
    /// Throws std::bad_alloc.
    [[nodiscard]] static std::unique_ptr<Asahi> create(std::unique_ptr<winsys::Drm> drm, std::string* why);

    /// The most renders and dispatches of one submit.
    [[nodiscard]] uint32_t max_commands() const { return max_commands_; }
    /// The kernel has no state of a single queue: after a fault, which only an error of the fence reports,
    /// the queue runs its later work. All queues are lost when the firmware has crashed.
    [[nodiscard]] memory::QueueState queue_state(uint32_t queue) override;

  private:
    using VmKernel::VmKernel;

    uint32_t max_commands_ = 1;
};

}  // namespace terrazzo::agx
