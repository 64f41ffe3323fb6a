// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The names of the parts of Adreno a6xx ("ir3") instructions: operations, fields and their values, from the
// rows in *.inc.
#pragma once
#include <cstdint>

#include "drivers/common/isa/enumeration.h"

namespace terrazzo::adreno::isa {

enum class Op : uint8_t {
#define OP(enumerator, ...) enumerator,
#include "drivers/adreno/isa/ops.inc"
#undef OP
    kCount
};
inline constexpr unsigned kOpCount = unsigned(Op::kCount);

#define TERRAZZO_ISA_ENUMS "drivers/adreno/isa/enums.inc"
#include "drivers/common/isa/define_enums.inc"

#define TERRAZZO_ISA_FIELD_ROWS "drivers/adreno/isa/fields.inc"
#include "drivers/common/isa/define_fields.inc"

/// Where a texture instruction has its texture and sampler. Indirect: a register has the indices. A1: a1.x
/// has the other bits.
enum class TextureMode : uint8_t {
    kBound,            // numbers in the instruction
    kIndirectUniform,  // a half register: sampler and texture
    kBindlessA1Uniform,
    kBindlessNonuniform,
    kBindlessA1Nonuniform,
    kIndirectNonuniform,
    kBindlessUniform,
    kBindlessImmediate,    // 4 bits each
    kBindlessA1Immediate,  // the sampler in the instruction, the texture in a1.x
};
inline constexpr unsigned kTextureModeCount = 9;

/// Whether values of the type are in half registers. Moves also treat u8_32 as a half (is_half_in_move).
constexpr bool is_half(Type type) {
    return type == Type::kF16 || type == Type::kU16 || type == Type::kS16 || type == Type::kU8;
}
constexpr bool is_half_in_move(Type type) {
    return is_half(type) || type == Type::kU8In32;
}
constexpr bool is_float(Type type) {
    return type == Type::kF16 || type == Type::kF32;
}
constexpr bool is_signed(Type type) {
    return type == Type::kS16 || type == Type::kS32;
}
constexpr unsigned bits_of(Type type) {
    return type == Type::kU8 || type == Type::kU8In32 ? 8 : is_half(type) ? 16 : 32;
}

}  // namespace terrazzo::adreno::isa
