// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Primitives. Strips, fans and loops draw exactly the bits that the equivalent list of points, lines or
// triangles draws: from vertices or indices of any size, with restart, a base vertex, instances, and
// parameters in memory.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
using pipe::IndexType;
using pipe::Primitive;

namespace {

constexpr uint32_t kRestart = ~0u;

/// The equivalent list of a mode's primitives, by section 10.1 of OpenGL ES 3.2. `list` receives its mode.
std::vector<uint32_t> expanded(Primitive mode, const std::vector<uint32_t>& indices, Primitive* list) {
    std::vector<uint32_t> out;
    std::vector<uint32_t> run;
    const auto add = [&](std::initializer_list<size_t> places) {
        for (const size_t i : places)
            out.push_back(run[i]);
    };
    const auto end = [&] {
        const size_t n = run.size();
        switch (mode) {
            case Primitive::Points:
                *list = Primitive::Points;
                for (size_t i = 0; i < n; ++i)
                    add({i});
                break;
            case Primitive::Lines:
                *list = Primitive::Lines;
                for (size_t i = 0; i + 1 < n; i += 2)
                    add({i, i + 1});
                break;
            case Primitive::LineStrip:
            case Primitive::LineLoop:
                *list = Primitive::Lines;
                for (size_t i = 0; i + 1 < n; ++i)
                    add({i, i + 1});
                if (mode == Primitive::LineLoop && n > 1) add({n - 1, 0});
                break;
            case Primitive::Triangles:
                *list = Primitive::Triangles;
                for (size_t i = 0; i + 2 < n; i += 3)
                    add({i, i + 1, i + 2});
                break;
            case Primitive::TriangleStrip:
                *list = Primitive::Triangles;
                for (size_t i = 0; i + 2 < n; ++i)
                    if (i % 2)
                        add({i + 1, i, i + 2});
                    else
                        add({i, i + 1, i + 2});
                break;
            case Primitive::LinesAdjacency:
            case Primitive::LineStripAdjacency:
                *list = Primitive::Lines;
                for (size_t i = 0; i + 3 < n; i += mode == Primitive::LinesAdjacency ? 4 : 1)
                    add({i + 1, i + 2});
                break;
            case Primitive::TrianglesAdjacency:
                *list = Primitive::Triangles;
                for (size_t i = 0; i + 5 < n; i += 6)
                    add({i, i + 2, i + 4});
                break;
            case Primitive::TriangleStripAdjacency:
                *list = Primitive::Triangles;
                for (size_t i = 0; i + 5 < n; i += 2)
                    if (i % 4)
                        add({i + 2, i, i + 4});
                    else
                        add({i, i + 2, i + 4});
                break;
            case Primitive::TriangleFan:
                *list = Primitive::Triangles;
                for (size_t i = 1; i + 1 < n; ++i)
                    add({0, i, i + 1});
                break;
            case Primitive::Patches:
                FAIL("not of this test");
        }
        run.clear();
    };
    for (const uint32_t i : indices)
        if (i == kRestart)
            end();
        else
            run.push_back(i);
    end();
    return out;
}

constexpr Primitive kModes[] = {Primitive::Points,
                                Primitive::Lines,
                                Primitive::LineLoop,
                                Primitive::LineStrip,
                                Primitive::Triangles,
                                Primitive::TriangleStrip,
                                Primitive::TriangleFan,
                                Primitive::LinesAdjacency,
                                Primitive::LineStripAdjacency,
                                Primitive::TrianglesAdjacency,
                                Primitive::TriangleStripAdjacency};

/// Vertices on a circle and inside it, so that triangles of both windings occur.
struct Primitives {
    Primitives() {
        for (unsigned i = 0; i < 24; ++i) {
            const float turn = float(i) * 0.9f, radius = 8 + float(i % 3) * 10;
            Vertex v = s.at(32 + radius * std::cos(turn), 32 + radius * std::sin(turn));
            for (unsigned c = 0; c < 3; ++c)
                v.color[c] = float(i * (c + 3) % 7 + 1) / 8;
            v.color[3] = 1;
            vertices.push_back(v);
        }
        buffer = s.buffer(vertices.data(), vertices.size() * sizeof(Vertex));
        const pipe::VertexBuffer binding{buffer.get(), 0, sizeof(Vertex)};
        s.context->set_vertex_buffers({&binding, 1});
        pipe::BlendDesc add;
        add.targets[0].enable = true;
        add.targets[0].dst_rgb = add.targets[0].dst_alpha = pipe::BlendFactor::One;
        add.targets[0].src_rgb = pipe::BlendFactor::ConstColor;
        s.blend(add);
        const float eighth[4] = {0.125f, 0.125f, 0.125f, 0.125f};
        s.context->set_blend_color(eighth);
    }
    ~Primitives() { s.context->set_vertex_buffers({}); }
    /// Packs indices as `type`; kRestart becomes all ones.
    pipe::Ref<pipe::Resource> indices(const std::vector<uint32_t>& values, IndexType type, unsigned before) {
        const unsigned size_B = type == IndexType::U8 ? 1 : type == IndexType::U16 ? 2 : 4;
        std::vector<uint8_t> bytes(before, 3);
        for (const uint32_t v : values)
            for (unsigned b = 0; b < size_B; ++b)
                bytes.push_back(uint8_t(v >> 8 * b));
        return s.buffer(bytes.data(), bytes.size());
    }
    std::vector<uint32_t> draw(pipe::DrawInfo info, const pipe::DrawRange& range) {
        s.begin(0, 0, 0, 1);
        s.context->draw(info, {&range, 1});
        return s.pixels();
    }
    std::vector<uint32_t> draw_list(Primitive mode, const std::vector<uint32_t>& order) {
        Primitive list = mode;
        const std::vector<uint32_t> all = expanded(mode, order, &list);
        std::vector<Vertex> v;
        for (const uint32_t i : all)
            v.push_back(vertices[i]);
        s.begin(0, 0, 0, 1);
        if (!v.empty()) s.draw(list, v);
        const pipe::VertexBuffer binding{buffer.get(), 0, sizeof(Vertex)};
        s.context->set_vertex_buffers({&binding, 1});
        return s.pixels();
    }
    Scene s;
    std::vector<Vertex> vertices;
    pipe::Ref<pipe::Resource> buffer;
};

std::vector<uint32_t> counting(uint32_t first, uint32_t count) {
    std::vector<uint32_t> out;
    for (uint32_t i = 0; i < count; ++i)
        out.push_back(first + i);
    return out;
}

}  // namespace

