// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Virtual registers are reused once their value is dead: the time of asmjit's register allocator is about the
// number of instructions times the number of registers. With few registers, it grows with the instructions
// alone. A shader that needs more than kMaxRegisters is refused. A value of a region dies after the last
// instruction of that region that uses it, directly or in a nested region. So a value that the next iteration
// of a loop needs does not die inside the loop.
#include "drivers/soft/asmjit/codegen.h"

namespace terrazzo::soft::tier1 {

using ir::Op;

namespace {

/// The instruction of `r` that contains `i`; null if `i` is elsewhere.
const ir::Instr* within(const ir::Region* r, const ir::Instr* i) {
    while (i && i->parent != r)
        i = i->parent->owner;
    return i;
}

}  // namespace

/// At the top, any register may be in use, so a new one is created.
Codegen::Ymm Codegen::fresh() {
    if (at_top_) return cc_.newYmm();
    if (free_.empty())
        temporaries_.push_back(cc_.newYmm());
    else {
        temporaries_.push_back(free_.back());
        free_.pop_back();
    }
    return temporaries_.back();
}

/// A register for an address or a word of the current instruction.
Codegen::Gp Codegen::fresh_gp() {
    if (at_top_) return cc_.newGpq();
    if (free_gps_.empty())
        gp_temporaries_.push_back(cc_.newGpq());
    else {
        gp_temporaries_.push_back(free_gps_.back());
        free_gps_.pop_back();
    }
    return gp_temporaries_.back();
}

void Codegen::keep(const V& v) {
    if (v.kind != V::Kind::Reg) return;
    const uint32_t index = asmjit::Operand::virtIdToIndex(v.reg.id());
    if (index >= references_.size()) references_.resize(index + 64);
    ++references_[index];
}

void Codegen::release(const V& v) {
    if (v.kind != V::Kind::Reg) return;
    if (--references_[asmjit::Operand::virtIdToIndex(v.reg.id())] == 0) free_.push_back(v.reg);
}

/// Leaves the register to the temporaries, which include it.
void Codegen::unkeep(const V& v) {
    if (v.kind == V::Kind::Reg) --references_[asmjit::Operand::virtIdToIndex(v.reg.id())];
}

void Codegen::set(const ir::Instr& i, const V& v, unsigned result) {
    values_[i.result(result)->id] = v;
    keep(v);
}

void Codegen::find_last_uses(const ir::Region& r) {
    std::unordered_map<const ir::Instr*, uint32_t> position;
    uint32_t count = 0;
    for (const ir::Instr* i = r.first; i; i = i->next)
        position[i] = count++;
    for (const ir::Instr* i = r.first; i; i = i->next) {
        for (unsigned n = 0; n < i->result_count; ++n) {
            const ir::Instr* last = i;
            for (const ir::Use* u = i->result(n)->uses; u; u = u->next) {
                const ir::Instr* user = within(&r, u->user);
                if (user && position[user] > position[last]) last = user;
            }
            last_used_by_[last].push_back(i->result(n)->id);
        }
        for (unsigned n = 0; n < i->region_count; ++n)
            find_last_uses(*i->regions[n]);
    }
}

/// Frees the registers of values that are dead after `i`, and its temporaries.
void Codegen::release_after(const ir::Instr& i) {
    const auto dead = last_used_by_.find(&i);
    for (const Ymm& t : temporaries_) {
        const uint32_t index = asmjit::Operand::virtIdToIndex(t.id());
        if (index >= references_.size() || references_[index] == 0) free_.push_back(t);
    }
    temporaries_.clear();
    free_gps_.insert(free_gps_.end(), gp_temporaries_.begin(), gp_temporaries_.end());
    gp_temporaries_.clear();
    if (dead != last_used_by_.end())
        for (const uint32_t id : dead->second)
            release(values_[id]);
}

}  // namespace terrazzo::soft::tier1
