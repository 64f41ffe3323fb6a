// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Text -> Instr, by the form of the instruction's text. Errors are refused with a reason.
#include <algorithm>

#include "drivers/adreno/isa/form.h"
#include "drivers/adreno/isa/operand.h"
#include "drivers/adreno/isa/parser.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::refuse;

/// Of the text, for "%.*s".
#define SHOWN(text) int(std::min<size_t>((text).size(), 60)), (text).data()

/// The text before the name.
struct Prefixes {
    std::array<uint16_t, kFieldCount> fields{};
};

bool parse_prefixes(Parser* p, Prefixes* out) {
    while (p->skip_blanks(), p->rest.starts_with('(')) {
        const size_t end = p->rest.find(')');
        const std::string_view text = p->rest.substr(0, end == std::string_view::npos ? end : end + 1);
        p->rest.remove_prefix(text.size());
        Field field = Field::kCount;
        uint16_t value = 1;
        for (unsigned i = 0; i < kFieldCount; i++) {
            if (field_text(Field(i)).kind == FieldKind::kPrefix && text == field_text(Field(i)).flag) {
                field = Field(i);
            }
        }
        if (text.size() == 6 && (text.starts_with("(rpt") || text.starts_with("(nop")) && text[4] >= '1' &&
            text[4] <= '7') {
            field = text[1] == 'r' ? Field::kRepeat : Field::kNop;
            value = uint16_t(text[4] - '0');
        }
        if (field == Field::kCount) {
            return refuse(p->error, "there is no flag '%.*s'", SHOWN(text));
        }
        if (out->fields[unsigned(field)]) {
            return refuse(p->error, "%s is said twice", field_text(field).name);
        }
        out->fields[unsigned(field)] = value;
    }
    return true;
}

bool parse_move(Parser* p, std::string_view mnemonic, Instr* out) {
    const OpInfo& row = out->info();
    uint16_t round = 0;
    if (mnemonic == "mova" || mnemonic == "mova1") {
        const bool a0 = mnemonic == "mova";
        out->set_source_type(a0 ? Type::kS16 : Type::kU16);
        out->set_dest_type(a0 ? Type::kS16 : Type::kU16);
        out->dst[0] = {a0 ? kA0 : kA1, true, false};
        if (!p->named(kRoundNames, "round", &round) || !p->expect(a0 ? "a0.x" : "a1.x")) {
            return false;
        }
    } else {
        uint16_t from = 0, to = 0;
        if (!p->expect(".") || !p->named(kTypeNames, "type", &from) || !p->named(kTypeNames, "type", &to)) {
            return false;
        }
        out->set_source_type(Type(from));
        out->set_dest_type(Type(to));
        if ((from != to) != (mnemonic == "cov")) {
            return refuse(p->error, "cov converts, mov does not");
        }
        if (!p->named(kRoundNames, "round", &round) || !p->dest(&out->dst[0])) {
            return false;
        }
    }
    out->set_round(Round(round));
    if (!p->expect(",") || !p->source(row.source_rows[0], out->source_type(), &out->src[0])) {
        return false;
    }
    if (out->src[0].kind == SrcKind::kImmediate) {
        out->src[0].half = is_half_in_move(out->source_type());
    }
    return true;
}

bool parse_offset(Parser* p, Instr* out) {
    p->skip_blanks();
    if (!p->rest.starts_with('+') && !p->rest.starts_with('-')) {
        return true;
    }
    int64_t value;
    if (!p->number(INT32_MIN, INT32_MAX, &value)) {
        return false;
    }
    out->offset = int32_t(value);
    out->has_offset = bool(out->info().offset.present);
    return true;
}

bool parse_address(Parser* p, Instr* out) {
    const bool plain = p->take("(");
    int64_t shift = 2;
    if (!p->source(out->info().source_rows[1], Type::kU32, &out->src[1])) {
        return false;
    }
    if (plain) {
        return parse_offset(p, out) && p->expect(")") && p->expect("<<") && p->expect("2");
    }
    if (!p->expect("<<") || !p->number(3, 5, &shift) || !parse_offset(p, out) || !p->expect("<<") ||
        !p->expect("2")) {
        return false;
    }
    out->set_shift(unsigned(shift - 2));
    return true;
}

bool parse_constant(Parser* p, Instr* out) {
    int64_t value = 0;
    if (p->take("a1.x")) {
        out->set_constant_relative(true);
        if (!p->take("+")) {
            return true;
        }
    }
    if (!p->number(0, 255, &value)) {
        return false;
    }
    out->set_constant_offset(unsigned(value));
    return true;
}

