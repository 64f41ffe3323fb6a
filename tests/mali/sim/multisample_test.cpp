// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws to several samples: coverage, masks, tests, shading of each sample, interpolation, and write-back.
#include <bit>
#include <cmath>

#include "pipe/raster/sample_positions.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

using R = hw::IdvsRegisters;

struct SampleFixture : DrawFixture {
    unsigned samples = 4;
    uint64_t positions = 0;
    uint64_t surfaces = 0;
    hw::DcdFlags0 flags;

    explicit SampleFixture(unsigned count = 4) : samples(count) {
        uint16_t table[64][2] = {};
        for (unsigned n = 0; n < samples; ++n) {
            const auto& at = pipe::raster::sample_at(samples, n);
            table[n][0] = uint16_t(128 + at.x * 16);
            table[n][1] = uint16_t(128 + at.y * 16);
        }
        positions = place(table, sizeof table);
        surfaces = room(size_t(samples) * kWidth * kHeight * 4);
        flags.front_face_ccw = false;
        flags.multisample_enable = true;
        dcd_flags(flags);
        mask(0xffff);
        uniforms(0xff);
        retile();
    }
    hw::SamplePattern pattern() const {
        return samples == 1   ? hw::SamplePattern::SingleSampled
               : samples == 4 ? hw::SamplePattern::Rotated4xGrid
                              : hw::SamplePattern::D3d8xGrid;
    }
    void uniforms(uint32_t shader_mask) {
        const uint32_t words[4] = {16, 255, std::bit_cast<uint32_t>(1 / 255.0f), shader_mask};
        set(R::fragment_fau, place(words, sizeof words) | uint64_t(2) << 56);
    }
    void retile() {
        new_frame();
        hw::TilerContext t;
        uint32_t words[hw::TilerContext::kSize_dw];
        std::memcpy(words, at(tiler), sizeof words);
        hw::unpack(words, &t);
        t.sample_pattern = pattern();
        put(tiler, t);
    }
    void mask(uint32_t samples_kept) {
        hw::pack(hw::DcdFlags1{.sample_mask = samples_kept}, &registers.r[R::dcd_flags_1]);
    }
    void triangle(float x0, float y0, float x1, float y1, float x2, float y2, float z = 0.5f,
                  float alpha = 1) {
        vertices({{{x0, y0, z, 1}, {x0 / 64, y0 / 64, 0, alpha}},
                  {{x1, y1, z, 1}, {x1 / 64, y1 / 64, 0, alpha}},
                  {{x2, y2, z, 1}, {x2 / 64, y2 / 64, 0, alpha}}});
        const JobStatus s = draw();
        INFO(fault.report);
        REQUIRE(s == JobStatus::Done);
    }
    hw::FramebufferParameters frame() {
        hw::FramebufferParameters p = parameters();
        p.sample_count = samples;
        p.sample_pattern = pattern();
        p.sample_locations = positions;
        return p;
    }
    hw::RenderTarget target(hw::Msaa msaa) {
        hw::RenderTarget t = linear_target(surfaces);
        t.writeback_msaa = msaa;
        t.rgb_surface_stride = kWidth * kHeight * 4;
        return t;
    }
    JobStatus finish(hw::Msaa msaa) {
        const JobStatus s = fragment(frame(), target(msaa));
        return s;
    }
    void run(hw::Msaa msaa) {
        const JobStatus s = finish(msaa);
        INFO(fault.report);
        REQUIRE(s == JobStatus::Done);
    }
    uint32_t sample(unsigned n, unsigned x, unsigned y) {
        return pixel(surfaces + size_t(n) * kWidth * kHeight * 4, x, y);
    }
    double place_x(unsigned n, unsigned x) const {
        return x + 0.5 + pipe::raster::sample_at(samples, n).x / 16.0;
    }
    double place_y(unsigned n, unsigned y) const {
        return y + 0.5 + pipe::raster::sample_at(samples, n).y / 16.0;
    }
};

constexpr const char* kWhite =
    "MOV.i32 r0, 0x3F800000\n"
    "MOV.i32 r1, 0x3F800000\n"
    "MOV.i32 r2, 0x3F800000\n"
    "LD_VAR_BUF_IMM.f32.slot0.src_f32.center.store.wait0 @r3, r61, index:0xC\n"
    "NOP.wait0126\n"
    "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
    "NOP.wait\n"
    "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";

