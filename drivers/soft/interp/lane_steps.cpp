// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A loop argument keeps its initial step if every iteration passes on a value of that step. A loop's only
// continue, its last instruction, does so for all lanes. The analysis first assumes it for all arguments.
// Then it revokes wrong assumptions and everything that follows from them. Each value is revoked at most
// once.
#include "drivers/soft/interp/lane_steps.h"

#include <algorithm>

#include "drivers/soft/interp/regions.h"
#include "shaders/ir/memory.h"

namespace terrazzo::soft {

using ir::Op;
using ir::Sysval;

namespace {

/// Instructions whose results have no known step or bound.
bool is_source(const ir::Instr& i) {
    switch (i.op) {
        case Op::LoadBuffer:
            // Inactive lanes receive the same value as the others, if generated code loads it itself.
            return i.u.mem->space != ir::Storage::UniformBlock || i.u.mem->indexed;
        case Op::LoadInput:
        case Op::LoadInputAt:
        case Op::LoadVar:
        case Op::Tex:
        case Op::If:
        case Op::Loop:
            return true;
        default:
            return i.info().side_effect() || ir::is_memory(i.op);
    }
}

uint32_t bits_of(const ir::Value* v) {
    return uint32_t(v->def->u.bits);
}

}  // namespace

LaneSteps::LaneSteps(const ir::Shader& s, unsigned lanes)
    : shader_(s), lanes_(lanes), facts_(s.value_count()) {
    region(*s.body);
    check_loops();
    spread();
}

void LaneSteps::region(const ir::Region& r) {
    for (const ir::Instr* i = r.first; i; i = i->next) {
        if (i->op == Op::Loop && hands_over_all(*i->regions[0])) {
            const ir::Region& body = *i->regions[0];
            for (unsigned n = 0; n < body.arg_count; ++n) {
                of(body.args[n]) = of(*i, n);
                of(body.args[n]).most = ~0u;
            }
            loops_.push_back(i);
        }
        for (unsigned n = 0; n < i->region_count; ++n)
            region(*i->regions[n]);
        if (is_source(*i)) continue;
        for (unsigned n = 0; n < i->result_count; ++n)
            of(i->result(n)) = fact(*i);
    }
}

LaneSteps::Fact LaneSteps::sysval(const ir::IoInfo& io) const {
    const uint32_t* const size = shader_.info.workgroup_size;
    if (shader_.stage != ir::Stage::Compute) return {};
    switch (Sysval(io.slot)) {
        case Sysval::WorkGroupId:
        case Sysval::NumWorkGroups:
            return {true, 0, ~0u};
        case Sysval::LocalInvocationIndex:
            return {true, 1, size[0] * size[1] * size[2] - 1};
        case Sysval::LocalInvocationId: {
            const uint32_t most = size[io.component] - 1;
            // Then a row of lanes is within one row of the workgroup, or the workgroup is one row.
            const bool within = size[0] % lanes_ == 0 || size[1] * size[2] == 1;
            return {within, io.component == 0 ? 1u : 0u, most};
        }
        default:
            return {};
    }
}

/// The step of a 32-bit integer operation whose operands' steps are known.
LaneSteps::Fact LaneSteps::integer(const ir::Instr& i) const {
    const Fact a = of(i, 0), b = i.operand_count > 1 ? of(i, 1) : Fact{};
    const ir::Value* const second = i.operand_count > 1 ? i.operand(1) : nullptr;
    const bool constant = second && ir::is_const(second);
    switch (i.op) {
        case Op::Mov:
            return {true, a.step};
        case Op::IAdd:
            return {true, a.step + b.step};
        case Op::ISub:
            return {true, a.step - b.step};
        case Op::INeg:
            return {true, 0 - a.step};
        case Op::IMul:
            if (constant) return {true, a.step * bits_of(second)};
            if (ir::is_const(i.operand(0))) return {true, b.step * bits_of(i.operand(0))};
            return {};
        case Op::IShl:
            return constant ? Fact{true, a.step << (bits_of(second) & 31)} : Fact{};
        case Op::UMin:  // the minimum has no effect
            return constant && a.most <= bits_of(second) ? Fact{true, a.step} : Fact{};
        default:
            return {};
    }
}

uint32_t LaneSteps::largest(const ir::Instr& i) const {
    const auto cut = [](uint64_t n) { return uint32_t(std::min<uint64_t>(n, ~0u)); };
    const auto most = [&](unsigned n) { return uint64_t(of(i, n).most); };
    const auto constant = [&](unsigned n) { return ir::is_const(i.operand(n)); };
    switch (i.op) {
        case Op::Mov:
            return cut(most(0));
        case Op::IAdd:
            return cut(most(0) + most(1));
        case Op::IMul:
            return cut(most(0) * most(1));
        case Op::UMin:
        case Op::IAnd:
            return cut(std::min(most(0), most(1)));
        case Op::IShl:
            return constant(1) ? cut(most(0) << (bits_of(i.operand(1)) & 31)) : ~0u;
        case Op::UShr:
            return constant(1) ? cut(most(0) >> (bits_of(i.operand(1)) & 31)) : cut(most(0));
        case Op::UMod:
            return constant(1) && bits_of(i.operand(1)) ? bits_of(i.operand(1)) - 1 : ~0u;
        default:
            return ~0u;
    }
}

LaneSteps::Fact LaneSteps::fact(const ir::Instr& i) const {
    const bool word = i.result_count == 1 && i.result()->type == ir::Type::I32;
    if (i.op == Op::Const) return {true, 0, word ? uint32_t(i.u.bits) : ~0u};
    if (i.op == Op::LoadSysval) return sysval(i.u.io);
    bool known = true, alike = true;
    for (unsigned n = 0; n < i.operand_count; ++n) {
        known = known && of(i, n).known;
        alike = alike && of(i, n).known && !of(i, n).step;
    }
    const bool pure = i.info().pure() && i.operand_count;
    Fact f;
    if (alike)
        f.known = true;
    else if (known && word && pure)
        f = integer(i);
    if (word && pure) f.most = largest(i);
    return f;
}

void LaneSteps::forget(const ir::Value* v) {
    if (!of(v).known) return;
    of(v).known = false;
    spreads_.push_back(v);
}

void LaneSteps::check_loops() {
    for (const ir::Instr* const loop : loops_) {
        const ir::Region& body = *loop->regions[0];
        for (unsigned n = 0; n < body.arg_count; ++n) {
            const Fact &first = of(body.args[n]), &next = of(*body.last, n);
            if (!next.known || next.step != first.step) forget(body.args[n]);
        }
    }
}

void LaneSteps::spread() {
    while (!spreads_.empty()) {
        const ir::Value* const v = spreads_.back();
        spreads_.pop_back();
        for (const ir::Use* u = v->uses; u; u = u->next) {
            const ir::Instr* const user = u->user;
            const auto n = size_t(u - user->operands);
            const ir::Instr* const loop = user->op == Op::Loop       ? user
                                          : user->op == Op::Continue ? ir::enclosing_loop(user)
                                                                     : nullptr;
            if (loop && n < loop->regions[0]->arg_count) forget(loop->regions[0]->args[n]);
            for (unsigned k = 0; k < user->result_count; ++k)
                forget(user->result(k));
        }
    }
}

}  // namespace terrazzo::soft
