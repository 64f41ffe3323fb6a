// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Texts that the printer and the assembler share.
#pragma once
#include "drivers/mali/isa/enums.h"

namespace terrazzo::mali::isa {

const char* immediate_name(Imm name);

}  // namespace terrazzo::mali::isa
