// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions of lir.h as text, for tests. Spaces separate the parts:
//     mad.f32 %7 = %1 -u3 |%2 sat=1            operation, destination, sources, fields unlike make()
//     sam %8x4m7 = %4x2                        runs; m: the words of the destination that are written
//     atomic.b.add %3+1 = %9 #0                words after the destination that are read
//     br = -s385 -> block2        ldp %5 = %6 @16        end left=%1x4,%5x1
// Sources: words; uN, pN, kN, aN: a uniform's dword, a parameter, a constant, a dword plus a0.x; kaN: a
// constant plus a0.x; cN: the preamble's result; c#N: its location; #N (h#N): bits; tN: an entry of the table
// of floats. An h before uN, kN, cN: read as a half. "-" negates, "|" takes the absolute value.
#include "tests/adreno/compiler/lir_text.h"

#include "tests/common/backend/code_text.h"

namespace terrazzo::adreno::compiler {

namespace {

using terrazzo::isa::Line;

/// A run of words. False: the line has none here.
template <typename Count>
bool run(Line& line, Function& f, bool present, Word& first, Count& count) {
    constexpr unsigned kMost = 16;
    if (!backend::text_of_word(line, f, present, first)) return false;
    const bool counted = line.is_before_number("x", count > 1);
    if (counted) line.number(count, 1, kMost);
    if (!counted) count = 1;
    return true;
}

struct KindText {
    std::string_view prefix;
    Ref::Kind kind;
    bool half;
};
// A prefix precedes those that it begins with.
constexpr KindText kKinds[] = {{"u", Ref::Kind::Uniform, false},   {"p", Ref::Kind::Param, false},
                               {"k", Ref::Kind::Constant, false},  {"ka", Ref::Kind::InTable, false},
                               {"a", Ref::Kind::Relative, false},  {"hu", Ref::Kind::Uniform, true},
                               {"hk", Ref::Kind::Constant, true},  {"c", Ref::Kind::Preamble, false},
                               {"hc", Ref::Kind::Preamble, true},  {"c#", Ref::Kind::PreambleAt, false},
                               {"#", Ref::Kind::Immediate, false}, {"h#", Ref::Kind::Immediate, true},
                               {"t", Ref::Kind::Table, false},     {"ht", Ref::Kind::Table, true}};

/// False: the line has no source here.
bool source(Line& line, Function& f, Ref& r) {
    if (line.parses() && line.rest().starts_with("->")) return false;
    (void)line.is(" ", r.kind != Ref::Kind::None);
    r.neg = line.is("-", r.neg);
    r.abs = line.is("|", r.abs);
    for (const KindText& k : kKinds) {
        // Some kinds have no halves: their text is that of the full register.
        const bool other_half = std::none_of(std::begin(kKinds), std::end(kKinds), [&](const KindText& o) {
            return o.kind == r.kind && o.half == r.half;
        });
        if (!line.is_before_number(k.prefix, r.kind == k.kind && (r.half == k.half || other_half))) continue;
        r.kind = k.kind;
        if (line.parses()) r.half = k.half;
        line.number(r.index, 0, UINT32_MAX);
        return true;
    }
    Word first = r.as_word();
    if (!run(line, f, is_word(r), first, r.count)) {
        if (r.neg || r.abs) line.fail("a source without a name");
        return false;
    }
    if (!line.parses()) return true;
    r.kind = Ref::Kind::Word;
    r.set_word(first);
    r.half = f.is_half(first);
    return true;
}

void dest(Line& line, Function& f, Inst& i) {
    const bool present = i.dest != kNoWord;
    (void)line.is(" ", present);
    if (!run(line, f, present, i.dest, i.dest_count)) return;
    if (line.is_before_number("m", i.dest_mask)) line.number(i.dest_mask, 0, 15);
    if (line.is_before_number("+", i.data_count)) line.number(i.data_count, 0, 3);
}

/// "name=number" of each field that is unlike make().
void fields(Line& line, isa::Instr& proto) {
    const isa::Instr plain = isa::make(proto.op);
    bool found;
    do {
        found = false;
        for (const isa::FieldInfo& row : proto.info().fields()) {
            uint16_t& value = proto.fields[unsigned(row.field)];
            const std::string name = std::string(" ") + isa::field_text(row.field).name + "=";
            if (!line.is(name, value != plain.get(row.field))) continue;
            line.number(value, 0, UINT16_MAX);
            found = true;
        }
    } while (found && line.parses());
}

void left(Line& line, Function& f, Inst& i) {
    if (!line.is(" left=", !i.left.empty())) return;
    std::pmr::vector<Run> runs(i.left.begin(), i.left.end(), f.memory);
    size_t n = 0;
    do {
        if (n == runs.size()) runs.emplace_back();
        if (!run(line, f, true, runs[n].first, runs[n].count)) line.fail("no run of words");
        n++;
    } while (line.is(",", n < i.left.size()) && line.ok());
    if (!line.parses()) return;
    i.left = {static_cast<Run*>(f.memory->allocate(sizeof(Run) * n, alignof(Run))), n};
    std::copy(runs.begin(), runs.end(), i.left.begin());
}

void text_of(Line& line, Function& f, Inst& i) {
    dest(line, f, i);
    if (line.is(" =", i.src[0].kind != Ref::Kind::None || i.src[1].kind != Ref::Kind::None)) {
        for (Ref& r : i.src)
            if (!source(line, f, r) && line.parses()) break;
    }
    fields(line, i.proto);
    if (line.is(" @", i.proto.offset)) line.number(i.proto.offset, 0, 4095);
    left(line, f, i);
    if (line.is(" -> block", i.target >= 0)) line.number(i.target, 0, 0xffff);
}

/// Whether the word is of the special class but not a special register. Those follow the others: s384 is
/// a0.x, s385 p0.x.
bool is_no_special(const Function& f, Word word) {
    return f.is_fixed(word) && f.node(word).cls == kSpecialClass && f.fixed_unit(word) < kUnitA0;
}

bool find_op_by_name(std::string_view name, isa::Op* out) {
    for (unsigned k = 0; k < isa::kOpCount; k++)
        if (name == isa::info(isa::Op(k)).name) return *out = isa::Op(k), true;
    return false;
}

}  // namespace

void print_inst(const Function& f, const Inst& i, std::string* out) {
    Inst copy = i;
    *out += i.proto.info().name;
    Line line(out);
    text_of(line, const_cast<Function&>(f), copy);
}

bool parse_inst(Function& f, std::string_view text, Inst* out, std::string* why) {
    const std::string_view name = text.substr(0, text.find(' '));
    *out = Inst{};
    isa::Op op;
    if (!find_op_by_name(name, &op)) return *why = "no operation of that name", false;
    out->proto = isa::make(op);
    out->always = op == isa::Op::kJump;
    isa::Error error;
    Line line(text.substr(name.size()), &error);
    text_of(line, f, *out);
    line.end(out->proto.info().name);
    bool special = true;
    for (const Ref& r : out->src)
        special &= !is_word(r) || !is_no_special(f, r.as_word());
    if (line.ok() && (!special || (out->dest != kNoWord && is_no_special(f, out->dest))))
        line.fail("no special register");
    *why = error.reason;
    return line.ok();
}

}  // namespace terrazzo::adreno::compiler