// Red: the sample's number / 255; green: the low half of r61 / 255.
// Red: the sample's number / 255; green: the low byte of r61 / 255. u0 to u3: 16, 255, 1/255, the mask.
constexpr const char* kNumber =
    "RSHIFT_AND.i32 r0, r61, u0.b00, u1\n"
    "LSHIFT_AND.i32 r1, r61, 0x0.b00, u1\n"
    "U32_TO_F32 r0, r0\n"
    "U32_TO_F32 r1, r1\n"
    "FMA.f32 r0, r0, u2, 0x0.neg\n"
    "FMA.f32 r1, r1, u2, 0x0.neg\n"
    "MOV.i32 r2, 0x0\n"
    "MOV.i32 r3, 0x3F800000\n"
    "LSHIFT_AND.i32 r60, r60, 0x0.b00, u3\n"
    "NOP.wait0126\n"
    "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
    "NOP.wait\n"
    "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";

std::string varying_at(const char* place, const char* source) {
    return std::string("LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.") + place + ".store.wait0 @r0:r1:r2:r3, " +
           source +
           ", index:0x0\n"
           "NOP.wait0126\n"
           "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
           "NOP.wait\n"
           "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";
}

unsigned byte_of(double v) {
    return unsigned(std::lround(std::clamp(v, 0.0, 1.0) * 255));
}

}  // namespace

TEST_CASE("multisample: each sample is covered by its place, and written to its surface") {
    for (const unsigned samples : {4u, 8u}) {
        CAPTURE(samples);
        SampleFixture f(samples);
        f.fragment_shader(kWhite);
        f.triangle(0, 0, 40.3f, 0, 0, 40.3f);  // x + y < 40.3
        f.run(hw::Msaa::Layered);
        unsigned partial = 0;
        for (unsigned y = 0; y < 64; ++y)
            for (unsigned x = 0; x < 64; ++x) {
                unsigned covered = 0;
                for (unsigned n = 0; n < samples; ++n) {
                    const bool in = f.place_x(n, x) + f.place_y(n, y) < 40.3;
                    covered += in;
                    REQUIRE(f.sample(n, x, y) == (in ? 0xffffffffu : 0u));
                }
                partial += covered && covered < samples;
            }
        CHECK(partial > 20);
    }
}

TEST_CASE("multisample: the mean of the samples is written to one surface") {
    SampleFixture f;
    f.fragment_shader(kWhite);
    f.triangle(0, 0, 40.3f, 0, 0, 40.3f);
    f.run(hw::Msaa::Average);
    for (unsigned y = 0; y < 64; ++y)
        for (unsigned x = 0; x < 64; ++x) {
            unsigned covered = 0;
            for (unsigned n = 0; n < 4; ++n)
                covered += f.place_x(n, x) + f.place_y(n, y) < 40.3;
            REQUIRE((f.pixel(f.surfaces, x, y) & 0xff) == (covered * 255 + 2) / 4);
        }
}

TEST_CASE("multisample: masks, alpha and draws of one sample choose what is covered") {
    const auto covered = [](SampleFixture& f, unsigned x, unsigned y) {
        f.run(hw::Msaa::Layered);
        unsigned mask = 0;
        for (unsigned n = 0; n < f.samples; ++n)
            mask |= unsigned(f.sample(n, x, y) != 0) << n;
        return mask;
    };
    SUBCASE("the mask of the draw") {
        SampleFixture f;
        f.fragment_shader(kWhite);
        f.mask(0b1010);
        f.triangle(0, 0, 60, 0, 0, 60);
        CHECK(covered(f, 5, 5) == 0b1010);
    }
    SUBCASE("alpha to coverage") {
        SampleFixture f;
        f.fragment_shader(kWhite);
        f.flags.alpha_to_coverage = true;
        f.flags.shader_modifies_coverage = true;
        f.dcd_flags(f.flags);
        f.triangle(0, 0, 60, 0, 0, 60, 0.5f, 0.5f);
        CHECK(covered(f, 5, 5) == 0b0011);
    }
    SUBCASE("the shader's mask") {
        SampleFixture f;
        f.fragment_shader(kNumber);
        f.uniforms(0b0100);
        f.triangle(0, 0, 60, 0, 0, 60);
        CHECK(covered(f, 5, 5) == 0b0100);
    }
    SUBCASE("a draw without multisampling covers all samples or none") {
        SampleFixture f;
        f.fragment_shader(kWhite);
        f.flags.multisample_enable = false;
        f.dcd_flags(f.flags);
        f.triangle(0, 0, 40.3f, 0, 0, 40.3f);
        f.run(hw::Msaa::Layered);
        for (unsigned x = 0; x < 64; ++x)
            for (unsigned n = 0; n < 4; ++n)
                CHECK((f.sample(n, x, 10) != 0) == (x + 0.5 + 10.5 < 40.3));
    }
}

