// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The requirements of drivers/common/backend/schedule.h for Valhall.
#include "drivers/mali/compiler/schedule.h"

#include "drivers/common/backend/memory_order.h"
#include "drivers/common/backend/schedule.h"
#include "drivers/mali/compiler/timing.h"

namespace terrazzo::mali::compiler {

using isa::Message;
using isa::Op;

namespace {

/// Whether a varying is loaded at the pixel's centre. The first such load stores the interpolation position,
/// which the next ones retrieve. Their order does not matter (name_positions).
bool at_centre(const isa::Instr& i) {
    return i.op == Op::kLdVarBufImmF32 && i.sample() == isa::SampleMode::kCenter &&
           i.update() != isa::UpdateMode::kClobber;
}

/// Whether a load reads a uniform buffer: only loads of memory have 64-bit addresses.
bool is_uniform(const Inst& i) {
    return i.proto.info().source_rows[0].size != 64;
}

/// The dependencies of memory, of the interpolation position of varyings, and of instructions that end
/// threads.
class Order {
  public:
    explicit Order(std::pmr::memory_resource* m)
        : memories_{MemoryOrder(m), MemoryOrder(m)}, position_(m), ends_(m) {}
    void begin() {
        for (MemoryOrder& m : memories_)
            m.begin();
        position_.begin();
        ends_.begin();
    }
    template <typename F>
    void add(const Inst* insts, uint32_t n, const F& edge) {
        const Inst& i = insts[n];
        const isa::OpInfo& row = i.proto.info();
        const bool store = row.message == Message::kStore;
        // Uniform buffers are never written.
        if (store)
            memories_[i.local].store(n, edge);
        else if (row.message == Message::kLoad && !is_uniform(i))
            memories_[i.local].load(n, edge);
        // Loads at the centre may be in any order.
        if (row.message == Message::kVarying || row.message == Message::kVaryingTexture) {
            if (at_centre(i.proto))
                position_.load(n, edge);
            else
                position_.store(n, edge);
        }
        // A thread that has ended passes no values to its quad and stores nothing. Earlier stores remain.
        const bool quad = i.proto.op == Op::kClperI32 || row.message == Message::kTexture;
        if (row.is(isa::kKills))
            ends_.store(n, edge);
        else if (quad || (store && !i.local))
            ends_.load(n, edge);
    }

  private:
    using MemoryOrder = backend::MemoryOrder;
    MemoryOrder memories_[2];  // the thread's own is the second
    MemoryOrder position_, ends_;
};

/// The first load at the centre stores the position; the following ones retrieve it.
void name_positions(std::pmr::vector<Inst>& insts) {
    bool known = false;
    for (Inst& i : insts) {
        if (i.proto.info().message != Message::kVarying) continue;
        if (at_centre(i.proto))
            i.proto.set_update(known ? isa::UpdateMode::kRetrieve : isa::UpdateMode::kStore);
        known = at_centre(i.proto);
    }
}

struct Scheduled : Valhall {
    using Order = compiler::Order;
    /// Instructions that end a fragment's thread, and those with effects on other threads.
    static bool is_fence(const Inst& i) {
        if (i.calls || i.is_branch() || i.also_read_count) return true;
        switch (i.proto.info().message) {
            case Message::kBarrier:
            case Message::kBlend:
            case Message::kTile:
            case Message::kAlphaTest:
            case Message::kDepthStencil:
            case Message::kAtomic:
                return true;
            default:
                return i.proto.info().is(isa::kBranches);
        }
    }
    static unsigned issue_clk(const Inst& i) { return compiler::issue_clk(i.proto); }
    static unsigned latency_clk(const Inst& i) { return compiler::latency_clk(i.proto); }
    static unsigned latency_clk(const Inst& from, const Inst&) { return latency_clk(from); }
    static void finish_block(std::pmr::vector<Inst>& insts) { name_positions(insts); }
};

}  // namespace

void schedule(Function& f, backend::Budget budget) {
    backend::schedule<Scheduled>(f, budget);
}

}  // namespace terrazzo::mali::compiler
