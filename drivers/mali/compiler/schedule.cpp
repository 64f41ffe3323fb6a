// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What drivers/common/backend/schedule.h must know of Valhall.
#include "drivers/mali/compiler/schedule.h"

#include "drivers/common/backend/schedule.h"
#include "drivers/mali/compiler/timing.h"

namespace terrazzo::mali::compiler {

using isa::Message;
using isa::Op;

namespace {

/// A load at the pixel's centre leaves the interpolation position where the next such load finds it: which of
/// several is first does not matter (name_positions).
bool at_centre(const isa::Instr& i) {
    return i.op == Op::kLdVarBufImmF32 && i.sample() == isa::SampleMode::kCenter &&
           i.update() != isa::UpdateMode::kClobber;
}

/// Memory has addresses of 64 bits.
bool is_uniform(const Inst& i) {
    return i.proto.info().source_rows[0].size != 64;
}

/// Memory, the position of varyings, and threads that end.
class Order {
  public:
    explicit Order(std::pmr::memory_resource*) {}
    void begin() { last_store_ = last_position_ = last_discard_ = kNone; }
    template <typename F>
    void add(const Inst* insts, uint32_t n, const F& edge) {
        const Inst& i = insts[n];
        const isa::OpInfo& row = i.proto.info();
        const auto after_all_since = [&](uint32_t since, const auto& which) {
            for (uint32_t k = since == kNone ? 0 : since; k < n; k++)
                if (which(insts[k])) edge(k, 1);
        };
        const auto is_discard = [](const Inst& k) { return k.proto.info().is(isa::kKills); };
        // Uniform buffers are only read.
        if (row.message == Message::kStore || (row.message == Message::kLoad && !is_uniform(i))) {
            const bool store = row.message == Message::kStore;
            after_all_since(last_store_, [&](const Inst& k) {
                const Message m = k.proto.info().message;
                return k.local == i.local && (m == Message::kStore || (store && m == Message::kLoad));
            });
            if (store) last_store_ = n;
        }
        if (row.message == Message::kVarying || row.message == Message::kVaryingTexture) {
            const bool alone = !at_centre(i.proto);
            after_all_since(last_position_, [&](const Inst& k) {
                const bool varying = k.proto.info().message == Message::kVarying ||
                                     k.proto.info().message == Message::kVaryingTexture;
                return varying && (alone || !at_centre(k.proto));
            });
            if (alone) last_position_ = n;
        }
        // A thread that ended gives no neighbour a value.
        const bool quad = i.proto.op == Op::kClperI32 || row.message == Message::kTexture;
        if (quad && last_discard_ != kNone) edge(last_discard_, 1);
        if (is_discard(i)) {
            after_all_since(last_discard_, [&](const Inst& k) {
                return k.proto.op == Op::kClperI32 || k.proto.info().message == Message::kTexture ||
                       k.proto.info().message == Message::kStore || is_discard(k);
            });
            last_discard_ = n;
        }
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    uint32_t last_store_ = kNone, last_position_ = kNone, last_discard_ = kNone;
};

/// The first load at the centre stores the position, those behind it find it.
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
    /// The end of a fragment's life, and what other threads see.
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

void schedule(Function& f, unsigned budget) {
    backend::schedule<Scheduled>(f, budget);
}

}  // namespace terrazzo::mali::compiler
