// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A field of an instruction word, whole or in pieces, and the compile-time checks of tables of fields: no
// field overlaps another one, and no two rows match the same word. W is the type of the words (word.h).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "drivers/common/isa/word.h"

namespace terrazzo::isa {

/// Bits [start, start + width) of a word, at most 64 of them. A field of width 0 is absent: it reads as 0 and
/// stores nothing.
struct Bits {
    uint8_t start = 0;
    uint8_t width = 0;

    constexpr explicit operator bool() const { return width != 0; }
    /// The largest value that fits.
    constexpr uint64_t max() const { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
    template <typename W = uint64_t>
    constexpr W mask() const {
        return width ? W(max()) << start : W{};
    }
    template <typename W>
    constexpr uint64_t get(const W& word) const {
        return width ? uint64_t(word >> start) & max() : 0;
    }
    /// The value, shifted to the field's place. Bits that do not fit are cut off.
    template <typename W = uint64_t>
    constexpr W put(uint64_t value) const {
        return width ? W(value & max()) << start : W{};
    }
    /// Like get(), for a two's complement number.
    template <typename W>
    constexpr int64_t get_signed(const W& word) const {
        const uint64_t value = get(word), sign = width ? uint64_t{1} << (width - 1) : 0;
        return int64_t((value ^ sign) - sign);
    }
};

/// A field whose bits lie at up to three places of the word, the lowest first. Together at most 64 bits.
struct SplitBits {
    std::array<Bits, 3> pieces{};

    constexpr SplitBits() = default;
    constexpr SplitBits(Bits low, Bits middle = {}, Bits high = {}) : pieces{low, middle, high} {}

    constexpr unsigned width() const {
        unsigned sum = 0;
        for (Bits piece : pieces)
            sum += piece.width;
        return sum;
    }
    constexpr explicit operator bool() const { return width() != 0; }
    /// The largest value that fits.
    constexpr uint64_t max() const { return Bits{0, uint8_t(width())}.max(); }
    template <typename W>
    constexpr uint64_t get(const W& word) const {
        uint64_t value = 0;
        unsigned at = 0;
        for (Bits piece : pieces) {
            if (!piece) continue;
            value |= piece.get(word) << at;
            at += piece.width;
        }
        return value;
    }
    /// The value's bits at their places. Bits that do not fit are cut off.
    template <typename W>
    constexpr W put(uint64_t value) const {
        W word{};
        for (Bits piece : pieces) {
            if (!piece) continue;
            word |= piece.put<W>(value);
            value = piece.width < 64 ? value >> piece.width : 0;
        }
        return word;
    }
    /// Like get(), for a two's complement number.
    template <typename W>
    constexpr int64_t get_signed(const W& word) const {
        return Bits{0, uint8_t(width())}.get_signed(get(word));
    }
};

/// Collects the fields of one row. `disjoint` becomes false if a bit is claimed twice, or if it lies beyond
/// the instruction's length.
template <typename W>
struct Claims {
    W used{};
    unsigned length = kWordBits<W>;  // bits of the instruction
    bool disjoint = true;

    constexpr void claim(Bits bits) {
        const W mask = bits.mask<W>();
        disjoint &= bits.start + bits.width <= length && !bool(used & mask);
        used |= mask;
    }
    constexpr void claim(const SplitBits& bits) {
        for (Bits piece : bits.pieces)
            claim(piece);
    }
};

/// The bits that identify a row: a word matches the row if (word & mask) == value.
template <typename W>
struct Match {
    W mask{}, value{};

    constexpr bool matches(const W& word) const { return (word & mask) == value; }
    /// True if some word matches both rows.
    constexpr bool overlaps(const Match& other) const {
        return !bool((value ^ other.value) & mask & other.mask);
    }
    /// Adds a field to the match. False: the value does not fit, or the match has some of these bits already.
    constexpr bool demand(Bits bits, uint64_t v) {
        if (v > bits.max() || bool(mask & bits.mask<W>())) {
            return false;
        }
        mask |= bits.mask<W>();
        value |= bits.put<W>(v);
        return true;
    }
};

}  // namespace terrazzo::isa
