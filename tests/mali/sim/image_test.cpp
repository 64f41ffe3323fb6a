// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images and attributes that shaders load and store in place.
#include <algorithm>
#include <bit>
#include <random>

#include "drivers/common/units/format.h"
#include "drivers/mali/sim/units/shader_units.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

using R = hw::ComputeRegisters;

// Table 4: descriptor 0 is the image that is loaded, 1 the one that is stored.
struct ImageFixture : DrawFixture {
    uint64_t descriptors = room(3 * 32);

    explicit ImageFixture(const char* text) {
        registers = {};
        set(R::spd, program(text, hw::ShaderStage::Compute, 0x7f80));
        set(R::srt, tables | 5);
        table(4, descriptors, 3);
    }
    void uniforms(uint32_t a, uint32_t b = 0) {
        const uint32_t words[2] = {a, b};
        set(R::fau, place(words, sizeof(words)) | uint64_t(1) << 56);
    }
    struct Shape {
        hw::TextureDimension dimension = hw::TextureDimension::D2;
        unsigned width = 8, height = 8, layers = 1, depth = 1, samples = 1;
        pipe::Format format = pipe::Format::R32_UINT;
        bool tiled = false;
    };
    unsigned size_B(const Shape& s) { return pipe::format_info(s.format).block_B; }
    // Each layer, slice or sample has 64 KiB.
    static constexpr uint32_t kSlice_B = 0x10000;
    uint64_t image(unsigned index, const Shape& s) {
        const uint64_t va = room(uint64_t(kSlice_B) * s.layers * s.depth * s.samples);
        const uint64_t planes = room(uint64_t(s.layers) * hw::Plane::kSize_B);
        const hw::FormatRow* const row = hw::format_row(s.format);
        for (unsigned layer = 0; layer < s.layers; ++layer) {
            hw::Plane p;
            p.plane_type = hw::PlaneType::Generic;
            p.clump_ordering = s.tiled ? hw::ClumpOrdering::TiledUInterleaved : hw::ClumpOrdering::Linear;
            p.clump_format = row->clump;
            p.size = kSlice_B * s.depth * s.samples;
            p.pointer = va + uint64_t(layer) * kSlice_B * s.samples;
            p.row_stride = s.width * size_B(s) * (s.tiled ? 16 : 1);
            p.slice_stride = kSlice_B;
            p.width = s.width;
            p.height = s.height;
            put(planes + layer * hw::Plane::kSize_B, p);
        }
        hw::Texture t;
        t.dimension = s.dimension;
        t.format = row->pixel_format;
        t.width = s.width;
        t.height = s.height;
        t.depth = s.depth;
        t.array_size = s.dimension == hw::TextureDimension::Cube ? s.layers / 6 : s.layers;
        t.sample_count = s.samples;
        t.swizzle = hw::kIdentitySwizzle;
        t.surfaces = planes;
        put(descriptors + index * 32, t);
        return va;
    }
    void run(uint32_t x, uint32_t y, uint32_t z = 1) {
        hw::ComputeSizeWorkgroup size;
        size.workgroup_size_x = x;
        size.workgroup_size_y = y;
        size.workgroup_size_z = z;
        hw::pack(size, &registers.r[R::workgroup_size]);
        registers.r[R::job_size_x] = registers.r[R::job_size_y] = registers.r[R::job_size_z] = 1;
        const JobStatus status = jobs->compute({}, registers, &fault);
        INFO(fault.report);
        REQUIRE(status == JobStatus::Done);
    }
    template <class T>
    T load(uint64_t va, uint64_t n) {
        T v;
        std::memcpy(&v, at(va) + n * sizeof v, sizeof v);
        return v;
    }
};

// r8: x and y, r9: z as low and high half, as u0 chooses. Copies image 0 to image 1.
#define COPY_AS(REGFMT)                                                 \
    "MKVEC.v2i16 r8, r60.h00, r61.h00\n"                                \
    "LSHIFT_OR.i32 r9, r62, u0.b00, 0x0\n"                              \
    "LD_TEX_IMM.slot0.v4." REGFMT                                       \
    ".wait0 @r0:r1:r2:r3, r8, r9, index:0x0, table:0x4\n"               \
    "LEA_TEX_IMM.slot0.wait0 @r4:r5:r6, r8, r9, table:0x4, index:0x1\n" \
    "ST_CVT.slot0.istream.v4." REGFMT ".end @r0:r1:r2:r3, r4, r6, offset:0x0\n"

}  // namespace

