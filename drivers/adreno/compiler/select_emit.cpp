// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Appends instructions and legalizes them. Facts (Mesa 25.0.7, ir3_valid_flags): instructions of two sources
// read at most one constant and one number; those of three sources read constants in the first and the last,
// and no numbers; special functions, textures and memory only read registers.
#include "drivers/adreno/compiler/selector.h"
#include "shaders/ir/half.h"

namespace terrazzo::adreno::compiler {

using isa::Op;
using isa::Type;

namespace {

/// Whether the sources are floats: they can be negated, and numbers are entries of the table.
bool is_float_two(Op op) {
    return op <= Op::kTruncF && op >= Op::kAddF;
}

/// The entries of the table that are exact as halves, too. Facts: Mesa 25.0.7, ir3-common.xml.
struct TableEntry {
    isa::FloatEntry entry;
    uint32_t bits, half;
};
constexpr TableEntry kTable[] = {{isa::FloatEntry::k0, 0, 0},
                                 {isa::FloatEntry::kHalf, 0x3f000000, 0x3800},
                                 {isa::FloatEntry::k1, 0x3f800000, 0x3c00},
                                 {isa::FloatEntry::k2, 0x40000000, 0x4000},
                                 {isa::FloatEntry::k4, 0x40800000, 0x4400}};

/// Whether it is a constant that is rounded to a half when read. Only instructions on floats can do this.
bool is_rounded(const Ref& r) {
    return r.half && r.is_const();
}

}  // namespace

Ref Selector::legal_number(const Ref& r, bool is_float, bool half) {
    // Mesa: nine bits and a sign.
    constexpr int32_t kMost = 511;
    const uint32_t sign = half ? 0x8000u : 0x80000000u;
    if (is_float) {
        for (const TableEntry& e : kTable)
            for (const bool neg : {false, true})
                if ((r.index ^ (neg ? sign : 0)) == (half ? e.half : e.bits))
                    return {.kind = Ref::Kind::Table, .half = half, .neg = neg, .index = uint32_t(e.entry)};
    } else if (const int32_t v = half ? int16_t(r.index) : int32_t(r.index); v >= -kMost && v <= kMost) {
        Ref out = r;
        out.index = uint32_t(v);
        return out;
    }
    if (half && !is_float) return in_register(r);
    return constant_of(r);
}

/// An entry of the constants with the number. A half is stored as a float, which is rounded when it is read.
/// If there is no room, a register.
Ref Selector::constant_of(const Ref& r) {
    const uint32_t bits = r.half ? std::bit_cast<uint32_t>(ir::half_to_float(uint16_t(r.index))) : r.index;
    const std::optional<uint32_t> entry = f_.find_immediate(bits, max_immediates_);
    if (!entry) return in_register(r);
    return {.kind = Ref::Kind::Constant, .half = r.half, .index = *entry};
}

void Selector::legalize_two(Inst& i) {
    const bool is_float = is_float_two(i.proto.op);
    const unsigned n = i.sources();
    for (unsigned k = 0; k < n; k++) {
        Ref& r = i.src[k];
        if (!is_float && (is_rounded(r) || (!is_plain(r) && i.proto.op != Op::kAbsnegS))) r = in_register(r);
        if (r.kind == Ref::Kind::Immediate) r = legal_number(r, is_float, r.half);
    }
    if (n < 2) return;
    const auto is_number = [](const Ref& r) {
        return r.kind == Ref::Kind::Immediate || r.kind == Ref::Kind::Table;
    };
    if ((i.src[0].is_const() && i.src[1].is_const()) || (is_number(i.src[0]) && is_number(i.src[1]))) {
        Ref plain = i.src[1];
        plain.neg = plain.abs = false;
        const Ref held = in_register(plain);
        i.src[1].kind = Ref::Kind::Word;
        i.src[1].index = held.index;
    }
}

void Selector::legalize_three(Inst& i) {
    const bool is_mad = i.proto.op == Op::kMadF32 || i.proto.op == Op::kMadF16;
    for (unsigned k = 0; k < 3; k++) {
        Ref& r = i.src[k];
        if (r.abs || (!is_mad && (r.neg || is_rounded(r)))) r = in_register(r);
        if (r.kind == Ref::Kind::Immediate)
            r = k == 1 || (r.half && !is_mad) ? in_register(r) : constant_of(r);
        if (k == 1 && !is_word(r)) {
            Ref plain = r;
            plain.neg = false;
            const bool neg = r.neg;
            r = in_register(plain);
            r.neg = neg;
        }
    }
}

void Selector::legalize(Inst& i) {
    const unsigned category = i.proto.info().category;
    // The middle source must be a register. Swap the factors if only the first one is a register.
    if ((i.proto.op == Op::kMadF32 || i.proto.op == Op::kMadF16) && !is_word(i.src[1]) && is_word(i.src[0]))
        std::swap(i.src[0], i.src[1]);
    if (category == 2 && i.proto.op != Op::kBaryF && i.proto.op != Op::kFlatB) legalize_two(i);
    if (category == 3) legalize_three(i);
    if (category == 1 && is_rounded(i.src[0])) i.src[0] = in_register(i.src[0]);
    if (category == 4 || category == 5) {
        for (Ref& r : i.src)
            if (r.kind != Ref::Kind::None && (!is_word(r) || !is_plain(r))) r = in_register(r);
    }
}

Ref Selector::convert(Type from, Type to, Ref r) {
    const bool half = isa::is_half(to);
    const Word word = new_words(1, half);
    alu_to(word, move_of(from, to), {is_plain(r) ? r : in_register(r)});
    return Ref::word(word, half);
}

void Selector::move_to(Word word, Ref r) {
    const bool half = f_.is_half(word);
    if (r.kind == Ref::Kind::None) r = Ref::immediate(0, half);
    if (!is_plain(r)) return alu_to(word, isa::make(Op::kAbsnegF), {r});
    if (is_rounded(r)) {
        r.half = false;
        return alu_to(word, move_of(Type::kF32, Type::kF16, isa::Round::kEven), {r});
    }
    Type type = half ? Type::kU16 : Type::kU32;
    if (r.kind == Ref::Kind::Table) type = half ? Type::kF16 : Type::kF32;
    alu_to(word, move_of(type, type), {r});
}

Inst Selector::with(const isa::Instr& proto, std::initializer_list<Ref> src) {
    Inst i;
    i.proto = proto;
    std::copy(src.begin(), src.end(), i.src.begin());
    // The number of the buffer or image is an immediate of the instruction, or in a register.
    const isa::OpInfo& row = proto.info();
    for (unsigned n = 0; n < row.source_count; n++)
        if (row.source_rows[n].shape == isa::Shape::kIndexed && !row.texture.is)
            i.proto.set_index_mode(is_word(i.src[n]) ? isa::IndexMode::kNonuniform
                                                     : isa::IndexMode::kImmediate);
    return i;
}

Word Selector::load(const isa::Instr& proto, std::initializer_list<Ref> src, unsigned count) {
    Inst i = with(proto, src);
    i.dest = new_words(count);
    i.dest_count = uint8_t(count);
    return push(i).dest;
}

Word Selector::in_word(Ref r) {
    if (is_word(r) && is_plain(r)) return r.as_word();
    if (r.kind == Ref::Kind::Table) {  // moves have no table
        for (const TableEntry& e : kTable)
            if (uint32_t(e.entry) == r.index) {
                const Ref number = Ref::immediate(r.half ? e.half : e.bits, r.half);
                r = r.neg ? negated(number) : number;
                break;
            }
    }
    const Word word = new_words(1, r.half);
    move_to(word, r);
    return word;
}

Ref Selector::choose(Ref condition, Ref yes, Ref no, bool half) {
    if (!half) return sel_b32({yes, condition, no});
    // The condition must be as wide as the values.
    if (!condition.half) condition = convert(Type::kU32, Type::kU16, condition);
    return sel_b16({yes, condition, no}, true);
}

Ref Selector::param(Param p) {
    const auto at = std::find(f_.params.begin(), f_.params.end(), uint8_t(p)) - f_.params.begin();
    if (size_t(at) == f_.params.size()) f_.params.push_back(uint8_t(p));
    return {.kind = Ref::Kind::Param, .index = uint32_t(at)};
}

}  // namespace terrazzo::adreno::compiler
