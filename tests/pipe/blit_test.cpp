// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blits on a device that is only memory: which engine is chosen, and each transformation against values
// worked out by hand.
#include "pipe/blit/blit.h"

#include <doctest/doctest.h>

#include <random>

#include "pipe/blit/blit_axis.h"
#include "tests/pipe/fake_device.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::fake;

namespace {

struct Fixture {
    MemoryScreen screen;
    MemoryContext context{screen};
    BlitPath path = BlitPath::Nothing;

    Image image(Format format, uint32_t w, uint32_t h, uint32_t samples = 1) {
        ResourceDesc d;
        d.format = format;
        d.width = w;
        d.height = h;
        d.samples = samples;
        return {screen.create_resource(d)};
    }
    // Pixel (x, y) = base + 16 y + x.
    Image numbered(uint32_t w, uint32_t h, uint32_t base = 0) {
        Image i = image(Format::R8G8B8A8_UNORM, w, h);
        for (uint32_t y = 0; y < h; ++y)
            for (uint32_t x = 0; x < w; ++x)
                i.put<uint32_t>(base + 16 * y + x, x, y);
        return i;
    }
    BlitInfo info(const Image& src, Box from, const Image& dst, Box to) {
        BlitInfo i;
        i.src = {src.resource.get(), src.resource->desc.format, 0, from};
        i.dst = {dst.resource.get(), dst.resource->desc.format, 0, to};
        return i;
    }
    BlitStatus run(const BlitInfo& i) {
        const BlitStatus s = blit(context, i, {}, &path);
        for (Resource* r : {i.src.resource, i.dst.resource})
            if (r) CHECK(static_cast<MemoryResource*>(r)->maps == 0);
        CHECK(context.bad_copies == 0);
        return s;
    }
};

constexpr uint32_t kUntouched = 0xcdcdcdcd;

}  // namespace

TEST_CASE_FIXTURE(Fixture, "blit: equal boxes and formats are copied, clipped by scissor and both levels") {
    const Image src = numbered(4, 4), dst = image(Format::R8G8B8A8_UNORM, 4, 4);
    BlitInfo i = info(src, {0, 0, 0, 4, 4, 1}, dst, {1, 2, 0, 4, 4, 1});
    REQUIRE(run(i) == BlitStatus::Ok);
    CHECK(path == BlitPath::Copy);
    CHECK(dst.get<uint32_t>(1, 2) == 0);
    CHECK(dst.get<uint32_t>(3, 3) == 18);
    CHECK(dst.get<uint32_t>(0, 3) == kUntouched);
    const Image other = image(Format::R8G8B8A8_UNORM, 4, 4);
    i = info(src, {-1, -1, 0, 4, 4, 1}, other, {0, 0, 0, 4, 4, 1});
    i.scissored = true;
    i.scissor = {0, 0, 3, 2};
    REQUIRE(run(i) == BlitStatus::Ok);
    CHECK(other.get<uint32_t>(0, 1) == kUntouched);  // its source pixel is outside
    CHECK(other.get<uint32_t>(1, 1) == 0);
    CHECK(other.get<uint32_t>(2, 1) == 1);
    CHECK(other.get<uint32_t>(3, 1) == kUntouched);
    CHECK(other.get<uint32_t>(2, 2) == kUntouched);
    i.scissor = {2, 2, 2, 9};
    REQUIRE(run(i) == BlitStatus::Ok);
    CHECK(path == BlitPath::Nothing);
}

