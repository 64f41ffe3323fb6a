// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sets of lanes of a wave, and vectors of its lanes. The set of a wave with at most 32 lanes is a uint32_t.
#pragma once

#include <bit>
#include <cstdint>

#include "drivers/common/wave/lanes.h"

namespace terrazzo::wave {

/// Lanes are stored in groups: one vector of the host each.
inline constexpr unsigned kMaxLanes = 128, kGroupLanes = kLanes, kMaxGroups = kMaxLanes / kGroupLanes;

/// A bit per lane.
struct LaneMask {
    uint64_t word[2] = {};

    /// Lanes 0 to count - 1.
    static constexpr LaneMask first(unsigned count) {
        const auto low = [](unsigned n) { return n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1; };
        return {{low(count), count > 64 ? low(count - 64) : 0}};
    }
    constexpr bool any() const { return (word[0] | word[1]) != 0; }
    constexpr bool has(unsigned lane) const { return word[lane / 64] >> lane % 64 & 1; }
    constexpr void set(unsigned lane) { word[lane / 64] |= uint64_t(1) << lane % 64; }
    /// The bits of the 16 lanes of a group.
    constexpr uint32_t group(unsigned g) const { return uint32_t(word[g / 4] >> g % 4 * 16) & 0xffff; }
    constexpr void set_group(unsigned g, uint32_t bits) {
        const unsigned at = g % 4 * 16;
        word[g / 4] = (word[g / 4] & ~(uint64_t(0xffff) << at)) | uint64_t(bits) << at;
    }
    constexpr LaneMask operator&(const LaneMask& o) const {
        return {{word[0] & o.word[0], word[1] & o.word[1]}};
    }
    constexpr LaneMask operator|(const LaneMask& o) const {
        return {{word[0] | o.word[0], word[1] | o.word[1]}};
    }
    constexpr LaneMask operator~() const { return {{~word[0], ~word[1]}}; }
    /// The lowest lane of a set, which must not be empty.
    constexpr unsigned lowest() const {
        return unsigned(word[0] ? std::countr_zero(word[0]) : 64 + std::countr_zero(word[1]));
    }
    constexpr unsigned count() const { return unsigned(std::popcount(word[0]) + std::popcount(word[1])); }
    constexpr void clear(unsigned lane) { word[lane / 64] &= ~(uint64_t(1) << lane % 64); }
    bool operator==(const LaneMask&) const = default;
};

/// The lanes whose value in a row is not zero.
inline LaneMask lanes_of(const U32* row, unsigned groups) {
    LaneMask lanes;
    for (unsigned g = 0; g < groups; ++g)
        lanes.set_group(g, bits_of(row[g]));
    return lanes;
}

/// The lowest lane of a set, which must not be empty.
inline unsigned lowest(uint32_t lanes) {
    return unsigned(std::countr_zero(lanes));
}
inline unsigned lowest(const LaneMask& lanes) {
    return lanes.lowest();
}
/// Calls f(lane) for each lane of the set, the lowest first.
template <class F>
void each_lane(uint32_t lanes, F&& f) {
    for (; lanes; lanes &= lanes - 1)
        f(unsigned(std::countr_zero(lanes)));
}
template <class F>
void each_lane(const LaneMask& lanes, F&& f) {
    for (unsigned w = 0; w < 2; ++w)
        for (uint64_t left = lanes.word[w]; left; left &= left - 1)
            f(64 * w + unsigned(std::countr_zero(left)));
}
/// The same until f(lane) is false; returns whether it never was.
template <class F>
bool every_lane(const LaneMask& lanes, F&& f) {
    for (unsigned w = 0; w < 2; ++w)
        for (uint64_t left = lanes.word[w]; left; left &= left - 1)
            if (!f(64 * w + unsigned(std::countr_zero(left)))) return false;
    return true;
}

/// A word of each of a wave's lanes.
using WaveWords = U32[kMaxGroups];

inline uint32_t at(const U32* v, unsigned lane) {
    return v[lane / kGroupLanes][lane % kGroupLanes];
}
inline void put_at(U32* v, unsigned lane, uint32_t value) {
    v[lane / kGroupLanes][lane % kGroupLanes] = value;
}
/// Those of the lanes that have the value.
inline LaneMask lanes_with(const U32* v, uint32_t value, const LaneMask& lanes, unsigned groups) {
    LaneMask out;
    for (unsigned g = 0; g < groups; ++g)
        out.set_group(g, lanes.group(g) & ~bits_of(v[g] ^ value));
    return out;
}
/// Calls f(lane, same) for each set of the lanes that have the same values in `a` and, unless null, `b`;
/// `lane` is the lowest one. Stops where f returns false; returns whether it never did.
template <class F>
bool each_value(const U32* a, const U32* b, const LaneMask& lanes, unsigned groups, F&& f) {
    for (LaneMask left = lanes; left.any();) {
        const unsigned lane = left.lowest();
        LaneMask same = lanes_with(a, at(a, lane), left, groups);
        if (b) same = lanes_with(b, at(b, lane), same, groups);
        if (!f(lane, same)) return false;
        left = left & ~same;
    }
    return true;
}

}  // namespace terrazzo::wave
