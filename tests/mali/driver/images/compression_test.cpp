// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// AFBC and transaction elimination: the pixels are the same with and without them, and they are used.
#include "drivers/mali/images/compression.h"

#include <random>

#include "tests/mali/driver/scene.h"

namespace terrazzo::test {

namespace {

using pipe::Format;
using pipe::ResourceKind;
namespace bind = pipe::bind;
namespace flag = pipe::map_flag;

constexpr Compression kNone{false, false};
constexpr Format kColors[] = {
    Format::R8_UNORM,       Format::R8G8_UNORM,        Format::R8G8B8A8_UNORM,     Format::R8G8B8A8_SRGB,
    Format::R8G8B8X8_UNORM, Format::B8G8R8A8_UNORM,    Format::B5G6R5_UNORM,       Format::A4B4G4R4_UNORM,
    Format::B5G5R5A1_UNORM, Format::R10G10B10A2_UNORM, Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_FLOAT,
    Format::A8_UNORM};
constexpr char kTextureVertex[] =
    "attribute vec4 position; attribute vec4 color; varying vec2 at;\n"
    "void main() { gl_Position = position; at = color.xy; }\n";
constexpr char kTextureFragment[] =
    "precision highp float; varying vec2 at; uniform sampler2D s;\n"
    "void main() { gl_FragColor = texture2D(s, at); }\n";

using Bytes = std::vector<uint8_t>;

Bytes read(DriverScene& s, pipe::Resource& r, uint32_t level, const pipe::Box& box) {
    const pipe::Mapping m = s.context->map(r, level, box, flag::kRead);
    REQUIRE(m.data);
    const auto row_B = size_t(pipe::format_row_B(r.desc.format, uint32_t(box.width)));
    Bytes out(row_B * size_t(box.height) * size_t(box.depth));
    for (int32_t z = 0; z < box.depth; ++z)
        for (int32_t y = 0; y < box.height; ++y)
            std::memcpy(
                &out[(size_t(z) * size_t(box.height) + size_t(y)) * row_B],
                static_cast<uint8_t*>(m.data) + uint64_t(z) * m.layer_stride_B + uint64_t(y) * m.row_stride_B,
                row_B);
    s.context->unmap(r, m);
    return out;
}
Bytes read(DriverScene& s, pipe::Resource& r) {
    return read(s, r, 0, {0, 0, 0, int32_t(r.desc.width), int32_t(r.desc.height), 1});
}

const pipe::AfbcLayout* afbc(const pipe::Ref<pipe::Resource>& r) {
    return mali::mali(*r).afbc();
}

void append(Bytes* to, const Bytes& more) {
    to->insert(to->end(), more.begin(), more.end());
}

// Draws to the whole target, and to a part in a pass that loads the rest.
void draw_two_passes(DriverScene& s) {
    s.begin(0.2f, 0.4f, 0.6f, 0.8f);
    std::vector<Vertex> v = {s.at(1, 1), s.at(float(s.width) - 2, 3), s.at(5, float(s.height) - 3)};
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned c = 0; c < 4; ++c)
            v[i].color[c] = c == i || c == 3 ? 1 : 0.1f * float(c);
    s.draw(pipe::Primitive::Triangles, v);
    s.context->end_render_pass();
    s.resume();
    s.rectangle(9, 5, 13, 9, 0.25f, {1, 0.5f, 0.25f, 1});
    s.context->end_render_pass();
}

// The image as a texture on the scene's own target.
void draw_textured(DriverScene& s, const pipe::Ref<pipe::Resource>& image, pipe::Program& program) {
    pipe::SamplerViewDesc d;
    d.format = image->desc.format;
    const auto view = s.screen->create_sampler_view(image, d);
    const auto sampler =
        s.screen->create_sampler({.mag = pipe::Filter::Nearest, .mip = pipe::MipFilter::None});
    REQUIRE(view);
    REQUIRE(sampler);
    pipe::SamplerView* const views[] = {view.get()};
    pipe::SamplerState* const samplers[] = {sampler.get()};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.context->bind_program(&program);
    s.begin();
    const auto w = float(s.width), h = float(s.height);
    std::vector<Vertex> v = {s.at(0, 0), s.at(w, 0), s.at(0, h), s.at(w, h)};
    for (unsigned i = 0; i < 4; ++i) {
        v[i].color[0] = float(i & 1);
        v[i].color[1] = float(i >> 1);
    }
    s.draw(pipe::Primitive::TriangleStrip, v);
    s.context->end_render_pass();
    pipe::SamplerView* const no_views[] = {nullptr};
    s.context->set_textures(pipe::Stage::Fragment, 0, no_views, {});
    s.context->bind_program(s.program.get());
}

Bytes color_story(Format f, int32_t w, int32_t h, Compression compression) {
    MaliScene s(w, h, "sim:mali-g610", Format::None, {}, compression);
    const pipe::RenderPassDesc own = s.pass;
    const auto textured = s.link(kTextureVertex, kTextureFragment);
    const auto image = s.image(f, w, h, bind::kColor | bind::kSampled);
    pipe::AfbcLayout layout;
    const bool compresses = compression.afbc && mali::choose_afbc(image->desc, &layout);
    s.pass.color[0].resource = image.get();
    s.pass.color[0].format = f;
    draw_two_passes(s);
    const pipe::RenderPassDesc into_image = s.pass;
    CHECK(bool(afbc(image)) == compresses);
    s.pass = own;
    draw_textured(s, image, *textured);
    Bytes all = read(s, *s.color);
    append(&all, read(s, *image, 0, {w / 3, h / 2, 0, w / 4, h / 4, 1}));
    append(&all, read(s, *image));
    CHECK(bool(afbc(image)) == compresses);
    s.pass = into_image;
    s.resume();
    s.rectangle(float(w) - 9, float(h) - 9, float(w), float(h), 0.5f, {0.1f, 0.2f, 0.9f, 0.3f});
    s.context->end_render_pass();
    // The CPU writes in place.
    const pipe::Box box{3, 2, 0, 7, 5, 1};
    const pipe::Mapping m = s.context->map(*image, 0, box, flag::kWrite | flag::kDiscardRange);
    REQUIRE(m.data);
    for (int32_t y = 0; y < 5; ++y)
        std::memset(static_cast<uint8_t*>(m.data) + uint64_t(y) * m.row_stride_B, 0x11 * (y + 1),
                    size_t(pipe::format_row_B(f, 7)));
    s.context->unmap(*image, m);
    CHECK(bool(afbc(image)) == compresses);
    s.resume();
    s.rectangle(5, 4, 8, 6, 0.5f, {1, 1, 0, 1});
    s.context->end_render_pass();
    append(&all, read(s, *image));
    s.pass = own;
    draw_textured(s, image, *textured);
    append(&all, read(s, *s.color));
    CHECK(s.messages.empty());
    return all;
}

Bytes depth_story(Format f, int32_t w, int32_t h, Compression compression) {
    MaliScene s(w, h, "sim:mali-g610", f, {}, compression);
    pipe::AfbcLayout layout;
    const bool compresses = compression.afbc && mali::choose_afbc(s.depth->desc, &layout);
    pipe::DepthStencilDesc d;
    d.depth_test = d.depth_write = true;
    d.depth_compare = pipe::Compare::Less;
    if (pipe::format_info(f).has_stencil) {
        d.stencil_test = true;
        d.front.pass = d.back.pass = pipe::StencilOp::IncrClamp;
    }
    s.depth_stencil(d);
    s.begin();
    s.rectangle(3, 4, 20, 30, 0.5f, {1, 0, 0, 1});
    s.rectangle(10, 1, 40, 12, 0.75f, {0, 1, 0, 1});
    s.context->end_render_pass();
    s.resume();
    s.rectangle(0, 0, float(w) - 3, float(h) - 2, 0.6f, {0, 0, 1, 1});
    // Only depth is cleared: stencil is loaded.
    s.context->end_render_pass();
    s.pass.color[0].load = s.pass.stencil_load = pipe::LoadOp::Load;
    s.pass.depth_stencil.load = pipe::LoadOp::Clear;
    s.context->begin_render_pass(s.pass);
    s.rectangle(2, 2, 6, 6, 0.9f, {1, 1, 1, 1});
    s.context->end_render_pass();
    CHECK(bool(afbc(s.depth)) == compresses);
    Bytes all = read(s, *s.color);
    append(&all, read(s, *s.depth));
    append(&all, read(s, *s.depth, 0, {5, 7, 0, 9, 11, 1}));
    append(&all, read(s, *s.depth));
    CHECK(bool(afbc(s.depth)) == compresses);
    append(&all, read(s, *s.depth));  // the third read
    CHECK(!afbc(s.depth));
    CHECK(s.messages.empty());
    return all;
}

// The parts of an image's memory that show whether a frame has written it: its first header, or first bytes.
struct Marked {
    explicit Marked(const pipe::Ref<pipe::Resource>& r) : memory(mali::mali(*r).cpu()) {
        std::memcpy(was, memory, sizeof(was));
        std::memset(memory, 0xee, sizeof(was));
    }
    [[nodiscard]] bool untouched() const {
        return std::all_of(memory, memory + sizeof(was), [](uint8_t b) { return b == 0xee; });
    }
    void restore() { std::memcpy(memory, was, sizeof(was)); }
    uint8_t* const memory;
    uint8_t was[16];
};

struct CrcScene : MaliScene {
    explicit CrcScene(bool compressed, const mali::HeapDesc& heap = {})
        : MaliScene(96, 80, "sim:mali-g610", Format::None, heap, {compressed, true}) {}
    void frame(const std::array<float, 4>& rgba, float background = 0) {
        begin(background, 0, 0, 1);
        rectangle(40, 40, 60, 60, 0.5f, rgba);
        context->end_render_pass();
        finish();
    }
    void finish() {
        context->flush();
        (void)mali::mali(*color).bo()->uses.wait(true, ~uint64_t(0));
    }
};

}  // namespace

