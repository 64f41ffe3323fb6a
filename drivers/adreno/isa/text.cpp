// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Instr <-> text, by the forms of the instructions (next_piece). The pieces of forms that are no fields or
// operands: move (all of a move), offset (+N, if there is one), place (N), target, address (of the .a forms),
// base (.baseN, bindless), constant (the number in c[]), descriptor and operands (of textures). The functions
// change the instruction if the line is parsed. print() passes them a copy.
#include "drivers/common/isa/text.h"
#include "drivers/adreno/isa/operand.h"
#include "drivers/common/isa/line.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::Line;
using terrazzo::isa::refuse;

uint16_t& field_of(Instr& instr, Field field) {
    return instr.fields[unsigned(field)];
}

void source(Line& line, Instr& instr, unsigned n) {
    text_of_source(line, instr.info().source_rows[n], Type::kU32, instr.src[n]);
}

// ---- Fields and pieces ----

/// A number that is shown in another unit than it is encoded in. to_shown() is monotonic.
template <typename F>
void scaled(Line& line, const F& to_shown, const char* rule, uint16_t& value) {
    unsigned shown = to_shown(value);
    line.number(shown, 0, 4096);
    if (!line.parses()) return;
    for (value = 0; to_shown(value) < shown;)
        value++;
    if (to_shown(value) != shown) line.fail("%s", rule);
}

void field(Line& line, Instr& instr, Field field) {
    const FieldText& text = field_text(field);
    uint16_t& value = field_of(instr, field);
    if (text.values) {
        line.named(*text.values, text.name, value);
    } else if (text.flag) {
        value = line.is_name(text.flag, value);
    } else if (field == Field::kWriteMask) {
        constexpr std::string_view kNames[] = {"x", "y", "z", "w"};
        unsigned mask = 0;
        for (unsigned i = 0; i < 4; i++)
            mask |= unsigned(line.is(kNames[i], value >> i & 1)) << i;
        value = uint16_t(mask);
    } else if (field == Field::kCluster) {
        const auto invocations = [](unsigned v) { return 2u << v; };
        scaled(line, invocations, "a cluster has a power of two invocations", value);
    } else if (field == Field::kMaskWords) {
        const auto bits = [](unsigned v) { return 32 * v; };
        scaled(line, bits, "a mask has 32, 64, 96 or 128 bits", value);
    } else {
        line.number(value, 0, 4096);
    }
}

void move(Line& line, std::string_view mnemonic, Instr& instr) {
    if (mnemonic == "mova" || mnemonic == "mova1") {
        const bool a0 = mnemonic == "mova";
        instr.set_source_type(a0 ? Type::kS16 : Type::kU16);
        instr.set_dest_type(instr.source_type());
        instr.dst[0] = {a0 ? kA0 : kA1, true, false};
        line.literal(" ");
        field(line, instr, Field::kRound);
        line.literal(a0 ? "a0.x, " : "a1.x, ");
    } else {
        line.literal(".");
        line.named(kTypeNames, "type", field_of(instr, Field::kSourceType));
        line.named(kTypeNames, "type", field_of(instr, Field::kDestType));
        if ((instr.source_type() != instr.dest_type()) != (mnemonic == "cov"))
            line.fail("cov converts, mov does not");
        line.literal(" ");
        field(line, instr, Field::kRound);
        text_of_dest(line, instr.dst[0]);
        line.literal(", ");
    }
    text_of_source(line, instr.info().source_rows[0], instr.source_type(), instr.src[0]);
    if (instr.src[0].kind == SrcKind::kImmediate) instr.src[0].half = is_half_in_move(instr.source_type());
}

void offset(Line& line, Instr& instr) {
    if (line.signed_number(instr.offset, instr.offset || instr.has_offset) && line.parses())
        instr.has_offset = bool(instr.info().offset.present);
}

/// The second part of a 64-bit address.
void address(Line& line, Instr& instr) {
    const bool plain = line.is("(", !instr.shift());
    source(line, instr, 1);
    if (!plain) {
        unsigned shift = instr.shift() + 2;
        line.literal("<<");
        line.number(shift, 3, 5);
        instr.set_shift(shift - 2);
    }
    offset(line, instr);
    line.literal(plain ? ")<<2" : "<<2");
}

void base(Line& line, Instr& instr) {
    instr.set_bindless(line.is(".base", instr.bindless()));
    if (instr.bindless()) line.number(field_of(instr, Field::kBase), 0, 7);
}

