// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Determines which values are the same in all lanes of a wave, or in all invocations of a draw, and how the
// others change from lane to lane. An index that is computed from gl_LocalInvocationID grows by a constant
// from each lane to the next, so the lanes' accesses with it are one access to a vector. The analysis also
// has an upper bound of each value, so that accesses that are certainly in range need no check.
//
// Which operations are sources of divergence depends on the device: see UniformitySources.
#pragma once

#include <optional>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The invocations in which a value is the same, from few to many. In a loop: the same in each iteration.
enum class Scope : uint8_t { Invocation, Wave, Draw };

/// A device's answers about operations whose results depend on more than their operands. The defaults are
/// right for any device.
class UniformitySources {
  public:
    virtual ~UniformitySources() = default;
    /// The widest scope of the results if all operands are the same in a draw. Called for each instruction
    /// that is not pure and has no regions. Optional.
    [[nodiscard]] virtual Scope scope(const Shader& s, const Instr& i) const;
};

struct UniformityOptions {
    /// The lanes of a wave, a power of two. Lane n of wave w is the invocation of the workgroup with
    /// LocalInvocationIndex w * lanes + n. 0: unknown, so all known steps are 0.
    unsigned lanes = 0;
    /// Facts also hold for inactive lanes, except those after the workgroup's last invocation. The results of
    /// Ifs and Loops, and the arguments of loops with several continues, are then unknown, because inactive
    /// lanes keep old values there.
    bool stopped_lanes = false;
};

class Uniformity {
  public:
    /// `s` must be valid; it is only used during the call. Time: linear in its size.
    Uniformity(const Shader& s, const UniformitySources& sources, const UniformityOptions& options = {});

    [[nodiscard]] Scope scope(const Value* v) const;
    /// Whether the value is the same in all lanes of a wave.
    [[nodiscard]] bool is_uniform(const Value* v) const { return step(v) == 0u; }
    /// The step: lane n has lane 0's word + n * step (mod 2^32). Empty: unknown.
    [[nodiscard]] std::optional<uint32_t> step(const Value* v) const {
        const Fact& f = facts_[v->id];
        return f.known ? std::optional(f.step) : std::nullopt;
    }
    /// The largest number that the value may have in any invocation, as unsigned. For 32-bit values.
    [[nodiscard]] uint32_t upper_bound(const Value* v) const { return bounds_[v->id]; }

  private:
    struct Fact {
        bool known = false;
        bool draw = false;  // known, with a step of 0, and the same in a draw
        uint32_t step = 0;
        bool operator==(const Fact&) const = default;
    };
    class Solver;

    std::vector<Fact> facts_;       // by Value::id
    std::vector<uint32_t> bounds_;  // likewise
};

}  // namespace terrazzo::ir
