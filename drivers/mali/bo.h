// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that the GPU sees, and who still uses it.
#pragma once

#include <atomic>
#include <cstdint>

#include "drivers/mali/timeline.h"
#include "pipe/ref.h"

namespace terrazzo::mali {

class Device;
struct Memory;
struct Slab;

namespace bo_flag {
inline constexpr uint32_t kNoCpu = 1;  // never mapped for the CPU
// Shader code: all of it lies in one window of 4 GiB (blend shaders name 32 bits).
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

  private:
    friend class Device;
    Bo(Device& device, Memory& memory);
    ~Bo() override;

    Memory* const memory_;
};

/// A piece of a Bo that Device::create_block cut; goes back when it ends. The owner (a view, a program) must
/// be held by whatever work reads it.
class Block {
  public:
    Block() = default;
    Block(Block&& o) noexcept { *this = static_cast<Block&&>(o); }
    Block& operator=(Block&& o) noexcept;
    ~Block() { reset(); }
    void reset();

    uint64_t va = 0;
    uint8_t* cpu = nullptr;
    uint32_t size_B = 0;
    Bo* bo = nullptr;  // whose memory it is (for uses: executable blocks are never waited for)
    explicit operator bool() const { return cpu; }

  private:
    friend class Device;
    pipe::Ref<Device> device_;
    Slab* slab_ = nullptr;
};

}  // namespace terrazzo::mali