void constant(Line& line, Instr& instr) {
    instr.set_constant_relative(line.is("a1.x", instr.constant_relative()));
    if (!instr.constant_relative() || line.is("+", instr.constant_offset()))
        line.number(field_of(instr, Field::kConstant), 0, 255);
}

// ---- Textures ----

/// The mode with the other bits in a1.x.
TextureMode with_a1(TextureMode mode) {
    return mode == TextureMode::kBindlessImmediate    ? TextureMode::kBindlessA1Immediate
           : mode == TextureMode::kBindlessUniform    ? TextureMode::kBindlessA1Uniform
           : mode == TextureMode::kBindlessNonuniform ? TextureMode::kBindlessA1Nonuniform
                                                      : mode;
}

/// .s2en and .base. The end of the line determines what a1.x contains.
void descriptor(Line& line, Instr& instr) {
    const TextureMode mode = TextureMode(instr.texture_mode());
    const bool is_uniform = mode == TextureMode::kIndirectUniform || mode == TextureMode::kBindlessUniform ||
                            mode == TextureMode::kBindlessA1Uniform;
    const bool s2en = line.is_name(".s2en", is_indirect(mode));
    const bool uniform = s2en && line.is_name(".uniform", is_uniform);
    if (s2en && !uniform && !line.is_name(".nonuniform", true)) line.fail(".s2en is .uniform or .nonuniform");
    const bool bindless = line.is(".base", is_bindless(mode));
    if (bindless) line.number(field_of(instr, Field::kBase), 0, 7);
    if (line.parses())
        instr.set_texture_mode(
            unsigned(!s2en      ? bindless ? TextureMode::kBindlessImmediate : TextureMode::kBound
                     : bindless ? uniform ? TextureMode::kBindlessUniform : TextureMode::kBindlessNonuniform
                     : uniform  ? TextureMode::kIndirectUniform
                                : TextureMode::kIndirectNonuniform));
}

void texture_operands(Line& line, Instr& instr) {
    const OpInfo& row = instr.info();
    const TextureMode mode = TextureMode(instr.texture_mode());
    const bool numbers = !is_indirect(mode);
    line.literal(" (");
    if (row.texture.type) {
        field(line, instr, Field::kType);
        line.literal(")(");
    }
    field(line, instr, Field::kWriteMask);
    line.literal(")");
    text_of_dest(line, instr.dst[0]);
    if (!row.texture.type) instr.set_type(instr.dst[0].half ? Type::kF16 : Type::kF32);
    const bool wanted[] = {row.texture.sources > 0, row.texture.sources > 1 || instr.coordinate_offset(),
                           is_indirect(mode)};
    for (unsigned i = 0; i < 3; i++) {
        if (wanted[i]) {
            line.literal(", ");
            source(line, instr, i);
        } else {
            instr.src[i] = {};
        }
        if (i == 0 && row.has_offset() && line.is("+", instr.has_offset)) {
            line.number(instr.offset, 0, 255);
            instr.has_offset = true;
        }
    }
    if (numbers && row.texture.sampler) {
        line.literal(", s#");
        line.number(field_of(instr, Field::kSampler), 0, 255);
    }
    if (line.is(", a1.x", uses_a1(mode))) {
        instr.set_texture_mode(unsigned(uses_a1(mode) ? mode : with_a1(mode)));
        if (!uses_a1(TextureMode(instr.texture_mode()))) line.fail("only bindless forms use a1.x");
    } else if (numbers && row.texture.texture) {
        line.literal(", t#");
        line.number(field_of(instr, Field::kTexture), 0, 127);
    }
}

// ---- The line ----

void piece(Line& line, std::string_view mnemonic, std::string_view name, Instr& instr) {
    if (name == "move") {
        return move(line, mnemonic, instr);
    } else if (name == "offset") {
        return offset(line, instr);
    } else if (name == "place" || name == "target") {
        return line.number(instr.offset, INT32_MIN, INT32_MAX);
    } else if (name == "address") {
        return address(line, instr);
    } else if (name == "base") {
        return base(line, instr);
    } else if (name == "constant") {
        return constant(line, instr);
    } else if (name == "descriptor") {
        return descriptor(line, instr);
    } else if (name == "operands") {
        return texture_operands(line, instr);
    }
    if (name.size() == 2 && (name[0] == 'd' || name[0] == 's') && name[1] >= '0' && name[1] <= '3') {
        const unsigned i = unsigned(name[1] - '0');
        return name[0] == 'd' ? text_of_dest(line, instr.dst[i]) : source(line, instr, i);
    }
    for (const FieldInfo& f : instr.info().fields())
        if (name == field_text(f.field).name) return field(line, instr, f.field);
    line.fail("%s: unknown piece of a form", instr.info().name);
}

