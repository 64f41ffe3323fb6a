// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How values change from lane to lane of a row, as far as a shader's text says: many are the same in all lanes, and
// indices that come from gl_LocalInvocationID go up by the same number from each lane to the next. Memory at such a
// place is one access to a scalar or to a vector. And how large values can be, so that what lies within its range for
// certain needs no look at the range.
#pragma once

#include <optional>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::soft {

class LaneSteps {
  public:
    /// `lanes`: of a row, a power of two. Time: linear in the shader's size.
    LaneSteps(const ir::Shader& s, unsigned lanes);

    /// Lane n has lane 0's word + n * step (mod 2^32), lanes that do not run included; unless it lies beyond the workgroup's
    /// last invocation. None: it is not known.
    [[nodiscard]] std::optional<uint32_t> step(const ir::Value* v) const {
        const Fact& f = facts_[v->id];
        return f.known ? std::optional(f.step) : std::nullopt;
    }
    /// The same in all lanes.
    [[nodiscard]] bool alike(const ir::Value* v) const { return step(v) == 0u; }
    /// What no invocation's value, taken as unsigned, is above. Of 32 bits.
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
    std::vector<Fact> facts_;                // by ir::Value::id
    std::vector<const ir::Instr*> loops_;    // whose arguments are believed to go on as they begin
    std::vector<const ir::Value*> spreads_;  // that turned out not to be known: their users may not be either
};

}  // namespace terrazzo::soft
