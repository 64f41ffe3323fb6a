// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: the rules of drivers/adreno/isa/README.md; the number of registers of an operand: Mesa 25.0.7,
// ir3_compiler_nir.c and ir3_a6xx.c.
#include "drivers/adreno/compiler/passes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "drivers/adreno/isa/isa.h"

namespace terrazzo::adreno::compiler {

namespace {

using isa::Instr;
using isa::Op;
using isa::Sync;

/// A byte per half of r0.x .. r47.w (0..383), then a0.x, a1.x, p0.x .. p0.w, shared registers, all constants.
constexpr unsigned kHalves = 384, kAddress = 384, kPredicates = 386, kShared = 390, kConstants = kShared + 32,
                   kPlaces = kConstants + 1;

struct Operand {
    unsigned first = 0, count = 0;  // places
    bool half = false;
};
Operand operand_of(unsigned reg, bool half, unsigned count) {
    if (reg >= isa::kFirstPredicate && reg < isa::kFirstPredicate + 4u)
        return {kPredicates + reg - isa::kFirstPredicate, 1, half};
    if (reg == isa::kA0.index || reg == isa::kA1.index) return {kAddress + (reg & 1), 1, half};
    if (reg >= isa::reg(isa::kFirstShared, 0).index && reg < isa::reg(isa::kFirstNotShared, 0).index)
        return {kShared + reg - isa::reg(isa::kFirstShared, 0).index, 1, half};
    const unsigned width = half ? 1 : 2;
    if ((reg + count) * width > kHalves) return {};
    return {reg * width, count * width, half};
}

/// Registers of a texture's first and second sources.
unsigned texture_registers(const Instr& i, unsigned n) {
    if (n == 2) return 2;
    const bool query = i.op == Op::kGetsize || i.op == Op::kDsx || i.op == Op::kDsy || i.op == Op::kDsxpp1 ||
                       i.op == Op::kDsypp1 || i.op == Op::kRgetpos || i.op == Op::kGetinfo ||
                       i.op == Op::kGetbuf;
    if (query) return 1;
    const bool grad = i.op == Op::kSamgq || (i.op >= Op::kSamgp0 && i.op <= Op::kSamgp3);
    const unsigned coords = i.cube() ? 3 : 2;
    const bool shadow = i.info().has(isa::Field::kShadow) && i.shadow();
    if (n == 0) return grad ? 4 + 2 * coords : coords + shadow + i.array() + (i.op == Op::kIsamm);
    const unsigned offsets = !i.coordinate_offset() ? 0 : coords;
    const bool level = i.op == Op::kSaml || i.op == Op::kSamb || i.op == Op::kIsaml;
    return std::max(offsets + level, 1u);
}

unsigned source_registers(const Instr& i, unsigned n) {
    const isa::OpInfo& row = i.info();
    if (row.texture.is) return texture_registers(i, n);
    switch (i.op) {
        case Op::kBaryF:
            return n == 1 ? 2 : 1;
        case Op::kStibB:
            return n == 0 ? i.components() : n == 1 ? i.dimensions() : 1;
        case Op::kLdibB:
            return n == 0 ? i.dimensions() : 1;
        case Op::kStl:
        case Op::kStp:
            return n == 1 ? i.size() : 1;
        case Op::kStc:
            return i.size();
        case Op::kAtomicCmpxchg:
            return n == 1 ? 2 : 1;
        default:
            break;
    }
    if (row.is(isa::kReadsDest) && row.category == 6) return n == 0 ? i.dimensions() : 1;
    return 1;
}

unsigned dest_registers(const Instr& i) {
    switch (i.op) {
        case Op::kLdc:
        case Op::kLdibB:
            return i.components();
        case Op::kLdl:
        case Op::kLdp:
            return i.size();
        case Op::kResinfoB:
            return 3;
        default:
            return 1;
    }
}

/// Calls f(operand, source number, repeat) for each register that is read.
template <typename F>
void for_each_source(const Instr& i, const F& f) {
    const isa::OpInfo& row = i.info();
    for (unsigned n = 0; n < i.src.size(); n++) {
        const isa::Src& s = i.src[n];
        if (s.kind == isa::SrcKind::kRelativeConstant || s.kind == isa::SrcKind::kRelativeRegister)
            f(Operand{kAddress, 1, true}, n, 0u);
        if (s.kind == isa::SrcKind::kConstant || s.kind == isa::SrcKind::kRelativeConstant)
            f(Operand{kConstants, 1, s.half}, n, 0u);
        if (s.kind != isa::SrcKind::kRegister) continue;
        const unsigned repeats = row.has(isa::Field::kRepeat) && s.repeat ? i.repeat() : 0;
        for (unsigned k = 0; k <= repeats; k++)
            f(operand_of(unsigned(s.value) + k, s.half, source_registers(i, n)), n, k);
    }
    if (i.op == Op::kStc && i.constant_relative()) f(Operand{kAddress + 1, 1, true}, 0u, 0u);
    if (row.is(isa::kReadsDest) && row.category == 6) {
        const unsigned data = i.op == Op::kAtomicBCmpxchg ? 2 : 1;
        f(operand_of(i.dst[0].reg.index + 1u, false, data), 0u, 0u);
    }
}
template <typename F>
void for_each_dest(const Instr& i, const F& f) {
    const isa::OpInfo& row = i.info();
    if (row.is(isa::kWritesConstants)) f(Operand{kConstants, 1, false}, 0u);
    if (!row.dest_count) return;
    const unsigned reg = i.dst[0].reg.index;
    if (row.has(isa::Field::kWriteMask)) {
        for (unsigned c = 0; c < 4; c++)
            if (i.write_mask() >> c & 1) f(operand_of(reg + c, i.dst[0].half, 1), 0u);
        return;
    }
    const unsigned repeats =
        row.has(isa::Field::kRepeat) && row.category >= 1 && row.category <= 4 ? i.repeat() : 0;
    for (unsigned k = 0; k <= repeats; k++)
        f(operand_of(reg + k, i.dst[0].half, dest_registers(i)), k);
}

/// The pending results and reads, a byte for each place.
struct State {
    std::array<uint8_t, kPlaces> age{}, wide{}, ss{}, sy{}, read_ss{}, read_any{};
    bool reached = false;
    static constexpr uint8_t kOld = 32;
    State() { age.fill(kOld); }
    bool merge(const State& o) {
        bool changed = !reached;
        reached = true;
        const auto take = [&](auto& to, const auto& from) {
            for (unsigned p = 0; p < kPlaces; p++)
                if (from[p] & ~to[p]) to[p] |= from[p], changed = true;
        };
        take(ss, o.ss), take(sy, o.sy), take(read_ss, o.read_ss), take(read_any, o.read_any),
            take(wide, o.wide);
        for (unsigned p = 0; p < kPlaces; p++)
            if (o.age[p] < age[p]) age[p] = o.age[p], changed = true;
        return changed;
    }
    void pass(unsigned cycles) {
        for (uint8_t& a : age)
            a = uint8_t(std::min<unsigned>(a + cycles, kOld));
    }
};

class Walker {
  public:
    std::string run(std::span<const uint64_t> code, std::span<const TexturePrefetch> prefetches) {
        for (const uint64_t word : code) {
            Instr i;
            isa::Error error;
            if (!isa::decode(word, &i, &error)) return std::string("no instruction: ") + error.reason;
            code_.push_back(i);
        }
        at_.resize(code_.size() + 1);
        at_[0].reached = true;
        for (const TexturePrefetch& p : prefetches)
            for (unsigned c = 0; c < 4; c++) {
                const Operand o = operand_of(p.reg + c, p.half, 1);
                for (unsigned k = o.first; p.mask >> c & 1 && k < o.first + o.count; k++)
                    at_[0].sy[k] = 1;
            }
        std::vector<size_t> todo{0};
        while (!todo.empty() && broken_.empty()) {
            const size_t n = todo.back();
            todo.pop_back();
            if (n >= code_.size()) return "the code runs over its end";
            State s = at_[n];
            step(n, s);
            const isa::OpInfo& row = code_[n].info();
            const bool jumps = row.has_offset() && row.category == 0;
            if (jumps) follow(int64_t(n) + code_[n].offset, s, todo);
            if (!row.is(isa::kEndsProgram) && code_[n].op != Op::kJump) follow(int64_t(n) + 1, s, todo);
        }
        return broken_;
    }

