// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clears with rectangles and blits with draws: their result, and that they do not change the state of later
// draws.
#include "tests/mali/driver/scene.h"

namespace terrazzo::test {
namespace {

constexpr uint32_t kRedPixel = 0xff0000ff, kGreenPixel = 0xff00ff00, kBluePixel = 0xffff0000;

}  // namespace

TEST_CASE("driver: a clear between draws gives each target its own colour") {
    MaliScene s;
    const auto second =
        s.image(pipe::Format::R8G8B8A8_UNORM, 64, 64, pipe::bind::kColor | pipe::bind::kSampled);
    s.pass.color[1] = s.pass.color[0];
    s.pass.color[1].resource = second.get();
    s.pass.color_count = 2;
    s.begin();
    s.rectangle(0, 0, 64, 64, 0.5f, {1, 0, 0, 1});
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0 | pipe::attachment_bit::kColor0 << 1;
    c.color[0] = {.f = {0, 1, 0, 1}};
    c.color[1] = {.f = {0, 0, 1, 1}};
    s.context->clear(c);
    s.context->end_render_pass();
    CHECK(s.pixels()[0] == kGreenPixel);
    CHECK(s.pixels(second.get())[0] == kBluePixel);
    CHECK(s.messages.empty());
}

TEST_CASE("driver: after a blit, a program with the same layout as the blit's gets its own tables") {
    MaliScene s;
    const auto textured = s.link(kVertexText,
                                 "precision highp float; uniform sampler2D t;\n"
                                 "void main() { gl_FragColor = texture2D(t, vec2(0.5)); }\n");
    const auto source =
        s.image(pipe::Format::R8G8B8A8_UNORM, 64, 64, pipe::bind::kColor | pipe::bind::kSampled);
    const auto target =
        s.image(pipe::Format::R8G8B8A8_UNORM, 200, 200, pipe::bind::kColor | pipe::bind::kSampled);
    const pipe::Mapping m = s.context->map(*source, 0, {0, 0, 0, 64, 64, 1}, pipe::map_flag::kWrite);
    REQUIRE(m.data);
    for (uint32_t y = 0; y < 64; ++y)
        std::fill_n(reinterpret_cast<uint32_t*>(static_cast<uint8_t*>(m.data) + y * m.row_stride_B), 64,
                    kRedPixel);
    s.context->unmap(*source, m);
    const auto view = s.screen->create_sampler_view(source, {.format = pipe::Format::R8G8B8A8_UNORM});
    const auto sampler = s.screen->create_sampler({.mip = pipe::MipFilter::None});
    REQUIRE(view);
    REQUIRE(sampler);
    pipe::SamplerView* const views[] = {view.get()};
    pipe::SamplerState* const samplers[] = {sampler.get()};
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.begin();
    s.rectangle(0, 0, 64, 64, 0.5f, {0, 1, 0, 1});  // without a texture
    s.context->end_render_pass();
    // Neither a copy nor a blit to half the size, and too large for the CPU: a draw.
    pipe::BlitInfo blit;
    blit.src = {source.get(), pipe::Format::R8G8B8A8_UNORM, 0, {0, 0, 0, 64, 64, 1}};
    blit.dst = {target.get(), pipe::Format::R8G8B8A8_UNORM, 0, {0, 0, 0, 200, 200, 1}};
    REQUIRE(s.context->try_blit(blit));
    s.resume();
    s.rectangle(0, 0, 64, 64, 0.25f, {0, 1, 0, 1});
    s.context->bind_program(textured.get());
    s.rectangle(0, 0, 64, 64, 0.125f, {0, 1, 0, 1});
    CHECK(s.pixels()[0] == kRedPixel);
    CHECK(s.messages.empty());
}

}  // namespace terrazzo::test
