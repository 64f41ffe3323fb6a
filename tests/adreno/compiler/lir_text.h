// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The text of one instruction of the compiler (lir_text.cpp), for tests/common/backend/code_text.h.
#pragma once

#include <string>
#include <string_view>

#include "drivers/adreno/compiler/lir.h"

namespace terrazzo::adreno::compiler {

void print_inst(const Function& f, const Inst& i, std::string* out);
/// False: *why is the error.
bool parse_inst(Function& f, std::string_view text, Inst* out, std::string* why);

}  // namespace terrazzo::adreno::compiler