TEST_CASE(
    "image: texels are loaded and stored in all kinds of images, and outside they are zeros and dropped") {
    using D = hw::TextureDimension;
    struct Kind {
        D dimension;
        unsigned layers, depth, samples, shift, count;
    };
    for (const Kind& k : {Kind{D::D2, 1, 1, 1, 0, 1}, Kind{D::D2, 3, 1, 1, 16, 3}, Kind{D::D3, 1, 3, 1, 0, 3},
                          Kind{D::Cube, 6, 1, 1, 16, 6}, Kind{D::D2, 1, 1, 4, 0, 4}})
        for (const bool tiled : {false, true}) {
            CAPTURE(unsigned(k.dimension));
            CAPTURE(tiled);
            ImageFixture f(COPY_AS("u32"));
            f.uniforms(k.shift);
            ImageFixture::Shape s;
            s.dimension = k.dimension;
            s.layers = k.layers, s.depth = k.depth, s.samples = k.samples;
            s.tiled = tiled;
            const uint64_t from = f.image(0, s);
            s.tiled = false;
            const uint64_t to = f.image(1, s);
            for (uint32_t i = 0; i < k.count * f.kSlice_B / 4; ++i) {
                const uint32_t word = i * 7 + 1, other = 0xeeeeeeee;
                std::memcpy(f.at(from) + i * 4, &word, 4);
                std::memcpy(f.at(to) + i * 4, &other, 4);
            }
            f.run(9, 9, k.count + 1);  // one more in each direction than there is
            const auto interleaved = [](unsigned x, unsigned y) {
                unsigned n = 0;
                for (unsigned b = 0; b < 4; ++b)
                    n |= ((x >> b ^ y >> b) & 1) << 2 * b | (y >> b & 1) << (2 * b + 1);
                return n;
            };
            for (unsigned z = 0; z < k.count; ++z) {
                for (unsigned y = 0; y < 8; ++y)
                    for (unsigned x = 0; x < 8; ++x) {
                        const unsigned n = z * f.kSlice_B / 4 + (tiled ? interleaved(x, y) : y * 8 + x);
                        REQUIRE(f.load<uint32_t>(to, z * f.kSlice_B / 4 + y * 8 + x) == n * 7 + 1);
                    }
                REQUIRE(f.load<uint32_t>(to, z * f.kSlice_B / 4 + 64) == 0xeeeeeeee);
            }
        }
}

TEST_CASE("image: stores convert registers to the image's format") {
    ImageFixture f(COPY_AS("f32"));
    f.uniforms(0);
    ImageFixture::Shape s;
    s.format = pipe::Format::R32G32B32A32_FLOAT;
    const uint64_t from = f.image(0, s);
    const float color[4] = {0.25f, 1, 0.5f, -3};
    for (unsigned i = 0; i < 64; ++i)
        std::memcpy(f.at(from) + i * 16, color, 16);
    for (const pipe::Format format :
         {pipe::Format::R8G8B8A8_UNORM, pipe::Format::R8G8B8A8_SNORM, pipe::Format::R16G16B16A16_FLOAT,
          pipe::Format::R32_FLOAT, pipe::Format::R32G32B32A32_FLOAT}) {
        CAPTURE(unsigned(format));
        s.format = format;
        const uint64_t to = f.image(1, s);
        f.run(8, 8);
        uint32_t bits[4];
        std::memcpy(bits, color, 16);
        uint8_t want[16] = {};
        units::format_reader(format).write(bits, want);
        for (unsigned i = 0; i < 64; ++i)
            REQUIRE(std::memcmp(f.at(to) + i * f.size_B(s), want, f.size_B(s)) == 0);
    }
}

TEST_CASE("image: atomics work at a texel's address") {
    ImageFixture f(
        "MKVEC.v2i16 r8, r60.h00, r61.h00\n"
        "IADD_IMM.i32 r9, 0x0, #0x4000001\n"
        "LEA_TEX.slot0.wait0 @r4:r5:r6, 0x0, 0x0, r9\n"
        "MOV.i32 r2, r60\n"
        "ATOM.i32.slot0.aadd.wait0 @r2, r4, offset:0x0\n"
        "NOP.end\n");
    const uint64_t to = f.image(1, {});
    f.run(40, 1);
    CHECK(f.load<uint32_t>(to, 0) == 39 * 40 / 2);
}

TEST_CASE("attribute: an address and a conversion for stores") {
    ImageFixture f(
        "LEA_ATTR_IMM.slot0.wait0 @r4:r5:r6, r60, r61, table:0x1, index:0x0\n"
        "MOV.i32 r0, r60\n"
        "MOV.i32 r1, 0x0\n"
        "ST_CVT.slot0.istream.v2.u32.end @r0:r1, r4, r6, offset:0x0\n");
    const uint64_t data = f.room(4096);
    hw::Attribute a;
    a.format = hw::format_row(pipe::Format::R16G16_UINT)->pixel_format;
    a.table = 2;
    a.stride = 8;
    f.table(1, f.place(a), 1);
    f.table(2, f.place(hw::Buffer{.size = 8 * 5, .address = data}), 1);
    f.run(7, 1);
    for (unsigned i = 0; i < 8; ++i)
        CHECK(f.load<uint32_t>(data, 2 * i) == (i < 5 ? i : 0));
}

