// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader -> flat program. A row is released after its value's last use, so that the rows of large shaders
// fit into the cache. Last uses are determined in the value's own region: a use in a nested region counts as
// a use by the If or Loop that contains it, so values stay alive in all iterations.
#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "shaders/ir/interp_code.h"

namespace terrazzo::ir {

using Code = InterpProgram::Code;
using Kind = Code::Kind;

class InterpDecoder {
  public:
    InterpDecoder(const Shader& s, InterpProgram& p)
        : shader_(s), p_(p), rows_(s.value_count(), Code::kNone) {}
    void decode();

  private:
    static bool wide(Type t) { return bit_size(t) == 64; }
    void number(const Region& r);
    void find_last_uses(const Region& r);
    void note_last_use(const Value* v, const Region* home);
    uint32_t allocate(bool is_wide);
    uint32_t allocate(const Value* v) { return rows_[v->id] = allocate(wide(v->type)); }
    void release(const Value* v);
    uint32_t row(const Value* v) const { return rows_[v->id]; }
    uint32_t constant(Type t, uint64_t bits);
    Code& emit(Kind k);
    void region(const Region& r);
    void instr(const Instr& i);
    void alu(const Instr& i);
    void variable(const Instr& i);
    void interface(const Instr& i);
    void call(const Instr& i);
    void branch(const Instr& i);
    void loop(const Instr& i);
    void copies(const Instr& from, std::span<Value* const> to, Kind kind);

