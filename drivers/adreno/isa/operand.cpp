// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The bits of sources. Facts: Mesa 25.0.7, ir3-common.xml, ir3-cat1.xml, ir3-cat3.xml.
#include "drivers/adreno/isa/operand.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::refuse;

constexpr int32_t kMaxConstant = 2047, kMaxMultiImmediate = 1023, kMaxTripleImmediate = 4095,
                  kMaxOffset = 511;
constexpr Bits kLow8{0, 8}, kOffset10{0, 10}, kIndex11{0, 11}, kNumber12{0, 12};
constexpr uint64_t kLast = 1 << 10, kRelative = 1 << 11, kOfConstants = 1 << 10;
// For 16-bit sources, in bits 11..13.
constexpr uint64_t kMultiConstant = 2 << 11, kMultiImmediate = 4 << 11, kMultiTable = 5 << 11,
                   kTableHalf = 1 << 10;
constexpr Bits kMultiNeg{14, 1}, kMultiAbs{15, 1};
constexpr uint64_t kTripleConstant = 1 << 12;
constexpr Bits kMoveKind{53, 2};
enum MoveKind : uint64_t { kMoveRegister = 0, kMoveConstant = 1, kMoveImmediate = 2 };

bool is_register_shape(Shape shape) {
    return shape == Shape::kRegister || shape == Shape::kRawRegister || shape == Shape::kPredicate;
}

bool is_triple(Shape shape) {
    return shape == Shape::kTriple || shape == Shape::kTripleNumber || shape == Shape::kTripleRegister;
}

/// The encoding of registers and relative operands in wide shapes.
uint64_t encode_common(const Src& src) {
    switch (src.kind) {
        case SrcKind::kRegister:
            return uint64_t(src.value) | (src.last ? kLast : 0);
        case SrcKind::kRelativeRegister:
            return kRelative | kOffset10.put(uint64_t(int64_t(src.value)));
        case SrcKind::kRelativeConstant:
            return kRelative | kOfConstants | kOffset10.put(uint64_t(int64_t(src.value)));
        case SrcKind::kConstant:
        case SrcKind::kImmediate:
        case SrcKind::kFloatTable:
        case SrcKind::kNone:
            break;
    }
    return 0;
}

uint64_t encode_multi(const Src& src) {
    const uint64_t signs = kMultiNeg.put(src.neg) | kMultiAbs.put(src.abs);
    switch (src.kind) {
        case SrcKind::kConstant:
            return signs | kMultiConstant | uint64_t(src.value);
        case SrcKind::kImmediate:
            return signs | kMultiImmediate | kIndex11.put(uint64_t(int64_t(src.value)));
        case SrcKind::kFloatTable:
            return signs | kMultiTable | (src.half ? kTableHalf : 0) | uint64_t(src.value);
        case SrcKind::kRegister:
        case SrcKind::kRelativeRegister:
        case SrcKind::kRelativeConstant:
        case SrcKind::kNone:
            break;
    }
    return signs | encode_common(src);
}

/// Registers and relative operands; `bits` has 12 bits.
bool decode_common(uint64_t bits, Src* out) {
    if (bits & kRelative) {
        out->kind = bits & kOfConstants ? SrcKind::kRelativeConstant : SrcKind::kRelativeRegister;
        out->value = int32_t(kOffset10.get_signed(bits));
        return true;
    }
    out->kind = SrcKind::kRegister;
    out->value = int32_t(kLow8.get(bits));
    out->last = bits & kLast;
    return (bits & ~(kLow8.mask() | kLast)) == 0;
}

bool decode_multi(uint64_t bits, Src* out, Error* error) {
    out->neg = kMultiNeg.get(bits);
    out->abs = kMultiAbs.get(bits);
    const uint64_t kind = bits & (7 << 11);
    if (kind == kMultiConstant) {
        out->kind = SrcKind::kConstant;
        out->value = int32_t(kIndex11.get(bits));
        return true;
    }
    if (kind == kMultiImmediate) {
        out->kind = SrcKind::kImmediate;
        out->value = int32_t(kIndex11.get_signed(bits));
        return true;
    }
    if (kind == kMultiTable) {
        out->kind = SrcKind::kFloatTable;
        out->value = int32_t(kOffset10.get(bits));
        out->half = bits & kTableHalf;
        return true;
    }
    return ((bits & (6 << 11)) == 0 && decode_common(bits & 0xfff, out)) ||
           refuse(error, "source 0x%04llx is reserved", (unsigned long long)bits);
}

bool decode_triple(Shape shape, uint64_t bits, Src* out, Error* error) {
    if (!(bits & kTripleConstant))
        return decode_common(bits, out) ||
               refuse(error, "source 0x%04llx is reserved", (unsigned long long)bits);
    if (shape == Shape::kTripleNumber) {
        out->kind = SrcKind::kImmediate;
        out->value = int32_t(kNumber12.get(bits));
        return true;
    }
    out->kind = SrcKind::kConstant;
    out->value = int32_t(kIndex11.get(bits));
    return (shape == Shape::kTriple && !(bits & kRelative)) ||
           refuse(error, "source 0x%04llx is reserved", (unsigned long long)bits);
}

