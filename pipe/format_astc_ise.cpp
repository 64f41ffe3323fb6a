// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Integer sequence decoding and the two unquantisation tables.
#include "pipe/format_astc_ise.h"

#include <cstring>

namespace terrazzo::pipe::detail {

namespace {

constexpr unsigned bit(unsigned v, unsigned i) {
    return v >> i & 1;
}
constexpr unsigned span(unsigned v, unsigned high, unsigned low) {
    return v >> low & ((1u << (high - low + 1)) - 1);
}

// Unpacks five trits of eight bits, and three quints of seven: section 23.12.
void decode_trits(unsigned t, unsigned out[5]) {
    unsigned c;
    if (span(t, 4, 2) == 7) {
        c = span(t, 7, 5) << 2 | span(t, 1, 0);
        out[4] = out[3] = 2;
    } else {
        c = span(t, 4, 0);
        if (span(t, 6, 5) == 3)
            out[4] = 2, out[3] = bit(t, 7);
        else
            out[4] = bit(t, 7), out[3] = span(t, 6, 5);
    }
    if (span(c, 1, 0) == 3) {
        out[2] = 2, out[1] = bit(c, 4);
        out[0] = bit(c, 3) << 1 | (bit(c, 2) & ~bit(c, 3) & 1);
    } else if (span(c, 3, 2) == 3) {
        out[2] = 2, out[1] = 2, out[0] = span(c, 1, 0);
    } else {
        out[2] = bit(c, 4), out[1] = span(c, 3, 2);
        out[0] = bit(c, 1) << 1 | (bit(c, 0) & ~bit(c, 1) & 1);
    }
}

void decode_quints(unsigned q, unsigned out[3]) {
    if (span(q, 2, 1) == 3 && span(q, 6, 5) == 0) {
        const unsigned not0 = ~bit(q, 0) & 1;
        out[2] = bit(q, 0) << 2 | (bit(q, 4) & not0) << 1 | (bit(q, 3) & not0);
        out[1] = out[0] = 4;
        return;
    }
    unsigned c;
    if (span(q, 2, 1) == 3) {
        out[2] = 4;
        c = span(q, 4, 3) << 3 | (~span(q, 6, 5) & 3) << 1 | bit(q, 0);
    } else {
        out[2] = span(q, 6, 5);
        c = span(q, 4, 0);
    }
    if (span(c, 2, 0) == 5)
        out[1] = 4, out[0] = span(c, 4, 3);
    else
        out[1] = span(c, 4, 3), out[0] = span(c, 2, 0);
}

class Reader {
  public:
    Reader(const AstcBits& bits, unsigned at, unsigned end) : bits_(bits), at_(at), end_(end) {}
    unsigned take(unsigned count) {
        const unsigned left = at_ < end_ ? end_ - at_ : 0;
        const unsigned v = bits_.get(at_, count < left ? count : left);
        at_ += count;
        return v;
    }

