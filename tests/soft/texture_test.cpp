// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The sampling code, compared with a reference that was written from the specification, and with extreme
// coordinates.
#include <algorithm>
#include <limits>

#include "doctest/doctest.h"
#include "tests/soft/texture_reference.h"

#ifdef TERRAZZO_SOFT_AVX2
#include "drivers/soft/texture/kernels.h"
#endif

namespace terrazzo::soft::test {

namespace {

using pipe::Filter;
using pipe::Format;
using pipe::MipFilter;
using pipe::ResourceKind;
using pipe::Swizzle;
using pipe::Wrap;

constexpr Format kFormats[] = {
    Format::R8G8B8A8_UNORM,     Format::B8G8R8A8_UNORM,     Format::R8G8B8X8_UNORM,
    Format::B8G8R8X8_UNORM,     Format::R8_UNORM,           Format::R8G8_UNORM,
    Format::R8G8B8_UNORM,       Format::L8_UNORM,           Format::A8_UNORM,
    Format::L8A8_UNORM,         Format::B5G6R5_UNORM,       Format::A4B4G4R4_UNORM,
    Format::A1B5G5R5_UNORM,     Format::R10G10B10A2_UNORM,  Format::R16_UNORM,
    Format::R16G16_UNORM,       Format::R8G8B8A8_SNORM,     Format::R8G8B8A8_SRGB,
    Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_FLOAT, Format::L16A16_FLOAT,
    Format::A32_FLOAT,          Format::ETC1_RGB8,          Format::D16_UNORM,
    Format::D24_UNORM_S8_UINT,  Format::S8_UINT_D24_UNORM,  Format::R11G11B10_FLOAT,
    Format::R9G9B9E5_FLOAT,     Format::ETC2_RGBA8_UNORM,   Format::EAC_R11_UNORM};

struct Random {
    explicit Random(uint32_t seed) : engine(seed) {}
    std::mt19937 engine;
    int below(int n) { return int(engine() % unsigned(n)); }
    float real(float low, float high) { return low + (high - low) * float(engine() % 100000) / 100000.0f; }
};

pipe::SamplerDesc random_sampler(Random& r, ResourceKind kind) {
    pipe::SamplerDesc s;
    const auto wrap = [&] { return Wrap(r.below(10) == 0 ? 3 + r.below(2) : r.below(3)); };
    s.wrap_s = wrap();
    s.wrap_t = wrap();
    s.wrap_r = wrap();
    if (kind == ResourceKind::Cube) s.wrap_s = s.wrap_t = Wrap::ClampToEdge;
    s.min = Filter(r.below(2));
    s.mag = Filter(r.below(2));
    s.mip = MipFilter(r.below(3));
    s.border = {0.25f, 0.5f, 0.125f, 0.75f};
    return s;
}

/// Weights for textures of bytes have 8 bits (pipe/raster/filter8.h), on two axes.
double tolerance(const TextureUnit& u) {
    const pipe::FormatInfo& f = pipe::format_info(u.format);
    const bool bytes = f.layout == pipe::FormatLayout::Plain &&
                       f.channel[0].type == pipe::ChannelType::Unorm && f.channel[0].bits == 8 && !f.is_srgb;
    const bool linear = u.sampler.min == Filter::Linear || u.sampler.mag == Filter::Linear;
    return bytes && linear ? 2.0 / 256 + 6e-5 : 6e-5;
}

/// The reference's result, swizzled.
double expected(const TextureUnit& u, const Color& c, unsigned k) {
    if (u.swizzle[k] == Swizzle::Zero) return 0;
    if (u.swizzle[k] == Swizzle::One) return 1;
    return c[size_t(u.swizzle[k])];
}

Texture random_texture(Random& r, Format format, ResourceKind kind) {
    const int w = 1 + r.below(40), h = kind == ResourceKind::Cube ? w : 1 + r.below(40);
    const int d = kind == ResourceKind::Tex2D ? 1 : kind == ResourceKind::Cube ? 6 : 1 + r.below(9);
    int levels = 1;
    while ((std::max({w, h, kind == ResourceKind::Tex3D ? d : 1}) >> levels) && r.below(8))
        ++levels;
    return Texture(kind, format, w, h, d, levels, r.engine);
}

/// The results of both instruction sets must be equal to the bit.
void check_instruction_sets([[maybe_unused]] const TexCall& call) {
#ifdef TERRAZZO_SOFT_AVX2
    if (!__builtin_cpu_supports("avx2")) return;
    // The same function of the unit in the other table.
    const SampleFn avx2 = call.unit->sample;
    SampleFn both[2] = {kSampleBaseline.full, kSampleAvx2.full};
    const auto pair = [&](SampleFn base, SampleFn wide) {
        if (avx2 == wide) both[0] = base, both[1] = wide;
    };
    for (unsigned n = 0; n < 12; ++n)
        pair(kSampleBaseline.bytes_2d[n / 6][n / 3 % 2][n % 3],
             kSampleAvx2.bytes_2d[n / 6][n / 3 % 2][n % 3]);
    pair(kSampleBaseline.bytes_any_2d, kSampleAvx2.bytes_any_2d);
    pair(kSampleBaseline.bytes_cube, kSampleAvx2.bytes_cube);
    for (unsigned n = 0; n < 3; ++n) {
        pair(kSampleBaseline.bytes_array[n], kSampleAvx2.bytes_array[n]);
        pair(kSampleBaseline.bytes_volume[n], kSampleAvx2.bytes_volume[n]);
        pair(kSampleBaseline.compared[n], kSampleAvx2.compared[n]);
    }
    for (unsigned n = 0; n < 16; ++n)
        if (kSampleAvx2.packed_2d[n / 4][n % 4])
            pair(kSampleBaseline.packed_2d[n / 4][n % 4], kSampleAvx2.packed_2d[n / 4][n % 4]);
    REQUIRE(bool(both[1] == avx2));
    TexCall a = call, b = call;
    std::memset(a.out, 0, sizeof a.out);
    std::memset(b.out, 0, sizeof b.out);
    both[0](&a);
    both[1](&b);
    for (unsigned k = 0; k < 4; ++k)
        for (unsigned i = 0; i < kLanes; ++i)
            if (call.mask >> i & 1)
                REQUIRE(std::bit_cast<uint32_t>(a.out[k][i]) == std::bit_cast<uint32_t>(b.out[k][i]));
#endif
}

/// Calls for blocks must have the bits of single calls.
void check_blocks(const TexCall& call) {
    alignas(32) float s[2][kLanes], t[2][kLanes], third[2][kLanes], ref[2][kLanes], out[2][4][kLanes] = {};
    const uint8_t masks[2] = {0xff, uint8_t(call.mask)};
    TexCall single[2] = {call, call};
    TexBlocks blocks = {call.unit, 2, 15, masks, s, t, third, ref, out};
    for (unsigned n = 0; n < 2; ++n) {
        TexCall& c = single[n];
        c.mode = TexMode::Implicit;
        c.mask = masks[n];
        for (unsigned i = 0; i < kLanes; ++i) {
            s[n][i] = c.s[i];
            t[n][i] = c.t[i] *= n ? 1.0f : 0.125f;
            third[n][i] = call.unit->kind == ResourceKind::Tex2DArray ? c.layer[i] : c.r[i];
            ref[n][i] = c.ref[i];
        }
        call.unit->sample(&c);
    }
    call.unit->sample_blocks(&blocks);
    for (unsigned i = 0; i < 64; ++i)
        if (masks[i / 32] >> i % 8 & 1)
            REQUIRE(std::bit_cast<uint32_t>(single[i / 32].out[i / 8 % 4][i % 8]) ==
                    std::bit_cast<uint32_t>(out[i / 32][i / 8 % 4][i % 8]));
}

}  // namespace

TEST_CASE("texture: samples with a given LOD follow the specification") {
    Random r(7);
    unsigned compared = 0;
    for (unsigned round = 0; round < 6000; ++round) {
        const Format format = kFormats[r.below(int(std::size(kFormats)))];
        constexpr ResourceKind kKinds[] = {ResourceKind::Tex2D, ResourceKind::Tex2D, ResourceKind::Tex3D,
                                           ResourceKind::Cube, ResourceKind::Tex2DArray};
        const ResourceKind kind = kKinds[r.below(5)];
        Texture t = random_texture(r, format, kind);
        t.unit.sampler = random_sampler(r, kind);
        if (pipe::format_info(format).has_depth && r.below(2)) {
            t.unit.sampler.compare_enable = true;
            t.unit.sampler.compare = pipe::Compare(r.below(8));
        }
        if (r.below(3) == 0)
            for (Swizzle& s : t.unit.swizzle)
                s = Swizzle(r.below(6));
        prepare_texture_unit(&t.unit);
        TexCall call = {};
        call.unit = &t.unit;
        call.mode = TexMode::Lod;
        call.mask = r.below(3) ? 0xff : unsigned(1 + r.below(255));
        for (unsigned i = 0; i < kLanes; ++i) {
            call.s[i] = r.real(-2.5f, 3.5f), call.t[i] = r.real(-2.5f, 3.5f), call.r[i] = r.real(-2.5f, 3.5f);
            call.layer[i] = r.real(-1, 10), call.ref[i] = r.real(0, 1);
            call.lod[i] = r.below(2) ? r.real(-1, 6) : 1.25f;
        }
        t.unit.sample(&call);
        for (unsigned i = 0; i < kLanes; ++i) {
            if (!(call.mask >> i & 1)) continue;
            double margin = 1;
            const Color c = reference_sample(
                t, {call.s[i], call.t[i], call.r[i], call.layer[i], call.ref[i], call.lod[i]}, &margin);
            if (margin < 2e-4) continue;
            ++compared;
            for (unsigned k = 0; k < 4; ++k) {
                INFO("round ", round, " ", std::string(pipe::format_name(format)), " kind ", int(kind),
                     " lane ", i, " component ", k, " at ", call.s[i], " ", call.t[i], " ", call.r[i],
                     " lod ", call.lod[i], " size ", t.unit.levels[0].width, "x", t.unit.levels[0].height,
                     " filters ", int(t.unit.sampler.min), int(t.unit.sampler.mag), int(t.unit.sampler.mip),
                     " wraps ", int(t.unit.sampler.wrap_s), int(t.unit.sampler.wrap_t));
                const double want = expected(t.unit, c, k);
                REQUIRE_MESSAGE(
                    std::abs(call.out[k][i] - want) < tolerance(t.unit) * std::max(1.0, std::abs(want)),
                    call.out[k][i], " is not ", want);
            }
        }
        check_instruction_sets(call);
        if (kind != ResourceKind::Cube) check_blocks(call);
    }
    CHECK(compared > 30000);
}

TEST_CASE("texture: the LOD is computed from the differences within quads") {
    Random r(11);
    for (unsigned round = 0; round < 2000; ++round) {
        Texture t(ResourceKind::Tex2D, Format::R8G8B8A8_UNORM, 64, 32, 1, 7, r.engine);
        t.unit.sampler = random_sampler(r, ResourceKind::Tex2D);
        t.unit.sampler.mip = MipFilter::Linear;
        const bool bias = round & 1;
        prepare_texture_unit(&t.unit);
        TexCall call = {};
        call.unit = &t.unit;
        call.mode = bias ? TexMode::Bias : TexMode::Implicit;
        call.mask = 0xff;
        double lambda[2];
        for (unsigned quad = 0; quad < 2; ++quad) {
            const float s = r.real(-1, 1), q = r.real(-1, 1), e = std::exp2(r.real(-8, 0));
            const float sx = r.real(-1, 1) * e, tx = r.real(-1, 1) * e, sy = r.real(-1, 1) * e,
                        ty = r.real(-1, 1) * e;
            for (unsigned i = 0; i < 4; ++i) {
                call.s[quad * 4 + i] = s + float(i & 1) * sx + float(i >> 1) * sy;
                call.t[quad * 4 + i] = q + float(i & 1) * tx + float(i >> 1) * ty;
                call.lod[quad * 4 + i] = -0.75f;
            }
            const float* a = &call.s[quad * 4];
            const float* b = &call.t[quad * 4];
            lambda[quad] = std::log2(std::max(std::hypot((a[1] - a[0]) * 64.0, (b[1] - b[0]) * 32.0),
                                              std::hypot((a[2] - a[0]) * 64.0, (b[2] - b[0]) * 32.0))) -
                           (bias ? 0.75 : 0);
        }
        t.unit.sample(&call);
        for (unsigned i = 0; i < kLanes; ++i) {
            double margin = 1;
            const Color c = reference_sample(t, {call.s[i], call.t[i], 0, 0, 0, lambda[i / 4]}, &margin);
            if (margin < 2e-4) continue;
            for (unsigned k = 0; k < 4; ++k) {
                INFO("round ", round, " lane ", i, " lambda ", lambda[i / 4]);
                REQUIRE(std::abs(call.out[k][i] - c[k]) < tolerance(t.unit) + 1e-4);
            }
        }
        check_instruction_sets(call);
        // With explicit derivatives of the same values the result is the same.
        TexCall grad = call;
        grad.mode = TexMode::Grad;
        if (bias) continue;
        for (unsigned i = 0; i < kLanes; ++i) {
            const unsigned q = i & ~3u;
            grad.ddx[0][i] = call.s[q + 1] - call.s[q], grad.ddx[1][i] = call.t[q + 1] - call.t[q];
            grad.ddy[0][i] = call.s[q + 2] - call.s[q], grad.ddy[1][i] = call.t[q + 2] - call.t[q];
        }
        t.unit.sample(&grad);
        for (unsigned k = 0; k < 4; ++k)
            for (unsigned i = 0; i < kLanes; ++i)
                REQUIRE(grad.out[k][i] == call.out[k][i]);
    }
}

TEST_CASE("texture: no coordinate reads outside a level") {
    // Sanitizers find any read outside the vectors. Here the results must be the texture's only colour.
    Random r(3);
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const float kValues[] = {inf,     -inf,          nan,        1e30f,       -1e30f, 1e9f,
                             -1e9f,   2147483648.0f, 8388608.5f, -0.0f,       1.0f,   0.9999999f,
                             -1e-30f, 3e38f,         -3e38f,     16777216.0f, 0.5f,   -1.0f};
    for (unsigned round = 0; round < 4000; ++round) {
        constexpr ResourceKind kKinds[] = {ResourceKind::Tex2D, ResourceKind::Tex3D, ResourceKind::Cube,
                                           ResourceKind::Tex2DArray};
        const ResourceKind kind = kKinds[r.below(4)];
        Texture t = random_texture(r, r.below(2) ? Format::R8G8B8A8_UNORM : Format::R8_UNORM, kind);
        for (auto& level : t.memory)
            std::fill(level.begin(), level.end(), uint8_t(255));
        t.unit.sampler = random_sampler(r, kind);
        for (Wrap* w : {&t.unit.sampler.wrap_s, &t.unit.sampler.wrap_t, &t.unit.sampler.wrap_r})
            if (*w == Wrap::ClampToBorder) *w = Wrap::Repeat;
        t.unit.sampler.max_anisotropy = r.below(2) ? 8.0f : 1.0f;
        t.unit.sampler.seamless_cube = r.below(2);
        prepare_texture_unit(&t.unit);
        TexCall call = {};
        call.unit = &t.unit;
        call.mode = TexMode(r.below(4));
        call.mask = 0xff;
        for (int& o : call.offset)
            o = r.below(3) ? 0 : r.below(16) - 8;
        const auto value = [&] {
            return r.below(3) ? kValues[r.below(int(std::size(kValues)))] : r.real(-4, 4);
        };
        for (unsigned i = 0; i < kLanes; ++i) {
            call.s[i] = value(), call.t[i] = value(), call.r[i] = value(), call.layer[i] = value(),
            call.lod[i] = value();
            for (int a = 0; a < 3; ++a)
                call.ddx[a][i] = value(), call.ddy[a][i] = value();
        }
        t.unit.sample(&call);
        for (unsigned i = 0; i < kLanes; ++i) {
            INFO("round ", round, " kind ", int(kind), " mode ", int(call.mode), " at ", call.s[i], " ",
                 call.t[i], " ", call.r[i]);
            REQUIRE(call.out[0][i] == 1.0f);
        }
        check_instruction_sets(call);
    }
}

TEST_CASE("texture: every fixed-point maximum is exactly one, and integers stay integers") {
    Random r(5);
    for (Format f : kFormats) {
        const pipe::FormatInfo& info = pipe::format_info(f);
        if (info.layout != pipe::FormatLayout::Plain || info.channel[0].type != pipe::ChannelType::Unorm)
            continue;
        Texture t(ResourceKind::Tex2D, f, 4, 4, 1, 1, r.engine);
        std::fill(t.memory[0].begin(), t.memory[0].end(), uint8_t(255));
        t.unit.sampler.min = t.unit.sampler.mag = Filter::Linear;
        prepare_texture_unit(&t.unit);
        TexCall call = {};
        call.unit = &t.unit;
        call.mode = TexMode::Lod;
        call.mask = 0xff;
        for (unsigned i = 0; i < kLanes; ++i)
            call.s[i] = r.real(-1, 2), call.t[i] = r.real(-1, 2);
        t.unit.sample(&call);
        const unsigned k = info.component_bits(0) || info.has_depth ? 0 : 3;
        for (unsigned i = 0; i < kLanes; ++i) {
            INFO(std::string(pipe::format_name(f)));
            REQUIRE(call.out[k][i] == 1.0f);
        }
    }
    Texture t(ResourceKind::Tex2D, Format::R32G32B32A32_UINT, 4, 4, 1, 1, r.engine);
    t.unit.sampler.min = t.unit.sampler.mag = Filter::Nearest;
    prepare_texture_unit(&t.unit);
    TexCall call = {};
    call.unit = &t.unit;
    call.mask = 0xff;
    for (unsigned i = 0; i < kLanes; ++i)
        call.s[i] = (float(i % 4) + 0.5f) / 4, call.t[i] = (float(i / 4) + 0.5f) / 4;
    t.unit.sample(&call);
    for (unsigned i = 0; i < kLanes; ++i)
        REQUIRE(std::memcmp(&call.out[2][i],
                            t.memory[0].data() + (i / 4) * t.unit.levels[0].row_stride_B + (i % 4) * 16 + 8,
                            4) == 0);
}

TEST_CASE("texture: fetches read the texel, and zero outside") {
    Random r(13);
    Texture t(ResourceKind::Tex2DArray, Format::R8G8B8A8_UNORM, 9, 5, 3, 3, r.engine);
    prepare_texture_unit(&t.unit);
    for (unsigned round = 0; round < 200; ++round) {
        TexCall call = {};
        call.unit = &t.unit;
        call.mode = TexMode::Fetch;
        call.mask = 0xff;
        int x[kLanes], y[kLanes], z[kLanes], level[kLanes];
        for (unsigned i = 0; i < kLanes; ++i) {
            x[i] = r.below(12) - 1, y[i] = r.below(8) - 1, z[i] = r.below(5) - 1, level[i] = r.below(5) - 1;
            call.s[i] = std::bit_cast<float>(x[i]), call.t[i] = std::bit_cast<float>(y[i]);
            call.layer[i] = std::bit_cast<float>(z[i]), call.lod[i] = std::bit_cast<float>(level[i]);
        }
        t.unit.sample(&call);
        for (unsigned i = 0; i < kLanes; ++i) {
            const bool inside = level[i] >= 0 && level[i] < 3 && z[i] >= 0 && z[i] < 3 && x[i] >= 0 &&
                                y[i] >= 0 && x[i] < t.unit.levels[level[i]].width &&
                                y[i] < t.unit.levels[level[i]].height;
            const double want = inside ? t.texel(level[i], x[i], y[i], z[i])[2] : 0;
            REQUIRE(std::abs(call.out[2][i] - want) < 1e-6);
        }
    }
}

TEST_CASE("texture: seamless cubes are continuous over their edges") {
    Random r(17);
    Texture t(ResourceKind::Cube, Format::R8G8B8A8_UNORM, 8, 8, 6, 1, r.engine);
    t.unit.sampler.min = t.unit.sampler.mag = Filter::Linear;
    t.unit.sampler.seamless_cube = true;
    prepare_texture_unit(&t.unit);
    for (unsigned round = 0; round < 2000; ++round) {
        // Two close directions on either side of an edge between faces.
        const int a = r.below(3), b = (a + 1 + r.below(2)) % 3, c = 3 - a - b;
        float v[3];
        v[a] = r.below(2) ? 1.0f : -1.0f;
        v[b] = r.below(2) ? 1.0f : -1.0f;
        v[c] = r.real(-0.8f, 0.8f);
        TexCall call = {};
        call.unit = &t.unit;
        call.mode = TexMode::Lod;
        call.mask = 3;
        for (unsigned i = 0; i < 2; ++i) {
            float w[3] = {v[0], v[1], v[2]};
            w[i ? a : b] *= 0.99999f;
            call.s[i] = w[0], call.t[i] = w[1], call.r[i] = w[2];
        }
        t.unit.sample(&call);
        for (unsigned k = 0; k < 4; ++k) {
            INFO("edge ", v[0], " ", v[1], " ", v[2]);
            REQUIRE(std::abs(call.out[k][0] - call.out[k][1]) < 1e-3);
        }
    }
}

TEST_CASE("texture: the fast code of seamless cubes agrees with the full code") {
    Random r(19);
    unsigned fast = 0;
    for (unsigned round = 0; round < 2000; ++round) {
        constexpr Format kBytes[] = {Format::R8G8B8A8_UNORM, Format::R8_UNORM, Format::R8G8_UNORM};
        Texture t = random_texture(r, kBytes[r.below(3)], ResourceKind::Cube);
        t.unit.sampler = random_sampler(r, ResourceKind::Cube);
        t.unit.sampler.min = t.unit.sampler.mag = Filter::Linear;
        t.unit.sampler.seamless_cube = true;
        prepare_texture_unit(&t.unit);
        fast += t.unit.sample != t.unit.code.full;
        TexCall call = {};
        call.unit = &t.unit;
        call.mode = TexMode::Lod;
        call.mask = LaneMask(r.below(256));
        for (unsigned i = 0; i < kLanes; ++i)
            call.s[i] = r.real(-1, 1), call.t[i] = r.real(-1, 1), call.r[i] = r.real(-1, 1),
            call.lod[i] = r.real(-1, 4);
        TexCall full = call;
        t.unit.sample(&call);
        t.unit.code.full(&full);
        for (unsigned k = 0; k < 4; ++k)
            for (unsigned i = 0; i < kLanes; ++i)
                if (call.mask >> i & 1) REQUIRE(std::abs(call.out[k][i] - full.out[k][i]) < 0.012);
        check_instruction_sets(call);
    }
    CHECK(fast == 2000);
}

TEST_CASE("texture: seamless cubes have no wrap modes") {
    Random r(18);
    Texture t(ResourceKind::Cube, Format::R8G8B8A8_UNORM, 8, 8, 6, 1, r.engine);
    TextureUnit clamped = t.unit, repeated = t.unit;
    for (TextureUnit* u : {&clamped, &repeated}) {
        u->sampler = {};
        u->sampler.min = u->sampler.mag = Filter::Nearest;
        u->sampler.seamless_cube = true;
        u->sampler.wrap_s = u->sampler.wrap_t = u == &clamped ? Wrap::ClampToEdge : Wrap::Repeat;
        prepare_texture_unit(u);
    }
    for (unsigned round = 0; round < 100; ++round) {
        TexCall a = {};
        a.mode = TexMode::Lod;
        a.mask = 255;
        for (unsigned i = 0; i < kLanes; ++i) {  // on an edge: the face's coordinate is exactly 0 or 1
            float* const v[3] = {&a.s[i], &a.t[i], &a.r[i]};
            for (float* x : v)
                *x = r.below(2) ? 1.0f : -1.0f;
            *v[r.below(3)] = r.real(-1, 1);
        }
        TexCall b = a;
        a.unit = &clamped, b.unit = &repeated;
        clamped.sample(&a), repeated.sample(&b);
        for (unsigned k = 0; k < 4; ++k)
            for (unsigned i = 0; i < kLanes; ++i)
                REQUIRE(a.out[k][i] == b.out[k][i]);
    }
}

TEST_CASE("texture: anisotropic probes keep the detail across the footprint's short axis") {
    // Vertical stripes of two texels at an anisotropy of 8:1. With a single probe the LOD of 3 would blur
    // them.
    std::mt19937 random(1);
    Texture t(ResourceKind::Tex2D, Format::R8_UNORM, 64, 64, 1, 7, random);
    for (int n = 0; n < 7; ++n) {
        const TextureUnit::Level& l = t.unit.levels[n];
        for (int y = 0; y < l.height; ++y)
            for (int x = 0; x < l.width; ++x)
                t.memory[size_t(n)][size_t(y) * l.row_stride_B + size_t(x)] =
                    n == 0 ? (x & 2 ? 255 : 0) : 128;
    }
    t.unit.sampler.min = t.unit.sampler.mag = Filter::Linear;
    t.unit.sampler.mip = MipFilter::Linear;
    TexCall call = {};
    call.mode = TexMode::Grad;
    call.mask = 1;
    call.s[0] = 4.0f / 64 - 1.0f / 64;  // between the two texels of a bright stripe
    call.t[0] = 0.5f;
    call.ddx[0][0] = 1.0f / 64;
    call.ddy[1][0] = 8.0f / 64;
    for (float anisotropy : {1.0f, 8.0f}) {
        t.unit.sampler.max_anisotropy = anisotropy;
        prepare_texture_unit(&t.unit);
        call.unit = &t.unit;
        t.unit.sample(&call);
        if (anisotropy > 1)
            CHECK(call.out[0][0] > 0.99f);
        else
            CHECK(std::abs(call.out[0][0] - 128 / 255.0f) < 1e-3);
    }
}

TEST_CASE("texture: an unbound unit is opaque black") {
    TextureUnit u = {};
    prepare_texture_unit(&u);
    TexCall call = {};
    call.unit = &u;
    call.mask = 0xff;
    u.sample(&call);
    for (unsigned i = 0; i < kLanes; ++i) {
        CHECK(call.out[0][i] == 0);
        CHECK(call.out[3][i] == 1);
    }
}

}  // namespace terrazzo::soft::test
