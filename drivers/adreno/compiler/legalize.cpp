// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/compiler/passes.h"

#include <algorithm>

namespace terrazzo::adreno::compiler {

namespace {

using isa::Op;
using Units = backend::UnitSet<Ir3>;
/// An element per unit.
template <typename T>
struct PerUnit : std::array<T, Ir3::kUnits> {
    T& operator[](Unit u) { return std::array<T, Ir3::kUnits>::operator[](size_t(u)); }
    const T& operator[](Unit u) const { return std::array<T, Ir3::kUnits>::operator[](size_t(u)); }
};

/// The pending effects of earlier instructions, by unit.
struct State {
    static constexpr uint32_t kOld = 16;  // cycles after which no instruction waits for an ALU

    Units ss, sy;                // results that (ss), (sy) wait for
    Units read_ss;               // sources that are still to be read; a write waits by (ss)
    Units read_any;              // likewise for instructions with (sy); a write waits by (ss) or (sy)
    uint32_t clock = kOld;       // cycles
    PerUnit<uint32_t> alu_at;    // the clock when an ALU wrote it; 0: long ago
    PerUnit<uint8_t> width;      // of that register: 1, 2; 3 if paths differ
    bool constants = false;      // were written: a read waits by (ss)
    bool after_barrier = false;  // the pending instructions are unknown

    State() {
        alu_at.fill(0);
        width.fill(0);
    }
    void wait_ss() {
        ss.reset();
        read_ss.reset();
        read_any.reset();
        constants = false;
    }
    void wait_sy() {
        sy.reset();
        read_any.reset();
    }
    void idle(unsigned cycles) { clock += cycles; }
    /// Cycles since an ALU wrote the unit, kOld at most.
    [[nodiscard]] uint32_t alu_age(Unit unit) const { return std::min(clock - alu_at[unit], kOld); }
    /// Adds the state of another path. Returns whether anything is new.
    bool merge(const State& o) {
        bool changed = (o.ss & ~ss).any() || (o.sy & ~sy).any() || (o.read_ss & ~read_ss).any() ||
                       (o.read_any & ~read_any).any() || (o.constants && !constants) ||
                       (o.after_barrier && !after_barrier);
        constants |= o.constants;
        after_barrier |= o.after_barrier;
        ss |= o.ss;
        sy |= o.sy;
        read_ss |= o.read_ss;
        read_any |= o.read_any;
        for (const Unit u : backend::Units(Unit(0), Ir3::kUnits)) {
            const uint32_t age = o.alu_age(u);
            if (age == kOld) continue;
            const uint8_t both = uint8_t(width[u] | o.width[u]);
            changed |= age < alu_age(u) || both != width[u];
            alu_at[u] = clock - std::min(alu_age(u), age);
            width[u] = both;
        }
        return changed;
    }
};

class Legalizer {
  public:
    Legalizer(Function& f, ir::Stage stage, std::pmr::vector<isa::Instr>* out)
        : f_(f),
          stage_(stage),
          out_(*out),
          in_(f.blocks.size(), f.memory),
          start_(f.blocks.size(), 0, f.memory),
          todo_(f.memory) {}

    void run() {
        for (const Word w : f_.prefetched)
            backend::for_each_unit(f_, w, 1, [&](Unit u) { in_[0].sy[u] = true; });
        // The previous stage ran in the same wave; its pending instructions are unknown.
        in_[0].after_barrier = stage_ == ir::Stage::TessControl || stage_ == ir::Stage::Geometry;
        if (emit_all()) {
            find_states();
            (void)emit_all();
        }
        resolve();
        release_inputs();
    }

  private:
    static constexpr size_t kNone = ~size_t(0);
    struct Jump {
        size_t at;
        int32_t block;
    };

