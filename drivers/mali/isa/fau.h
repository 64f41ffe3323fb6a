// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// What an operand's 8 bits and the instruction's FAU page say, and how much of the FAU one instruction may
// read.
#pragma once
#include <cstdint>
#include <string_view>

#include "drivers/common/isa/error.h"
#include "drivers/mali/isa/enums.h"

namespace terrazzo::mali::isa {

struct Instr;
struct Operand;

inline constexpr unsigned kConstantCount = 32;

uint8_t encode_operand(const Operand& operand);
/// The operand without its modifiers; a special value may be a reserved one.
Operand decode_operand(uint8_t code, unsigned page);

/// By its text.
[[nodiscard]] bool find_special(std::string_view text, Special* out);

/// One page an instruction, two words, and one pair of words (two for most messages).
[[nodiscard]] bool validate_fau(const Instr& instr, terrazzo::isa::Error* error);

}  // namespace terrazzo::mali::isa
