// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Instr -> text. The pieces of forms that are no fields or operands: move (all of a move), offset (+N, if
// there is one), place (N), target, address (of the .a forms), base (.baseN, bindless), constant (the number
// in c[]), descriptor and operands (of textures).
#include <bit>
#include <charconv>
#include <cinttypes>
#include <cmath>
#include <iterator>

#include "drivers/adreno/isa/form.h"
#include "drivers/adreno/isa/operand.h"
#include "shaders/ir/half.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::append;

constexpr char kComponents[] = "xyzw";

void print_register(unsigned index, bool raw, std::string* out) {
    const unsigned number = index >> 2;
    const char component = kComponents[index & 3];
    if (!raw && number == kA0.number()) {
        append(out, "a0.%c", component);
    } else if (!raw && number == kP0.number()) {
        append(out, "p0.%c", component);
    } else {
        append(out, "r%u.%c", number, component);
    }
}

/// As Mesa does, if that is exact; otherwise with as many digits as needed. A NaN is printed as its bits.
/// Independent of the locale.
void print_float(float value, uint32_t bits, std::string* out) {
    if (std::isnan(value)) {
        append(out, "(0x%" PRIx32 ")", bits);
        return;
    }
    char text[64];
    const char* end = std::to_chars(text, std::end(text), value, std::chars_format::fixed, 6).ptr;
    float again = 0;
    std::from_chars(text, end, again);
    if (std::bit_cast<uint32_t>(again) != std::bit_cast<uint32_t>(value)) {
        end = std::to_chars(text, std::end(text), value, std::chars_format::general, 9).ptr;
    }
    append(out, "(%.*s)", int(end - text), text);
}

void print_move_number(uint32_t bits, Type type, std::string* out) {
    switch (type) {
        case Type::kF16:
            *out += 'h';
            print_float(ir::half_to_float(uint16_t(bits)), bits, out);
            return;
        case Type::kF32:
            print_float(std::bit_cast<float>(bits), bits, out);
            return;
        case Type::kU32:
            append(out, bits > 0x1000 ? "0x%" PRIx32 : "%" PRIu32, bits);
            return;
        case Type::kS16:
            append(out, "%d", int16_t(bits));
            return;
        case Type::kS32:
            append(out, "%" PRId32, int32_t(bits));
            return;
        case Type::kU16:
        case Type::kU8:
        case Type::kU8In32:
            append(out, "%" PRIu32, bits);
            return;
    }
}

void print_relative(char file, int offset, bool short_form, std::string* out) {
    if (offset == 0 && short_form) {
        append(out, "%c<a0.x>", file);
    } else {
        append(out, "%c<a0.x + %d>", file, offset);
    }
}

bool is_triple(Shape shape) {
    return shape == Shape::kTriple || shape == Shape::kTripleNumber || shape == Shape::kTripleRegister;
}

void print_value(const Instr& instr, const SourceInfo& row, const Src& src, std::string* out) {
    const char* half = src.half ? "h" : "";
    switch (src.kind) {
        case SrcKind::kNone:
            return;
        case SrcKind::kRegister:
            *out += half;
            print_register(unsigned(src.value),
                           row.shape == Shape::kRawRegister || row.shape == Shape::kOrImmediate ||
                               row.shape == Shape::kIndexed,
                           out);
            return;
        case SrcKind::kConstant:
            append(out, "%sc%d.%c", half, src.value >> 2, kComponents[src.value & 3]);
            return;
        case SrcKind::kImmediate:
            if (row.shape == Shape::kMove) {
                print_move_number(uint32_t(src.value), instr.source_type(), out);
            } else {
                append(out, src.half ? "h(%d)" : "%d", src.value);
            }
            return;
        case SrcKind::kFloatTable: {
            const char* name = kFloatEntryNames.name(uint64_t(src.value));
            append(out, "%s(%s)", half, name ? name : "reserved");
            return;
        }
        case SrcKind::kRelativeRegister:
        case SrcKind::kRelativeConstant:
            *out += half;
            print_relative(src.kind == SrcKind::kRelativeConstant ? 'c' : 'r', src.value,
                           !is_triple(row.shape), out);
            return;
    }
}

void print_source(const Instr& instr, unsigned i, std::string* out) {
    const SourceInfo& row = instr.info().source_rows[i];
    const Src& src = instr.src[i];
    const char *last = src.last ? "(last)" : "", *repeat = src.repeat ? "(r)" : "";
    if (row.shape == Shape::kPredicate) {
        *out += src.neg ? "!" : "";
    } else if (is_triple(row.shape)) {
        append(out, "%s%s%s", src.neg ? "(neg)" : "", repeat, last);
    } else {
        const char* signs = src.neg && src.abs ? "(absneg)" : src.neg ? "(neg)" : src.abs ? "(abs)" : "";
        append(out, "%s%s%s", last, signs, repeat);
    }
    print_value(instr, row, src, out);
}

void print_dest(const Dest& dest, std::string* out) {
    *out += dest.half ? "h" : "";
    if (dest.relative) {
        print_relative('r', dest.reg.index, true, out);
    } else {
        print_register(dest.reg.index, false, out);
    }
}

void print_field(const Instr& instr, Field field, std::string* out) {
    const FieldText& text = field_text(field);
    const unsigned value = instr.get(field);
    if (text.values) {
        if (!text.values->is_default(value)) {
            *out += text.values->has(value) ? text.values->name(value) : "reserved";
        }
    } else if (text.flag) {
        *out += value ? text.flag : "";
    } else if (field == Field::kWriteMask) {
        for (unsigned i = 0; i < 4; i++) {
            if (value >> i & 1) {
                *out += kComponents[i];
            }
        }
    } else if (field == Field::kCluster) {
        append(out, "%u", 2u << value);
    } else if (field == Field::kMaskWords) {
        append(out, "%u", 32 * value);
    } else {
        append(out, "%u", value);
    }
}