TEST_CASE("multisample: a thread for each sample knows its number, and covers it alone") {
    SampleFixture f;
    f.fragment_shader(kNumber);
    f.flags.evaluate_per_sample = true;
    f.dcd_flags(f.flags);
    f.triangle(0, 0, 40.3f, 0, 0, 40.3f);
    f.run(hw::Msaa::Layered);
    for (unsigned y = 0; y < 64; ++y)
        for (unsigned x = 0; x < 64; ++x)
            for (unsigned n = 0; n < 4; ++n) {
                const bool in = f.place_x(n, x) + f.place_y(n, y) < 40.3;
                REQUIRE(f.sample(n, x, y) == (in ? 0xff000000u | 1u << n << 8 | n : 0));
            }
}

TEST_CASE("multisample: a thread for all samples has the number of the centre, and all that are covered") {
    SampleFixture f;
    f.fragment_shader(kNumber);
    f.triangle(0, 0, 40.3f, 0, 0, 40.3f);
    f.run(hw::Msaa::Layered);
    CHECK(f.sample(0, 5, 5) == (0xff000000u | 15u << 8 | 32u));
}

TEST_CASE("multisample: varyings are interpolated at centres, samples, centroids and offsets") {
    SampleFixture f;
    struct Place {
        const char* name;
        const char* source;
        bool per_sample;
    };
    for (const Place& p : {Place{"center", "r61", false}, Place{"sample", "r61", true},
                           Place{"centroid", "r61", false}, Place{"explicit", "0x1000000", false}}) {
        CAPTURE(p.name);
        f.fragment_shader(varying_at(p.name, p.source));
        f.flags.evaluate_per_sample = p.per_sample;
        f.dcd_flags(f.flags);
        f.retile();
        f.triangle(0, 0, 40.3f, 0, 0, 40.3f);
        f.run(hw::Msaa::Layered);
        for (unsigned y = 0; y < 40; ++y)
            for (unsigned x = 0; x < 40; ++x) {
                unsigned mask = 0;
                for (unsigned n = 0; n < 4; ++n)
                    mask |= unsigned(f.place_x(n, x) + f.place_y(n, y) < 40.3) << n;
                for (unsigned n = 0; n < 4; ++n) {
                    if (!(mask >> n & 1)) continue;
                    double vx = x + 0.5, vy = y + 0.5;
                    if (p.per_sample) vx = f.place_x(n, x), vy = f.place_y(n, y);
                    if (std::string(p.name) == "centroid" && mask != 15) {
                        const auto first = unsigned(std::countr_zero(mask));
                        vx = f.place_x(first, x), vy = f.place_y(first, y);
                    }
                    if (std::string(p.name) == "explicit") vx = x, vy = y + 1;  // (0, 256) / 256
                    const uint32_t v = f.sample(n, x, y);
                    REQUIRE(std::abs(int(v & 0xff) - int(byte_of(vx / 64))) <= 1);
                    REQUIRE(std::abs(int(v >> 8 & 0xff) - int(byte_of(vy / 64))) <= 1);
                }
            }
    }
}

TEST_CASE("multisample: depth is tested and written for each sample; queries count samples") {
    SampleFixture f;
    f.fragment_shader(kWhite);
    f.set(R::depth_stencil,
          f.place(hw::DepthStencil{.depth_write_enable = true, .depth_function = hw::CompareFunc::Less}));
    const uint64_t counter = f.room(8);
    f.set(R::occlusion, counter);
    f.flags.occlusion_query = hw::OcclusionMode::Counter;
    f.dcd_flags(f.flags);
    for (const bool late : {false, true}) {
        CAPTURE(late);
        f.flags.zs_update_operation = late ? hw::PixelKill::ForceLate : hw::PixelKill::ForceEarly;
        f.flags.pixel_kill_operation = f.flags.zs_update_operation;
        f.dcd_flags(f.flags);
        f.retile();
        std::memset(f.at(counter), 0, 8);
        f.triangle(0, 0, 40.3f, 0, 0, 40.3f, 0.25f);
        f.triangle(0, 0, 60, 0, 0, 60, 0.5f);  // farther than the first one
        const uint64_t depth = f.room(4 * 64 * 64 * 4);
        hw::FramebufferParameters p = f.frame();
        p.has_zs_crc_extension = true;
        p.z_write_enable = true;
        p.z_internal_format = hw::ZInternalFormat::D32;
        hw::ZsCrcExtension zs;
        zs.zs_write_format = hw::ZsWriteFormat::D32;
        zs.zs_block_format = hw::BlockFormat::LINEAR;
        zs.zs_msaa = hw::Msaa::Layered;
        zs.zs_clean_pixel_write_enable = true;
        zs.zs_writeback_base = depth;
        zs.zs_writeback_row_stride = 64 * 4;
        zs.zs_writeback_surface_stride = 64 * 64 * 4;
        const JobStatus s = f.fragment(p, f.target(hw::Msaa::Layered), &zs);
        INFO(f.fault.report);
        REQUIRE(s == JobStatus::Done);
        uint64_t count = 0, passed = 0;
        for (unsigned y = 0; y < 64; ++y)
            for (unsigned x = 0; x < 64; ++x)
                for (unsigned n = 0; n < 4; ++n) {
                    const double sum = f.place_x(n, x) + f.place_y(n, y);
                    const float want = sum < 40.3 ? 0.25f : sum < 60 ? 0.5f : 1.0f;
                    count += sum < 60;
                    float z = 0;
                    std::memcpy(&z, f.at(depth) + ((n * 64 + y) * 64 + x) * 4, 4);
                    REQUIRE(z == want);
                }
        std::memcpy(&passed, f.at(counter), 8);
        CHECK(passed == count);
    }
}

