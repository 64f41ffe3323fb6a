// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/interp/tex_groups.h"

#include <algorithm>

namespace terrazzo::soft {

using ir::Instr;
using ir::Op;
using ir::Value;

namespace {

constexpr unsigned kReach = 1024;  // how many instructions after the first are searched

/// Whether the instruction can be part of a group: two coordinates, implicit level of detail.
bool may_join(const Instr& i) {
    if (i.op != Op::Tex) return false;
    const ir::TexInfo& t = *i.u.tex;
    return t.op == ir::TexOp::Sample && t.dim == ir::TexDim::D2 && !t.arrayed && !t.shadow && !t.indexed &&
           std::all_of(t.offset, t.offset + 3, [](int8_t o) { return o == 0; });
}

/// Whether the instruction can be called for many blocks at once.
bool may_be_early(const Instr& i) {
    if (i.op != Op::Tex) return false;
    const ir::TexInfo& t = *i.u.tex;
    const bool flat = t.dim == ir::TexDim::D2 || (t.dim == ir::TexDim::D3 && !t.shadow);
    return t.op == ir::TexOp::Sample && flat && !t.indexed &&
           std::all_of(t.offset, t.offset + 3, [](int8_t o) { return o == 0; });
}

/// Later instructions must not be moved before it.
bool is_barrier(const Instr& i) {
    return i.info().side_effect() && i.op != Op::StoreOutput;
}

/// Whether it only depends on operands and on values that are constant while the shader runs.
bool may_move(const Instr& i) {
    if (i.op == Op::LoadBuffer) return i.u.mem->space == ir::Storage::UniformBlock && !i.u.mem->indexed;
    return i.info().pure() || i.op == Op::LoadInput || i.op == Op::LoadUniform || i.op == Op::LoadSysval;
}

bool any_result(const Instr& i, const auto& is) {
    for (unsigned n = 0; n < i.result_count; ++n)
        if (is(i.result(n))) return true;
    return false;
}

/// Gathers one group.
class Gatherer {
  public:
    Gatherer(Instr* first, std::vector<uint8_t>& state) : first_(first), state_(state) { look(); }
    void gather() {
        if (members_.size() < 2) return;
        for (const Instr* m : members_)
            for (unsigned axis = 0; axis < 2; ++axis)
                want(m->operand(axis));
        for (Instr* i : between_)
            if (any_result(*i, [&](const Value* v) { return state_[v->id] == kWanted; })) {
                ir::detach(i);
                ir::insert_before(first_, i);
            }
    }
    /// Prepares for the next group.
    void forget() {
        for (const Instr* i : between_)
            mark(*i, kBefore);
    }

  private:
    enum : uint8_t { kBefore, kMovable, kWanted, kLate };  // the state of a value relative to first_

    void mark(const Instr& i, uint8_t state) {
        for (unsigned n = 0; n < i.result_count; ++n)
            state_[i.result(n)->id] = state;
    }
    void look() {
        unsigned reach = kReach;
        for (Instr* i = first_; i && members_.size() < TexGroup::kMost && --reach; i = i->next) {
            if (is_barrier(*i)) break;
            bool late = !may_move(*i), depends = false;
            for (unsigned n = 0; n < i->operand_count; ++n)
                depends |= state_[i->operand(n)->id] == kLate;
            if (!depends && may_join(*i) && i->u.tex->binding == first_->u.tex->binding)
                members_.push_back(i);
            mark(*i, late || depends ? kLate : kMovable);
            between_.push_back(i);
        }
    }
    void want(const Value* v) {
        if (state_[v->id] != kMovable) return;
        state_[v->id] = kWanted;
        for (unsigned n = 0; n < v->def->operand_count; ++n)
            want(v->def->operand(n));
    }

    Instr* const first_;
    std::vector<uint8_t>& state_;  // by ir::Value::id
    std::vector<const Instr*> members_;
    std::vector<Instr*> between_;
};

void gather(ir::Region& r, std::vector<uint8_t>& state) {
    for (Instr* i = r.first; i; i = i->next) {
        for (unsigned n = 0; n < i->region_count; ++n)
            gather(*i->regions[n], state);
        if (!may_join(*i)) continue;
        Gatherer g(i, state);
        g.gather();
        g.forget();
    }
}

}  // namespace

void gather_tex_coordinates(ir::Shader& s) {
    std::vector<uint8_t> state(s.value_count());
    gather(*s.body, state);
}

TexGroupShape tex_group_of(const Instr& first, const std::function<bool(const Value*)>& known) {
    TexGroupShape shape;
    if (!may_join(first)) return shape;
    const auto row = [](std::vector<const Value*>* rows, const Value* v) {
        const auto found = std::find(rows->begin(), rows->end(), v);
        const auto index = uint8_t(found - rows->begin());
        if (found == rows->end()) rows->push_back(v);
        return index;
    };
    unsigned reach = kReach;
    for (const Instr* i = &first; i && shape.members.size() < TexGroup::kMost && --reach; i = i->next) {
        if (is_barrier(*i)) break;
        if (!may_join(*i) || i->u.tex->binding != first.u.tex->binding) continue;
        if (!known(i->operand(0)) || !known(i->operand(1))) continue;
        shape.at[shape.members.size()] = {row(&shape.s, i->operand(0)), row(&shape.t, i->operand(1))};
        shape.members.push_back(i);
        for (unsigned k = 0; k < i->result_count; ++k)
            shape.channels |= uint32_t(i->result(k)->has_uses()) << k;
    }
    return shape;
}

EarlyTextures early_textures(const ir::Shader& s) {
    constexpr size_t kMost = 4;
    EarlyTextures early;
    std::vector<const Instr*> computed;  // from inputs and uniforms only
    std::vector<bool> known(s.value_count()), needed(s.value_count());
    std::vector<const Instr*> grouped;
    const auto is_known = [&](const Value* v) { return bool(known[v->id]); };
    unsigned reach = kReach;
    for (const Instr* i = s.body->first; i && --reach && !is_barrier(*i); i = i->next) {
        bool all = true;
        for (unsigned n = 0; n < i->operand_count; ++n)
            all &= is_known(i->operand(n));
        if (may_be_early(*i) && all && std::find(grouped.begin(), grouped.end(), i) == grouped.end()) {
            const TexGroupShape shape = tex_group_of(*i, is_known);
            if (shape.members.size() > 1)
                grouped.insert(grouped.end(), shape.members.begin(), shape.members.end());
            else if (early.textures.size() < kMost)
                early.textures.push_back(i);
        }
        if (!all || !may_move(*i) || !i->result_count) continue;
        for (unsigned n = 0; n < i->result_count; ++n)
            known[i->result(n)->id] = true;
        computed.push_back(i);
    }
    for (const Instr* t : early.textures)
        for (unsigned n = 0; n < t->operand_count; ++n)
            needed[t->operand(n)->id] = true;
    for (auto i = computed.rbegin(); i != computed.rend(); ++i) {
        if (!any_result(**i, [&](const Value* v) { return bool(needed[v->id]); })) continue;
        early.needed.push_back(*i);
        for (unsigned n = 0; n < (*i)->operand_count; ++n)
            needed[(*i)->operand(n)->id] = true;
    }
    std::reverse(early.needed.begin(), early.needed.end());
    return early;
}

}  // namespace terrazzo::soft
