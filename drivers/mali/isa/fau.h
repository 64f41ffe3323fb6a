// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The encoding of an operand: 8 bits and the instruction's FAU page, its swizzle's code number, and the
// limits of FAU reads in one instruction.
#pragma once
#include <cstdint>
#include <string_view>

#include "drivers/common/isa/text.h"
#include "drivers/mali/isa/info.h"

namespace terrazzo::mali::isa {

struct Instr;
struct Operand;

inline constexpr unsigned kConstantCount = 32;

uint8_t encode_operand(const Operand& operand);
/// Returns the operand without its modifiers. A special value may be a reserved one.
Operand decode_operand(uint8_t code, unsigned page);

/// Finds a special value by its text. False: there is none.
[[nodiscard]] bool find_special(std::string_view text, Special* out);

/// Whether an instruction may read two 64-bit slots of the FAU. Messages may, except ATEST and BLEND; other
/// instructions may read one.
[[nodiscard]] bool reads_two_slots(Op op);

/// Checks the limits of one instruction: one page, two words, and one pair of words (two for most messages).
[[nodiscard]] bool validate_fau(const Instr& instr, terrazzo::isa::Error* error);

// The code numbers of swizzles in each kind of source.

/// The swizzle of a code number. False: the code is reserved.
[[nodiscard]] bool swizzle_of_code(SwizzleSet set, uint64_t code, Swizzle* out);
/// The code number of a swizzle; -1: the set does not have it.
int code_of_swizzle(SwizzleSet set, Swizzle swizzle);
/// "" for kNone.
const char* swizzle_name(Swizzle swizzle);
/// Finds a swizzle by its text. The explicit names of kNone ("h01", "b0123") are accepted, too. False: the
/// set does not have it.
[[nodiscard]] bool find_swizzle(SwizzleSet set, std::string_view text, Swizzle* out);

}  // namespace terrazzo::mali::isa
