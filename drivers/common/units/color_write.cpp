// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The samples of a pixel are mostly equal, so a result is used again for samples with the same previous
// contents.
#include "drivers/common/units/color_write.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace terrazzo::units {

namespace {

using wave::U32;

constexpr unsigned kGroupQuads = wave::kLanes / kQuadPixels;
constexpr size_t kMaxSample_B = 16;

struct Writer {
    const ColorTarget& target;
    const ColorQuads& quads;
    const TilePlane& plane;
    const pipe::raster::PixelRect& rect;

    QuadPlace place(unsigned q) const { return place_of(plane, rect, quads.x[q], quads.y[q], 0); }
    bool has_whole(unsigned q) const { return has_quad(rect, quads.x[q], quads.y[q]); }
};

// The samples of a row's two pixels, if all are the pixel.
template <unsigned kSamples>
void store_pixels(QuadU32 pixel, const QuadPlace& to) {
    if constexpr (kSamples == 1) {
        units::store_quad<uint32_t>(to, pixel);
    } else if constexpr (kSamples == 2) {
        const QuadU32 top = __builtin_shufflevector(pixel, pixel, 0, 0, 1, 1),
                      bottom = __builtin_shufflevector(pixel, pixel, 2, 2, 3, 3);
        std::memcpy(to.first, &top, sizeof top);
        std::memcpy(to.first + to.row_B, &bottom, sizeof bottom);
    } else {
        for (unsigned i = 0; i < kQuadPixels; ++i) {
            const QuadU32 all = QuadU32{} + pixel[i];
            for (unsigned k = 0; k < kSamples / 4; ++k)
                std::memcpy(to.at(i) + k * sizeof all, &all, sizeof all);
        }
    }
}

// Stores the same word to all written samples of each of four pixels.
template <unsigned kSamples>
void store_quad(const Writer& w, unsigned q, QuadU32 pixel) {
    const uint32_t some = w.quads.samples[q];
    if (!some) return;
    const QuadPlace to = w.place(q);
    if (some == whole_quad(kSamples)) return store_pixels<kSamples>(pixel, to);
    for (unsigned i = 0; i < kQuadPixels; ++i)
        for (unsigned k = 0; k < kSamples; ++k)
            if (const uint32_t word = pixel[i]; some >> (8 * i + k) & 1)
                std::memcpy(to.at(i) + 4 * k, &word, 4);
}

// Stores one sample of each of four pixels, if it is written.
void store_sample(const Writer& w, unsigned q, unsigned sample, QuadU32 pixel) {
    const QuadPlace to = w.place(q);
    for (unsigned i = 0; i < kQuadPixels; ++i)
        if (const uint32_t word = pixel[i]; w.quads.samples[q] >> (8 * i + sample) & 1)
            std::memcpy(to.at(i) + 4 * sample, &word, 4);
}

// Stores the words of quads from number `first` on, with one sample in each pixel. Pixels that are not
// written keep their words, so that no branch depends on which ones these are.
void store_quads(const Writer& w, unsigned first, unsigned count, const U32* pixels) {
    const pipe::raster::PixelRect& rect = w.rect;
    const bool has_edges = ((rect.x0 | rect.y0 | rect.x1 | rect.y1) & 1) != 0;
    const auto row_B = ptrdiff_t(w.plane.row_B);
    uint8_t* const origin = w.plane.origin - rect.y0 * row_B - ptrdiff_t(rect.x0) * 4;
    const auto* from = reinterpret_cast<const uint8_t*>(pixels);
    const int32_t *const x = w.quads.x, *const y = w.quads.y;
    const uint32_t* const samples = w.quads.samples;
    for (unsigned q = first; q < first + count; ++q, from += sizeof(QuadU32)) {
        QuadU32 pixel;
        std::memcpy(&pixel, from, sizeof pixel);
        if (has_edges && !w.has_whole(q)) {
            store_quad<1>(w, q, pixel);
            continue;
        }
        const QuadPlace to = {origin + y[q] * row_B + ptrdiff_t(x[q]) * 4, size_t(row_B), 4};
        constexpr QuadU32 kPixel = {1, 1 << 8, 1 << 16, 1 << 24};  // the bits of sample 0
        const auto written = QuadI32(((QuadU32{} + samples[q]) & kPixel) == kPixel);
        units::store_quad<uint32_t>(to, select(written, pixel, load_quad<uint32_t>(to)));
    }
}

// Loads the samples of four quads' pixels. A pixel with a written sample is loaded with all its samples;
// other pixels are anything.
template <unsigned kSamples>
void load_pixels(const Writer& w, unsigned first_quad, U32 out[kSamples]) {
    uint32_t words[kSamples][wave::kLanes] = {};
    for (unsigned q = 0; q < kGroupQuads && first_quad + q < w.quads.count; ++q) {
        const uint32_t some = w.quads.samples[first_quad + q];
        if (!some) continue;
        const QuadPlace from = w.place(first_quad + q);
        if (kSamples == 1 && w.has_whole(first_quad + q)) {
            const QuadU32 quad = load_quad<uint32_t>(from);
            std::memcpy(&words[0][4 * q], &quad, sizeof quad);
            continue;
        }
        for (unsigned i = 0; i < kQuadPixels; ++i)
            for (unsigned k = 0; k < kSamples && (some >> 8 * i & 0xff); ++k)
                std::memcpy(&words[k][4 * q + i], from.at(i) + 4 * k, 4);
    }
    std::memcpy(out, words, sizeof words);
}

bool is_same(const U32& a, const U32& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}
QuadU32 quad_of(const U32& v, unsigned q) {
    QuadU32 out;
    std::memcpy(&out, reinterpret_cast<const uint8_t*>(&v) + q * sizeof out, sizeof out);
    return out;
}

// Whether two quads of a group write the same sample.
bool overlaps(const ColorQuads& b, unsigned first) {
    const unsigned end = std::min(first + kGroupQuads, b.count);
    for (unsigned q = first + 1; q < end; ++q)
        for (unsigned r = first; r < q; ++r)
            if (b.x[q] == b.x[r] && b.y[q] == b.y[r] && (b.samples[q] & b.samples[r])) return true;
    return false;
}

// Blends packed colours with the target for quads [begin, end) of a group.
template <unsigned kSamples>
void blend_quads(const Writer& w, unsigned first_quad, unsigned begin, unsigned end, const U32& source,
                 const U32* second) {
    U32 stored[kSamples], pixels[kSamples];
    load_pixels<kSamples>(w, first_quad, stored);
    bool same = true;
    for (unsigned k = 0; k < kSamples; ++k) {
        const bool repeats = k && is_same(stored[k], stored[k - 1]);
        pixels[k] = repeats ? pixels[k - 1] : stored[k];
        if (!repeats) blend_rgba8(w.target, source, second, &pixels[k]);
        same = same && (!k || repeats);
    }
    for (unsigned k = 0; k < (same ? 1 : kSamples); ++k)
        for (unsigned q = begin; q < end && first_quad + q < w.quads.count; ++q) {
            if (same)
                store_quad<kSamples>(w, first_quad + q, quad_of(pixels[k], q));
            else
                store_sample(w, first_quad + q, k, quad_of(pixels[k], q));
        }
}

template <unsigned kSamples>
void write_rgba8(const Writer& w, const ColorRegisters& source, const ColorRegisters* second) {
    const pipe::BlendTargetDesc& b = w.target.blend;
    constexpr unsigned kMaxGroups = 8;
    for (unsigned begin = 0, groups = (w.quads.count + kGroupQuads - 1) / kGroupQuads; begin < groups;
         begin += kMaxGroups) {
        const unsigned n = std::min(groups - begin, kMaxGroups);
        U32 pixels[kMaxGroups], other[kMaxGroups];
        pack_rgba8(source.from_group(begin), n, pixels);
        if (second) pack_rgba8(second->from_group(begin), n, other);
        for (unsigned g = 0; g < n && w.target.alpha_to_one; ++g)
            pixels[g] |= 0xff000000u;
        const bool replaces = !b.enable && b.write_mask == 15;
        if (replaces && kSamples == 1) {
            const unsigned first = begin * kGroupQuads;
            store_quads(w, first, std::min(w.quads.count - first, n * kGroupQuads), pixels);
            continue;
        }
        for (unsigned g = 0; g < n; ++g) {
            const unsigned first = (begin + g) * kGroupQuads;
            if (replaces) {
                for (unsigned q = 0; q < kGroupQuads && first + q < w.quads.count; ++q)
                    store_quad<kSamples>(w, first + q, quad_of(pixels[g], q));
                continue;
            }
            const unsigned step = overlaps(w.quads, first) ? 1 : kGroupQuads;
            for (unsigned q = 0; q < kGroupQuads; q += step)
                blend_quads<kSamples>(w, first, q, q + step, pixels[g], second ? &other[g] : nullptr);
        }
    }
}

// Applies a logic operation to the bits of the format. Blending is then off.
void write_logic(const ColorTarget& out, const uint32_t source[4], uint8_t* at) {
    uint8_t bytes[kMaxSample_B];
    const FormatReader& f = out.format;
    if (f.size_B > sizeof bytes) return;
    std::memcpy(bytes, at, f.size_B);
    f.write(source, bytes);
    const auto all = [&](unsigned bit) { return out.logic >> bit & 1 ? 0xffu : 0u; };
    for (unsigned i = 0; i < f.size_B; ++i) {
        const unsigned s = bytes[i], d = at[i];
        bytes[i] = uint8_t((~s & ~d & all(0)) | (~s & d & all(1)) | (s & ~d & all(2)) | (s & d & all(3)));
    }
    if (out.blend.write_mask == 15) {
        std::memcpy(at, bytes, f.size_B);
        return;
    }
    uint32_t result[4], stored[4], masked[4];
    f.read(bytes, result);
    f.read(at, stored);
    pipe::raster::apply_color_mask(out.blend.write_mask, result, stored, masked);
    f.write(masked, at);
}

// Writes the samples of a pixel in any format. A sample's result only depends on the source and its previous
// contents.
void write_samples(const ColorTarget& out, unsigned samples, const uint32_t source[4], const uint32_t* second,
                   size_t sample_B, uint8_t* at) {
    const unsigned size_B = out.format.size_B;
    uint8_t before[kMaxSample_B], after[kMaxSample_B];
    bool known = false;
    for (; samples; samples >>= 1, at += sample_B) {
        if (!(samples & 1)) continue;
        if (known && std::memcmp(at, before, size_B) == 0) {
            std::memcpy(at, after, size_B);
            continue;
        }
        std::memcpy(before, at, size_B);
        if (out.logic != kLogicCopy)
            write_logic(out, source, at);
        else
            write_color(out, source, second, at);
        std::memcpy(after, at, size_B);
        known = true;
    }
}

void write_lanes(const Writer& w, const ColorRegisters& source, const ColorRegisters* second,
                 unsigned samples) {
    const size_t sample_B = w.plane.pixel_B / samples;
    for (unsigned first = 0; first < w.quads.count; first += kGroupQuads) {
        U32 from[4], other[4];
        for (unsigned c = 0; c < 4; ++c) {
            from[c] = source.number(c, first / kGroupQuads);
            if (second) other[c] = second->number(c, first / kGroupQuads);
        }
        if (w.target.alpha_to_one && w.target.format.kind == NumberKind::Float)
            from[3] = wave::splat(std::bit_cast<uint32_t>(1.0f));
        for (unsigned i = 0; i < wave::kLanes && first + i / 4 < w.quads.count; ++i) {
            const unsigned q = first + i / 4, some = w.quads.samples[q] >> i % 4 * 8 & 0xff;
            if (!some) continue;
            uint32_t one[4], two[4];
            for (unsigned c = 0; c < 4; ++c) {
                one[c] = from[c][i];
                if (second) two[c] = other[c][i];
            }
            write_samples(w.target, some, one, second ? two : nullptr, sample_B, w.place(q).at(i % 4));
        }
    }
}

}  // namespace

void write_colors(const ColorTarget& target, const ColorRegisters& source, const ColorRegisters* second,
                  const ColorQuads& quads, unsigned samples, const TilePlane& plane,
                  const pipe::raster::PixelRect& rect) {
    const Writer w{target, quads, plane, rect};
    if (target.rgba8 && target.logic == kLogicCopy && plane.pixel_B == 4 * samples) {
        if (samples == 1) return write_rgba8<1>(w, source, second);
        if (samples == 2) return write_rgba8<2>(w, source, second);
        if (samples == 4) return write_rgba8<4>(w, source, second);
        if (samples == 8) return write_rgba8<8>(w, source, second);
    }
    write_lanes(w, source, second, samples);
}

}  // namespace terrazzo::units
