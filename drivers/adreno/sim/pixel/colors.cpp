// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending, masks and storing. RGBA8 with one sample is written sixteen pixels at a time; the rest is drivers/common/units/color.h.
#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/adreno/sim/pixel/colors.h"
#include "drivers/adreno/sim/pixel/shade.h"

namespace terrazzo::adreno::sim {

namespace {

// All four, of one sample: the pixels of a group of quads.
void store_quad(const FragmentBatch& b, unsigned lane, unsigned n, const uint32_t pixel[4], Area& area) {
    const uint32_t some = quad_samples(&b.samples[lane]);
    if (!some) return;
    if (some == 0x01010101u) {
        uint8_t* row = area.at(n, b.x[lane], b.y[lane]);
        std::memcpy(row, pixel, 8);
        std::memcpy(row + area.plane[n].row_B, pixel + 2, 8);
        return;
    }
    for (unsigned i = 0; i < 4; ++i)
        if (b.samples[lane + i]) std::memcpy(area.at(n, b.x[lane + i], b.y[lane + i]), &pixel[i], 4);
}

U32 load_pixels(const FragmentBatch& b, unsigned group, unsigned n, const Area& area) {
    uint32_t words[kGroupLanes] = {};
    for (unsigned q = 0; q < 4 && 4 * group + q < b.count; ++q) {
        const unsigned lane = group * kGroupLanes + 4 * q;
        if (quad_samples(&b.samples[lane]) == 0x01010101u) {
            const uint8_t* row = area.at(n, b.x[lane], b.y[lane]);
            std::memcpy(words + 4 * q, row, 8);
            std::memcpy(words + 4 * q + 2, row + area.plane[n].row_B, 8);
            continue;
        }
        for (unsigned i = 0; i < 4; ++i)
            if (b.samples[lane + i])
                std::memcpy(words + 4 * q + i, area.at(n, b.x[lane + i], b.y[lane + i]), 4);
    }
    U32 v;
    std::memcpy(&v, words, sizeof v);
    return v;
}

// Primitives may overlap within a batch. Whether two of a group's quads are one place.
bool overlaps(const FragmentBatch& b, unsigned group) {
    const unsigned first = 4 * group, end = std::min(first + 4, b.count);
    for (unsigned q = first; q < end; ++q)
        for (unsigned r = first; r < q; ++r)
            if (b.x[4 * q] == b.x[4 * r] && b.y[4 * q] == b.y[4 * r]) return true;
    return false;
}

// One sample a pixel, R8G8B8A8.
void write_plain_bytes(const FragmentStage& s, unsigned n, const U32 (*value)[kMaxGroups],
                       const U32 (*second)[kMaxGroups], Area& area) {
    const FragmentBatch& b = s.batch;
    const units::ColorTarget& how = s.state->color[n].how;
    for (unsigned g = 0; g * 4 < b.count; ++g) {
        U32 source[4], other[4], pixels;
        for (unsigned c = 0; c < 4; ++c) {
            source[c] = to_bytes(value[c][g]);
            if (second) other[c] = to_bytes(second[c][g]);
        }
        if (s.state->alpha_to_one) source[3] = wave::splat(255);
        const bool reads = how.blend.enable || how.blend.write_mask != 15;
        if (!reads) pixels = source[0] | source[1] << 8 | source[2] << 16 | source[3] << 24;
        const unsigned rounds = reads && overlaps(b, g) ? 4 : 1, quads = 4 / rounds;
        for (unsigned round = 0; round < rounds; ++round) {
            if (reads)
                pixels = blend_bytes(how, source, second ? other : nullptr, load_pixels(b, g, n, area));
            uint32_t words[kGroupLanes];
            std::memcpy(words, &pixels, sizeof words);
            for (unsigned q = round * quads; q < (round + 1) * quads && 4 * g + q < b.count; ++q)
                store_quad(b, 16 * g + 4 * q, n, words + 4 * q, area);
        }
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

// On the bits that the format stores; there is no blending then.
void write_logic(const ColorOutput& out, const uint32_t source[4], uint8_t* at) {
    uint8_t bytes[16];
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

}  // namespace

void write_colors(const FragmentStage& s, unsigned n, const U32 (*value)[kMaxGroups],
                  const U32 (*second)[kMaxGroups], Area& area) {
    const ColorOutput& out = s.state->color[n];
    const FragmentBatch& b = s.batch;
    area.plane[n].changed = true;
    if (out.plain_bytes && !out.logic && s.state->samples == 1)
        return write_plain_bytes(s, n, value, second, area);
    for (unsigned lane = 0; lane < b.count * 4; ++lane) {
        if (!b.samples[lane]) continue;
        uint32_t source[4], other[4];
        for (unsigned c = 0; c < 4; ++c) {
            source[c] = value[c][lane / kGroupLanes][lane % kGroupLanes];
            if (second) other[c] = second[c][lane / kGroupLanes][lane % kGroupLanes];
        }
        if (s.state->alpha_to_one && out.how.format.kind == units::NumberKind::Float)
            source[3] = std::bit_cast<uint32_t>(1.0f);
        uint8_t* at = area.at(n, b.x[lane], b.y[lane]);
        for (unsigned i = 0; i < s.state->samples; ++i, at += out.target.sample_B) {
            if (!(b.samples[lane] >> i & 1)) continue;
            if (out.logic)
                write_logic(out, source, at);
            else
                units::write_color(out.how, source, second ? other : nullptr, at);
        }
    }
}

}  // namespace terrazzo::adreno::sim
