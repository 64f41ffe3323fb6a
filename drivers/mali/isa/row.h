// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The functions that describe the rows of ops_*.inc. Only table.cpp includes this.
//
//   op(code, unit, message)     bits 48..56
//   .is(start, width, value)    further bits that identify the instruction
//   .dest()                     a destination register, with a mask of halves, in bits 40..47
//   .reads() .writes()          staging registers: base in bits 40..45, access in 46..47, count in 33..35
//   .src(shape)                 the next source
//   .lane(size, bit)            the next source; the field at `bit` selects one byte or half of it
//   .gap()                      8 bits that are no source: an immediate follows a message's 64-bit source
//   .mods(...)                  modifiers, in the order of the text
//   .mod_at(mod, start, width)  a modifier with other bits than in modifiers.inc
//   .imm(name, start, width)    an immediate; .signed_imm: a signed one
//   .fixed(start, width, value) bits with a fixed value, which do not identify the instruction
//
// Sources are at bits 0, 8, 16, 24. Every instruction has flow control in bits 59..62 and the FAU page in
// bits 57..58.
#pragma once
#include <string_view>

#include "drivers/mali/isa/info.h"

namespace terrazzo::mali::isa::row {

/// The modifiers of a source.
enum Feature : uint8_t {
    kPlain = 0,
    kAbsNeg = 1,   // signs of a float
    kSwizzle = 2,  // two bits: a half to extend (32), the order of the halves (16)
    kParts = 4,    // four bits
    kLaneField = 8,
    kPairField = 16,
    kBranchField = 32,
    kNot = 64,
};

struct Shape {
    uint8_t size;
    uint8_t features;
};

inline constexpr Shape kI8{8, kPlain}, kI16{16, kPlain}, kI32{32, kPlain}, kI64{64, kPlain};
inline constexpr Shape kF16{16, kAbsNeg}, kF32{32, kAbsNeg};
inline constexpr Shape kF16Swz{16, kAbsNeg | kSwizzle}, kF32Half{32, kAbsNeg | kSwizzle};
inline constexpr Shape kI16Swz{16, kSwizzle}, kI32Half{32, kSwizzle};
inline constexpr Shape kI8Any{8, kParts}, kI16Any{16, kParts}, kI32Any{32, kParts}, kI64Any{64, kParts};
inline constexpr Shape kI8Not{8, kNot}, kI16Not{16, kNot}, kI32Not{32, kNot}, kI64Not{64, kNot};
inline constexpr Shape kLanes{8, kLaneField}, kBytePair{8, kPairField}, kBranchIf{32, kBranchField};

constexpr Bits default_bits(Mod mod) {
    constexpr Bits kBits[] = {
#define NAMED(enumerator, accessor, type, start, width) Bits{start, width},
#define FLAG(enumerator, accessor, text, bit) Bits{bit, 1},
#include "drivers/mali/isa/modifiers.inc"
#undef NAMED
#undef FLAG
    };
    return kBits[unsigned(mod)];
}

/// The bits of the type at the end of a name: 16 for "v2f16", 64 for "i64"; 32 if there is no type.
constexpr uint8_t size_of_name(std::string_view name) {
    uint8_t size = 0;
    if (name.find('.') != name.npos || name.find("_TO_") != name.npos) {
        unsigned scale = 1;
        for (size_t i = name.size(); i > 0 && name[i - 1] >= '0' && name[i - 1] <= '9'; i--, scale *= 10) {
            size = uint8_t(size + scale * unsigned(name[i - 1] - '0'));
        }
    }
    return size == 8 || size == 16 || size == 64 ? size : 32;
}

struct Row : terrazzo::isa::RowBase<Row, OpInfo> {
    bool staged = false;  // bits 40..47 are staging registers
    uint8_t next_source = 0;

    constexpr Row& fixed(uint8_t start, uint8_t width, uint64_t value) {
        fits &= info.control.demand({start, width}, value);
        return claim({start, width});
    }
    constexpr Row& dest() {
        info.has_dest = true;
        return claim(kDestRegister).claim(kDestHalves);
    }
    constexpr Row& staging(StagingInfo row) {
        if (!append(info.staging_rows, info.staging_count, row)) return *this;
        staged = true;
        return claim(row.base).claim(row.count);
    }
    constexpr Row& control(uint64_t value) {
        return fixed(kStagingControl.start, kStagingControl.width, value);
    }
    constexpr Row& reads() { return staging({{40, 6}, {33, 3}, 0, true, false}).control(1); }
    constexpr Row& writes() { return staging({{40, 6}, {33, 3}, 0, false, true}).control(2); }
    /// Up to 8 staging registers.
    constexpr Row& writes_many() { return staging({{40, 6}, {36, 3}, 1, false, true}).control(2); }
    /// Written staging registers of an instruction that also reads some: the base is in other bits.
    constexpr Row& writes_beside() { return staging({{16, 6}, {36, 3}, 1, false, true}); }
    constexpr Row& reads_beside() { return staging({{40, 6}, {33, 3}, 0, true, false}); }

