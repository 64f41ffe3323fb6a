// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads registers that a draw needs: they must have been written, with valid values in their fields.
#pragma once

#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// As Registers::require(), with a fault if a field has no enumerator's value. Ignores bits without a
/// meaning.
template <class R>
[[nodiscard]] bool take(const Registers& registers, R* out, Fault* fault, unsigned i = 0) {
    if (!registers.require(out, fault, i)) return false;
    uint32_t words[R::kSize_dw];
    for (unsigned w = 0; w < R::kSize_dw; ++w)
        words[w] = registers.value(uint16_t(R::at(i) + w));
    fields::ReservedBits found;
    if (unpack(words, out, &found)) return true;
    for (unsigned n = 0; n < found.count && n < fields::ReservedBits::kMax; ++n)
        if (found.finding[n].field)
            return fail(fault, hw::register_name(R::at(i)), ": ", found.finding[n].field, " has no value ",
                        found.finding[n].value);
    return true;
}

/// Calls take() for several registers.
template <class... R>
[[nodiscard]] bool take_all(const Registers& registers, Fault* fault, R*... out) {
    return (take(registers, out, fault) && ...);
}

}  // namespace terrazzo::adreno::sim
