// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compressed images on the virtual GPU: which operations compress them or make them plain, and whether all
// operations see the same pixels.
#include <unistd.h>

#include <cmath>

#include "pipe/blit/blit.h"
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

adreno::AdrenoResource& image_of(pipe::Resource& r) {
    return adreno::adreno(r);
}

constexpr int kW = 84, kH = 53;  // no multiple of a block

pipe::Ref<pipe::Resource> target(DriverScene& s, pipe::Format f, uint32_t samples = 1, uint32_t bind = 0) {
    pipe::ResourceDesc d;
    d.format = f;
    d.width = kW;
    d.height = kH;
    d.samples = samples;
    d.bind = bind ? bind : pipe::bind::kColor | pipe::bind::kSampled;
    auto r = s.screen->create_resource(d);
    REQUIRE(r);
    return r;
}

/// Red over black in the left half of a target.
void draw_half(DriverScene& s, pipe::Resource& r, pipe::Format f) {
    pipe::RenderPassDesc pass = s.pass;
    pass.color[0].resource = &r;
    pass.color[0].format = f;
    pass.color[0].samples = r.desc.samples;
    pass.color[0].load = pipe::LoadOp::Clear;
    pass.clear_color[0] = {.f = {0, 0, 0, 1}};
    pass.depth_stencil = {};
    s.context->begin_render_pass(pass);
    s.rectangle(0, 0, kW / 2, kH, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
}

void check_half(DriverScene& s, pipe::Resource& r) {
    const pipe::Mapping m = s.context->map(r, 0, {0, 0, 0, kW, kH, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    size_t wrong = 0;
    for (int y = 0; y < kH; ++y) {
        float row[kW][4];
        pipe::unpack_rgba_f32(r.desc.format, row[0],
                              static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B, kW);
        for (int x = 0; x < kW; ++x)
            wrong += row[x][0] != float(x < kW / 2);
    }
    s.context->unmap(r, m);
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("ubwc: drawn images are compressed, and the CPU reads them") {
    const pipe::DebugWord mode = either_mode();
    for (const pipe::Format f : {pipe::Format::R8G8B8A8_UNORM, pipe::Format::B8G8R8A8_UNORM,
                                 pipe::Format::B5G6R5_UNORM, pipe::Format::R8_UNORM, pipe::Format::R8G8_UNORM,
                                 pipe::Format::R16G16B16A16_FLOAT, pipe::Format::R10G10B10A2_UNORM}) {
        CAPTURE(pipe::format_info(f).name);
        DriverScene s = open_scene(kW, kH, mode);
        const auto r = target(s, f);
        CHECK(!image_of(*r).is_compressed());
        draw_half(s, *r, f);
        CHECK(image_of(*r).is_compressed());
        check_half(s, *r);
        CHECK(image_of(*r).is_compressed());
        // An image that is mapped repeatedly becomes plain.
        for (int i = 0; i < 9; ++i)
            check_half(s, *r);
        CHECK(!image_of(*r).is_compressed());
        CHECK(s.messages == "");
    }
}

TEST_CASE("ubwc: an image that the CPU fills first stays plain, and with noubwc all are plain") {
    DriverScene s = open_scene(kW, kH);
    const auto r = target(s, pipe::Format::R8G8B8A8_UNORM);
    const pipe::Mapping m = s.context->map(*r, 0, {0, 0, 0, 1, 1, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    s.context->unmap(*r, m);
    draw_half(s, *r, r->desc.format);
    CHECK(!image_of(*r).is_compressed());
    image_of(*r).bo()->device->debug.set(pipe::DebugWord::NoUbwc);
    const auto other = target(s, pipe::Format::R8G8B8A8_UNORM);
    draw_half(s, *other, other->desc.format);
    CHECK(!image_of(*other).is_compressed());
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: the CPU writes a part of a compressed image; passes load it") {
    DriverScene s = open_scene(kW, kH, either_mode());
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, kW / 2, kH, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    REQUIRE(image_of(*s.color).is_compressed());
    const pipe::Mapping m = s.context->map(*s.color, 0, {40, 10, 0, 6, 3, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    const uint32_t white = 0xffffffff;
    std::memcpy(static_cast<uint8_t*>(m.data) + m.row_stride_B + 4, &white, 4);
    s.context->unmap(*s.color, m);
    CHECK(image_of(*s.color).is_compressed());
    s.resume();
    s.rectangle(60, 0, 70, kH, 0.5f, {0, 1, 0, 1});
    const auto pixels = s.pixels();
    const auto at = [&](int x, int y) { return pixels[size_t(y) * kW + size_t(x)]; };
    CHECK(at(41, 11) == white);
    CHECK(at(40, 11) == 0xff0000ff);
    CHECK(at(42, 11) == 0xff000000);
    CHECK(at(69, 52) == 0xff00ff00);
    CHECK(at(83, 52) == 0xff000000);
    CHECK(s.messages == "");
}

TEST_CASE(
    "ubwc: textures read compressed images, and views with other formats make them plain in the middle of a "
    "pass") {
    DriverScene s = open_scene(kW, kH, either_mode());
    const auto texture = target(s, pipe::Format::R8G8B8A8_UNORM);
    const auto other = target(s, pipe::Format::R8G8B8A8_UNORM);
    draw_half(s, *texture, texture->desc.format);
    draw_half(s, *other, other->desc.format);
    const char* const vs =
        "attribute vec4 position; attribute vec4 color; varying vec2 at;\n"
        "void main() { gl_Position = position; at = position.xy * 0.5 + 0.5 + color.xy * 0.0; }\n";
    const auto program = s.link(vs,
                                "precision highp float; varying vec2 at; uniform sampler2D image;\n"
                                "void main() { gl_FragColor = texture2D(image, at); }\n");
    s.context->bind_program(program.get());
    const auto view = s.screen->create_sampler_view(texture, {.format = texture->desc.format});
    const auto odd = s.screen->create_sampler_view(other, {.format = pipe::Format::R8G8B8A8_SNORM});
    const auto sampler = s.screen->create_sampler({.wrap_s = pipe::Wrap::ClampToEdge,
                                                   .wrap_t = pipe::Wrap::ClampToEdge,
                                                   .mag = pipe::Filter::Nearest,
                                                   .mip = pipe::MipFilter::None});
    pipe::SamplerState* samplers[] = {sampler.get()};
    pipe::SamplerView* views[] = {view.get()};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.begin();
    s.rectangle(0, 0, kW, kH / 2, 0.5f, {0, 0, 0, 0});
    CHECK(image_of(*texture).is_compressed());
    CHECK(image_of(*other).is_compressed());
    views[0] = odd.get();
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.rectangle(0, kH / 2, kW, kH, 0.5f, {0, 0, 0, 0});
    CHECK(!image_of(*other).is_compressed());
    const auto pixels = s.pixels();
    CHECK(pixels[5 * kW + 3] == 0xff0000ff);
    CHECK(pixels[5 * kW + 60] == 0xff000000);
    // Signed, 0xff is slightly below 0.
    CHECK(pixels[50 * kW + 3] == 0);
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: blits and copies, from and to compressed images") {
    DriverScene s = open_scene(kW, kH);
    const auto src = target(s, pipe::Format::R8G8B8A8_UNORM), dst = target(s, pipe::Format::R8G8B8A8_UNORM),
               bytes = target(s, pipe::Format::R32_UINT), twin = target(s, pipe::Format::R8G8B8A8_UNORM);
    draw_half(s, *src, src->desc.format);
    pipe::BlitInfo b;
    b.src = {src.get(), src->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    b.dst = {dst.get(), dst->desc.format, 0, {kW, 0, 0, -kW, kH, 1}};
    CHECK(s.context->try_blit(b));
    CHECK(image_of(*dst).is_compressed());
    b.src = b.dst;
    b.dst = {twin.get(), twin->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    CHECK(s.context->try_blit(b));
    check_half(s, *twin);
    const auto copy = target(s, pipe::Format::R8G8B8A8_UNORM);
    s.context->copy_region(*copy, 0, 0, 0, 0, *src, 0, {0, 0, 0, kW, kH, 1});
    CHECK(image_of(*src).is_compressed());
    CHECK(!image_of(*copy).is_compressed());
    check_half(s, *copy);
    // The compression depends on the format: a copy of bits to another format needs a plain image.
    s.context->copy_region(*bytes, 0, 0, 0, 0, *src, 0, {0, 0, 0, kW, kH, 1});
    CHECK(!image_of(*src).is_compressed());
    const pipe::Mapping m = s.context->map(*bytes, 0, {0, 50, 0, kW, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    CHECK(static_cast<const uint32_t*>(m.data)[0] == 0xff0000ff);
    CHECK(static_cast<const uint32_t*>(m.data)[kW - 1] == 0xff000000);
    s.context->unmap(*bytes, m);
    CHECK(s.messages == "");
}

namespace {

constexpr uint32_t kLevels = 6, kLayers = 6, kBig = 260;

/// A square whose levels and layers each have another colour in the left half, and white in the right one.
struct Layered {
    Layered(DriverScene& s, pipe::ResourceKind kind, pipe::Format f, uint32_t levels, uint32_t size = kBig)
        : s(s) {
        pipe::ResourceDesc d;
        d.kind = kind;
        d.format = f;
        d.width = d.height = size;
        d.layers = kind == pipe::ResourceKind::Tex2D ? 1 : kLayers;
        d.levels = levels;
        d.bind = pipe::bind::kColor | pipe::bind::kSampled;
        r = s.screen->create_resource(d);
        REQUIRE(r);
    }
    static std::array<float, 4> color(uint32_t level, uint32_t layer) {
        return {float(level & 1), float(level >> 1 & 1), float(layer & 1), float(layer >> 1 & 1)};
    }
    uint32_t size(uint32_t level) const { return std::max(1u, r->desc.width >> level); }
    void draw(uint32_t level, uint32_t layer) {
        pipe::RenderPassDesc pass;
        pass.color[0].resource = r.get();
        pass.color[0].format = r->desc.format;
        pass.color[0].level = level;
        pass.color[0].first_layer = layer;
        pass.color[0].load = pipe::LoadOp::Clear;
        pass.clear_color[0] = {.f = {1, 1, 1, 1}};
        pass.color_count = 1;
        pass.width = pass.height = size(level);
        s.viewport(0, 0, int32_t(size(level)), int32_t(size(level)));
        s.context->begin_render_pass(pass);
        s.rectangle(0, 0, float(s.width) / 2, float(s.height), 0.5f, color(level, layer));
        s.context->end_render_pass();
        s.viewport(0, 0, s.width, s.height);
    }
    void draw_all() {
        for (uint32_t level = 0; level < r->desc.levels; ++level)
            for (uint32_t layer = 0; layer < r->desc.layers; ++layer)
                draw(level, layer);
    }
    /// For each level and layer.
    void check() {
        for (uint32_t level = 0; level < r->desc.levels; ++level) {
            const int32_t n = int32_t(size(level)), layers = int32_t(r->desc.layers);
            const pipe::Mapping m = s.context->map(*r, level, {0, 0, 0, n, n, layers}, pipe::map_flag::kRead);
            REQUIRE(m.data);
            size_t wrong = 0;
            for (uint32_t z = 0; z < r->desc.layers; ++z)
                for (int32_t y = 0; y < n; ++y) {
                    std::vector<float> row(size_t(n) * 4);
                    pipe::unpack_rgba_f32(
                        r->desc.format, row.data(),
                        static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B + z * m.layer_stride_B,
                        size_t(n));
                    const std::array<float, 4> c = color(level, z);
                    for (int32_t x = 0; x < n; ++x)
                        wrong += row[size_t(x) * 4] != (2 * x + 1 < n ? c[0] : 1) ||
                                 row[size_t(x) * 4 + 2] != (2 * x + 1 < n ? c[2] : 1);
                }
            s.context->unmap(*r, m);
            CAPTURE(level);
            CHECK(wrong == 0);
        }
    }
    DriverScene& s;
    pipe::Ref<pipe::Resource> r;
};

constexpr pipe::ResourceKind kFlatKinds[] = {pipe::ResourceKind::Tex2D, pipe::ResourceKind::Tex2DArray,
                                             pipe::ResourceKind::Cube};

}  // namespace

TEST_CASE("ubwc: levels and layers are compressed when drawn, read by the CPU, and become plain together") {
    const pipe::DebugWord mode = either_mode();
    for (const pipe::ResourceKind kind : kFlatKinds)
        for (const pipe::Format f :
             {pipe::Format::R8G8B8A8_UNORM, pipe::Format::B5G6R5_UNORM, pipe::Format::R16G16B16A16_FLOAT}) {
            CAPTURE(unsigned(kind));
            CAPTURE(std::string(pipe::format_info(f).name));
            DriverScene s = open_scene(64, 64, mode);
            Layered image(s, kind, f, kind == pipe::ResourceKind::Cube ? 1 : kLevels);
            image.draw(image.r->desc.levels - 1, image.r->desc.layers - 1);
            CHECK(image_of(*image.r).is_compressed());
            image.draw_all();
            image.check();
            CHECK(image_of(*image.r).is_compressed());
            const pipe::Mapping m = s.context->map(*image.r, 0, {0, 0, 0, 1, 1, 1},
                                                   pipe::map_flag::kRead | pipe::map_flag::kPersistent);
            REQUIRE(m.data);
            s.context->unmap(*image.r, m);
            CHECK(!image_of(*image.r).is_compressed());
            image.check();
            CHECK(s.messages == "");
        }
}

TEST_CASE("ubwc: levels and layers that were never drawn are zeros; the CPU's writes are kept") {
    DriverScene s = open_scene(kW, kW);
    Layered image(s, pipe::ResourceKind::Tex2DArray, pipe::Format::R8G8B8A8_UNORM, kLevels);
    image.draw(1, 2);
    REQUIRE(image_of(*image.r).is_compressed());
    pipe::Mapping m = s.context->map(*image.r, 0, {0, 0, 0, int32_t(kBig), int32_t(kBig), int32_t(kLayers)},
                                     pipe::map_flag::kRead);
    REQUIRE(m.data);
    for (uint32_t z = 0; z < kLayers; ++z)
        CHECK(static_cast<const uint8_t*>(m.data)[z * m.layer_stride_B + 100] == 0);
    s.context->unmap(*image.r, m);
    // Two layers at once.
    for (const uint32_t level : {2u, 5u}) {
        m = s.context->map(*image.r, level, {1, 1, 3, 1, 1, 2}, pipe::map_flag::kWrite);
        REQUIRE(m.data);
        for (uint32_t z = 0; z < 2; ++z) {
            const uint32_t v = 0x01020304 + z + level;
            std::memcpy(static_cast<uint8_t*>(m.data) + z * m.layer_stride_B, &v, 4);
        }
        s.context->unmap(*image.r, m);
        CHECK(image_of(*image.r).is_compressed());
        m = s.context->map(*image.r, level, {0, 1, 2, 2, 1, 3}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        uint32_t got[3][2];
        for (uint32_t z = 0; z < 3; ++z)
            std::memcpy(got[z], static_cast<uint8_t*>(m.data) + z * m.layer_stride_B, 8);
        s.context->unmap(*image.r, m);
        CHECK(got[0][1] == 0);
        CHECK(got[1][0] == 0);
        CHECK(got[1][1] == 0x01020304 + level);
        CHECK(got[2][1] == 0x01020305 + level);
    }
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: small levels, for which flags would need too much memory, stay plain") {
    DriverScene s = open_scene(64, 64);
    for (const auto& [size, levels, compressed] :
         {std::tuple(64u, 7u, false), {64u, 1u, true}, {256u, 9u, true}}) {
        CAPTURE(size);
        CAPTURE(levels);
        Layered image(s, pipe::ResourceKind::Tex2D, pipe::Format::R8G8B8A8_UNORM, levels, size);
        image.draw_all();
        CHECK(image_of(*image.r).is_compressed() == compressed);
        const pipe::A6xxLayout& l = image_of(*image.r);
        CHECK((l.ubwc.size_B != 0) == compressed);
        CHECK(9 * (levels > 1 ? l.ubwc.size_B : 0) <= l.surface.size_B);
        image.check();
    }
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: shaders read levels and layers of views with a first level and layer") {
    DriverScene s = open_scene(64, 64, either_mode());
    for (const uint32_t size : {256u, 260u, 300u}) {
        CAPTURE(size);
        Layered image(s, pipe::ResourceKind::Tex2DArray, pipe::Format::R8G8B8A8_UNORM, kLevels, size);
        image.draw_all();
        REQUIRE(image_of(*image.r).is_compressed());
        const auto program = s.link(
            "#version 300 es\nin vec4 position; in vec4 color; flat out ivec2 at;\n"
            "void main() { gl_Position = position; at = ivec2(color.xy); }\n",
            "#version 300 es\nprecision highp float; precision highp int; precision highp sampler2DArray;\n"
            "flat in ivec2 at; uniform sampler2DArray image; out vec4 c;\n"
            "void main() { int n = textureSize(image, at.x).x; ivec2 p = ivec2(gl_FragCoord.xy) % 8;\n"
            "  c = texelFetch(image, ivec3(p.x < 4 ? 0 : n - 1, min(p.y, n - 1), at.y), at.x); }\n");
        s.context->bind_program(program.get());
        const auto sampler =
            s.screen->create_sampler({.mag = pipe::Filter::Nearest, .mip = pipe::MipFilter::Nearest});
        pipe::SamplerState* samplers[] = {sampler.get()};
        for (const uint32_t first : {0u, 1u, 3u}) {
            CAPTURE(first);
            const auto view = s.screen->create_sampler_view(image.r, {.kind = pipe::ResourceKind::Tex2DArray,
                                                                      .format = image.r->desc.format,
                                                                      .first_level = uint8_t(first),
                                                                      .last_level = kLevels - 1,
                                                                      .first_layer = uint16_t(first),
                                                                      .last_layer = kLayers - 1});
            pipe::SamplerView* views[] = {view.get()};
            s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
            s.begin();
            for (uint32_t level = first; level < kLevels; ++level)
                for (uint32_t layer = first; layer < kLayers; ++layer)
                    s.rectangle(float(8 * level), float(8 * layer), float(8 * level + 8),
                                float(8 * layer + 8), 0.5f,
                                {float(level - first), float(layer - first), 0, 0});
            const auto pixels = s.pixels();
            for (uint32_t level = first; level < kLevels; ++level)
                for (uint32_t layer = first; layer < kLayers; ++layer) {
                    CAPTURE(level);
                    CAPTURE(layer);
                    const auto c = Layered::color(level, layer);
                    const uint32_t want = uint32_t(c[0]) * 0xff | uint32_t(c[1]) * 0xff00 |
                                          uint32_t(c[2]) * 0xff0000 | uint32_t(c[3]) * 0xff000000;
                    CHECK(pixels[(8 * layer + 3) * 64 + 8 * level] == want);
                    CHECK(pixels[(8 * layer + 3) * 64 + 8 * level + 6] == 0xffffffff);
                }
        }
        s.context->bind_program(s.program.get());
        s.context->set_textures(pipe::Stage::Fragment, 0, std::vector<pipe::SamplerView*>(1), {});
    }
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: mipmaps, blits between layers, and passes of several layers at once") {
    DriverScene s = open_scene(64, 64);
    Layered image(s, pipe::ResourceKind::Tex2DArray, pipe::Format::R8G8B8A8_UNORM, 9, 256);
    for (uint32_t layer = 0; layer < kLayers; ++layer)
        image.draw(0, layer);
    REQUIRE(pipe::generate_mipmap(*s.context, {.resource = image.r.get(),
                                               .format = image.r->desc.format,
                                               .last_level = 8,
                                               .layer_count = kLayers}) == pipe::BlitStatus::Ok);
    CHECK(image_of(*image.r).is_compressed());
    pipe::Mapping m = s.context->map(*image.r, 6, {0, 0, 0, 4, 4, int32_t(kLayers)}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    for (uint32_t z = 0; z < kLayers; ++z) {
        const auto* const row =
            reinterpret_cast<const uint32_t*>(static_cast<uint8_t*>(m.data) + z * m.layer_stride_B);
        const auto c = Layered::color(0, z);
        CHECK(row[1] == (uint32_t(c[2]) * 0xff0000 | uint32_t(c[3]) * 0xff000000));
        CHECK(row[2] == 0xffffffff);
    }
    s.context->unmap(*image.r, m);
    // A pass clears and draws layers 2 to 4. A primitive without a layer is drawn to the first.
    pipe::RenderPassDesc pass;
    pass.color[0].resource = image.r.get();
    pass.color[0].format = image.r->desc.format;
    pass.color[0].first_layer = 2;
    pass.color[0].layer_count = 3;
    pass.color[0].load = pipe::LoadOp::Clear;
    pass.clear_color[0] = {.f = {0, 1, 0, 1}};
    pass.color_count = 1;
    pass.width = pass.height = 256;
    pass.layers = 3;
    s.viewport(0, 0, 256, 256);
    s.context->begin_render_pass(pass);
    s.rectangle(0, 0, 32, 64, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    pipe::BlitInfo b;
    b.src = {image.r.get(), image.r->desc.format, 0, {0, 0, 2, 256, 256, 2}};
    b.dst = {image.r.get(), image.r->desc.format, 1, {0, 0, 4, 128, 128, 2}};
    CHECK(s.context->try_blit(b));
    CHECK(image_of(*image.r).is_compressed());
    const auto pixel = [&](uint32_t level, int32_t x, int32_t y, int32_t z) {
        const pipe::Mapping p = s.context->map(*image.r, level, {x, y, z, 1, 1, 1}, pipe::map_flag::kRead);
        REQUIRE(p.data);
        const uint32_t v = *static_cast<const uint32_t*>(p.data);
        s.context->unmap(*image.r, p);
        return v;
    };
    CHECK(pixel(0, 5, 60, 1) == 0x00ff0000);
    CHECK(pixel(0, 5, 60, 2) == 0xff0000ff);
    CHECK(pixel(0, 160, 3, 2) == 0xff00ff00);
    CHECK(pixel(0, 5, 60, 3) == 0xff00ff00);
    CHECK(pixel(0, 5, 60, 4) == 0xff00ff00);
    CHECK(pixel(1, 3, 20, 4) == 0xff0000ff);
    CHECK(pixel(1, 3, 20, 5) == 0xff00ff00);
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: several samples, and depth") {
    DriverScene s = open_scene(kW, kH, either_mode());
    const auto ms = target(s, pipe::Format::R8G8B8A8_UNORM, 4), one = target(s, pipe::Format::R8G8B8A8_UNORM);
    draw_half(s, *ms, ms->desc.format);
    CHECK(image_of(*ms).is_compressed());
    pipe::BlitInfo b;
    b.src = {ms.get(), ms->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    b.dst = {one.get(), one->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    CHECK(s.context->try_blit(b));
    check_half(s, *one);
    // A part is cleared, and it is copied sample by sample. The CPU needs it plain.
    const auto again = target(s, pipe::Format::R8G8B8A8_UNORM, 4);
    s.context->copy_region(*again, 0, 0, 0, 0, *ms, 0, {0, 0, 0, kW, kH, 1});
    b.src.resource = again.get();
    CHECK(s.context->try_blit(b));
    check_half(s, *one);
    const pipe::Mapping all = s.context->map(*ms, 0, {0, 0, 0, kW, kH, 1}, pipe::map_flag::kRead);
    REQUIRE(all.data);
    CHECK(static_cast<const uint32_t*>(all.data)[4 * (kW / 2) - 1] == 0xff0000ff);
    CHECK(static_cast<const uint32_t*>(all.data)[4 * (kW / 2)] == 0xff000000);
    s.context->unmap(*ms, all);
    CHECK(!image_of(*ms).is_compressed());

    const auto depth = target(s, pipe::Format::D24_UNORM_X8, 1, pipe::bind::kDepthStencil);
    s.pass.depth_stencil.resource = depth.get();
    s.pass.depth_stencil.format = depth->desc.format;
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, kW / 2, kH, 0.25f, {1, 0, 0, 1});
    s.context->end_render_pass();
    CHECK(image_of(*depth).is_compressed());
    s.resume();
    s.rectangle(0, 0, kW, kH, 0.5f, {0, 1, 0, 1});
    const auto pixels = s.pixels();
    CHECK(pixels[10] == 0xff0000ff);
    CHECK(pixels[kW - 1] == 0xff00ff00);
    const auto copy = target(s, pipe::Format::D24_UNORM_X8, 1, pipe::bind::kDepthStencil);
    b = {};
    b.src = {depth.get(), depth->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    b.dst = {copy.get(), copy->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    b.color = false;
    b.depth = true;
    CHECK(s.context->try_blit(b));
    for (pipe::Resource* const r : {depth.get(), copy.get()}) {
        const pipe::Mapping m = s.context->map(*r, 0, {0, 5, 0, kW, 1, 1}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        float row[kW];
        pipe::format_ops(r->desc.format).unpack_depth(row, m.data, kW);
        CHECK(std::fabs(row[0] - 0.25f) < 1e-6f);
        CHECK(std::fabs(row[kW - 1] - 0.5f) < 1e-6f);
        s.context->unmap(*r, m);
    }
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: imported memory keeps its modifier") {
    DriverScene s = open_scene(kW, kH, either_mode());
    // Memory that can be shared, filled with zeros: compressed, that is black.
    pipe::ResourceDesc d = s.color->desc;
    d.bind |= pipe::bind::kShared;
    d.height = 2 * kH;
    const auto memory = s.screen->create_resource(d);
    REQUIRE(memory);
    pipe::SharedImage shared;
    REQUIRE(s.screen->export_resource(*memory, &shared));
    CHECK(shared.modifier == 0);
    shared.modifier = pipe::kModQcomCompressed;
    const auto image = s.screen->import_resource(s.color->desc, shared);
    REQUIRE_MESSAGE(image, s.messages);
    CHECK(image_of(*image).is_compressed());
    draw_half(s, *image, image->desc.format);
    pipe::SharedImage out;
    REQUIRE(s.screen->export_resource(*image, &out));
    CHECK(out.modifier == pipe::kModQcomCompressed);
    CHECK(out.offset_B == 0);
    const auto again = s.screen->import_resource(s.color->desc, out);
    REQUIRE(again);
    CHECK(s.context->flush()->wait(pipe::Fence::kForever));
    for (int i = 0; i < 10; ++i)
        check_half(s, *again);
    CHECK(image_of(*again).is_compressed());
    CHECK(s.messages == "");
    // This would need plain memory. But then the importers could not read it.
    const pipe::Mapping m =
        s.context->map(*again, 0, {0, 0, 0, 1, 1, 1}, pipe::map_flag::kRead | pipe::map_flag::kPersistent);
    CHECK(!m.data);
    CHECK(s.messages == "adreno: a compressed image that others share cannot be used in this way\n");
    close(shared.fd);
    close(out.fd);
}

TEST_CASE("ubwc: images for shader stores are plain") {
    DriverScene s = open_scene(kW, kH);
    const auto drawn = target(s, pipe::Format::R8G8B8A8_UNORM),
               fresh = target(s, pipe::Format::R8G8B8A8_UNORM);
    draw_half(s, *drawn, drawn->desc.format);
    REQUIRE(image_of(*drawn).is_compressed());
    const pipe::ImageView views[] = {{.resource = drawn.get(), .format = drawn->desc.format},
                                     {.resource = fresh.get(), .format = fresh->desc.format}};
    const auto program = s.link(
        "#version 310 es\nin vec4 position; in vec4 color; void main() { gl_Position = position; }\n",
        "#version 310 es\nprecision highp float; layout(rgba8, binding = 0) writeonly uniform highp image2D "
        "image; "
        "out vec4 c; void main() { imageStore(image, ivec2(gl_FragCoord.xy), vec4(0.0, 1.0, 0.0, 1.0)); c = "
        "vec4(1.0, 0.0, 0.0, 1.0); }\n");
    s.context->bind_program(program.get());
    s.context->set_images(pipe::Stage::Fragment, 0, views);
    draw_half(s, *s.color, s.color->desc.format);
    CHECK(!image_of(*drawn).is_compressed());
    const pipe::Mapping m = s.context->map(*drawn, 0, {0, 40, 0, kW, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    CHECK(static_cast<const uint32_t*>(m.data)[3] == 0xff00ff00);
    CHECK(static_cast<const uint32_t*>(m.data)[kW - 1] == 0xff000000);
    s.context->unmap(*drawn, m);
    s.context->set_images(pipe::Stage::Fragment, 0, std::vector<pipe::ImageView>(2));
    s.context->bind_program(s.program.get());
    draw_half(s, *fresh, fresh->desc.format);
    CHECK(!image_of(*fresh).is_compressed());
    CHECK(s.messages == "");
}
