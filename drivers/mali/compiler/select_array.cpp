// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What is not at a constant place: elements of uniform arrays, and the thread's own arrays that were too
// large for the common passes. IR reads them component by component; what is beside each other comes in one
// message, and addresses are worked out once for each index.
#include <algorithm>

#include "drivers/mali/compiler/selector.h"

namespace terrazzo::mali::compiler {

using isa::Op;

namespace {

constexpr uint32_t kMaxOffset_B = 0x7ff0;
/// What is wanted later than that is not worth its registers.
constexpr unsigned kLookAhead = 192;

const ir::Value* index_of(const ir::Instr& i) {
    const unsigned at = i.op == ir::Op::StoreVar ? 1 : 0;
    return i.operand_count > at ? i.operand(at) : nullptr;
}
uint32_t place_of(const ir::Instr& i) {
    return i.op == ir::Op::LoadUniform ? i.u.io.slot : i.u.io.component;
}

/// A power of two (4 at most) that divides the value.
unsigned multiple(const ir::Value* v, unsigned depth = 0) {
    constexpr unsigned kMost = 4, kDeep = 8;
    if (!v) return kMost;
    if (ir::is_const(v))
        return std::min(kMost, 1u << std::min(2, std::countr_zero(uint32_t(ir::const_bits(v)))));
    const ir::Instr* d = v->def;
    if (!d || depth > kDeep) return 1;
    const auto of = [&](unsigned n) { return multiple(d->operand(n), depth + 1); };
    switch (d->op) {
        case ir::Op::IShl:
            if (!ir::is_const(d->operand(1))) return of(0);
            return std::min(kMost, of(0) << std::min<uint64_t>(ir::const_bits(d->operand(1)) & 31, 2));
        case ir::Op::IMul:
            return std::min(kMost, of(0) * of(1));
        case ir::Op::IAdd:
        case ir::Op::ISub:
        case ir::Op::IMin:
        case ir::Op::IMax:
            return std::min(of(0), of(1));
        default:
            return 1;
    }
}

}  // namespace

/// The words around `i` that others of its kind want, too, up to the next that might change them: where they
/// begin, and how many.
Selector::Run Selector::wanted_with(const ir::Instr& i) const {
    const uint32_t at = place_of(i);
    const bool uniform = i.op == ir::Op::LoadUniform;
    const ir::Value* const index = index_of(i);
    // No access to the thread's own memory goes over a multiple of 16 bytes.
    const uint32_t group = uniform ? 0 : multiple(index);
    uint32_t wanted = 0;  // bit 3: `at`
    unsigned looked_at = 0;
    for (const ir::Instr* k = &i; k && looked_at < kLookAhead; k = k->next, looked_at++) {
        if (!uniform && (k->region_count || (k->op == ir::Op::StoreVar && k->var == i.var))) break;
        if (k->op != i.op || index_of(*k) != index || (!uniform && k->var != i.var)) continue;
        const uint32_t place = place_of(*k);
        if (place + 3 < at || place > at + 3) continue;
        if (group && place / group != at / group) continue;
        if (uniform && !index && in_fau(place) != kNoWord) continue;
        wanted |= 1u << (place + 3 - at);
    }
    Run best{at, 1};
    int most = 0;
    for (unsigned first = 0; first < 4; first++) {
        const uint32_t window = wanted >> first & 15;
        if (!(window & 1) || std::popcount(window) <= most) continue;
        most = std::popcount(window);
        best = {at + first - 3, unsigned(std::bit_width(window))};
    }
    return best;
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
    const Ref bytes = shift(Op::kLshiftOrI32, use(index), Ref::immediate(2), false);
    scaled_.push_back({index, region_, bytes.index, kNoWord});
    return bytes;
}

uint32_t Selector::in_fau(uint32_t dword) const {
    const auto found =
        std::find(f_.fau.begin(), f_.fau.end(), UniformWord{UniformWord::Kind::Uniform, dword});
    return found == f_.fau.end() ? kNoWord : uint32_t(found - f_.fau.begin());
}

Ref Selector::uniform_from_memory(const ir::Instr& i) {
    const Indexed* known = find_indexed(i);
    if (!known) {
        constexpr Op kLoads[] = {Op::kLdBufferI32, Op::kLdBufferI64, Op::kLdBufferI96, Op::kLdBufferI128};
        const Run run = wanted_with(i);
        Ref offset = Ref::immediate(run.first * 4);
        if (const Ref bytes = index_B(index_of(i)); bytes.kind != Ref::Kind::None)
            offset = run.first ? alu(Op::kIaddU32, {bytes, offset}) : bytes;
        Inst m;
        m.proto = isa::make(kLoads[run.count - 1]);
        m.proto.set_is_unsigned(true);
        m.proto.set_slot(next_slot());
        m.src[0] = in_register(offset);
        m.src[1] = zero();  // buffer 0 of table 0
        m.written = f_.add_node(run.count);
        m.written_count = uint8_t(run.count);
        push(m);
        info_.reads_uniform_buffer = true;
        indexed_.push_back({i.op, index_of(i), region_, nullptr, run.first, run.count, m.written});
        known = &indexed_.back();
    }
    return Ref::word(known->word + (i.u.io.slot - known->place));
}

/// A load or store of `run` of the thread's own array.
Inst Selector::array_access(bool store, const ir::Instr& i, const Run& run) {
    uint32_t& var = local_at_B_[i.var->id];
    if (var == kNoWord) var = f_.add_local(i.var->count);
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
        offset = index ? alu(Op::kIaddU32, {offset, more}) : more;
    }
    const uint32_t address = f_.add_node(2);
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
            const Run run = wanted_with(i);
            Inst m = array_access(false, i, run);
            m.written = f_.add_node(run.count);
            push(m);
            indexed_.push_back({i.op, index_of(i), region_, i.var, run.first, run.count, m.written});
            known = &indexed_.back();
        }
        return set(i.result(), Ref::word(known->word + (i.u.io.component - known->place)));
    }
    std::erase_if(indexed_, [&](const Indexed& l) { return l.var == i.var; });
    // The last of those that lie beside each other stores them all.
    stores_.push_back(&i);
    const ir::Instr* const next = i.next;
    const unsigned group = multiple(index_of(i));
    const ir::Instr& first = *stores_.front();
    const bool more = next && next->op == ir::Op::StoreVar && next->var == i.var &&
                      index_of(*next) == index_of(i) && place_of(*next) == place_of(i) + 1 &&
                      place_of(*next) / group == place_of(first) / group;
    if (more) return;
    const Run run{place_of(first), unsigned(stores_.size())};
    Ref values[4];
    for (unsigned k = 0; k < run.count; k++)
        values[k] = use(stores_[k]->operand(0));
    Inst m = array_access(true, i, run);
    m.read = run.count == 1 ? in_word(values[0]) : collect(values, run.count);
    push(m);
    stores_.clear();
}

/// What other regions may have changed is loaded again.
void Selector::forget_arrays() {
    std::erase_if(indexed_, [](const Indexed& l) { return l.var; });
}

}  // namespace terrazzo::mali::compiler
