// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures of bytes are filtered by the rule of pipe/raster/filter8.h, to the bit.
#include <algorithm>
#include <bit>

#include "doctest/doctest.h"
#include "pipe/raster/filter8.h"
#include "tests/soft/texture_reference.h"

namespace terrazzo::soft::test {

namespace {

using pipe::Filter;
using pipe::Format;
using pipe::MipFilter;
using pipe::ResourceKind;
using pipe::Swizzle;
using pipe::Wrap;

constexpr Wrap kWraps[] = {Wrap::Repeat, Wrap::ClampToEdge, Wrap::MirroredRepeat};

/// Component k of a level, computed by the rule.
float ruled(const Texture& t, int level, float s, float v, unsigned k) {
    namespace raster = pipe::raster;
    const Swizzle swizzle = t.unit.swizzle[k];
    if (swizzle == Swizzle::Zero) return 0;
    if (swizzle == Swizzle::One) return 1;
    const TextureUnit::Level& l = t.unit.levels[level];
    const raster::Linear8 x = raster::linear8(t.unit.sampler.wrap_s, s, l.width);
    const raster::Linear8 y = raster::linear8(t.unit.sampler.wrap_t, v, l.height);
    const auto texel = [&](int i, int j) {
        return uint8_t(std::lround(t.texel(level, i, j, 0)[size_t(swizzle)] * 255));
    };
    const uint8_t four[4] = {texel(x.i0, y.i0), texel(x.i1, y.i0), texel(x.i0, y.i1), texel(x.i1, y.i1)};
    return raster::filter8(four, x.weight, y.weight);
}

}  // namespace

TEST_CASE("texture: bytes are filtered by the rule, to the bit") {
    constexpr Format kFormats[] = {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R8G8B8X8_UNORM,
                                   Format::B8G8R8X8_UNORM, Format::R8G8B8_UNORM,   Format::R8_UNORM,
                                   Format::R8G8_UNORM,     Format::L8_UNORM,       Format::A8_UNORM,
                                   Format::L8A8_UNORM};
    constexpr int kSizes[][2] = {{16, 8}, {7, 13}, {1, 1}, {1, 9}, {2, 1}, {64, 64}, {3, 2}};
    std::mt19937 random(29);
    const auto real = [&](float low, float high) {
        return low + (high - low) * float(random() % 1000003) / 1000003.0f;
    };
    for (Format format : kFormats)
        for (const auto& size : kSizes)
            for (Wrap ws : kWraps)
                for (Wrap wt : kWraps) {
                    int levels = 1;
                    while (std::max(size[0], size[1]) >> levels)
                        ++levels;
                    Texture t(ResourceKind::Tex2D, format, size[0], size[1], 1, levels, random);
                    t.unit.sampler.wrap_s = ws;
                    t.unit.sampler.wrap_t = wt;
                    t.unit.sampler.min = t.unit.sampler.mag = Filter::Linear;
                    t.unit.sampler.mip = MipFilter(random() % 3);
                    if (random() % 3 == 0)
                        for (Swizzle& s : t.unit.swizzle)
                            s = Swizzle(random() % 6);
                    prepare_texture_unit(&t.unit);
                    TexCall call = {};
                    call.unit = &t.unit;
                    call.mode = TexMode::Lod;
                    for (unsigned round = 0; round < 40; ++round) {
                        const float spread = round % 4 == 0 ? 3.0f : 0.1f, s = real(-2, 2), v = real(-2, 2);
                        const float lod = real(-1, 5);
                        call.mask = round % 3 ? 0xff : 1 + random() % 255;
                        // Sometimes coordinates as in an unrotated picture, with at most a texel a pixel.
                        const bool upright = round % 4 == 1;
                        const float step = real(-0.2f, 1) / float(t.unit.levels[0].width);
                        for (unsigned i = 0; i < kLanes; ++i) {
                            const float column = float((i & 1) + (i >> 2) * 2), row = float(i >> 1 & 1);
                            call.s[i] = s + (upright ? column * step : real(0, spread));
                            call.t[i] = v + (upright ? row * step : real(0, spread));
                            call.lod[i] = round % 5 ? lod : real(-1, 5);
                        }
                        t.unit.sample(&call);
                        for (unsigned i = 0; i < kLanes; ++i) {
                            if (!(call.mask >> i & 1)) continue;
                            const float last = float(levels - 1);
                            const float at = t.unit.sampler.mip == MipFilter::None
                                                 ? 0.0f
                                                 : std::clamp(call.lod[i], 0.0f, last);
                            const bool whole = t.unit.sampler.mip != MipFilter::Linear;
                            int level = whole ? int(std::ceil(at + 0.5f)) - 1 : int(at);
                            level = std::clamp(level, 0, levels - 1);
                            const float next = whole ? 0.0f : at - float(level);
                            for (unsigned k = 0; k < 4; ++k) {
                                float want = ruled(t, level, call.s[i], call.t[i], k);
                                if (next > 0)
                                    want += (ruled(t, level + 1, call.s[i], call.t[i], k) - want) * next;
                                INFO(std::string(pipe::format_name(format)), " ", size[0], "x", size[1],
                                     " wraps ", int(ws), " ", int(wt), " lane ", i, " component ", k, " at ",
                                     call.s[i], " ", call.t[i], " lod ", call.lod[i], " mip ",
                                     int(t.unit.sampler.mip));
                                REQUIRE(std::bit_cast<uint32_t>(call.out[k][i]) ==
                                        std::bit_cast<uint32_t>(want));
                            }
                        }
                    }
                }
}

}  // namespace terrazzo::soft::test
