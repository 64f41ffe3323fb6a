// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The text form's structure; see parser.h.
#include "shaders/ir/parse.h"

#include <algorithm>

#include "shaders/ir/limits.h"
#include "shaders/ir/parser.h"
#include "shaders/ir/parser_words.h"

namespace terrazzo::ir {

void Parser::fail(std::string_view what) {
    if (failed()) return;
    error_ = "line " + std::to_string(lex_.line) + ": " + std::string(what) + ", found '" +
             std::string(lex_.text.substr(0, 40)) + "'";
}

bool Parser::accept(std::string_view s) {
    if (failed() || !is(s)) return false;
    lex_.next();
    return true;
}

void Parser::expect(std::string_view s) {
    if (!accept(s)) fail("expected '" + std::string(s) + "'");
}

std::string_view Parser::word() {
    if (failed()) return {};
    if (lex_.kind != Lexer::Kind::Word) {
        fail("expected a word");
        return {};
    }
    const std::string_view w = lex_.text;
    lex_.next();
    return w;
}

int32_t Parser::i32() {
    return number<int32_t>(word(), INT32_MAX);
}

uint32_t Parser::id() {
    expect("%");
    return u32(kMaxTextValues - 1);
}

Value* Parser::value() {
    const uint32_t n = id();
    if (failed()) return nullptr;
    Value* v = n < values_.size() ? values_[n] : nullptr;
    if (!v) fail("%" + std::to_string(n) + " is not defined before it is used");
    return v;
}

Typed Parser::typed() {
    Typed t;
    t.id = id();
    expect(":");
    t.type = name<Type>();
    return t;
}

void Parser::values(std::vector<Value*>& list) {
    // The line after a terminator without values may begin with results.
    if (!is("%") || lex_.first_on_line) return;
    do {
        list.push_back(value());
    } while (accept(","));
}

void Parser::define(Value* v, uint32_t id) {
    if (failed()) return;
    if (id >= values_.size()) values_.resize(size_t(id) + 1, nullptr);
    if (values_[id]) return fail("%" + std::to_string(id) + " is defined twice");
    values_[id] = v;
    v->id = id;
}

void Parser::info() {
    ShaderInfo& i = shader_->info;
    const std::pair<std::string_view, bool*> flags[] = {
        {"uses_discard", &i.uses_discard},
        {"uses_derivatives", &i.uses_derivatives},
        {"uses_front_facing", &i.uses_front_facing},
        {"uses_point_coord", &i.uses_point_coord},
        {"uses_frag_coord", &i.uses_frag_coord},
        {"writes_depth", &i.writes_depth},
        {"writes_memory", &i.writes_memory},
        {"early_fragment_tests", &i.early_fragment_tests},
        {"reads_color", &i.reads_color},
        {"uses_barriers", &i.uses_barriers},
    };
    const std::pair<std::string_view, uint32_t*> numbers[] = {
        {"sampler_count", &i.sampler_count},
        {"uniform_dw", &i.uniform_dw},
        {"uniform_blocks_read", &i.uniform_blocks_read},
        {"buffers_read", &i.buffers_read},
        {"buffers_written", &i.buffers_written},
        {"blend_equations", &i.blend_equations},
        {"images_read", &i.images_read},
        {"images_written", &i.images_written},
        {"shared_B", &i.shared_B},
    };
    while (!failed() && !lex_.first_on_line) {
        const std::string_view w = word();
        bool known = false;
        for (auto [text, flag] : flags)
            if (w == text) known = *flag = true;
        if (known) continue;
        expect("=");
        for (auto [text, number] : numbers)
            if (w == text) known = true, *number = u32();
        if (known) continue;
        if (w == "inputs_read") {
            i.inputs_read = number<uint64_t>(word(), UINT64_MAX);
        } else if (w == "outputs_written") {
            i.outputs_written = number<uint64_t>(word(), UINT64_MAX);
        } else if (w == "workgroup_size") {
            for (unsigned n = 0; n < 3; n++) {
                if (n) expect(",");
                i.workgroup_size[n] = u32();
            }
        } else {
            fail("unknown field of info");
        }
    }
}

void Parser::var_attribute(Var& v) {
    if (accept_name(v.precision) || accept_name(v.interp) || accept_name(v.interp_at) || accept_name(v.dim))
        return;
    const std::string_view w = word();
    if (w == "invariant") {
        v.invariant = true;
    } else if (w == "array") {
        v.arrayed = true;
    } else if (w == "shadow") {
        v.shadow = true;
    } else if (w == "location") {
        expect("=");
        v.location = i32();
    } else if (w == "binding") {
        expect("=");
        v.binding = i32();
    } else {
        fail("unknown attribute of a variable");
    }
}

void Parser::var() {
    const std::string_view w = word();
    if (w.empty() || w[0] != 'v' || number<uint32_t>(w.substr(1), UINT32_MAX) != shader_->vars().size())
        return fail("variables are numbered v0, v1, ... in order");
    if (failed()) return;
    if (lex_.kind != Lexer::Kind::String || lex_.bad) return fail("expected a variable's name in quotes");
    std::string text = lex_.string;
    lex_.next();
    const Type type = name<Type>();
    expect("[");
    const uint32_t count = u32(kMaxVarComponents);
    expect("]");
    const Storage storage = name<Storage>();
    if (failed()) return;
    Var& v = *shader_->add_var(std::move(text), type, count, storage);
    while (!failed() && !lex_.first_on_line)
        var_attribute(v);
}

Var* Parser::var_ref(std::string_view w) {
    if (failed()) return nullptr;
    const uint32_t n = !w.empty() && w[0] == 'v' ? number<uint32_t>(w.substr(1), UINT32_MAX) : UINT32_MAX;
    if (n >= shader_->vars().size()) {
        fail("no such variable");
        return nullptr;
    }
    return shader_->vars()[n];
}

void Parser::build(const ParsedOp& p, Region* r) {
    if (p.operands.size() > UINT16_MAX || p.results.size() > UINT16_MAX)
        return fail("too many operands or results");
    std::vector<Type> types;
    for (const Typed& t : p.results)
        types.push_back(t.type);
    const unsigned regions = p.op == Op::If ? 2 : p.op == Op::Loop ? 1 : 0;
    Instr* i = shader_->create(p.op, p.operands, types, regions);
    i->flags = p.flags;
    i->var = p.var;
    switch (p.op) {
        case Op::Const:
            i->u.bits = p.bits;
            break;
        case Op::LoadVar:
        case Op::StoreVar:
        case Op::LoadVarAt:
        case Op::LoadInput:
        case Op::LoadInputAt:
        case Op::StoreOutput:
        case Op::LoadUniform:
        case Op::LoadSysval:
            i->u.io = p.io;
            break;
        case Op::Tex:
            i->u.tex = shader_->create_tex(p.tex);
            break;
        default:
            if (p.has_mem) i->u.mem = shader_->create_mem(p.mem);
    }
    if (accept("!")) i->line = u32();
    append(r, i);
    for (const Typed& t : p.args)
        define(shader_->add_region_arg(i->regions[0], t.type), t.id);
    if (regions) {
        expect("{");
        region(i->regions[0]);
        if (p.op == Op::If && accept("else")) {
            expect("{");
            region(i->regions[1]);
        }
    }
    for (size_t n = 0; n < p.results.size(); n++)
        define(i->result(unsigned(n)), p.results[n].id);
}

void Parser::statement(Region* r) {
    ParsedOp p;
    if (is("%")) {
        do {
            p.results.push_back(typed());
        } while (accept(","));
        expect("=");
    }
    const std::string_view w = word();
    if (failed()) return;
    const size_t dot = std::min(w.find('.'), w.size());
    unsigned n = 0;
    while (n < unsigned(Op::Count_) && op_info(Op(n)).text != w.substr(0, dot))
        n++;
    if (n == unsigned(Op::Count_)) return fail("unknown operation '" + std::string(w.substr(0, 40)) + "'");
    p.op = Op(n);
    std::string_view suffix = w.substr(dot);
    using Flag = std::pair<std::string_view, uint8_t>;
    for (const auto& [text, flag] :
         {Flag{".exact", instr_flag::kExact}, Flag{".mediump", instr_flag::kMediump},
          Flag{".rounded", instr_flag::kRounded}})
        if (suffix.starts_with(text)) {
            p.flags |= flag;
            suffix.remove_prefix(text.size());
        }
    if (!suffix.empty()) return fail("unknown flag of an operation");
    payload(p);
    if (!failed()) build(p, r);
}

void Parser::region(Region* r) {
    if (++depth_ > kMaxRegionDepth) fail("nested too deeply");
    while (!failed() && !accept("}"))
        statement(r);
    depth_--;
}

ParseResult Parser::parse() {
    const Stage stage = name<Stage>();
    expect("{");
    if (!failed()) shader_ = std::make_unique<Shader>(stage, memory_);
    if (accept("info")) info();
    while (accept("var"))
        var();
    if (!failed()) region(shader_->body);
    if (!failed() && lex_.kind != Lexer::Kind::End) fail("expected nothing after the shader");
    if (failed()) return {nullptr, std::move(error_)};
    shader_->reserve_value_ids(uint32_t(values_.size()));
    return {std::move(shader_), {}};
}

ParseResult parse(std::string_view text, std::pmr::memory_resource* memory) {
    return Parser(text, memory).parse();
}

}  // namespace terrazzo::ir
