// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The encoding of visibility streams.
#include <algorithm>
#include <bit>

#include "drivers/adreno/sim/geometry/visibility.h"

namespace terrazzo::adreno::sim {

void BitWriter::bits(uint32_t value, unsigned count) {
    for (unsigned done = 0; done < count;) {
        const unsigned at = unsigned(size_ % 32), n = std::min(32 - at, count - done);
        if (at == 0) words_.push_back(0);
        const uint32_t part = uint32_t(uint64_t(value) >> done & ((uint64_t(1) << n) - 1));
        words_.back() |= part << at;
        size_ += n;
        done += n;
    }
}

void BitWriter::number(uint32_t n) {
    const unsigned digits = unsigned(std::bit_width(n));
    bits(0, digits - 1);
    bits(1, 1);
    bits(n & ~(1u << (digits - 1)), digits - 1);
}

void BitWriter::field(uint32_t mask, unsigned tiles) {
    bits(mask != 0, 1);
    if (mask) bits(mask, tiles);
}

void BitWriter::clear() {
    words_.clear();
    size_ = 0;
}

uint32_t BitReader::bits(unsigned count) {
    uint32_t value = 0;
    for (unsigned done = 0; done < count;) {
        if (at_end()) return value;
        const unsigned at = unsigned(at_ % 32), n = std::min(32 - at, count - done);
        const uint32_t part = uint32_t(words_[size_t(at_ / 32)] >> at & ((uint64_t(1) << n) - 1));
        value |= part << done;
        at_ += n;
        done += n;
    }
    return value;
}

uint32_t BitReader::number() {
    if (at_end()) return 0;
    unsigned digits = 1;
    while (!at_end() && bits(1) == 0)
        if (++digits > 32) return 0;
    if (at_end() && digits > 1) return 0;
    return 1u << (digits - 1) | bits(digits - 1);
}

uint32_t BitReader::field(unsigned tiles) {
    return bits(1) ? bits(tiles) : 0;
}

}  // namespace terrazzo::adreno::sim
