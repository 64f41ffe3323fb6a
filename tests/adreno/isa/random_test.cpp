// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// ir3's encodings with random input (encoding_cases.h): the values that instructions may have.
#include "drivers/adreno/isa/isa.h"
#include "tests/common/isa/encoding_cases.h"

using namespace terrazzo::adreno::isa;
using terrazzo::tests::below;
using terrazzo::tests::Random;

namespace {

int32_t number_in(Random& random, int32_t low, int32_t high) {
    return int32_t(low + int64_t(random() % uint64_t(int64_t(high) - low + 1)));
}

Src random_multi(Random& random) {
    Src src;
    switch (below(random, 6)) {
        case 0:
            src = Src::of(Reg{uint8_t(random())});
            src.last = below(random, 2);
            break;
        case 1:
            src = Src::constant(below(random, 2048));
            break;
        case 2:
            src = Src::immediate(number_in(random, -1024, 1023));
            break;
        case 3:
            src = Src::table(FloatEntry(below(random, 12)));
            break;
        default:
            src.kind = below(random, 2) ? SrcKind::kRelativeRegister : SrcKind::kRelativeConstant;
            src.value = number_in(random, -512, 511);
            break;
    }
    src.neg = below(random, 2);
    src.abs = below(random, 2);
    return src;
}

Src random_triple(Random& random, Shape shape) {
    Src src = Src::of(Reg{uint8_t(random())});
    src.last = below(random, 2);
    const unsigned kind = below(random, 3);
    if (kind == 0 && shape == Shape::kTriple) {
        return Src::constant(below(random, 2048));
    }
    if (kind == 0 && shape == Shape::kTripleNumber) {
        return Src::immediate(number_in(random, 0, 4095));
    }
    if (kind == 1) {
        src = {};
        src.kind = below(random, 2) ? SrcKind::kRelativeRegister : SrcKind::kRelativeConstant;
        src.value = number_in(random, -512, 511);
    }
    return src;
}

Src random_move(Random& random, Type type) {
    Src src = random_multi(random);
    src.neg = src.abs = false;
    if (src.kind == SrcKind::kImmediate || src.kind == SrcKind::kFloatTable) {
        src = Src::immediate(int32_t(random()));
        src.value &= is_half_in_move(type) ? 0xffff : -1;
    }
    return src;
}

Src random_source(Random& random, const SourceInfo& row, const Instr& instr) {
    switch (row.shape) {
        case Shape::kRegister:
        case Shape::kRawRegister:
            return Src::of(Reg{uint8_t(random())});
        case Shape::kOrImmediate:
            return below(random, 2) ? Src::of(Reg{uint8_t(random())})
                                    : Src::immediate(int32_t(below(random, 256)));
        case Shape::kIndexed:
            return instr.index_mode() != IndexMode::kImmediate ? Src::of(Reg{uint8_t(random())})
                                                               : Src::immediate(int32_t(below(random, 256)));
        case Shape::kMulti:
            return random_multi(random);
        case Shape::kTriple:
        case Shape::kTripleNumber:
        case Shape::kTripleRegister:
            return random_triple(random, row.shape);
        case Shape::kMove:
            return random_move(random, instr.source_type());
        case Shape::kPredicate: {
            Src src = Src::of(reg(kP0.number(), below(random, 4)));
            src.neg = below(random, 2);
            return src;
        }
    }
    return {};
}

void random_fields(Random& random, const OpInfo& row, Instr* instr) {
    for (const FieldInfo& f : row.fields()) {
        if (!f.bits) {
            continue;
        }
        uint16_t value;
        const FieldText& text = field_text(f.field);
        do {
            value = uint16_t(f.bias + random() % (f.bits.max() + 1));
        } while (text.values && !text.values->has(value));
        instr->fields[unsigned(f.field)] = value;
    }
    if (row.has(Field::kBindless) && !instr->bindless()) {
        instr->set_base(0);
    }
    if (row.has(Field::kNop) && instr->repeat() == 0) {
        instr->set_nop(below(random, 4));
    }
}

/// Operands of a texture instruction.
void random_texture(Random& random, const OpInfo& row, Instr* instr) {
    if (!row.texture.type) {
        instr->set_type(below(random, 2) ? Type::kF32 : Type::kF16);
    }
    if (row.texture.sources == 0 || instr->has_offset) {
        instr->set_coordinate_offset(false);
    }
    const TextureMode mode = TextureMode(row.texture.texture ? below(random, kTextureModeCount) : 0);
    instr->set_texture_mode(unsigned(mode));
    instr->set_base(is_bindless(mode) ? below(random, 8) : 0);
    if (row.texture.sampler && !is_indirect(mode)) {
        instr->set_sampler(below(random, mode == TextureMode::kBindlessA1Immediate ? 256 : 16));
    }
    if (row.texture.texture && !is_indirect(mode) && !uses_a1(mode)) {
        instr->set_texture(below(random, mode == TextureMode::kBound ? 128 : 16));
    }
    const bool half = row.texture.sources && below(random, 2);
    for (unsigned i = 0; i < 3; i++) {
        const bool has = i == 0   ? row.texture.sources > 0
                         : i == 1 ? row.texture.sources > 1 || instr->coordinate_offset()
                                  : is_indirect(mode);
        instr->src[i] = has ? Src::of(Reg{uint8_t(random())}, half) : Src{};
    }
}

/// An instruction that validate() accepts.
Instr random_instr(Random& random, Op op) {
    const OpInfo& row = info(op);
    Instr instr = make(op);
    random_fields(random, row, &instr);
    if (row.has_offset() && (!row.offset.present || below(random, 2))) {
        const int64_t end = int64_t{1} << (row.offset.width() - (row.offset.is_signed ? 1 : 0));
        instr.offset = number_in(random, row.offset.is_signed ? int32_t(-end) : 0, int32_t(end - 1));
        instr.has_offset = bool(row.offset.present);
    }
    for (unsigned i = 0; i < row.dest_count; i++) {
        Dest& dest = instr.dst[i];
        dest.reg.index = uint8_t(random());
        dest.relative = row.dest_rows[i].relative && below(random, 4) == 0;
        dest.half = below(random, 2);
    }
    if (row.texture.is) {
        random_texture(random, row, &instr);
    }
    const bool half = below(random, 2);
    const uint64_t nops = row.nop_low.mask() | row.nop_high.mask();
    for (unsigned i = 0; i < row.source_count && !row.texture.is; i++) {
        const SourceInfo& s = row.source_rows[i];
        Src& src = instr.src[i];
        src = random_source(random, s, instr);
        src.half = half;
        src.neg |= s.neg && below(random, 2);
        const bool repeats = !nops || instr.repeat() || (!(s.repeat.mask() & nops) && instr.nop() == 0);
        src.repeat = s.repeat && repeats && below(random, 2);
        if (s.shape == Shape::kMove && src.kind == SrcKind::kImmediate) {
            src.repeat = false;
        }
    }
    fix_halves(&instr);
    return instr;
}

struct Ir3 {
    using Instr = terrazzo::adreno::isa::Instr;
    using Op = terrazzo::adreno::isa::Op;
    using Unit = uint64_t;
    static constexpr unsigned kOpCount = terrazzo::adreno::isa::kOpCount;
    static constexpr std::string_view kPieces[] = {
        ".",      ",",     "(",     ")",      "h",      "r",        "c",     "0x",
        "-",      "#",     " ",     "\n",     "a0.x",   "a1.x",     "99",    "(neg)",
        "(rpt3)", "<a0.x", "> ",    "(last)", "s#1",    "t#",       "p0.x",  "r63.w",
        "c512.x", "g[",    "+1",    ".base8", "(nop1)", "h(0.5)",   "\t",    "(1/log2(e))",
        "!",      "nan",   "1e-40", "mova",   "cov",    "(absneg)", "u8_32", "18446744073709551616"};
    static Instr random_instr(Random& random, Op op) { return ::random_instr(random, op); }
    static uint64_t random_word(Random& random, Op op, unsigned turn) {
        const OpInfo& row = info(op);
        const uint64_t bits = turn % 2 ? random() & random() : random() & random() & random();
        return (bits & row.used & ~row.opcode.mask) | row.opcode.value;
    }
};

}  // namespace

TYPE_TO_STRING_AS("ir3", Ir3);
TERRAZZO_ENCODING_CASES(Ir3)
