// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// IR reads arrays component by component. Which loads one instruction on several words does at once: an
// analysis for code generators, which changes nothing.
#pragma once

#include <functional>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The dynamic index of LoadUniform, LoadVar or StoreVar; null: there is none. And the place that it is added
/// to, in words.
[[nodiscard]] const Value* index_of(const Instr& i);
[[nodiscard]] uint32_t place_of(const Instr& i);

/// A power of two, 4 at most, that divides the value, as far as the operations that made it say. Of null
/// (no index): 4.
[[nodiscard]] unsigned known_multiple(const Value* v);

/// Places beside each other.
struct LoadRun {
    uint32_t first, count;
};
/// The up to four places around LoadUniform or LoadVar `i` that loads behind it in its region want, too, up to
/// what might change them. `group`: no run goes over a multiple of so many words; 0: it may.
/// `elsewhere`: whether the word at a place need not be loaded.
[[nodiscard]] LoadRun find_load_run(const Instr& i, uint32_t group,
                                    const std::function<bool(uint32_t place)>& elsewhere);

}  // namespace terrazzo::ir
