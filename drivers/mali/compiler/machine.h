// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What scheduling, spilling and value numbering (drivers/common/backend) need of Valhall.
#pragma once

#include "drivers/mali/compiler/lir.h"
#include "drivers/mali/compiler/timing.h"

namespace terrazzo::mali::compiler {

/// The dependencies of memory, of the interpolation position of varyings, and of instructions that end
/// threads.
class Order : public backend::MemoryOrders<4> {
  public:
    using MemoryOrders::MemoryOrders;
    template <typename F>
    void add(const Inst* insts, uint32_t n, const F& edge) {
        using isa::Message;
        const Inst& i = insts[n];
        const isa::OpInfo& row = i.proto.info();
        const bool writes = row.is(isa::kWritesMemory);
        // Loads of uniform buffers have an offset of 32 bits, and nothing writes there.
        const bool loads = row.message == Message::kLoad && row.source_rows[0].size == 64;
        if (writes || loads || i.ordered) access(i.local ? kThread : kMemory, writes, n, edge);
        // Loads at the centre may be in any order (finish_block).
        if (row.message == Message::kVarying || row.message == Message::kVaryingTexture)
            access(kPosition, !at_centre(i.proto), n, edge);
        // A thread that has ended passes no values to its quad and stores nothing. Earlier stores remain.
        const bool quad = i.proto.op == isa::Op::kClperI32 || row.message == Message::kTexture;
        if (row.is(isa::kKills) || quad || (writes && !i.local)) access(kEnds, row.is(isa::kKills), n, edge);
    }
    /// Whether a varying is loaded at the pixel's centre. The first such load stores the interpolation
    /// position, which the next ones retrieve.
    static bool at_centre(const isa::Instr& i) {
        return i.op == isa::Op::kLdVarBufImmF32 && i.sample() == isa::SampleMode::kCenter &&
               i.update() != isa::UpdateMode::kClobber;
    }

  private:
    enum : unsigned { kMemory, kThread, kPosition, kEnds };
};

/// The n-th of a node's. Slots are used in turn.
inline Inst local_words(bool store, Word first, unsigned count, uint32_t at_B, unsigned n) {
    return local_access(store, first, count, at_B, isa::Slot(n % 3));
}

struct Machine : backend::MachinePasses<Machine, Valhall> {
    using Order = compiler::Order;
    /// Instructions that end a fragment's thread, and those with effects on other threads.
    static bool is_fence(const Inst& i) {
        using isa::Message;
        const Message m = i.proto.info().message;
        return i.calls || i.is_branch() || i.also_read_count || m == Message::kBarrier ||
               m == Message::kBlend || m == Message::kTile || m == Message::kAlphaTest ||
               m == Message::kDepthStencil || m == Message::kAtomic || i.proto.info().is(isa::kBranches);
    }
    static unsigned issue_clk(const Inst& i) { return compiler::issue_clk(i.proto); }
    using MachinePasses::latency_clk;
    static unsigned latency_clk(const Inst& i) { return compiler::latency_clk(i.proto); }
    /// The first load at the centre stores the position; the following ones retrieve it.
    static void finish_block(std::pmr::vector<Inst>& insts) {
        bool known = false;
        for (Inst& i : insts) {
            if (i.proto.info().message != isa::Message::kVarying) continue;
            const bool centre = Order::at_centre(i.proto);
            if (centre) i.proto.set_update(known ? isa::UpdateMode::kRetrieve : isa::UpdateMode::kStore);
            known = centre;
        }
    }

    using SpillHome = backend::PrivateHome<Inst, local_words>;
    static constexpr uint32_t kPrivateEnd_B = 0x7ff0, kMostNode_B = 16 * 8;
    static bool is_message(const Inst& i) { return i.proto.info().message != isa::Message::kNone; }
    static bool is_constant_op(const Inst& i) { return !i.written_count && !is_message(i); }
    static bool is_constant(const Ref& r) {
        return r.kind == Ref::Kind::None || r.kind == Ref::Kind::Uniform || r.kind == Ref::Kind::Constant;
    }

    static constexpr uint32_t kShareWithin = 48;
    /// Arithmetic on whole words, without reads of other threads or of memory.
    static bool is_computed(const Inst& i) {
        const bool staged = i.written_count || i.read_count || i.also_read_count;
        return MachinePasses::computes(i) && !is_message(i) && !staged && i.proto.dest.halves == 3 &&
               i.proto.op != isa::Op::kClperI32;
    }
};

}  // namespace terrazzo::mali::compiler