TEST_CASE("primitives: of vertices, from any first vertex, with and without culling") {
    Primitives p;
    for (const pipe::CullFace cull : {pipe::CullFace::None, pipe::CullFace::Back, pipe::CullFace::Front}) {
        p.s.raster({.cull = cull});
        for (const Primitive mode : kModes)
            for (const auto& range : {std::pair(0u, 24u), {3u, 11u}, {5u, 4u}, {1u, 2u}}) {
                const uint32_t first = range.first, count = range.second;
                CAPTURE(unsigned(cull));
                CAPTURE(unsigned(mode));
                CAPTURE(count);
                const auto got = p.draw({.mode = mode}, {first, count, 0});
                const auto want = p.draw_list(mode, counting(first, count));
                CHECK(got == want);
                if (cull == pipe::CullFace::None && count == 24)
                    CHECK(test::count(got, 0xff000000) < 64 * 64 - 20);
            }
    }
}

TEST_CASE("primitives: of indices of each size, with restart and without, and a base vertex") {
    Primitives p;
    const std::vector<uint32_t> order = {2, 3, 0,        7,  9, kRestart, 4,  5, 6, 1,
                                         1, 8, kRestart, 11, 3, kRestart, 10, 2, 5};
    std::vector<uint32_t> whole = order;
    std::erase(whole, kRestart);
    for (const IndexType type : {IndexType::U8, IndexType::U16, IndexType::U32})
        for (const Primitive mode : kModes)
            for (const bool restart : {true, false})
                for (const int32_t bias : {0, 7}) {
                    CAPTURE(unsigned(type));
                    CAPTURE(unsigned(mode));
                    CAPTURE(restart);
                    CAPTURE(bias);
                    const std::vector<uint32_t>& used = restart ? order : whole;
                    const unsigned size_B = type == IndexType::U8 ? 1 : type == IndexType::U16 ? 2 : 4;
                    const auto ib = p.indices(used, type, 4 * size_B);
                    // For two of them a vertex precedes the range.
                    std::vector<uint32_t> shifted(used.begin() + 2, used.end());
                    for (uint32_t& i : shifted)
                        if (i != kRestart) i += uint32_t(bias);
                    const auto got = p.draw({.mode = mode,
                                             .index_type = type,
                                             .primitive_restart = restart,
                                             .index_buffer = ib.get(),
                                             .index_offset_B = 4 * size_B},
                                            {2, uint32_t(shifted.size()), bias});
                    CHECK(got == p.draw_list(mode, shifted));
                }
}

TEST_CASE("primitives: several ranges are one draw each") {
    Primitives p;
    p.s.begin(0, 0, 0, 1);
    const pipe::DrawRange ranges[] = {{0, 6, 0}, {9, 3, 0}, {12, 0, 0}, {15, 9, 0}};
    p.s.context->draw({.mode = Primitive::TriangleStrip}, ranges);
    const auto got = p.s.pixels();
    std::vector<uint32_t> order = counting(0, 6);
    for (const auto& [first, count] : {std::pair(9u, 3u), {15u, 9u}}) {
        order.push_back(kRestart);
        for (const uint32_t i : counting(first, count))
            order.push_back(i);
    }
    CHECK(got == p.draw_list(Primitive::TriangleStrip, order));
}