    /// Appends the block's code. Successors whose state changes are added to todo_.
    void block(size_t b) {
        State s = in_[b];
        last_ = kNone;
        for (const Inst& i : f_.blocks[b].insts)
            place(i, s);
        for (const int32_t next : f_.blocks[b].next)
            if (next >= 0 && in_[size_t(next)].merge(s)) todo_[size_t(next)] = 1;
    }
    /// Emits all code with the known states of blocks. Returns whether a backward jump has added to the state
    /// of a block that was already emitted.
    [[nodiscard]] bool emit_all() {
        out_.clear();
        jumps_.clear();
        todo_.assign(f_.blocks.size(), 0);
        for (size_t b = 0; b < f_.blocks.size(); b++) {
            todo_[b] = 0;
            start_[b] = out_.size();
            block(b);
        }
        return std::find(todo_.begin(), todo_.end(), 1) != todo_.end();
    }
    /// Repeats until no block's state changes.
    void find_states() {
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t b = 0; b < f_.blocks.size(); b++) {
                if (!todo_[b]) continue;
                todo_[b] = 0;
                changed = true;
                out_.clear();
                block(b);
            }
        }
    }

    template <typename F>
    void for_each_written_unit(const Inst& i, const F& f) const {
        Ir3::for_each_write(i, [&](Word w, uint32_t count) { backend::for_each_unit(f_, w, count, f); });
    }
    template <typename F>
    void for_each_read_unit(const Inst& i, const F& f) const {
        Ir3::for_each_read(i, [&](Word w, uint32_t count) { backend::for_each_unit(f_, w, count, f); });
    }

    /// Cycles until all sources are available.
    [[nodiscard]] unsigned missing(const Inst& i, const State& s) const {
        int most = 0;
        const bool alu = i.proto.info().unit == isa::Unit::kAlu;
        const auto check = [&](Word w, uint32_t count, unsigned n) {
            const uint8_t width = uint8_t(f_.width(w));
            backend::for_each_unit(f_, w, count, [&](Unit u) {
                const uint32_t age = s.alu_age(u);
                if (age >= State::kOld) return;
                unsigned wanted = isa::delay(Op::kMov, i.proto.op, n);
                if (u == kUnitA0 || u == kUnitA1) wanted = isa::kAddressDelay;
                constexpr unsigned kOtherWidth = 3;
                if (alu && wanted && number_of(u) < kFullUnits && s.width[u] != width) wanted += kOtherWidth;
                most = std::max(most, int(wanted) - int(age));
            });
        };
        for (unsigned n = 0; n < i.src.size(); n++) {
            if (i.src[n].kind == Ref::Kind::Word) check(i.src[n].as_word(), i.src[n].count, n);
            if (i.src[n].is_relative()) check(kA0Word, 1, n);
        }
        if (i.data_count) check(i.dest + 1, i.data_count, 0);
        return unsigned(most);
    }

    /// Idles, in the previous instruction if it can encode it.
    void idle(unsigned cycles, State& s) {
        s.idle(cycles);
        constexpr unsigned kMostNop = 3, kMostRepeat = 5;
        if (cycles && last_ != kNone) {
            isa::Instr& last = out_[last_];
            const unsigned category = last.info().category;
            if ((category == 2 || category == 3) && last.info().has(isa::Field::kNop) && !last.repeat() &&
                last.op != Op::kBaryF && last.op != Op::kFlatB) {
                const unsigned n = std::min(cycles, kMostNop - last.nop());
                last.set_nop(last.nop() + n);
                cycles -= n;
            } else if (last.op == Op::kNop) {
                const unsigned n = std::min(cycles, kMostRepeat - last.repeat());
                last.set_repeat(last.repeat() + n);
                cycles -= n;
            }
        }
        while (cycles) {
            const unsigned n = std::min(cycles, kMostRepeat + 1);
            isa::Instr nop = isa::make(Op::kNop);
            nop.set_repeat(n - 1);
            append(nop);
            cycles -= n;
        }
    }
    void append(const isa::Instr& i) {
        last_ = out_.size();
        out_.push_back(i);
    }

