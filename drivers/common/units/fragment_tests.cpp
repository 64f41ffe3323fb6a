// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/fragment_tests.h"

#include <cstring>
#include <type_traits>

#include "drivers/common/units/depth_list.h"

namespace terrazzo::units {

namespace {

// Only pixels of `mask` are accessed: others may be outside the tile.
template <class Word>
QuadU32 load(const QuadPlace& place, unsigned mask) {
    if (mask == 15) return load_quad<Word>(place);
    Word words[kQuadPixels] = {};
    for (unsigned i = 0; i < kQuadPixels; ++i)
        if (mask >> i & 1) std::memcpy(&words[i], place.at(i), sizeof(Word));
    return QuadU32{words[0], words[1], words[2], words[3]};
}
template <class Word>
void store(const QuadPlace& place, unsigned mask, QuadU32 words) {
    for (unsigned i = 0; i < kQuadPixels; ++i) {
        const auto word = Word(words[i]);
        if (mask >> i & 1) std::memcpy(place.at(i), &word, sizeof word);
    }
}

struct Stored {
    QuadU32 depth{}, stencil{};
};

Stored load(DepthLayout layout, const QuadPlace& depth, const QuadPlace& stencil, unsigned mask) {
    Stored v;
    switch (layout) {
        case DepthLayout::None:
            break;
        case DepthLayout::D16:
            v.depth = load<uint16_t>(depth, mask);
            break;
        case DepthLayout::D24S8:
            v.depth = load<uint32_t>(depth, mask);
            v.stencil = v.depth >> 24;
            v.depth &= 0xffffffu;
            break;
        case DepthLayout::Word:
            v.depth = load<uint32_t>(depth, mask);
            break;
    }
    if (stencil.first) v.stencil = load<uint8_t>(stencil, mask);
    return v;
}

void store(DepthLayout layout, const Stored& v, const QuadPlace& depth, const QuadPlace& stencil,
           unsigned mask) {
    if (stencil.first) store<uint8_t>(stencil, mask, v.stencil);
    switch (layout) {
        case DepthLayout::None:
            break;
        case DepthLayout::D16:
            store<uint16_t>(depth, mask, v.depth);
            break;
        case DepthLayout::D24S8:
            store<uint32_t>(depth, mask, v.depth | v.stencil << 24);
            break;
        case DepthLayout::Word:
            store<uint32_t>(depth, mask, v.depth);
            break;
    }
}

// The pixels whose stored depth is within the bounds.
unsigned inside_bounds(const FragmentTests& t, QuadU32 depth) {
    unsigned inside = 0;
    for (unsigned i = 0; i < kQuadPixels; ++i) {
        const float stored = decode_depth(t.format, depth[i]);
        inside |= unsigned(stored >= t.least && stored <= t.most) << i;
    }
    return inside;
}

// FragmentDepth::at() of the first four samples of a pixel: the same bits.
QuadF32 depths_of_samples(const FragmentTests& t, const RasterPrimitive& p, double x, double y) {
    const FragmentDepth& d = t.depth;
    if (d.is_constant) return QuadF32{} + d.at(p.depth, x, y);
    const auto row = [&](unsigned n) {
        const RowF64 xs = {x + t.sample_x[n], x + t.sample_x[n + 1]},
                     ys = {y + t.sample_y[n], y + t.sample_y[n + 1]};
        const RowF64 z = xs * p.depth.a + ys * p.depth.b + p.depth.c;
        return max_of(min_of(RowF64{d.high, d.high}, z), RowF64{d.low, d.low});
    };
    return to_floats(row(0), row(2));
}

}  // namespace

// Depth alone.
struct FragmentTests::DepthOnly {
    // Tests the pixels at `place`, which must all be in the tile. *changed: whether it has written.
    template <DepthLayout kLayout, DepthFormat kFormat>
    [[gnu::always_inline]] static unsigned test(const DepthStencilTests& tests, const QuadPlace& place,
                                                QuadF32 z, unsigned pixels, bool writes, bool* changed) {
        using Word = std::conditional_t<kLayout == DepthLayout::D16, uint16_t, uint32_t>;
        constexpr uint32_t kDepthBits = kLayout == DepthLayout::D24S8 ? 0xffffffu : ~0u;
        const QuadU32 stored = load_quad<Word>(place);
        QuadU32 word = stored & kDepthBits;
        const unsigned passes = tests.run_depths<kFormat>(z, pixels, &word);
        word |= stored & ~kDepthBits;
        *changed = writes && sign_bits(word != stored);
        if (*changed) store_quad<Word>(place, word);
        return passes;
    }
    // Tests a list of quads. depth_list.h has the loop of CPUs with AVX2.
    template <DepthLayout kLayout, DepthFormat kFormat>
    static void list(const FragmentTests& t, const RasterPrimitive& p, bool writes, DepthStencilTile& tile,
                     PrimitiveQuads& quads) {
        unsigned count = 0;
        for (unsigned i = 0; i < quads.count; ++i) {
            PrimitiveQuads::Quad q = quads.quad[i];
            const QuadF32 z = t.depth.at_quad(p.depth, q.x + t.sample_x[0], q.y + t.sample_y[0]);
            q.passed = samples_of(run<kLayout, kFormat>(
                t, {q.x, q.y, 0, pixels_of(q.passed, 0), p.back_facing, writes, z}, tile));
            quads.quad[count] = q;
            count += q.passed != 0;
        }
        quads.count = count;
    }
    template <DepthLayout kLayout, DepthFormat kFormat>
    static unsigned run(const FragmentTests& t, const QuadSample& q, DepthStencilTile& tile) {
        if (!has_quad(tile.rect, q.x, q.y)) return run_all(t, q, tile);
        const QuadPlace place = place_of(tile.depth, tile.rect, q.x, q.y, q.sample * depth_size_B(kLayout));
        bool changed = false;
        const unsigned passed = test<kLayout, kFormat>(t.tests_, place, q.z, q.pixels, q.writes, &changed);
        if (changed) tile.change(q.x, q.y);
        return passed;
    }
    // Four samples: those of a pixel are adjacent, so they are a vector in place of the pixels.
    template <DepthLayout kLayout, DepthFormat kFormat>
    [[gnu::always_inline]] static uint32_t early_four(const FragmentTests& t, const RasterPrimitive& p,
                                                      int32_t x, int32_t y, uint32_t tested,
                                                      const QuadPlace& place, DepthStencilTile& tile) {
        constexpr uint32_t kSample_B = depth_size_B(kLayout);
        uint32_t passed = 0;
        for (unsigned i = 0; i < kQuadPixels; ++i) {
            const unsigned samples = tested >> 8 * i & 15;
            if (!samples) continue;
            const QuadF32 z = depths_of_samples(t, p, x + int32_t(i & 1), y + int32_t(i >> 1));
            const QuadPlace pixel = {place.at(i), 2 * kSample_B, kSample_B};
            bool changed = false;
            passed |= test<kLayout, kFormat>(t.tests_, pixel, z, samples, true, &changed) << 8 * i;
            if (changed) tile.change(x, y);
        }
        return passed;
    }
    template <DepthLayout kLayout, DepthFormat kFormat>
    static uint32_t early(const FragmentTests& t, const RasterPrimitive& p, int32_t x, int32_t y,
                          uint32_t tested, DepthStencilTile& tile) {
        if (!has_quad(tile.rect, x, y)) return early_all(t, p, x, y, tested, tile);
        QuadPlace place = place_of(tile.depth, tile.rect, x, y, 0);
        if (t.samples == kQuadPixels) return early_four<kLayout, kFormat>(t, p, x, y, tested, place, tile);
        uint32_t passed = 0;
        for (unsigned n = 0; n < t.samples; ++n, place.first += depth_size_B(kLayout)) {
            const unsigned pixels = pixels_of(tested, n);
            if (!pixels) continue;
            const QuadF32 z = t.depth.at_quad(p.depth, x + t.sample_x[n], y + t.sample_y[n]);
            bool changed = false;
            passed |= samples_of(test<kLayout, kFormat>(t.tests_, place, z, pixels, true, &changed)) << n;
            if (changed) tile.change(x, y);
        }
        return passed;
    }
};

template <DepthLayout kLayout, DepthFormat kFormat>
void FragmentTests::choose_depth() {
    run_ = DepthOnly::run<kLayout, kFormat>;
    early_ = DepthOnly::early<kLayout, kFormat>;
    if (samples > 1) return;
    list_ = DepthOnly::list<kLayout, kFormat>;
    const DepthListTest fast = allow_avx2 && !depth.is_constant ? depth_list_avx2(kLayout, kFormat) : nullptr;
    if (fast) list_ = fast;
}

unsigned FragmentTests::run_all(const FragmentTests& t, const QuadSample& q, DepthStencilTile& tile) {
    const unsigned accessed = has_quad(tile.rect, q.x, q.y) ? 15 : q.pixels;
    const QuadPlace depth = place_of(tile.depth, tile.rect, q.x, q.y, q.sample * depth_size_B(t.layout)),
                    stencil = t.desc.stencil_test ? place_of(tile.stencil, tile.rect, q.x, q.y, q.sample)
                                                  : QuadPlace{};
    Stored v = load(t.layout, depth, stencil, accessed);
    const Stored before = v;
    const unsigned mask = t.bounds ? q.pixels & inside_bounds(t, v.depth) : q.pixels;
    unsigned passes = 0;
    if (!q.reference)
        passes = t.tests_.run(q.back_facing, t.reference[q.back_facing], q.z, mask, &v.depth, &v.stencil);
    else
        for (unsigned i = 0; i < kQuadPixels; ++i)
            passes |= t.tests_.run(q.back_facing, uint8_t(q.reference[i]), q.z, mask & 1u << i, &v.depth,
                                   &v.stencil);
    const unsigned changed = sign_bits((v.depth != before.depth) | (v.stencil != before.stencil));
    if (q.writes && changed) {
        store(t.layout, v, depth, stencil, changed);
        tile.change(q.x, q.y);
    }
    return passes;
}

uint32_t FragmentTests::early_all(const FragmentTests& t, const RasterPrimitive& p, int32_t x, int32_t y,
                                  uint32_t tested, DepthStencilTile& tile) {
    return t.run_samples(p, x, y, tested, tile, nullptr, nullptr);
}

void FragmentTests::list_all(const FragmentTests& t, const RasterPrimitive& p, bool writes,
                             DepthStencilTile& tile, PrimitiveQuads& quads) {
    unsigned count = 0;
    for (unsigned i = 0; i < quads.count; ++i) {
        PrimitiveQuads::Quad q = quads.quad[i];
        if (t.samples > 1) {
            q.passed = t.run(p, q.x, q.y, q.passed, tile);
        } else {
            const QuadF32 z = t.depth.at_quad(p.depth, q.x + t.sample_x[0], q.y + t.sample_y[0]);
            q.passed =
                samples_of(t.run({q.x, q.y, 0, pixels_of(q.passed, 0), p.back_facing, writes, z}, tile));
        }
        quads.quad[count] = q;
        count += q.passed != 0;
    }
    quads.count = count;
}

void FragmentTests::decide() {
    tests_ = DepthStencilTests(desc, format);
    run_ = run_all;
    early_ = early_all;
    list_ = list_all;
    if (!desc.depth_test || desc.stencil_test || bounds) return;
    switch (layout) {
        case DepthLayout::None:
            break;
        case DepthLayout::D16:
            return choose_depth<DepthLayout::D16, DepthFormat::Unorm16>();
        case DepthLayout::D24S8:
            return choose_depth<DepthLayout::D24S8, DepthFormat::Unorm24>();
        case DepthLayout::Word:
            if (format == DepthFormat::Unorm16)
                return choose_depth<DepthLayout::Word, DepthFormat::Unorm16>();
            if (format == DepthFormat::Unorm24)
                return choose_depth<DepthLayout::Word, DepthFormat::Unorm24>();
            return choose_depth<DepthLayout::Word, DepthFormat::Float32>();
    }
}

uint32_t FragmentTests::run_samples(const RasterPrimitive& p, int32_t x, int32_t y, uint32_t tested,
                                    DepthStencilTile& tile, const uint32_t* shader_depth,
                                    const uint32_t* shader_stencil) const {
    QuadSample q{x, y};
    q.back_facing = p.back_facing;
    q.reference = shader_stencil;
    uint32_t passed = 0;
    for (unsigned n = 0; n < samples; ++n) {
        q.sample = n;
        q.pixels = pixels_of(tested, n);
        if (!q.pixels) continue;
        q.z = shader_depth ? written_depth(depth, shader_depth)
                           : depth.at_quad(p.depth, x + sample_x[n], y + sample_y[n]);
        passed |= samples_of(run_(*this, q, tile)) << n;
    }
    return passed;
}

}  // namespace terrazzo::units