TEST_CASE("compression: colours drawn, sampled, read and written are the same in AFBC") {
    for (const auto& size : {std::pair{64, 64}, {100, 70}, {17, 33}, {130, 129}, {16, 16}})
        for (const Format f : kColors) {
            const auto w = size.first, h = size.second;
            INFO(std::string(pipe::format_name(f)) << " " << w << "x" << h);
            const Bytes plain = color_story(f, w, h, kNone);
            CHECK(color_story(f, w, h, {}) == plain);
            if (f != Format::R8G8B8A8_UNORM) continue;
            CHECK(color_story(f, w, h, {true, false}) == plain);
            CHECK(color_story(f, w, h, {false, true}) == plain);
        }
}

TEST_CASE("compression: depth and stencil are the same in AFBC") {
    for (const Format f : {Format::D16_UNORM, Format::D24_UNORM_X8, Format::D24_UNORM_S8_UINT,
                           Format::D32_FLOAT, Format::S8_UINT})
        for (const auto& size : {std::pair{64, 64}, {130, 141}}) {
            const auto w = size.first, h = size.second;
            INFO(std::string(pipe::format_name(f)) << " " << w << "x" << h);
            CHECK(depth_story(f, w, h, {}) == depth_story(f, w, h, kNone));
        }
}

TEST_CASE("compression: levels, faces and layers") {
    for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Cube, ResourceKind::Tex2DArray}) {
        MaliScene s;
        pipe::ResourceDesc d;
        d.kind = kind;
        d.format = Format::R8G8B8A8_UNORM;
        d.width = d.height = 150;
        d.levels = 8;
        d.layers = kind == ResourceKind::Cube ? 6 : kind == ResourceKind::Tex2D ? 1 : 3;
        d.bind = bind::kColor | bind::kSampled;
        const auto image = s.screen->create_resource(d);
        REQUIRE(image);
        const auto color_of = [](uint32_t level, uint32_t layer) {
            return 0xff000000 | (level * 16) << 8 | layer * 32;
        };
        for (uint32_t layer = 0; layer < d.layers; ++layer)
            for (uint32_t level = 0; level < d.levels; ++level) {
                pipe::RenderPassDesc pass;
                pass.color_count = 1;
                pass.color[0] = {.resource = image.get(),
                                 .format = d.format,
                                 .level = level,
                                 .first_layer = layer,
                                 .load = pipe::LoadOp::Clear};
                pass.width = pass.height = std::max(1u, 150u >> level);
                const uint32_t c = color_of(level, layer);
                for (unsigned i = 0; i < 4; ++i)
                    pass.clear_color[0].f[i] = float(c >> 8 * i & 0xff) / 255;
                s.context->begin_render_pass(pass);
                s.context->end_render_pass();
            }
        CHECK(afbc(image));
        const auto check = [&](uint32_t level) {
            const auto side = int32_t(std::max(1u, 150u >> level));
            const Bytes got = read(s, *image, level, {0, 0, 0, side, side, int32_t(d.layers)});
            const size_t pixels = size_t(side) * size_t(side);
            for (size_t i = 0; i < got.size() / 4; ++i) {
                uint32_t pixel;
                std::memcpy(&pixel, &got[4 * i], 4);
                REQUIRE(pixel == color_of(level, uint32_t(i / pixels)));
            }
        };
        check(0);
        check(3);
        CHECK(afbc(image));
        for (uint32_t level = 0; level < d.levels; ++level)
            check(level);
        CHECK(afbc(image));
        check(0);  // the third read of its largest level makes it plain
        CHECK(!afbc(image));
        for (uint32_t level = 0; level < d.levels; ++level)
            check(level);
        CHECK(s.messages.empty());
    }
}

