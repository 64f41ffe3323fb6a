// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Binning: pipes, and passes whose tiles draw only what visibility streams list, compared with passes in
// sysmem.
#include <random>
#include <set>

#include "drivers/adreno/context.h"
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
using adreno::Pass;

namespace {

// Two targets of this size need eight tiles on the chip with the least GMEM.
constexpr int32_t kW_px = 700, kH_px = 500;
constexpr char kChip[] = "sim:adreno-618";

SceneOptions with(std::initializer_list<pipe::DebugWord> words) {
    SceneOptions o;
    for (const pipe::DebugWord w : words)
        o.debug.set(w);
    return o;
}

const Pass& pass_of(const DriverScene& s) {
    return static_cast<const adreno::AdrenoContext&>(*s.context).pass();
}

/// Small triangles over the whole target, with unsorted depths.
void draw_many(DriverScene& s, unsigned count, unsigned draws, unsigned seed = 7) {
    std::mt19937 random(seed);
    const auto number = [&](float low, float high) {
        return std::uniform_real_distribution<float>(low, high)(random);
    };
    for (unsigned d = 0; d < draws; ++d) {
        std::vector<Vertex> v;
        for (unsigned i = 0; i < count; ++i) {
            const float x = number(-20, float(s.width)), y = number(-20, float(s.height)), z = number(0, 1);
            const float color[] = {number(0, 1), number(0, 1), number(0, 1), 1};
            for (const auto& at : {std::pair(0.f, 0.f), std::pair(30.f, 5.f), std::pair(8.f, 28.f)}) {
                v.push_back(s.at(x + at.first, y + at.second, z));
                std::copy_n(color, 4, v.back().color);
            }
        }
        s.draw(pipe::Primitive::Triangles, v);
    }
}

template <class F>
std::vector<uint32_t> draw_with(const SceneOptions& options, Pass::RenderPath want, F&& draw) {
    DriverScene s = open_scene(kW_px, kH_px, options, kChip);
    s.depth_stencil({.depth_test = true, .depth_write = true});
    draw(s);
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(int(pass_of(s).last_path()) == int(want));
    return pixels;
}

/// All render paths give the same pixels.
template <class F>
void compare_ways(F&& draw) {
    using enum pipe::DebugWord;
    const auto direct = draw_with(with({Sysmem}), Pass::RenderPath::Sysmem, draw);
    const auto binned = draw_with(with({Gmem}), Pass::RenderPath::BinnedTiles, draw);
    const auto tiles = draw_with(with({Gmem, NoBin}), Pass::RenderPath::Tiles, draw);
    CHECK((binned == direct));
    CHECK((tiles == direct));
}

}  // namespace

TEST_CASE("binning: each tile has its own place in one of the pipes") {
    for (const auto& [x, y] :
         {std::pair(1u, 2u), {32u, 1u}, {1u, 33u}, {5u, 7u}, {32u, 32u}, {33u, 9u}, {16u, 64u}}) {
        CAPTURE(x);
        CAPTURE(y);
        adreno::TilePlan tiles;
        tiles.count_x = x;
        tiles.count_y = y;
        adreno::PipePlan pipes;
        REQUIRE(adreno::plan_pipes(tiles, &pipes));
        CHECK(pipes.count() <= adreno::hw::Chip::kVscPipes);
        std::set<std::pair<uint32_t, uint32_t>> places;
        for (uint32_t t = 0; t < tiles.count(); ++t) {
            const adreno::TilePlace p = adreno::place_of(tiles, pipes, t);
            CHECK(p.pipe < pipes.count());
            CHECK(p.slot < p.pipe_tiles);
            CHECK(p.pipe_tiles <= 32);
            places.insert({p.pipe, p.slot});
        }
        CHECK(places.size() == tiles.count());
    }
    adreno::TilePlan tiles;
    tiles.count_x = 40;
    tiles.count_y = 32;
    adreno::PipePlan pipes;
    CHECK(!adreno::plan_pipes(tiles, &pipes));
}

TEST_CASE("binning: tiles draw only their own primitives") {
    compare_ways([](DriverScene& s) {
        s.begin(0, 0, 0, 1);
        draw_many(s, 400, 6);
    });
}

TEST_CASE("binning: clears in the middle, empty tiles, contents that are kept") {
    compare_ways([](DriverScene& s) {
        s.begin(0.25f, 0, 0, 1);
        s.rectangle(0, 0, 700, 500, 0.75f, {0, 0.5f, 0, 1});
        s.context->end_render_pass();
        s.resume();
        // All draws are in one corner: the other tiles need neither loads nor stores.
        for (unsigned i = 0; i < 300; ++i)
            s.rectangle(float(i % 20) * 4, float(i / 20) * 4, float(i % 20) * 4 + 3, float(i / 20) * 4 + 3,
                        0.5f, {1, float(i) / 300, 0, 1});
        pipe::ClearInfo c;
        c.attachments = pipe::attachment_bit::kColor0;
        c.color[0] = {.f = {0, 0, 1, 1}};
        c.scissored = true;
        c.scissor = {20, 30, 601, 403};
        s.context->clear(c);
        draw_many(s, 300, 1);
    });
}

