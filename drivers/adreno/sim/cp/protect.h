// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which registers a command stream may write and read. The kernel protects its own (CP_PROTECT) with the lists of Linux 6.17,
// drivers/gpu/drm/msm/adreno/a6xx_catalog.c. Of the others, those exist that hw/registers.h has: all that Mesa 25.0.7's drivers write.
#pragma once

#include <cstdint>
#include <memory>

#include "drivers/adreno/hw/chips.h"

namespace terrazzo::adreno::sim {

enum class RegisterUse : uint8_t {
    Free,
    ReadOnly,   // the kernel's, which streams may read
    Protected,  // the kernel's
    Unknown,    // nothing that anybody writes is there
};

class RegisterAccess {
  public:
    static constexpr uint32_t kCount = 1u << 16;
    /// Lists of chips are made once and live for ever.
    explicit RegisterAccess(const hw::Chip& chip);
    RegisterUse of(uint32_t reg) const { return uses_[reg]; }

  private:
    const RegisterUse* uses_;  // kCount
};

}  // namespace terrazzo::adreno::sim
