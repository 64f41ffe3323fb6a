// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A register is dead if nothing reads it before all of it is written again. A register that a message in
// flight reads must not be marked as dead before a wait for the message. A pair is dead only if both
// registers are.
#include "drivers/mali/compiler/passes.h"

#include "drivers/common/backend/last_use.h"

namespace terrazzo::mali::compiler {

namespace {

constexpr unsigned kSlots = 8;

class Marker {
  public:
    explicit Marker(Function& f) : f_(f), held_in_(f.blocks.size(), Held{}, f.memory) {}
    void run(bool blend) {
        backend::for_each_use(f_, blend ? ~kClobbered : 0, [&](Inst& i, const auto& live) {
            for (unsigned n = 0; n < i.proto.info().source_count; n++)
                i.src[n].last = i.src[n].kind == Ref::Kind::Word && !(source(i, n) & live.to_ullong());
        });
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t b = 0; b < f_.blocks.size(); b++) {
                const Held out = hold(f_.blocks[b], held_in_[b], false);
                for (int32_t next : f_.blocks[b].next)
                    for (unsigned s = 0; next >= 0 && s < kSlots; s++) {
                        uint64_t& in = held_in_[size_t(next)].by_slot[s];
                        changed |= update(in, in | out.by_slot[s]);
                    }
            }
        }
        for (size_t b = 0; b < f_.blocks.size(); b++)
            hold(f_.blocks[b], held_in_[b], true);
    }

  private:
    /// By slot: the registers that messages in flight read.
    struct Held {
        uint64_t by_slot[kSlots] = {};
    };

    static bool update(uint64_t& to, uint64_t value) {
        const bool changes = to != value;
        to = value;
        return changes;
    }
    [[nodiscard]] uint64_t run_of(Word word, unsigned count) const {
        uint64_t mask = 0;
        for (unsigned k = 0; k < count; k++)
            mask |= 1ull << register_of(f_, word + k);
        return mask;
    }
    /// The registers of source n; 0: it is not in registers.
    [[nodiscard]] uint64_t source(const Inst& i, unsigned n) const {
        const Ref& r = i.src[n];
        if (r.kind != Ref::Kind::Word) return 0;
        return run_of(r.as_word(), i.source_words(i.proto.info().source_rows[n], n));
    }
    Held hold(Block& b, Held held, bool unmark) const {
        for (Inst& i : b.insts) {
            uint64_t now = i.read_count ? run_of(i.read, i.read_count) : 0;
            const int slot = i.proto.wait_slot();
            uint64_t all = now;
            for (uint64_t s : held.by_slot)
                all |= s;
            for (unsigned n = 0; unmark && n < i.proto.info().source_count; n++)
                if (source(i, n) & all) i.src[n].last = false;
            if (slot >= 0) held.by_slot[slot] |= now;
            const unsigned waits = isa::waited_slots(i.proto.flow);
            for (unsigned s = 0; s < kSlots; s++)
                if (waits >> s & 1) held.by_slot[s] = 0;
        }
        return held;
    }

    Function& f_;
    std::pmr::vector<Held> held_in_;
};

}  // namespace

void mark_last_uses(Function& f, bool blend) {
    Marker(f).run(blend);
}

}  // namespace terrazzo::mali::compiler
