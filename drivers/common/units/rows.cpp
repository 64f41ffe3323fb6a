// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/rows.h"

#include <algorithm>
#include <cstring>

#include "drivers/common/units/color.h"
#include "drivers/common/units/quad_lanes.h"

namespace terrazzo::units {

bool is_unorm_bytes(const FormatReader& f) {
    const pipe::FormatInfo& info = pipe::format_info(f.format);
    if (info.layout != pipe::FormatLayout::Plain || info.is_srgb || info.is_depth_stencil()) return false;
    for (unsigned i = 0; i < info.channel_count; ++i)
        if (info.channel[i].bits != 8 || (info.channel[i].type != pipe::ChannelType::Unorm &&
                                          info.channel[i].type != pipe::ChannelType::None))
            return false;
    return true;
}

namespace {

// Whether byte n of a pixel is component n.
bool has_bytes_in_order(const FormatReader& f) {
    const pipe::FormatInfo& info = pipe::format_info(f.format);
    for (unsigned i = 0; i < info.channel_count; ++i)
        if (info.channel[i].shift != 8 * i || unsigned(info.swizzle[i]) != i) return false;
    return is_unorm_bytes(f);
}

// Copies pixels of which each byte of `to` is a byte of `from`, or constant.
template <unsigned kFrom_B, unsigned kTo_B>
void move_bytes(const uint8_t order[4], const uint8_t* from, uint32_t count, uint8_t* to) {
    for (uint32_t i = 0; i < count; ++i, from += kFrom_B, to += kTo_B) {
        const uint8_t bytes[6] = {from[0],
                                  kFrom_B > 1 ? from[1] : uint8_t(0),
                                  kFrom_B > 2 ? from[2] : uint8_t(0),
                                  kFrom_B > 3 ? from[3] : uint8_t(255),
                                  0,
                                  255};
        for (unsigned b = 0; b < kTo_B; ++b)
            to[b] = bytes[order[b]];
    }
}
using MoveBytes = void (*)(const uint8_t*, const uint8_t*, uint32_t, uint8_t*);
constexpr MoveBytes kMoveBytes[4][4] = {
    {move_bytes<1, 1>, move_bytes<1, 2>, move_bytes<1, 3>, move_bytes<1, 4>},
    {move_bytes<2, 1>, move_bytes<2, 2>, move_bytes<2, 3>, move_bytes<2, 4>},
    {move_bytes<3, 1>, move_bytes<3, 2>, move_bytes<3, 3>, move_bytes<3, 4>},
    {move_bytes<4, 1>, move_bytes<4, 2>, move_bytes<4, 3>, move_bytes<4, 4>}};
static_assert(kZero == 4 && kOne == 5);

}  // namespace

RowConversion::RowConversion(const FormatReader& from, const FormatReader& to) : from_(from), to_(to) {
    const unsigned stored = pipe::format_info(to.format).channel_count;
    copies_ = from.format == to.format && to.is_in_order();
    for (unsigned c = 0; c < stored; ++c)
        copies_ = copies_ && from.from[c] == c;
    moves_bytes_ = to.is_in_order() && has_bytes_in_order(from) && has_bytes_in_order(to);
}

void RowConversion::run(const uint8_t* from, uint32_t count, uint8_t* to) const {
    if (copies_) {
        std::memcpy(to, from, size_t(count) * to_.size_B);
        return;
    }
    if (moves_bytes_) return kMoveBytes[from_.size_B - 1][to_.size_B - 1](from_.from, from, count, to);
    constexpr uint32_t kPart = 64;
    uint32_t values[kPart * 4];
    for (uint32_t n = 0; count; count -= n, from += size_t(n) * from_.size_B, to += size_t(n) * to_.size_B) {
        n = std::min(count, kPart);
        from_.read_row(from, n, values);
        to_.write_row(values, n, to);
    }
}

namespace {

// kBytes per pixel, kSamples samples.
template <uint32_t kBytes, uint32_t kSamples>
void average_bytes(const uint8_t* from, uint32_t count, uint8_t* to) {
    for (uint32_t i = 0; i < count; ++i, from += kBytes * kSamples, to += kBytes)
        for (uint32_t b = 0; b < kBytes; ++b) {
            uint32_t sum = kSamples / 2;
            for (uint32_t s = 0; s < kSamples; ++s)
                sum += from[s * kBytes + b];
            to[b] = uint8_t(sum / kSamples);
        }
}

// The sums of adjacent words.
QuadU32 pair_sums(QuadU32 a, QuadU32 b) {
    return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

// Pixels of four bytes, four pixels at a time. Two bytes of a pixel are summed as halves of a word.
template <uint32_t kSamples>
void average_words(const uint8_t* from, uint32_t count, uint8_t* to) {
    constexpr uint32_t kHalves = 0x00ff00ffu, kRound = kSamples / 2 * 0x00010001u;
    constexpr uint32_t kShift = kSamples == 2 ? 1 : kSamples == 4 ? 2 : 3;
    static_assert(kSamples == 1u << kShift);
    uint32_t i = 0;
    for (; i + kQuadPixels <= count; i += kQuadPixels) {
        QuadU32 low[kSamples], high[kSamples];  // bytes 0 and 2; bytes 1 and 3
        for (uint32_t s = 0; s < kSamples; ++s, from += sizeof(QuadU32)) {
            QuadU32 words;
            std::memcpy(&words, from, sizeof words);
            low[s] = words & kHalves;
            high[s] = words >> 8 & kHalves;
        }
        for (uint32_t n = kSamples; n > 1; n /= 2)
            for (uint32_t s = 0; s < n / 2; ++s) {
                low[s] = pair_sums(low[2 * s], low[2 * s + 1]);
                high[s] = pair_sums(high[2 * s], high[2 * s + 1]);
            }
        const QuadU32 mean =
            ((low[0] + kRound) >> kShift & kHalves) | ((high[0] + kRound) >> kShift & kHalves) << 8;
        std::memcpy(to, &mean, sizeof mean);
        to += sizeof mean;
    }
    average_bytes<4, kSamples>(from, count - i, to);
}

using Average = void (*)(const uint8_t* from, uint32_t count, uint8_t* to);

Average average_of(uint32_t bytes, uint32_t samples) {
    switch (bytes * 16 + samples) {
        case 1 * 16 + 2:
            return average_bytes<1, 2>;
        case 1 * 16 + 4:
            return average_bytes<1, 4>;
        case 2 * 16 + 2:
            return average_bytes<2, 2>;
        case 2 * 16 + 4:
            return average_bytes<2, 4>;
        case 4 * 16 + 2:
            return average_words<2>;
        case 4 * 16 + 4:
            return average_words<4>;
        case 4 * 16 + 8:
            return average_words<8>;
        default:
            return nullptr;
    }
}

template <uint32_t kBytes>
void replicate(const uint8_t* from, uint32_t samples, uint32_t count, uint8_t* to) {
    for (uint32_t i = 0; i < count; ++i, from += kBytes)
        for (uint32_t s = 0; s < samples; ++s, to += kBytes)
            std::memcpy(to, from, kBytes);
}

// Pixels of a word: a store has four samples.
void replicate_words(const uint8_t* from, uint32_t samples, uint32_t count, uint8_t* to) {
    for (uint32_t i = 0; i < count; ++i, from += 4) {
        uint32_t word;
        std::memcpy(&word, from, sizeof word);
        const QuadU32 words = QuadU32{} + word;
        for (uint32_t s = 0; s < samples; s += kQuadPixels, to += sizeof words)
            std::memcpy(to, &words, sizeof words);
    }
}

}  // namespace

void resolve_row(const FormatReader& format, const uint8_t* from, uint32_t samples, bool average,
                 uint32_t count, uint8_t* to) {
    const uint32_t size_B = format.size_B;
    if (average && is_unorm_bytes(format))
        if (const Average bytes = average_of(size_B, samples)) return bytes(from, count, to);
    for (uint32_t i = 0; i < count; ++i, from += size_t(size_B) * samples, to += size_B)
        resolve_pixel(format, from, average ? samples : 1, to);
}

void replicate_row(uint32_t pixel_B, const uint8_t* from, uint32_t samples, uint32_t count, uint8_t* to) {
    switch (pixel_B) {
        case 1:
            return replicate<1>(from, samples, count, to);
        case 2:
            return replicate<2>(from, samples, count, to);
        case 4:
            return samples % kQuadPixels ? replicate<4>(from, samples, count, to)
                                         : replicate_words(from, samples, count, to);
        case 8:
            return replicate<8>(from, samples, count, to);
        default:
            for (uint32_t i = 0; i < count; ++i, from += pixel_B)
                for (uint32_t s = 0; s < samples; ++s, to += pixel_B)
                    std::memcpy(to, from, pixel_B);
    }
}

void component_bits(const FormatReader& format, uint32_t mask, uint8_t bits[kMaxPixel_B]) {
    std::memset(bits, (mask & 0xf) == 0xf ? 0xff : 0, kMaxPixel_B);
    if ((mask & 0xf) == 0xf) return;
    const pipe::FormatInfo& info = pipe::format_info(format.format);
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned component = format.from[c];
        if (!(mask >> c & 1) || component >= 4 || info.swizzle[component] > pipe::Swizzle::Channel3) continue;
        const pipe::ChannelInfo& channel = info.channel[size_t(info.swizzle[component])];
        for (unsigned b = channel.shift; b < unsigned(channel.shift) + channel.bits; ++b)
            bits[b / 8] |= uint8_t(1u << b % 8);
    }
}

void merge_row(const uint8_t bits[kMaxPixel_B], uint32_t pixel_B, const uint8_t* from, uint32_t count,
               uint8_t* to) {
    for (uint32_t i = 0; i < count; ++i, from += pixel_B, to += pixel_B)
        for (uint32_t b = 0; b < pixel_B; ++b)
            to[b] = uint8_t((to[b] & ~bits[b]) | (from[b] & bits[b]));
}

}  // namespace terrazzo::units
