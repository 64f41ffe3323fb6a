// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The rows of the table of instructions: one OpInfo for each operation. Generic code (encoder, decoder, text,
// simulator, scheduler) reads them; other code does not know bit positions.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "drivers/adreno/isa/enums.h"
#include "drivers/common/isa/table.h"

namespace terrazzo::adreno::isa {

using terrazzo::isa::Bits;
using terrazzo::isa::FieldKind;
using terrazzo::isa::FieldText;
using Word = terrazzo::isa::Word<64>;

/// The operands that a source's bits can encode.
enum class Shape : uint8_t {
    kRegister,        // 8 bits: a register
    kRawRegister,     // the same; text shows a0.x as r61.x
    kOrImmediate,     // 8 bits: a register or a number; another bit selects
    kIndexed,         // likewise, but IndexMode selects
    kMulti,           // 16 bits: anything, with neg and abs
    kTriple,          // 13 bits: a register or constant
    kTripleNumber,    // 13 bits: a register or number
    kTripleRegister,  // 13 bits: a register
    kMove,            // 32 bits: anything, with a number of 32 bits
    kPredicate,       // 3 bits: p0.x .. p0.w, and whether it is inverted
};

/// The precision of a register.
enum class Half : uint8_t {
    kNever,
    kOperation,   // the precision of the operation, which OpInfo::full encodes
    kConverted,   // free: a bit is set if it differs from the operation's
    kOwnBit,      // free: OpInfo::dest_full encodes it
    kType,        // follows Field::kType
    kSourceType,  // follows Field::kSourceType
    kDestType,
    kUnlessBindless,  // the index of a texture that is not bindless
};

struct SourceInfo {
    Shape shape = Shape::kRegister;
    Half half = Half::kNever;
    Bits bits;
    Bits neg, repeat;  // width 0: absent, or inside bits
    Bits immediate;    // of kOrImmediate
};

struct DestInfo {
    Half half = Half::kNever;
    Bits bits;
    Bits relative;
};

struct FieldInfo {
    Field field = Field::kCount;
    Bits bits;
    uint8_t bias = 0;       // the bits contain the value less this
    bool inverted = false;  // a flag that is set by 0
};

/// An offset or a jump's target.
struct OffsetInfo {
    Bits low, high;
    Bits present;  // is set if there is one; width 0: there always is
    bool is_signed = false;
    constexpr unsigned width() const { return unsigned(low.width) + high.width; }
};

/// The properties of a texture instruction; texture.cpp has its operands.
struct TextureInfo {
    bool is = false, sampler = false, texture = false, type = false;
    uint8_t sources = 0;
};

/// The unit that executes an instruction. An ALU result is available after some cycles (delay); for others, a
/// flag waits.
enum class Unit : uint8_t { kFlow, kAlu, kSfu, kTexture, kMemory, kBarrier };

/// The flag that waits for a result.
enum class Sync : uint8_t { kNone, kSs, kSy };

/// Bits of OpInfo::traits.
enum Trait : uint16_t {
    kEndsProgram = 1,
    kEndsBlock = 2,  // may continue elsewhere than at the next instruction
    kKills = 4,
    kReadsMemory = 8,
    kWritesMemory = 16,
    kReadsDest = 32,        // the destination's registers contain sources, too
    kWritesConstants = 64,  // writes constants; sync is the flag that waits for them
    kReadsLate = 128,       // a write to its source registers must wait: by (ss), or for its result
    kNeedsHelpers = 256,    // reads other invocations of the quad
    kReadsInput = 512,      // reads varying storage
    kOrders = 1024,         // a barrier or fence, or another instruction about the order of others
};

struct OpInfo : terrazzo::isa::RowInfo<Word, Trait, SourceInfo, 4>, terrazzo::isa::FieldRows<FieldInfo, 18> {
    static constexpr unsigned kMaxDests = 4;

    const char* mnemonic = "";  // the first part of the text; two operations share one
    const char* form = "";      // the rest of the text
    uint8_t category = 0;
    Unit unit = Unit::kAlu;
    Sync sync = Sync::kNone;
    Bits full;     // sources are full registers; absent: see half_operation
    Bits convert;  // the destination has the other precision
    Bits dest_full;
    bool half_operation = false;
    uint8_t precision_source = 0;  // the source whose precision is the operation's
    Bits nop_low, nop_high;        // the bits of (nopN) if the instruction does not repeat
    OffsetInfo offset;
    TextureInfo texture;
    uint8_t dest_count = 0;
    std::array<DestInfo, kMaxDests> dest_rows{};

    constexpr bool has_offset() const { return offset.low.width != 0; }
};

inline constexpr Bits kCategoryBits{61, 3};
/// Most instructions of a category differ in these bits: find_op() uses them as an index.
inline constexpr Bits kIndexBits{53, 6};

/// Finds the operation of a word by its identifying bits only. False: there is none.
[[nodiscard]] bool find_op(Word word, Op* out);

/// `op` is an operation, not kCount. The table is static.
const OpInfo& info(Op op);

/// Cycles between an instruction that writes a register and one that reads it as source `n`, if no flag
/// waits. For a6xx and registers of the same precision. Add 3 if a half of a full register is read, or a full
/// register of two halves.
unsigned delay(Op writer, Op reader, unsigned n);
/// Likewise, after a write to a0.x or a1.x.
inline constexpr unsigned kAddressDelay = 6;

}  // namespace terrazzo::adreno::isa
