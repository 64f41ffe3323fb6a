// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The encoding of an operand, in 8 bits and the instruction's FAU page, and the limits of FAU reads in one
// instruction.
#pragma once
#include <cstdint>
#include <string_view>

#include "drivers/common/isa/text.h"
#include "drivers/mali/isa/enums.h"

namespace terrazzo::mali::isa {

struct Instr;
struct Operand;

inline constexpr unsigned kConstantCount = 32;

uint8_t encode_operand(const Operand& operand);
/// Returns the operand without its modifiers. A special value may be a reserved one.
Operand decode_operand(uint8_t code, unsigned page);

/// Finds a special value by its text. False: there is none.
[[nodiscard]] bool find_special(std::string_view text, Special* out);

/// Checks the limits of one instruction: one page, two words, and one pair of words (two for most messages).
[[nodiscard]] bool validate_fau(const Instr& instr, terrazzo::isa::Error* error);

}  // namespace terrazzo::mali::isa
