// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// FrontEnd::take, for the files that implement its instructions.
#pragma once

#include "drivers/mali/sim/csf/front_end.h"

namespace terrazzo::mali::sim {

template <class T>
bool FrontEnd::take(uint64_t word, T* out) {
    fields::ReservedBits found;
    if (hw::unpack(word, out, &found)) return true;
    fields::StringSink text;
    found.print(text, 0);
    fail(hw::ExceptionCode::CS_INSTR_INVALID, text.text);
    return false;
}

}  // namespace terrazzo::mali::sim