TEST_CASE("image: helper threads of fragment shaders store nothing") {
    DrawFixture f;
    // Counts the threads that store, in the word after the pixels.
    f.fragment_shader(
        "MOV.i32 r4, u0\n"
        "MOV.i32 r5, u1\n"
        "IADD_IMM.i32 r6, 0x0, #0x1\n"
        "ATOM.i32.slot0.aadd.wait0 @r6, r4, offset:0x0\n"
        "MOV.i32 r0, 0x0\n"
        "MOV.i32 r1, 0x0\n"
        "MOV.i32 r2, 0x0\n"
        "MOV.i32 r3, 0x0\n"
        "NOP.wait0126\n"
        "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
        "NOP.wait\n"
        "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n");
    const uint64_t counter = f.room(64);
    const uint32_t words[2] = {uint32_t(counter), uint32_t(counter >> 32)};
    f.set(hw::IdvsRegisters::fragment_fau, f.place(words, sizeof words) | uint64_t(1) << 56);
    f.vertices({{{0, 0, 0.5f, 1}, {}}, {{33, 0, 0.5f, 1}, {}}, {{0, 33, 0.5f, 1}, {}}});
    REQUIRE(f.draw() == JobStatus::Done);
    const JobStatus s = f.fragment(f.parameters(), f.linear_target(f.room(64 * 64 * 4)));
    INFO(f.fault.report);
    REQUIRE(s == JobStatus::Done);
    unsigned covered = 0;
    for (unsigned y = 0; y < 64; ++y)
        for (unsigned x = 0; x < 64; ++x)
            covered += x + y + 1 < 33;
    uint32_t count = 0;
    std::memcpy(&count, f.at(counter), 4);
    CHECK(count == covered);
}

TEST_CASE("buffer: lanes load the same place or different ones, and zeros beyond the end") {
    DrawFixture f;
    constexpr uint32_t kSize_B = 42;
    uint8_t bytes[2][kSize_B];
    std::mt19937 random(3);
    const uint64_t descriptors = f.room(2 * 32);
    for (unsigned n = 0; n < 2; ++n) {
        for (uint8_t& byte : bytes[n])
            byte = uint8_t(random());
        f.put(descriptors + uint64_t(n) * 32,
              hw::Buffer{.size = kSize_B, .address = f.place(bytes[n], kSize_B)});
    }
    f.table(2, descriptors, 2);
    ShaderState shader;
    shader.resources = {f.tables | 5};
    Stage stage{.shader = &shader};
    Warp warp;
    warp.stage = &stage;
    ShaderUnits units;
    Window memory(f.host.space());
    mali::isa::Instr instr;
    U32 source[4] = {}, out[4];
    std::string why;
    for (unsigned i = 0; i < 400; ++i) {
        constexpr mali::isa::Op kOps[] = {mali::isa::Op::kLdBufferI8, mali::isa::Op::kLdBufferI24,
                                          mali::isa::Op::kLdBufferI64, mali::isa::Op::kLdBufferI128};
        constexpr unsigned kSizes_B[] = {1, 3, 8, 16};
        const bool one_place = i & 4, one_buffer = i & 8;
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            source[0][lane] = lane && one_place ? source[0][0] : random() % 50;
            source[2][lane] = lane && one_buffer ? source[2][0] : 2u << 24 | random() % 2;
        }
        instr.op = kOps[i % 4];
        const uint32_t active = 1 + random() % kAllThreads;
        if (one_place)  // of the lanes that run
            for (unsigned lane = 0; lane < kWarpLanes; ++lane)
                if (!(active >> lane & 1)) source[0][lane] = random();
        std::fill_n(out, 4, U32{});
        REQUIRE(units.load_buffer(warp, {instr, active, source, nullptr, 0, 4, memory}, out, &why));
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            if (!(active >> lane & 1)) continue;
            uint8_t expected[16] = {}, loaded[16];
            for (unsigned b = 0; b < kSizes_B[i % 4] && source[0][lane] + b < kSize_B; ++b)
                expected[b] = bytes[source[2][lane] & 1][source[0][lane] + b];
            for (unsigned w = 0; w < 4; ++w) {
                const uint32_t word = out[w][lane];
                std::memcpy(loaded + 4 * size_t(w), &word, 4);
            }
            CHECK(std::equal(expected, expected + 16, loaded));
        }
    }
    source[2] = wave::splat(2u << 24 | 2);
    CHECK(!units.load_buffer(warp, {instr, kAllThreads, source, nullptr, 0, 4, memory}, out, &why));
    CHECK(why == "descriptor 2 of resource table 2, which has 64 bytes");
    CHECK(units.load_buffer(warp, {instr, 0, source, nullptr, 0, 4, memory}, out, &why));
}
