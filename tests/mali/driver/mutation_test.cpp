// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPU reports every missing wait, flush and slot: a scene is recorded, and runs again without one
// of them at a time (tests/mali/mutation, which does the same with the examples).
#include <stdlib.h>
#include <unistd.h>

#include "drivers/common/host/gpu.h"
#include "drivers/mali/sim/chips.h"
#include "drivers/mali/sim/jobs.h"
#include "tests/mali/driver/scene.h"
#include "tests/mali/mutation/replay.h"
#include "winsys/virtual/panthor/driver.h"

namespace terrazzo::test {

namespace {

constexpr char kTexturedVertexText[] =
    "attribute vec4 position; attribute vec4 color; varying vec4 v_color; uniform sampler2D t;\n"
    "void main() { gl_Position = position;\n"
    "  v_color = color * texture2DLod(t, position.xy * 0.5 + 0.5, 0.0); }\n";
constexpr char kTexturedFragmentText[] =
    "precision highp float; varying vec4 v_color; uniform sampler2D t;\n"
    "void main() { gl_FragColor = v_color + 0.5 * texture2D(t, v_color.xy); }\n";

/// A texture is drawn, read by vertices and fragments with depth test and blending, and drawn again, and so
/// is the target. Copies are read by fragments or by vertices, or are not read.
void draw(DriverScene& s) {
    const auto other =
        s.image(pipe::Format::R8G8B8A8_UNORM, 32, 32, pipe::bind::kColor | pipe::bind::kSampled);
    const auto view = s.screen->create_sampler_view(other, {.format = pipe::Format::R8G8B8A8_UNORM});
    const auto sampler =
        s.screen->create_sampler({.mag = pipe::Filter::Nearest, .mip = pipe::MipFilter::None});
    REQUIRE(view);
    REQUIRE(sampler);
    pipe::SamplerView* const views[] = {view.get()};
    pipe::SamplerState* const samplers[] = {sampler.get()};
    const auto textured = s.link(kTexturedVertexText, kTexturedFragmentText);
    pipe::RenderPassDesc elsewhere = s.pass;
    elsewhere.color[0].resource = other.get();
    elsewhere.color[0].load = pipe::LoadOp::Clear;
    elsewhere.clear_color[0] = {.f = {0.5f, 0.25f, 1, 1}};
    elsewhere.depth_stencil = {};

    s.context->begin_render_pass(elsewhere);
    s.rectangle(0, 0, 16, 32, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();

    s.depth_stencil({.depth_test = true, .depth_write = true});
    pipe::BlendDesc blend;
    blend.targets[0].enable = true;
    blend.targets[0].src_rgb = blend.targets[0].src_alpha = pipe::BlendFactor::SrcAlpha;
    blend.targets[0].dst_rgb = blend.targets[0].dst_alpha = pipe::BlendFactor::OneMinusSrcAlpha;
    s.blend(blend);
    s.context->set_textures(pipe::Stage::Vertex, 0, views, samplers);
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.context->bind_program(textured.get());
    s.begin(0, 0, 1, 1);
    s.rectangle(0, 0, 32, 16, 0.5f, {0, 1, 0, 0.5f});
    s.rectangle(8, 8, 24, 32, 0.25f, {1, 1, 0, 0.5f});
    s.context->end_render_pass();

    s.context->bind_program(s.program.get());
    s.context->set_textures(pipe::Stage::Vertex, 0, {}, {});
    s.context->set_textures(pipe::Stage::Fragment, 0, {}, {});
    elsewhere.color[0].load = pipe::LoadOp::Load;
    s.context->begin_render_pass(elsewhere);
    s.rectangle(4, 4, 30, 30, 0.5f, {1, 1, 1, 0.5f});
    s.context->end_render_pass();
    s.context->set_textures(pipe::Stage::Vertex, 0, views, samplers);
    s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    s.context->bind_program(textured.get());
    s.resume();
    s.rectangle(4, 4, 30, 30, 0.375f, {1, 1, 1, 0.5f});
    s.context->end_render_pass();

    const pipe::Box all{0, 0, 0, 32, 32, 1};
    const auto copy = s.image(pipe::Format::R8G8B8A8_UNORM, 32, 32, pipe::bind::kSampled),
               last = s.image(pipe::Format::R8G8B8A8_UNORM, 32, 32, pipe::bind::kSampled),
               third = s.image(pipe::Format::R8G8B8A8_UNORM, 32, 32, pipe::bind::kSampled);
    s.context->copy_region(*copy, 0, 0, 0, 0, *other, 0, all);
    const auto view_of_copy = s.screen->create_sampler_view(copy, {.format = pipe::Format::R8G8B8A8_UNORM});
    REQUIRE(view_of_copy);
    pipe::SamplerView* const copied[] = {view_of_copy.get()};
    s.context->set_textures(pipe::Stage::Vertex, 0, copied, samplers);
    s.resume();
    s.rectangle(0, 0, 30, 30, 0.25f, {1, 1, 1, 0.5f});
    s.context->end_render_pass();
    s.context->set_textures(pipe::Stage::Vertex, 0, views, samplers);
    s.context->set_textures(pipe::Stage::Fragment, 0, copied, samplers);
    s.resume();
    s.rectangle(0, 0, 30, 20, 0.25f, {1, 1, 1, 0.5f});
    s.context->end_render_pass();
    s.context->copy_region(*copy, 0, 0, 0, 0, *third, 0, all);
    s.context->copy_region(*last, 0, 0, 0, 0, *copy, 0, all);
    s.context->set_textures(pipe::Stage::Vertex, 0, {}, {});
    s.context->set_textures(pipe::Stage::Fragment, 0, {}, {});
}

/// Every mutation of the scene, drawn with that heap, is noticed, except those that are never executed.
void check(const mali::HeapDesc& heap) {
    char file[] = "/tmp/terrazzo-mutation-XXXXXX";
    const int fd = mkstemp(file);
    REQUIRE(fd >= 0);
    close(fd);
    const mali::hw::Chip& chip = mali::hw::chips()[0];
    {
        auto gpu = host::create_gpu(*mali::sim::host_vendor().chips[0], {.trace = {{.file = file}}});
        auto device = winsys::virt::panthor::create_device(mali::sim::gpu_info(chip), std::move(gpu), {});
        REQUIRE(device);
        MaliScene s(std::move(device), 32, 32, pipe::Format::D24_UNORM_S8_UINT, heap);
        draw(s);
        const auto fence = s.context->flush();
        REQUIRE(fence);
        CHECK(fence->wait(pipe::Fence::kForever));
        CHECK(s.context->reset_status() == pipe::ResetStatus::None);
    }
    Recording recording;
    std::string why;
    const bool good = load_recording(file, &recording, &why);
    unlink(file);
    REQUIRE_MESSAGE(good, why);
    const std::unique_ptr<Replay> replay = create_replay(recording, &why);
    REQUIRE_MESSAGE(replay, why);
    const Outcome r = mutate(*replay, 1, 0, true);
    REQUIRE_MESSAGE(r.broken.empty(), r.broken);
    CHECK(r.all > 80);
    CHECK(r.noticed > r.unreached * 4);
    for (const std::string& what : r.unnoticed)
        FAIL_CHECK("nothing reports that this is missing: ", what);
}

}  // namespace

TEST_CASE("mutation: a missing wait, flush or slot is reported") {
    check({});
}

TEST_CASE("mutation: also if passes are drawn in parts") {
    check({.chunk_B = 128 << 10, .initial_chunks = 1, .max_chunks = 1});
}

}  // namespace terrazzo::test
