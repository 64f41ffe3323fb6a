// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Filtering instructions compared with pipe/raster's sampler on the same pixels: kinds of images, samplers,
// levels, comparisons, offsets.
#include <doctest/doctest.h>

#include <cmath>
#include <ctime>
#include <random>

#include "drivers/adreno/sim/texture/prefetch.h"
#include "pipe/half.h"
#include "pipe/raster/sample.h"
#include "tests/adreno/sim/texture/fixture.h"

namespace terrazzo::adreno {
namespace {

using pipe::ResourceKind;
using test::Fixture;
using test::TestImage;

struct Reference {
    const TestImage& image;
    units::FormatReader reader;
    static void fetch(void* data, uint32_t level, int32_t x, int32_t y, int32_t z, float out[4]) {
        const auto& r = *static_cast<Reference*>(data);
        uint32_t v[4];
        r.reader.read(r.image.at(level, uint32_t(x), uint32_t(y), uint32_t(z)), v);
        for (unsigned c = 0; c < 4; ++c)
            out[c] = r.reader.kind == units::NumberKind::Uint ? float(v[c]) : std::bit_cast<float>(v[c]);
    }
};

hw::TexClamp clamp_of(pipe::Wrap w) {
    switch (w) {
        case pipe::Wrap::ClampToEdge:
            return hw::TexClamp::A6XX_TEX_CLAMP_TO_EDGE;
        case pipe::Wrap::MirroredRepeat:
            return hw::TexClamp::A6XX_TEX_MIRROR_REPEAT;
        case pipe::Wrap::ClampToBorder:
            return hw::TexClamp::A6XX_TEX_CLAMP_TO_BORDER;
        case pipe::Wrap::MirrorClampToEdge:
            return hw::TexClamp::A6XX_TEX_MIRROR_CLAMP;
        case pipe::Wrap::Repeat:
            break;
    }
    return hw::TexClamp::A6XX_TEX_REPEAT;
}

hw::TexSamp describe(const pipe::SamplerDesc& s) {
    hw::TexSamp d;
    const bool aniso = s.max_anisotropy > 1;
    const auto filter = [&](pipe::Filter f) {
        return f == pipe::Filter::Nearest ? hw::TexFilter::A6XX_TEX_NEAREST
               : aniso                    ? hw::TexFilter::A6XX_TEX_ANISO
                                          : hw::TexFilter::A6XX_TEX_LINEAR;
    };
    d.xy_mag = filter(s.mag);
    d.xy_min = filter(s.min);
    d.mipfilter_linear_near = s.mip == pipe::MipFilter::Linear;
    d.mipfilter_linear_far = s.mip == pipe::MipFilter::None;
    d.wrap_s = clamp_of(s.wrap_s), d.wrap_t = clamp_of(s.wrap_t), d.wrap_r = clamp_of(s.wrap_r);
    d.aniso = hw::TexAniso(std::countr_zero(uint32_t(s.max_anisotropy)));
    d.lod_bias = s.lod_bias;
    d.min_lod = s.min_lod, d.max_lod = s.max_lod;
    d.compare_func = hw::CompareFunc(unsigned(s.compare));
    d.cubemapseamlessfiltoff = !s.seamless_cube;
    d.bcolor = 3;
    return d;
}

pipe::SamplerDesc random_sampler(std::mt19937& random) {
    pipe::SamplerDesc s;
    const auto wrap = [&] { return pipe::Wrap(random() % 5); };
    s.wrap_s = wrap(), s.wrap_t = wrap(), s.wrap_r = wrap();
    s.min = pipe::Filter(random() % 2), s.mag = pipe::Filter(random() % 2);
    s.mip = pipe::MipFilter(random() % 3);
    s.compare = pipe::Compare(random() % 8);
    s.seamless_cube = random() % 2;
    s.lod_bias = float(int(random() % 512) - 256) / 256;
    s.min_lod = random() % 3 ? 0.0f : float(random() % 512) / 256;
    s.max_lod = random() % 3 ? 15.0f : s.min_lod + float(random() % 512) / 256;
    if (random() % 8 == 0) s.max_anisotropy = 4, s.min = s.mag = pipe::Filter::Linear;
    return s;
}

// The registers of borders; the sampler uses number 3 of a table.
pipe::BorderColor load_border(Fixture& f, std::mt19937& random) {
    uint64_t va = 0;
    uint8_t* table = f.map(4 * hw::BorderColor::kSize_B, &va);
    hw::BorderColor b;
    pipe::BorderColor out;
    for (unsigned c = 0; c < 4; ++c)
        b.fp32[c] = out.bits[c] = std::bit_cast<uint32_t>(float(random() % 257) / 256);
    uint32_t words[hw::BorderColor::kSize_dw];
    hw::pack(b, words);
    std::memcpy(table + 3 * hw::BorderColor::kSize_B, words, sizeof(words));
    f.machine.registers.write(hw::SP_TP_BORDER_COLOR_BASE_ADDR::kRegister, uint32_t(va));
    f.machine.registers.write(hw::SP_TP_BORDER_COLOR_BASE_ADDR::kRegister + 1, uint32_t(va >> 32));
    return out;
}

pipe::A6xxLayoutDesc image_desc(ResourceKind kind, pipe::Format format, std::mt19937& random) {
    pipe::A6xxLayoutDesc d;
    d.image.kind = kind;
    d.image.format = format;
    // A quarter of the images have powers of two as sizes, down to a single texel.
    const bool small = random() % 4 == 0;
    const auto size = [&] { return small ? 1u << random() % 6 : 17 + random() % 30; };
    d.image.width = size();
    d.image.height = kind == ResourceKind::Cube || kind == ResourceKind::CubeArray ? d.image.width : size();
    const uint32_t most = std::bit_width(std::max(d.image.width, d.image.height));
    d.image.levels = 1 + random() % std::min(5u, most);
    if (kind == ResourceKind::Tex2DArray) d.image.layers = 3;
    if (kind == ResourceKind::Cube) d.image.layers = 6;
    if (kind == ResourceKind::CubeArray) d.image.layers = 12;
    if (kind == ResourceKind::Tex3D) d.image.depth = 9;
    d.image.tiling = random() % 2 ? pipe::Tiling::Macrotiled : pipe::Tiling::Linear;
    return d;
}

enum class How { Sam, Bias, Level, Gradients, Gather };

// One trial: one instruction on one image, for all lanes.
struct Trial {
    Fixture f;
    std::mt19937 random;
    TestImage image;
    pipe::SamplerDesc sampler;
    How how = How::Sam;
    bool shadow = false, offset = false, half = false;
    unsigned component = 0;
    isa::Instr instr;

