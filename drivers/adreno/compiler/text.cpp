// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions of lir.h as text, for messages and tests. Spaces separate the parts:
//     mad.f32 %7 = %1 -u3 |%2 sat=1            operation, destination, sources, fields unlike make()
//     sam %8x4m7 = %4x2                        runs; m: the words of the destination that are written
//     atomic.b.add %3+1 = %9 #0                words after the destination that are read
//     br = -s385 -> block2        ldp %5 = %6 @16        end left=%1x4,%5x1
// Sources: words; uN, pN, kN, aN: a uniform's dword, a parameter, a constant, a dword plus a0.x; kaN: a
// constant plus a0.x; cN: the preamble's result; c#N: its location; #N (h#N): bits; tN: an entry of the table
// of floats. An h before uN, kN, cN: read as a half. "-" negates, "|" takes the absolute value.
#include "drivers/common/backend/text.h"

#include "drivers/adreno/compiler/lir.h"

namespace terrazzo::adreno::compiler {

namespace {

void append_run(const Function& f, uint32_t first, unsigned count, std::string* out) {
    backend::append_word<Ir3>(f, first, out);
    if (count > 1) *out += "x" + std::to_string(count);
}

void append_ref(const Function& f, const Ref& r, std::string* out) {
    *out += r.neg ? " -" : " ";
    if (r.abs) *out += "|";
    switch (r.kind) {
        case Ref::Kind::None:
            return;
        case Ref::Kind::Word:
            return append_run(f, r.index, r.count, out);
        case Ref::Kind::Uniform:
            *out += r.half ? "hu" : "u";
            break;
        case Ref::Kind::Param:
            *out += "p";
            break;
        case Ref::Kind::Constant:
            *out += r.half ? "hk" : "k";
            break;
        case Ref::Kind::Preamble:
            *out += r.half ? "hc" : "c";
            break;
        case Ref::Kind::PreambleAt:
            *out += "c#";
            break;
        case Ref::Kind::Relative:
            *out += "a";
            break;
        case Ref::Kind::InTable:
            *out += "ka";
            break;
        case Ref::Kind::Immediate:
            *out += r.half ? "h#" : "#";
            break;
        case Ref::Kind::Table:
            *out += r.half ? "ht" : "t";
            break;
    }
    *out += std::to_string(r.index);
}

bool take_run(Function& f, std::string_view* text, uint32_t* first, uint32_t* count) {
    *count = 1;
    if (!backend::take_word<Ir3>(f, text, first)) return false;
    if (backend::take_prefix(text, "x") && !backend::take_number(text, count)) return false;
    return *count >= 1 && *count <= 16;
}

bool take_ref(Function& f, std::string_view text, Ref* out) {
    out->neg = backend::take_prefix(&text, "-");
    out->abs = backend::take_prefix(&text, "|");
    constexpr struct {
        std::string_view prefix;
        Ref::Kind kind;
        bool half;
    } kKinds[] = {{"u", Ref::Kind::Uniform, false},   {"p", Ref::Kind::Param, false},
                  {"k", Ref::Kind::Constant, false},  {"ka", Ref::Kind::InTable, false},
                  {"a", Ref::Kind::Relative, false},  {"hu", Ref::Kind::Uniform, true},
                  {"hk", Ref::Kind::Constant, true},  {"c", Ref::Kind::Preamble, false},
                  {"hc", Ref::Kind::Preamble, true},  {"c#", Ref::Kind::PreambleAt, false},
                  {"#", Ref::Kind::Immediate, false}, {"h#", Ref::Kind::Immediate, true},
                  {"t", Ref::Kind::Table, false},     {"ht", Ref::Kind::Table, true}};
    for (const auto& k : kKinds) {
        std::string_view rest = text;
        if (!backend::take_prefix(&rest, k.prefix)) continue;
        if (!backend::take_number(&rest, &out->index) || !rest.empty()) continue;
        out->kind = k.kind;
        out->half = k.half;
        return true;
    }
    uint32_t count = 1;
    if (!take_run(f, &text, &out->index, &count) || !text.empty()) return false;
    out->kind = Ref::Kind::Word;
    out->count = uint8_t(count);
    out->half = f.is_half(out->index);
    return true;
}

bool take_dest(Function& f, std::string_view text, Inst* out) {
    uint32_t count = 1, number = 0;
    if (!take_run(f, &text, &out->dest, &count)) return false;
    out->dest_count = uint8_t(count);
    if (backend::take_prefix(&text, "m")) {
        if (!backend::take_number(&text, &number) || number > 15) return false;
        out->dest_mask = uint8_t(number);
    }
    if (backend::take_prefix(&text, "+")) {
        if (!backend::take_number(&text, &number) || number > 3) return false;
        out->data_count = uint8_t(number);
    }
    return text.empty();
}

/// Whether the word is of the special class but not a special register. Those follow the others: s384 is
/// a0.x, s385 p0.x.
bool is_no_special(const Function& f, uint32_t word) {
    return f.is_fixed(word) && f.node(word).cls == kSpecialClass && f.fixed_unit(word) < kUnitA0;
}

bool find_op_by_name(std::string_view name, isa::Op* out) {
    for (unsigned k = 0; k < isa::kOpCount; k++)
        if (name == isa::info(isa::Op(k)).name) return *out = isa::Op(k), true;
    return false;
}

/// Parses "name=number", a field of the operation.
bool take_field(std::string_view text, isa::Instr* proto) {
    for (const isa::FieldInfo& row : proto->info().fields()) {
        std::string_view rest = text;
        uint32_t value = 0;
        if (!backend::take_prefix(&rest, isa::field_text(row.field).name) ||
            !backend::take_prefix(&rest, "="))
            continue;
        if (!backend::take_number(&rest, &value) || !rest.empty()) continue;
        proto->fields[unsigned(row.field)] = uint16_t(value);
        return true;
    }
    return false;
}

bool take_left(Function& f, std::string_view text, Inst* out) {
    std::pmr::vector<Run> runs(f.memory);
    for (Run r{}; take_run(f, &text, &r.first, &r.count); r = {}) {
        runs.push_back(r);
        if (!backend::take_prefix(&text, ",")) break;
    }
    auto* left =
        static_cast<Run*>(f.memory->allocate(sizeof(Run) * std::max<size_t>(runs.size(), 1), alignof(Run)));
    std::copy(runs.begin(), runs.end(), left);
    out->left = {left, runs.size()};
    return text.empty();
}

}  // namespace

void Ir3::print(const Function& f, const Inst& i, std::string* out) {
    *out += i.proto.info().name;
    if (i.dest != kNoWord) {
        *out += " ";
        append_run(f, i.dest, i.dest_count, out);
        if (i.dest_mask) *out += "m" + std::to_string(i.dest_mask);
        if (i.data_count) *out += "+" + std::to_string(i.data_count);
    }
    if (i.src[0].kind != Ref::Kind::None || i.src[1].kind != Ref::Kind::None) *out += " =";
    for (const Ref& r : i.src)
        if (r.kind != Ref::Kind::None) append_ref(f, r, out);
    const isa::Instr plain = isa::make(i.proto.op);
    for (const isa::FieldInfo& row : i.proto.info().fields())
        if (i.proto.get(row.field) != plain.get(row.field))
            *out += " " + std::string(isa::field_text(row.field).name) + "=" +
                    std::to_string(i.proto.get(row.field));
    if (i.proto.offset) *out += " @" + std::to_string(i.proto.offset);
    for (size_t k = 0; k < i.left.size(); k++) {
        *out += k ? "," : " left=";
        append_run(f, i.left[k].first, i.left[k].count, out);
    }
    if (i.target >= 0) *out += " -> block" + std::to_string(i.target);
}

bool Ir3::parse(Function& f, std::string_view line, Inst* out, std::string* why) {
    const auto next = [&] {
        const size_t end = std::min(line.find(' '), line.size());
        const std::string_view piece = line.substr(0, end);
        line.remove_prefix(std::min(end + 1, line.size()));
        return piece;
    };
    *out = Inst{};
    isa::Op op;
    if (!find_op_by_name(next(), &op)) return *why = "no operation of that name", false;
    out->proto = isa::make(op);
    unsigned sources = 0;
    bool behind = false;  // whether "=" was read
    while (!line.empty()) {
        std::string_view piece = next();
        uint32_t number = 0;
        bool good = true;
        if (piece == "=")
            behind = true;
        else if (piece == "->") {
            piece = next();
            good = backend::take_prefix(&piece, "block") && backend::take_number(&piece, &number) &&
                   piece.empty() && number <= 0xffff;
            out->target = int32_t(number);
        } else if (backend::take_prefix(&piece, "@")) {
            good = backend::take_number(&piece, &number) && piece.empty() && number < 4096;
            out->proto.offset = int32_t(number);
        } else if (backend::take_prefix(&piece, "left="))
            good = take_left(f, piece, out);
        else if (piece.find('=') != std::string_view::npos)
            good = take_field(piece, &out->proto);
        else if (!behind)
            good = take_dest(f, piece, out);
        else
            good = sources < out->src.size() && take_ref(f, piece, &out->src[sources++]);
        if (!good) return *why = "'" + std::string(piece) + "' says nothing here", false;
    }
    for (const Ref& r : out->src)
        if (r.is_word() && is_no_special(f, r.index)) return *why = "no special register", false;
    if (out->dest != kNoWord && is_no_special(f, out->dest)) return *why = "no special register", false;
    return true;
}

}  // namespace terrazzo::adreno::compiler