  private:
    void follow(int64_t to, const State& s, std::vector<size_t>& todo) {
        if (to < 0 || to >= int64_t(code_.size())) {
            fail(size_t(0), "a jump out of the code", {});
        } else if (at_[size_t(to)].merge(s)) {
            todo.push_back(size_t(to));
        }
    }
    void fail(size_t n, const char* why, Operand o) {
        if (!broken_.empty()) return;
        broken_ = std::to_string(n) + ": ";
        isa::print(code_[n], &broken_);
        broken_ += std::string(": ") + why + " (half " + std::to_string(o.first) + ")";
    }
    void step(size_t n, State& s) {
        const Instr& i = code_[n];
        const isa::OpInfo& row = i.info();
        if (row.has(isa::Field::kSs) && i.ss()) s.ss.fill(0), s.read_ss.fill(0), s.read_any.fill(0);
        if (i.sy()) s.sy.fill(0), s.read_any.fill(0);
        for_each_source(i,
                        [&](Operand o, unsigned source, unsigned repeat) { read(n, s, o, source, repeat); });
        for_each_dest(i, [&](Operand o, unsigned) {
            for (unsigned p = o.first; p < o.first + o.count; p++) {
                if (p != kConstants && (s.ss[p] || s.sy[p]))
                    fail(n, "writes what another instruction will write", o);
                if (s.read_ss[p] || s.read_any[p])
                    fail(n, "writes what another instruction may not have read", o);
            }
        });
        const bool alu = row.category >= 1 && row.category <= 3;
        const bool counts = alu || (row.category == 0 && !row.has_offset());
        const unsigned repeat = row.has(isa::Field::kRepeat) && (alu || i.op == Op::kNop) ? i.repeat() : 0;
        const unsigned nop = row.has(isa::Field::kNop) ? i.nop() : 0;
        if (counts) s.pass(1 + repeat);
        for_each_dest(i, [&](Operand o, unsigned k) {
            for (unsigned p = o.first; p < o.first + o.count; p++) {
                s.age[p] = row.unit == isa::Unit::kAlu ? uint8_t(repeat - std::min(k, repeat)) : State::kOld;
                s.wide[p] = o.half ? 1 : 2;
                s.ss[p] = row.sync == Sync::kSs;
                s.sy[p] = row.sync == Sync::kSy;
            }
        });
        s.pass(nop);
        if (!row.is(isa::kReadsLate)) return;
        for_each_source(i, [&](Operand o, unsigned, unsigned) {
            for (unsigned p = o.first; p < o.first + o.count; p++)
                (row.sync == Sync::kSy ? s.read_any : s.read_ss)[p] = 1;
        });
    }
    void read(size_t n, State& s, Operand o, unsigned source, unsigned repeat) {
        const isa::OpInfo& row = code_[n].info();
        for (unsigned p = o.first; p < o.first + o.count; p++) {
            if (s.ss[p]) fail(n, "reads before (ss)", o);
            if (s.sy[p]) fail(n, "reads before (sy)", o);
            unsigned wanted = isa::delay(Op::kMov, code_[n].op, source);
            if (p == kAddress || p == kAddress + 1) wanted = isa::kAddressDelay;
            constexpr unsigned kOtherWidth = 3;
            if (p < kHalves && wanted && row.unit == isa::Unit::kAlu && s.wide[p] &&
                s.wide[p] != (o.half ? 1 : 2))
                wanted += kOtherWidth;
            if (s.age[p] < State::kOld && s.age[p] + repeat < wanted) fail(n, "reads too early", o);
        }
    }

    std::vector<Instr> code_;
    std::vector<State> at_;
    std::string broken_;
};

}  // namespace

std::string find_hazard(std::span<const uint64_t> code, std::span<const TexturePrefetch> prefetches) {
    return Walker{}.run(code, prefetches);
}

}  // namespace terrazzo::adreno::compiler
