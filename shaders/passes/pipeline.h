// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The common passes in their order.
#pragma once

#include "shaders/ir/ir.h"
#include "shaders/passes/algebraic.h"
#include "shaders/passes/if_conversion.h"
#include "shaders/passes/loop_unroll.h"
#include "shaders/passes/lower_indirect.h"

namespace terrazzo::ir {

struct PipelineOptions {
    AlgebraicOptions algebraic;
    IfConversionOptions if_conversion;
    LoopUnrollOptions loop_unroll;
    LowerIndirectOptions lower_indirect;
    bool convert_ifs = true;
    bool unroll_loops = true;
    bool lower_indirects = true;  // dynamic indices into local variables
    unsigned max_rounds = 12;     // of the clean-up passes, which run until nothing changes
    /// Instructions that they may visit in all rounds except the first min_rounds: the gain in a large shader
    /// is not
    /// worth more time.
    unsigned max_visits = 400'000;
    unsigned min_rounds = 2;
};

/// Optimises a valid shader, before or after linking; values are renumbered. In debug builds the validator
/// runs after each pass that changed something, and a broken shader aborts with the pass's name.
void optimize(Shader& s, const PipelineOptions& options = {});

/// The clean-up passes alone, until nothing changes: after a driver lowered something.
void clean_up(Shader& s, const PipelineOptions& options = {});

/// For back ends that compute addresses from indices: clamps indices, as nothing checks them later; turns
/// arrays with
/// constant indices into values; and multiplies a vector by several matrices one after another.
void simplify_addresses_and_products(Shader& s);

}  // namespace terrazzo::ir
