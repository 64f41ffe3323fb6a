// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The names that Valhall's instructions are made of: operations, modifiers and their values, swizzles,
// special values. All come from rows in *.inc.
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

// clang-format off
#define ENUM(type, default_value) enum class type : uint8_t {
#define VALUE(enumerator, value, text) enumerator = value,
#define END };
#include "drivers/mali/isa/enums.inc"
#undef ENUM
#undef VALUE
#undef END
// clang-format on

enum class Mod : uint8_t {
#define MODIFIER(enumerator, ...) enumerator,
#define FLAG(enumerator, ...) enumerator,
#include "drivers/mali/isa/modifiers.inc"
#undef MODIFIER
#undef FLAG
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

/// Names of immediates, as text has them.
enum class Imm : uint8_t { kConstant, kIndex, kOffset, kShift, kTable, kTarget };

/// Which unit executes an instruction; shader statistics count by it (info.h, cost).
enum class Unit : uint8_t { kFma, kCvt, kSfu, kV, kLs, kT, kVt, kNone };

/// What an instruction asks another unit for; results arrive later, and are waited for by the slot. kNone:
/// none, the result is there for the next instruction.
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

// The texts of the values: kClampNames and so on.
inline constexpr int kNoDefault = terrazzo::isa::Enumeration::kNoDefault;
// clang-format off
#define ENUM(type, default_value) inline constexpr terrazzo::isa::Enumeration k##type##Names(default_value, {
#define VALUE(enumerator, value, text) terrazzo::isa::Enumerator{value, text},
#define END });
#include "drivers/mali/isa/enums.inc"
#undef ENUM
#undef VALUE
#undef END
// clang-format on

}  // namespace terrazzo::mali::isa
