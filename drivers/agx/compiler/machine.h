// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What scheduling, spilling and value numbering (drivers/common/backend) need of AGX.
#pragma once

#include <algorithm>

#include "drivers/agx/compiler/lir.h"

namespace terrazzo::agx::compiler {

/// The order of memory accesses.
class Order : public backend::MemoryOrders<1> {
  public:
    using MemoryOrders::MemoryOrders;
    template <typename F>
    void add(const Inst* insts, uint32_t n, const F& edge) {
        const isa::OpInfo& row = insts[n].proto.info();
        if (row.unit == isa::Class::kTexture) return;
        if (row.is(isa::kReadsMemory) || row.is(isa::kWritesMemory))
            access(0, row.is(isa::kWritesMemory), n, edge);
    }
};

/// Loads or stores up to four words of the thread's stack.
inline Inst stack_access(bool store, Word word, unsigned count, const Ref& at_B) {
    Inst m;
    m.proto = isa::make(store ? isa::Op::kStackStore : isa::Op::kStackLoad);
    m.proto.set_format(isa::Format::kI32).set_mask(isa::Mask((1u << count) - 1));
    if (store) {
        m.src[0] = Ref::run(word, count);
        m.src[1] = at_B;
    } else {
        m.dest = word;
        m.dest_count = uint8_t(count);
        m.src[0] = at_B;
    }
    return m;
}

class SpillHome {
  public:
    SpillHome(Function& f, const backend::Node& node) : at_B_(f.private_B) { f.private_B += node.count * 4; }
    void access(bool store, Word temporary, uint32_t index, uint32_t count, std::pmr::vector<Inst>& out) {
        for (uint32_t done = 0; done < count; done += 4) {
            const uint32_t n = std::min(count - done, 4u);
            out.push_back(stack_access(store, temporary + done, n, Ref::number(at_B_ + (index + done) * 4)));
        }
    }

  private:
    const uint32_t at_B_;
};

struct Machine : backend::MachinePasses<Machine, Agx> {
    using Order = compiler::Order;
    static bool is_fence(const Inst& i) {
        return i.flow != Flow::None || Agx::is_stage_effect(i.proto.info().unit, i);
    }
    using MachinePasses::latency_clk;
    /// Estimates; only their relation matters.
    static unsigned latency_clk(const Inst& i) {
        const isa::Class c = i.proto.info().unit;
        if (c == isa::Class::kTexture || c == isa::Class::kImage) return 60;
        if (c == isa::Class::kDevice || c == isa::Class::kLocal) return 40;
        return c == isa::Class::kVarying ? 10 : 4;
    }

    using SpillHome = compiler::SpillHome;
    static constexpr uint32_t kPrivateEnd_B = 0x7000, kMostNode_B = 16 * 4;
    static bool is_repeatable(const Inst& i) {
        if (i.dest == kNoWord || i.dest_count != 1 || !MachinePasses::computes(i) || !is_arithmetic(i))
            return false;
        return std::none_of(i.src.begin(), i.src.end(), [](const Ref& r) { return is_word(r); });
    }
    static constexpr uint32_t kShareWithin = 48;
    static bool is_arithmetic(const Inst& i) {
        const isa::Class c = i.proto.info().unit;
        return c == isa::Class::kFloat || c == isa::Class::kInteger || c == isa::Class::kBits ||
               c == isa::Class::kSelect || (c == isa::Class::kMove && i.proto.op != isa::Op::kGetSr);
    }
    static bool is_computed(const Inst& i) {
        return MachinePasses::computes(i) && is_arithmetic(i) && i.dest_count == 1 && !i.half_dest;
    }
};

}  // namespace terrazzo::agx::compiler