TEST_CASE("compression: images that are written, shared, small or have other formats are plain") {
    MaliScene s;
    const auto form = [&](Format f, int32_t w, int32_t h, uint32_t b, bool write) {
        const auto r = s.image(f, w, h, b);
        if (write) {
            const pipe::Mapping m = s.context->map(*r, 0, {0, 0, 0, 1, 1, 1}, flag::kWrite);
            s.context->unmap(*r, m);
        }
        CHECK(!afbc(r));
        pipe::RenderPassDesc pass;
        pass.color_count = 1;
        pass.color[0] = {.resource = r.get(), .format = f, .load = pipe::LoadOp::Clear};
        pass.width = uint32_t(w);
        pass.height = uint32_t(h);
        s.context->begin_render_pass(pass);
        s.context->end_render_pass();
        return afbc(r) != nullptr;
    };
    constexpr uint32_t kBoth = bind::kColor | bind::kSampled;
    CHECK(form(Format::R8G8B8A8_UNORM, 40, 40, kBoth, false));
    CHECK(form(Format::R8G8B8A8_UNORM, 40, 40, bind::kColor, false));
    CHECK(!form(Format::R8G8B8A8_UNORM, 40, 40, kBoth, true));
    CHECK(!form(Format::R8G8B8A8_UNORM, 40, 40, kBoth | bind::kShared, false));
    CHECK(!form(Format::R8G8B8A8_UNORM, 40, 40, kBoth | bind::kLinear, false));
    CHECK(!form(Format::R8G8B8A8_UNORM, 16, 16, kBoth, false));
    CHECK(!form(Format::R16G16B16A16_FLOAT, 40, 40, kBoth, false));
    CHECK(!form(Format::L8_UNORM, 40, 40, kBoth, false));
    CHECK(s.messages.empty());
}

