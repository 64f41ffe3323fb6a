// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/zero_arrays.h"

#include <algorithm>
#include <vector>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

/// A sequence of at most this many stores is shorter than a loop.
constexpr uint32_t kMostStores = 64;

struct Seen {
    std::vector<bool> written;  // by the shader's first instructions, which always run
    uint32_t left = 0;          // components that are not
    bool read = false;          // something may have been read before all were written
};

bool is_local(const Instr& i) {
    return (i.op == Op::LoadVar || i.op == Op::StoreVar) && i.var->storage == Storage::Local;
}

class Finder {
  public:
    explicit Finder(Shader& s) : seen_(s.vars().size()) {
        for (Instr* i = s.body->first; i; i = i->next) {
            visit(*i);
            for (unsigned n = 0; n < i->region_count; ++n)
                for_each(i->regions[n], [&](Instr* inner) {
                    // An element that is written here need not be cleared.
                    if (is_local(*inner) && inner->op == Op::LoadVar) read(of(*inner->var));
                });
        }
    }
    [[nodiscard]] const Seen& of(const Var& v) const { return seen_[v.id]; }

  private:
    Seen& of(const Var& v) {
        Seen& s = seen_[v.id];
        if (s.written.empty()) {
            s.written.resize(v.count);
            s.left = v.count;
        }
        return s;
    }
    static void read(Seen& s) { s.read |= s.left != 0; }
    void visit(const Instr& i) {
        if (!is_local(i)) return;
        Seen& s = of(*i.var);
        const bool store = i.op == Op::StoreVar, indexed = i.operand_count > (store ? 1 : 0);
        const uint32_t component = i.u.io.component;
        if (!store) {
            if (indexed || component >= s.written.size() || !s.written[component]) read(s);
        } else if (!indexed && !s.read && component < s.written.size() && !s.written[component]) {
            s.written[component] = true;
            --s.left;
        }
    }

    std::vector<Seen> seen_;
};

void clear_in_loop(Builder& b, Var* v) {
    Value* const first = b.i32(0);
    Value* const zero = b.constant(v->type, 0);
    Value *const count = b.i32(int32_t(v->count)), *const one = b.i32(1);
    Instr* const loop = b.begin_loop({&first, 1});
    Region* const body = loop->regions[0];
    Builder in(b.shader, body);
    Value* const n = body->args[0];
    Instr* const done = in.begin_if(in.alu(Op::IGe, n, count));
    in.set_end(done->regions[0]);
    in.brk();
    in.set_end(done->regions[1]);
    in.yield();
    in.set_end(body);
    in.store_var(v, 0, zero, n);
    Value* const next = in.iadd(n, one);
    in.cont({&next, 1});
}

}  // namespace

bool zero_arrays(Shader& s) {
    if (std::none_of(s.vars().begin(), s.vars().end(),
                     [](const Var* v) { return v->storage == Storage::Local; }))
        return false;
    const Finder found(s);
    bool changed = false;
    Instr* const first = s.body->first;
    for (Var* v : s.vars()) {
        const Seen& seen = found.of(*v);
        if (v->storage != Storage::Local || !seen.read) continue;
        changed = true;
        Builder b(s, first);
        if (seen.left > kMostStores) {
            clear_in_loop(b, v);
            continue;
        }
        Value* const zero = b.constant(v->type, 0);
        for (uint32_t n = 0; n < v->count; ++n)
            if (!seen.written[n]) b.store_var(v, n, zero);
    }
    return changed;
}

}  // namespace terrazzo::ir