  private:
    const AstcBits& bits_;
    unsigned at_, end_;
};

// Expands a pattern of section 23.13's tables, most significant bit first: a letter is a bit of `number` (a =
// bit 0), '0' is zero.
unsigned spread(const char* pattern, unsigned number) {
    unsigned v = 0;
    for (; *pattern; ++pattern)
        v = v << 1 | (*pattern == '0' ? 0 : bit(number, unsigned(*pattern - 'a')));
    return v;
}

struct Unquantize {
    const char* pattern;
    unsigned scale;
};
// By number of bits.
constexpr Unquantize kColorTrit[7] = {{},
                                      {"000000000", 204},
                                      {"b000b0bb0", 93},
                                      {"cb000cbcb", 44},
                                      {"dcb000dcb", 22},
                                      {"edcb000ed", 11},
                                      {"fedcb000f", 5}};
constexpr Unquantize kColorQuint[6] = {
    {}, {"000000000", 113}, {"b0000bb00", 54}, {"cb0000cbc", 26}, {"dcb0000dc", 13}, {"edcb0000e", 6}};
constexpr Unquantize kWeightTrit[4] = {{}, {"0000000", 50}, {"b000b0b", 23}, {"cb000cb", 11}};
constexpr Unquantize kWeightQuint[3] = {{}, {"0000000", 28}, {"b0000b0", 13}};

// Repeats the bits of a number until there are `width` bits.
unsigned replicate(unsigned number, unsigned bits, unsigned width) {
    unsigned v = 0, have = 0;
    while (have < width) {
        v = v << bits | number;
        have += bits;
    }
    return v >> (have - width);
}

}  // namespace

AstcBits astc_load(const void* block) {
    AstcBits b;
    std::memcpy(&b.low, block, 8);
    std::memcpy(&b.high, static_cast<const uint8_t*>(block) + 8, 8);
    return b;
}

AstcBits astc_reverse(const AstcBits& bits) {
    const auto reverse = [](uint64_t v) {
        uint64_t r = 0;
        for (int i = 0; i < 64; ++i)
            r |= (v >> i & 1) << (63 - i);
        return r;
    };
    return {reverse(bits.high), reverse(bits.low)};
}

unsigned astc_sequence_bits(AstcRange range, unsigned count) {
    return count * range.bits + (range.trits ? (8 * count + 4) / 5 : 0) +
           (range.quints ? (7 * count + 2) / 3 : 0);
}

void astc_read_sequence(const AstcBits& bits, unsigned at, AstcRange range, unsigned count, uint8_t* out) {
    Reader reader(bits, at, at + astc_sequence_bits(range, count));
    if (!range.trits && !range.quints) {
        for (unsigned i = 0; i < count; ++i)
            out[i] = uint8_t(reader.take(range.bits));
        return;
    }
    // The number of bits of the shared number that follow each value's own bits.
    constexpr unsigned kTritBits[5] = {2, 2, 1, 2, 1}, kQuintBits[3] = {3, 2, 2};
    const unsigned group = range.trits ? 5 : 3;
    const unsigned* shared_bits = range.trits ? kTritBits : kQuintBits;
    for (unsigned first = 0; first < count; first += group) {
        unsigned own[5], digit[5], shared = 0, have = 0;
        for (unsigned i = 0; i < group; ++i) {
            own[i] = reader.take(range.bits);
            shared |= reader.take(shared_bits[i]) << have;
            have += shared_bits[i];
        }
        if (range.trits)
            decode_trits(shared, digit);
        else
            decode_quints(shared, digit);
        for (unsigned i = 0; i < group && first + i < count; ++i)
            out[first + i] = uint8_t(digit[i] << range.bits | own[i]);
    }
}

uint8_t astc_color_value(AstcRange range, uint8_t number) {
    if (!range.trits && !range.quints) return uint8_t(replicate(number, range.bits, 8));
    const Unquantize& u = range.trits ? kColorTrit[range.bits] : kColorQuint[range.bits];
    const unsigned a = bit(number, 0) ? 0x1ffu : 0u, digit = number >> range.bits;
    const unsigned t = (digit * u.scale + spread(u.pattern, number)) ^ a;
    return uint8_t((a & 0x80u) | (t >> 2));
}

uint8_t astc_weight_value(AstcRange range, uint8_t number) {
    unsigned v;
    if (!range.trits && !range.quints) {
        v = replicate(number, range.bits, 6);
    } else if (range.bits == 0) {
        constexpr uint8_t kThree[3] = {0, 32, 63}, kFive[5] = {0, 16, 32, 47, 63};
        v = range.trits ? kThree[number] : kFive[number];
    } else {
        const Unquantize& u = range.trits ? kWeightTrit[range.bits] : kWeightQuint[range.bits];
        const unsigned a = bit(number, 0) ? 0x7fu : 0u, digit = number >> range.bits;
        const unsigned t = (digit * u.scale + spread(u.pattern, number)) ^ a;
        v = (a & 0x20u) | (t >> 2);
    }
    return uint8_t(v > 32 ? v + 1 : v);
}

}  // namespace terrazzo::pipe::detail
