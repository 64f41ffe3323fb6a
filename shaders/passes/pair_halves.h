// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// 16-bit floats (halves) for GPUs that compute two at a time. The pass selects the values that become halves,
// and pairs operations that one instruction computes. The GPU must be able to do this:
// - A word holds two halves. An instruction on halves computes both halves of its result, from any halves of
//   its sources. For an operation without a partner, both halves of the result are the same.
// - Instructions can negate sources, take their absolute values, and clamp results to 0..1.
// - Uniforms, inputs and texels can be loaded as halves.
#pragma once

#include <memory_resource>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Narrows values to 16-bit floats where allowed, and fuses their products and sums into multiply-adds.
/// False: there are no such values.
bool use_halves(Shader& s);

/// Whether the load's result is used only as a 16-bit float.
[[nodiscard]] bool read_as_half(const Value* v);
/// The load of the uniform whose 16-bit float `v` is; null: `v` is none.
[[nodiscard]] const Instr* half_uniform(const Value* v);
/// takes_clamp(): whether the operation can saturate its result. saturates(): whether the operation of `v`
/// does so because only the saturated result is used.
[[nodiscard]] bool takes_clamp(Op op);
[[nodiscard]] bool saturates(const Value* v);

/// A half without the modifiers that a source can apply.
struct Bare {
    const Value* value;
    bool neg = false, abs = false;
};
[[nodiscard]] Bare bare(const Value* v);

/// The pairs. The two instructions of a pair are adjacent in the IR and are selected as one.
struct HalfPlan {
    explicit HalfPlan(std::pmr::memory_resource* m) : partner(m), join(m) {}
    std::pmr::vector<const Instr*> partner;  // by id of the first one's result: the second; otherwise null
    // By id of an if's result, or of a loop's result or argument, in the lower half of a word: the value in
    // the upper half.
    std::pmr::vector<const Value*> join;
    uint64_t narrow_inputs = 0;   // bit per slot that is loaded as halves
    uint8_t input_mask[64] = {};  // by slot: components that are read
};
/// Finds the pairs, for which it renumbers the values and moves instructions.
[[nodiscard]] HalfPlan plan_halves(Shader& s, std::pmr::memory_resource* memory);

}  // namespace terrazzo::ir