    explicit Trial(unsigned seed) : random(seed) {}
    ResourceKind kind() const { return image.desc.image.kind; }
    bool cube() const { return kind() == ResourceKind::Cube || kind() == ResourceKind::CubeArray; }
    bool three() const { return cube() || kind() == ResourceKind::Tex3D; }
    bool layered() const { return kind() == ResourceKind::Tex2DArray || kind() == ResourceKind::CubeArray; }

    bool create() {
        constexpr ResourceKind kKinds[] = {ResourceKind::Tex2D, ResourceKind::Tex2DArray, ResourceKind::Tex3D,
                                           ResourceKind::Cube, ResourceKind::CubeArray};
        const ResourceKind k = kKinds[random() % 5];
        shadow = random() % 4 == 0 && k != ResourceKind::Tex3D;
        constexpr pipe::Format kFormats[] = {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R8G8B8A8_SNORM,
                                             pipe::Format::R16_UNORM, pipe::Format::R8G8B8A8_SRGB};
        const pipe::Format format = shadow ? pipe::Format::D24_UNORM_S8_UINT : kFormats[random() % 4];
        if (!f.create(image_desc(k, format, random), &image)) return false;
        how = How(random() % 5);
        if (how == How::Gather && k == ResourceKind::Tex3D) how = How::Sam;
        offset = !cube() && random() % 4 == 0;
        half = random() % 4 == 0;
        component = shadow ? 0 : random() % 4;
        sampler = random_sampler(random);
        sampler.border = load_border(f, random);
        hw::TexConst d = test::describe(image);
        f.load_texture(d);
        f.load_sampler(describe(sampler));
        make_instruction();
        return true;
    }
    void make_instruction() {
        constexpr isa::Op kGather[] = {isa::Op::kGather4r, isa::Op::kGather4g, isa::Op::kGather4b,
                                       isa::Op::kGather4a};
        instr = isa::make(how == How::Sam         ? isa::Op::kSam
                          : how == How::Bias      ? isa::Op::kSamb
                          : how == How::Level     ? isa::Op::kSaml
                          : how == How::Gradients ? isa::Op::kSamgq
                                                  : kGather[component]);
        instr.set_type(half ? isa::Type::kF16 : isa::Type::kF32);
        instr.set_write_mask(15);
        instr.set_cube(three());
        instr.set_array(layered());
        instr.set_shadow(shadow);
        instr.set_coordinate_offset(offset);
    }
    float coordinate() { return float(int(random() % 3001) - 1000) / 997; }

