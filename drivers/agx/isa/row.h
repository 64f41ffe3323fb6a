// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The functions that describe the rows of ops_*.inc. Only table.cpp and tests include this.
//
//   op(bits, value, class, bytes)               the lowest bits, and the length
//   op(bits, value, class, bytes, more, bit)    two lengths; `bit` is set in the longer form (usually bit 15)
//   .is(start, width, value)                    further bits that identify the instruction
//   .dest(shape, high)                          bits 9..14 and two bits from `high`, key in 7..8
//   .dest(shape, value, key, shared)            a destination elsewhere
//   .src(shape, low, high)                      6 bits from `low`, then key and signs; 2 bits from `high`
//   .src(shape, low, high, signs)               the signs are elsewhere
//   .src(shape, value, key, shared)             an operand with any bits
//   .field(field, bits)                         a flag, a number or a named value
//   .mod_at(field, bits)                        a named value that is a parameter of emitters
//   .unknown(start, width, usual)               bits without a known meaning, and their usual value
//
// Operands are in the order of the text.
#pragma once
#include "drivers/agx/isa/shapes.h"

namespace terrazzo::agx::isa::row {

inline constexpr unsigned kMostUnknown = kFieldCount - unsigned(Field::kUnknown0);

struct Row : terrazzo::isa::RowBase<Row, OpInfo> {
    unsigned unknown_count = 0;

