// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The names of the parts of AGX instructions: operations, fields and their values, kinds of operands, special
// registers. Rows of *.inc are expanded here.
#pragma once
#include <cstdint>

#include "drivers/common/isa/enumeration.h"

namespace terrazzo::agx::isa {

enum class Op : uint8_t {
#define OP(enumerator, ...) enumerator,
#include "drivers/agx/isa/ops.inc"
#undef OP
    kCount
};
inline constexpr unsigned kOpCount = unsigned(Op::kCount);

#define TERRAZZO_ISA_ENUMS "drivers/agx/isa/enums.inc"
#include "drivers/common/isa/define_enums.inc"

#define TERRAZZO_ISA_FIELD_ROWS "drivers/agx/isa/fields.inc"
#include "drivers/common/isa/define_fields.inc"

enum class SpecialRegister : uint8_t {
#define SPECIAL(number, enumerator, text) enumerator = number,
#include "drivers/agx/isa/special.inc"
#undef SPECIAL
};

enum class OperandKind : uint8_t {
    kNone,
    kRegister,
    kUniform,
    kImmediate,
    kTextureState,
    kSamplerState,
    kCoefficient,  // of a varying; the number of the first one
    kSpecial,
};

/// Bits of Operand::flags.
enum OperandFlag : uint8_t {
    kCache = 1,    // the value will be used again soon
    kDiscard = 2,  // the last use of the value
    kAbs = 4,      // applied before kNeg
    kNeg = 8,
    kSignExtend = 16,  // otherwise values are extended with zeros
    kBindless = 32,    // the 16-bit register is not the number of a texture state
};

/// The kind of work, for statistics and for the order of instructions.
enum class Class : uint8_t {
    kMove,
    kFloat,
    kInteger,
    kBits,
    kSelect,
    kFlow,    // jumps, the execution mask, waits
    kGroup,   // exchanges values between the threads of a group
    kDevice,  // device memory, the stack, state registers
    kLocal,   // threadgroup memory
    kTexture,
    kImage,
    kVarying,
    kPixel,  // the tilebuffer, coverage, depth
    kBarrier,
    kUnknown,
};

}  // namespace terrazzo::agx::isa