    // Fills a lane's words, and the request to pipe/raster.
    void fill(sim::UnitCall& call, const float quad[3][3], unsigned lane, pipe::raster::SampleArgs* args) {
        const unsigned k = lane % 4;
        unsigned n = 0;
        const auto put = [&](float v) { test::set(call.in[n++], lane, v); };
        for (unsigned c = 0; c < (three() ? 3u : 2u); ++c) {
            const float fourth = quad[1][c] + quad[2][c] - quad[0][c];
            args->coord[c] = k < 3 ? quad[k][c] : fourth;
            args->ddx[c] = quad[1][c] - quad[0][c];
            args->ddy[c] = quad[2][c] - quad[0][c];
            put(args->coord[c]);
        }
        if (shadow) put(args->reference = coordinate());
        if (layered()) {
            const float layer = float(random() % 40) / 10;
            put(layer);
            args->coord[cube() ? 3 : 2] = std::floor(layer);
        }
        if (how == How::Gradients) {
            n = std::max(n, 4u);
            for (float* d : {args->ddx, args->ddy})
                for (unsigned c = 0; c < (three() ? 3u : 2u); ++c)
                    put(d[c] = coordinate() / 16);
        }
        n = n > 8 ? 12 : 8;
        for (unsigned c = 0; offset && c < (three() ? 3u : 2u); ++c) {
            args->offset[c] = int(random() % 16) - 8;
            test::set(call.in[n++], lane, uint32_t(args->offset[c]));
        }
        args->lod_mode =
            how == How::Level ? pipe::raster::LodMode::Explicit : pipe::raster::LodMode::Derivatives;
        const float level = float(random() % 1280) / 256 - 1;
        if (how == How::Bias) put(args->bias = level);
        if (how == How::Level) put(args->lod = level);
        args->late_magnify = false;
    }
    void expect(const pipe::raster::SampleArgs& args, float out[4]) {
        Reference reference{image, units::format_reader(image.desc.image.format)};
        pipe::raster::TextureShape shape;
        shape.kind = kind();
        shape.width = image.desc.image.width, shape.height = image.desc.image.height;
        shape.depth = image.desc.image.depth, shape.layers = image.desc.image.layers;
        shape.last_level = image.levels() - 1;
        pipe::SamplerDesc s = sampler;
        s.compare_enable = shadow;
        // A descriptor's swizzle also changes borders.
        if (image.desc.image.format == pipe::Format::R16_UNORM || shadow) s.border.bits[3] = 0x3f800000;
        if (how == How::Gather)
            pipe::raster::gather(s, shape, Reference::fetch, &reference, args, component, out);
        else
            pipe::raster::sample(s, shape, Reference::fetch, &reference, args, out);
    }
    void run(unsigned* compared) {
        sim::UnitCall call = f.call(instr);
        pipe::raster::SampleArgs args[64];
        float quad[3][3];
        // In half of all trials quads are magnified, so that their lanes have the same level.
        const float most_step = random() % 2 ? 0.2f : 0.01f;
        for (unsigned lane = 0; lane < 64; ++lane) {
            const float step = float(random() % 100) / 100 * most_step;
            for (unsigned k = 0; k < 3 && lane % 4 == 0; ++k)
                for (unsigned c = 0; c < 3; ++c)
                    quad[k][c] = k == 0 ? coordinate() : quad[0][c] + coordinate() * step;
            fill(call, quad, lane, &args[lane]);
        }
        const bool good = f.units.texture(call, &f.why);
        INFO(f.why);
        REQUIRE(good);
        for (unsigned lane = 0; lane < 64; ++lane) {
            float expected[4];
            expect(args[lane], expected);
            for (unsigned c = 0; c < 4; ++c) {
                const uint32_t bits = test::get(call.out[c], lane);
                const float value = half ? pipe::half_to_float(uint16_t(bits)) : std::bit_cast<float>(bits);
                CAPTURE(lane);
                CAPTURE(c);
                REQUIRE(value == doctest::Approx(half ? pipe::half_to_float(pipe::float_to_half(expected[c]))
                                                      : expected[c])
                                     .epsilon(1e-5));
                ++*compared;
            }
        }
    }
};

}  // namespace

TEST_CASE("texture: filtering has pipe/raster's results") {
    unsigned compared = 0, kinds[5] = {};
    for (unsigned seed = 0; seed < 1500; ++seed) {
        Trial t(seed);
        if (!t.create()) continue;
        CAPTURE(seed);
        CAPTURE(unsigned(t.kind()));
        CAPTURE(unsigned(t.how));
        CAPTURE(t.shadow);
        CAPTURE(t.offset);
        t.run(&compared);
        ++kinds[unsigned(t.how)];
    }
    CHECK(compared > 300000);
    for (unsigned n : kinds)
        CHECK(n > 200);
}

TEST_CASE("texture: wide integers are sampled exactly") {
    Fixture f;
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = pipe::Format::R32_UINT;
    d.image.width = d.image.height = 16;
    REQUIRE(f.create(d, &image));
    f.load_texture(test::describe(image));
    f.load_sampler({});
    const isa::Instr instr = test::instruction("saml (u32)(xyzw)r0.x, r1.x, r2.x, s#0, t#0");
    sim::UnitCall call = f.call(instr);
    for (unsigned lane = 0; lane < 64; ++lane) {
        test::set(call.in[0], lane, (float(lane % 16) + 0.5f) / 16);
        test::set(call.in[1], lane, (float(lane / 16) + 0.5f) / 16);
    }
    REQUIRE(f.units.texture(call, &f.why));
    for (unsigned lane = 0; lane < 64; ++lane) {
        uint32_t word;
        std::memcpy(&word, image.at(0, lane % 16, lane / 16, 0), 4);
        CHECK(test::get(call.out[0], lane) == word);
        CHECK(test::get(call.out[3], lane) == 1);
    }
}

TEST_CASE("texture: a descriptor's smallest level, and one after the last") {
    Fixture f;
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = pipe::Format::R32_UINT;
    d.image.width = d.image.height = 4;
    d.image.levels = 3;
    REQUIRE(f.create(d, &image));
    hw::TexSamp sampler;
    sampler.max_lod = 8;
    f.load_sampler(sampler);
    const isa::Instr instr = test::instruction("saml (u32)(x)r0.x, r1.x, r2.x, s#0, t#0");
    const auto level_seen = [&](float clamp) {
        hw::TexConst desc = test::describe(image);
        desc.min_lod_clamp = clamp;
        f.load_texture(desc);
        sim::UnitCall call = f.call(instr);
        REQUIRE(f.units.texture(call, &f.why));
        for (unsigned l = 0; l < 3; ++l)
            if (uint32_t word; std::memcpy(&word, image.at(l, 0, 0, 0), 4), word == test::get(call.out[0], 0))
                return int(l);
        return -1;
    };
    CHECK(level_seen(0) == 0);
    CHECK(level_seen(1) == 1);
    CHECK(level_seen(2) == 2);
    CHECK(level_seen(14) == 0);  // -2 on a CPU that does not saturate
}

TEST_CASE("texture: texels are kept from draw to draw until the caches are invalidated") {
    Fixture f;
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = pipe::Format::R32_UINT;
    d.image.width = d.image.height = 1;
    REQUIRE(f.create(d, &image));
    f.load_texture(test::describe(image));
    f.load_sampler({});
    const isa::Instr instr = test::instruction("saml (u32)(x)r0.x, r1.x, r2.x, s#0, t#0");
    const auto sample = [&] {
        f.units.begin_work();
        sim::UnitCall call = f.call(instr);
        REQUIRE(f.units.texture(call, &f.why));
        return test::get(call.out[0], 0);
    };
    uint32_t before;
    std::memcpy(&before, image.at(0, 0, 0, 0), 4);
    CHECK(sample() == before);
    const uint32_t after = ~before;
    REQUIRE(f.machine.memory.write(image.va, &after, 4));
    CHECK(sample() == before);
    ++f.machine.texture_serial;
    CHECK(sample() == after);
}

TEST_CASE("texture: a machine for tests reads all levels, with any coordinates") {
    Fixture f;
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = pipe::Format::R32_UINT;
    d.image.width = d.image.height = 64;
    REQUIRE(f.create(d, &image));
    f.load_sampler({});
    const isa::Instr instr = test::instruction("saml (u32)(x)r0.x, r1.x, r2.x, s#0, t#0");
    const auto sample = [&](uint32_t last_level) {
        hw::TexConst desc = test::describe(image);
        desc.miplvls = last_level;
        f.load_texture(desc);
        f.units.begin_work();
        sim::UnitCall call = f.call(instr);
        return f.units.texture(call, &f.why);
    };
    // Level 1 does not exist.
    CHECK(sample(1));
    f.machine.reads_all_levels = true;
    CHECK(sample(0));
    CHECK(!sample(1));
    CHECK(f.why.find("level 1, layer 0: ") != std::string::npos);
}

TEST_CASE("texture: coordinates in texels, and halves") {
    Fixture f;
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = pipe::Format::R8G8B8A8_UNORM;
    d.image.width = 32, d.image.height = 8;
    REQUIRE(f.create(d, &image));
    f.load_texture(test::describe(image));
    hw::TexSamp s;
    s.unnorm_coords = true;
    f.load_sampler(s);
    const isa::Instr instr = test::instruction("saml (f32)(xyzw)r0.x, hr1.x, hr2.x, s#0, t#0");
    sim::UnitCall call = f.call(instr);
    for (unsigned lane = 0; lane < 64; ++lane) {
        test::set(call.in[0], lane, uint32_t(pipe::float_to_half(float(lane % 32) + 0.5f)) | 0xabcd0000u);
        test::set(call.in[1], lane, uint32_t(pipe::float_to_half(float(lane / 32) + 0.5f)));
    }
    REQUIRE(f.units.texture(call, &f.why));
    for (unsigned lane = 0; lane < 64; ++lane)
        CHECK(std::bit_cast<float>(test::get(call.out[0], lane)) ==
              doctest::Approx(float(image.at(0, lane % 32, lane / 32, 0)[0]) / 255));
}

TEST_CASE("texture: an instruction without a layer reads the first one of an array") {
    Fixture f;
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.kind = pipe::ResourceKind::Tex2DArray;
    d.image.format = pipe::Format::R8G8B8A8_UNORM;
    d.image.width = d.image.height = 8;
    d.image.layers = 2;
    REQUIRE(f.create(d, &image));
    f.load_texture(test::describe(image));
    f.load_sampler({});
    // Of two instructions, the first one leaves layer 1 on the host's stack.
    const isa::Instr with = test::instruction("sam.a (f32)(xyzw)r0.x, r1.x, s#0, t#0"),
                     without = test::instruction("sam (f32)(xyzw)r0.x, r1.x, s#0, t#0");
    for (const isa::Instr* const instr : {&with, &without}) {
        sim::UnitCall call = f.call(*instr);
        for (unsigned lane = 0; lane < 64; ++lane) {
            test::set(call.in[0], lane, std::bit_cast<uint32_t>(0.0625f));
            test::set(call.in[1], lane, std::bit_cast<uint32_t>(0.0625f));
            test::set(call.in[2], lane, std::bit_cast<uint32_t>(1.0f));
        }
        REQUIRE(f.units.texture(call, &f.why));
        const unsigned layer = instr == &with ? 1 : 0;
        for (unsigned lane = 0; lane < 64; ++lane)
            CHECK(std::bit_cast<float>(test::get(call.out[0], lane)) ==
                  doctest::Approx(float(image.at(0, 0, 0, layer)[0]) / 255));
    }
}

TEST_CASE("texture: prefetches sample at a varying's coordinates") {
    // Units whose varyings are the weights themselves.
    struct Varyings : sim::ShaderUnits {
        using ShaderUnits::ShaderUnits;
        uint32_t location = 0;
        bool varying(sim::UnitCall& call, std::string*) override {
            location = test::get(call.in[0], 0);
            std::copy_n(&call.in[1][0], 2 * sim::kMaxGroups, &call.out[0][0]);
            return true;
        }
    };
    Fixture f;
    Varyings units(f.machine);
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = pipe::Format::R8G8B8A8_UNORM;
    d.image.width = 8, d.image.height = 8;
    REQUIRE(f.create(d, &image));
    f.load_texture(test::describe(image));
    f.load_sampler({});
    units.set_stage(sim::Stage::Fragment);
    sim::TexturePrefetch prefetch;
    sim::Fault fault;
    REQUIRE(prefetch.init(f.machine, &fault));
    CHECK(!prefetch.any());
    f.machine.registers.write(hw::SP_FS_PREFETCH_CNTL::kRegister, 1);
    CHECK(!prefetch.init(f.machine, &fault));
    hw::SP_FS_PREFETCH_CMD cmd;
    cmd.src = 5;
    cmd.dst = 8;
    cmd.wrmask = 0xa;
    cmd.cmd = hw::TexPrefetchCmd::TEX_PREFETCH_SAM;
    uint32_t word;
    hw::pack(cmd, &word);
    f.machine.registers.write(hw::SP_FS_PREFETCH_CMD::kRegister, word);
    REQUIRE(prefetch.init(f.machine, &fault));
    f.wave.full_registers = 4;
    sim::PixelWeights weights;
    for (unsigned lane = 0; lane < 64; ++lane) {
        test::set(weights.i, lane, (float(lane % 8) + 0.5f) / 8);
        test::set(weights.j, lane, (float(lane / 8) + 0.5f) / 8);
    }
    const bool good = prefetch.run(units, f.wave, f.machine.memory, weights, &f.why);
    INFO(f.why);
    REQUIRE(good);
    CHECK(units.location == 5);
    for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned c = 0; c < 4; ++c) {
            uint32_t v = 0;
            REQUIRE(f.wave.get(isa::Reg{uint8_t(8 + c)}, false, lane, &v));
            const float expected = c % 2 ? float(image.at(0, lane % 8, lane / 8, 0)[c]) / 255 : 0.0f;
            CHECK(std::bit_cast<float>(v) == doctest::Approx(expected));
        }
}

