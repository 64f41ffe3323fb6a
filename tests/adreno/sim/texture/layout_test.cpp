// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The level addresses that hardware computes from a descriptor are those of pipe/layout.
#include "drivers/adreno/sim/texture/layout.h"

#include <doctest/doctest.h>

#include "tests/adreno/sim/texture/fixture.h"

namespace terrazzo::adreno {
namespace {

using test::TestImage;

// Compares the levels from `base` on. Counts images with several levels, and compressed ones with several
// levels.
struct Counts {
    unsigned images = 0, mipmapped = 0, compressed = 0, slices = 0, small = 0;
};

void compare(const TestImage& image, uint32_t base, Counts* counts) {
    const hw::TexConst d = test::describe(image, base);
    units::FormatReader format;
    REQUIRE(sim::surface_format(d.fmt, hw::ColorSwap::WZYX, d.srgb, &format));
    std::array<sim::LevelPlace, sim::kMaxTextureLevels> levels;
    sim::place_levels(d, format, &levels);
    const pipe::SurfaceLayout& s = image.layout.surface;
    for (uint32_t l = base; l < s.levels; ++l) {
        const sim::LevelPlace& p = levels[l - base];
        CAPTURE(l);
        REQUIRE(d.base + p.offset_B == image.va + s.level[l].offset_B);
        REQUIRE(p.pitch_B == s.level[l].row_stride_B);
        REQUIRE((p.tile_mode == hw::TileMode::TILE6_LINEAR) == (s.level[l].tiling == pipe::Tiling::Linear));
        if (s.z_count(l) > 1) REQUIRE(p.z_stride_B == s.z_stride_B(l));
        REQUIRE(p.has_flags == image.layout.ubwc.compressed(l));
        counts->small += s.level[l].tiling != s.tiling;
        counts->slices += s.z_count(l) > 1;
        if (!p.has_flags) continue;
        REQUIRE(d.flag_base + p.flags_offset_B == image.va + image.layout.ubwc.level[l].offset_B);
        REQUIRE(p.flags_pitch_B == image.layout.ubwc.level[l].row_stride_B);
        REQUIRE(p.flags_z_stride_B == image.layout.ubwc.layer_stride_B);
        counts->compressed += l > base;
    }
    ++counts->images;
    counts->mipmapped += s.levels - base > 1;
}

}  // namespace

TEST_CASE("texture: levels have pipe/layout's addresses") {
    std::mt19937 random(7);
    Counts counts;
    for (unsigned n = 0; n < 20000; ++n) {
        TestImage image;
        pipe::LayoutDesc& i = image.desc.image;
        i.format = pipe::Format(1 + random() % (pipe::kFormatCount - 1));
        const hw::FormatRow* row = hw::format_row(i.format);
        if (!row || !row->is_texture() || i.format == pipe::Format::D32_FLOAT_S8X24_UINT) continue;
        i.width = 1 + random() % (random() % 2 ? 40 : 1200);
        i.height = 1 + random() % (random() % 2 ? 40 : 1200);
        const unsigned kind = random() % 4;
        if (kind == 1) i.kind = pipe::ResourceKind::Tex2DArray, i.layers = 1 + random() % 4;
        if (kind == 2) i.kind = pipe::ResourceKind::Tex3D, i.depth = 1 + random() % 40;
        if (kind == 3) i.kind = pipe::ResourceKind::Cube, i.layers = 6, i.height = i.width;
        const uint32_t largest = std::max({i.width, i.height, i.depth});
        i.levels = 1 + random() % uint32_t(std::bit_width(largest));
        i.tiling = random() % 4 ? pipe::Tiling::Macrotiled : pipe::Tiling::Linear;
        image.desc.ubwc = i.tiling == pipe::Tiling::Macrotiled && random() % 2;
        image.va = 0x100000000ull;
        if (pipe::a6xx_layout_compute(image.desc, test::chip_memory(), &image.layout) !=
            pipe::LayoutStatus::Ok)
            continue;
        CAPTURE(pipe::format_info(i.format).name);
        CAPTURE(i.width);
        CAPTURE(i.height);
        CAPTURE(i.depth);
        compare(image, 0, &counts);
        compare(image, random() % i.levels, &counts);
    }
    CHECK(counts.images > 10000);
    CHECK(counts.mipmapped > 5000);
    CHECK(counts.compressed > 1000);
    CHECK(counts.slices > 1000);
    CHECK(counts.small > 1000);
}

}  // namespace terrazzo::adreno