bool decode_move(uint64_t word, Src* out, Error* error) {
    const uint64_t bits = uint32_t(word), kind = kMoveKind.get(word);
    if (kind == kMoveImmediate) {
        out->kind = SrcKind::kImmediate;
        out->value = int32_t(bits);
        return true;
    }
    if (kind == kMoveConstant) {
        out->kind = SrcKind::kConstant;
        out->value = int32_t(bits);
        return bits <= kIndex11.mask() ||
               refuse(error, "constant 0x%08llx is reserved", (unsigned long long)bits);
    }
    return (kind == kMoveRegister && bits <= kNumber12.mask() && decode_common(bits, out)) ||
           refuse(error, "source 0x%08llx is reserved", (unsigned long long)bits);
}

/// The range of numbers of a kind in a shape. False: the shape cannot have the kind.
bool range_of(Shape shape, SrcKind kind, int32_t* low, int32_t* high) {
    *low = 0;
    switch (kind) {
        case SrcKind::kNone:
            return false;
        case SrcKind::kRegister:
            *low = shape == Shape::kPredicate ? kP0.index : 0;
            *high = shape == Shape::kPredicate ? kP0.index + 3 : 255;
            return true;
        case SrcKind::kConstant:
            *high = kMaxConstant;
            return shape == Shape::kMulti || shape == Shape::kTriple || shape == Shape::kMove;
        case SrcKind::kImmediate:
            *high = shape == Shape::kMulti          ? kMaxMultiImmediate
                    : shape == Shape::kTripleNumber ? kMaxTripleImmediate
                                                    : 255;
            *low = shape == Shape::kMulti ? -kMaxMultiImmediate - 1 : 0;
            if (shape == Shape::kMove) {
                *low = INT32_MIN;
                *high = INT32_MAX;
            }
            return shape == Shape::kMulti || shape == Shape::kTripleNumber || shape == Shape::kMove ||
                   shape == Shape::kOrImmediate || shape == Shape::kIndexed;
        case SrcKind::kFloatTable:
            *high = int32_t(FloatEntry::k4);
            return shape == Shape::kMulti;
        case SrcKind::kRelativeRegister:
        case SrcKind::kRelativeConstant:
            *low = -kMaxOffset - 1;
            *high = kMaxOffset;
            return shape == Shape::kMulti || is_triple(shape) || shape == Shape::kMove;
    }
    return false;
}

}  // namespace

uint64_t encode_source(const SourceInfo& row, const Src& src) {
    switch (row.shape) {
        case Shape::kRegister:
        case Shape::kRawRegister:
        case Shape::kOrImmediate:
        case Shape::kIndexed:
            break;
        case Shape::kMulti:
            return encode_multi(src);
        case Shape::kTriple:
        case Shape::kTripleNumber:
        case Shape::kTripleRegister:
            return src.kind == SrcKind::kConstant || src.kind == SrcKind::kImmediate
                       ? kTripleConstant | uint64_t(src.value)
                       : encode_common(src);
        case Shape::kMove:
            return src.kind == SrcKind::kImmediate  ? kMoveKind.put(kMoveImmediate) | uint32_t(src.value)
                   : src.kind == SrcKind::kConstant ? kMoveKind.put(kMoveConstant) | uint64_t(src.value)
                                                    : encode_common(src);
        case Shape::kPredicate:
            return uint64_t(src.neg) | uint64_t(src.value - kP0.index) << 1;
    }
    return uint64_t(src.value);
}

bool decode_source(const SourceInfo& row, uint64_t word, bool number, Src* out, Error* error) {
    const uint64_t bits = row.bits.get(word);
    *out = {};
    out->kind = SrcKind::kRegister;
    switch (row.shape) {
        case Shape::kRegister:
        case Shape::kRawRegister:
            out->value = int32_t(bits);
            return true;
        case Shape::kOrImmediate:
        case Shape::kIndexed:
            out->kind = number ? SrcKind::kImmediate : SrcKind::kRegister;
            out->value = int32_t(bits);
            return true;
        case Shape::kMulti:
            return decode_multi(bits, out, error);
        case Shape::kTriple:
        case Shape::kTripleNumber:
        case Shape::kTripleRegister:
            return decode_triple(row.shape, bits, out, error);
        case Shape::kMove:
            return decode_move(word, out, error);
        case Shape::kPredicate:
            out->neg = bits & 1;
            out->value = int32_t(kP0.index + (bits >> 1));
            return true;
    }
    return false;
}

bool validate_source(const SourceInfo& row, const Src& src, unsigned n, const char* name, Error* error) {
    int32_t low, high;
    if (!range_of(row.shape, src.kind, &low, &high))
        return refuse(error, "%s: source %u cannot be of this kind", name, n);
    if (src.value < low || src.value > high)
        return refuse(error, "%s: source %u, %d, is outside %d..%d", name, n, src.value, low, high);
    if (src.last && (src.kind != SrcKind::kRegister || is_register_shape(row.shape) ||
                     row.shape == Shape::kOrImmediate || row.shape == Shape::kIndexed))
        return refuse(error, "%s: source %u has no (last)", name, n);
    if ((src.neg && !row.neg && row.shape != Shape::kMulti && row.shape != Shape::kPredicate) ||
        (src.abs && row.shape != Shape::kMulti))
        return refuse(error, "%s: source %u has no (neg) or (abs)", name, n);
    if (src.repeat && !row.repeat) return refuse(error, "%s: source %u has no (r)", name, n);
    return true;
}

}  // namespace terrazzo::adreno::isa
