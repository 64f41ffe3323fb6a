// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Operands: their bits, their text, the rules for them. Internal to this folder.
#pragma once

#include <string_view>
#include "drivers/adreno/isa/isa.h"
#include "drivers/common/isa/line.h"

namespace terrazzo::adreno::isa {

/// Encodes a source, with its bits at bit 0. `src` has been validated.
uint64_t encode_source(const SourceInfo& row, const Src& src);
/// kIndexed and kOrImmediate: `number` is true for a number. kMove: `word` also has bits 53 and 54.
[[nodiscard]] bool decode_source(const SourceInfo& row, uint64_t word, bool number, Src* out, Error* error);
/// Whether the shape can encode the source; ignores the precision.
[[nodiscard]] bool validate_source(const SourceInfo& row, const Src& src, unsigned n, const char* name,
                                   Error* error);

/// The precision that a register must have; for Half::kConverted and kOwnBit it is `has`.
bool expected_half(const Instr& instr, Half rule, bool has);
/// Whether the operation is of half precision.
bool is_half_operation(const Instr& instr);

// The text of operands (operand_text.cpp). `type`: that of a move's number.
void text_of_dest(terrazzo::isa::Line& line, Dest& dest);
void text_of_source(terrazzo::isa::Line& line, const SourceInfo& row, Type type, Src& src);

// The operands of texture instructions (texture.cpp).
uint64_t encode_texture(const Instr& instr);
[[nodiscard]] bool decode_texture(uint64_t word, Instr* out, Error* error);
[[nodiscard]] bool validate_texture(const Instr& instr, Error* error);

// The form of an instruction's text (info.h): pieces in braces and the characters between them. Printer and
// parser read the same form.

/// Removes the next piece from `*rest`: the text between braces, or the characters up to the next brace.
/// False: nothing is left.
constexpr bool next_piece(std::string_view* rest, std::string_view* piece, bool* braced) {
    if (rest->empty()) return false;
    *braced = (*rest)[0] == '{';
    size_t end = rest->find(*braced ? '}' : '{');
    end = end == std::string_view::npos ? rest->size() : end;
    *piece = *braced ? rest->substr(1, end - 1) : rest->substr(0, end);
    rest->remove_prefix(*braced && end < rest->size() ? end + 1 : end);
    return true;
}

}  // namespace terrazzo::adreno::isa