    const Shader& shader_;
    InterpProgram& p_;
    std::vector<uint32_t> rows_;  // by Value::id
    std::vector<uint32_t> free_[2];
    std::map<std::pair<bool, uint64_t>, uint32_t> constants_;
    std::unordered_map<const Instr*, uint32_t> order_;
    std::unordered_map<const Instr*, std::vector<const Value*>> last_use_;
    std::vector<size_t> ends_;  // EndIfs of the current region
    uint32_t depth_ = 0;
};

void InterpDecoder::number(const Region& r) {
    for (const Instr* i = r.first; i; i = i->next) {
        order_.emplace(i, uint32_t(order_.size()));
        for (unsigned n = 0; n < i->region_count; n++)
            number(*i->regions[n]);
    }
}

void InterpDecoder::note_last_use(const Value* v, const Region* home) {
    const Instr* last = v->def;
    for (const Use* u = v->uses; u; u = u->next) {
        const Instr* at = u->user;
        while (at->parent != home)
            at = at->parent->owner;
        if (order_[at] > order_[last]) last = at;
    }
    last_use_[last].push_back(v);
}

void InterpDecoder::find_last_uses(const Region& r) {
    for (const Instr* i = r.first; i; i = i->next) {
        if (i->op != Op::Const && i->op != Op::Undef)
            for (unsigned n = 0; n < i->result_count; n++)
                note_last_use(i->result(n), &r);
        for (unsigned n = 0; n < i->region_count; n++)
            find_last_uses(*i->regions[n]);
    }
}

uint32_t InterpDecoder::allocate(bool is_wide) {
    auto& list = free_[is_wide];
    if (!list.empty()) {
        const uint32_t r = list.back();
        list.pop_back();
        return r;
    }
    const uint32_t r = p_.row_count_;
    p_.row_count_ += is_wide ? 2 : 1;
    return r;
}

void InterpDecoder::release(const Value* v) {
    free_[wide(v->type)].push_back(row(v));
}

uint32_t InterpDecoder::constant(Type t, uint64_t bits) {
    const auto [it, is_new] = constants_.try_emplace({wide(t), bits}, 0);
    if (is_new) {
        // Not from the free list: constants' rows are filled once, before the run, and may not be reused.
        it->second = p_.row_count_;
        p_.constant_rows_.emplace_back(p_.row_count_, uint32_t(bits));
        if (wide(t)) p_.wide_constants_.emplace_back(p_.row_count_, bits);
        p_.row_count_ += wide(t) ? 2 : 1;
    }
    return it->second;
}

Code& InterpDecoder::emit(Kind k) {
    Code& c = p_.code_.emplace_back();
    c.kind = k;
    return c;
}

/// A parallel copy: to[n] = operand n of `from`.
void InterpDecoder::copies(const Instr& from, std::span<Value* const> to, Kind kind) {
    const size_t count = std::min<size_t>(to.size(), from.operand_count);
    std::vector<uint32_t> source(count);
    for (size_t n = 0; n < count; n++)
        source[n] = row(from.operand(unsigned(n)));
    std::vector<std::pair<uint32_t, bool>> temporaries;
    std::unordered_set<uint32_t> written;  // rows, by the copies before
    for (size_t n = 0; n < count; n++) {
        const bool overwritten = written.contains(source[n]);
        if (n + 1 < count) written.insert(row(to[n]));
        if (!overwritten) continue;
        const bool w = wide(to[n]->type);
        const uint32_t temporary = allocate(w);
        temporaries.emplace_back(temporary, w);
        Code& c = emit(Kind::Copy);
        c.wide = w;
        c.a = source[n];
        c.dst = source[n] = temporary;
    }
    // The copies into temporaries were emitted above, before all of these.
    for (size_t n = 0; n < count; n++) {
        if (source[n] == row(to[n])) continue;
        Code& c = emit(kind);
        c.wide = wide(to[n]->type);
        c.a = source[n];
        c.dst = row(to[n]);
    }
    for (auto [r, w] : temporaries)
        free_[w].push_back(r);
}

void InterpDecoder::alu(const Instr& i) {
    Kind kind = Kind::Alu;
    switch (i.op) {
        case Op::FDdx:
            kind = Kind::Ddx;
            break;
        case Op::FDdy:
            kind = Kind::Ddy;
            break;
        case Op::FDdxFine:
            kind = Kind::DdxFine;
            break;
        case Op::FDdyFine:
            kind = Kind::DdyFine;
            break;
        default:
            break;
    }
    const uint32_t dst = allocate(i.result());
    Code& c = emit(kind);
    c.type = i.result()->type;
    c.dst = dst;
    uint32_t* const operands[] = {&c.a, &c.b, &c.c, &c.d};
    for (unsigned n = 0; n < i.operand_count && n < 4; n++)
        *operands[n] = row(i.operand(n));
    if (kind == Kind::Alu) {
        c.kernel = kernel(i.op, c.type, i.operand(i.op == Op::Select ? 1 : 0)->type);
        assert(c.kernel && "the validator lets no such instruction pass");
    }
    // Rows of absent operands must be valid, although kernels do not use them.
    for (uint32_t* r : operands)
        if (*r == Code::kNone) *r = dst;
}

void InterpDecoder::variable(const Instr& i) {
    const bool load = i.op != Op::StoreVar;
    const unsigned index = load ? 0 : 1;
    if (load) allocate(i.result());
    Code& c = emit(load ? Kind::LoadVar : Kind::StoreVar);
    c.type = i.var->type;
    c.wide = wide(c.type);
    c.target = i.var->id;
    c.io = i.u.io;
    if (load)
        c.dst = row(i.result());
    else
        c.a = row(i.operand(0));
    // Before linking an input has the same value in the whole pixel.
    if (i.op != Op::LoadVarAt && i.operand_count > index) c.b = row(i.operand(index));
}

void InterpDecoder::interface(const Instr& i) {
    Kind kind = Kind::Input;
    if (i.op == Op::LoadInputAt) kind = Kind::InputAt;
    if (i.op == Op::StoreOutput) kind = Kind::Output;
    if (i.op == Op::LoadUniform) kind = Kind::Uniform;
    if (i.op == Op::LoadSysval) kind = Kind::Sysval;
    if (i.result_count) allocate(i.result());
    Code& c = emit(kind);
    c.io = i.u.io;
    c.type = i.result_count ? i.result()->type : i.operand(0)->type;
    c.wide = wide(c.type);
    if (i.result_count) c.dst = row(i.result());
    if (i.operand_count) c.a = row(i.operand(0));
    if (i.operand_count > 1) c.b = row(i.operand(1));
}

void InterpDecoder::call(const Instr& i) {
    for (unsigned n = 0; n < i.result_count; n++)
        allocate(i.result(n));
    Code& c = emit(i.op == Op::Tex ? Kind::Tex : Kind::Memory);
    c.op = i.op;
    c.extra = Code::kNone;
    if (i.op == Op::Tex) {
        c.extra = uint32_t(p_.tex_.size());
        p_.tex_.push_back(*i.u.tex);
        p_.tex_.back().var = nullptr;
        if (i.u.tex->var && i.u.tex->binding < 0) p_.tex_.back().binding = int(i.u.tex->var->id);
    } else {
        c.extra = uint32_t(p_.mem_.size());
        MemInfo m = *i.u.mem;
        if (m.var && m.binding < 0) {
            m.binding = int(m.var->id);
            m.count = m.var->count;
        }
        m.var = nullptr;
        p_.mem_.push_back(m);
    }
    c.first = uint32_t(p_.operand_rows_.size());
    c.operand_count = i.operand_count;
    c.result_count = i.result_count;
    for (unsigned n = 0; n < i.operand_count; n++)
        p_.operand_rows_.push_back(row(i.operand(n)));
    for (unsigned n = 0; n < i.result_count; n++)
        p_.operand_rows_.push_back(row(i.result(n)));
}

void InterpDecoder::branch(const Instr& i) {
    for (unsigned n = 0; n < i.result_count; n++)
        allocate(i.result(n));
    const size_t head = p_.code_.size();
    emit(Kind::If).a = row(i.operand(0));
    p_.mask_depth_ = std::max(p_.mask_depth_, ++depth_);
    region(*i.regions[0]);
    const size_t middle = p_.code_.size();
    emit(Kind::Else);
    region(*i.regions[1]);
    p_.code_[head].target = uint32_t(middle);
    p_.code_[middle].target = uint32_t(p_.code_.size());
    ends_.push_back(p_.code_.size());
    emit(Kind::EndIf).target = Code::kNone;
    depth_--;
}

void InterpDecoder::loop(const Instr& i) {
    const Region& body = *i.regions[0];
    for (unsigned n = 0; n < i.result_count; n++)
        allocate(i.result(n));
    const std::span args(body.args, body.arg_count);
    for (Value* v : args)
        allocate(v);
    copies(i, args, Kind::Copy);
    emit(Kind::Loop);
    p_.mask_depth_ = std::max(p_.mask_depth_, ++depth_);
    const size_t top = p_.code_.size();
    region(body);
    emit(Kind::EndLoop).target = uint32_t(top);
    depth_--;
    for (Value* v : args)
        release(v);
}

void InterpDecoder::instr(const Instr& i) {
    switch (i.op) {
        case Op::Const:
            rows_[i.result()->id] = constant(i.result()->type, i.u.bits);
            break;
        case Op::Undef:
            rows_[i.result()->id] = constant(i.result()->type, 0);
            break;
        case Op::LoadVar:
        case Op::StoreVar:
        case Op::LoadVarAt:
            variable(i);
            break;
        case Op::LoadInput:
        case Op::LoadInputAt:
        case Op::StoreOutput:
        case Op::LoadUniform:
        case Op::LoadSysval:
            interface(i);
            break;
        case Op::Tex:
        case Op::LoadBuffer:
        case Op::StoreBuffer:
        case Op::AtomicBuffer:
        case Op::BufferSize:
        case Op::LoadImage:
        case Op::StoreImage:
        case Op::AtomicImage:
        case Op::ImageSize:
        case Op::Barrier:
            call(i);
            break;
        case Op::Discard:
            emit(Kind::Discard).a = row(i.operand(0));
            break;
        case Op::If:
            branch(i);
            break;
        case Op::Loop:
            loop(i);
            break;
        case Op::Yield:
            copies(i, std::span(i.parent->owner->results, i.parent->owner->result_count), Kind::MaskedCopy);
            break;
        case Op::Break: {
            const Instr* l = enclosing_loop(&i);
            copies(i, std::span(l->results, l->result_count), Kind::MaskedCopy);
            emit(Kind::Break);
            break;
        }
        case Op::Continue: {
            const Region* body = enclosing_loop(&i)->regions[0];
            copies(i, std::span(body->args, body->arg_count), Kind::MaskedCopy);
            emit(Kind::Continue);
            break;
        }
        default:
            alu(i);
            break;
    }
}

void InterpDecoder::region(const Region& r) {
    std::vector<size_t> outer;
    outer.swap(ends_);
    for (const Instr* i = r.first; i; i = i->next) {
        instr(*i);
        if (const auto it = last_use_.find(i); it != last_use_.end())
            for (const Value* v : it->second)
                release(v);
    }
    // If all lanes have left the iteration, an EndIf jumps to the end of its region.
    if (r.owner)
        for (size_t e : ends_)
            p_.code_[e].target = uint32_t(p_.code_.size());
    ends_.swap(outer);
}

void InterpDecoder::decode() {
    for (const Var* v : shader_.vars()) {
        const uint32_t per_component = wide(v->type) ? 2 : 1;
        p_.vars_.push_back({p_.row_count_, v->count, v->type, v->storage});
        if (v->type != Type::Void && v->storage != Storage::Sampler && v->storage != Storage::Image)
            p_.row_count_ += v->count * per_component;
    }
    number(*shader_.body);
    find_last_uses(*shader_.body);
    region(*shader_.body);
}

InterpProgram::InterpProgram() = default;
InterpProgram::~InterpProgram() = default;

std::unique_ptr<const InterpProgram> InterpProgram::create(const Shader& s, unsigned lanes) {
    assert(lanes >= 4 && lanes <= kMaxInterpLanes && lanes % 4 == 0 && "lanes come as quads, up to 64");
    std::unique_ptr<InterpProgram> p(new InterpProgram);
    p->lanes_ = lanes;
    p->quads_ = s.stage == Stage::Fragment;
    InterpDecoder(s, *p).decode();
    return p;
}

}  // namespace terrazzo::ir
