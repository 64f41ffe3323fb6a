// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The bits of a source <-> Src. Internal to this folder.
#pragma once
#include "drivers/adreno/isa/isa.h"

namespace terrazzo::adreno::isa {

/// The bits of a register source etc., at bit 0. `src` has been validated. `half` is the source's precision.
uint64_t encode_source(const SourceInfo& row, const Src& src);
/// kIndexed and kOrImmediate: `number` says which of both it is. kMove: `word` also has bits 53 and 54.
[[nodiscard]] bool decode_source(const SourceInfo& row, uint64_t word, bool number, Src* out, Error* error);
/// Whether the shape can say it; the precision is not looked at.
[[nodiscard]] bool validate_source(const SourceInfo& row, const Src& src, unsigned n, const char* name,
                                   Error* error);

/// The precision that a register must have; for Half::kConverted and kOwnBit what it has is right.
bool expected_half(const Instr& instr, Half rule, bool has);
/// Whether the operation is of half precision.
bool is_half_operation(const Instr& instr);

// Where texture instructions have their operands (texture.cpp).
uint64_t encode_texture(const Instr& instr);
[[nodiscard]] bool decode_texture(uint64_t word, Instr* out, Error* error);
[[nodiscard]] bool validate_texture(const Instr& instr, Error* error);

}  // namespace terrazzo::adreno::isa
