// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// An instruction word of any length: a uint64_t for up to 64 bits, otherwise several limbs. If the lengths in
// a table differ, all words have the type of the longest one; a shorter word has zeros above its end. A
// program in memory is a sequence of units of 16, 32 or 64 bits; a word's lowest bits come first.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace terrazzo::isa {

/// A word of more than 64 bits: limbs of 64 bits, the lowest first.
template <unsigned kBits>
struct LongWord {
    static constexpr unsigned kLimbs = (kBits + 63) / 64;
    std::array<uint64_t, kLimbs> limbs{};

    constexpr LongWord() = default;
    constexpr LongWord(uint64_t low) { limbs[0] = low; }
    /// The lowest 64 bits.
    constexpr explicit operator uint64_t() const { return limbs[0]; }
    constexpr explicit operator bool() const { return !(*this == LongWord()); }
    constexpr bool operator==(const LongWord&) const = default;

    constexpr LongWord& operator|=(const LongWord& other) {
        for (unsigned i = 0; i < kLimbs; i++)
            limbs[i] |= other.limbs[i];
        return *this;
    }
    constexpr LongWord& operator&=(const LongWord& other) {
        for (unsigned i = 0; i < kLimbs; i++)
            limbs[i] &= other.limbs[i];
        return *this;
    }
    constexpr LongWord& operator^=(const LongWord& other) {
        for (unsigned i = 0; i < kLimbs; i++)
            limbs[i] ^= other.limbs[i];
        return *this;
    }
    friend constexpr LongWord operator|(LongWord a, const LongWord& b) { return a |= b; }
    friend constexpr LongWord operator&(LongWord a, const LongWord& b) { return a &= b; }
    friend constexpr LongWord operator^(LongWord a, const LongWord& b) { return a ^= b; }
    /// Also sets the bits above kBits: use it to clear bits of another word.
    friend constexpr LongWord operator~(LongWord a) {
        for (uint64_t& limb : a.limbs)
            limb = ~limb;
        return a;
    }
    friend constexpr LongWord operator<<(const LongWord& a, unsigned by) {
        LongWord out;
        const unsigned limbs = by / 64, bits = by % 64;
        for (unsigned i = limbs; i < kLimbs; i++) {
            out.limbs[i] = a.limbs[i - limbs] << bits;
            if (bits && i > limbs) out.limbs[i] |= a.limbs[i - limbs - 1] >> (64 - bits);
        }
        return out;
    }
    friend constexpr LongWord operator>>(const LongWord& a, unsigned by) {
        LongWord out;
        const unsigned limbs = by / 64, bits = by % 64;
        for (unsigned i = limbs; i < kLimbs; i++) {
            out.limbs[i - limbs] = a.limbs[i] >> bits;
            if (bits && i + 1 < kLimbs) out.limbs[i - limbs] |= a.limbs[i + 1] << (64 - bits);
        }
        return out;
    }
};

template <unsigned kBits>
using Word = std::conditional_t<(kBits <= 64), uint64_t, LongWord<kBits>>;

/// The number of bits of a word type.
template <typename W>
inline constexpr unsigned kWordBits = 64;
template <unsigned kBits>
inline constexpr unsigned kWordBits<LongWord<kBits>> = kBits;

/// The lowest `length` bits of the word; the others are zero.
template <typename W>
constexpr W cut_word(const W& word, unsigned length) {
    return length < kWordBits<W> ? word & ~(~W{} << length) : word;
}

/// The first bits of a program as one word. Units beyond the program's end read as 0.
template <typename W, typename Unit>
[[nodiscard]] constexpr W load_word(std::span<const Unit> units) {
    constexpr unsigned kUnitBits = 8 * sizeof(Unit);
    W word{};
    for (size_t i = 0; i < units.size() && i < kWordBits<W> / kUnitBits; i++)
        word |= W(units[i]) << unsigned(i * kUnitBits);
    return word;
}

/// Appends the lowest `length` bits of the word. `length` is a multiple of the unit's bits.
template <typename W, typename Unit>
void append_word(const W& word, unsigned length, std::vector<Unit>* out) {
    constexpr unsigned kUnitBits = 8 * sizeof(Unit);
    for (unsigned at = 0; at < length; at += kUnitBits)
        out->push_back(Unit(uint64_t(word >> at)));
}

}  // namespace terrazzo::isa
