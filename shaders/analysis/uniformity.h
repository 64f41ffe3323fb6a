// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which values are the same in all lanes of a wave, or in all invocations of a draw, and how the others
// change from lane to lane: an index that comes from gl_LocalInvocationID grows by the same number from each
// lane to the next, so memory at such a place is one access to a vector. Also an upper bound of each value,
// so that an access that lies within its range for certain needs no check.
//
// What is a source of divergence depends on the device: UniformitySources answers for the operations that
// read something.
#pragma once

#include <optional>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The invocations in which a value is the same, ascending. In a loop: the same in each of its turns.
enum class Scope : uint8_t { Invocation, Wave, Draw };

/// What a device knows of operations whose results depend on more than their operands. The defaults hold for
/// any device.
class UniformitySources {
  public:
    virtual ~UniformitySources() = default;
    /// The widest scope that the results have where all operands are the same in a draw. Asked for each
    /// instruction that is neither pure nor has regions. Optional.
    [[nodiscard]] virtual Scope scope(const Shader& s, const Instr& i) const;
};

struct UniformityOptions {
    /// Of a wave, a power of two. Lane n of wave w is invocation w * lanes + n of the workgroup by
    /// LocalInvocationIndex. 0: this is not known, so that values are uniform or are not.
    unsigned lanes = 0;
    /// Facts hold for lanes that do not run, too, except those beyond the workgroup's last invocation. What
    /// Ifs and Loops return, and arguments of loops that are continued in more than one place, are then not
    /// known: such lanes keep old values there.
    bool stopped_lanes = false;
};

class Uniformity {
  public:
    /// `s` must be valid, and is not kept. Time: linear in its size.
    Uniformity(const Shader& s, const UniformitySources& sources, const UniformityOptions& options = {});

    [[nodiscard]] Scope scope(const Value* v) const;
    /// The same in all lanes of a wave.
    [[nodiscard]] bool is_uniform(const Value* v) const { return step(v) == 0u; }
    /// Lane n has lane 0's word + n * step (mod 2^32). None: this is not known.
    [[nodiscard]] std::optional<uint32_t> step(const Value* v) const {
        const Fact& f = facts_[v->id];
        return f.known ? std::optional(f.step) : std::nullopt;
    }
    /// No invocation's value is above this number, as unsigned. Of 32-bit values.
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
