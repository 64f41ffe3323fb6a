// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How values change from lane to lane of a row, as far as the shader's text shows. Many values are the same
// in all lanes. Indices that depend on gl_LocalInvocationID increase by a constant step per lane, so memory
// at such an index is one access to a scalar or to a vector. The analysis also bounds values, so that
// accesses that are always within a range need no check.
#pragma once

#include <optional>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::soft {

class LaneSteps {
  public:
    /// `lanes`: per row, a power of two. Time: linear in the shader's size.
    LaneSteps(const ir::Shader& s, unsigned lanes);

    /// Lane n has lane 0's word + n * step (mod 2^32), also in inactive lanes, but not beyond the workgroup's
    /// last invocation. Empty: unknown.
    [[nodiscard]] std::optional<uint32_t> step(const ir::Value* v) const {
        const Fact& f = facts_[v->id];
        return f.known ? std::optional(f.step) : std::nullopt;
    }
    /// Whether the value is the same in all lanes.
    [[nodiscard]] bool alike(const ir::Value* v) const { return step(v) == 0u; }
    /// An upper bound of all invocations' values, as unsigned 32-bit numbers.
    [[nodiscard]] uint32_t most(const ir::Value* v) const { return facts_[v->id].most; }

  private:
    struct Fact {
        bool known = false;
        uint32_t step = 0;
        uint32_t most = ~0u;
    };
    Fact& of(const ir::Value* v) { return facts_[v->id]; }
    const Fact& of(const ir::Instr& i, unsigned operand) const { return facts_[i.operand(operand)->id]; }
    void region(const ir::Region& r);
    Fact fact(const ir::Instr& i) const;
    Fact sysval(const ir::IoInfo& io) const;
    Fact integer(const ir::Instr& i) const;
    [[nodiscard]] uint32_t largest(const ir::Instr& i) const;
    void forget(const ir::Value* v);
    void check_loops();
    void spread();

    const ir::Shader& shader_;
    const unsigned lanes_;
    std::vector<Fact> facts_;              // by ir::Value::id
    std::vector<const ir::Instr*> loops_;  // loops whose arguments are assumed to keep their steps
    // Values that turned out to be unknown; their users must be revised.
    std::vector<const ir::Value*> spreads_;
};

}  // namespace terrazzo::soft
