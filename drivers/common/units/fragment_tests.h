// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth, stencil and depth bounds tests of a draw's fragments against a tile: early ones, with the depth of
// the primitive, and late ones, with results of the shader. Sources: OpenGL ES 3.2 section 15.1;
// GL_EXT_depth_bounds_test.
#pragma once

#include <cstring>

#include "drivers/common/units/depth_stencil.h"
#include "drivers/common/units/primitive_quads.h"
#include "drivers/common/units/quad_samples.h"
#include "drivers/common/units/tile_plane.h"

namespace terrazzo::units {

/// Depth of a sample in a tile: a word of 16 or 32 bits. In D24S8 the stencil is the top byte of the word.
enum class DepthLayout : uint8_t { None, D16, D24S8, Word };
constexpr uint32_t depth_size_B(DepthLayout layout) {
    return layout == DepthLayout::None ? 0 : layout == DepthLayout::D16 ? 2 : 4;
}

struct DepthStencilTile {
    TilePlane depth, stencil;      // stencil: a byte for each sample
    pipe::raster::PixelRect rect;  // pixels outside are never accessed
    uint32_t changed = 0;          // a bit for each 16x16 pixels in which a test has written
    void change(int32_t x, int32_t y) {
        changed |= 1u << ((((y - rect.y0) >> 4) * 2 + ((x - rect.x0) >> 4)) & 31);
    }
};

/// The depths that a shader writes to a quad, clamped.
[[nodiscard]] inline QuadF32 written_depth(const FragmentDepth& range, const uint32_t depth[4]) {
    QuadF32 z;
    std::memcpy(&z, depth, sizeof z);
    const QuadF32 low = QuadF32{} + float(range.low), high = QuadF32{} + float(range.high);
    return max_of(min_of(high, z), low);
}

/// The tests of a draw, decided once.
struct FragmentTests {
    pipe::DepthStencilDesc desc;
    DepthFormat format = DepthFormat::Float32;
    DepthLayout layout = DepthLayout::None;
    FragmentDepth depth;
    uint8_t reference[2] = {};  // of front and back faces
    bool bounds = false;        // the stored depth must be within the bounds
    float least = 0, most = 1;
    unsigned samples = 1;
    double sample_x[kMaxSamples] = {0.5}, sample_y[kMaxSamples] = {0.5};  // px from the pixel's corner

    bool allow_avx2 = true;  // false (for tests): works as on a CPU without AVX2, with the same results

    /// Call when the members above are set.
    void decide();
    /// There is something to test or to write. It may be more than needed.
    [[nodiscard]] bool any() const { return desc.depth_test || desc.stencil_test || bounds; }

    /// Tests a quad's samples; returns those that pass. The tile changes by the tests' rules, also for
    /// samples that fail. Late tests have results of the shader, a word for each pixel, or null.
    [[nodiscard]] uint32_t run(const RasterPrimitive& p, int32_t x, int32_t y, uint32_t tested,
                               DepthStencilTile& tile) const {
        return early_(*this, p, x, y, tested, tile);
    }
    [[nodiscard]] uint32_t run(const RasterPrimitive& p, int32_t x, int32_t y, uint32_t tested,
                               DepthStencilTile& tile, const uint32_t* shader_depth,
                               const uint32_t* shader_stencil) const {
        return shader_depth || shader_stencil
                   ? run_samples(p, x, y, tested, tile, shader_depth, shader_stencil)
                   : early_(*this, p, x, y, tested, tile);
    }

    /// One sample of each pixel of a quad.
    struct QuadSample {
        int32_t x = 0, y = 0;  // px
        unsigned sample = 0, pixels = 15;
        bool back_facing = false;
        bool writes = true;  // false: the tile does not change
        QuadF32 z{};
        const uint32_t* reference = nullptr;  // of each pixel; null: `reference` of the face
    };
    /// The pixels that pass.
    [[nodiscard]] unsigned run(const QuadSample& q, DepthStencilTile& tile) const {
        return run_(*this, q, tile);
    }

    /// Tests all quads of a list, and removes those of which no sample passes. `writes` is as in QuadSample;
    /// with several samples in each pixel it must be true.
    void run(const RasterPrimitive& p, bool writes, DepthStencilTile& tile, PrimitiveQuads& quads) const {
        list_(*this, p, writes, tile, quads);
    }
    [[nodiscard]] DepthStencilTests::DepthMasks depth_masks() const { return tests_.masks(); }

  private:
    using Run = unsigned (*)(const FragmentTests&, const QuadSample&, DepthStencilTile&);
    using Early = uint32_t (*)(const FragmentTests&, const RasterPrimitive&, int32_t, int32_t, uint32_t,
                               DepthStencilTile&);
    using List = void (*)(const FragmentTests&, const RasterPrimitive&, bool, DepthStencilTile&,
                          PrimitiveQuads&);
    uint32_t run_samples(const RasterPrimitive& p, int32_t x, int32_t y, uint32_t tested,
                         DepthStencilTile& tile, const uint32_t* shader_depth,
                         const uint32_t* shader_stencil) const;
    static unsigned run_all(const FragmentTests& t, const QuadSample& q, DepthStencilTile& tile);
    static uint32_t early_all(const FragmentTests& t, const RasterPrimitive& p, int32_t x, int32_t y,
                              uint32_t tested, DepthStencilTile& tile);
    static void list_all(const FragmentTests& t, const RasterPrimitive& p, bool writes,
                         DepthStencilTile& tile, PrimitiveQuads& quads);
    struct DepthOnly;
    template <DepthLayout kLayout, DepthFormat kFormat>
    void choose_depth();

    DepthStencilTests tests_;
    Run run_ = run_all;
    Early early_ = early_all;
    List list_ = list_all;
};

}  // namespace terrazzo::units
