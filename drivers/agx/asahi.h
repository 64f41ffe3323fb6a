// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory of the asahi kernel driver (Linux 6.16 and later), with one address space for each file.
#pragma once

#include <string>

#include "drivers/common/memory/kernel.h"
#include "winsys/uapi/asahi.h"

namespace terrazzo::agx {

/// What the kernel says of the GPU. Returns 0 or a negative errno; -ENODEV: the GPU's firmware has crashed.
[[nodiscard]] int read_params(winsys::Drm& drm, uapi::drm_asahi_params_global* out);

class Asahi final : public memory::Kernel {
  public:
    /// Programs and USC words are named by 32 bits that are relative to this address, with which queues are
    /// created. Executable objects lie in the 4 GiB from here.
    static constexpr uint64_t kUscBase = 4ull << 30;

    /// Creates the address space; the kernel's part is at its end. Null: `*why` says the reason in one line.
    /// Throws std::bad_alloc.
    [[nodiscard]] static std::unique_ptr<Asahi> create(std::unique_ptr<winsys::Drm> drm, std::string* why);
    ~Asahi() override;

    [[nodiscard]] uint32_t vm_id() const { return vm_id_; }

    [[nodiscard]] bool create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) override;
    [[nodiscard]] bool bind(uint32_t handle, uint64_t size_B, uint32_t flags, uint64_t* va) override;
    [[nodiscard]] bool unbind(uint32_t handle, uint64_t size_B, uint64_t va) override;
    [[nodiscard]] bool mmap_offset(uint32_t handle, uint64_t* offset_B) override;
    /// The kernel has no state of a single queue: after a fault the queue runs its later work. All queues are
    /// lost when the firmware has crashed.
    [[nodiscard]] memory::QueueState queue_state(uint32_t queue) override;

  private:
    explicit Asahi(std::unique_ptr<winsys::Drm> drm) : Kernel(std::move(drm), {}) {}
    [[nodiscard]] bool run_bind_op(const uapi::drm_asahi_gem_bind_op& op);

    uint32_t vm_id_ = 0;
};

}  // namespace terrazzo::agx
