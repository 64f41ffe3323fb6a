// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A field of an instruction word of up to 64 bits, and the checks that tables of such fields must pass when
// they are compiled: no field overlaps another one, and no two rows match the same word.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace terrazzo::isa {

/// Bits [start, start + width) of a word; a field of width 0 is absent: it reads as 0 and stores nothing.
struct Bits {
    uint8_t start = 0;
    uint8_t width = 0;

    constexpr explicit operator bool() const { return width != 0; }
    /// The largest value that fits.
    constexpr uint64_t max() const { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
    constexpr uint64_t mask() const { return width ? max() << start : 0; }
    constexpr uint64_t get(uint64_t word) const { return width ? (word >> start) & max() : 0; }
    /// The value at its place; what does not fit is cut off.
    constexpr uint64_t put(uint64_t value) const { return width ? (value & max()) << start : 0; }
    /// As get(), of a two's complement number.
    constexpr int64_t get_signed(uint64_t word) const {
        const uint64_t value = get(word), sign = width ? uint64_t{1} << (width - 1) : 0;
        return int64_t((value ^ sign) - sign);
    }
};

/// Collects the fields of one row; `disjoint` is false once a bit was claimed twice or lies beyond the word.
struct Claims {
    uint64_t used = 0;
    bool disjoint = true;

    constexpr void claim(uint64_t mask) {
        disjoint &= (used & mask) == 0;
        used |= mask;
    }
    constexpr void claim(Bits bits) {
        disjoint &= bits.start + bits.width <= 64;
        claim(bits.mask());
    }
};

/// What tells a row from others: a word is of the row if (word & mask) == value.
struct Match {
    uint64_t mask = 0, value = 0;

    constexpr bool matches(uint64_t word) const { return (word & mask) == value; }
    /// True if some word is of both rows.
    constexpr bool overlaps(const Match& other) const {
        return ((value ^ other.value) & mask & other.mask) == 0;
    }
    /// Demands more of a word; false if that contradicts, or repeats, what is demanded already.
    constexpr bool demand(Bits bits, uint64_t v) {
        if (v > bits.max() || (mask & bits.mask())) {
            return false;
        }
        mask |= bits.mask();
        value |= bits.put(v);
        return true;
    }
};

}  // namespace terrazzo::isa
