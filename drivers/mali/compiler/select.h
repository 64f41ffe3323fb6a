// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From the common IR to hardware instructions on words. Structured control flow becomes branches, phis become
// moves into words that have several definitions, interface operations become messages.
#pragma once

#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/compiler/halves.h"
#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// f.error says what is not possible.
/// `blend`: it is a blend shader. `plan`: of its 16-bit floats; null where it has none.
void select(const ir::Shader& s, Part part, const BlendTarget* blend, const HalfPlan* plan, Function& f,
            Info& info);

}  // namespace terrazzo::mali::compiler
