// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// IR reads arrays component by component. This analysis for code generators finds loads that one instruction
// can do together. It changes nothing.
#pragma once

#include <functional>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The dynamic index of LoadUniform, LoadVar or StoreVar; null: there is none. And the place, in words, that
/// it is
/// added to.
[[nodiscard]] const Value* index_of(const Instr& i);
[[nodiscard]] uint32_t place_of(const Instr& i);

/// A power of two, at most `most`, that divides the value, from the operations that compute it. `most` for
/// null (no index).
[[nodiscard]] unsigned known_multiple(const Value* v, unsigned most);

/// Adjacent places.
struct LoadRun {
    uint32_t first, count;
};
/// Up to four adjacent places, with that of LoadUniform or LoadVar `i`, that later loads of its region read
/// before
/// anything may change them. `group`: no run crosses a multiple of this number of words; 0: it may.
/// `elsewhere`: whether the word at a place need not be loaded.
[[nodiscard]] LoadRun find_load_run(const Instr& i, uint32_t group,
                                    const std::function<bool(uint32_t place)>& elsewhere);

}  // namespace terrazzo::ir