// Not run by default: prints the time of one lane's sample.
TEST_CASE("texture: speed" * doctest::skip()) {
    for (const bool mipmapped : {false, true}) {
        Fixture f;
        TestImage image;
        pipe::A6xxLayoutDesc d;
        d.image.format = pipe::Format::R8G8B8A8_UNORM;
        d.image.width = d.image.height = 256;
        d.image.levels = 9;
        d.image.tiling = pipe::Tiling::Macrotiled;
        REQUIRE(f.create(d, &image));
        f.load_texture(test::describe(image));
        hw::TexSamp s;
        s.xy_mag = s.xy_min = hw::TexFilter::A6XX_TEX_LINEAR;
        s.mipfilter_linear_near = mipmapped;
        s.mipfilter_linear_far = !mipmapped;
        s.max_lod = 8;
        f.load_sampler(s);
        const isa::Instr instr = test::instruction("sam (f32)(xyzw)r0.x, r1.x, s#0, t#0");
        sim::UnitCall call = f.call(instr);
        constexpr unsigned kTurns = 20000;
        const clock_t begin = clock();
        for (unsigned n = 0; n < kTurns; ++n) {
            for (unsigned lane = 0; lane < 64; ++lane) {
                test::set(call.in[0], lane, float(n % 100 * 8 + lane % 2 + lane / 4 % 4 * 2) / 170);
                test::set(call.in[1], lane, float(n / 100 * 8 + lane / 2 % 2 + lane / 16 * 2) / 170);
            }
            REQUIRE(f.units.texture(call, &f.why));
        }
        MESSAGE(std::string(mipmapped ? "trilinear " : "bilinear "),
                double(clock() - begin) / CLOCKS_PER_SEC * 1e9 / kTurns / 64, " ns a lane");
    }
}

}  // namespace terrazzo::adreno
