// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes, order, queries, transfers and limits.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "drivers/soft/binning/pipeline_limits.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {
constexpr float kWhite[4] = {1, 1, 1, 1}, kHalf[4] = {0.5f, 0.5f, 0.5f, 0.5f};
}

TEST_CASE("later draws cover earlier ones, also across clears") {
    Scene s({.width = 100, .height = 100});
    s.begin();
    s.rectangle(0, 0, 100, 100, 0.5f, kWhite);
    pipe::ClearInfo c;
    c.attachments = pipe::attachment_bit::kColor0;
    c.color[0] = {.f = {0.2f, 0, 0, 0}};
    s.context->clear(c);
    s.rectangle(10, 10, 90, 90, 0.5f, kHalf);
    s.rectangle(20, 20, 30, 30, 0.5f, kWhite);
    const std::vector<uint8_t> red = s.red();
    CHECK(red[0] == 51);
    CHECK(red[15 * 100 + 15] == 128);
    CHECK(red[25 * 100 + 25] == 255);
    CHECK(std::count(red.begin(), red.end(), 255) == 100);
}

TEST_CASE("clears fill rectangles at any position with pixels of every size") {
    for (const pipe::Format f :
         {pipe::Format::R8_UNORM, pipe::Format::B5G6R5_UNORM, pipe::Format::R8G8B8A8_UNORM,
          pipe::Format::R16G16B16A16_FLOAT, pipe::Format::R32G32B32A32_FLOAT}) {
        const uint32_t pixel_B = pipe::format_info(f).block_B;
        const float blue[4] = {0.25f, 0.75f, 1, 0.5f};
        uint8_t want[16], none[16] = {};
        pipe::pack_rgba_f32(f, want, blue, 1);
        for (int x0 = 0; x0 < 9; ++x0)
            for (const int x1 : {10, 17, 63, 70}) {
                Scene s({.width = 70, .height = 3, .color = f});
                s.context->begin_render_pass(s.pass);
                pipe::ClearInfo c;
                c.attachments = pipe::attachment_bit::kColor0;
                std::copy_n(blue, 4, c.color[0].f);
                c.scissored = true;
                c.scissor = {x0, 1, x1, 2};
                s.context->clear(c);
                const std::vector<uint8_t> bytes = s.bytes();
                for (int i = 0; i < 70 * 3; ++i) {
                    const bool inside = i / 70 == 1 && i % 70 >= x0 && i % 70 < x1;
                    REQUIRE(std::memcmp(&bytes[size_t(i) * pixel_B], inside ? want : none, pixel_B) == 0);
                }
            }
    }
}

TEST_CASE("a pass on the same attachments continues; a clear at its start takes effect") {
    Scene s({.width = 70, .height = 70});
    s.begin();
    s.rectangle(0, 0, 70, 70, 0.5f, kWhite);
    s.context->end_render_pass();
    s.pass.color[0].load = pipe::LoadOp::Load;
    s.context->begin_render_pass(s.pass);
    s.rectangle(0, 0, 10, 10, 0.5f, kHalf);
    s.context->end_render_pass();
    std::vector<uint8_t> red = s.red();
    CHECK(red[0] == 128);
    CHECK(red[69] == 255);
    s.begin();
    s.context->end_render_pass();
    red = s.red();
    CHECK(std::count(red.begin(), red.end(), 0) == 4900);
}

TEST_CASE("vertex data may change as soon as draw returns; the pass keeps its images alive") {
    Scene s({.width = 16, .height = 16});
    s.begin();
    std::vector<Vertex> v = {s.at(0, 0), s.at(16, 0), s.at(0, 16), s.at(16, 16)};
    const pipe::Ref<pipe::Resource> vb =
        s.screen.create_resource({.kind = pipe::ResourceKind::Buffer, .width = 4 * sizeof(Vertex)});
    const pipe::Box whole = {0, 0, 0, 4 * sizeof(Vertex), 1, 1};
    std::memcpy(s.context->map(*vb, 0, whole, pipe::map_flag::kWrite).data, v.data(), whole.width);
    const pipe::VertexBuffer binding = {vb.get(), 0, sizeof(Vertex)};
    s.context->set_vertex_buffers({&binding, 1});
    const pipe::DrawRange range = {0, 4, 0};
    const pipe::DrawInfo info{.mode = pipe::Primitive::TriangleStrip};
    s.context->draw(info, {&range, 1});
    std::memset(s.context->map(*vb, 0, whole, pipe::map_flag::kWrite).data, 0, whole.width);
    s.context->draw(info, {&range, 1});
    const std::vector<uint8_t> red = s.red();
    CHECK(std::count(red.begin(), red.end(), 255) == 256);

    pipe::Ref<pipe::Resource> other =
        s.screen.create_resource({.format = pipe::Format::R8G8B8A8_UNORM, .width = 8, .height = 8});
    pipe::RenderPassDesc p = s.pass;
    p.color[0].resource = other.get();
    p.width = p.height = 8;
    s.context->begin_render_pass(p);
    s.rectangle(0, 0, 16, 16, 0.5f, kWhite);
    s.context->end_render_pass();
    other = nullptr;
    s.context->flush();
}

