// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// There are three slots for messages. A wait for a slot waits for all of its messages. Each message gets the
// slot in which this costs least, by the estimated times at which the messages complete and their results are
// needed.
#include <algorithm>

#include "drivers/mali/compiler/passes.h"
#include "drivers/mali/compiler/timing.h"

namespace terrazzo::mali::compiler {

using isa::Message;

namespace {

bool may_choose(const Inst& i) {
    switch (i.proto.info().message) {
        case Message::kVarying:
        case Message::kAttribute:
        case Message::kTexture:
        case Message::kVaryingTexture:
        case Message::kLoad:
        case Message::kStore:
        case Message::kTile:
            return i.proto.info().has_slot();
        case Message::kNone:
        case Message::kAtomic:
        case Message::kBarrier:
        case Message::kBlend:
        case Message::kAlphaTest:
        case Message::kDepthStencil:
            return false;
    }
    return false;
}

class SlotChooser {
  public:
    SlotChooser(const Function& f, Block& b)
        : f_(f), insts_(b.insts), wanted_at_(b.insts.size(), uint32_t(b.insts.size()), f.memory) {
        find_uses();
    }
    void run() {
        for (uint32_t n = 0; n < insts_.size(); n++) {
            Inst& i = insts_[n];
            const uint64_t touched = registers_of(f_, i, true) | registers_of(f_, i, false);
            for (Slot& s : slots_)
                if ((s.writes & touched) || s.wanted_at <= n) {
                    now_ = std::max(now_, s.done);
                    s = {};
                }
            if (may_choose(i)) choose(i, n);
            now_ += issue_clk(i.proto);
        }
    }

  private:
    struct Slot {
        uint32_t done = 0, wanted_at = ~0u;  // clock; instruction
        uint64_t writes = 0;                 // registers
    };

    /// Finds, for each message, the first instruction that reads or writes the message's results.
    void find_uses() {
        std::array<uint32_t, kRegisterWords> next;
        const auto end = uint32_t(insts_.size());
        next.fill(end);
        uint32_t next_local[2] = {end, end};  // load, store
        for (uint32_t n = end; n-- > 0;) {
            const Inst& i = insts_[n];
            const uint64_t written = registers_of(f_, i, false);
            for (uint64_t left = written; left; left &= left - 1)
                wanted_at_[n] = std::min(wanted_at_[n], next[unsigned(std::countr_zero(left))]);
            for (uint64_t left = written | registers_of(f_, i, true); left; left &= left - 1)
                next[unsigned(std::countr_zero(left))] = n;
            if (!i.local) continue;
            const bool store = i.read_count;
            wanted_at_[n] = std::min(wanted_at_[n], next_local[1]);
            if (store) wanted_at_[n] = std::min(wanted_at_[n], next_local[0]);
            next_local[store] = n;
        }
    }
    /// The estimated clock at which instruction n is issued.
    [[nodiscard]] uint32_t clock_at(uint32_t now_at, uint32_t n) const { return now_ + (n - now_at); }

    void choose(Inst& i, uint32_t n) {
        const uint32_t done = now_ + latency_clk(i.proto), wanted = wanted_at_[n];
        unsigned best = 0;
        uint32_t least = ~0u;
        for (unsigned k = 0; k < kSlots; k++) {
            const Slot& s = slots_[k];
            uint32_t extra = 0;
            if (s.wanted_at != ~0u) {
                // The user of the earlier result waits for the later message, too.
                const uint32_t first = std::min(wanted, s.wanted_at),
                               own = wanted < s.wanted_at ? done : s.done;
                const uint32_t at = std::max(clock_at(n, first), own);
                extra = std::max({done, s.done, at}) - at;
            }
            if (extra < least) least = extra, best = k;
        }
        Slot& s = slots_[best];
        s.done = std::max(s.done, done);
        s.wanted_at = std::min(s.wanted_at, wanted);
        s.writes |= registers_of(f_, i, false);
        i.proto.set_slot(isa::Slot(best));
    }

    static constexpr unsigned kSlots = 3;
    const Function& f_;
    std::pmr::vector<Inst>& insts_;
    std::pmr::vector<uint32_t> wanted_at_;  // by instruction: the user of its result; the end: none
    Slot slots_[kSlots];
    uint32_t now_ = 0;
};

}  // namespace

void assign_slots(Function& f) {
    for (Block& b : f.blocks)
        SlotChooser(f, b).run();
}

}  // namespace terrazzo::mali::compiler