TEST_CASE("binning: lines, points, strips, instances of indexed triangles") {
    compare_ways([](DriverScene& s) {
        s.begin(0, 0, 0, 1);
        draw_many(s, 300, 1);
        s.draw(pipe::Primitive::LineStrip, {s.at(3, 4, 0.1f), s.at(690, 480, 0.1f), s.at(350, 7, 0.1f)});
        std::vector<Vertex> points;
        for (unsigned i = 0; i < 200; ++i) {
            points.push_back(s.at(float(i * 37 % 700), float(i * 91 % 500), 0.05f));
            points.back().color[3] = float(i % 40);  // the size
        }
        s.draw(pipe::Primitive::Points, points);
        std::vector<Vertex> v = {s.at(300, 200, 0.01f), s.at(390, 200, 0.01f), s.at(300, 290, 0.01f)};
        const uint16_t indices[] = {0, 1, 2, 2, 1, 0};
        const auto vb = s.buffer(v.data(), v.size() * sizeof(Vertex)), ib = s.buffer(indices, sizeof indices);
        const pipe::VertexBuffer binding{vb.get(), 0, sizeof(Vertex)};
        s.context->set_vertex_buffers({&binding, 1});
        pipe::DrawInfo info;
        info.index_type = pipe::IndexType::U16;
        info.index_buffer = ib.get();
        info.instance_count = 3;
        const pipe::DrawRange range{0, 6, 0};
        s.context->draw(info, {&range, 1});
        s.context->set_vertex_buffers({});
    });
}

TEST_CASE(
    "binning: a vertex shader whose position needs other attributes, uniforms and constants than its "
    "varyings") {
    compare_ways([](DriverScene& s) {
        const auto program = s.link(
            "attribute vec4 position; attribute vec4 color; varying vec4 v; uniform vec4 move, tint[3];\n"
            "void main() { gl_Position = position * vec4(0.875, 0.75, 1.0, 1.0) + move.wzyx * 0.125;\n"
            "  v = color * 0.7 + tint[1] * 0.3 + tint[2] * 0.0625 + vec4(0.1, 0.2, 0.3, 0.4) * position.x; "
            "}\n",
            "precision highp float; varying vec4 v;\n"
            "void main() { gl_FragColor = v; }\n");
        s.context->bind_program(program.get());
        const std::vector<float> uniforms = {0, 0, 0.25f, 0.5f, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1};
        std::vector<uint32_t> words(uniforms.size());
        std::memcpy(words.data(), uniforms.data(), words.size() * 4);
        s.context->set_uniforms(pipe::Stage::Vertex, words);
        s.begin(0, 0, 0, 1);
        draw_many(s, 200, 3);
        (void)s.pixels();
        s.context->bind_program(s.program.get());
        s.resume();
        draw_many(s, 200, 3, 9);
    });
}

TEST_CASE("binning: passes with too small streams are drawn correctly, and the streams grow") {
    const auto draw = [](DriverScene& s) {
        s.begin(0, 0, 0, 1);
        draw_many(s, 700, 4);
    };
    const auto direct = draw_with(with({pipe::DebugWord::Sysmem}), Pass::RenderPath::Sysmem, draw);
    SceneOptions options = with({pipe::DebugWord::Gmem});
    options.first_stream_B = 128;
    DriverScene s = open_scene(kW_px, kH_px, options, kChip);
    s.depth_stencil({.depth_test = true, .depth_write = true});
    uint32_t size_B = 0;
    unsigned grown = 0;
    for (unsigned frame = 0; frame < 12; ++frame) {
        CAPTURE(frame);
        draw(s);
        CHECK((s.pixels() == direct));
        CHECK(int(pass_of(s).last_path()) == int(Pass::RenderPath::BinnedTiles));
        grown += pass_of(s).visibility().primitive_pitch_B() > size_B;
        size_B = pass_of(s).visibility().primitive_pitch_B();
    }
    CHECK(s.messages == "");
    // 128 bytes at first, then twice as many in each frame until they are enough.
    CHECK(grown >= 3);
    CHECK(grown < 12);
}

TEST_CASE("binning: not used for few vertices") {
    using enum pipe::DebugWord;
    (void)draw_with(with({Gmem, NoLrz}), Pass::RenderPath::Tiles, [](DriverScene& s) {
        s.begin(0, 0, 0, 1);
        s.rectangle(10, 10, 690, 490, 0.25f, {1, 0, 0, 1});
    });
}
