// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The preamble: what is the same for a whole draw (of uniforms, parameters, uniform blocks) is computed once, by one
// invocation of the first wave, and left in constants. Facts: Mesa 25.0.7, ir3_nir_opt_preamble.c, ir3.c
// (ir3_create_empty_preamble), ir3_legalize.c: shps jumps where the preamble ran, getone lets one invocation through,
// shpe waits for all that was stored.
#include <algorithm>

#include "drivers/adreno/compiler/selector.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Op;

namespace {

/// Dwords that a preamble leaves at most: stc reaches so far from one a1.x.
/// Without a1.x, from the beginning of all constants.
constexpr uint32_t kMaxNumber_dw = 256;
/// What it must spare each invocation; a wave executes shps in any case.
constexpr unsigned kLeastGain = 2;

bool is_param(ir::Sysval s) {
    switch (s) {
        case ir::Sysval::BaseVertex:
        case ir::Sysval::BaseInstance:
        case ir::Sysval::DrawId:
        case ir::Sysval::PatchVertices:
        case ir::Sysval::NumSamples:
        case ir::Sysval::SamplePositions:
        case ir::Sysval::NumWorkGroups:
            return true;
        default:
            return false;
    }
}

/// Takes no instruction where it is used: a modifier, a constant's place.
bool is_free(const ir::Instr& i) {
    switch (i.op) {
        case ir::Op::Mov:
        case ir::Op::FNeg:
        case ir::Op::FAbs:
        case ir::Op::B2I:
        case ir::Op::LoadSysval:
            return true;
        case ir::Op::Bitcast:
            return true;
        case ir::Op::F2F:
            return is_half(i.result()->type);
        case ir::Op::LoadUniform:
            return !i.operand_count;
        default:
            return false;
    }
}

/// In instructions.
unsigned gain(const ir::Instr& i) {
    switch (i.op) {
        case ir::Op::FRcp:
        case ir::Op::FRsq:
        case ir::Op::FSqrt:
        case ir::Op::FExp2:
        case ir::Op::FLog2:
        case ir::Op::FDiv:
        case ir::Op::FSin:
        case ir::Op::FCos:
        case ir::Op::LoadBuffer:
        case ir::Op::LoadUniform:
        case ir::Op::LoadVar:
            return 4;
        default:
            return 1;
    }
}

}  // namespace

Selector::Home Selector::home_of(const ir::Instr& i) const {
    if (!i.result_count || i.region_count || i.op == ir::Op::Const || i.op == ir::Op::Undef)
        return Home::Main;
    bool allowed = i.info().pure();
    if (i.op == ir::Op::LoadUniform) allowed = true;
    if (i.op == ir::Op::LoadSysval) allowed = is_param(ir::Sysval(i.u.io.slot));
    if (i.op == ir::Op::LoadVar) allowed = is_table(*i.var);
    if (i.op == ir::Op::LoadBuffer)
        allowed = i.u.mem->space == ir::Storage::UniformBlock && !is_stage_buffer(*i.u.mem);
    if (!allowed) return Home::Main;
    for (unsigned k = 0; k < i.operand_count; k++)
        if (!is_uniform(i.operand(k))) return Home::Main;
    // Halves come out of constants as floats.
    for (unsigned k = 0; k < i.result_count; k++) {
        const ir::Type t = i.result(k)->type;
        if (ir::bit_size(t) > 32 || t == ir::Type::I16) return Home::Main;
    }
    return is_free(i) ? Home::Both : Home::Preamble;
}

bool Selector::is_elsewhere(const ir::Instr& i) const {
    if (homes_.empty() || !i.result_count || homes_[i.result()->id] == Home::Main) return false;
    for (unsigned k = 0; k < i.result_count; k++)
        if (homes_[i.result(k)->id] == Home::Both && main_needs_[i.result(k)->id]) return false;
    return true;
}

/// `blocks`: uniform blocks are read in the preamble.
void Selector::find_homes(bool blocks) {
    homes_.assign(s_.value_count(), Home::Main);
    ir::for_each(const_cast<ir::Region*>(s_.body), [&](ir::Instr* i) {
        if (i->op == ir::Op::LoadBuffer && !blocks) return;
        const Home home = home_of(*i);
        for (unsigned k = 0; k < i->result_count; k++)
            homes_[i->result(k)->id] = home;
    });
}

