// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending, masks and stores. RGBA8 is written sixteen pixels at a time; other formats use
// drivers/common/units/color.h. The samples of a pixel are adjacent in an area and mostly equal, so a result
// is reused for samples with the same previous contents.
#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/adreno/sim/pixel/shade.h"
#include "drivers/common/units/rgba8.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr size_t kMaxSample_B = 16;

// Stores the same word to all covered samples of each of four pixels.
template <unsigned kSamples>
void store_quad(const FragmentBatch& b, unsigned lane, unsigned n, const uint32_t pixel[4], Area& area) {
    const unsigned q = lane / 4;
    const uint32_t some = b.samples[q];
    if (!some) return;
    uint8_t* const first = area.at(n, b.x.quad[q], b.y.quad[q]);
    const size_t row_B = area.plane[n].row_B;
    if (some == units::whole_quad(kSamples)) {
        for (unsigned y = 0; y < 2; ++y) {
            uint32_t row[2 * kSamples];
            for (unsigned i = 0; i < 2 * kSamples; ++i)
                row[i] = pixel[2 * y + i / kSamples];
            std::memcpy(first + y * row_B, row, sizeof row);
        }
        return;
    }
    const pipe::raster::PixelRect& r = area.rect;
    const int32_t x = b.x.quad[q], y = b.y.quad[q];
    if (kSamples == 1 && x >= r.x0 && y >= r.y0 && x + 1 < r.x1 && y + 1 < r.y1) {
        // The other pixels keep their words.
        units::QuadU32 stored, drawn;
        auto* const words = reinterpret_cast<uint8_t*>(&stored);
        std::memcpy(words, first, 8);
        std::memcpy(words + 8, first + row_B, 8);
        std::memcpy(&drawn, pixel, sizeof drawn);
        stored = units::select(units::lanes_of(units::pixels_of(some, 0)), drawn, stored);
        std::memcpy(first, words, 8);
        std::memcpy(first + row_B, words + 8, 8);
        return;
    }
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned k = 0; k < kSamples; ++k)
            if (some >> (8 * i + k) & 1)
                std::memcpy(first + (i >> 1) * row_B + 4 * ((i & 1) * kSamples + k), &pixel[i], 4);
}

// Stores one sample of each of four pixels, if it is covered.
void store_sample(const FragmentBatch& b, unsigned lane, unsigned n, unsigned sample, const uint32_t pixel[4],
                  Area& area) {
    for (unsigned i = 0; i < 4; ++i)
        if (b.samples_at(lane + i) >> sample & 1)
            std::memcpy(area.at(n, b.x[lane + i], b.y[lane + i]) + 4 * sample, &pixel[i], 4);
}

// Loads the samples of a group's pixels. A pixel with a covered sample is loaded with all its samples; other
// pixels are zeros.
template <unsigned kSamples>
void load_pixels(const FragmentBatch& b, unsigned group, unsigned n, const Area& area, U32 out[kSamples]) {
    uint32_t words[kSamples][kGroupLanes] = {};
    for (unsigned i = 0; i < kGroupLanes; ++i) {
        const unsigned lane = group * kGroupLanes + i;
        if (lane / 4 >= b.count) break;
        if (!b.samples_at(lane)) continue;
        const uint8_t* const at = area.at(n, b.x[lane], b.y[lane]);
        for (unsigned k = 0; k < kSamples; ++k)
            std::memcpy(&words[k][i], at + 4 * k, 4);
    }
    std::memcpy(out, words, sizeof words);
}