TEST_CASE("multisample: a tile's CRC is of all samples, which are at most 4 bytes a pixel") {
    SampleFixture f;
    f.fragment_shader(kWhite);
    hw::FramebufferParameters p = f.frame();
    p.has_zs_crc_extension = p.crc_write_enable = true;
    hw::ZsCrcExtension zs;
    zs.crc_base = f.room(4096);
    zs.crc_row_stride = 32;
    hw::RenderTarget t = f.target(hw::Msaa::Layered);
    REQUIRE(f.fragment(p, t, &zs) == JobStatus::Fault);
    CHECK(f.fault.report.find("render target 0: CRC of 16 bytes a pixel") != std::string::npos);

    constexpr unsigned kWidth = SampleFixture::kWidth, kSurface_B = kWidth * SampleFixture::kHeight;
    t.writeback_format = hw::ColorFormat::R8;
    t.rgb_row_stride = kWidth;
    t.rgb_surface_stride = kSurface_B;
    uint8_t* const memory = f.at(f.surfaces);
    const auto draw = [&](bool one_sample_more) {
        f.retile();
        f.mask(0xffff);
        f.triangle(0, 0, 40.3f, 0, 0, 40.3f);
        if (one_sample_more) {
            f.mask(1u << 2);
            f.triangle(32, 32, 40, 32, 32, 40);
        }
        p.tiler = f.tiler;
        const JobStatus s = f.fragment(p, t, &zs);
        INFO(f.fault.report);
        REQUIRE(s == JobStatus::Done);
    };
    draw(false);
    std::vector<uint8_t> first(memory, memory + 4 * kSurface_B);
    CHECK(first[0] == 255);
    // The same tiles again: memory is not written.
    p.crc_read_enable = true;
    std::memset(memory, 0xee, first.size());
    draw(false);
    CHECK(std::all_of(memory, memory + first.size(), [](uint8_t b) { return b == 0xee; }));
    // One sample changes the CRC of its tile, whose samples are all written.
    draw(true);
    for (unsigned n = 0; n < 4; ++n) {
        CAPTURE(n);
        const uint8_t* const sample = memory + n * kSurface_B;
        CHECK(sample[33 * kWidth + 33] == (n == 2 ? 255 : first[n * kSurface_B + 33 * kWidth + 33]));
        CHECK(sample[0] == 0xee);
        CHECK(sample[31 * kWidth + 33] == 0xee);
    }
}

TEST_CASE("multisample: what the descriptors say about samples must agree") {
    SampleFixture f;
    f.fragment_shader(kWhite);
    f.triangle(0, 0, 40, 0, 0, 40);
    hw::FramebufferParameters p = f.frame();
    hw::RenderTarget t = f.target(hw::Msaa::Layered);
    const auto fails = [&](const char* why) {
        REQUIRE(f.fragment(p, t) == JobStatus::Fault);
        INFO(f.fault.report);
        CHECK(f.fault.report.find(why) != std::string::npos);
    };
    SUBCASE("positions in memory") {
        f.at(f.positions)[4] ^= 1;
        fails("another position of sample 1");
    }
    SUBCASE("a number of samples without a pattern") {
        p.sample_count = 2;
        fails("2 samples in pattern 2");
    }
    SUBCASE("16 samples") {
        p.sample_count = 16;
        p.sample_pattern = hw::SamplePattern::D3d16xGrid;
        fails("16 samples are not executed");
    }
    SUBCASE("the tiler's pattern") {
        p.sample_pattern = hw::SamplePattern::Ordered4xGrid;
        uint16_t table[4][2] = {{64, 64}, {192, 64}, {64, 192}, {192, 192}};
        p.sample_locations = f.place(table, sizeof table);
        fails("the tiler context has the sample pattern");
    }
    SUBCASE("a pattern of the tiler's that has no name") {
        hw::TilerContext context;
        uint32_t words[hw::TilerContext::kSize_dw];
        std::memcpy(words, f.at(f.tiler), sizeof words);
        hw::unpack(words, &context);
        context.sample_pattern = hw::SamplePattern(7);
        f.put(f.tiler, context);
        fails("the tiler context has the sample pattern 7");
    }
    SUBCASE("write-back of one sample") {
        t.writeback_msaa = hw::Msaa::Single;
        fails("single-sampled write-back of several samples");
    }
}

