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

/// The locations of a program's uniforms, and the values that it has.
class Uniforms {
  public:
    Uniforms() = default;
    /// `e` must outlive this object.
    explicit Uniforms(const st::Executable& e);
    /// Sets changed values in the current program, which must be `e`'s.
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
