// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that the GPU sees, and who still uses it.
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
// Shader code: it lies in KernelLimits::code.
inline constexpr uint32_t kExecutable = 2;
inline constexpr uint32_t kShareable = 4;   // may be exported
inline constexpr uint32_t kReadOnly = 8;    // the GPU may not write
inline constexpr uint32_t kUndefined = 16;  // need not be zero
}  // namespace bo_flag

/// A buffer object, bound at `va` as long as it lives. Its creator and all unfinished work hold references.
class Bo final : public pipe::RefCounted {
  public:
    const pipe::Ref<Device> device;
    const uint32_t handle;
    const uint32_t flags;
    const uint64_t va;
    const uint64_t size_B;
    uint8_t* const cpu;  // null with kNoCpu; write-combined on real hardware: do not read what need not be
    Uses uses;
    /// Others, in other processes or devices, may have it: it was imported or exported.
    [[nodiscard]] bool shared() const { return shared_.load(std::memory_order_acquire); }
    /// Waits for submitted work that an access must come after, here and of others. What was lost is not reported again.
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