bool parse_field(Parser* p, const FieldInfo& row, Instr* out) {
    const FieldText& text = field_text(row.field);
    uint16_t& value = out->fields[unsigned(row.field)];
    if (text.values) {
        return p->named(*text.values, text.name, &value);
    }
    if (text.flag) {
        value = p->take_flag(text.flag);
        return true;
    }
    unsigned mask = 0;
    if (row.field == Field::kWriteMask) {
        const bool taken = p->write_mask(&mask);
        value = uint16_t(mask);
        return taken;
    }
    int64_t number;
    if (!p->number(0, 4096, &number)) {
        return false;
    }
    if (row.field == Field::kCluster) {
        value = 0;
        while ((2 << value) < number) {
            value++;
        }
        return (2 << value) == number || refuse(p->error, "a cluster has a power of two invocations");
    }
    if (row.field == Field::kMaskWords) {
        value = uint16_t(number / 32);
        return number % 32 == 0 || refuse(p->error, "a mask has 32, 64, 96 or 128 bits");
    }
    value = uint16_t(number);
    return true;
}

bool parse_piece(Parser* p, std::string_view mnemonic, std::string_view piece, Instr* out) {
    const OpInfo& row = out->info();
    int64_t value = 0;
    if (piece == "move") {
        return parse_move(p, mnemonic, out);
    }
    if (piece == "offset") {
        return parse_offset(p, out);
    }
    if (piece == "place" || piece == "target") {
        const bool taken = p->number(INT32_MIN, INT32_MAX, &value);
        out->offset = int32_t(value);
        return taken;
    }
    if (piece == "address") {
        return parse_address(p, out);
    }
    if (piece == "base") {
        out->set_bindless(p->take(".base"));
        if (out->bindless() && !p->number(0, 7, &value)) {
            return false;
        }
        out->set_base(unsigned(value));
        return true;
    }
    if (piece == "constant") {
        return parse_constant(p, out);
    }
    if (piece == "descriptor") {
        return parse_descriptor(p, out);
    }
    if (piece == "operands") {
        return parse_texture_operands(p, out);
    }
    if (piece.size() == 2 && (piece[0] == 'd' || piece[0] == 's') && piece[1] >= '0' && piece[1] <= '3') {
        const unsigned i = unsigned(piece[1] - '0');
        return piece[0] == 'd' ? p->dest(&out->dst[i])
                               : p->source(row.source_rows[i], Type::kU32, &out->src[i]);
    }
    for (const FieldInfo& f : row.fields()) {
        if (piece == field_text(f.field).name) {
            return parse_field(p, f, out);
        }
    }
    return refuse(p->error, "%s: unknown piece of a form", row.name);
}

bool parse_form(Parser* p, Op op, std::string_view mnemonic, const Prefixes& prefixes, Instr* out) {
    const OpInfo& row = info(op);
    *out = make(op);
    for (unsigned i = 0; i < kFieldCount; i++) {
        if (prefixes.fields[i]) {
            out->fields[i] = prefixes.fields[i];
        }
    }
    std::string_view rest = row.form, piece;
    bool braced;
    while (next_piece(&rest, &piece, &braced)) {
        if (braced) {
            if (!parse_piece(p, mnemonic, piece, out)) {
                return false;
            }
            continue;
        }
        for (char c : piece) {
            if (c != ' ' && !p->expect({&c, 1})) {
                return false;
            }
        }
    }
    p->skip_blanks();
    if (!p->rest.empty()) {
        return refuse(p->error, "%s: '%.*s' is too much", row.name, SHOWN(p->rest));
    }
    return validate(*out, p->error);
}

/// Whether the line begins with the name, followed by a blank, a '.' or its end.
bool names(std::string_view rest, std::string_view name) {
    return rest.starts_with(name) &&
           (rest.size() == name.size() || rest[name.size()] == '.' || rest[name.size()] == ' ');
}

}  // namespace

bool assemble_line(std::string_view line, Instr* out, Error* error) {
    Parser p{terrazzo::isa::trimmed(line), error};
    Prefixes prefixes;
    if (!parse_prefixes(&p, &prefixes)) {
        return false;
    }
    constexpr std::string_view kMoves[] = {"cov", "mova", "mova1"};
    Error best;
    size_t least = std::string_view::npos;
    const auto attempt = [&](Op op, std::string_view name) {
        Error reason;
        Instr instr;
        Parser after{p.rest.substr(name.size()), &reason};
        if (parse_form(&after, op, name, prefixes, &instr)) {
            *out = instr;
            return true;
        }
        if (after.rest.size() < least) {  // the attempt that came furthest has the best reason
            least = after.rest.size();
            best = reason;
        }
        return false;
    };
    for (std::string_view name : kMoves) {
        if (names(p.rest, name)) {
            return attempt(Op::kMov, name) || refuse(error, "%s", best.reason);
        }
    }
    // Some names are beginnings of others: longer ones first.
    for (size_t size = 24; size > 0; size--) {
        for (unsigned i = 0; i < kOpCount; i++) {
            const std::string_view name = info(Op(i)).mnemonic;
            if (name.size() == size && names(p.rest, name) && attempt(Op(i), name)) {
                return true;
            }
        }
    }
    return least != std::string_view::npos ? refuse(error, "%s", best.reason)
                                           : refuse(error, "no instruction is named %.*s", SHOWN(p.rest));
}

#undef SHOWN

}  // namespace terrazzo::adreno::isa
