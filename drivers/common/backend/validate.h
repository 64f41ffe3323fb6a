// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The validator checks rules that hold between passes. A branch is the last instruction of its block and its
// target exists. A word that is read was written on every path, or is a fixed one. In allocated code, in
// addition, each register belongs to its word's class, the registers of a run are consecutive, and each read
// finds the right value in its register. Debug builds validate after every pass.
#pragma once

#include "drivers/common/backend/liveness.h"

namespace terrazzo::backend {

/// %N for the word that begins node N, %N.1, %N.2, ... for the others, or, after allocation, the register.
template <Target T>
[[nodiscard]] std::string name_of(const Function<T>& f, Word word) {
    const Node& n = f.node(word);
    if (!f.is_fixed(word) && f.reg.empty())
        return "%" + std::to_string(number_of(n.first)) +
               (word != n.first ? "." + std::to_string(word - n.first) : "");
    const RegisterClass& c = f.class_of(word);
    return c.prefix +
           std::to_string(number_of(f.is_fixed(word) ? f.fixed_unit(word) : f.reg[word]) / c.width);
}

template <Target T>
class Validator {
  public:
    using Inst = typename T::Inst;

    explicit Validator(const Function<T>& f)
        : f_(f),
          allocated_(!f.reg.empty()),
          at_end_(f.blocks.size(), Bits(f.memory), f.memory),
          values_at_(T::kUnits, std::pmr::vector<Word>(f.memory), f.memory) {}

    /// Empty: the code is valid. Otherwise the block, the instruction, and the rule that it breaks.
    std::string run() {
        if (allocated_ && (f_.reg.size() != f_.words() || f_.same_value.size() > f_.words()))
            return "words that have no register";
        check_nodes();
        for (size_t b = 0; b < f_.blocks.size() && broken_.empty(); b++)
            for (size_t k = 0; k < f_.blocks[b].insts.size() && broken_.empty(); k++)
                check_form(b, k);
        if (broken_.empty()) check_values();
        return broken_;
    }

  private:
    /// The value of a word: words that were coalesced have the same value.
    [[nodiscard]] Word value(Word w) const {
        return number_of(w) < f_.same_value.size() ? f_.same_value[w] : w;
    }
    [[nodiscard]] std::string name(Word w) const {
        return name_of(f_, w) +
               (allocated_ && !f_.is_fixed(w) ? " (%" + std::to_string(number_of(w)) + ")" : "");
    }
    void fail(size_t b, size_t k, const std::string& why) {
        if (!broken_.empty()) return;
        broken_ = "block" + std::to_string(b) + ", instruction " + std::to_string(k) + ", " +
                  T::name(f_.blocks[b].insts[k]) + ": " + why;
    }

    // ---- Form ----

    void check_nodes() {
        for (const Node& n : f_.nodes) {
            const RegisterClass& row = T::kClasses[n.cls];
            for (const Word w : Words(n.first, allocated_ ? n.count : 0)) {
                if (!broken_.empty()) return;
                if (number_of(f_.reg[w]) % row.width || !row.holds(f_.reg[w], row.width))
                    broken_ = "%" + std::to_string(number_of(w)) + " has no register of its class";
                else
                    for (const Unit u : Units(f_.reg[w], row.width))
                        values_at_[u].push_back(w);
            }
        }
    }
    void check_form(size_t b, size_t k) {
        const auto& insts = f_.blocks[b].insts;
        const Inst& i = insts[k];
        const auto check_run = [&](Word first, uint32_t count) {
            for (const Word w : Words(first, count)) {
                if (number_of(w) >= f_.words()) return fail(b, k, "a word that is not there");
                if (w == first) continue;
                const bool adjacent = unit(w) == unit(w - 1) + f_.width(w - 1);
                if (!adjacent) return fail(b, k, name(w) + " is not adjacent to " + name(w - 1));
            }
            const bool aligned = count == 1 || unit(first) % f_.class_of(first).vector_align == 0;
            if (allocated_ && !aligned && !f_.is_fixed(first)) fail(b, k, name(first) + " begins no run");
        };
        T::for_each_read(i, check_run);
        T::for_each_write(i, check_run);
        if (!T::is_branch(i)) return;
        if (k + 1 != insts.size()) fail(b, k, "a branch before the block's end");
        if (T::branch_target(i) < 0 || size_t(T::branch_target(i)) >= f_.blocks.size())
            fail(b, k, "a branch to no block");
    }
    /// The first unit of the word's register. Before allocation it is a made-up number, consecutive in a
    /// node.
    [[nodiscard]] uint32_t unit(Word w) const {
        if (allocated_) return number_of(f_.reg[w]);
        if (f_.is_fixed(w)) return number_of(f_.fixed_unit(w));
        return T::kUnits * (uint32_t(f_.node_of[w]) + 1) + (w - f_.node(w).first) * f_.width(w);
    }