TEST_CASE_FIXTURE(Fixture,
                  "blit: mirrored in each direction, with the mirrored box as source or as destination") {
    const Image src = numbered(3, 2), dst = image(Format::R8G8B8A8_UNORM, 3, 2);
    REQUIRE(run(info(src, {0, 2, 0, 3, -2, 1}, dst, {0, 0, 0, 3, 2, 1})) == BlitStatus::Ok);
    CHECK(path == BlitPath::Cpu);
    CHECK(dst.get<uint32_t>(0, 0) == 16);
    CHECK(dst.get<uint32_t>(2, 1) == 2);
    REQUIRE(run(info(src, {0, 0, 0, 3, 2, 1}, dst, {3, 0, 0, -3, 2, 1})) == BlitStatus::Ok);
    CHECK(dst.get<uint32_t>(0, 0) == 2);
    CHECK(dst.get<uint32_t>(1, 1) == 17);
    REQUIRE(run(info(src, {3, 0, 0, -3, 2, 1}, dst, {3, 0, 0, -3, 2, 1})) == BlitStatus::Ok);
    CHECK(path == BlitPath::Copy);  // mirrored twice: a copy
    CHECK(dst.get<uint32_t>(0, 0) == 0);
}

TEST_CASE_FIXTURE(Fixture, "blit: nearest scaling reads the pixel under the centre") {
    const Image src = numbered(4, 1), dst = image(Format::R8G8B8A8_UNORM, 8, 1),
                small = image(Format::R8G8B8A8_UNORM, 2, 1);
    REQUIRE(run(info(src, {0, 0, 0, 4, 1, 1}, dst, {0, 0, 0, 8, 1, 1})) == BlitStatus::Ok);
    for (uint32_t x = 0; x < 8; ++x)
        CHECK(dst.get<uint32_t>(x, 0) == x / 2);
    REQUIRE(run(info(src, {0, 0, 0, 4, 1, 1}, small, {0, 0, 0, 2, 1, 1})) == BlitStatus::Ok);
    CHECK(small.get<uint32_t>(0, 0) == 1);  // the centre 1.0 is the start of pixel 1
    CHECK(small.get<uint32_t>(1, 0) == 3);
    REQUIRE(run(info(src, {0, 0, 0, 4, 1, 1}, dst, {8, 0, 0, -8, 1, 1})) == BlitStatus::Ok);
    for (uint32_t x = 0; x < 8; ++x)
        CHECK(dst.get<uint32_t>(x, 0) == 3 - x / 2);
}

TEST_CASE_FIXTURE(Fixture, "blit: linear filtering clamps at the edge of the level") {
    const Image src = image(Format::R32_FLOAT, 2, 2), dst = image(Format::R32_FLOAT, 4, 4);
    src.put(0.0f, 0, 0), src.put(4.0f, 1, 0), src.put(8.0f, 0, 1), src.put(12.0f, 1, 1);
    BlitInfo i = info(src, {0, 0, 0, 2, 2, 1}, dst, {0, 0, 0, 4, 4, 1});
    i.filter = Filter::Linear;
    REQUIRE(run(i) == BlitStatus::Ok);
    const float x[4] = {0, 1, 3, 4};
    for (uint32_t r = 0; r < 4; ++r)
        for (uint32_t c = 0; c < 4; ++c)
            CHECK(dst.get<float>(c, r) == x[c] + 2 * x[r]);
    i.src.box = {0, 2, 0, 2, -2, 1};
    REQUIRE(run(i) == BlitStatus::Ok);
    CHECK(dst.get<float>(1, 0) == 9.0f);
}

TEST_CASE_FIXTURE(Fixture, "blit: linear filtering is exact at any scale") {
    // A linear ramp, f(x, y) = x + 100 y. Away from the edges linear filtering must reproduce it exactly.
    const Image src = image(Format::R32_FLOAT, 33, 47);
    for (uint32_t y = 0; y < 47; ++y)
        for (uint32_t x = 0; x < 33; ++x)
            src.put(float(x) + 100 * float(y), x, y);
    std::mt19937 rng(12);
    for (int round = 0; round < 60; ++round) {
        const int w = 1 + int(rng() % 90), h = 1 + int(rng() % 90);
        const Image dst = image(Format::R32_FLOAT, uint32_t(w), uint32_t(h));
        BlitInfo i = info(src, {5, 5, 0, 20, 30, 1}, dst, {0, 0, 0, w, h, 1});
        if (round & 1) i.src.box = {5, 35, 0, 20, -30, 1};
        i.filter = Filter::Linear;
        REQUIRE(run(i) == BlitStatus::Ok);
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                const double sx = 5 + (x + 0.5) * 20 / w - 0.5;
                const double sy = (round & 1 ? 35 - (y + 0.5) * 30 / h : 5 + (y + 0.5) * 30 / h) - 0.5;
                if (std::abs(dst.get<float>(uint32_t(x), uint32_t(y)) - (sx + 100 * sy)) > 0.01)
                    FAIL("round " << round);
            }
    }
}