TEST_CASE("compression: the format decides the mode, the size decides tiled headers") {
    pipe::ResourceDesc d;
    d.bind = bind::kColor;
    d.width = d.height = 512;
    d.format = Format::B8G8R8A8_UNORM;
    pipe::AfbcLayout a;
    REQUIRE(mali::choose_afbc(d, &a));
    CHECK(a.mode == pipe::AfbcMode{.ytr = true, .tiled = true, .solid = true});
    d.width = 140;  // 1.1 tiles of headers in width need two
    d.height = 140;
    REQUIRE(mali::choose_afbc(d, &a));
    CHECK(a.mode == pipe::AfbcMode{.ytr = true});
    d.format = Format::R8G8_UNORM;
    REQUIRE(mali::choose_afbc(d, &a));
    CHECK(a.mode == pipe::AfbcMode{});
    CHECK(mali::choose_crc(d).row_stride_B == 10 * 8);  // two checksums for each 32x32 pixels
    CHECK(mali::choose_crc(d).size_B == 10 * 10 * 8);
    d.format = Format::R16G16B16A16_FLOAT;
    CHECK(mali::choose_crc(d).row_stride_B == 0);
    CHECK(mali::afbc_compatible(Format::R8G8B8A8_SRGB, Format::R8G8B8A8_UNORM));
    CHECK(!mali::afbc_compatible(Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UINT));
    CHECK(!mali::afbc_compatible(Format::R8G8B8A8_UNORM, Format::D24_UNORM_S8_UINT));
}