    // ---- Values ----

    /// Forward data flow: which words hold their value on all paths, one bit a word.
    void check_values() {
        const size_t n = (f_.words() + 63) / 64;
        for (bool changed = true; changed && broken_.empty();) {
            changed = false;
            for (size_t b = 0; b < f_.blocks.size(); b++) {
                Bits held = at_start(b, n);
                step(b, held, false);
                changed |= held != at_end_[b];
                at_end_[b] = std::move(held);
            }
        }
        for (size_t b = 0; b < f_.blocks.size(); b++) {
            Bits held = at_start(b, n);
            if (reached(b)) step(b, held, true);
        }
    }
    [[nodiscard]] bool reached(size_t b) const { return b == 0 || f_.blocks[b].entries; }
    /// The intersection over all predecessors. Predecessors that were not visited yet count as full sets.
    [[nodiscard]] Bits at_start(size_t b, size_t n) const {
        Bits held(n, b ? ~0ull : 0ull, f_.memory);
        for (const Node& node : f_.nodes)
            for (const Word w : Words(node.first, b == 0 && node.fixed ? node.count : 0))
                put(held, value(w));
        for (size_t from = 0; from < f_.blocks.size(); from++)
            for (int32_t next : f_.blocks[from].next)
                for (size_t k = 0; next == int32_t(b) && k < n && !at_end_[from].empty(); k++)
                    held[k] &= at_end_[from][k];
        return held;
    }
    void step(size_t b, Bits& held, bool check) {
        const auto& insts = f_.blocks[b].insts;
        for (size_t k = 0; k < insts.size(); k++) {
            const Inst& i = insts[k];
            T::for_each_read(i, [&](Word first, uint32_t count) {
                for (const Word w : Words(first, check ? count : 0))
                    if (!test(held, value(w)))
                        fail(b, k,
                             name(w) + (allocated_ ? " does not hold what is read" : " was not written"));
            });
            if (check && allocated_) check_writes(b, k);
            T::for_each_clobber(i, [&](Word first, uint32_t count) { lose(held, first, count); });
            T::for_each_write(i, [&](Word first, uint32_t count) {
                lose(held, first, count);
                for (const Word w : Words(first, count))
                    put(held, value(w));
            });
        }
    }
    /// The old values of registers that are written are lost.
    void lose(Bits& held, Word first, uint32_t count) {
        if (!allocated_) {
            for (const Word w : Words(first, count))
                drop(held, w);
            return;
        }
        for_each_unit(f_, first, count, [&](Unit u) {
            for (const Word w : values_at_[u])
                drop(held, value(w));
        });
    }
    /// An instruction must not write a register twice. One that writes early must not write a register from
    /// which it reads another value.
    void check_writes(size_t b, size_t k) {
        const Inst& i = f_.blocks[b].insts[k];
        UnitSet<T> written;
        T::for_each_write(i, [&](Word first, uint32_t count) {
            for_each_unit(f_, first, count, [&](Unit u) {
                if (written[u]) fail(b, k, name(first) + " is written twice");
                written[u] = true;
            });
            T::for_each_read(i, [&](Word from, uint32_t words) {
                for (const Word r : Words(from, T::writes_early(i) ? words : 0))
                    for (const Word w : Words(first, count))
                        if (value(r) != value(w) && f_.reg[r] < f_.reg[w] + f_.width(w) &&
                            f_.reg[w] < f_.reg[r] + f_.width(r))
                            fail(b, k, name(w) + " is written while " + name(r) + " is read");
            });
        });
    }

    const Function<T>& f_;
    const bool allocated_;
    std::string broken_;
    std::pmr::vector<Bits> at_end_;             // by block; empty: not visited yet
    ByUnit<std::pmr::vector<Word>> values_at_;  // words with that register
};

/// Validates linked code. Empty: it is valid; otherwise the place and the rule that is broken.
template <Target T>
[[nodiscard]] std::string validate(const Function<T>& f) {
    return Validator<T>(f).run();
}

/// Links and validates the code after a pass. If it is invalid, the function fails with the pass' name and
/// the rule.
template <Target T>
void validate_after(Function<T>& f, const char* pass) {
    if (!f.error.empty()) return;
    f.link();
    const std::string broken = validate(f);
    if (!broken.empty()) f.fail(std::string("after ") + pass + ": " + broken);
}

}  // namespace terrazzo::backend
