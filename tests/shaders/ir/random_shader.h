// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random valid programs for property tests. The same seed results in the same program on every machine.
#pragma once

#include <cstdint>
#include <memory>

#include "shaders/ir/ir.h"

namespace terrazzo::ir::test {

struct RandomOptions {
    unsigned statements = 40;
    unsigned depth = 3;  // nesting of ifs and loops
    bool half = false;   // with F16 operations
    bool transcendental = false;
    bool textures = true;
    bool discard = true;
    bool memory = false;  // uniform blocks 0 and 1, a storage buffer at 0
};

/// A linked fragment shader with local variables (constant and dynamic indices), ifs and loops with values,
/// breaks, continues, all kinds of ALU operations, derivatives in uniform control flow, textures. At its end
/// it stores Color0 to Color3.
[[nodiscard]] std::unique_ptr<Shader> random_shader(uint32_t seed, const RandomOptions& options = {});

/// splitmix64 with this seed.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t bits() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    uint32_t below(uint32_t n) { return uint32_t(bits() % n); }
    bool chance(uint32_t percent) { return below(100) < percent; }

  private:
    uint64_t state_;
};

}  // namespace terrazzo::ir::test