TEST_CASE("checksums: a frame equal to the last writes no tiles, another does") {
    for (const bool compressed : {false, true}) {
        CAPTURE(compressed);
        CrcScene s(compressed);
        const mali::MaliResource& r = mali::mali(*s.color);
        CHECK(!r.crc_valid(1024));
        s.frame({1, 0, 0, 1});
        CHECK(r.crc_valid(1024));
        {
            Marked m(s.color);
            s.frame({1, 0, 0, 1});
            CHECK(m.untouched());
            s.frame({0, 1, 0, 1});  // in different tiles
            CHECK(m.untouched());
            s.frame({0, 1, 0, 1}, 0.5f);
            CHECK(!m.untouched());
        }
        // Checksums do not describe the CPU's writes.
        Bytes before = read(s, *s.color);
        const pipe::Mapping w = s.context->map(*s.color, 0, {0, 0, 0, 4, 4, 1}, flag::kWrite);
        REQUIRE(w.data);
        std::memset(w.data, 0xff, 16);
        s.context->unmap(*s.color, w);
        CHECK(!r.crc_valid(1024));
        s.frame({0, 1, 0, 1}, 0.5f);
        CHECK(r.crc_valid(1024));
        CHECK(read(s, *s.color) == before);
        CHECK(s.messages.empty());
    }
}

TEST_CASE("checksums: passes that load, that draw a part, or that have another target") {
    CrcScene s(false);
    mali::MaliResource& r = mali::mali(*s.color);
    // A pass over a part does not make them valid.
    s.resume();
    s.rectangle(0, 0, 40, 40, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    s.finish();
    CHECK(!r.crc_valid(1024));
    s.frame({1, 0, 0, 1});
    CHECK(r.crc_valid(1024));
    s.resume();
    s.rectangle(0, 0, 40, 40, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    s.finish();
    CHECK(r.crc_valid(1024));
    {
        Marked m(s.color);
        s.resume();
        s.rectangle(0, 0, 40, 40, 0.5f, {1, 0, 0, 1});
        s.context->end_render_pass();
        s.finish();
        CHECK(m.untouched());
        m.restore();
    }
    // One of two targets has them.
    const auto other = s.image(Format::R8G8B8A8_UNORM, 96, 80, bind::kColor);
    pipe::RenderPassDesc two = s.pass;
    two.color_count = 2;
    two.color[0].load = two.color[1].load = pipe::LoadOp::Clear;
    two.color[1].resource = other.get();
    two.color[1].format = Format::R8G8B8A8_UNORM;
    s.context->begin_render_pass(two);
    s.context->end_render_pass();
    CHECK(r.crc_valid(1024));
    s.finish();
    CHECK(!mali::mali(*other).crc_valid(1024));
    std::swap(two.color[0].resource, two.color[1].resource);
    s.context->begin_render_pass(two);
    s.context->end_render_pass();
    s.finish();
    CHECK(r.crc_valid(1024));
    CHECK(!mali::mali(*other).crc_valid(1024));
    CHECK(s.messages.empty());
}

TEST_CASE("compression: passes that are drawn in parts") {
    // Triangles that need many times the heap.
    const auto story = [](Compression c, const mali::HeapDesc& heap) {
        MaliScene s(96, 80, "sim:mali-g610", Format::D24_UNORM_S8_UINT, heap, c);
        std::mt19937 random(3);
        Bytes all;
        for (unsigned frame = 0; frame < 3; ++frame) {
            std::vector<Vertex> v;
            std::mt19937 same(5);
            std::mt19937& r = frame < 2 ? same : random;
            for (unsigned i = 0; i < 12000; ++i) {
                Vertex x = s.at(float(r() % 96), float(r() % 80), float(r() % 64) / 64);
                x.color[i % 3] = float(r() % 256) / 255;
                v.push_back(x);
            }
            frame ? s.resume() : s.begin(0.1f, 0.2f, 0.3f, 0.4f);
            s.draw(pipe::Primitive::Triangles, v);
            s.context->end_render_pass();
            append(&all, read(s, *s.color, 0, {0, 0, 0, 96, 80, 1}));
        }
        CHECK(s.messages.empty());
        return all;
    };
    const Bytes plain = story(kNone, {});
    const mali::HeapDesc small{128 << 10, 1, 2};
    CHECK(story({}, small) == plain);
    CHECK(story({true, false}, small) == plain);
    CHECK(story({false, true}, small) == plain);
    CHECK(story({}, {}) == plain);
}

}  // namespace terrazzo::test
