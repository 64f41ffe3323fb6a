// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Unrolls loops whose trip count is a constant: the loop's arguments are followed through the iterations with
// the evaluator. The copies stand in a loop that runs once, so that other breaks keep their meaning;
// constant_folding and simplify_if then clear away the tests.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

struct LoopUnrollOptions {
    unsigned max_trips = 64;
    /// Instructions of all copies together.
    unsigned max_instructions = 768;
    /// The same for loops that index local variables dynamically: unrolled, these become values.
    unsigned max_instructions_indexed = 2048;
    /// Of all loops' copies together, in one run: a text of thousands of small loops must not grow a
    /// hundredfold.
    unsigned max_total = 65536;
};
bool loop_unroll(Shader& s, const LoopUnrollOptions& options = {});

}  // namespace terrazzo::ir
