// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A triangle's edge functions, and the pixels that they cover, by blocks of 8x8.
//
// Edge functions are exact in 64 bits. Within a block they are evaluated in 32 bits, in steps of whole
// pixels. For a small triangle these values are exact. For a large one they are divided by 256 and rounded
// down, so that a step of one pixel is the edge's `a` or `b`.
#pragma once

#include <algorithm>
#include <cstdint>

#include "drivers/common/units/quad_lanes.h"
#include "pipe/raster/edge.h"

namespace terrazzo::units {

inline constexpr unsigned kMaxSamples = 8;

/// The positions of a pixel's samples, in 1/256 px from its corner.
struct SamplePattern {
    unsigned count = 1;
    uint8_t x[kMaxSamples] = {128}, y[kMaxSamples] = {128};
    bool is_center() const { return count == 1 && x[0] == 128 && y[0] == 128; }
};

/// Calls f(0), f(1), f(2). Compilers do not unroll a loop over the edges.
template <class F>
[[gnu::always_inline]] inline void each_edge(F&& f) {
    f(0u), f(1u), f(2u);
}

/// The edge functions a x + b y + c of a triangle; x and y are in 1/256 px. A position is covered if none of
/// the three is negative: c includes the rule for positions on an edge (pipe/raster/edge.h).
struct TriangleEdges {
    int32_t a[3] = {}, b[3] = {};
    int64_t c[3] = {};

    /// False: the triangle covers nothing. A triangle with a corner beyond `kMaxFixed` is treated as one that
    /// covers nothing, since its edge functions would overflow. Clipped primitives have no such corners.
    [[nodiscard]] bool init(const int32_t (&corner)[3][2]) {
        constexpr uint32_t kRange = 2 * uint32_t(pipe::raster::kMaxFixed);  // a power of two
        uint32_t all = 0;
        each_edge([&](unsigned i) {
            all |= uint32_t(corner[i][0]) + kRange / 2;
            all |= uint32_t(corner[i][1]) + kRange / 2;
        });
        if (all >= kRange) return false;
        const auto from_0 = [&](unsigned i, unsigned k) { return int64_t(corner[i][k]) - corner[0][k]; };
        const int64_t area2 = from_0(1, 0) * from_0(2, 1) - from_0(2, 0) * from_0(1, 1);
        if (area2 == 0) return false;
        const int32_t sign = area2 > 0 ? 1 : -1;
        each_edge([&](unsigned i) {
            const int32_t* const from = corner[(i + 1) % 3];
            const int32_t* const to = corner[(i + 2) % 3];
            const int32_t dx = sign * (to[0] - from[0]), dy = sign * (to[1] - from[1]);
            a[i] = -dy;
            b[i] = dx;
            c[i] = int64_t(dy) * from[0] - int64_t(dx) * from[1] - !pipe::raster::edge_owns_ties(dx, dy);
        });
        return true;
    }
    int64_t value(unsigned i, int64_t x, int64_t y) const { return a[i] * x + b[i] * y + c[i]; }
    bool covers_at(int64_t x, int64_t y) const {
        return (value(0, x, y) | value(1, x, y) | value(2, x, y)) >= 0;
    }
    /// The pixel's centre.
    bool covers(int32_t x_px, int32_t y_px) const {
        return covers_at(int64_t(x_px) * pipe::raster::kSubpixelOne + pipe::raster::kSubpixelHalf,
                         int64_t(y_px) * pipe::raster::kSubpixelOne + pipe::raster::kSubpixelHalf);
    }
    /// Whether every `a` and `b` is in [-limit, limit). `limit` is a power of two.
    bool within(uint32_t limit) const {
        uint32_t all = 0;
        each_edge([&](unsigned i) { all |= (uint32_t(a[i]) + limit) | (uint32_t(b[i]) + limit); });
        return all < 2 * limit;
    }
};

namespace detail {

inline constexpr int32_t kBlock_px = 8;  // 64 pixels are skipped or covered at once
inline constexpr int32_t kArea_px = 32;  // triangles and lines are walked by areas of this size

enum class Overlap : uint8_t { None, Some, All };

/// How much of a rectangle is covered: from its first sample (x0, y0) to its last one, in 1/256 px.
inline Overlap overlap(const TriangleEdges& t, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
    bool all = true;
    for (unsigned i = 0; i < 3; ++i) {
        const int64_t first = t.value(i, x0, y0);
        const int64_t dx = t.a[i] * (x1 - x0), dy = t.b[i] * (y1 - y0);
        if (first + std::max<int64_t>(dx, 0) + std::max<int64_t>(dy, 0) < 0) return Overlap::None;
        all = all && first + std::min<int64_t>(dx, 0) + std::min<int64_t>(dy, 0) >= 0;
    }
    return all ? Overlap::All : Overlap::Some;
}

/// A rectangle of at most 8x8 pixels, in quads.
struct Block {
    int32_t x, y;            // px: of the first quad
    unsigned columns, rows;  // of quads
    uint64_t inside;         // a bit for each of its pixels: 16 bits a row of quads, 4 a quad

    explicit Block(const pipe::raster::PixelRect& r) : x(r.x0 & ~1), y(r.y0 & ~1) {
        columns = unsigned(r.x1 - x + 1) / 2;
        rows = unsigned(r.y1 - y + 1) / 2;
        inside = pixels(r.x0 & 1, r.y0 & 1, r.x1 - x, r.y1 - y);
    }
    /// `inside` of columns [x0, x1) and rows [y0, y1). x0 and y0 are 0 or 1, the others 1 to 8.
    static uint64_t pixels(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
        return kMasks.column[x0][x1] & kMasks.row[y0][y1];
    }