/// From the last use to the first: what the rest of the shader needs of what the preamble computes.
void Selector::find_crossing() {
    std::pmr::vector<const ir::Instr*> all(f_.memory);
    ir::for_each(const_cast<ir::Region*>(s_.body), [&](ir::Instr* i) { all.push_back(i); });
    main_needs_.assign(s_.value_count(), 0);
    const auto need = [&](const ir::Instr& i) {
        for (unsigned k = 0; k < i.operand_count; k++)
            main_needs_[i.operand(k)->id] = 1;
    };
    // What leaves an arm or a loop's turn stands inside: all of these first.
    for (const ir::Instr* i : all)
        if (!i->result_count || homes_[i->result()->id] == Home::Main) need(*i);
    crossing_.clear();
    for (size_t n = all.size(); n-- > 0;) {
        const ir::Instr& i = *all[n];
        for (unsigned k = 0; k < i.result_count; k++) {
            const ir::Value* v = i.result(k);
            if (!main_needs_[v->id]) continue;
            if (homes_[v->id] == Home::Both) need(i);
            if (homes_[v->id] == Home::Preamble) crossing_.push_back(v);
        }
    }
    std::reverse(crossing_.begin(), crossing_.end());
}

void Selector::plan_preamble() {
    if (!options_.preamble) return;
    find_homes(true);
    find_crossing();
    if (crossing_.size() > max_preamble_dw()) {
        find_homes(false);
        find_crossing();
    }
    unsigned gained = 0;
    ir::for_each(const_cast<ir::Region*>(s_.body), [&](ir::Instr* i) {
        if (i->result_count && homes_[i->result()->id] == Home::Preamble) gained += gain(*i);
    });
    if (crossing_.empty() || gained < kLeastGain || crossing_.size() > max_preamble_dw()) {
        homes_.clear();
        return;
    }
    emit_preamble();
}

/// By four: collected in registers, then stored.
void Selector::leave_in_constants() {
    const bool relative = uniforms_end_dw() + 3 + kMaxParams_dw + crossing_.size() > kMaxNumber_dw;
    const uint32_t a1 = relative ? f_.fixed_word(kUnitA1, kSpecialClass) : kNoWord;
    if (relative) {
        isa::Instr mova = isa::make(Op::kMov);
        mova.set_source_type(isa::Type::kU16);
        mova.set_dest_type(isa::Type::kU16);
        alu_to(a1, mova, {{.kind = Ref::Kind::PreambleAt}});
    }
    for (size_t at = 0; at < crossing_.size(); at += 4) {
        const size_t count = std::min<size_t>(crossing_.size() - at, 4);
        Ref refs[4];
        for (size_t k = 0; k < count; k++) {
            refs[k] = use(crossing_[at + k]);
            if (is_half(crossing_[at + k]->type))
                refs[k] = convert(isa::Type::kF16, isa::Type::kF32, in_register(refs[k]));
            else if (refs[k].half)  // a condition that chooses halves
                refs[k] = convert(isa::Type::kU16, isa::Type::kU32, in_register(refs[k]));
        }
        Inst store;
        store.proto = isa::make(Op::kStc);
        store.proto.set_type(isa::Type::kU32);
        store.proto.set_size(count);
        store.proto.set_constant_relative(relative);
        store.src[0] = Ref::run(collect({refs, count}), unsigned(count));
        store.src[1] = {.kind = Ref::Kind::PreambleAt, .index = uint32_t(at)};
        if (relative) store.src[2] = Ref::word(a1);
        push(store);
    }
    f_.preamble_dw = uint32_t(crossing_.size());
}

void Selector::emit_preamble() {
    const auto flow = [&](Op op) {
        Inst i;
        i.proto = isa::make(op);
        push(i);
        return Branch{block_, f_.blocks[block_].insts.size() - 1};
    };
    const Branch ran = flow(Op::kShps);
    begin_block();
    const Branch others = flow(Op::kGetone);
    begin_block();
    in_preamble_ = true;
    ir::for_each(const_cast<ir::Region*>(s_.body), [&](ir::Instr* i) {
        if (i->result_count && homes_[i->result()->id] != Home::Main && f_.error.empty()) visit(*i);
    });
    leave_in_constants();
    in_preamble_ = false;
    flow(Op::kShpe);
    f_.main_block = uint32_t(begin_block());
    aim(ran, int32_t(f_.main_block));
    aim(others, int32_t(f_.main_block));
    constexpr uint8_t kNested = 2;
    info_.branch_stack = std::max(info_.branch_stack, kNested);
    // What stays in both places is made again.
    std::fill(values_.begin(), values_.end(), Ref{});
    std::fill(deferred_.begin(), deferred_.end(), uint8_t(0));
    for (uint32_t k = 0; k < crossing_.size(); k++)
        set(crossing_[k], {.kind = Ref::Kind::Preamble, .half = is_half(crossing_[k]->type), .index = k});
}

}  // namespace terrazzo::adreno::compiler
