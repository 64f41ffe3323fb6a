// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "api/es1/context.h"

namespace terrazzo::st {
class Executable;
}

namespace terrazzo::es1 {

/// Where a program has each uniform, and which values it got.
class Uniforms {
  public:
    Uniforms() = default;
    /// `e` lives as long as this.
    explicit Uniforms(const st::Executable& e);
    /// Sets what changed in the current program, which must be that one.
    void update(Context& ctx);

  private:
    struct Used {
        unsigned row;  // of the table of uniforms
        GLint location;
    };
    std::array<std::vector<Used>, kGroups> used_;
    std::array<uint64_t, kGroups> stamps_{};
};

}  // namespace terrazzo::es1
