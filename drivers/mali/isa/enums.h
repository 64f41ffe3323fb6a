// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The enumerations of Valhall's instructions: operations, modifiers and their values, swizzles, special
// values. All come from rows in *.inc.
#pragma once
#include <cstdint>

#include "drivers/common/isa/enumeration.h"

namespace terrazzo::mali::isa {

enum class Op : uint16_t {
#define OP(enumerator, ...) enumerator,
#include "drivers/mali/isa/ops.inc"
#undef OP
    kCount
};
inline constexpr unsigned kOpCount = unsigned(Op::kCount);

#define TERRAZZO_ISA_ENUMS "drivers/mali/isa/enums.inc"
#include "drivers/common/isa/define_enums.inc"

enum class Mod : uint8_t {
#define TERRAZZO_ISA_FIELDS "drivers/mali/isa/modifiers.inc"
#define FIELD(enumerator, ...) enumerator,
#include "drivers/common/isa/each_field.inc"
    kCount
};
inline constexpr unsigned kModCount = unsigned(Mod::kCount);

enum class Swizzle : uint8_t {
#define SWIZZLE(enumerator, text) enumerator,
#include "drivers/mali/isa/swizzles.inc"
#undef SWIZZLE
};

/// Value: 16 * page + slot.
enum class Special : uint8_t {
#define SPECIAL(enumerator, text, page, slot) enumerator = 16 * page + slot,
#include "drivers/mali/isa/special.inc"
#undef SPECIAL
};

/// The immediates. Their names are those of the assembly text.
enum class Imm : uint8_t { kConstant, kIndex, kOffset, kShift, kTable, kTarget };

/// The unit that executes an instruction. Shader statistics count by unit (isa.h, cost).
enum class Unit : uint8_t { kFma, kCvt, kSfu, kV, kLs, kT, kVt, kNone };

/// The kind of message that an instruction sends to another unit. The results arrive later; a wait for the
/// message's slot makes them available. kNone: no message, the next instruction can read the result.
enum class Message : uint8_t {
    kNone,
    kVarying,
    kAttribute,
    kTexture,
    kVaryingTexture,
    kLoad,
    kStore,
    kAtomic,
    kBarrier,
    kBlend,
    kTile,
    kAlphaTest,
    kDepthStencil,
};

}  // namespace terrazzo::mali::isa
