// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/loop_invariants.h"

#include "shaders/passes/walk.h"

namespace terrazzo::ir {
namespace {

/// Other invocations may see its effect, or it waits for theirs.
bool changes_memory(const Instr& i) {
    return i.info().side_effect() && !i.region_count && !i.info().terminator() && i.op != Op::StoreOutput &&
           i.op != Op::StoreVar;
}

bool may_move(const Instr& i, bool memory_changes) {
    if (i.region_count || i.info().terminator() || !i.result_count) return false;
    if (i.info().pure() || is_invariant_load(i)) return true;
    return i.op == Op::LoadBuffer && i.u.mem->space == Storage::Buffer && !memory_changes &&
           !(i.u.mem->qualifiers & (mem_flag::kCoherent | mem_flag::kVolatile));
}

class Invariants {
  public:
    explicit Invariants(Shader& s) : s_(s) {}
    bool run() {
        (void)region(s_.body);
        return changed_;
    }

  private:
    /// Inner loops before those around them. Returns whether something in the region changes memory.
    bool region(Region* r) {
        bool changes = false;
        for (Instr *i = r->first, *next; i; i = next) {
            next = i->next;
            bool inner = false;
            for (unsigned n = 0; n < i->region_count; n++)
                inner |= region(i->regions[n]);
            if (i->op == Op::Loop) hoist(i, inner);
            changes |= inner || changes_memory(*i);
        }
        return changes;
    }
    void hoist(Instr* loop, bool memory_changes) {
        unsigned left = kMostHoisted;
        for (Instr *i = loop->regions[0]->first, *next; i; i = next) {
            next = i->next;
            if (!may_move(*i, memory_changes) || !comes_from_outside(*i, loop)) continue;
            if (i->op != Op::Const) {
                if (i->result_count > left) continue;
                left -= i->result_count;
            }
            detach(i);
            insert_before(loop, i);
            changed_ = true;
        }
    }
    static bool comes_from_outside(const Instr& i, const Instr* loop) {
        for (unsigned n = 0; n < i.operand_count; n++)
            if (is_within(region_of(i.operand(n)), loop)) return false;
        return true;
    }

    Shader& s_;
    bool changed_ = false;
};

}  // namespace

bool loop_invariants(Shader& s) {
    return Invariants(s).run();
}

}  // namespace terrazzo::ir