TEST_CASE("draws into a level and a face change nothing else") {
    Scene s({.width = 32, .height = 32});
    const pipe::Ref<pipe::Resource> cube = s.screen.create_resource({.kind = pipe::ResourceKind::Cube,
                                                                     .format = pipe::Format::R8G8B8A8_UNORM,
                                                                     .width = 27,
                                                                     .height = 27,
                                                                     .layers = 6,
                                                                     .levels = 3});
    pipe::RenderPassDesc p = s.pass;
    p.color[0].resource = cube.get();
    p.color[0].level = 1;
    p.color[0].first_layer = 4;
    p.width = p.height = 13;
    s.context->begin_render_pass(p);
    s.rectangle(-100, -100, 200, 200, 0.5f, kWhite);
    s.context->end_render_pass();
    for (uint32_t level = 0; level < 3; ++level)
        for (int32_t face = 0; face < 6; ++face) {
            const int32_t size = int32_t(27 >> level);
            const pipe::Mapping m =
                s.context->map(*cube, level, {0, 0, face, size, size, 1}, pipe::map_flag::kRead);
            REQUIRE(m.data);
            for (int32_t y = 0; y < size; ++y)
                for (int32_t x = 0; x < size; ++x) {
                    uint32_t pixel;
                    std::memcpy(&pixel,
                                static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B + size_t(x) * 4,
                                4);
                    REQUIRE(pixel == (level == 1 && face == 4 ? 0xffffffffu : 0));
                }
        }
}

TEST_CASE("a million triangles in bounded memory") {
    Scene s({.width = 512, .height = 512, .threads = 2});
    s.begin();
    pipe::BlendDesc adding;
    adding.targets[0].enable = true;
    adding.targets[0].dst_rgb = adding.targets[0].dst_alpha = pipe::BlendFactor::One;
    s.blend(adding);
    constexpr uint32_t kGrid = 708;  // twice its square is a million
    std::vector<Vertex> v;
    for (uint32_t y = 0; y <= kGrid; ++y)
        for (uint32_t x = 0; x <= kGrid; ++x) {
            v.push_back(s.at(512.0f * float(x) / kGrid, 512.0f * float(y) / kGrid));
            std::fill_n(v.back().color, 4, 1.0f / 255);
        }
    std::vector<uint32_t> indices;
    for (uint32_t y = 0; y < kGrid; ++y)
        for (uint32_t x = 0; x < kGrid; ++x) {
            const uint32_t a = y * (kGrid + 1) + x, b = a + kGrid + 1;
            indices.insert(indices.end(), {a, a + 1, b, b, a + 1, b + 1});
        }
    s.draw_indexed(pipe::Primitive::Triangles, v, indices, pipe::IndexType::U32);
    const std::vector<uint8_t> red = s.red();
    CHECK(std::count(red.begin(), red.end(), 1) == int(red.size()));
}

TEST_CASE("occlusion queries count samples that pass, separately") {
    Scene s({.width = 64, .height = 64, .depth = pipe::Format::D24_UNORM_S8_UINT, .threads = 2});
    s.begin();
    s.depth_stencil({.depth_test = true, .depth_write = true});
    const pipe::Ref<pipe::Query> a = s.context->create_query(pipe::QueryKind::Samples),
                                 b = s.context->create_query(pipe::QueryKind::Samples),
                                 c = s.context->create_query(pipe::QueryKind::AnySamples),
                                 p = s.context->create_query(pipe::QueryKind::PrimitivesGenerated);
    s.context->begin_query(*p);
    s.rectangle(0, 0, 10, 10, 0.1f, kWhite);
    s.context->begin_query(*a);
    s.rectangle(0, 0, 20, 20, 0.5f, kWhite);
    s.context->end_query(*a);
    s.context->begin_query(*b);
    s.rectangle(0, 0, 20, 20, 0.2f, kWhite);
    s.rectangle(30, 30, 40, 40, 0.2f, kWhite);
    s.context->end_query(*b);
    s.context->begin_query(*c);
    s.rectangle(0, 0, 20, 20, 0.9f, kWhite);
    s.context->end_query(*c);
    s.context->end_query(*p);
    uint64_t n = 0;
    CHECK(s.context->query_result(*a, true, &n));
    CHECK(n == 300);
    CHECK(s.context->query_result(*b, true, &n));
    CHECK(n == 300 + 100);
    CHECK(s.context->query_result(*c, true, &n));
    CHECK(n == 0);
    CHECK(s.context->query_result(*p, true, &n));
    CHECK(n == 10);
    s.context->begin_query(*a);
    s.rectangle(0, 0, 1, 1, 0.0f, kWhite);
    s.context->end_query(*a);
    CHECK(s.context->query_result(*a, true, &n));
    CHECK(n == 1);
    const pipe::Ref<pipe::Query> t = s.context->create_query(pipe::QueryKind::TimeElapsed);
    s.context->begin_query(*t);
    s.rectangle(0, 0, 64, 64, 0.0f, kWhite);
    s.context->end_query(*t);
    CHECK(s.context->query_result(*t, true, &n));
    CHECK(n > 0);
    const pipe::Ref<pipe::Fence> fence = s.context->flush();
    REQUIRE(fence);
    CHECK(fence->wait(0));
}

