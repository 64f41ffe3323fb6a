// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What follows an operation's name: constants, variables, slots, attributes, operands.
#include <algorithm>
#include <charconv>

#include "shaders/ir/half.h"
#include "shaders/ir/names.h"
#include "shaders/ir/parser.h"
#include "shaders/ir/parser_words.h"

namespace terrazzo::ir {

uint64_t Parser::floating(std::string_view w, Type t) {
    const unsigned bits = bit_size(t);
    if (w.starts_with("0x")) return number<uint64_t>(w, (uint64_t(1) << bits) - 1);
    float f = 0;
    const auto r = std::from_chars(w.data(), w.data() + w.size(), f);
    if (r.ec != std::errc() || r.ptr != w.data() + w.size()) {
        fail("'" + std::string(w.substr(0, 40)) + "' is no float");
        return 0;
    }
    return t == Type::F16 ? half_from_float(f) : std::bit_cast<uint32_t>(f);
}

uint64_t Parser::constant(Type t) {
    const std::string_view w = word();
    if (failed()) return 0;
    switch (t) {
        case Type::Bool:
            if (w != "true" && w != "false") fail("expected true or false");
            return w == "true";
        case Type::I16:
            return uint16_t(number<int16_t>(w, INT16_MAX));
        case Type::I32:
            return uint32_t(number<int32_t>(w, INT32_MAX));
        case Type::I64:
            return uint64_t(number<int64_t>(w, INT64_MAX));
        case Type::F16:
        case Type::F32:
            return floating(w, t);
        case Type::Void:
            fail("a constant has a type");
    }
    return 0;
}

uint32_t Parser::component(std::string_view w) {
    if (w.size() == 1)
        if (const size_t n = std::string_view("xyzw").find(w[0]); n != std::string_view::npos)
            return uint32_t(n);
    return number<uint32_t>(w, UINT32_MAX);
}

/// "7.y"
void Parser::slot(IoInfo& io, std::string_view w) {
    const size_t dot = w.find('.');
    if (dot == w.npos) return fail("expected slot.component");
    io.slot = number<uint32_t>(w.substr(0, dot), UINT32_MAX);
    io.component = component(w.substr(dot + 1));
}

void Parser::parenthesised(std::vector<Value*>& v) {
    expect("(");
    values(v);
    expect(")");
}

void Parser::tex_attribute(TexInfo& t) {
    const std::string_view w = word();
    if (w == "array") {
        t.arrayed = true;
    } else if (w == "shadow") {
        t.shadow = true;
    } else if (w == "indexed") {
        t.indexed = true;
    } else if (w == "offsets") {
        t.offset_operands = true;
    } else if (w == "offset") {
        expect("=");
        for (unsigned n = 0; n < 3; n++) {
            if (n) expect(",");
            const int32_t o = i32();
            if (o < INT8_MIN || o > INT8_MAX) fail("an offset fits eight bits");
            t.offset[n] = int8_t(o);
        }
    } else {
        expect("=");
        if (w == "coords")
            t.coord_count = uint8_t(u32(4));
        else if (w == "gather")
            t.gather_component = uint8_t(u32(3));
        else if (w == "result")
            t.result = name<Type>();
        else if (w == "var")
            t.var = var_ref(word());
        else if (w == "binding")
            t.binding = int(u32(INT32_MAX));
        else if (w == "slots")
            t.count = u32();
        else
            fail("unknown attribute of a texture operation");
    }
}

TexInfo Parser::tex() {
    TexInfo t;
    t.op = name<TexOp>();
    t.dim = name<TexDim>();
    while (!failed() && !is("("))
        tex_attribute(t);
    return t;
}

/// Reads one of the words and sets its bit.
bool Parser::bit_word(uint8_t& bits, std::span<const std::string_view> names) {
    for (size_t n = 0; n < names.size(); n++) {
        if (!accept(names[n])) continue;
        bits |= uint8_t(1u << n);
        return true;
    }
    return false;
}

void Parser::mem_attribute(Op op, MemInfo& m) {
    if (op == Op::Barrier ? bit_word(m.memories, kMemSpaceNames) : bit_word(m.qualifiers, kMemFlagNames))
        return;
    if (m.space == Storage::Image && (accept_name(m.dim) || accept_name(m.format))) return;
    const std::string_view w = word();
    if (w == "array") {
        m.arrayed = true;
    } else if (w == "indexed") {
        m.indexed = true;
    } else {
        expect("=");
        if (w == "var")
            m.var = var_ref(word());
        else if (w == "binding")
            m.binding = int(u32(INT32_MAX));
        else if (w == "slots")
            m.count = u32();
        else if (w == "words")
            m.words = uint8_t(u32(4));
        else if (w == "element_B")
            m.element_B = uint8_t(u32(4));
        else if (w == "offset_B")
            m.offset_B = u32();
        else if (w == "execution")
            m.execution = name<MemScope>();
        else if (w == "memory")
            m.memory = name<MemScope>();
        else
            fail("unknown attribute of a memory operation");
    }
}

MemInfo Parser::mem(Op op) {
    MemInfo m;
    if (op == Op::AtomicBuffer || op == Op::AtomicImage) m.op = name<MemOp>();
    if (op != Op::Barrier) m.space = name<Storage>();
    while (!failed() && !is("("))
        mem_attribute(op, m);
    return m;
}

void Parser::var_access(ParsedOp& p) {
    p.var = var_ref(word());
    expect("[");
    p.io.component = u32();
    Value* index = accept("+") ? value() : nullptr;
    expect("]");
    if (p.op == Op::StoreVar) {
        expect(",");
        p.operands.push_back(value());
    }
    if (index) p.operands.push_back(index);
}

void Parser::loop_args(ParsedOp& p) {
    expect("(");
    while (!failed() && !is(")")) {
        p.args.push_back(typed());
        expect("=");
        p.operands.push_back(value());
        if (!accept(",")) break;
    }
    expect(")");
}

void Parser::sysval(ParsedOp& p) {
    const std::string_view w = word();
    const size_t dot = std::min(w.find('.'), w.size());
    const auto s = from_name<Sysval>(w.substr(0, dot));
    if (!s || dot == w.size()) return fail("unknown system value");
    p.io.slot = uint32_t(*s);
    p.io.component = component(w.substr(dot + 1));
}

void Parser::payload(ParsedOp& p) {
    switch (p.op) {
        case Op::Const:
            if (p.results.size() != 1) return fail("a constant has one result");
            p.bits = constant(p.results[0].type);
            break;
        case Op::LoadVar:
        case Op::StoreVar:
            var_access(p);
            break;
        case Op::LoadInput:
            slot(p.io, word());
            (void)accept_name(p.io.interp);
            (void)accept_name(p.io.interp_at);
            if (accept("at")) values(p.operands);
            break;
        case Op::LoadVarAt:
            p.var = var_ref(word());
            expect("[");
            p.io.component = u32();
            expect("]");
            p.io.interp_at = name<InterpAt>();
            parenthesised(p.operands);
            break;
        case Op::LoadInputAt:
            slot(p.io, word());
            (void)accept_name(p.io.interp);
            p.io.interp_at = name<InterpAt>();
            parenthesised(p.operands);
            break;
        case Op::StoreOutput:
            slot(p.io, word());
            expect(",");
            values(p.operands);
            break;
        case Op::LoadUniform:
            p.io.slot = u32();
            if (!accept("+")) break;
            p.operands.push_back(value());
            expect("of");
            p.io.count = u32();
            break;
        case Op::LoadSysval:
            sysval(p);
            break;
        case Op::Tex:
            p.tex = tex();
            parenthesised(p.operands);
            break;
        case Op::LoadBuffer:
        case Op::StoreBuffer:
        case Op::AtomicBuffer:
        case Op::BufferSize:
        case Op::LoadImage:
        case Op::StoreImage:
        case Op::AtomicImage:
        case Op::ImageSize:
        case Op::Barrier:
            p.mem = mem(p.op);
            p.has_mem = true;
            parenthesised(p.operands);
            break;
        case Op::Loop:
            loop_args(p);
            break;
        default:
            values(p.operands);
            break;
    }
}

}  // namespace terrazzo::ir