bool is_same(const U32& a, const U32& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// Whether two quads of a group write the same sample: primitives may overlap within a batch.
bool overlaps(const FragmentBatch& b, unsigned group) {
    const unsigned first = 4 * group, end = std::min(first + 4, b.count);
    for (unsigned q = first; q < end; ++q)
        for (unsigned r = first; r < q; ++r)
            if (b.x[4 * q] == b.x[4 * r] && b.y[4 * q] == b.y[4 * r] && (b.samples[q] & b.samples[r]))
                return true;
    return false;
}

// Blends the source with the target for quads [first, end) of a group.
template <unsigned kSamples>
void blend_quads(const FragmentStage& s, unsigned n, unsigned group, unsigned first, unsigned end,
                 const U32 source[4], const U32* second, Area& area) {
    const FragmentBatch& b = s.batch;
    const units::ColorTarget& how = s.state->color[n].how;
    U32 stored[kSamples], pixels[kSamples];
    load_pixels<kSamples>(b, group, n, area, stored);
    bool same = true;
    for (unsigned k = 0; k < kSamples; ++k) {
        const bool repeats = k && is_same(stored[k], stored[k - 1]);
        pixels[k] = repeats ? pixels[k - 1] : units::blend_rgba8(how, source, second, stored[k]);
        same = same && (!k || repeats);
    }
    for (unsigned k = 0; k < (same ? 1 : kSamples); ++k) {
        uint32_t words[kGroupLanes];
        std::memcpy(words, &pixels[k], sizeof words);
        for (unsigned q = first; q < end && 4 * group + q < b.count; ++q) {
            const unsigned lane = kGroupLanes * group + 4 * q;
            if (same)
                store_quad<kSamples>(b, lane, n, words + 4 * q, area);
            else
                store_sample(b, lane, n, k, words + 4 * q, area);
        }
    }
}

// Writes R8G8B8A8 targets.
template <unsigned kSamples>
void write_plain_bytes(const FragmentStage& s, unsigned n, const ColorValues& value,
                       const ColorValues* second, Area& area) {
    const FragmentBatch& b = s.batch;
    const units::ColorTarget& how = s.state->color[n].how;
    const unsigned groups = (b.count + 3) / 4;
    if (!how.blend.enable && how.blend.write_mask == 15) {
        const U32* channel[4];
        for (unsigned c = 0; c < 4; ++c)
            channel[c] = value.word[c];
        U32 pixels[kMaxGroups];
        units::pack_rgba8(channel, value.halves, groups, pixels);
        uint32_t words[kBatchLanes];
        std::memcpy(words, pixels, groups * sizeof(U32));
        for (unsigned i = 0; i < b.count * 4 && s.state->alpha_to_one; ++i)
            words[i] |= 0xff000000u;
        for (unsigned q = 0; q < b.count; ++q)
            store_quad<kSamples>(b, 4 * q, n, words + 4 * q, area);
        return;
    }
    for (unsigned g = 0; g < groups; ++g) {
        U32 source[4], other[4];
        for (unsigned c = 0; c < 4; ++c) {
            source[c] = units::to_bytes(value.bits(c, g));
            if (second) other[c] = units::to_bytes(second->bits(c, g));
        }
        if (s.state->alpha_to_one) source[3] = wave::splat(255);
        const unsigned quads = overlaps(b, g) ? 1 : 4;
        for (unsigned q = 0; q < 4; q += quads)
            blend_quads<kSamples>(s, n, g, q, q + quads, source, second ? other : nullptr, area);
    }
}

uint8_t logic_byte(hw::RopCode rop, uint8_t s, uint8_t d) {
    using enum hw::RopCode;
    switch (rop) {
        case ROP_CLEAR:
            return 0;
        case ROP_NOR:
            return uint8_t(~(s | d));
        case ROP_AND_INVERTED:
            return uint8_t(~s & d);
        case ROP_COPY_INVERTED:
            return uint8_t(~s);
        case ROP_AND_REVERSE:
            return uint8_t(s & ~d);
        case ROP_INVERT:
            return uint8_t(~d);
        case ROP_XOR:
            return s ^ d;
        case ROP_NAND:
            return uint8_t(~(s & d));
        case ROP_AND:
            return s & d;
        case ROP_EQUIV:
            return uint8_t(~(s ^ d));
        case ROP_NOOP:
            return d;
        case ROP_OR_INVERTED:
            return uint8_t(~s | d);
        case ROP_COPY:
            return s;
        case ROP_OR_REVERSE:
            return uint8_t(s | ~d);
        case ROP_OR:
            return s | d;
        case ROP_SET:
            break;
    }
    return 255;
}

// Applies a logic operation to the bits of the format. Blending is then off.
void write_logic(const ColorOutput& out, const uint32_t source[4], uint8_t* at) {
    uint8_t bytes[kMaxSample_B];
    const units::FormatReader& f = out.how.format;
    if (f.size_B > sizeof bytes) return;
    std::memcpy(bytes, at, f.size_B);
    f.write(source, bytes);
    for (unsigned i = 0; i < f.size_B; ++i)
        bytes[i] = logic_byte(out.rop, bytes[i], at[i]);
    if (out.how.blend.write_mask == 15) {
        std::memcpy(at, bytes, f.size_B);
        return;
    }
    uint32_t result[4], stored[4], masked[4];
    f.read(bytes, result);
    f.read(at, stored);
    pipe::raster::apply_color_mask(out.how.blend.write_mask, result, stored, masked);
    f.write(masked, at);
}

// Writes the samples of a pixel in any format. A sample's result only depends on the source and its previous
// contents.
void write_samples(const ColorOutput& out, unsigned samples, const uint32_t source[4], const uint32_t* second,
                   uint8_t* at) {
    const unsigned size_B = out.target.sample_B;
    uint8_t before[kMaxSample_B], after[kMaxSample_B];
    bool known = false;
    for (; samples; samples >>= 1, at += size_B) {
        if (!(samples & 1)) continue;
        if (known && std::memcmp(at, before, size_B) == 0) {
            std::memcpy(at, after, size_B);
            continue;
        }
        std::memcpy(before, at, size_B);
        if (out.logic)
            write_logic(out, source, at);
        else
            units::write_color(out.how, source, second, at);
        std::memcpy(after, at, size_B);
        known = true;
    }
}

}  // namespace

void write_colors(const FragmentStage& s, unsigned n, const ColorValues& value, const ColorValues* second,
                  Area& area) {
    const ColorOutput& out = s.state->color[n];
    const FragmentBatch& b = s.batch;
    area.plane[n].changed = true;
    if (out.plain_bytes && !out.logic) {
        if (s.state->samples == 1) return write_plain_bytes<1>(s, n, value, second, area);
        if (s.state->samples == 2) return write_plain_bytes<2>(s, n, value, second, area);
        if (s.state->samples == 4) return write_plain_bytes<4>(s, n, value, second, area);
    }
    for (unsigned g = 0; g * 4 < b.count; ++g) {
        U32 source[4], other[4];
        for (unsigned c = 0; c < 4; ++c) {
            source[c] = value.number(out.how.format.kind, c, g);
            if (second) other[c] = second->number(units::NumberKind::Float, c, g);
        }
        if (s.state->alpha_to_one && out.how.format.kind == units::NumberKind::Float)
            source[3] = wave::splat(std::bit_cast<uint32_t>(1.0f));
        for (unsigned i = 0; i < kGroupLanes; ++i) {
            const unsigned lane = g * kGroupLanes + i;
            if (lane / 4 >= b.count || !b.samples_at(lane)) continue;
            uint32_t one[4], two[4];
            for (unsigned c = 0; c < 4; ++c) {
                one[c] = source[c][i];
                if (second) two[c] = other[c][i];
            }
            write_samples(out, b.samples_at(lane), one, second ? two : nullptr,
                          area.at(n, b.x[lane], b.y[lane]));
        }
    }
}

}  // namespace terrazzo::adreno::sim