  private:
    // [first][end]
    struct Masks {
        uint64_t column[2][kBlock_px + 1] = {}, row[2][kBlock_px + 1] = {};
    };
    static constexpr Masks make_masks() {
        Masks m;
        for (unsigned first = 0; first < 2; ++first)
            for (unsigned end = 1; end <= unsigned(kBlock_px); ++end)
                for (unsigned i = first; i < end; ++i) {
                    m.column[first][end] |= uint64_t(0x0005000500050005) << (i / 2 * 4 + i % 2);
                    m.row[first][end] |= uint64_t(0x3333) << (i / 2 * 16 + i % 2 * 2);
                }
        return m;
    }
    static const Masks kMasks;
};
inline constexpr Block::Masks Block::kMasks = Block::make_masks();

/// The edges of a triangle in an area, at each sample of the area's first pixel.
struct AreaEdges {
    /// Edge functions with steps below this do not overflow 32 bits within an area.
    static constexpr uint32_t kMaxStep = 1 << 24;
    /// If no step of a triangle is beyond this, its exact edge functions fit into 32 bits within its bounds.
    static constexpr uint32_t kMaxExactStep = 1 << 14;
    static bool fits(const TriangleEdges& t) { return t.within(kMaxStep); }

    int32_t x0_px, y0_px;        // the first pixel
    int32_t a[3], b[3];          // steps right and down
    int32_t at[kMaxSamples][3];  // at each sample of the first pixel
    QuadU32 steps[3];            // from a quad's first pixel to each of its pixels
    QuadU32 right[3], down[3];   // to the next quad

    AreaEdges(const TriangleEdges& t, const SamplePattern& s, unsigned count, int32_t x_px, int32_t y_px)
        : x0_px(x_px), y0_px(y_px) {
        constexpr int kBits = pipe::raster::kSubpixelBits;
        const bool exact = t.within(kMaxExactStep);
        each_edge([&](unsigned i) {
            a[i] = exact ? t.a[i] << kBits : t.a[i];
            b[i] = exact ? t.b[i] << kBits : t.b[i];
            steps[i] = QuadU32(quad_steps(a[i], b[i]));
            right[i] = QuadU32{} + 2 * uint32_t(a[i]);
            down[i] = QuadU32{} + 2 * uint32_t(b[i]);
        });
        for (unsigned n = 0; n < count; ++n) {
            const int64_t x = (int64_t(x_px) << kBits) + s.x[n], y = (int64_t(y_px) << kBits) + s.y[n];
            each_edge([&](unsigned i) {
                const int64_t value = t.value(i, x, y);
                at[n][i] = exact ? int32_t(value) : clamped(value >> kBits);
            });
        }
    }
    /// The pixels of a block whose sample is covered, in the order of Block::inside. The bits of pixels
    /// outside the block are undefined.
    [[gnu::always_inline]] uint64_t covered(unsigned sample, const Block& block) const {
        QuadU32 e[3];
        each_edge([&](unsigned i) {
            e[i] = steps[i] + uint32_t(at[sample][i] + a[i] * (block.x - x0_px) + b[i] * (block.y - y0_px));
        });
        uint64_t outside = 0;
        for (unsigned bit = 0; bit < 16 * block.rows; bit += 16) {
            const QuadU32 e0 = e[0] + right[0], e1 = e[1] + right[1], e2 = e[2] + right[2];
            QuadI32 quad[4] = {QuadI32(e[0] | e[1] | e[2]), QuadI32(e0 | e1 | e2)};
            unsigned row;
            if (block.columns <= 2) {
                row = sign_bits(quad[0]) | sign_bits(quad[1]) << 4;
            } else {
                const QuadU32 f0 = e0 + right[0], f1 = e1 + right[1], f2 = e2 + right[2];
                quad[2] = QuadI32(f0 | f1 | f2);
                quad[3] = QuadI32((f0 + right[0]) | (f1 + right[1]) | (f2 + right[2]));
                row = sign_bits(quad);
            }
            outside |= uint64_t(row) << bit;
            each_edge([&](unsigned i) { e[i] += down[i]; });
        }
        return ~outside;
    }

  private:
    /// Replaces a value far from 0 by one that has the same sign, and keeps it at all pixels of the area.
    static int32_t clamped(int64_t value) {
        constexpr int64_t kFar = 1 << 30;
        return int32_t(std::clamp(value, -kFar, kFar));
    }
};

/// Tests blocks of an area with the least and the greatest of all samples' edge functions.
struct BlockTest {
    int32_t least[3], greatest[3];

    BlockTest(const AreaEdges& w, unsigned samples) {
        for (unsigned i = 0; i < 3; ++i) {
            least[i] = greatest[i] = w.at[0][i];
            for (unsigned n = 1; n < samples; ++n) {
                least[i] = std::min(least[i], w.at[n][i]);
                greatest[i] = std::max(greatest[i], w.at[n][i]);
            }
        }
    }
    /// How much of the block with the first pixel (x, y) is covered.
    Overlap block(const AreaEdges& w, int32_t x, int32_t y) const {
        constexpr int32_t kLast = kBlock_px - 1;
        bool all = true;
        for (unsigned i = 0; i < 3; ++i) {
            const int32_t move = w.a[i] * (x - w.x0_px) + w.b[i] * (y - w.y0_px);
            const int32_t right = w.a[i] * kLast, down = w.b[i] * kLast;
            if (greatest[i] + move + std::max(right, 0) + std::max(down, 0) < 0) return Overlap::None;
            all = all && least[i] + move + std::min(right, 0) + std::min(down, 0) >= 0;
        }
        return all ? Overlap::All : Overlap::Some;
    }
};

}  // namespace detail

}  // namespace terrazzo::units