    void place(const Inst& i, State& s) {
        isa::Instr code = to_instr(f_, i);
        const isa::OpInfo& row = code.info();
        bool ss = s.after_barrier, sy = ss;
        s.after_barrier = row.category == 7;
        const auto pending = [&](Unit u) {
            ss |= s.ss[u];
            sy |= s.sy[u];
        };
        // The preamble's end waits for all writes of constants.
        ss |= s.constants && code.op == Op::kShpe;
        for (const Ref& r : i.src)
            ss |= s.constants && r.is_const();
        for_each_read_unit(i, pending);
        for_each_written_unit(i, pending);
        if (sy) s.wait_sy();
        for_each_written_unit(i, [&](Unit u) { ss |= s.read_ss[u] || s.read_any[u]; });
        if (ss) s.wait_ss();
        if (sy) code.set_sy(true);
        if (ss && row.has(isa::Field::kSs)) {
            code.set_ss(true);
        } else if (ss) {
            isa::Instr nop = isa::make(Op::kNop);
            nop.set_ss(true);
            append(nop);
            s.idle(1);
        }
        idle(missing(i, s), s);
        if (i.is_branch()) jumps_.push_back({out_.size(), i.target});
        emit(code);
        // Moves, instructions of two and three sources, and flow except jumps take a cycle (Mesa,
        // count_instruction).
        if ((row.category >= 1 && row.category <= 3) || (row.category == 0 && !i.is_branch())) s.idle(1);
        leave_behind(i, row, s);
    }
    /// Some instructions become several.
    void emit(const isa::Instr& code) {
        const bool fine = code.op == Op::kDsxpp1 || code.op == Op::kDsypp1;
        if (code.op == Op::kSamgq && stage_ != ir::Stage::Fragment && stage_ != ir::Stage::Compute) {
            // a630: gradients outside quads are sampled four times (Mesa, samgq_workaround).
            for (const Op op : {Op::kSamgp0, Op::kSamgp1, Op::kSamgp2, Op::kSamgp3}) {
                isa::Instr one = code;
                one.op = op;
                if (op != Op::kSamgp0) one.set_sy(true);
                append(one);
            }
            return;
        }
        // Invocations that ran no vertex of the stage that ends continue in the next one.
        if (code.op == Op::kChsh) append(isa::make(Op::kChmask));
        append(code);
        if (fine) {
            isa::Instr second = code;
            second.set_projected(true);
            second.set_sy(false);
            append(second);
        }
    }
    void leave_behind(const Inst& i, const isa::OpInfo& row, State& s) {
        for_each_written_unit(i, [&](Unit u) {
            s.alu_at[u] = row.unit == isa::Unit::kAlu ? s.clock : 0;
            s.width[u] = row.unit == isa::Unit::kAlu ? uint8_t(f_.width(i.dest)) : 0;
            s.ss[u] = row.sync == isa::Sync::kSs;
            s.sy[u] = row.sync == isa::Sync::kSy;
        });
        s.constants |= row.is(isa::kWritesConstants);
        if (row.is(isa::kReadsLate)) {
            const bool any = row.sync == isa::Sync::kSy;
            for_each_read_unit(i, [&](Unit u) { (any ? s.read_any : s.read_ss)[u] = true; });
        }
        if (i.proto.op == Op::kResinfoB) {
            isa::Instr nop = isa::make(Op::kNop);
            nop.set_ss(true);
            append(nop);
            s.wait_ss();
            s.idle(1);
        }
    }

    void resolve() {
        for (const Jump& j : jumps_) {
            size_t b = size_t(j.block);
            out_[j.at].offset = int32_t(start_[b]) - int32_t(j.at);
            if (start_[b] < out_.size()) out_[start_[b]].set_jp(true);
        }
    }
    /// Marks the last read of varyings, if it is certain to be executed.
    void release_inputs() {
        size_t last = kNone;
        const size_t main = f_.main_block;
        const size_t end = f_.blocks.size() > main + 1 ? start_[main + 1] : out_.size();
        for (size_t k = 0; k < out_.size(); k++) {
            if (!out_[k].info().is(isa::kReadsInput)) continue;
            if (k >= end) return;
            last = k;
        }
        if (last != kNone) out_[last].set_ei(true);
    }

    Function& f_;
    const ir::Stage stage_;
    std::pmr::vector<isa::Instr>& out_;
    std::pmr::vector<State> in_;
    std::pmr::vector<size_t> start_;
    std::pmr::vector<uint8_t> todo_;  // blocks whose state has grown since they were emitted
    std::vector<Jump> jumps_;
    size_t last_ = kNone;
};

}  // namespace

void legalize(Function& f, ir::Stage stage, std::pmr::vector<isa::Instr>* out) {
    Legalizer(f, stage, out).run();
}

}  // namespace terrazzo::adreno::compiler
