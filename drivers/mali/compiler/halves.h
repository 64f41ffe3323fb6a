// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// 16-bit floats: which values have them, and which two operations one instruction does at once. A word holds
// two halves; an instruction on halves computes both, of any halves of its sources. An operation that found
// no partner is done twice in one word.
#pragma once

#include <memory_resource>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::mali::compiler {

/// Turns what may be 16-bit floats into such; sums of products become multiply-adds there. False: there is
/// nothing of the kind.
bool use_halves(ir::Shader& s);

/// Whether this load's result is wanted as a 16-bit float alone.
[[nodiscard]] bool read_as_half(const ir::Value* v);
/// The uniform that `v` is a 16-bit float of; null: something else.
[[nodiscard]] const ir::Instr* half_uniform(const ir::Value* v);
/// An operation whose result is wanted saturated only, which it can do itself.
[[nodiscard]] bool takes_clamp(ir::Op op);
[[nodiscard]] bool saturates(const ir::Value* v);

/// A half without the modifiers that sources have.
struct Bare {
    const ir::Value* value;
    bool neg = false, abs = false;
};
[[nodiscard]] Bare bare(const ir::Value* v);

/// Two instructions that stand beside each other in the code and are one.
struct HalfPlan {
    explicit HalfPlan(std::pmr::memory_resource* m) : partner(m), join(m) {}
    std::pmr::vector<const ir::Instr*> partner;  // by id of the first one's result: the second; else null
    // By id of what an if chooses or a loop carries in the lower half of a word: what lies in the upper one.
    std::pmr::vector<const ir::Value*> join;
    uint64_t narrow_inputs = 0;   // bit per slot that is loaded as halves
    uint8_t input_mask[64] = {};  // by slot: components that are read
};
/// Moves instructions; values are renumbered first.
[[nodiscard]] HalfPlan plan_halves(ir::Shader& s, std::pmr::memory_resource* memory);

}  // namespace terrazzo::mali::compiler