void print_move(const Instr& instr, std::string* out) {
    if (moves_to_a0(instr) || moves_to_a1(instr)) {
        *out += ' ';
        print_field(instr, Field::kRound, out);
        *out += moves_to_a0(instr) ? "a0.x, " : "a1.x, ";
        print_source(instr, 0, out);
        return;
    }
    append(out, ".%s%s ", kTypeNames.name(uint64_t(instr.source_type())),
           kTypeNames.name(uint64_t(instr.dest_type())));
    print_field(instr, Field::kRound, out);
    print_dest(instr.dst[0], out);
    *out += ", ";
    print_source(instr, 0, out);
}

void print_descriptor(const Instr& instr, std::string* out) {
    const TextureMode mode = TextureMode(instr.texture_mode());
    if (is_indirect(mode)) {
        const bool uniform = mode == TextureMode::kIndirectUniform || mode == TextureMode::kBindlessUniform ||
                             mode == TextureMode::kBindlessA1Uniform;
        *out += uniform ? ".s2en.uniform" : ".s2en.nonuniform";
    }
    if (is_bindless(mode)) {
        append(out, ".base%u", instr.base());
    }
}

void print_texture_operands(const Instr& instr, std::string* out) {
    const OpInfo& row = instr.info();
    const TextureMode mode = TextureMode(instr.texture_mode());
    *out += ' ';
    if (row.texture.type) {
        *out += '(';
        print_field(instr, Field::kType, out);
        *out += ')';
    }
    *out += '(';
    print_field(instr, Field::kWriteMask, out);
    *out += ')';
    print_dest(instr.dst[0], out);
    for (unsigned i = 0; i < 3; i++) {
        if (instr.src[i].kind != SrcKind::kNone) {
            *out += ", ";
            print_source(instr, i, out);
        }
        if (i == 0 && instr.has_offset) {
            append(out, "+%d", instr.offset);
        }
    }
    if (!is_indirect(mode)) {
        if (row.texture.sampler) {
            append(out, ", s#%u", instr.sampler());
        }
        if (row.texture.texture && !uses_a1(mode)) {
            append(out, ", t#%u", instr.texture());
        }
    }
    *out += uses_a1(mode) ? ", a1.x" : "";
}

/// The second part of a 64-bit address.
void print_address(const Instr& instr, std::string* out) {
    char offset[16] = "";
    if (instr.offset) {
        std::snprintf(offset, sizeof(offset), "+%d", instr.offset);
    }
    std::string index;
    print_source(instr, 1, &index);
    if (instr.shift()) {
        append(out, "%s<<%u%s<<2", index.c_str(), instr.shift() + 2, offset);
    } else {
        append(out, "(%s%s)<<2", index.c_str(), offset);
    }
}

void print_constant(const Instr& instr, std::string* out) {
    const unsigned offset = instr.constant_offset();
    if (!instr.constant_relative()) {
        append(out, "%u", offset);
    } else if (offset) {
        append(out, "a1.x+%u", offset);
    } else {
        *out += "a1.x";
    }
}

void print_piece(const Instr& instr, std::string_view piece, std::string* out) {
    if (piece == "move") {
        print_move(instr, out);
    } else if (piece == "offset") {
        if (instr.offset || instr.has_offset) append(out, "%+d", instr.offset);
    } else if (piece == "place" || piece == "target") {
        append(out, "%d", instr.offset);
    } else if (piece == "address") {
        print_address(instr, out);
    } else if (piece == "base") {
        if (instr.bindless()) append(out, ".base%u", instr.base());
    } else if (piece == "constant") {
        print_constant(instr, out);
    } else if (piece == "descriptor") {
        print_descriptor(instr, out);
    } else if (piece == "operands") {
        print_texture_operands(instr, out);
    } else if (piece.size() == 2 && (piece[0] == 'd' || piece[0] == 's') && piece[1] >= '0' &&
               piece[1] <= '3') {
        const unsigned i = unsigned(piece[1] - '0');
        piece[0] == 'd' ? print_dest(instr.dst[i], out) : print_source(instr, i, out);
    } else {
        for (const FieldInfo& f : instr.info().fields()) {
            if (piece == field_text(f.field).name) {
                print_field(instr, f.field, out);
            }
        }
    }
}

void print_prefixes(const Instr& instr, std::string* out) {
    for (Field field : {Field::kSy, Field::kSs, Field::kEq, Field::kJp, Field::kSat}) {
        print_field(instr, field, out);
    }
    if (instr.repeat()) {
        append(out, "(rpt%u)", instr.repeat());
    } else if (instr.nop()) {
        append(out, "(nop%u) ", instr.nop());
    }
    print_field(instr, Field::kUl, out);
}

}  // namespace

void print(const Instr& instr, std::string* out) {
    const OpInfo& row = instr.info();
    print_prefixes(instr, out);
    *out += moves_to_a0(instr)                                                 ? "mova"
            : moves_to_a1(instr)                                               ? "mova1"
            : instr.op == Op::kMov && instr.source_type() != instr.dest_type() ? "cov"
                                                                               : row.mnemonic;
    std::string_view rest = row.form, piece;
    bool braced;
    while (next_piece(&rest, &piece, &braced)) {
        if (braced) {
            print_piece(instr, piece, out);
        } else {
            *out += piece;
        }
    }
}

}  // namespace terrazzo::adreno::isa
