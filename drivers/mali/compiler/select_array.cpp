// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Accesses with dynamic indices: elements of uniform arrays, and of the thread's own arrays that were too
// large for the common passes. The IR accesses them by component. Adjacent components are combined into one
// message, and each address is computed once for each index.
#include <algorithm>

#include "drivers/mali/compiler/selector.h"

namespace terrazzo::mali::compiler {

using isa::Op;

namespace {

constexpr uint32_t kMaxOffset_B = 0x7ff0;
/// Words that one access loads or stores, at most.
constexpr unsigned kMaxWords = 4;

using ir::index_of;
using ir::place_of;

}  // namespace

ir::LoadRun Selector::wanted_with(const ir::Instr& i) const {
    const bool uniform = i.op == ir::Op::LoadUniform;
    const ir::Value* const index = index_of(i);
    // An access to the thread's own memory must not cross a multiple of 16 bytes.
    return ir::find_load_run(i, uniform ? 0 : ir::known_multiple(index, kMaxWords), [&](uint32_t place) {
        return uniform && !index && in_fau(place) != kNoUniform;
    });
}

const Selector::Indexed* Selector::find_indexed(const ir::Instr& i) const {
    for (const Indexed& l : indexed_) {
        const uint32_t at = place_of(i) - l.place;
        if (l.op != i.op || l.index != index_of(i) || l.var != i.var || at >= l.count) continue;
        for (const ir::Region* r = region_; r; r = i.var ? nullptr : r->owner ? r->owner->parent : nullptr)
            if (r == l.region) return &l;
    }
    return nullptr;
}

/// Four times the index; None: there is none.
Ref Selector::index_B(const ir::Value* index) {
    if (!index) return {};
    for (const Scaled& s : scaled_)
        if (s.index == index && s.region == region_) return Ref::word(s.word);
    const Ref bytes = shift(ir::Op::IShl, use(index), Ref::immediate(2));
    scaled_.push_back({index, region_, bytes.as_word(), kNoWord});
    return bytes;
}

uint32_t Selector::in_fau(uint32_t dword) const {
    const auto found =
        std::find(f_.fau.begin(), f_.fau.end(), UniformWord{UniformWord::Kind::Uniform, dword});
    return found == f_.fau.end() ? kNoUniform : uint32_t(found - f_.fau.begin());
}

Ref Selector::uniform_from_memory(const ir::Instr& i) {
    const Indexed* known = find_indexed(i);
    if (!known) {
        constexpr Op kLoads[] = {Op::kLdBufferI32, Op::kLdBufferI64, Op::kLdBufferI96, Op::kLdBufferI128};
        const ir::LoadRun run = wanted_with(i);
        Ref offset = Ref::immediate(run.first * 4);
        if (const Ref bytes = index_B(index_of(i)); bytes.kind != Ref::Kind::None)
            offset = run.first ? iadd_u32({bytes, offset}) : bytes;
        isa::Instr p = isa::make(kLoads[run.count - 1]).set_is_unsigned(true).set_slot(next_slot());
        const Word words = message(p, {in_register(offset), zero()}, run.count);  // buffer 0 of table 0
        info_.reads_uniform_buffer = true;
        indexed_.push_back({i.op, index_of(i), region_, nullptr, run.first, run.count, words});
        known = &indexed_.back();
    }
    return Ref::word(known->word + (i.u.io.slot - known->place));
}

/// A load or store of the components `run` of the thread's own array.
Inst Selector::array_access(bool store, const ir::Instr& i, const ir::LoadRun& run) {
    uint32_t& var = local_at_B_[i.var->id];
    if (var == kNoPlace) var = f_.add_private(i.var->count);
    const uint32_t at_B = var + run.first * 4;
    const ir::Value* const index = index_of(i);
    Inst m = local_access(store, kNoWord, run.count, std::min(at_B, kMaxOffset_B), next_slot());
    if (!index && at_B <= kMaxOffset_B) return m;
    Ref offset = index_B(index);
    Scaled* known = nullptr;
    for (Scaled& s : scaled_)
        if (index && s.index == index && s.region == region_) known = &s;
    const bool far = at_B > kMaxOffset_B;
    if (!far && known->address != kNoWord) {
        m.src[0] = Ref::word(known->address);
        return m;
    }
    if (far) {
        const Ref more = Ref::immediate(at_B - kMaxOffset_B);
        offset = index ? iadd_u32({offset, more}) : more;
    }
    const Word address = new_words(2);
    alu_to(address, isa::make(Op::kIaddU32), {Ref::special(isa::Special::kThreadLocalPointer), offset});
    move_to(address + 1, Ref::special(isa::Special::kThreadLocalPointer, true));
    if (!far) known->address = address;
    m.src[0] = Ref::word(address);
    return m;
}

void Selector::local_variable(const ir::Instr& i) {
    if (i.op == ir::Op::LoadVar) {
        const Indexed* known = find_indexed(i);
        if (!known) {
            const ir::LoadRun run = wanted_with(i);
            Inst m = array_access(false, i, run);
            m.written = new_words(run.count);
            push(m);
            indexed_.push_back({i.op, index_of(i), region_, i.var, run.first, run.count, m.written});
            known = &indexed_.back();
        }
        return set(i.result(), Ref::word(known->word + (i.u.io.component - known->place)));
    }
    std::erase_if(indexed_, [&](const Indexed& l) { return l.var == i.var; });
    // The last one of adjacent stores writes all of their components.
    stores_.push_back(&i);
    const ir::Instr* const next = i.next;
    const unsigned group = ir::known_multiple(index_of(i), kMaxWords);
    const ir::Instr& first = *stores_.front();
    const bool more = next && next->op == ir::Op::StoreVar && next->var == i.var &&
                      index_of(*next) == index_of(i) && place_of(*next) == place_of(i) + 1 &&
                      place_of(*next) / group == place_of(first) / group;
    if (more) return;
    const ir::LoadRun run{place_of(first), unsigned(stores_.size())};
    Ref values[4];
    for (unsigned k = 0; k < run.count; k++)
        values[k] = use(stores_[k]->operand(0));
    Inst m = array_access(true, i, run);
    m.read = run.count == 1 ? in_word(values[0]) : collect({values, run.count});
    push(m);
    stores_.clear();
}

/// Forgets loaded components of arrays that other regions may have changed.
void Selector::forget_arrays() {
    std::erase_if(indexed_, [](const Indexed& l) { return l.var; });
}

}  // namespace terrazzo::mali::compiler
