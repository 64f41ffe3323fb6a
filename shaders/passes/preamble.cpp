// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/preamble.h"

#include <algorithm>

#include "shaders/ir/builder.h"
#include "shaders/ir/clone.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// The visitor changes nothing.
template <typename F>
void visit(const Shader& s, const F& f) {
    for_each(const_cast<Region*>(s.body), [&](Instr* i) { f(*i); });
}

bool is_constant(const Value* v) {
    return v->def && (v->def->op == Op::Const || v->def->op == Op::Undef);
}

}  // namespace

bool PreambleModel::can_compute(const Instr& i) const {
    for (unsigned n = 0; n < i.result_count; n++)
        if (bit_size(i.result(n)->type) > 32) return false;
    switch (i.op) {
        case Op::LoadUniform:
        case Op::LoadSysval:
            return true;
        case Op::LoadBuffer:
        case Op::BufferSize:
            return i.u.mem->space == Storage::UniformBlock;
        default:
            return i.info().pure();
    }
}

unsigned PreambleModel::gain(const Instr& i) const {
    switch (i.op) {
        case Op::Mov:
        case Op::Bitcast:
        case Op::LoadSysval:
            return 0;
        case Op::LoadUniform:
            return i.operand_count ? 4 : 0;
        case Op::LoadBuffer:
        case Op::FRcp:
        case Op::FRsq:
        case Op::FSqrt:
        case Op::FExp2:
        case Op::FLog2:
        case Op::FDiv:
        case Op::FSin:
        case Op::FCos:
        case Op::FPow:
            return 4;
        default:
            return 1;
    }
}

unsigned PreamblePlan::find_homes(const Shader& s, const PreambleModel& model, const Uniformity& uniformity,
                                  bool blocks) {
    homes_.assign(s.value_count(), Home::Main);
    unsigned gained = 0;
    visit(s, [&](const Instr& i) {
        if (!i.result_count || i.region_count || i.op == Op::Const || i.op == Op::Undef) return;
        if (uniformity.scope(i.result()) != Scope::Draw || (i.op == Op::LoadBuffer && !blocks)) return;
        for (unsigned k = 0; k < i.operand_count; k++)
            if (!is_constant(i.operand(k)) && homes_[i.operand(k)->id] == Home::Main) return;
        if (!model.can_compute(i)) return;
        const unsigned gain = model.gain(i);
        const Home home = gain ? Home::Preamble : Home::Both;
        gained += gain;
        for (unsigned k = 0; k < i.result_count; k++)
            homes_[i.result(k)->id] = home;
    });
    return gained;
}

/// From the last use to the first: what the main part needs.
void PreamblePlan::find_results(const Shader& s) {
    std::vector<const Instr*> all;
    main_needs_.assign(s.value_count(), 0);
    const auto need = [&](const Instr& i) {
        for (unsigned k = 0; k < i.operand_count; k++)
            main_needs_[i.operand(k)->id] = 1;
    };
    // An If's or Loop's values come from inside it, so uses by the main part are noted before the walk
    // backwards.
    visit(s, [&](const Instr& i) {
        if (home(i) == Home::Main)
            need(i);
        else
            all.push_back(&i);
    });
    results_.clear();
    for (size_t n = all.size(); n-- > 0;) {
        const Instr& i = *all[n];
        for (unsigned k = i.result_count; k-- > 0;) {
            const Value* v = i.result(k);
            if (!main_needs_[v->id]) continue;
            if (homes_[v->id] == Home::Both) need(i);
            if (homes_[v->id] == Home::Preamble) results_.push_back(v);
        }
    }
    std::reverse(results_.begin(), results_.end());
}

PreamblePlan::PreamblePlan(const Shader& s, const PreambleModel& model) {
    const Uniformity uniformity(s, model);
    for (const bool blocks : {true, false}) {
        if (find_homes(s, model, uniformity, blocks) < std::max(model.min_gain, 1u)) break;
        find_results(s);
        if (results_.size() <= model.max_dw) break;
        results_.clear();
    }
    if (results_.empty()) homes_.clear();
}