TEST_CASE_FIXTURE(Fixture, "blit: formats convert, sRGB is decoded and encoded") {
    const Image src = image(Format::R8G8B8A8_UNORM, 1, 1), b565 = image(Format::B5G6R5_UNORM, 1, 1),
                srgb = image(Format::R8G8B8A8_SRGB, 1, 1);
    src.put<uint32_t>(0x80ff8040u, 0, 0);
    REQUIRE(run(info(src, {0, 0, 0, 1, 1, 1}, b565, {0, 0, 0, 1, 1, 1})) == BlitStatus::Ok);
    CHECK(b565.get<uint16_t>(0, 0) == (8 << 11 | 32 << 5 | 31));
    REQUIRE(run(info(src, {0, 0, 0, 1, 1, 1}, srgb, {0, 0, 0, 1, 1, 1})) == BlitStatus::Ok);
    CHECK(srgb.get<uint32_t>(0, 0) == 0x80ffbc89u);  // 0x40 and 0x80 encoded
    BlitInfo raw = info(src, {0, 0, 0, 1, 1, 1}, srgb, {0, 0, 0, 1, 1, 1});
    raw.dst.format = Format::R8G8B8A8_UNORM;  // a linear view of the sRGB image
    REQUIRE(run(raw) == BlitStatus::Ok);
    CHECK(path == BlitPath::Copy);
    CHECK(srgb.get<uint32_t>(0, 0) == 0x80ff8040u);
    const Image u = image(Format::R32G32_UINT, 1, 1), s = image(Format::R8_UINT, 2, 1);
    u.put<uint64_t>(0x700000003ull, 0, 0);
    REQUIRE(run(info(u, {0, 0, 0, 1, 1, 1}, s, {0, 0, 0, 2, 1, 1})) == BlitStatus::Ok);
    CHECK(s.get<uint8_t>(0, 0) == 3);
    CHECK(s.get<uint8_t>(1, 0) == 3);
    CHECK(run(info(u, {0, 0, 0, 1, 1, 1}, src, {0, 0, 0, 1, 1, 1})) == BlitStatus::Unsupported);
    CHECK(path == BlitPath::Impossible);
}

TEST_CASE_FIXTURE(Fixture, "blit: depth and stencil separately or together") {
    const Image src = image(Format::D24_UNORM_S8_UINT, 2, 1), dst = image(Format::D24_UNORM_S8_UINT, 2, 1);
    src.put<uint32_t>(0x11ffffffu, 0, 0), src.put<uint32_t>(0x22000000u, 1, 0);
    dst.put<uint32_t>(0x99123456u, 0, 0), dst.put<uint32_t>(0x99123456u, 1, 0);
    BlitInfo i = info(src, {0, 0, 0, 2, 1, 1}, dst, {0, 0, 0, 2, 1, 1});
    CHECK(run(i) == BlitStatus::Unsupported);  // only colour was requested
    i.color = false;
    i.depth = true;
    REQUIRE(run(i) == BlitStatus::Ok);
    CHECK(path == BlitPath::Cpu);
    CHECK(dst.get<uint32_t>(0, 0) == 0x99ffffffu);
    CHECK(dst.get<uint32_t>(1, 0) == 0x99000000u);
    i.depth = false;
    i.stencil = true;
    i.src.box = {2, 0, 0, -2, 1, 1};
    REQUIRE(run(i) == BlitStatus::Ok);
    CHECK(dst.get<uint32_t>(0, 0) == 0x22ffffffu);
    CHECK(dst.get<uint32_t>(1, 0) == 0x11000000u);
    i.depth = true;
    i.src.box = {0, 0, 0, 2, 1, 1};
    REQUIRE(run(i) == BlitStatus::Ok);
    CHECK(path == BlitPath::Copy);
    CHECK(dst.get<uint32_t>(1, 0) == 0x22000000u);
    const Image d16 = image(Format::D16_UNORM, 2, 1);
    i = info(src, {0, 0, 0, 2, 1, 1}, d16, {0, 0, 0, 2, 1, 1});
    i.color = false;
    i.depth = true;
    REQUIRE(run(i) == BlitStatus::Ok);
    CHECK(d16.get<uint16_t>(0, 0) == 0xffff);
}