    constexpr Row& claim_operand(const OperandInfo& o) { return claim(o.value).claim(o.key).claim(o.signs); }
    constexpr Row& dest(const Shape& shape, SplitBits value, SplitBits key = {}, Bits shared = {}) {
        fits &= info.dest_count == 0;
        info.dest_count = 1;
        info.dest_row = {&shape, value, key, shared, {}};
        return claim_operand(info.dest_row);
    }
    constexpr Row& dest(const Shape& shape, uint8_t high) {
        return dest(shape, SplitBits({9, 6}, {high, 2}), SplitBits({7, 2}));
    }
    constexpr Row& source(const OperandInfo& o) {
        append(info.source_rows, info.source_count, o);
        return claim_operand(o);
    }
    constexpr Row& src(const Shape& shape, SplitBits value, SplitBits key = {}, Bits shared = {}) {
        return source({&shape, value, key, shared, {}});
    }
    constexpr Row& src(const Shape& shape, uint8_t low, uint8_t high, uint8_t signs, Bits shared = {}) {
        const uint8_t width = shape.signs == kFloatSigns ? 2 : shape.signs == kSignExtend ? 1 : 0;
        return source({&shape, SplitBits({low, 6}, {high, 2}),
                       SplitBits(Bits{uint8_t(low + 6), shape.key_width}), shared, Bits{signs, width}});
    }
    constexpr Row& src(const Shape& shape, uint8_t low, uint8_t high) {
        return src(shape, low, high, uint8_t(low + 6 + shape.key_width));
    }
    /// A source of compare-and-select.
    constexpr Row& src(uint8_t low, uint8_t high) {
        return src(kSelect, SplitBits({low, 6}, {high, 2}), SplitBits(Bits{uint8_t(low + 6), 3}), Bits{8, 1});
    }
    constexpr Row& field(Field f, SplitBits bits, uint16_t usual = 0) {
        fits &= usual <= bits.max() && !info.has(f);
        append(info.field_rows, info.field_count, {f, bits, usual});
        return claim(bits);
    }
    constexpr Row& mod_at(Field f, SplitBits bits) { return field(f, bits); }
    constexpr Row& unknown(uint8_t start, uint8_t width, uint16_t usual = 0) {
        const unsigned n = unknown_count++;
        fits &= n < kMostUnknown;
        return field(Field(unsigned(Field::kUnknown0) + n), Bits{start, width}, usual);
    }
};

constexpr Row op(uint8_t bits, uint64_t value, Class unit, unsigned bytes) {
    Row row;
    row.info.unit = unit;
    return row.length(8 * bytes).is(0, bits, value);
}
constexpr Row op(uint8_t bits, uint64_t value, Class unit, unsigned bytes, unsigned more, uint8_t bit = 15) {
    Row row;
    row.info.unit = unit;
    return row.lengths(8 * bytes, 8 * more, bit).is(0, bits, value);
}

// Each function is one row.
// clang-format off
// ---- Arithmetic ----

constexpr Row saturating(Row row) {
    return row.field(Field::kSaturate, Bits{6, 1});
}
/// Bits 34..41 are zero.
constexpr Row float_unary(uint8_t function) {
    return saturating(op(6, 0x0a, Class::kFloat, 4, 6).is(28, 6, function).is(34, 8, 0)).dest(kDst, 44)
        .src(kFloat, 16, 42);
}
constexpr Row float_binary(uint8_t code) {
    return saturating(op(6, code, Class::kFloat, 4, 6)).dest(kDst, 44).src(kFloat, 16, 42)
        .src(kFloat, 28, 40);
}
constexpr Row half_binary(uint8_t code) {
    return saturating(op(6, code, Class::kFloat, 4, 6)).dest(kDst16, 44).src(kHalf, 16, 42)
        .src(kHalf, 28, 40);
}
constexpr Row int_unary(uint8_t function) {
    return op(7, 0x3e, Class::kBits, 6).is(15, 1, 0).is(26, 2, function).is(28, 10, 0).is(38, 2, 0)
        .dest(kDst, 44).src(kAlu, 16, 42);
}
constexpr Row shift(uint8_t upper, uint8_t function) {
    return op(7, 0x2e, Class::kBits, 8).is(15, 1, upper).is(26, 2, function).dest(kDst, 60)
        .src(kAlu, 16, 58).src(kAlu, 28, 56);
}
constexpr Row bit_field(uint8_t upper, uint8_t function) {
    return shift(upper, function).src(kAlu, 40, 54)
        .field(Field::kBits, SplitBits({38, 2}, {50, 2}, {63, 1}));
}

// ---- Groups of threads ----

constexpr Row shuffle(uint8_t rotates, uint8_t direction) {
    return op(7, 0x6f, Class::kGroup, 6).is(15, 1, 0).is(47, 1, rotates).is(38, 2, direction)
        .trait(kCrossesThreads).dest(kDst, 44);
}
/// Among four threads.
constexpr Row quad_shuffle(uint8_t rotates, uint8_t direction) {
    return shuffle(rotates, direction).is(26, 2, 0).src(kAlu64, 16, 42).src(kAlu64, 28, 40);
}
constexpr Row simd_shuffle(uint8_t rotates, uint8_t direction) {
    return shuffle(rotates, direction).is(26, 2, 1).src(kAlu, 16, 42).src(kAlu16, 28, 40);
}
/// `function`: bits 26..41.
constexpr Row reduction(uint8_t integer, uint16_t function) {
    return op(7, 0x6f, Class::kGroup, 6).is(15, 1, 1).is(47, 1, integer).is(26, 16, function)
        .trait(kCrossesThreads).dest(kDst, 44).src(kAlu64, 16, 42);
}
constexpr Row matrix(uint8_t wide) {
    return op(7, 0x6f, Class::kGroup, 8).is(15, 1, 0).is(26, 1, wide).is(27, 1, 1).is(63, 1, 1)
        .trait(kCrossesThreads).dest(kDstPair, 60).src(kFloatPair, 16, 58, 52).src(kFloatPair, 28, 56)
        .src(kFloatPair, 40, 54);
}
/// `all`: among 32 threads, not four.
constexpr Row int_ballot(uint8_t all) {
    return op(7, 0x32, Class::kGroup, 8).is(26, 2, 0).is(38, 2, 0).is(48, 13, all).trait(kCrossesThreads)
        .dest(kDst, 44).mod_at(Field::kIntCondition, SplitBits({61, 3}, {47, 1})).src(kAlu, 16, 42)
        .src(kAlu, 28, 40);
}
constexpr Row float_ballot(uint8_t all) {
    return op(7, 0x22, Class::kGroup, 8).is(48, 13, all).trait(kCrossesThreads).dest(kDst, 44)
        .mod_at(Field::kFloatCondition, SplitBits({61, 3}, {47, 1})).src(kFloat, 16, 42)
        .src(kFloat, 28, 40);
}

// ---- Flow ----

/// The last source is the number of levels that are pushed, or left.
constexpr Row int_mask(uint8_t action) {
    return op(7, 0x52, Class::kFlow, 6).is(9, 2, action).is(26, 2, 0).is(38, 2, 0).is(44, 2, 0)
        .trait(kSetsMask).dest(kCounter, SplitBits(), Bits{7, 1})
        .field(Field::kIntCondition, SplitBits({13, 3}, {8, 1})).src(kAlu, 16, 42).src(kAlu, 28, 40)
        .src(kNumber, Bits{11, 2});
}
constexpr Row float_mask(uint8_t action) {
    return op(7, 0x42, Class::kFlow, 6).is(9, 2, action).is(44, 2, 0).trait(kSetsMask)
        .dest(kCounter, SplitBits(), Bits{7, 1}).field(Field::kFloatCondition, SplitBits({13, 3}, {8, 1}))
        .src(kFloat, 16, 42).src(kFloat, 28, 40).src(kNumber, Bits{11, 2});
}

// ---- Memory ----

inline constexpr SplitBits kIndexBits({20, 4}, {32, 4}, {56, 8}), kBaseBits({16, 4}, {36, 4});
inline constexpr SplitBits kDataBits({10, 6}, {40, 2}), kLocalDataBits({9, 6}, {60, 2});
inline constexpr Bits kDeviceMask{52, 4}, kLocalMask{36, 4};

constexpr Row device(uint8_t code) {
    return op(7, code, Class::kDevice, 6, 8, 47).field(Field::kFormat, SplitBits({7, 3}, {48, 1}))
        .field(Field::kMask, kDeviceMask).field(Field::kUnsigned, Bits{25, 1})
        .field(Field::kShift, Bits{42, 2}).field(Field::kSlot, Bits{30, 1});
}
constexpr Row device_load() {
    return device(0x05).trait(kReadsMemory).trait(kLate).dest(kData, kDataBits, Bits{49, 1})
        .src(kBase, kBaseBits, Bits{27, 1}).src(kIndex, kIndexBits, Bits{24, 1});
}
constexpr Row device_store() {
    return device(0x45).trait(kWritesMemory).trait(kLate).src(kData, kDataBits, Bits{49, 1})
        .src(kBase, kBaseBits, Bits{27, 1}).src(kIndex, kIndexBits, Bits{24, 1});
}
constexpr Row stack(uint8_t code) {
    return op(8, code, Class::kDevice, 6, 8, 47).is(16, 4, 0)
        .field(Field::kFormat, SplitBits({8, 2}, {50, 2})).field(Field::kMask, kDeviceMask)
        .field(Field::kSlot, Bits{30, 1}).unknown(26, 1, 1).unknown(36, 3).unknown(44, 3, 4);
}
constexpr Row stack_pointer(uint8_t code) {
    return op(8, code, Class::kDevice, 6, 8, 47).is(16, 4, 1).unknown(8, 2).unknown(26, 1, 1)
        .unknown(36, 3, 2).unknown(44, 3).unknown(50, 6);
}
/// `code`: bits 5 and 6; bit 4 is zero.
constexpr Row local(uint8_t code) {
    return op(4, 9, Class::kLocal, 6, 8).is(5, 2, code).field(Field::kFormat, Bits{24, 4})
        .field(Field::kMask, kLocalMask);
}
constexpr Row local_place(Row row) {
    return row.src(kLocalBase, SplitBits({16, 6}, {58, 2}), Bits{22, 2})
        .src(kR16OrSigned, SplitBits({28, 6}, {48, 10}), Bits{34, 1});
}
constexpr Row map(uint8_t action) {
    return op(8, 0x75, Class::kDevice, 8).is(10, 1, 0).is(47, 1, 1).is(16, 4, action).is(24, 2, 1)
        .is(27, 3, 0).is(31, 1, 0).unknown(8, 2).unknown(26, 1, 1).unknown(30, 1).unknown(36, 4)
        .unknown(42, 5, 16).unknown(48, 8, 16);
}
constexpr Row async_copy(uint8_t code) {
    return op(7, code, Class::kDevice, 8).field(Field::kCopy2D, Bits{47, 1})
        .src(kBase, Bits{9, 6}, Bits{8, 1}).src(kCopyRange, kBaseBits, Bits{25, 1});
}
constexpr Row state_store(uint8_t code) {
    return op(8, code, Class::kDevice, 8).is(20, 1, 1);
}

// ---- Varyings, textures, pixels ----

/// `projected`: divided by the coefficient of the second source.
constexpr Row interpolation(uint8_t projected) {
    return op(8, 0x21 | projected << 6, Class::kVarying, 4, 8).field(Field::kComponents, Bits{30, 2})
        .field(Field::kInterpolation, Bits{48, 2}).field(Field::kForward, Bits{22, 1})
        .field(Field::kElide, Bits{46, 1}).field(Field::kKill, Bits{52, 1})
        .dest(kVaryingData, SplitBits({9, 6}, {56, 2}), Bits{8, 1})
        .src(kVaryingCoefficient, SplitBits({16, 6}, {58, 2}), Bits{23, 1}).unknown(40, 6).unknown(47, 1)
        .unknown(50, 2).unknown(53, 3).unknown(62, 2);
}
constexpr Row sample_id(Row row) {
    return row.src(kSample, Bits{32, 8}, SplitBits(), Bits{48, 2});
}
constexpr Row store_varying(uint16_t code) {
    return op(10, code, Class::kVarying, 4).is(22, 1, 0).src(kR32, SplitBits({10, 5}, {24, 2}))
        .src(kR16OrNumber, SplitBits({16, 6}, {26, 2}), Bits{23, 1}).unknown(31, 1, 1);
}
/// Sources: coordinates, level of detail, bindless base, texture, sampler, reference and offset.
constexpr Row texture(uint8_t code) {
    return op(8, code, Class::kTexture, 8, 12).trait(kReadsMemory).trait(kLate)
        .field(Field::kSampleMode, Bits{30, 2}).field(Field::kDimension, SplitBits({40, 3}, {71, 1}))
        .field(Field::kMask, Bits{48, 4}).field(Field::kLod, Bits{52, 4}).field(Field::kGather, Bits{86, 5})
        .field(Field::kCompare, Bits{23, 1}).field(Field::kKill, Bits{69, 2})
        .field(Field::kSlot, Bits{63, 1}).dest(kData, SplitBits({9, 6}, {72, 2}), Bits{8, 1})
        .src(kCoordinate, SplitBits({16, 6}, {74, 2}), SplitBits({22, 1}, {47, 1}))
        .src(kLodOperand, SplitBits({24, 6}, {76, 2}), SplitBits(), Bits{52, 4})
        .src(kBindlessBase, Bits{64, 5}, SplitBits(), Bits{39, 1})
        .src(kTexture, SplitBits({32, 6}, {78, 2}), Bits{38, 2})
        .src(kSampler, SplitBits({56, 6}, {92, 2}), Bits{62, 1})
        .src(kExtra, SplitBits({80, 6}, {94, 2}), Bits{91, 1}, Bits{23, 1}).unknown(43, 4, 12);
}
/// Sources: coordinates, level, bindless base, texture.
constexpr Row image_place(Row row) {
    return row.field(Field::kDimension, SplitBits({40, 3}, {55, 1})).field(Field::kWriteRound, Bits{53, 1})
        .src(kCoordinate, SplitBits({16, 6}, {58, 2}), SplitBits({22, 1}, {47, 1}))
        .src(kR16OrNumber, SplitBits({24, 6}, {60, 2}), Bits{31, 1})
        .src(kBindlessBase, Bits{48, 5}, SplitBits(), Bits{39, 1})
        .src(kTexture, SplitBits({32, 6}, {62, 2}), Bits{38, 2});
}
/// Sources: samples, coordinates. Without .coords, which is usual, the pixel is the thread's own.
constexpr Row tile(uint8_t load) {
    return op(6, 0x09, Class::kPixel, 8, 10).is(6, 1, load).field(Field::kFormat, Bits{24, 4})
        .field(Field::kMask, kLocalMask).field(Field::kCoordinates, Bits{55, 1})
        .field(Field::kOffset, SplitBits({28, 7}, {40, 2})).unknown(35, 1, load);
}
constexpr Row tile_place(Row row) {
    return row.src(kNumberOrR16, SplitBits({42, 6}, {56, 2}), Bits{22, 2})
        .src(kPixelCoordinates, SplitBits({16, 6}, {58, 2}), SplitBits(), Bits{55, 1});
}
constexpr Row coverage(uint8_t code) {
    return op(8, code, Class::kPixel, 4).is(15, 1, 0)
        .src(kR16OrNumber, SplitBits({9, 6}, {24, 2}), Bits{8, 1});
}

// clang-format on

}  // namespace terrazzo::agx::isa::row
