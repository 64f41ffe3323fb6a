// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compressed images on the virtual GPU: who compresses them, who makes them plain, and what everybody sees of them.
#include <unistd.h>

#include <cmath>

#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

adreno::AdrenoResource& image_of(pipe::Resource& r) {
    return adreno::adreno(r);
}

constexpr int kW = 84, kH = 53;  // no whole blocks

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

TEST_CASE("ubwc: what is drawn is compressed, and the CPU reads it") {
    const pipe::DebugWord mode = either_mode();
    for (const pipe::Format f : {pipe::Format::R8G8B8A8_UNORM, pipe::Format::B8G8R8A8_UNORM,
                                 pipe::Format::B5G6R5_UNORM, pipe::Format::R8_UNORM, pipe::Format::R8G8_UNORM,
                                 pipe::Format::R16G16B16A16_FLOAT, pipe::Format::R10G10B10A2_UNORM}) {
        CAPTURE(pipe::format_info(f).name);
        DriverScene s = open_scene(kW, kH, mode);
        const auto r = target(s, f);
        CHECK(!image_of(*r).ubwc());
        draw_half(s, *r, f);
        CHECK(image_of(*r).ubwc());
        check_half(s, *r);
        CHECK(image_of(*r).ubwc());
        // What is mapped again and again becomes plain.
        for (int i = 0; i < 9; ++i)
            check_half(s, *r);
        CHECK(!image_of(*r).ubwc());
        CHECK(s.messages == "");
    }
}