namespace {

void check_instances(uint32_t first) {
    Scene s;
    const auto program = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec4 v_color;\n"
        "void main() { gl_Position = vec4(position.xy + color.xy, 0.0, 1.0); v_color = vec4(color.zw, 0.0, "
        "1.0); }\n",
        "precision highp float; varying vec4 v_color; void main() { gl_FragColor = v_color; }\n");
    s.context->bind_program(program.get());
    const float corner[] = {-1, -1, -0.875f, -1, -1, -0.875f, -0.875f, -0.875f};  // a square of 4 pixels
    std::vector<float> places;
    for (unsigned i = 0; i < 16; ++i)
        places.insert(places.end(), {float(i % 8) / 4, float(i / 8) / 4, float(i % 2), 1});
    const auto corners = s.buffer(corner, sizeof corner),
               offsets = s.buffer(places.data(), places.size() * 4);
    for (const uint32_t divisor : {1u, 2u, 3u})
        for (const bool indexed : {false, true}) {
            CAPTURE(divisor);
            CAPTURE(first);
            CAPTURE(indexed);
            pipe::VertexLayoutDesc layout;
            layout.count = 2;
            layout.elements[0] = {.format = pipe::Format::R32G32_FLOAT, .buffer = 0};
            layout.elements[1] = {
                .format = pipe::Format::R32G32B32A32_FLOAT, .buffer = 1, .divisor = divisor};
            s.keep(s.screen->create_vertex_layout(layout),
                   [&](auto* l) { s.context->bind_vertex_layout(l); });
            const pipe::VertexBuffer buffers[] = {{corners.get(), 0, 8}, {offsets.get(), 0, 16}};
            s.context->set_vertex_buffers(buffers);
            const uint8_t order[] = {0, 1, 2, 3};
            const auto ib = s.buffer(order, sizeof order);
            pipe::DrawInfo info{
                .mode = Primitive::TriangleStrip, .instance_count = 7, .first_instance = first};
            if (indexed) info.index_type = IndexType::U8, info.index_buffer = ib.get();
            s.begin(0, 0, 1, 1);
            const pipe::DrawRange range{0, 4, 0};
            s.context->draw(info, {&range, 1});
            const auto pixels = s.pixels();
            std::vector<uint32_t> want(64 * 64, kBluePixel);
            for (uint32_t n = 0; n < 7; ++n) {
                const uint32_t i = first + n / divisor;
                for (uint32_t y = 0; y < 4; ++y)
                    for (uint32_t x = 0; x < 4; ++x)
                        want[(i / 8 * 8 + y) * 64 + i % 8 * 8 + x] = 0xff00ff00 | (i % 2 ? 255u : 0u);
            }
            CHECK(pixels == want);
        }
    s.context->set_vertex_buffers({});
}

}  // namespace

TEST_CASE("primitives: instances step attributes by their divisors") {
    check_instances(0);
}

TEST_CASE("primitives: instances from any on, with any divisor") {
    check_instances(3);
}

TEST_CASE("primitives: gl_InstanceID begins with 0, with any first instance") {
    Scene s;
    if (s.older_than(30)) return;
    const auto program = s.link(
        "#version 300 es\nin vec4 position; out vec4 v;\n"
        "void main() { gl_Position = position; v = vec4(float(gl_InstanceID) / 255.0, 0.0, 0.0, 1.0); }\n",
        "#version 300 es\nprecision highp float; in vec4 v; out vec4 c; void main() { c = v; }\n");
    s.context->bind_program(program.get());
    for (const uint32_t first : {0u, 5u}) {
        CAPTURE(first);
        s.begin();
        s.draw(Primitive::TriangleStrip, {s.at(0, 0), s.at(64, 0), s.at(0, 64), s.at(64, 64)},
               {.instance_count = 3, .first_instance = first});
        CHECK(count(s.pixels(), 0xff000002) == 64 * 64);
    }
}

TEST_CASE("primitives: indirect draws draw what direct draws draw") {
    Primitives p;
    if (p.s.older_than(31) || lacks(!p.s.caps().reads_indirect_parameters, "indirect draws")) return;
    const uint32_t plain[] = {99, 9, 1, 3, 0}, indexed[] = {99, 5, 1, 1, 4, 0};
    const auto arguments = p.s.buffer(plain, sizeof plain), of_indices = p.s.buffer(indexed, sizeof indexed);
    const auto ib = p.indices({0, 1, 2, 3, 4, 5, 6}, IndexType::U16, 0);
    for (const Primitive mode : kModes) {
        CAPTURE(unsigned(mode));
        pipe::DrawInfo info{.mode = mode};
        info.indirect = {arguments.get(), 4, 16};
        p.s.begin(0, 0, 0, 1);
        p.s.context->draw(info, {});
        CHECK(p.s.pixels() == p.draw_list(mode, counting(3, 9)));
        info.index_type = IndexType::U16;
        info.index_buffer = ib.get();
        info.indirect = {of_indices.get(), 4, 20};
        p.s.begin(0, 0, 0, 1);
        p.s.context->draw(info, {});
        CHECK(p.s.pixels() == p.draw_list(mode, counting(5, 5)));
    }
}
