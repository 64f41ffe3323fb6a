// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that the GPU sees, and its uses.
#pragma once

#include <atomic>
#include <cstdint>

#include "drivers/common/memory/timeline.h"
#include "pipe/ref.h"

namespace terrazzo::memory {

class Device;
struct Memory;

namespace bo_flag {
inline constexpr uint32_t kNoCpu = 1;  // never mapped for the CPU
// Shader code, at an address in KernelLimits::code.
inline constexpr uint32_t kExecutable = 2;
inline constexpr uint32_t kShareable = 4;   // may be exported
inline constexpr uint32_t kReadOnly = 8;    // the GPU may not write
inline constexpr uint32_t kUndefined = 16;  // contents need not be zero
}  // namespace bo_flag

/// A buffer object, bound at `va` for its lifetime. Its creator and all unfinished work hold references.
class Bo final : public pipe::RefCounted {
  public:
    const pipe::Ref<Device> device;
    const uint32_t handle;
    const uint32_t flags;
    const uint64_t va;
    const uint64_t size_B;
    uint8_t* const cpu;  // null with kNoCpu; write-combined on real hardware, so reading is slow
    Uses uses;
    /// Other processes or devices may use it: it was imported or exported.
    [[nodiscard]] bool shared() const { return shared_.load(std::memory_order_acquire); }
    /// Waits for submitted work that conflicts with an access, ours and others'. Lost work is reported only
    /// once.
    [[nodiscard]] WaitResult wait(bool write, uint64_t timeout_ns);
    [[nodiscard]] bool busy(bool write) { return wait(write, 0) == WaitResult::Timeout; }

  private:
    friend class Device;
    Bo(Device& device, Memory& memory);
    ~Bo() override;

    Memory* const memory_;
    std::atomic<bool> shared_;
};

}  // namespace terrazzo::memory
