// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Nodes in the order in which they begin to live take the lowest registers that are free wherever they live
// (ranges have holes). Moves between words that never live at the same time make them one word before that:
// the moves that gather staging registers and those that phis became mostly vanish. Words that are moved to
// or from words with registers try these first: vectors that are stored as they were loaded stay where they
// are.
#include "drivers/mali/compiler/allocate.h"

#include <algorithm>

#include "drivers/common/backend/liveness.h"

namespace terrazzo::mali::compiler {

namespace {

using backend::Ranges;

constexpr uint8_t kNoRegister = 0xff;
constexpr uint64_t kHalfOfRegisters = 0xffff00000000ffffull, kRegistersOfBlendShaders = 0xffff;

class Allocator {
  public:
    explicit Allocator(Function& f)
        : f_(f), live_(backend::live_ranges(f)), same_(f.memory), partner_(f.memory) {
        for (uint32_t w = 0; w < f.words(); w++)
            same_.push_back(w);
    }
    void coalesce();
    /// For color(): which moves are left.
    void find_partners();
    /// Where it fails, `stuck` is the place that has more nodes than registers.
    bool color(uint64_t allowed, bool follow_moves, uint32_t* stuck);

  private:
    uint32_t root(uint32_t w) {
        while (same_[w] != w)
            w = same_[w] = same_[same_[w]];
        return w;
    }
    [[nodiscard]] const Function::Node& node(uint32_t w) const { return f_.nodes[f_.node_of[w]]; }
    /// Makes the node of `lone`, which has one word, part of another: word `into`.
    void join(uint32_t lone, uint32_t into) {
        same_[lone] = into;
        merge(live_[into], live_[lone]);
        live_[lone].clear();
    }

    /// The register at which the node of `count` words from `first` would make a move needless.
    /// kRegisterWords: none.
    uint32_t wanted(uint32_t first, uint32_t count, uint32_t step) const;

    Function& f_;
    std::pmr::vector<Ranges> live_;  // of roots
    std::pmr::vector<uint32_t> same_;
    std::pmr::vector<uint32_t> partner_;  // of roots: another that a move joins it with
};

void Allocator::coalesce() {
    for (Block& b : f_.blocks) {
        for (const Inst& i : b.insts) {
            if (!i.is_move()) continue;
            const uint32_t to = root(i.dest), from = root(i.src[0].index);
            if (to == from || overlap(live_[to], live_[from])) continue;
            if (from >= kRegisterWords && node(from).count == 1)
                join(from, to);
            else if (to >= kRegisterWords && node(to).count == 1)
                join(to, from);
        }
    }
}

void Allocator::find_partners() {
    partner_.assign(f_.words(), kNoWord);
    for (Block& b : f_.blocks)
        for (const Inst& i : b.insts) {
            if (!i.is_move()) continue;
            const uint32_t to = root(i.dest), from = root(i.src[0].index);
            if (to == from) continue;
            partner_[to] = from;
            partner_[from] = to;
        }
}

uint32_t Allocator::wanted(uint32_t first, uint32_t count, uint32_t step) const {
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t p = partner_[first + k];
        if (p == kNoWord || f_.reg[p] == kNoRegister || f_.reg[p] < k) continue;
        const uint32_t at = f_.reg[p] - k;
        if (at % step == 0 && at + count <= kRegisterWords) return at;
    }
    return kRegisterWords;
}

bool Allocator::color(uint64_t allowed, bool follow_moves, uint32_t* stuck) {
    std::pmr::vector<Ranges> busy(kRegisterWords, Ranges(f_.memory), f_.memory);
    for (uint32_t r = 0; r < kRegisterWords; r++)
        busy[r] = live_[r];
    struct Wish {
        uint32_t first, count, begin;
    };
    std::pmr::vector<Wish> wishes(f_.memory);
    for (const Function::Node& n : f_.nodes) {
        if (n.first < kRegisterWords) continue;
        uint32_t begin = ~0u;
        for (uint32_t k = 0; k < n.count; k++)
            if (same_[n.first + k] == n.first + k && !live_[n.first + k].empty())
                begin = std::min(begin, live_[n.first + k].front().begin);
        if (begin != ~0u) wishes.push_back({n.first, n.count, begin});
    }
    std::sort(wishes.begin(), wishes.end(), [](const Wish& a, const Wish& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.first < b.first;
    });
    f_.reg.assign(f_.words(), kNoRegister);
    for (uint32_t r = 0; r < kRegisterWords; r++)
        f_.reg[r] = uint8_t(r);
    for (const Wish& w : wishes) {
        const uint32_t step = w.count > 1 ? 2 : 1;
        uint32_t at = follow_moves ? wanted(w.first, w.count, step) : kRegisterWords;
        const auto fits = [&] {
            for (uint32_t k = 0; k < w.count; k++)
                if (!(allowed >> (at + k) & 1) || overlap(busy[at + k], live_[w.first + k])) return false;
            return true;
        };
        if (at == kRegisterWords || !fits()) at = 0;
        while (at + w.count <= kRegisterWords && !fits())
            at += step;
        if (at + w.count > kRegisterWords) {
            *stuck = w.begin;
            return false;
        }
        for (uint32_t k = 0; k < w.count; k++) {
            f_.reg[w.first + k] = uint8_t(at + k);
            merge(busy[at + k], live_[w.first + k]);
        }
    }
    for (uint32_t w = 0; w < f_.words(); w++) {
        const uint32_t r = root(w);
        f_.reg[w] = r < kRegisterWords ? uint8_t(r) : f_.reg[r] == kNoRegister ? 0 : f_.reg[r];
    }
    return true;
}

}  // namespace

void allocate(Function& f, bool blend, Spill spill, uint8_t* work_registers) {
    const auto color = [&](uint32_t* stuck) {
        Allocator a(f);
        a.coalesce();
        a.find_partners();
        const auto within = [&](uint64_t allowed) {
            return a.color(allowed, true, stuck) || a.color(allowed, false, stuck);
        };
        *work_registers = 32;
        if (blend) return within(kRegistersOfBlendShaders);
        if (within(kHalfOfRegisters)) return true;
        *work_registers = 64;
        return within(~0ull);
    };
    uint32_t stuck = 0;
    while (!color(&stuck))
        if (spill == Spill::No || blend || !spill_at(f, stuck))
            return f.fail("mali: the shader needs more registers at once than there are");
    for (Block& b : f.blocks)
        std::erase_if(b.insts,
                      [&](const Inst& i) { return i.is_move() && f.reg[i.dest] == f.reg[i.src[0].index]; });
}

}  // namespace terrazzo::mali::compiler