void form(Line& line, std::string_view mnemonic, Instr& instr) {
    std::string_view rest = instr.info().form, next;
    bool braced;
    while (line.ok() && next_piece(&rest, &next, &braced))
        braced ? piece(line, mnemonic, next, instr) : line.literal(next);
}

using Fields = decltype(Instr::fields);

/// The flags before the name: in this order; parsed in any order.
void prefixes(Line& line, Fields& fields) {
    bool found = false;
    const auto once = [&](Field field, std::string_view text, bool present, unsigned value) {
        if (!line.is(text, present) || !line.parses()) return;
        if (std::exchange(fields[unsigned(field)], uint16_t(value)))
            line.fail("%s is said twice", field_text(field).name);
        found = true;
    };
    const auto flag = [&](Field field) { once(field, field_text(field).flag, fields[unsigned(field)], 1); };
    const auto count = [&](Field field, char(&text)[9], bool present) {
        for (unsigned n = 1; n < 8; n++) {
            text[4] = char('0' + n);
            once(field, text, present && fields[unsigned(field)] == n, n);
        }
    };
    char repeat[9] = "(rpt0)", nop[9] = "(nop0) ";
    do {
        found = false;
        for (const Field f : {Field::kSy, Field::kSs, Field::kEq, Field::kJp, Field::kSat})
            flag(f);
        count(Field::kRepeat, repeat, true);
        count(Field::kNop, nop, !fields[unsigned(Field::kRepeat)]);
        flag(Field::kUl);
    } while (found && line.ok());
    if (line.parses() && line.rest().starts_with('(')) {
        const size_t end = line.rest().find(')');
        const std::string_view text = line.rest().substr(0, end == std::string_view::npos ? end : end + 1);
        line.fail("there is no flag '%.*s'", TERRAZZO_ISA_SHOWN(text));
    }
}

/// Whether the line begins with the name, followed by a blank, a '.' or its end.
bool names(std::string_view rest, std::string_view name) {
    return rest.starts_with(name) &&
           (rest.size() == name.size() || rest[name.size()] == '.' || rest[name.size()] == ' ');
}

bool parse_form(Line& line, std::string_view mnemonic, const Fields& before, Instr* instr, Error* error) {
    for (unsigned i = 0; i < kFieldCount; i++)
        if (before[i]) instr->fields[i] = before[i];
    form(line, mnemonic, *instr);
    line.end(instr->info().name);
    return line.ok() && validate(*instr, error);
}

}  // namespace

void print(const Instr& instr, std::string* out) {
    Instr copy = instr;
    Line line(out);
    prefixes(line, copy.fields);
    const char* const mnemonic = moves_to_a0(instr)   ? "mova"
                                 : moves_to_a1(instr) ? "mova1"
                                 : instr.op == Op::kMov && instr.source_type() != instr.dest_type()
                                     ? "cov"
                                     : instr.info().mnemonic;
    line.literal(mnemonic);
    form(line, mnemonic, copy);
}

bool assemble_line(std::string_view text, Instr* out, Error* error) {
    Line begin(terrazzo::isa::trimmed(text), error);
    Fields before{};
    prefixes(begin, before);
    if (!begin.ok()) return false;
    const std::string_view rest = begin.rest();
    constexpr std::string_view kMoves[] = {"cov", "mova", "mova1"};
    Error best;
    size_t least = std::string_view::npos;
    const auto attempt = [&](Op op, std::string_view name) {
        Error reason;
        Instr instr = make(op);
        Line line(rest.substr(name.size()), &reason);
        if (parse_form(line, name, before, &instr, &reason)) {
            *out = instr;
            return true;
        }
        if (line.rest().size() < least) {  // the attempt that came furthest has the best reason
            least = line.rest().size();
            best = reason;
        }
        return false;
    };
    for (std::string_view name : kMoves)
        if (names(rest, name)) return attempt(Op::kMov, name) || refuse(error, "%s", best.reason);
    // Some names are beginnings of others: longer ones first.
    for (size_t size = 24; size > 0; size--) {
        for (unsigned i = 0; i < kOpCount; i++) {
            const std::string_view name = info(Op(i)).mnemonic;
            if (name.size() == size && names(rest, name) && attempt(Op(i), name)) return true;
        }
    }
    return least != std::string_view::npos
               ? refuse(error, "%s", best.reason)
               : refuse(error, "no instruction is named %.*s", TERRAZZO_ISA_SHOWN(rest));
}

}  // namespace terrazzo::adreno::isa