TEST_CASE("multisample: a thread that shades one sample reads it from the tile buffer") {
    SampleFixture f;
    f.fragment_shader(kNumber);
    f.flags.evaluate_per_sample = true;
    f.dcd_flags(f.flags);
    f.triangle(0, 0, 40.3f, 0, 0, 40.3f);
    // Copies what is there. u0: the selector of sample 0; u1: the conversion.
    f.fragment_shader(
        "MOV.i32 r4, u0\n"
        "MOV.i32 r5, u1\n"
        "NOP.wait0126\n"
        "NOP.wait\n"
        "LD_TILE.v4.f32.slot0.wait0 @r0:r1:r2:r3, r4, r60, r5\n"
        "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
        "NOP.wait\n"
        "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n");
    hw::InternalConversion c;
    c.memory_format = hw::blend_memory_format(hw::ColorBufferInternalFormat::R8G8B8A8, false, false);
    c.register_format = hw::RegisterFileFormat::F32;
    uint32_t words[4] = {0xff000000u};
    hw::pack(c, &words[1]);
    f.set(R::fragment_fau, f.place(words, sizeof words) | uint64_t(2) << 56);
    f.triangle(0, 0, 60, 0, 0, 60);
    f.run(hw::Msaa::Layered);
    for (unsigned y = 0; y < 20; ++y)
        for (unsigned x = 0; x < 20; ++x)
            for (unsigned n = 0; n < 4; ++n)
                REQUIRE(f.sample(n, x, y) == (0xff000000u | 1u << n << 8 | n));
    // Another sample is not known to be possible.
    words[0] |= 1;
    f.retile();
    f.set(R::fragment_fau, f.place(words, sizeof words) | uint64_t(2) << 56);
    f.triangle(0, 0, 60, 0, 0, 60);
    CHECK(f.finish(hw::Msaa::Layered) == JobStatus::Fault);
    CHECK(f.fault.report.find("sample 1 of 4 in the tile buffer") != std::string::npos);
}

TEST_CASE("multisample: lines are rectangles") {
    SampleFixture f;
    f.fragment_shader(kWhite);
    hw::PrimitiveFlags flags;
    flags.draw_mode = hw::DrawMode::Lines;
    flags.secondary_shader = true;
    hw::pack(flags, &f.registers.r[R::primitive_flags]);
    const float width = 2.5f;
    f.registers.r[R::primitive_size] = std::bit_cast<uint32_t>(width);
    const double x0 = 5.25, y0 = 7.5, x1 = 50.5, y1 = 30.25;
    f.vertices(
        {{{float(x0), float(y0), 0.5f, 1}, {0, 0, 0, 1}}, {{float(x1), float(y1), 0.5f, 1}, {0, 0, 0, 1}}});
    REQUIRE(f.draw() == JobStatus::Done);
    f.run(hw::Msaa::Layered);
    const double dx = x1 - x0, dy = y1 - y0, length = std::sqrt(dx * dx + dy * dy);
    unsigned partial = 0;
    for (unsigned y = 0; y < 64; ++y)
        for (unsigned x = 0; x < 64; ++x) {
            unsigned covered = 0;
            for (unsigned n = 0; n < 4; ++n) {
                const double rx = f.place_x(n, x) - x0, ry = f.place_y(n, y) - y0;
                const double along = (rx * dx + ry * dy) / length, across = (rx * dy - ry * dx) / length;
                const bool in = along >= 0 && along < length && std::abs(across) < width / 2;
                covered += in;
                REQUIRE(f.sample(n, x, y) == (in ? 0xffffffffu : 0u));
            }
            partial += covered && covered < 4;
        }
    CHECK(partial > 20);
}
