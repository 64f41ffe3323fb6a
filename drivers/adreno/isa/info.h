// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// What the table says about an instruction: one OpInfo an operation. Generic code (encoder, decoder, text,
// simulator, scheduler) walks it; nothing else knows bit positions.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "drivers/adreno/isa/enums.h"
#include "drivers/common/isa/table.h"

namespace terrazzo::adreno::isa {

using terrazzo::isa::Bits;
using Word = terrazzo::isa::Word<64>;

/// What a source's bits can say.
enum class Shape : uint8_t {
    kRegister,        // 8 bits: a register
    kRawRegister,     // the same; text shows a0.x as r61.x
    kOrImmediate,     // 8 bits: a register or a number, which another bit says
    kIndexed,         // the same, but IndexMode says
    kMulti,           // 16 bits: anything, with neg and abs
    kTriple,          // 13 bits: a register or constant
    kTripleNumber,    // 13 bits: a register or number
    kTripleRegister,  // 13 bits: a register
    kMove,            // 32 bits: anything, with a number of 32 bits
    kPredicate,       // 3 bits: p0.x .. p0.w, and whether it is inverted
};

/// Which precision a register has.
enum class Half : uint8_t {
    kNever,
    kOperation,   // the precision of the operation: OpInfo::full says how it is encoded
    kConverted,   // free: a bit says that it is not the operation's
    kOwnBit,      // free: OpInfo::dest_full says so
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
    uint8_t bias = 0;       // the bits hold the value less this
    bool inverted = false;  // a flag that is set by 0
};

/// A number that is an offset or a target.
struct OffsetInfo {
    Bits low, high;
    Bits present;  // says that there is one; width 0: there always is
    bool is_signed = false;
    constexpr unsigned width() const { return unsigned(low.width) + high.width; }
};

/// What a texture instruction has; its operands are where texture.cpp says.
struct TextureInfo {
    bool is = false, sampler = false, texture = false, type = false;
    uint8_t sources = 0;
};

/// Which unit executes an instruction. An ALU result is there after some cycles (delay); others are waited
/// for.
enum class Unit : uint8_t { kFlow, kAlu, kSfu, kTexture, kMemory, kBarrier };

/// The flag that waits for a result.
enum class Sync : uint8_t { kNone, kSs, kSy };

/// Bits of OpInfo::traits.
enum Trait : uint16_t {
    kEndsProgram = 1,
    kEndsBlock = 2,  // may go on elsewhere than at the next instruction
    kKills = 4,
    kReadsMemory = 8,
    kWritesMemory = 16,
    kReadsDest = 32,        // the destination's registers hold sources, too
    kWritesConstants = 64,  // what it writes are constants; sync says how they are waited for
    kReadsLate =
        128,  // its source registers may be written only after (ss), or after its result was waited for
    kNeedsHelpers = 256,  // reads other invocations of the quad
    kReadsInput = 512,    // reads varying storage
};

struct OpInfo : terrazzo::isa::RowInfo<Word> {
    static constexpr unsigned kMaxSources = 4, kMaxDests = 4, kMaxFields = 18;

    const char* mnemonic = "";  // what text begins with; two operations have the same
    const char* form = "";      // the rest of the text
    uint8_t category = 0;
    Unit unit = Unit::kAlu;
    Sync sync = Sync::kNone;
    uint16_t traits = 0;
    Bits full;     // sources are full registers; absent: half_operation says it
    Bits convert;  // the destination has the other precision
    Bits dest_full;
    bool half_operation = false;
    uint8_t precision_source = 0;  // the source whose precision is the operation's
    Bits nop_low, nop_high;        // the bits that say (nopN) where the instruction does not repeat
    OffsetInfo offset;
    TextureInfo texture;
    uint8_t source_count = 0, dest_count = 0, field_count = 0;
    std::array<SourceInfo, kMaxSources> source_rows{};
    std::array<DestInfo, kMaxDests> dest_rows{};
    std::array<FieldInfo, kMaxFields> field_rows{};

    constexpr std::span<const SourceInfo> sources() const { return {source_rows.data(), source_count}; }
    constexpr std::span<const DestInfo> dests() const { return {dest_rows.data(), dest_count}; }
    constexpr std::span<const FieldInfo> fields() const { return {field_rows.data(), field_count}; }
    constexpr bool is(Trait trait) const { return traits & trait; }
    constexpr const FieldInfo* find(Field field) const {
        for (const FieldInfo& row : fields()) {
            if (row.field == field) {
                return &row;
            }
        }
        return nullptr;
    }
    constexpr bool has(Field field) const { return find(field); }
    constexpr bool has_offset() const { return offset.low.width != 0; }
};

inline constexpr Bits kCategoryBits{61, 3};
/// The bits in which most instructions of a category differ: find_op() looks up by them.
inline constexpr Bits kIndexBits{53, 6};

/// Which instruction a word is, by the bits that say so and no others. False: none is known.
[[nodiscard]] bool find_op(Word word, Op* out);

/// `op` is an operation, not kCount. The table lives for ever.
const OpInfo& info(Op op);

enum class FieldKind : uint8_t { kPrefix, kFlag, kNamed, kNumber };

struct FieldText {
    const char* name;  // the accessor's, which forms say
    FieldKind kind;
    const char* flag = nullptr;
    const terrazzo::isa::Enumeration* values = nullptr;
};
const FieldText& field_text(Field field);

/// Cycles between an instruction that writes a register and one that reads it as source `n`, where no flag
/// waits: of a6xx, for registers of the same precision. Add 3 where a half of a full register is read or the
/// other way round.
unsigned delay(Op writer, Op reader, unsigned n);
/// The same after a write to a0.x or a1.x.
inline constexpr unsigned kAddressDelay = 6;

}  // namespace terrazzo::adreno::isa
