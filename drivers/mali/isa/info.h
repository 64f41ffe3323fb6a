// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The table's data of an instruction: one OpInfo for each operation. Generic code (encoder, decoder, text,
// simulator, statistics) uses it; bit positions are nowhere else.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "drivers/common/isa/table.h"
#include "drivers/mali/isa/enums.h"

namespace terrazzo::mali::isa {

using terrazzo::isa::Bits;
using Word = terrazzo::isa::Word<64>;

/// The sets of swizzles that sources have. Each has its own code numbers (fau.h).
enum class SwizzleSet : uint8_t {
    kNone,
    kWiden,      // a half, as 32 bits
    kHalves,     // the order of two halves
    kParts8,     // the order of four bytes
    kParts16,    // two halves, or two bytes extended to halves
    kParts32,    // a half or byte, extended
    kParts64,    // a word, half or byte, extended
    kLane8,      // one byte
    kLane16,     // one half
    kLanes,      // the same byte for each part
    kBytePairs,  // two bytes
    kBranch,     // how a condition is computed from the halves
};
inline constexpr unsigned kSwizzleSetCount = 12;

struct SourceInfo {
    Bits field;         // 8 bits: kind and index
    uint8_t size = 32;  // bits of one part; 64: a pair of registers or of uniforms
    SwizzleSet set = SwizzleSet::kNone;
    Bits swizzle, neg, abs, invert;  // width 0: absent
};

/// Staging registers: consecutive registers that a message reads or writes.
struct StagingInfo {
    Bits base;
    Bits count;  // the number of registers less `bias`
    uint8_t bias = 0;
    bool reads = false, writes = false;
};

struct ModifierInfo {
    Mod mod = Mod::kCount;
    Bits bits;
};

struct ImmediateInfo {
    Imm name = Imm::kConstant;
    Bits bits;
    bool is_signed = false;
};

/// Bits of OpInfo::traits.
enum Trait : uint8_t {
    kBranches = 1,  // may continue at another than the next instruction
    kKills = 2,     // may end the thread
    kReadsMemory = 4,
    kWritesMemory = 8,
};

struct OpInfo : terrazzo::isa::RowInfo<Word, Trait, SourceInfo, 4> {
    static constexpr unsigned kMaxStaging = 2, kMaxModifiers = 13, kMaxImmediates = 2;

    terrazzo::isa::Match<Word> control;  // other bits with fixed values; they do not identify it
    Unit unit = Unit::kNone;
    Message message = Message::kNone;
    uint8_t size = 32;      // bits of one part of the result
    bool has_dest = false;  // a register, or a half of one
    uint8_t staging_count = 0, modifier_count = 0, immediate_count = 0;
    std::array<StagingInfo, kMaxStaging> staging_rows{};
    std::array<ModifierInfo, kMaxModifiers> modifier_rows{};
    std::array<ImmediateInfo, kMaxImmediates> immediate_rows{};

    constexpr std::span<const StagingInfo> staging() const { return {staging_rows.data(), staging_count}; }
    constexpr std::span<const ModifierInfo> modifiers() const {
        return {modifier_rows.data(), modifier_count};
    }
    constexpr std::span<const ImmediateInfo> immediates() const {
        return {immediate_rows.data(), immediate_count};
    }
    constexpr bool has(Mod mod) const {
        for (const ModifierInfo& row : modifiers()) {
            if (row.mod == mod) {
                return true;
            }
        }
        return false;
    }
    /// Whether the instruction has a slot field. ATEST has none and uses slot 0.
    constexpr bool has_slot() const { return has(Mod::kSlot); }
};

// Fields that are at the same place in every instruction that has them.
inline constexpr Bits kOpcodeBits{48, 9}, kPageBits{57, 2}, kFlowBits{59, 4};
inline constexpr Bits kDestRegister{40, 6}, kDestHalves{46, 2}, kStagingControl{46, 2};

/// Finds the instruction of a word, by its identifying bits only. False: the word matches no instruction.
[[nodiscard]] bool find_op(Word word, Op* out);

/// `op` must not be kCount. The table is static.
const OpInfo& info(Op op);

/// The text of a modifier's value (enumerations), nullptr for flags.
const terrazzo::isa::Enumeration* enumeration(Mod mod);
/// The text of a flag, nullptr for enumerations.
const char* flag_name(Mod mod);

}  // namespace terrazzo::mali::isa
