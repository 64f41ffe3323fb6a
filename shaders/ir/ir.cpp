// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The IR's storage: arena, lists of instructions, lists of uses.
#include "shaders/ir/ir.h"

#include <array>
#include <cassert>
#include <new>

namespace terrazzo::ir {

namespace {

using namespace op_flag;
constexpr std::array<OpInfo, size_t(Op::Count_)> kOps = {{
#define TZ_OP(name, text, operands, sig, flags) {text, operands, Sig::sig, flags},
#include "shaders/ir/ops.def"
#undef TZ_OP
}};

template <typename T>
T* make(std::pmr::memory_resource* arena, size_t n = 1) {
    T* p = static_cast<T*>(arena->allocate(n * sizeof(T), alignof(T)));
    for (size_t i = 0; i < n; i++)
        new (p + i) T();
    return p;
}

// Arrays that grow hold bit_ceil(count) elements, so their capacity need not be stored.
size_t capacity(size_t count) {
    return count ? std::bit_ceil(count) : 0;
}

template <typename T>
T** grow(std::pmr::memory_resource* arena, T** array, uint16_t count) {
    assert(count < UINT16_MAX && "an instruction has at most 65535 operands, results or arguments");
    if (capacity(count) != count && array) return array;
    T** bigger = make<T*>(arena, capacity(size_t(count) + 1));
    for (size_t i = 0; i < count; i++)
        bigger[i] = array[i];
    return bigger;
}

void link(Use* u, Instr* user, Value* v) {
    u->value = v;
    u->user = user;
    u->next = v->uses;
    u->prev = &v->uses;
    if (u->next) u->next->prev = &u->next;
    v->uses = u;
}

void unlink(Use* u) {
    if (!u->value) return;
    *u->prev = u->next;
    if (u->next) u->next->prev = u->prev;
    *u = Use{};
}

/// Replaces `from` by `to` (unlinked) in the list of uses.
void relocate(Use* to, Use* from) {
    *to = *from;
    if (to->value) {
        *to->prev = to;
        if (to->next) to->next->prev = &to->next;
    }
    *from = Use{};
}

void erase_contents(Region* r) {
    while (r->last)
        erase(r->last);
    for (unsigned i = 0; i < r->arg_count; i++)
        assert(!r->args[i]->uses && "a loop argument outlives its region");
}

}  // namespace

const OpInfo& op_info(Op op) {
    return kOps[size_t(op)];
}

TexOperands tex_operands(const TexInfo& t) {
    TexOperands o;
    int n = 0;
    const bool query = t.op == TexOp::Size || t.op == TexOp::Levels;
    if (!query) {
        o.coord = n;
        n += t.coord_count;
    }
    if (t.shadow && !query && t.op != TexOp::QueryLod) o.ref = n++;
    const bool has_levels = t.dim != TexDim::Buffer && t.dim != TexDim::D2MS;
    switch (t.op) {
        case TexOp::SampleBias:
        case TexOp::SampleLod:
        case TexOp::FetchMS:
            o.lod = n++;
            break;
        case TexOp::Fetch:
        case TexOp::Size:
            if (has_levels) o.lod = n++;
            break;
        case TexOp::SampleGrad:
            o.gradient_count = t.coord_count - (t.arrayed ? 1 : 0);
            o.ddx = n;
            o.ddy = n + o.gradient_count;
            n += 2 * o.gradient_count;
            break;
        case TexOp::Sample:
        case TexOp::Gather:
        case TexOp::Levels:
        case TexOp::QueryLod:
            break;
    }
    if (t.offset_operands) {
        o.offset = n;
        n += 2;
    }
    if (t.indexed) o.index = n++;
    o.count = n;
    return o;
}

unsigned tex_result_count(const TexInfo& t) {
    switch (t.op) {
        case TexOp::Size:
            return t.coord_count;
        case TexOp::Levels:
            return 1;
        case TexOp::QueryLod:
            return 2;
        case TexOp::Gather:
        case TexOp::Fetch:
        case TexOp::FetchMS:
            return 4;
        case TexOp::Sample:
        case TexOp::SampleBias:
        case TexOp::SampleLod:
        case TexOp::SampleGrad:
            return t.shadow ? 1 : 4;
    }
    return 4;
}

Shader::Shader(Stage stage_, std::pmr::memory_resource* upstream) : stage(stage_), arena_(upstream) {
    body = create_region(nullptr);
}

Shader::~Shader() {
    for (Var* v : vars_)
        v->~Var();
}

Var* Shader::add_var(std::string name, Type type, uint32_t count, Storage storage) {
    if (vars_.size() == vars_.capacity()) vars_.reserve(vars_.size() * 2 + 8);
    Var* v = make<Var>(&arena_);
    v->name = std::move(name);
    v->type = type;
    v->count = count;
    v->storage = storage;
    v->id = uint32_t(vars_.size());
    vars_.push_back(v);
    return v;
}

void Shader::remove_vars(bool (*keep)(const Var&)) {
    std::erase_if(vars_, [keep](Var* v) {
        if (keep(*v)) return false;
        v->~Var();
        return true;
    });
    for (uint32_t i = 0; i < vars_.size(); i++)
        vars_[i]->id = i;
}

Instr* Shader::create(Op op, std::span<Value* const> operands, std::span<const Type> result_types,
                      unsigned regions) {
    assert(operands.size() <= UINT16_MAX && result_types.size() <= UINT16_MAX);
    Instr* i = make<Instr>(&arena_);
    i->op = op;
    if (!operands.empty()) {
        i->operands = make<Use>(&arena_, capacity(operands.size()));
        i->operand_count = uint16_t(operands.size());
        for (size_t n = 0; n < operands.size(); n++) {
            assert(operands[n] && "operands must be non-null");
            link(&i->operands[n], i, operands[n]);
        }
    }
    if (!result_types.empty()) {
        i->results = make<Value*>(&arena_, capacity(result_types.size()));
        Value* values = make<Value>(&arena_, result_types.size());
        for (size_t n = 0; n < result_types.size(); n++) {
            values[n].type = result_types[n];
            values[n].index = uint16_t(n);
            values[n].id = value_count_++;
            values[n].def = i;
            i->results[n] = &values[n];
        }
        i->result_count = uint16_t(result_types.size());
    }
    if (regions) {
        i->regions = make<Region*>(&arena_, regions);
        i->region_count = uint16_t(regions);
        for (unsigned n = 0; n < regions; n++)
            i->regions[n] = create_region(i);
    }
    switch (op) {
        case Op::LoadVar:
        case Op::StoreVar:
        case Op::LoadVarAt:
        case Op::LoadInput:
        case Op::LoadInputAt:
        case Op::StoreOutput:
        case Op::LoadUniform:
        case Op::LoadSysval:
            i->u.io = IoInfo{};
            break;
        default:
            break;  // the other payloads are constants' bits or pointers: zero
    }
    return i;
}

Region* Shader::create_region(Instr* owner, std::span<const Type> args) {
    Region* r = make<Region>(&arena_);
    r->owner = owner;
    for (Type t : args)
        add_region_arg(r, t);
    return r;
}

Value* Shader::add_region_arg(Region* r, Type t) {
    r->args = grow(&arena_, r->args, r->arg_count);
    Value* v = make<Value>(&arena_);
    v->type = t;
    v->index = r->arg_count;
    v->id = value_count_++;
    v->region = r;
    r->args[r->arg_count++] = v;
    return v;
}

TexInfo* Shader::create_tex(const TexInfo& init) {
    TexInfo* t = make<TexInfo>(&arena_);
    *t = init;
    return t;
}

MemInfo* Shader::create_mem(const MemInfo& init) {
    MemInfo* m = make<MemInfo>(&arena_);
    *m = init;
    return m;
}

Value* Shader::add_loop_arg(Instr* loop, Value* init) {
    assert(loop->op == Op::Loop && "only a loop has arguments");
    Value* v = add_region_arg(loop->regions[0], init->type);
    add_operand(loop, init);
    return v;
}

Value* Shader::add_result(Instr* instr, Type type) {
    instr->results = grow(&arena_, instr->results, instr->result_count);
    Value* v = make<Value>(&arena_);
    v->type = type;
    v->index = instr->result_count;
    v->id = value_count_++;
    v->def = instr;
    instr->results[instr->result_count++] = v;
    return v;
}

void Shader::add_operand(Instr* instr, Value* v) {
    const uint16_t count = instr->operand_count;
    assert(count < UINT16_MAX && "an instruction has at most 65535 operands");
    if (capacity(count) == count || !instr->operands) {
        Use* bigger = make<Use>(&arena_, capacity(size_t(count) + 1));
        for (unsigned i = 0; i < count; i++)
            relocate(&bigger[i], &instr->operands[i]);
        instr->operands = bigger;
    }
    link(&instr->operands[count], instr, v);
    instr->operand_count++;
}

void Shader::remove_operand(Instr* instr, unsigned i) {
    assert(i < instr->operand_count && "no such operand");
    unlink(&instr->operands[i]);
    for (unsigned n = i; n + 1 < instr->operand_count; n++)
        relocate(&instr->operands[n], &instr->operands[n + 1]);
    instr->operand_count--;
}

void Shader::remove_result(Instr* instr, unsigned i) {
    assert(i < instr->result_count && !instr->results[i]->uses && "a result with uses cannot be removed");
    for (unsigned n = i; n + 1 < instr->result_count; n++) {
        instr->results[n] = instr->results[n + 1];
        instr->results[n]->index = uint16_t(n);
    }
    instr->result_count--;
}

void Shader::remove_region_arg(Region* r, unsigned i) {
    assert(i < r->arg_count && !r->args[i]->uses && "a loop argument with uses cannot be removed");
    for (unsigned n = i; n + 1 < r->arg_count; n++) {
        r->args[n] = r->args[n + 1];
        r->args[n]->index = uint16_t(n);
    }
    r->arg_count--;
}

bool Shader::keep_operands(Instr* instr, const std::vector<bool>& keep) {
    unsigned kept = 0;
    for (unsigned n = 0; n < instr->operand_count; n++) {
        if (n >= keep.size() || keep[n]) {
            if (kept != n) relocate(&instr->operands[kept], &instr->operands[n]);
            kept++;
        } else {
            unlink(&instr->operands[n]);
        }
    }
    const bool changed = kept != instr->operand_count;
    instr->operand_count = uint16_t(kept);
    return changed;
}

namespace {
/// Removes the values of a list that have false in `keep`.
bool keep_values(Value** values, uint16_t& count, const std::vector<bool>& keep) {
    unsigned kept = 0;
    for (unsigned n = 0; n < count; n++) {
        if (n < keep.size() && !keep[n]) {
            assert(!values[n]->uses && "what has uses cannot be removed");
            continue;
        }
        values[kept] = values[n];
        values[kept]->index = uint16_t(kept);
        kept++;
    }
    const bool changed = kept != count;
    count = uint16_t(kept);
    return changed;
}
}  // namespace

bool Shader::keep_results(Instr* instr, const std::vector<bool>& keep) {
    return keep_values(instr->results, instr->result_count, keep);
}

bool Shader::keep_region_args(Region* r, const std::vector<bool>& keep) {
    return keep_values(r->args, r->arg_count, keep);
}

void Shader::remove_loop_arg(Instr* loop, unsigned i) {
    remove_region_arg(loop->regions[0], i);
    remove_operand(loop, i);
}

namespace {
void renumber_region(Region* r, uint32_t& next) {
    for (unsigned i = 0; i < r->arg_count; i++)
        r->args[i]->id = next++;
    for (Instr* i = r->first; i; i = i->next) {
        for (unsigned n = 0; n < i->result_count; n++)
            i->results[n]->id = next++;
        for (unsigned n = 0; n < i->region_count; n++)
            renumber_region(i->regions[n], next);
    }
}
}  // namespace

void Shader::renumber() {
    uint32_t next = 0;
    renumber_region(body, next);
    value_count_ = next;
}

void append(Region* r, Instr* i) {
    assert(!i->parent && "an instruction is in at most one region");
    i->parent = r;
    i->prev = r->last;
    i->next = nullptr;
    (r->last ? r->last->next : r->first) = i;
    r->last = i;
}

void insert_before(Instr* pos, Instr* i) {
    assert(!i->parent && "an instruction is in at most one region");
    i->parent = pos->parent;
    i->next = pos;
    i->prev = pos->prev;
    (pos->prev ? pos->prev->next : pos->parent->first) = i;
    pos->prev = i;
}

void insert_after(Instr* pos, Instr* i) {
    if (pos->next) return insert_before(pos->next, i);
    append(pos->parent, i);
}

void detach(Instr* i) {
    Region* r = i->parent;
    if (!r) return;
    (i->prev ? i->prev->next : r->first) = i->next;
    (i->next ? i->next->prev : r->last) = i->prev;
    i->prev = i->next = nullptr;
    i->parent = nullptr;
}

void erase(Instr* i) {
    for (unsigned n = 0; n < i->region_count; n++)
        erase_contents(i->regions[n]);
    for (unsigned n = 0; n < i->result_count; n++)
        assert(!i->results[n]->uses && "an erased result still has uses");
    for (unsigned n = 0; n < i->operand_count; n++)
        unlink(&i->operands[n]);
    i->operand_count = 0;
    detach(i);
}

void splice(Region* to, Region* from) {
    if (!from->first) return;
    for (Instr* i = from->first; i; i = i->next)
        i->parent = to;
    from->first->prev = to->last;
    (to->last ? to->last->next : to->first) = from->first;
    to->last = from->last;
    from->first = from->last = nullptr;
}

void set_operand(Instr* i, unsigned n, Value* v) {
    assert(n < i->operand_count && v && "no such operand");
    unlink(&i->operands[n]);
    link(&i->operands[n], i, v);
}

void replace_uses(Value* from, Value* to) {
    if (from == to) return;
    while (Use* u = from->uses) {
        Instr* user = u->user;
        unlink(u);
        link(u, user, to);
    }
}

Instr* enclosing_loop(const Instr* i) {
    for (Region* r = i->parent; r && r->owner; r = r->owner->parent)
        if (r->owner->op == Op::Loop) return r->owner;
    return nullptr;
}

}  // namespace terrazzo::ir
