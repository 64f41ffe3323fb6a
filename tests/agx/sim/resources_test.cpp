// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures and stored images, compared with pipe's formats and layouts.
#include <cmath>

#include "pipe/half.h"
#include "tests/agx/sim/resource_fixture.h"

namespace terrazzo::tests::agx {
namespace {

using pipe::Format;
using pipe::ResourceKind;

bool is_same_number(uint32_t a, uint32_t b, bool is_float) {
    if (a == b || !is_float) return a == b;
    const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    return (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-6f * std::abs(x);
}

pipe::AgxLayoutDesc image_desc(Format format, pipe::Tiling tiling, uint32_t width = 37, uint32_t height = 21,
                               uint32_t levels = 3) {
    pipe::AgxLayoutDesc d;
    d.image.format = format;
    d.image.width = width, d.image.height = height;
    d.image.levels = tiling == pipe::Tiling::Linear ? 1 : levels;
    d.image.tiling = tiling;
    return d;
}

/// Loads random texels, also of other layers and samples, and compares them. `load`: the instruction for
/// them.
void check_loads(Threads& t, StoredPixels& p, const std::string& load) {
    const pipe::LayoutDesc& i = p.desc.image;
    const bool is_float = units::format_reader(i.format).kind == units::NumberKind::Float;
    t.bind(describe(p));
    for (unsigned turn = 0; turn < 4; ++turn) {
        uint32_t at[sim::kThreads][5];
        for (unsigned n = 0; n < sim::kThreads; ++n) {
            uint32_t* const a = at[n];
            a[4] = i.levels > 1 ? t.random() % i.levels : 0;
            a[0] = t.random() % p.width(a[4]), a[1] = t.random() % p.height(a[4]);
            a[2] = t.random() % p.layout.surface.z_count(a[4]), a[3] = t.random() % i.samples;
            t.set(8, n, a[0]), t.set(9, n, a[1]);
            // The sample is the low half, if there are samples.
            t.set(10, n, i.samples > 1 ? a[3] | a[2] << 16 : a[2]);
            t.set(12, n, a[4]);
        }
        REQUIRE(t.run(load) == "");
        for (unsigned n = 0; n < sim::kThreads; ++n) {
            uint32_t expected[4];
            const uint32_t* const a = at[n];
            p.number(a[4], a[2], a[0], a[1], a[3], expected);
            for (unsigned c = 0; c < 4; ++c) {
                CAPTURE(a[0]);
                CAPTURE(a[1]);
                CAPTURE(a[2]);
                CAPTURE(a[3]);
                CAPTURE(a[4]);
                CAPTURE(c);
                CAPTURE(t.get(4 + c, n));
                CAPTURE(expected[c]);
                REQUIRE(is_same_number(t.get(4 + c, n), expected[c], is_float));
            }
        }
    }
}

TEST_CASE("agx resources: texels of every format, in both layouts") {
    unsigned count[2] = {};
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const auto format = Format(n);
        if (!terrazzo::agx::hw::pixel_format(format)) continue;
        CAPTURE(pipe::format_name(format));
        for (const bool linear : {false, true}) {
            CAPTURE(linear);
            Threads t;
            StoredPixels p;
            if (!p.create(t.memory,
                          image_desc(format, linear ? pipe::Tiling::Linear : pipe::Tiling::Twiddled)))
                continue;
            const std::string level = linear ? "" : ".lod_min", operand = linear ? "_" : "r12l";
            const std::string text = "texture_load.2d.xyzw" + level + " r4_r5_r6_r7, r8_r9, " + operand;
            check_loads(t, p, text + ", _, ts0, ss0, _\n");
            // As image loads, which read memory in place.
            check_loads(t, p, text + ", _, ts0, ss0, _, b43=13\n");
            ++count[linear];
        }
    }
    CHECK(count[0] > 100);
    CHECK(count[1] > 50);
}

TEST_CASE("agx resources: arrays, slices and samples") {
    struct Row {
        const char* text;
        ResourceKind kind;
        uint32_t depth, samples;
        bool linear;
    };
    static constexpr const char* kLayer = ", r8l_r8h_r9l_r9h_r10l, ";
    const Row kRows[] = {{".2d_array", ResourceKind::Tex2DArray, 5, 1, false},
                         {".2d_array", ResourceKind::Tex2DArray, 5, 1, true},
                         {".3d", ResourceKind::Tex3D, 9, 1, false},
                         {".2d_ms", ResourceKind::Tex2D, 1, 2, false},
                         {".2d_ms", ResourceKind::Tex2D, 1, 4, false},
                         {".2d_ms_array", ResourceKind::Tex2DArray, 3, 2, false},
                         {".2d_ms_array", ResourceKind::Tex2DArray, 3, 4, false}};
    for (const Row& r : kRows)
        for (const Format format : {Format::R8G8B8A8_UNORM, Format::R16_SINT, Format::R32G32B32A32_FLOAT})
            for (const char* const suffix : {"", ", b43=13"})
                for (const auto& [w, h] : {std::pair{37u, 21u}, {1u, 3u}, {200u, 65u}}) {
                    CAPTURE(r.text);
                    CAPTURE(r.samples);
                    CAPTURE(r.linear);
                    CAPTURE(pipe::format_name(format));
                    CAPTURE(w);
                    CAPTURE(suffix);
                    Threads t;
                    pipe::AgxLayoutDesc d =
                        image_desc(format, r.linear ? pipe::Tiling::Linear : pipe::Tiling::Twiddled, w, h,
                                   r.samples > 1 || h == 3 ? 1 : 4);
                    d.image.kind = r.kind;
                    (r.kind == ResourceKind::Tex3D ? d.image.depth : d.image.layers) = r.depth;
                    d.image.samples = r.samples;
                    StoredPixels p;
                    REQUIRE(p.create(t.memory, d));
                    const bool levels = d.image.levels > 1;
                    check_loads(t, p,
                                std::string("texture_load") + r.text + ".xyzw" + (levels ? ".lod_min" : "") +
                                    " r4_r5_r6_r7" +
                                    (r.kind == ResourceKind::Tex3D ? ", r8_r9_r10, " : kLayer) +
                                    (levels ? "r12l" : "_") + ", _, ts0, ss0, _" + suffix + "\n");
                }
}

TEST_CASE("agx resources: what is outside reads zeros, and so does a null texture") {
    Threads t;
    StoredPixels p;
    pipe::AgxLayoutDesc d = image_desc(Format::R8G8B8A8_UNORM, pipe::Tiling::Twiddled);
    d.image.kind = ResourceKind::Tex2DArray;
    d.image.layers = 2;
    REQUIRE(p.create(t.memory, d));
    hw::Texture texture = describe(p);
    for (const char* const suffix : {"", ", b43=13"}) {
        const std::string text = std::string(
                                     "texture_load.2d_array.xyzw.lod_min r4_r5_r6_r7, "
                                     "r8l_r8h_r9l_r9h_r10l, r12l, _, ts0, ss0, _") +
                                 suffix + "\n";
        t.bind(texture);
        const uint32_t places[][4] = {{37, 0, 0, 0}, {0, 21, 0, 0},  {0, 0, 2, 0},  {0, 0, 0, 3},
                                      {18, 0, 0, 1}, {~0u, 0, 0, 0}, {0, ~0u, 0, 0}};
        for (const auto& place : places) {
            for (unsigned n = 0; n < sim::kThreads; ++n)
                t.set(8, n, place[0]), t.set(9, n, place[1]), t.set(10, n, place[2]), t.set(12, n, place[3]);
            REQUIRE(t.run(text) == "");
            for (unsigned c = 0; c < 4; ++c)
                CHECK(t.get(4 + c, 5) == 0);
        }
        hw::Texture null;
        null.layout = hw::Layout::Null;
        null.null = true;
        t.bind(null);
        REQUIRE(t.run(text) == "");
        CHECK(t.get(4, 5) == 0);
    }
    // The second level as the first one.
    texture.first_level = 1;
    t.bind(texture);
    for (unsigned n = 0; n < sim::kThreads; ++n)
        t.set(8, n, 3u), t.set(9, n, 4u), t.set(10, n, 1u), t.set(12, n, 1u);
    REQUIRE(t.run("texture_load.2d_array.xyzw.lod_min r4_r5_r6_r7, r8l_r8h_r9l_r9h_r10l, r12l, _, ts0, ss0, "
                  "_\n") == "");
    uint32_t expected[4];
    p.number(2, 1, 3, 4, 0, expected);
    CHECK(t.get(4, 9) == expected[0]);
    // Bindless: an address in a uniform and an offset.
    const uint64_t va = t.bindings.textures[0].va - 48;
    for (unsigned n = 0; n < 4; ++n)
        t.uniforms.bind(n, uint16_t(va >> 16 * n));
    for (unsigned n = 0; n < sim::kThreads; ++n)
        t.set(14, n, 48u), t.set(4, n, 0u);
    t.bindings.textures.clear();
    REQUIRE(t.run("texture_load.2d_array.xyzw.lod_min r4_r5_r6_r7, r8l_r8h_r9l_r9h_r10l, r12l, u0_u1, r14, "
                  "ss0, _\n") == "");
    CHECK(t.get(4, 9) == expected[0]);
}

TEST_CASE("agx resources: buffers as linear images need no memory after their end") {
    Threads t;
    // Rows of 1024 pixels; memory ends after eight of the first one.
    hw::Texture d;
    d.dimension = hw::TextureDimension::N2d;
    d.layout = hw::Layout::Linear;
    d.channels = hw::Channels::R32;
    d.type = hw::TextureType::Uint;
    d.width = 1024, d.height = 1;
    d.stride = 4096 - 16;
    d.address = GpuMemory::kBase + GpuMemory::kSize_B - 32;
    for (uint32_t n = 0; n < 8; ++n)
        std::memcpy(t.memory.at(d.address + 4 * n), &n, 4);
    t.bind(d);
    for (const char* const suffix : {"", ", b43=13"}) {
        for (unsigned n = 0; n < sim::kThreads; ++n)
            t.set(8, n, n % 8), t.set(9, n, 0u);
        const std::string text =
            std::string("texture_load.2d.x r4, r8_r9, _, _, ts0, ss0, _") + suffix + "\n";
        REQUIRE(t.run(text) == "");
        for (unsigned n = 0; n < sim::kThreads; ++n)
            CHECK(t.get(4, n) == n % 8);
        for (unsigned n = 0; n < sim::kThreads; ++n)
            t.set(8, n, 512u);
        CHECK(t.run(text) != "");
    }
}

// ---- Samples ----

TEST_CASE("agx resources: levels, layers, offsets, comparisons and components of samples") {
    Threads t;
    StoredPixels p;
    pipe::AgxLayoutDesc d = image_desc(Format::R32G32B32A32_FLOAT, pipe::Tiling::Twiddled, 16, 16, 3);
    d.image.kind = ResourceKind::Tex2DArray;
    d.image.layers = 3;
    REQUIRE(p.create(t.memory, d));
    t.bind(describe(p));
    hw::Sampler sampler;
    sampler.mip_filter = hw::MipFilter::Nearest;
    sampler.maximum_lod = 10;
    sampler.compare_func = hw::CompareFunc::Less;
    t.bind_sampler(sampler);
    for (unsigned n = 0; n < sim::kThreads; ++n) {
        t.set(8, n, (float(n % 4) + 1.5f) / 8), t.set(9, n, (float(n / 4 % 4) + 2.5f) / 8);
        t.set(10, n, n % 3);
        t.set(12, n, uint32_t(pipe::float_to_half(1.0f)));
        t.set(13, n, 0xe1u);  // an offset of 1, -2
    }
    const auto compare = [&](uint32_t dx, uint32_t dy) {
        for (unsigned n = 0; n < sim::kThreads; ++n)
            for (unsigned c = 0; c < 4; ++c) {
                uint32_t expected[4];
                p.number(1, n % 3, n % 4 + 1 + dx, n / 4 % 4 + 2 + dy, 0, expected);
                CAPTURE(n);
                CAPTURE(c);
                CHECK(is_same_number(t.get(4 + c, n), expected[c], true));
            }
    };
    REQUIRE(
        t.run("texture_sample.2d_array.xyzw.lod_min r4_r5_r6_r7, r8l_r8h_r9l_r9h_r10l, r12l, _, ts0, ss0, "
              "_\n") == "");
    compare(0, 0);
    REQUIRE(
        t.run("texture_sample.2d_array.xyzw.lod_min r4_r5_r6_r7, r8l_r8h_r9l_r9h_r10l, r12l, _, ts0, ss0, "
              "r13l\n") == "");
    compare(1, uint32_t(-2));
    // Samplers of the heap.
    t.bindings.sampler_heap = t.bindings.samplers[0].va - hw::Sampler::kSize_B;
    t.bindings.sampler_heap_count = 2;
    t.bindings.samplers.clear();
    for (unsigned n = 0; n < sim::kThreads; ++n)
        t.set(14, n, 29u);
    const std::string heap =
        "texture_sample.2d_array.xyzw.lod_min r4_r5_r6_r7, r8l_r8h_r9l_r9h_r10l, r12l, _, "
        "ts0, r14l, _\n";
    REQUIRE(t.run(heap) == "");
    compare(0, 0);
    for (unsigned n = 0; n < sim::kThreads; ++n)
        t.set(14, n, 30u);
    CHECK(t.run(heap).find("sampler 2 of a heap of 2") != std::string::npos);
}

TEST_CASE("agx resources: the colours of borders are encoded as the format is, and swizzled") {
    struct Row {
        Format format;
        uint32_t border[4];  // as Mesa encodes it
        float numbers[4];    // of the channels in memory
    };
    const Row kRows[] = {
        {Format::R8G8B8A8_UNORM, {255, 51, 0, 102}, {1, 0.2f, 0, 0.4f}},
        {Format::R8G8B8A8_SRGB, {4095, 819, 0, 102}, {1, 0.2f, 0, 0.4f}},
        {Format::R16G16B16A16_SNORM, {0x7fff, 0x8001, 0, 0x7fff}, {1, -1, 0, 1}},
        {Format::R16G16B16A16_FLOAT, {0x3c00, 0xc000, 0, 0x3800}, {1, -2, 0, 0.5f}},
        {Format::R32G32B32A32_FLOAT, {0x3f800000, 0xc0000000, 0, 0x3f000000}, {1, -2, 0, 0.5f}},
        {Format::ETC2_RGBA8_UNORM, {255, 51, 0, 102}, {1, 0.2f, 0, 0.4f}},
    };
    for (const Row& row : kRows) {
        CAPTURE(pipe::format_name(row.format));
        Threads t;
        StoredPixels p;
        REQUIRE(p.create(t.memory, image_desc(row.format, pipe::Tiling::Twiddled, 16, 16, 1)));
        hw::Texture d = describe(p);
        std::swap(d.swizzle_r, d.swizzle_g);
        t.bind(d);
        hw::Sampler s;
        s.wrap_s = s.wrap_t = hw::Wrap::ClampToBorder;
        s.border_color = hw::BorderColor::Custom;
        hw::Border border;
        std::copy_n(row.border, 4, border.channel);
        t.bind_sampler(s, &border);
        for (unsigned n = 0; n < sim::kThreads; ++n)
            t.set(8, n, -3.0f), t.set(9, n, 0.5f);
        const std::string text = "texture_sample.2d.xyzw r4_r5_r6_r7, r8_r9, _, _, ts0, ss0, _\n";
        REQUIRE(t.run(text) == "");
        const unsigned from[4] = {1, 0, 2, 3};
        for (unsigned c = 0; c < 4; ++c)
            CHECK(std::bit_cast<float>(t.get(4 + c, 3)) ==
                  doctest::Approx(row.numbers[from[c]]).epsilon(1e-5));
    }
    // Integers: 1 is an integer, too.
    Threads t;
    StoredPixels p;
    REQUIRE(p.create(t.memory, image_desc(Format::R8G8B8A8_SINT, pipe::Tiling::Twiddled, 16, 16, 1)));
    t.bind(describe(p));
    hw::Sampler s;
    s.wrap_s = s.wrap_t = hw::Wrap::ClampToBorder;
    s.border_color = hw::BorderColor::OpaqueBlack;
    t.bind_sampler(s);
    for (unsigned n = 0; n < sim::kThreads; ++n)
        t.set(8, n, -3.0f), t.set(9, n, 0.5f);
    const std::string text = "texture_sample.2d.xyzw r4_r5_r6_r7, r8_r9, _, _, ts0, ss0, _\n";
    REQUIRE(t.run(text) == "");
    CHECK(t.get(4, 0) == 0);
    CHECK(t.get(7, 0) == 1);
    s.border_color = hw::BorderColor::Custom;
    hw::Border border;
    border.channel[0] = uint32_t(-5), border.channel[3] = 7;
    t.bind_sampler(s, &border);
    t.resources.forget();
    REQUIRE(t.run(text) == "");
    CHECK(t.get(4, 0) == uint32_t(-5));
    CHECK(t.get(7, 0) == 7);
    // Without a Border it is a fault.
    t.bind_sampler(s);
    CHECK(t.run(text).find("but no Border") != std::string::npos);
}

// ---- Stores ----

/// Stores random numbers to random pixels and compares the whole image, and what an image load sees.
void check_stores(Threads& t, StoredPixels& p, uint32_t level, const std::string& store) {
    const pipe::LayoutDesc& i = p.desc.image;
    const units::FormatReader reader = units::format_reader(i.format);
    t.bind(describe_stored(p, level));
    t.resources.forget();
    for (unsigned n = 0; n < sim::kThreads; ++n) {
        // The last thread to store to a pixel wins; some are outside.
        const uint32_t x = n == 7 ? p.width(level) : t.random() % p.width(level),
                       y = n == 9 ? ~0u : t.random() % p.height(level),
                       z = n == 11 ? p.layout.surface.z_count(level)
                                   : t.random() % p.layout.surface.z_count(level);
        t.set(8, n, x), t.set(9, n, y), t.set(10, n, z);
        uint32_t v[4];
        for (unsigned c = 0; c < 4; ++c) {
            v[c] = reader.kind == units::NumberKind::Float
                       ? std::bit_cast<uint32_t>(float(t.random() % 3000) / 1000.0f - 1.5f)
                       : t.random() % 128 - (reader.kind == units::NumberKind::Sint ? 64 : 0);
            t.set(4 + c, n, v[c]);
        }
        const bool layered = p.depth() > 1;
        if (x < p.width(level) && y < p.height(level) && (!layered || z < p.layout.surface.z_count(level)))
            reader.write(v, p.at(level, layered ? z : 0, x, y));
    }
    REQUIRE(t.run(store) == "");
    const std::vector<std::vector<uint8_t>> expected = p.images;
    p.read(t.memory);
    for (size_t n = 0; n < expected.size(); ++n)
        REQUIRE(p.images[n] == expected[n]);
}

bool is_stored(Format format) {
    const pipe::FormatInfo& f = pipe::format_info(format);
    // Others repeat a channel, or have one that is not stored.
    return terrazzo::agx::hw::pixel_format(format) && !f.is_compressed && !f.is_depth_stencil() &&
           std::string_view(f.name).find('L') > 2 && f.name[0] != 'L' &&
           std::string_view(f.name).find('X') == std::string_view::npos;
}

TEST_CASE("agx resources: image stores of every format; what is outside is not stored") {
    unsigned count = 0;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const auto format = Format(n);
        if (!is_stored(format)) continue;
        CAPTURE(pipe::format_name(format));
        for (const bool linear : {false, true}) {
            CAPTURE(linear);
            Threads t;
            StoredPixels p;
            if (!p.create(t.memory,
                          image_desc(format, linear ? pipe::Tiling::Linear : pipe::Tiling::Twiddled)))
                continue;
            for (uint32_t level = 0; level < p.desc.image.levels; ++level)
                check_stores(t, p, level, "image_write.2d r4_r5_r6_r7, r8_r9, 0, _, ts0\n");
            ++count;
        }
    }
    CHECK(count > 80);
}

TEST_CASE("agx resources: image stores to layers and slices; loads of images see them") {
    for (const ResourceKind kind : {ResourceKind::Tex2DArray, ResourceKind::Tex3D})
        for (const bool linear : {false, true}) {
            if (linear && kind == ResourceKind::Tex3D) continue;
            CAPTURE(unsigned(kind));
            CAPTURE(linear);
            Threads t;
            StoredPixels p;
            pipe::AgxLayoutDesc d = image_desc(
                Format::R8G8B8A8_UNORM, linear ? pipe::Tiling::Linear : pipe::Tiling::Twiddled, 40, 30, 2);
            d.image.kind = kind;
            (kind == ResourceKind::Tex3D ? d.image.depth : d.image.layers) = 6;
            REQUIRE(p.create(t.memory, d));
            const bool is_3d = kind == ResourceKind::Tex3D;
            for (uint32_t level = 0; level < p.desc.image.levels; ++level)
                check_stores(t, p, level,
                             is_3d ? "image_write.3d r4_r5_r6_r7, r8_r9_r10, 0, _, ts0\n"
                                   : "image_write.2d_array r4_r5_r6_r7, r8l_r8h_r9l_r9h_r10l, 0, _, ts0\n");
        }
    Threads t;
    StoredPixels p;
    REQUIRE(p.create(t.memory, image_desc(Format::R32_UINT, pipe::Tiling::Twiddled, 32, 1, 1)));
    t.bindings.textures = {{0, 2, Words().add(describe(p)).add(describe_stored(p, 0)).put(t.memory)}};
    for (unsigned n = 0; n < sim::kThreads; ++n)
        t.set(8, n, n), t.set(9, n, 0u), t.set(4, n, 1000 + n), t.set(14, n, 31 - n);
    for (unsigned n = 0; n < sim::kThreads; ++n)
        t.set(15, n, 0u);
    // The first load fills the cache of texels.
    REQUIRE(t.run("texture_load.2d.x r16, r8_r9, _, _, ts0, ss0, _\nwait 0\n"
                  "image_write.2d r4_r5_r6_r7, r8_r9, 0, _, ts1\nwait 0\n"
                  "texture_load.2d.x r17, r14_r15, _, _, ts0, ss0, _, b43=13\n") == "");
    for (unsigned n = 0; n < sim::kThreads; ++n)
        CHECK(t.get(17, n) == 1000 + 31 - n);
    // What is not known of stores is a fault.
    CHECK(t.run("image_write.2d r4_r5_r6_r7, r8_r9, 1, _, ts1\n").find("to a level") != std::string::npos);
    CHECK(t.run("image_write.2d.rtz r4_r5_r6_r7, r8_r9, 0, _, ts1\n").find("round to zero") !=
          std::string::npos);
}

}  // namespace
}  // namespace terrazzo::tests::agx