TEST_CASE("ubwc: what the CPU fills first stays plain, and nothing is compressed with noubwc") {
    DriverScene s = open_scene(kW, kH);
    const auto r = target(s, pipe::Format::R8G8B8A8_UNORM);
    const pipe::Mapping m = s.context->map(*r, 0, {0, 0, 0, 1, 1, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    s.context->unmap(*r, m);
    draw_half(s, *r, r->desc.format);
    CHECK(!image_of(*r).ubwc());
    image_of(*r).bo()->device->debug.set(pipe::DebugWord::NoUbwc);
    const auto other = target(s, pipe::Format::R8G8B8A8_UNORM);
    draw_half(s, *other, other->desc.format);
    CHECK(!image_of(*other).ubwc());
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: the CPU writes a part of what is compressed; passes load it") {
    DriverScene s = open_scene(kW, kH, either_mode());
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, kW / 2, kH, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    REQUIRE(image_of(*s.color).ubwc());
    const pipe::Mapping m = s.context->map(*s.color, 0, {40, 10, 0, 6, 3, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    const uint32_t white = 0xffffffff;
    std::memcpy(static_cast<uint8_t*>(m.data) + m.row_stride_B + 4, &white, 4);
    s.context->unmap(*s.color, m);
    CHECK(image_of(*s.color).ubwc());
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

TEST_CASE("ubwc: textures read it, and views of other formats make it plain in the middle of a pass") {
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
    CHECK(image_of(*texture).ubwc());
    CHECK(image_of(*other).ubwc());
    views[0] = odd.get();
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.rectangle(0, kH / 2, kW, kH, 0.5f, {0, 0, 0, 0});
    CHECK(!image_of(*other).ubwc());
    const auto pixels = s.pixels();
    CHECK(pixels[5 * kW + 3] == 0xff0000ff);
    CHECK(pixels[5 * kW + 60] == 0xff000000);
    // Signed, 0xff is almost 0, and below.
    CHECK(pixels[50 * kW + 3] == 0);
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: blits and copies, from and to what is compressed") {
    DriverScene s = open_scene(kW, kH);
    const auto src = target(s, pipe::Format::R8G8B8A8_UNORM), dst = target(s, pipe::Format::R8G8B8A8_UNORM),
               bytes = target(s, pipe::Format::R32_UINT), twin = target(s, pipe::Format::R8G8B8A8_UNORM);
    draw_half(s, *src, src->desc.format);
    pipe::BlitInfo b;
    b.src = {src.get(), src->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    b.dst = {dst.get(), dst->desc.format, 0, {kW, 0, 0, -kW, kH, 1}};
    CHECK(s.context->try_blit(b));
    CHECK(image_of(*dst).ubwc());
    b.src = b.dst;
    b.dst = {twin.get(), twin->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    CHECK(s.context->try_blit(b));
    check_half(s, *twin);
    const auto copy = target(s, pipe::Format::R8G8B8A8_UNORM);
    s.context->copy_region(*copy, 0, 0, 0, 0, *src, 0, {0, 0, 0, kW, kH, 1});
    CHECK(image_of(*src).ubwc());
    CHECK(!image_of(*copy).ubwc());
    check_half(s, *copy);
    // Compression depends on formats: bits of one that are another's need it plain.
    s.context->copy_region(*bytes, 0, 0, 0, 0, *src, 0, {0, 0, 0, kW, kH, 1});
    CHECK(!image_of(*src).ubwc());
    const pipe::Mapping m = s.context->map(*bytes, 0, {0, 50, 0, kW, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    CHECK(static_cast<const uint32_t*>(m.data)[0] == 0xff0000ff);
    CHECK(static_cast<const uint32_t*>(m.data)[kW - 1] == 0xff000000);
    s.context->unmap(*bytes, m);
    CHECK(s.messages == "");
}

TEST_CASE("ubwc: several samples, and depth") {
    DriverScene s = open_scene(kW, kH, either_mode());
    const auto ms = target(s, pipe::Format::R8G8B8A8_UNORM, 4), one = target(s, pipe::Format::R8G8B8A8_UNORM);
    draw_half(s, *ms, ms->desc.format);
    CHECK(image_of(*ms).ubwc());
    pipe::BlitInfo b;
    b.src = {ms.get(), ms->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    b.dst = {one.get(), one->desc.format, 0, {0, 0, 0, kW, kH, 1}};
    CHECK(s.context->try_blit(b));
    check_half(s, *one);
    // A part of it is cleared, and it is copied sample by sample; the CPU sees it plain.
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
    CHECK(!image_of(*ms).ubwc());

    const auto depth = target(s, pipe::Format::D24_UNORM_X8, 1, pipe::bind::kDepthStencil);
    s.pass.depth_stencil.resource = depth.get();
    s.pass.depth_stencil.format = depth->desc.format;
    s.depth_stencil({.depth_test = true, .depth_write = true});
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, kW / 2, kH, 0.25f, {1, 0, 0, 1});
    s.context->end_render_pass();
    CHECK(image_of(*depth).ubwc());
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

TEST_CASE("ubwc: others' memory stays as it is, with its modifier") {
    DriverScene s = open_scene(kW, kH, either_mode());
    // Memory that can be shared, of zeros: what that is compressed is black.
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
    CHECK(image_of(*image).ubwc());
    draw_half(s, *image, image->desc.format);
    pipe::SharedImage out;
    REQUIRE(s.screen->export_resource(*image, &out));
    CHECK(out.modifier == pipe::kModQcomCompressed);
    CHECK(out.offset_B[0] == 0);
    const auto again = s.screen->import_resource(s.color->desc, out);
    REQUIRE(again);
    CHECK(s.context->flush(0)->wait(pipe::Fence::kForever));
    for (int i = 0; i < 10; ++i)
        check_half(s, *again);
    CHECK(image_of(*again).ubwc());
    CHECK(s.messages == "");
    // It would have to be plain for this: others could not understand it then.
    const pipe::Mapping m =
        s.context->map(*again, 0, {0, 0, 0, 1, 1, 1}, pipe::map_flag::kRead | pipe::map_flag::kPersistent);
    CHECK(!m.data);
    CHECK(s.messages == "adreno: a compressed image that others share cannot be used in this way\n");
    close(shared.fd);
    close(out.fd);
}

TEST_CASE("ubwc: images that shaders store to are plain") {
    DriverScene s = open_scene(kW, kH);
    const auto drawn = target(s, pipe::Format::R8G8B8A8_UNORM),
               fresh = target(s, pipe::Format::R8G8B8A8_UNORM);
    draw_half(s, *drawn, drawn->desc.format);
    REQUIRE(image_of(*drawn).ubwc());
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
    CHECK(!image_of(*drawn).ubwc());
    const pipe::Mapping m = s.context->map(*drawn, 0, {0, 40, 0, kW, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    CHECK(static_cast<const uint32_t*>(m.data)[3] == 0xff00ff00);
    CHECK(static_cast<const uint32_t*>(m.data)[kW - 1] == 0xff000000);
    s.context->unmap(*drawn, m);
    s.context->set_images(pipe::Stage::Fragment, 0, std::vector<pipe::ImageView>(2));
    s.context->bind_program(s.program.get());
    draw_half(s, *fresh, fresh->desc.format);
    CHECK(!image_of(*fresh).ubwc());
    CHECK(s.messages == "");
}