TEST_CASE_FIXTURE(Fixture, "blit: resolves average colours; other formats use sample 0") {
    const Image ms = image(Format::R8G8B8A8_UNORM, 1, 1, 4), one = image(Format::R8G8B8A8_UNORM, 1, 1);
    const uint8_t samples[16] = {0, 0, 0, 255, 100, 0, 255, 255, 200, 0, 255, 255, 100, 4, 0, 255};
    std::memcpy(ms.at(0, 0), samples, 16);
    REQUIRE(run(info(ms, {0, 0, 0, 1, 1, 1}, one, {0, 0, 0, 1, 1, 1})) == BlitStatus::Ok);
    CHECK(path == BlitPath::Cpu);
    CHECK(one.get<uint32_t>(0, 0) == 0xff800164u);
    const Image zs = image(Format::D24_UNORM_S8_UINT, 1, 1, 2), z = image(Format::D24_UNORM_S8_UINT, 1, 1);
    const uint32_t values[2] = {0x01ffffffu, 0x02000000u};
    std::memcpy(zs.at(0, 0), values, 8);
    BlitInfo i = info(zs, {0, 0, 0, 1, 1, 1}, z, {0, 0, 0, 1, 1, 1});
    i.color = false;
    i.depth = i.stencil = true;
    REQUIRE(run(i) == BlitStatus::Ok);
    CHECK(z.get<uint32_t>(0, 0) == 0x01ffffffu);
    const Image ms2 = image(Format::R8G8B8A8_UNORM, 1, 1, 4);
    REQUIRE(run(info(ms, {0, 0, 0, 1, 1, 1}, ms2, {0, 0, 0, 1, 1, 1})) == BlitStatus::Ok);
    CHECK(std::memcmp(ms2.at(0, 0), samples, 16) == 0);
    CHECK(run(info(one, {0, 0, 0, 1, 1, 1}, image(Format::R8G8B8A8_SRGB, 1, 1, 4), {0, 0, 0, 1, 1, 1})) ==
          BlitStatus::Unsupported);
}

TEST_CASE_FIXTURE(Fixture, "blit: within one image, overlapping boxes") {
    const Image image = numbered(6, 1);
    REQUIRE(run(info(image, {0, 0, 0, 4, 1, 1}, image, {1, 0, 0, 4, 1, 1})) == BlitStatus::Ok);
    const uint32_t expected[6] = {0, 0, 1, 2, 3, 5};
    for (uint32_t x = 0; x < 6; ++x)
        CHECK(image.get<uint32_t>(x, 0) == expected[x]);
}

