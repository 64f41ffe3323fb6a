// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory and queues of the msm kernel driver: the address space of an open file.
#pragma once

#include <memory>
#include <string>

#include "drivers/common/memory/kernel.h"

namespace terrazzo::adreno {

/// A fact about the GPU or the file (`param`: uapi::kMsmParam*). Returns 0, or a negative errno; then
/// `*value` is unchanged.
[[nodiscard]] int get_param(winsys::Drm& drm, uint32_t param, uint64_t* value);

/// How an object gets its address, in the order in which kernels added the methods.
enum class MsmAddresses : uint8_t {
    Kernel,  // GEM_INFO's GET_IOVA: the kernel chooses
    Set,     // GEM_INFO's SET_IOVA
    Bind,    // VM_BIND: at any time; a fault makes the file unusable
};

struct MsmOptions {
    MsmAddresses addresses = MsmAddresses::Kernel;
    memory::AddressRange data;  // empty: all that the kernel offers. Ignored if the kernel chooses
    uint64_t page_B = 4096;     // of sizes and addresses
};

class Msm final : public memory::Kernel {
  public:
    /// Uses the newest method that the kernel supports. Null: `*why` says the reason in one line. Throws
    /// std::bad_alloc.
    [[nodiscard]] static std::unique_ptr<Msm> create(std::unique_ptr<winsys::Drm> drm, std::string* why);
    /// Uses the method of `options`. Null: the kernel does not support it, or as above.
    [[nodiscard]] static std::unique_ptr<Msm> create(std::unique_ptr<winsys::Drm> drm,
                                                     const MsmOptions& options, std::string* why);

    [[nodiscard]] MsmAddresses addresses() const { return addresses_; }
    [[nodiscard]] bool create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) override;
    [[nodiscard]] bool bind(uint32_t handle, uint64_t size_B, uint32_t flags, uint64_t* va) override;
    [[nodiscard]] bool unbind(uint32_t handle, uint64_t size_B, uint64_t va) override;
    [[nodiscard]] bool mmap_offset(uint32_t handle, uint64_t* offset_B) override;
    /// `queue`: a submitqueue. It counts as lost from its first fault on.
    [[nodiscard]] memory::QueueState queue_state(uint32_t queue) override;

  private:
    Msm(std::unique_ptr<winsys::Drm> drm, MsmAddresses addresses, const memory::KernelLimits& limits)
        : Kernel(std::move(drm), limits), addresses_(addresses) {}
    [[nodiscard]] bool info(uint32_t handle, uint32_t what, uint64_t* value);
    [[nodiscard]] bool vm_bind(uint32_t op, uint32_t handle, uint64_t size_B, uint64_t va);

    const MsmAddresses addresses_;
    uint32_t bind_queue_ = 0;
};

}  // namespace terrazzo::adreno