bool PreamblePlan::only_in_preamble(const Instr& i) const {
    if (home(i) == Home::Main) return false;
    for (unsigned k = 0; k < i.result_count; k++)
        if (homes_[i.result(k)->id] == Home::Both && main_needs_[i.result(k)->id]) return false;
    return true;
}

namespace {

/// Copies what the plan's results need into the preamble, and stores the results there.
class Splitter {
  public:
    Splitter(Shader& s, const PreamblePlan& plan, uint32_t first_dw)
        : s_(s),
          plan_(plan),
          first_dw_(first_dw),
          to_(std::make_unique<Shader>(Stage::Compute)),
          needed_(s.value_count(), 0) {}

    SplitPreamble run() {
        find_needed();
        visit(s_, [&](const Instr& i) {
            if (is_needed(i)) append(to_->body, copy(i));
        });
        const auto count = uint32_t(plan_.results().size());
        for (uint32_t n = 0; n < count; n++)
            store(plan_.results()[n], n);
        for (uint32_t n = 0; n < count; n++)
            load(const_cast<Value*>(plan_.results()[n]), n);
        to_->info.uniform_dw = s_.info.uniform_dw;
        s_.info.uniform_dw = std::max(s_.info.uniform_dw, first_dw_ + count);
        (void)dce(s_);
        to_->renumber();
        return {std::move(to_), count};
    }

  private:
    void find_needed() {
        std::vector<const Instr*> all;
        visit(s_, [&](const Instr& i) { all.push_back(&i); });
        for (const Value* v : plan_.results())
            needed_[v->id] = 1;
        for (size_t n = all.size(); n-- > 0;)
            if (is_needed(*all[n]))
                for (unsigned k = 0; k < all[n]->operand_count; k++)
                    needed_[all[n]->operand(k)->id] = 1;
    }
    [[nodiscard]] bool is_needed(const Instr& i) const {
        if (!i.result_count || i.region_count) return false;
        for (unsigned k = 0; k < i.result_count; k++)
            if (needed_[i.result(k)->id]) return true;
        return false;
    }
    Instr* copy(const Instr& i) { return clone_instr(*to_, &i, map_); }

    void store(const Value* result, uint32_t n) {
        Builder b(*to_);
        Value* v = map_.get(const_cast<Value*>(result));
        if (v->type == Type::F16) v = b.convert(Op::F2F, Type::F32, v);
        if (v->type == Type::I16) v = b.convert(Op::U2U, Type::I32, v);
        if (v->type == Type::Bool) v = b.convert(Op::B2I, Type::I32, v);
        Value* const place[] = {b.i32(int32_t(4 * n)), v};
        Instr* const i = to_->create(Op::StoreBuffer, place, {});
        i->u.mem = to_->create_mem({.space = Storage::Buffer, .binding = 0});
        b.insert(i);
    }
    void load(Value* result, uint32_t n) {
        Builder b(s_, result->def);
        const Type t = result->type;
        const Type dword = t == Type::F16 ? Type::F32 : t == Type::I16 ? Type::I32 : t;
        Value* v = b.load_uniform(dword, first_dw_ + n);
        if (t == Type::F16) v = b.convert(Op::F2F, t, v);
        if (t == Type::I16) v = b.convert(Op::U2U, t, v);
        replace_uses(result, v);
    }

    Shader& s_;
    const PreamblePlan& plan_;
    const uint32_t first_dw_;
    std::unique_ptr<Shader> to_;
    std::vector<uint8_t> needed_;  // by Value::id, of the preamble
    CloneMap map_;
};

}  // namespace

SplitPreamble split_preamble(Shader& s, const PreambleModel& model, uint32_t first_dw) {
    const PreamblePlan plan(s, model);
    if (plan.empty()) return {};
    return Splitter(s, plan, first_dw).run();
}

}  // namespace terrazzo::ir
