// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Micro-operations as host code, for hosts with AVX2 and fused multiply-add (8 lanes a vector) or AVX-512
// (16). A build without asmjit, and any other host, has no translator: can_translate() is false.
#pragma once

#include <memory>

#include "drivers/common/core/micro.h"

namespace terrazzo::core {

/// Host code of a block. The memory is executable and not writable.
class Translation {
  public:
    using Code = void (*)(const LaneState*);
    virtual ~Translation() = default;
    /// Does what interpret() does, to the bit: with the same modes of the host's floats, and for the lanes
    /// that run. Registers must not be the uniforms, and kernels must not access the registers.
    void run(const LaneState& state) const { code_(&state); }
    /// Of executable memory.
    [[nodiscard]] size_t size_B() const { return size_B_; }

  protected:
    Code code_ = nullptr;
    size_t size_B_ = 0;
};

/// Lanes of a vector. Tests ask for one; Host is the largest that the host has.
enum class VectorWidth : uint8_t { Host, Eight, Sixteen };

/// Whether this build and this host can, whatever `TERRAZZO_DEBUG` says.
bool has_translator(VectorWidth width);
/// Whether blocks are to be translated: has_translator(Host), and `TERRAZZO_DEBUG` has no `interpret`.
bool can_translate();
/// Null: the host is out of memory, or cannot, or the block is too large; the block is interpreted.
std::unique_ptr<Translation> translate(const MicroBlock& block, VectorWidth width = VectorWidth::Host);

}  // namespace terrazzo::core
