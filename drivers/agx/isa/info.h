// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The table's data of an instruction: one OpInfo for each operation. Generic code (encoder, decoder, text,
// simulator, statistics) uses it; bit positions are nowhere else.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "drivers/agx/isa/enums.h"
#include "drivers/common/isa/table.h"

namespace terrazzo::agx::isa {

using terrazzo::isa::Bits;
using terrazzo::isa::FieldKind;
using terrazzo::isa::FieldText;
using terrazzo::isa::SplitBits;
/// Instructions have 2 to 12 bytes, in units of 16 bits.
using Word = terrazzo::isa::Word<96>;
using Unit = uint16_t;

inline constexpr unsigned kRegisterHalves = 256;  // r0l .. r127h
inline constexpr unsigned kUniformHalves = 512;   // u0l .. u255h

/// What the lowest bit of an operand's value must be.
enum class Low : uint8_t { kAny, kEven, kOdd, kZero };  // kZero: the whole value
/// The number of an operand's registers. 0: this case of the shape does not apply.
enum class Count : uint8_t {
    kOne,
    kTwo,
    kThree,
    kFour,
    kMask,          // the components in the mask
    kNoMask,        // one if the mask is empty
    kComponents,    // of a varying
    kCoefficients,  // three for each of them
    kHalfCoordinates,
    kCoordinates,
    kMixedCoordinates,  // 32-bit coordinates, then a 16-bit layer or sample
    kGradient,
    kGradientMin,
    kDepthStencil,
    kCopy,
};

/// An encoding of an operand: its key bits, and what they mean.
struct Case {
    uint8_t key;
    OperandKind kind;
    uint8_t size = 0;  // bits of a register or uniform
    Low low = Low::kAny;
    uint8_t scale = 0;  // registers and uniforms are numbered in halves: value << scale, plus add
    uint16_t add = 0;
    uint8_t flags = 0;
    Count count = Count::kOne;
    uint8_t key_mask = 0xff;
};

/// kWord: 32 bits, in hexadecimal. kJump: bytes from the instruction's start.
enum class Number : uint8_t { kUnsigned, kSigned, kWord, kFloat, kJump };

/// The cases are tried in their order.
struct Shape {
    std::span<const Case> cases;
    uint8_t key_width = 0;              // for sources of the usual form
    uint8_t signs = 0;                  // kSignExtend, or kAbs | kNeg
    Number number = Number::kUnsigned;  // of immediates
};

struct OperandInfo {
    const Shape* shape = nullptr;
    SplitBits value;
    SplitBits key;
    Bits shared;  // bits of another operand or field; the highest ones of the key
    Bits signs;   // one bit (kSignExtend) or two (kAbs, kNeg)
};

struct FieldInfo {
    Field field = Field::kCount;
    SplitBits bits;
    uint16_t usual = 0;  // of numbers: the value that make() sets and the text omits
};

/// Bits of OpInfo::traits.
enum Trait : uint16_t {
    kBranches = 1,  // may continue at another instruction than the next one
    kEnds = 2,      // never continues at the next one
    kSetsMask = 4,  // changes the execution mask; the counter r0l is read and written
    kReadsMemory = 8,
    kWritesMemory = 16,
    kLate = 32,  // the result comes later: a wait for the slot must precede its use
    kCrossesThreads = 64,
};

struct OpInfo : terrazzo::isa::RowInfo<Word, Trait, OperandInfo, 7>, terrazzo::isa::FieldRows<FieldInfo, 12> {
    Class unit = Class::kUnknown;
    uint8_t dest_count = 0;
    OperandInfo dest_row;
};

/// Finds the instruction of a word, by its identifying bits only. False: the word matches no instruction.
[[nodiscard]] bool find_op(Word word, Op* out);
/// `op` must not be kCount. The table is static.
const OpInfo& info(Op op);

}  // namespace terrazzo::agx::isa
