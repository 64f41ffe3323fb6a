// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sets of registers, and the registers that a wave has in flight: those with reads or writes for which no
// instruction has waited. The lanes of these accesses are kept, too: an access by the lanes on one side of a
// branch is no hazard for the lanes on the other side.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace terrazzo::core {

/// A bit for each of kCount registers, or parts of registers: units.
template <unsigned kCount>
struct RegisterSet {
    static constexpr unsigned kWords = (kCount + 63) / 64;
    uint64_t word[kWords] = {};

    void add(unsigned first, unsigned count) {
        for (unsigned u = first; u < first + count; ++u)
            word[u / 64] |= uint64_t(1) << u % 64;
    }
    void clear() { std::fill_n(word, kWords, uint64_t(0)); }
    [[nodiscard]] bool has(unsigned unit) const { return word[unit / 64] >> unit % 64 & 1; }
    [[nodiscard]] bool intersects(const RegisterSet& o) const {
        uint64_t both = 0;
        for (unsigned i = 0; i < kWords; ++i)
            both |= word[i] & o.word[i];
        return both != 0;
    }
    bool operator==(const RegisterSet&) const = default;
};

/// Mask: a set of lanes; Mask{} is empty.
template <unsigned kCount, class Mask>
class InFlight {
  public:
    using Set = RegisterSet<kCount>;

    [[nodiscard]] bool any() const { return any_; }
    /// The registers that are in flight for any lane.
    [[nodiscard]] const Set& all() const { return set_; }
    /// Whether one of the registers is in flight, for any lane.
    [[nodiscard]] bool intersects(const Set& registers) const { return any_ && set_.intersects(registers); }
    /// Returns those of `registers` that are in flight for some of `lanes`.
    [[nodiscard]] Set find(const Set& registers, const Mask& lanes) const {
        Set out;
        if (!any_) return out;
        const bool in_common = (common_ & lanes) != Mask{};
        for (unsigned w = 0; w < Set::kWords; ++w) {
            const uint64_t some = registers.word[w] & set_.word[w];
            out.word[w] = in_common ? some & ~own_.word[w] : 0;
            for (uint64_t left = some & own_.word[w]; left; left &= left - 1)
                if ((lanes_[64 * w + unsigned(std::countr_zero(left))] & lanes) != Mask{})
                    out.word[w] |= left & (0 - left);
        }
        return out;
    }
    /// The first of consecutive registers that is in flight for some of the lanes; -1: none.
    [[nodiscard]] int find(unsigned first, unsigned count, const Mask& lanes) const {
        for (unsigned u = first; any_ && u < first + count; ++u)
            if (set_.has(u) && ((own_.has(u) ? lanes_[u] : common_) & lanes) != Mask{}) return int(u);
        return -1;
    }

    void add(const Set& registers, const Mask& lanes) {
        begin(lanes);
        for (unsigned w = 0; w < Set::kWords; ++w) {
            const uint64_t own = lanes == common_ ? registers.word[w] & own_.word[w] : registers.word[w];
            for (uint64_t left = own; left; left &= left - 1)
                add_own(64 * w + unsigned(std::countr_zero(left)), lanes);
            set_.word[w] |= registers.word[w];
        }
    }
    void add(unsigned first, unsigned count, const Mask& lanes) {
        begin(lanes);
        for (unsigned u = first; u < first + count; ++u)
            if (lanes != common_ || own_.has(u)) add_own(u, lanes);
        set_.add(first, count);
    }
    /// Accesses of these lanes to the registers are no longer in flight.
    void remove(const Set& registers, const Mask& lanes) {
        for (unsigned w = 0; any_ && w < Set::kWords; ++w) {
            const uint64_t some = registers.word[w] & set_.word[w];
            uint64_t gone = (common_ & ~lanes) == Mask{} ? some & ~own_.word[w] : 0;
            for (uint64_t left = some & ~gone; left; left &= left - 1) {
                const unsigned u = 64 * w + unsigned(std::countr_zero(left));
                lanes_[u] = (own_.has(u) ? lanes_[u] : common_) & ~lanes;
                own_.word[w] |= left & (0 - left);
                if (lanes_[u] == Mask{}) gone |= left & (0 - left);
            }
            set_.word[w] &= ~gone;
            own_.word[w] &= ~gone;
        }
    }
    void clear() {
        if (!any_) return;
        any_ = false;
        set_.clear();
        own_.clear();
    }

  private:
    void begin(const Mask& lanes) {
        if (!any_) common_ = lanes;
        any_ = true;
    }
    void add_own(unsigned u, const Mask& lanes) {
        const Mask before = !set_.has(u) ? Mask{} : own_.has(u) ? lanes_[u] : common_;
        lanes_[u] = before | lanes;
        own_.add(u, 1);
    }

    bool any_ = false;
    Mask common_{};  // the lanes of the registers of set_ that are not in own_
    Set set_, own_;  // own_: the registers of set_ whose lanes are in lanes_
    Mask lanes_[kCount] = {};
};

}  // namespace terrazzo::core