    constexpr Row& gap() {
        next_source++;
        return *this;
    }
    constexpr Row& add(SourceInfo source) {
        if (info.source_count == OpInfo::kMaxSources || next_source >= 4) {
            fits = false;
            return *this;
        }
        source.field = {uint8_t(8 * next_source++), 8};
        claim(source.field).claim(source.swizzle).claim(source.neg).claim(source.abs).claim(source.invert);
        info.source_rows[info.source_count++] = source;
        return *this;
    }
    constexpr Row& src(Shape shape) {
        const uint8_t i = next_source;
        SourceInfo source;
        source.size = shape.size;
        if (shape.features & kAbsNeg) {
            source.neg = {uint8_t(38 - 2 * i), 1};
            source.abs = {uint8_t(39 - 2 * i), 1};
        }
        if (shape.features & kNot) {
            source.invert = {35, 1};
        }
        if (shape.features & kSwizzle) {
            source.set = shape.size == 16 ? SwizzleSet::kHalves : SwizzleSet::kWiden;
            source.swizzle = {uint8_t(28 - 2 * i), 2};
        }
        const Bits wide{uint8_t(i == 1 ? 26 : 36), 4};
        if (shape.features & kParts) {
            source.set = shape.size == 8    ? SwizzleSet::kParts8
                         : shape.size == 16 ? SwizzleSet::kParts16
                         : shape.size == 32 ? SwizzleSet::kParts32
                                            : SwizzleSet::kParts64;
            source.swizzle = wide;
        }
        if (shape.features & kLaneField) {
            source.set = SwizzleSet::kLanes;
            source.swizzle = wide;
        }
        if (shape.features & kPairField) {
            source.set = SwizzleSet::kBytePairs;
            source.swizzle = wide;
        }
        if (shape.features & kBranchField) {
            source.set = SwizzleSet::kBranch;
            source.swizzle = {37, 3};
        }
        return add(source);
    }
    /// One byte or half of a source, chosen by the field at `start`.
    constexpr Row& lane(uint8_t size, uint8_t start, uint8_t features = kPlain) {
        SourceInfo source;
        source.size = size;
        source.set = size == 8 ? SwizzleSet::kLane8 : SwizzleSet::kLane16;
        source.swizzle = {start, uint8_t(size == 8 ? 2 : 1)};
        if (features & kAbsNeg) {
            source.neg = {uint8_t(38 - 2 * next_source), 1};
            source.abs = {uint8_t(39 - 2 * next_source), 1};
        }
        return add(source);
    }
    constexpr Row& mod_at(Mod mod, uint8_t start, uint8_t width) {
        append(info.modifier_rows, info.modifier_count, {mod, {start, width}});
        return claim({start, width});
    }
    template <typename... Mods>
    constexpr Row& mods(Mods... list) {
        (mod_at(list, default_bits(list).start, default_bits(list).width), ...);
        return *this;
    }
    constexpr Row& immediate(ImmediateInfo row) {
        append(info.immediate_rows, info.immediate_count, row);
        return claim(row.bits);
    }
    constexpr Row& imm(Imm name, uint8_t start, uint8_t width) {
        return immediate({name, {start, width}, false});
    }
    constexpr Row& signed_imm(Imm name, uint8_t start, uint8_t width) {
        return immediate({name, {start, width}, true});
    }
    constexpr void complete() {
        info.size = size_of_name(info.name);
        // An instruction without results must have "both halves": zeros are an encoding fault.
        if (!info.has_dest && !staged) {
            control(3);
        }
    }
};

constexpr Row op(uint16_t code, Unit unit, Message message = Message::kNone) {
    Row row;
    row.info.unit = unit;
    row.info.message = message;
    return row.is(kOpcodeBits.start, kOpcodeBits.width, code).claim(kPageBits).claim(kFlowBits);
}

/// The coordinates are staging registers with the base in bits 40..45, the results those with the base in
/// bits 16..21. The source is the pair of texture and sampler handles.
constexpr Row texture(uint16_t code) {
    return op(code, Unit::kT, Message::kTexture)
        .trait(kReadsMemory)
        .writes_beside()
        .reads_beside()
        .src(kI64)
        .mods(Mod::kSlot, Mod::kSkip, Mod::kRegisterType, Mod::kRegisterWidth);
}

/// The coordinates are a varying. The second source is its offset.
constexpr Row varying_texture(uint16_t code) {
    return op(code, Unit::kVt, Message::kVaryingTexture)
        .trait(kReadsMemory)
        .writes_many()
        .src(kI64)
        .gap()
        .src(kI32)
        .mods(Mod::kSlot, Mod::kSkip, Mod::kSampleAndUpdate, Mod::kRegisterType, Mod::kPairWidth,
              Mod::kDimension, Mod::kArrayEnable);
}

}  // namespace terrazzo::mali::isa::row
