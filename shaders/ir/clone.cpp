// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Deep copies: of a whole shader, and of an instruction within its shader (unrolling, duplication).
#include "shaders/ir/clone.h"

namespace terrazzo::ir {

namespace {

bool has_tex(Op op) {
    return op == Op::Tex;
}
bool has_mem(Op op) {
    return op >= Op::LoadBuffer && op <= Op::Barrier;
}

}  // namespace

void CloneMap::set(const Value* from, Value* to) {
    if (from->id >= values_.size()) values_.resize(size_t(from->id) + 1, nullptr);
    values_[from->id] = to;
}

Value* CloneMap::get(Value* from) const {
    Value* to = from->id < values_.size() ? values_[from->id] : nullptr;
    return to ? to : from;
}

Instr* clone_instr(Shader& to, const Instr* i, CloneMap& map) {
    // Most instructions have few of both; only control flow has many.
    constexpr size_t kFew = 8;
    Value* few_operands[kFew];
    Type few_types[kFew];
    std::vector<Value*> many_operands(i->operand_count > kFew ? i->operand_count : 0);
    std::vector<Type> many_types(i->result_count > kFew ? i->result_count : 0);
    Value** const operands = many_operands.empty() ? few_operands : many_operands.data();
    Type* const types = many_types.empty() ? few_types : many_types.data();
    for (unsigned n = 0; n < i->operand_count; n++)
        operands[n] = map.get(i->operand(n));
    for (unsigned n = 0; n < i->result_count; n++)
        types[n] = i->result(n)->type;
    Instr* c = to.create(i->op, {operands, i->operand_count}, {types, i->result_count}, i->region_count);
    c->flags = i->flags;
    c->line = i->line;
    c->var = map.var(i->var);
    c->u = i->u;
    if (has_tex(i->op) && i->u.tex) {
        c->u.tex = to.create_tex(*i->u.tex);
        c->u.tex->var = map.var(i->u.tex->var);
    } else if (has_mem(i->op) && i->u.mem) {
        c->u.mem = to.create_mem(*i->u.mem);
        c->u.mem->var = map.var(i->u.mem->var);
    }
    for (unsigned n = 0; n < i->result_count; n++)
        map.set(i->result(n), c->result(n));
    for (unsigned n = 0; n < i->region_count; n++) {
        const Region* from = i->regions[n];
        for (unsigned a = 0; a < from->arg_count; a++)
            map.set(from->args[a], to.add_region_arg(c->regions[n], from->args[a]->type));
        for (const Instr* x = from->first; x; x = x->next)
            append(c->regions[n], clone_instr(to, x, map));
    }
    return c;
}

std::unique_ptr<Shader> clone(const Shader& s) {
    auto copy = std::make_unique<Shader>(s.stage);
    copy->info = s.info;
    for (const Var* v : s.vars()) {
        Var* c = copy->add_var(v->name, v->type, v->count, v->storage);
        *c = *v;
    }
    CloneMap map(&copy->vars());
    for (const Instr* i = s.body->first; i; i = i->next)
        append(copy->body, clone_instr(*copy, i, map));
    // The same ids as in the original, so that both are printed alike.
    for (uint32_t id = 0; id < map.size(); id++)
        if (Value* v = map.at(id)) v->id = id;
    copy->reserve_value_ids(s.value_count());
    return copy;
}

}  // namespace terrazzo::ir