TEST_CASE_FIXTURE(Fixture, "blit: compressed sources decode, whole blocks copy") {
    const Image etc = image(Format::ETC2_RGB8_UNORM, 8, 4), rgba = image(Format::R8G8B8A8_UNORM, 8, 4),
                copy = image(Format::ETC2_RGB8_UNORM, 8, 4);
    const uint8_t block[8] = {0xf0, 0x80, 0x0f, 0x1c, 0, 0, 0, 0};
    std::memcpy(etc.at(0, 0), block, 8);
    std::memcpy(etc.at(4, 0), block, 8);
    REQUIRE(run(info(etc, {1, 0, 0, 4, 4, 1}, rgba, {0, 0, 0, 4, 4, 1})) == BlitStatus::Ok);
    CHECK(rgba.get<uint32_t>(0, 0) == 0xff028affu);
    CHECK(rgba.get<uint32_t>(1, 0) == 0xffff2f2fu);
    CHECK(rgba.get<uint32_t>(3, 3) == 0xff028affu);
    REQUIRE(run(info(etc, {4, 0, 0, 4, 4, 1}, copy, {0, 0, 0, 4, 4, 1})) == BlitStatus::Ok);
    CHECK(std::memcmp(copy.at(0, 0), block, 8) == 0);
    CHECK(run(info(etc, {1, 0, 0, 4, 4, 1}, copy, {0, 0, 0, 4, 4, 1})) == BlitStatus::Unsupported);
    CHECK(run(info(rgba, {0, 0, 0, 4, 4, 1}, copy, {0, 0, 0, 4, 4, 1})) == BlitStatus::Unsupported);
    REQUIRE(blit_cpu(context, info(etc, {4, 0, 0, 4, 4, 1}, etc, {0, 0, 0, 4, 4, 1})) == BlitStatus::Ok);
}

TEST_CASE_FIXTURE(Fixture, "blit: engines are tried in order; failures") {
    struct Engine : BlitEngine {
        bool able = false;
        int runs = 0;
        bool can(const BlitInfo&) const override { return able; }
        BlitStatus run(Context&, const BlitInfo&) override {
            ++runs;
            return BlitStatus::Ok;
        }
    };
    Engine no, yes;
    yes.able = true;
    BlitEngine* engines[] = {nullptr, &no, &yes};
    const Image src = numbered(2, 2), dst = image(Format::R8G8B8A8_UNORM, 4, 4);
    const BlitInfo i = info(src, {0, 0, 0, 2, 2, 1}, dst, {0, 0, 0, 4, 4, 1});
    CHECK(blit(context, i, engines, &path) == BlitStatus::Ok);
    CHECK(path == BlitPath::Engine);
    CHECK(yes.runs == 1);
    context.driver_blits = true;
    CHECK(blit(context, i, engines, &path) == BlitStatus::Ok);
    CHECK(path == BlitPath::Driver);
    context.driver_blits = false;
    for (int left : {0, 1}) {
        context.maps_left = left;
        CHECK(run(i) == BlitStatus::OutOfMemory);
    }
    context.maps_left = 100;
    BlitInfo bad = i;
    bad.src.level = 1;
    CHECK(run(bad) == BlitStatus::Unsupported);
    bad = i;
    bad.src.resource = nullptr;
    CHECK(run(bad) == BlitStatus::Unsupported);
    bad = i;
    bad.dst.format = Format::R16_UNORM;
    CHECK(run(bad) == BlitStatus::Unsupported);
}

TEST_CASE("blit axis: extreme boxes neither overflow nor leave the levels") {
    using detail::BlitAxis;
    const BlitAxis huge(-2147483648ll, 4294967295ll, -2147483648ll, 4294967295ll, 0, 100, 50);
    CHECK(huge.begin == 0);
    CHECK(huge.end == 50);
    CHECK(huge.nearest(49) == 49);
    const BlitAxis zoom(0, 1, -1000000000, 2000000000, 0, 16, 8);
    CHECK(zoom.begin == 0);
    CHECK(zoom.end == 16);
    CHECK(zoom.src_end == 1);
    const BlitAxis none(0, 0, 0, 5, 0, 5, 5), away(10, 5, 0, 5, 0, 5, 5);
    CHECK(none.empty());
    CHECK(away.empty());
    std::mt19937 rng(3);
    for (int round = 0; round < 5000; ++round) {
        const auto any = [&] { return int64_t(int32_t(rng())) >> (rng() % 31); };
        const BlitAxis a(any(), any(), any(), any(), 0, 200, 100);
        for (int32_t i = a.begin; i < a.end; ++i) {
            int32_t p, q;
            float w;
            a.linear(i, &p, &q, &w);
            if (a.nearest(i) < a.src_begin || a.nearest(i) >= a.src_end || a.src_begin < 0 ||
                a.src_end > 100 || p < 0 || q > 99 || !(w >= 0 && w <= 1))
                FAIL("round " << round);
        }
    }
}
