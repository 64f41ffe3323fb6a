// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The registers that a command stream may write and read. The kernel protects its own (CP_PROTECT) with the
// lists of Linux 6.17, drivers/gpu/drm/msm/adreno/a6xx_catalog.c. Of the others, those of hw/registers.h
// exist: all that Mesa 25.0.7's drivers write.
#pragma once

#include <cstdint>
#include <memory>

#include "drivers/adreno/hw/chips.h"

namespace terrazzo::adreno::sim {

enum class RegisterUse : uint8_t {
    Free,
    ReadOnly,   // the kernel's, readable for streams
    Protected,  // the kernel's
    Unknown,    // no driver writes it
};

class RegisterAccess {
  public:
    static constexpr uint32_t kCount = 1u << 16;
    /// The tables of the chips are made once and never freed.
    explicit RegisterAccess(const hw::Chip& chip);
    RegisterUse of(uint32_t reg) const { return uses_[reg]; }

  private:
    const RegisterUse* uses_;  // kCount
};

}  // namespace terrazzo::adreno::sim