TEST_CASE("copies move whole pixels, also within an image") {
    Scene s({.width = 16, .height = 16});
    std::vector<uint8_t> data(16 * 16 * 4);
    for (size_t i = 0; i < data.size(); ++i)
        data[i] = uint8_t(i / 4);
    s.upload(data.data());
    s.context->copy_region(*s.color, 0, 2, 3, 0, *s.color, 0, {0, 0, 0, 10, 10, 1});
    const std::vector<uint8_t> red = s.red();
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 10; ++x)
            REQUIRE(red[size_t((y + 3) * 16 + x + 2)] == y * 16 + x);
    s.context->copy_region(*s.color, 0, 10, 10, 0, *s.color, 0,
                           {0, 0, 0, 10, 10, 1});  // the destination extends beyond the image
    CHECK(s.messages.has("outside"));

    const pipe::Ref<pipe::Resource> bgra =
        s.screen.create_resource({.format = pipe::Format::B8G8R8A8_UNORM, .width = 16, .height = 16});
    pipe::BlitInfo blit;
    blit.src = {s.color.get(), pipe::Format::R8G8B8A8_UNORM, 0, {0, 0, 0, 16, 16, 1}};
    blit.dst = {bgra.get(), pipe::Format::B8G8R8A8_UNORM, 0, {0, 0, 0, 16, 16, 1}};
    CHECK(s.context->try_blit(blit));
    CHECK(soft(*bgra).data()[2] == red[0]);
    blit.dst.box.width = -16;
    CHECK_FALSE(s.context->try_blit(blit));
}

TEST_CASE("vertex fetch never leaves its buffer") {
    Scene s({.width = 16, .height = 16});
    s.begin();
    const std::vector<Vertex> v = {s.at(0, 0), s.at(16, 0), s.at(0, 16)};
    s.draw_indexed(pipe::Primitive::Triangles, v, {0, 1, 2, 0xfffffff0, 5, 70000, 0, 1},
                   pipe::IndexType::U32);
    // More indices than the buffer has.
    const pipe::Ref<pipe::Resource> ib =
        s.screen.create_resource({.kind = pipe::ResourceKind::Buffer, .width = 6});
    pipe::DrawInfo info{
        .mode = pipe::Primitive::Triangles, .index_type = pipe::IndexType::U16, .index_buffer = ib.get()};
    const pipe::DrawRange range = {1, 1000000, -5};
    s.context->set_vertex_buffers({});
    s.context->draw(info, {&range, 1});
    info.index_offset_B = 100;
    s.context->draw(info, {&range, 1});
    CHECK(s.red()[0] == 255);
}

TEST_CASE("unsupported operations are reported") {
    Scene s;
    s.begin();
    s.draw(pipe::Primitive::Patches, {s.at(0, 0)});
    CHECK(s.messages.has("patch"));
    CHECK_FALSE(
        s.screen.create_resource({.format = pipe::Format::R8G8B8A8_UNORM, .width = 100000, .height = 1}));
    CHECK_FALSE(s.screen.create_resource({.format = pipe::Format::None, .width = 4, .height = 4}));
    CHECK(std::string(s.screen.caps().renderer).find("(Software Rasterizer") != std::string::npos);
}

TEST_CASE("contexts on several threads share a screen's workers") {
    Scene s({.width = 8, .height = 8, .threads = 3});
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            const std::unique_ptr<pipe::Context> c = s.screen.create_context({});
            const pipe::Ref<pipe::Resource> image = s.screen.create_resource(
                {.format = pipe::Format::R8G8B8A8_UNORM, .width = 500, .height = 500});
            for (int round = 0; round < 30; ++round) {
                pipe::RenderPassDesc p;
                p.color_count = 1;
                p.color[0].resource = image.get();
                p.color[0].format = pipe::Format::R8G8B8A8_UNORM;
                p.color[0].load = pipe::LoadOp::Clear;
                p.clear_color[0] = {.f = {float(round) / 255, 0, 0, 1}};
                p.width = p.height = 500;
                c->begin_render_pass(p);
                c->end_render_pass();
                const pipe::Mapping m = c->map(*image, 0, {499, 499, 0, 1, 1, 1}, pipe::map_flag::kRead);
                right += static_cast<uint8_t*>(m.data)[0] == round;
            }
        });
    for (std::thread& t : threads)
        t.join();
    CHECK(right == 120);
}

}  // namespace terrazzo::soft::test
