// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory and queues of the panthor kernel driver, with one address space for each file.
#pragma once

#include <string>

#include "drivers/common/memory/kernel.h"
#include "drivers/mali/hw/chips.h"

namespace terrazzo::mali {

class Panthor final : public memory::Kernel {
  public:
    /// Creates the address space: the user's half of the chip's addresses. Null: `*why` says the reason in
    /// one line. Throws std::bad_alloc.
    [[nodiscard]] static std::unique_ptr<Panthor> create(std::unique_ptr<winsys::Drm> drm,
                                                         const hw::Chip& chip, std::string* why);
    ~Panthor() override;

    [[nodiscard]] uint32_t vm_id() const { return vm_id_; }
    /// The LATEST_FLUSH register, valid as long as this object lives.
    [[nodiscard]] const volatile uint32_t* flush_id() const {
        return static_cast<const volatile uint32_t*>(flush_id_page_);
    }

    [[nodiscard]] bool create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) override;
    [[nodiscard]] bool bind(uint32_t handle, uint64_t size_B, uint32_t flags, uint64_t* va) override;
    [[nodiscard]] bool unbind(uint32_t handle, uint64_t size_B, uint64_t va) override;
    [[nodiscard]] bool mmap_offset(uint32_t handle, uint64_t* offset_B) override;
    /// `queue`: a group.
    [[nodiscard]] memory::QueueState queue_state(uint32_t queue) override;

  private:
    explicit Panthor(std::unique_ptr<winsys::Drm> drm) : Kernel(std::move(drm), {}) {}

    uint32_t vm_id_ = 0;
    void* flush_id_page_ = nullptr;
};

}  // namespace terrazzo::mali
