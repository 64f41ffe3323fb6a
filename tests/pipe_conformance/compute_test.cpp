// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches, storage buffers, images, texture buffers, clip distances.
#include <cmath>
#include <numeric>

#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

using pipe::Stage;

constexpr char kIds[] =
    "#version 310 es\n"
    "layout(local_size_x = 8, local_size_y = 2) in;\n"
    "layout(std430, binding = 0) buffer Out { uvec4 o[]; };\n"
    "uniform uint extra;\n"
    "void main() {\n"
    "  uvec3 n = gl_NumWorkGroups * gl_WorkGroupSize;\n"
    "  uint at = (gl_GlobalInvocationID.z * n.y + gl_GlobalInvocationID.y) * n.x + gl_GlobalInvocationID.x;\n"
    "  o[at] = uvec4(gl_WorkGroupID.x + 16u * gl_WorkGroupID.y + 256u * gl_WorkGroupID.z,\n"
    "                gl_LocalInvocationIndex, gl_NumWorkGroups.x * 100u + gl_NumWorkGroups.y * 10u +\n"
    "                gl_NumWorkGroups.z, extra);\n"
    "}\n";

void check_ids(const std::vector<uint32_t>& o, const uint32_t groups[3], uint32_t extra) {
    const uint32_t nx = groups[0] * 8, ny = groups[1] * 2;
    bool all = true;
    for (uint32_t z = 0; z < groups[2]; ++z)
        for (uint32_t y = 0; y < ny; ++y)
            for (uint32_t x = 0; x < nx; ++x) {
                const uint32_t* const v = &o[size_t((z * ny + y) * nx + x) * 4];
                all = all && v[0] == x / 8 + 16 * (y / 2) + 256 * z && v[1] == x % 8 + 8 * (y % 2) &&
                      v[2] == groups[0] * 100 + groups[1] * 10 + groups[2] && v[3] == extra;
            }
    CHECK(all);
}

}  // namespace

TEST_CASE("compute: invocations know their ids") {
    Scene s;
    if (s.older_than(31)) return;
    const uint32_t groups[3] = {3, 2, 2};
    const auto out = s.zeros(3 * 8 * 2 * 2 * 2 * 16);
    s.storage(Stage::Compute, {out.get()});
    const uint32_t extra = 77;
    s.context->set_uniforms(Stage::Compute, {&extra, 1});
    s.compute(kIds);
    s.context->dispatch({.groups = {3, 2, 2}});
    check_ids(s.words(*out), groups, extra);
}

TEST_CASE("compute: indirect dispatches at any offset of the buffer") {
    Scene s;
    if (s.older_than(31)) return;
    for (const uint32_t offset_B : {0u, 4u, 20u}) {
        uint32_t parameters[8] = {};
        const uint32_t groups[3] = {2, 3, 1};
        std::copy_n(groups, 3, parameters + offset_B / 4);
        const auto indirect = s.buffer(parameters, sizeof parameters);
        const auto out = s.zeros(2 * 8 * 3 * 2 * 16);
        s.storage(Stage::Compute, {out.get()});
        const uint32_t extra = offset_B;
        s.context->set_uniforms(Stage::Compute, {&extra, 1});
        s.compute(kIds);
        s.context->dispatch({.indirect = {indirect.get(), offset_B, 12}});
        check_ids(s.words(*out), groups, extra);
    }
}

TEST_CASE("compute: a dispatch reads what the previous one stored, as parameters and as data") {
    Scene s;
    if (s.older_than(31)) return;
    const auto parameters = s.zeros(12), out = s.zeros(2 * 8 * 2 * 16);
    s.storage(Stage::Compute, {parameters.get()});
    s.compute(
        "#version 310 es\n"
        "layout(local_size_x = 1) in;\n"
        "layout(std430, binding = 0) buffer Out { uint o[]; };\n"
        "void main() { o[0] = 2u; o[1] = 1u; o[2] = 1u; }\n");
    s.context->dispatch({});
    s.context->memory_barrier();
    s.storage(Stage::Compute, {out.get()});
    const uint32_t extra = 5, groups[3] = {2, 1, 1};
    s.context->set_uniforms(Stage::Compute, {&extra, 1});
    s.compute(kIds);
    s.context->dispatch({.indirect = {parameters.get(), 0, 12}});
    check_ids(s.words(*out), groups, extra);
}

TEST_CASE("compute: a workgroup of 1024 shares memory between barriers") {
    Scene s;
    if (s.older_than(31)) return;
    const auto out = s.zeros(4);
    s.storage(Stage::Compute, {out.get()});
    s.compute(
        "#version 310 es\n"
        "layout(local_size_x = 1024) in;\n"
        "layout(std430, binding = 0) buffer Out { uint o[]; };\n"
        "shared uint sums[1024];\n"
        "void main() {\n"
        "  uint i = gl_LocalInvocationIndex;\n"
        "  sums[i] = i + 1u;\n"
        "  for (uint n = 512u; n > 0u; n >>= 1) {\n"
        "    barrier();\n"
        "    if (i < n) sums[i] += sums[i + n];\n"
        "  }\n"
        "  if (i == 0u) o[0] = sums[0];\n"
        "}\n");
    s.context->dispatch({});
    CHECK(s.words(*out) == std::vector<uint32_t>{1024 * 1025 / 2});
}

TEST_CASE("compute: accesses beyond a buffer's range are checked, and shaders can ask for its size") {
    Scene s;
    if (s.older_than(31)) return;
    const std::vector<uint32_t> before(64, 7);
    const auto out = s.buffer(before.data(), 256);
    const auto sizes = s.zeros(16);
    const pipe::BufferRange ranges[] = {{out.get(), 20, 24}, {sizes.get(), 0, 16}};
    s.context->set_storage_buffers(Stage::Compute, 0, ranges);
    s.compute(
        "#version 310 es\n"
        "layout(local_size_x = 32) in;\n"
        "layout(std430, binding = 0) buffer Out { uint o[]; };\n"
        "layout(std430, binding = 1) buffer Sizes { uint length; uint far; uint nothing; };\n"
        "layout(std430, binding = 2) buffer None { uint none[]; };\n"
        "void main() {\n"
        "  o[gl_LocalInvocationIndex] = 100u + gl_LocalInvocationIndex;\n"
        "  if (gl_LocalInvocationIndex == 0u) {\n"
        "    length = uint(o.length()); far = o[30] + 1u; none[0] = 9u; nothing = none[0] + "
        "uint(none.length()) + 3u;\n"
        "  }\n"
        "}\n");
    s.context->dispatch({});
    std::vector<uint32_t> expected = before;
    std::iota(expected.begin() + 5, expected.begin() + 11, 100u);
    CHECK(s.words(*out) == expected);
    CHECK(s.words(*sizes) == std::vector<uint32_t>{6, 1, 3, 0});
}

TEST_CASE("compute: dispatches between draws, which read stored vertices") {
    Scene s;
    if (s.older_than(31)) return;
    const auto vertices = s.zeros(4 * sizeof(Vertex));
    s.begin(0, 0, 1, 1);
    s.context->end_render_pass();
    s.storage(Stage::Compute, {vertices.get()});
    s.compute(
        "#version 310 es\n"
        "layout(local_size_x = 4) in;\n"
        "struct V { vec4 position, color; };\n"
        "layout(std430, binding = 0) buffer Out { V v[]; };\n"
        "void main() {\n"
        "  uint i = gl_LocalInvocationIndex;\n"
        "  v[i].position = vec4(i % 2u == 0u ? -1.0 : 0.0, i / 2u == 0u ? -1.0 : 1.0, 0, 1);\n"
        "  v[i].color = vec4(1, 0, 0, 1);\n"
        "}\n");
    s.context->dispatch({});
    s.context->memory_barrier();
    s.context->bind_program(s.program.get());
    s.resume();
    const pipe::VertexBuffer binding{vertices.get(), 0, sizeof(Vertex)};
    s.context->set_vertex_buffers({&binding, 1});
    const pipe::DrawRange range{0, 4, 0};
    s.context->draw({.mode = pipe::Primitive::TriangleStrip}, {&range, 1});
    s.context->set_vertex_buffers({});
    const auto pixels = s.pixels();
    CHECK(pixels[0] == 0xff0000ff);
    CHECK(pixels[31] == 0xff0000ff);
    CHECK(pixels[32] == 0xffff0000);
}

TEST_CASE("compute: images of all formats keep what was stored") {
    Scene s;
    if (s.older_than(31)) return;
    struct Case {
        pipe::Format format;
        const char *layout, *type, *value;
        std::vector<uint32_t> texel;
    };
    const Case cases[] = {
        {pipe::Format::R32G32B32A32_FLOAT,
         "rgba32f",
         "image2D",
         "vec4(1, 2, -3, 0.5)",
         {0x3f800000, 0x40000000, 0xc0400000, 0x3f000000}},
        {pipe::Format::R16G16B16A16_FLOAT,
         "rgba16f",
         "image2D",
         "vec4(1, 2, -3, 0.5)",
         {0x40003c00, 0x3800c200}},
        {pipe::Format::R32_FLOAT, "r32f", "image2D", "vec4(-3)", {0xc0400000}},
        {pipe::Format::R8G8B8A8_UNORM, "rgba8", "image2D", "vec4(1, 0, 2, 0.2)", {0x33ff00ff}},
        {pipe::Format::R8G8B8A8_SNORM, "rgba8_snorm", "image2D", "vec4(1, -1, -2, 0)", {0x0081817f}},
        {pipe::Format::R32G32B32A32_SINT, "rgba32i", "iimage2D", "ivec4(-1, 2, 3, 4)", {0xffffffff, 2, 3, 4}},
        {pipe::Format::R16G16B16A16_SINT,
         "rgba16i",
         "iimage2D",
         "ivec4(-1, 2, 3, -4)",
         {0x0002ffff, 0xfffc0003}},
        {pipe::Format::R8G8B8A8_SINT, "rgba8i", "iimage2D", "ivec4(-1, 2, 3, -4)", {0xfc0302ff}},
        {pipe::Format::R32_SINT, "r32i", "iimage2D", "ivec4(-5)", {0xfffffffb}},
        {pipe::Format::R32G32B32A32_UINT, "rgba32ui", "uimage2D", "uvec4(1, 2, 3, 4)", {1, 2, 3, 4}},
        {pipe::Format::R16G16B16A16_UINT,
         "rgba16ui",
         "uimage2D",
         "uvec4(1, 2, 3, 65535)",
         {0x00020001, 0xffff0003}},
        {pipe::Format::R8G8B8A8_UINT, "rgba8ui", "uimage2D", "uvec4(1, 2, 3, 255)", {0xff030201}},
        {pipe::Format::R32_UINT, "r32ui", "uimage2D", "uvec4(4000000000u)", {4000000000u}},
    };
    for (const Case& c : cases) {
        CAPTURE(std::string(c.layout));
        CHECK(s.screen->format_supported(c.format, pipe::ResourceKind::Tex2D, 1, pipe::bind::kImage));
        const auto from = s.image(c.format, 36, 20, pipe::bind::kSampled | pipe::bind::kImage, 2);
        const auto to = s.image(c.format, 18, 10, pipe::bind::kSampled | pipe::bind::kImage);
        const std::string head = std::string("#version 310 es\nlayout(local_size_x = 1) in;\nlayout(") +
                                 c.layout + ", binding = 0) ";
        const pipe::ImageView first{from.get(), c.format, 1}, second{to.get(), c.format};
        // The last texel of level 1, and a texel outside of the image.
        s.context->set_images(Stage::Compute, 0, {&first, 1});
        s.compute(head + "writeonly uniform highp " + c.type +
                  " i;\nvoid main() { imageStore(i, ivec2(17, 9), " + c.value +
                  "); imageStore(i, ivec2(18, 9), " + c.value + "); imageStore(i, ivec2(-1, 3), " + c.value +
                  "); }\n");
        s.context->dispatch({});
        s.context->memory_barrier();
        const pipe::ImageView both[] = {first, second};
        s.context->set_images(Stage::Compute, 0, both);
        s.compute(head + "readonly uniform highp " + c.type + " i;\nlayout(" + c.layout +
                  ", binding = 1) writeonly uniform highp " + c.type +
                  " o;\nvoid main() { ivec2 size = imageSize(i); imageStore(o, size - 18 + ivec2(3, 11), "
                  "imageLoad(i, size - 1)); }\n");
        s.context->dispatch({});
        CHECK(s.texel(*from, 1, 17, 9) == c.texel);
        CHECK(s.texel(*to, 0, 3, 3) == c.texel);
        CHECK(s.texel(*to, 0, 0, 0) == std::vector<uint32_t>(c.texel.size(), 0));
    }
}

TEST_CASE("compute: layers, slices, faces, and image atomics") {
    Scene s;
    if (s.older_than(31)) return;
    struct Case {
        pipe::ResourceKind kind;
        const char *type, *place, *size;
    };
    const Case cases[] = {
        {pipe::ResourceKind::Tex2DArray, "uimage2DArray", "ivec3(gl_GlobalInvocationID)", "ivec3(16, 16, 6)"},
        {pipe::ResourceKind::Tex3D, "uimage3D", "ivec3(gl_GlobalInvocationID)", "ivec3(16, 16, 6)"},
        {pipe::ResourceKind::Cube, "uimageCube", "ivec3(gl_GlobalInvocationID)", "ivec2(16, 16)"}};
    for (const Case& c : cases) {
        CAPTURE(std::string(c.type));
        pipe::ResourceDesc d;
        d.kind = c.kind;
        d.format = pipe::Format::R32_UINT;
        d.width = d.height = 16;
        (c.kind == pipe::ResourceKind::Tex3D ? d.depth : d.layers) = 6;
        d.bind = pipe::bind::kSampled | pipe::bind::kImage;
        const auto image = s.screen->create_resource(d);
        REQUIRE(image);
        const auto out = s.zeros(4);
        const pipe::ImageView view{image.get(), d.format, 0, 0, 6};
        s.context->set_images(Stage::Compute, 0, {&view, 1});
        s.storage(Stage::Compute, {out.get()});
        s.compute(std::string("#version 310 es\n#extension GL_OES_shader_image_atomic : "
                              "require\nlayout(local_size_x = 4, local_size_y = 4) in;\n"
                              "layout(r32ui, binding = 0) uniform highp ") +
                  c.type +
                  " i;\nlayout(std430, binding = 0) buffer Out { uint wrong; };\nvoid main() {\n  uvec3 g = "
                  "gl_GlobalInvocationID;\n" +
                  "  uint old = imageAtomicAdd(i, " + c.place + ", g.x + 16u * g.y + 256u * g.z);\n" +
                  "  if (old != 0u || imageSize(i) != " + c.size + ") atomicAdd(wrong, 1u);\n" +
                  "  imageAtomicMax(i, " + c.place + ", 5u);\n}\n");
        s.context->dispatch({.groups = {4, 4, 6}});
        CHECK(s.words(*out) == std::vector<uint32_t>{0});
        CHECK(s.texel(*image, 0, 3, 0, 0) == std::vector<uint32_t>{5});
        CHECK(s.texel(*image, 0, 15, 14, 5) == std::vector<uint32_t>{15 + 16 * 14 + 256 * 5});
        // One layer only.
        const pipe::ImageView one{image.get(), d.format, 0, 2, 1};
        s.context->set_images(Stage::Compute, 0, {&one, 1});
        s.compute(
            "#version 310 es\nlayout(local_size_x = 1) in;\nlayout(r32ui, binding = 0) writeonly uniform "
            "highp uimage2D i;\n"
            "void main() { imageStore(i, ivec2(1, 2), uvec4(9)); }\n");
        s.context->dispatch({});
        CHECK(s.texel(*image, 0, 1, 2, 2) == std::vector<uint32_t>{9});
        CHECK(s.texel(*image, 0, 1, 2, 1) == std::vector<uint32_t>{1 + 32 + 256});
    }
}

namespace {

constexpr char kCounting[] =
    "#version 310 es\nprecision highp float;\n%s"
    "layout(std430, binding = 0) buffer Out { uint count; };\n"
    "in vec4 v_color; out vec4 o;\n"
    "void main() { if (v_color.g > 0.5) discard; atomicAdd(count, 1u); o = v_color; }\n";
constexpr char kPlain[] =
    "#version 310 es\nin vec4 position; in vec4 color; out vec4 v_color;\n"
    "void main() { gl_Position = position; v_color = color; }\n";

}  // namespace

TEST_CASE("storage: fragments store whether or not later tests discard them, unless the tests are early") {
    for (const bool early : {false, true}) {
        Scene s;
        if (s.older_than(31)) return;
        const auto count = s.zeros(4);
        char text[sizeof kCounting + 64];
        std::snprintf(text, sizeof text, kCounting, early ? "layout(early_fragment_tests) in;\n" : "");
        s.draw_program(kPlain, text);
        s.storage(Stage::Fragment, {count.get()});
        s.depth_stencil({.depth_test = true, .depth_write = true});
        s.begin();
        s.rectangle(0, 0, 32, 64, 0.25f, {1, 0, 0, 1});
        s.rectangle(0, 0, 64, 64, 0.5f, {0, 0, 1, 1});
        s.rectangle(0, 0, 64, 64, 0.1f, {0, 1, 0, 1});  // discarded
        s.rectangle(0, 0, 64, 64, 0.2f, {1, 0, 1, 1});
        const auto pixels = s.pixels();
        // With early tests a discarded fragment has written its depth.
        CHECK(s.words(*count) == std::vector<uint32_t>{early ? 2048u * 2 : 2048u + 2 * 4096});
        CHECK(pixels[0] == (early ? 0xff0000ff : 0xffff00ff));
    }
}

TEST_CASE("storage: vertex shaders store once, also in passes that are drawn in tiles") {
    Scene s;
    if (s.older_than(31) || lacks(!s.caps().vertex_stores, "storage of vertex stages")) return;
    const auto count = s.zeros(16 * 4), fragments = s.zeros(4);
    // Both stages use slot 0.
    s.draw_program(
        "#version 310 es\nin vec4 position; in vec4 color; out vec4 v_color;\n"
        "layout(std430, binding = 1) buffer Vertices { uint count[]; };\n"
        "void main() { gl_Position = position; v_color = color; atomicAdd(count[gl_VertexID], 1u); }\n",
        "#version 310 es\nprecision highp float;\n"
        "layout(std430, binding = 2) buffer Fragments { uint shaded; };\n"
        "in vec4 v_color; out vec4 o;\nvoid main() { atomicAdd(shaded, 1u); o = v_color; }\n");
    s.storage(Stage::Vertex, {count.get()});
    s.storage(Stage::Fragment, {fragments.get()});
    s.begin();
    s.rectangle(0, 0, 16, 16, 0.5f, {1, 0, 0, 1});
    (void)s.pixels();
    std::vector<uint32_t> expected(16, 0);
    std::fill_n(expected.begin(), 4, 1u);
    CHECK(s.words(*count) == expected);
    CHECK(s.words(*fragments) == std::vector<uint32_t>{256});
}

TEST_CASE("indirect draws: with and without indices, after a dispatch that wrote the parameters") {
    Scene s;
    if (s.older_than(31) || lacks(!s.caps().reads_indirect_parameters, "indirect draws")) return;
    const std::vector<Vertex> v = {s.at(0, 0),   s.at(32, 0), s.at(0, 64),
                                   s.at(32, 64), s.at(64, 0), s.at(64, 64)};
    const auto vertices = s.buffer(v.data(), v.size() * sizeof(Vertex));
    const uint16_t order[] = {9, 9, 0, 1, 2, 3};
    const auto indices = s.buffer(order, sizeof order);
    const auto parameters = s.zeros(64);
    s.storage(Stage::Compute, {parameters.get()});
    s.compute(
        "#version 310 es\nlayout(local_size_x = 1) in;\n"
        "layout(std430, binding = 0) buffer Out { uint p[16]; };\n"
        "void main() {\n"
        "  p[1] = 4u; p[2] = 1u; p[3] = 0u; p[4] = 0u;\n"                // the left half
        "  p[8] = 4u; p[9] = 1u; p[10] = 2u; p[11] = 2u; p[12] = 0u;\n"  // the right half: vertices 2 to 5
        "}\n");
    s.context->dispatch({});
    s.context->memory_barrier();
    s.context->bind_program(s.program.get());
    s.begin(0, 0, 1, 1);
    const pipe::VertexBuffer binding{vertices.get(), 0, sizeof(Vertex)};
    s.context->set_vertex_buffers({&binding, 1});
    const auto mode = pipe::Primitive::TriangleStrip;
    SUBCASE("vertices") {
        s.context->draw({.mode = mode, .indirect = {parameters.get(), 4, 16}}, {});
        const auto pixels = s.pixels();
        CHECK(pixels[5] == 0xffffffff);
        CHECK(pixels[40] == 0xffff0000);
    }
    SUBCASE("indices, then a direct draw") {
        s.context->draw({.mode = mode,
                         .index_type = pipe::IndexType::U16,
                         .index_buffer = indices.get(),
                         .indirect = {parameters.get(), 32, 20}},
                        {});
        const pipe::DrawRange range{0, 3, 0};
        s.context->draw({.mode = mode}, {&range, 1});
        const auto pixels = s.pixels();
        CHECK(pixels[64 * 40 + 58] == 0xffffffff);
        CHECK(pixels[64 * 62 + 30] == 0xffffffff);
        CHECK(pixels[64 * 40 + 5] == 0xffffffff);
        CHECK(pixels[64 * 10 + 40] == 0xffff0000);
    }
    s.context->set_vertex_buffers({});
}

TEST_CASE("indirect draws: parameters name indices beyond the buffer, and end beyond their own buffer") {
    Scene s;
    if (s.older_than(31) || lacks(!s.caps().reads_indirect_parameters, "indirect draws")) return;
    const std::vector<Vertex> v = {s.at(0, 0), s.at(64, 0), s.at(0, 64), s.at(64, 64)};
    const auto vertices = s.buffer(v.data(), v.size() * sizeof(Vertex));
    const uint16_t order[] = {0, 1, 2, 1, 2, 3};
    const auto indices = s.buffer(order, sizeof order);
    // 1,000 indices, which begin with the second triangle.
    const uint32_t p[] = {1000, 1, 3, 0, 0};
    const auto parameters = s.buffer(p, sizeof p);
    s.context->bind_program(s.program.get());
    s.begin(0, 0, 1, 1);
    const pipe::VertexBuffer binding{vertices.get(), 0, sizeof(Vertex)};
    s.context->set_vertex_buffers({&binding, 1});
    pipe::DrawInfo info{.mode = pipe::Primitive::Triangles,
                        .index_type = pipe::IndexType::U16,
                        .index_buffer = indices.get()};
    info.indirect = {parameters.get(), 4, 20};
    s.context->draw(info, {});  // draws nothing
    info.indirect = {parameters.get(), 0, 20};
    s.context->draw(info, {});
    s.context->set_vertex_buffers({});
    const auto pixels = s.pixels();
    CHECK(pixels[64 * 60 + 60] == 0xffffffff);
    CHECK(pixels[64 * 4 + 4] == 0xffff0000);
}

TEST_CASE("indirect draws: attributes of instances, any divisor, and vertices that follow a direct draw") {
    Scene s;
    if (s.older_than(31) || lacks(!s.caps().reads_indirect_parameters, "indirect draws")) return;
    // The colours of instances: element instance / 2 + 1.
    const std::vector<Vertex> v = {s.at(0, 0), s.at(64, 0), s.at(0, 64), s.at(64, 64)};
    const float colors[] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1};
    const auto vertices = s.buffer(v.data(), v.size() * sizeof(Vertex)),
               of_instances = s.buffer(colors, sizeof colors);
    const uint32_t p[] = {4, 4, 0, 1, 4, 2, 0, 1};
    const auto parameters = s.buffer(p, sizeof p);
    pipe::VertexLayoutDesc d;
    d.count = 2;
    d.elements[0] = {.format = pipe::Format::R32G32B32A32_FLOAT};
    d.elements[1] = {.format = pipe::Format::R32G32B32A32_FLOAT, .buffer = 1, .divisor = 2};
    const auto layout = s.screen->create_vertex_layout(d);
    s.context->bind_program(s.program.get());
    s.context->bind_vertex_layout(layout.get());
    const pipe::VertexBuffer bindings[] = {{vertices.get(), 0, sizeof(Vertex)}, {of_instances.get(), 0, 16}};
    for (const uint32_t draw : {0u, 1u}) {
        CAPTURE(draw);
        s.begin(0, 0, 0, 0);
        s.context->set_vertex_buffers(bindings);
        s.context->draw(
            {.mode = pipe::Primitive::TriangleStrip, .indirect = {parameters.get(), draw * 16, 16}}, {});
        s.context->set_vertex_buffers({});
        CHECK(s.pixels()[64 * 32 + 32] == (draw ? kGreenPixel : kBluePixel));
    }
    s.context->bind_vertex_layout(nullptr);
}

TEST_CASE("texture buffers: texels of a range, and their number") {
    Scene s;
    if (s.older_than(31)) return;
    std::vector<uint8_t> bytes(1024);
    std::iota(bytes.begin(), bytes.end(), uint8_t(0));
    const auto texels = s.buffer(bytes.data(), bytes.size()), out = s.zeros(64);
    struct Case {
        pipe::Format format;
        uint64_t offset_B;
        std::vector<uint32_t> words;  // the last texel, texel 1, the number of texels
    };
    const Case cases[] = {{pipe::Format::R8G8B8A8_UINT, 64, {96, 97, 98, 99, 68, 69, 70, 71, 9}},
                          {pipe::Format::R8G8B8A8_UINT, 16, {48, 49, 50, 51, 20, 21, 22, 23, 9}},
                          {pipe::Format::R32G32B32_UINT,
                           64,
                           {0x5b5a5958, 0x5f5e5d5c, 0x63626160, 1, 0x4f4e4d4c, 0x53525150, 0x57565554, 1, 3}},
                          {pipe::Format::R16_UINT, 128, {0xa3a2, 0, 0, 1, 0x8382, 0, 0, 1, 18}}};
    for (const Case& c : cases) {
        CAPTURE(unsigned(c.format));
        CAPTURE(c.offset_B);
        pipe::SamplerViewDesc d;
        d.kind = pipe::ResourceKind::Buffer;
        d.format = c.format;
        d.buffer_offset_B = c.offset_B;
        d.buffer_size_B = 37;
        const auto view = s.screen->create_sampler_view(texels, d);
        REQUIRE(view);
        pipe::SamplerView* const views[] = {view.get()};
        s.context->set_textures(Stage::Compute, 0, views, {});
        s.storage(Stage::Compute, {out.get()});
        s.compute(
            "#version 310 es\n#extension GL_EXT_texture_buffer : require\nlayout(local_size_x = 1) in;\n"
            "uniform highp usamplerBuffer t;\n"
            "layout(std430, binding = 0) buffer Out { uvec4 last, second; uint count; };\n"
            "void main() { count = uint(textureSize(t)); last = texelFetch(t, textureSize(t) - 1); second = "
            "texelFetch(t, 1); }\n");
        s.context->dispatch({});
        std::vector<uint32_t> words = s.words(*out);
        words.resize(9);
        CHECK(words == c.words);
    }
}

TEST_CASE("textures: gathers of depth, with and without comparison, in a size that is no power of two") {
    Scene s;
    if (s.older_than(31)) return;
    constexpr int32_t kW = 13, kH = 17;
    const auto image =
        s.image(pipe::Format::D16_UNORM, kW, kH, pipe::bind::kSampled | pipe::bind::kDepthStencil);
    const pipe::Mapping m = s.context->map(
        *image, 0, {0, 0, 0, kW, kH, 1},
        pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange | pipe::map_flag::kDiscardWhole);
    REQUIRE(m.data);
    for (int32_t y = 0; y < kH; ++y)
        for (int32_t x = 0; x < kW; ++x)
            reinterpret_cast<uint16_t*>(static_cast<uint8_t*>(m.data) + y * m.row_stride_B)[x] =
                uint16_t(1000 * y + 10 * x);
    s.context->unmap(*image, m);
    const auto view = s.screen->create_sampler_view(image, {.format = pipe::Format::D16_UNORM});
    REQUIRE(view);
    const auto out = s.zeros(2 * 4 * kW * kH * 4);
    for (const bool compare : {false, true}) {
        CAPTURE(compare);
        const auto sampler = s.screen->create_sampler({.wrap_s = pipe::Wrap::ClampToEdge,
                                                       .wrap_t = pipe::Wrap::ClampToEdge,
                                                       .mip = pipe::MipFilter::None,
                                                       .compare_enable = compare,
                                                       .compare = pipe::Compare::LessEqual});
        pipe::SamplerView* const views[] = {view.get()};
        pipe::SamplerState* const samplers[] = {sampler.get()};
        s.context->set_textures(Stage::Compute, 0, views, samplers);
        s.storage(Stage::Compute, {out.get()});
        s.compute(std::string("#version 310 es\nlayout(local_size_x = 1) in;\nuniform highp sampler2D") +
                  (compare ? "Shadow" : "") +
                  " t;\nlayout(std430, binding = 0) buffer Out { vec4 o[]; };\nvoid main() {\n"
                  "  vec2 at = vec2(gl_WorkGroupID.xy + 1u) / vec2(13, 17);\n"
                  "  o[gl_WorkGroupID.y * 13u + gl_WorkGroupID.x] = textureGather(t, at" +
                  (compare ? ", 8000.5 / 65535.0" : "") + ");\n}\n");
        s.context->dispatch({.groups = {kW, kH, 1}});
        const std::vector<uint32_t> words = s.words(*out);
        unsigned wrong = 0;
        for (int32_t y = 0; y < kH; ++y)
            for (int32_t x = 0; x < kW; ++x)
                for (int n = 0; n < 4; ++n) {
                    const int32_t tx = std::min(x + (n == 1 || n == 2), kW - 1),
                                  ty = std::min(y + (n < 2), kH - 1);
                    const int32_t texel = 1000 * ty + 10 * tx;
                    const float got = std::bit_cast<float>(words[size_t(y * kW + x) * 4 + size_t(n)]);
                    wrong +=
                        std::abs(got - (compare ? float(texel >= 8001) : float(texel) / 65535.0f)) > 1e-5f;
                }
        CHECK(wrong == 0);
    }
}

TEST_CASE("distances: they clip if their planes are enabled, and cull whole primitives") {
    Scene s;
    if (s.older_than(31) || lacks(s.caps().max_distances == 0, "clip distances")) return;
    constexpr char kVs[] =
        "#version 310 es\n#extension GL_EXT_clip_cull_distance : require\n"
        "in vec4 position; in vec4 color; out vec4 v_color;\n"
        "out highp float gl_ClipDistance[5]; out highp float gl_CullDistance[1];\n"
        "void main() {\n"
        "  gl_Position = position; v_color = color;\n"
        "  for (int i = 0; i < 4; ++i) gl_ClipDistance[i] = 1.0;\n"
        "  gl_ClipDistance[1] = position.x; gl_ClipDistance[4] = position.y;\n"
        "  gl_CullDistance[0] = color.b > 0.5 ? -1.0 : 1.0;\n"
        "}\n";
    constexpr char kFs[] =
        "#version 310 es\nprecision highp float;\nin vec4 v_color; out vec4 o;\nvoid main() { o = v_color; "
        "}\n";
    s.draw_program(kVs, kFs);
    s.raster({.clip_planes = 0x1f});
    s.begin();
    s.rectangle(0, 0, 64, 64, 0.5f, {1, 0, 0, 1});
    s.raster({.clip_planes = 2});
    s.rectangle(32, 0, 64, 16, 0.5f, {0, 1, 0, 1});
    s.raster({});
    s.rectangle(0, 0, 16, 16, 0.5f, {1, 1, 0, 1});
    s.rectangle(0, 0, 64, 64, 0.5f, {0, 0, 1, 1});  // culled
    const auto pixels = s.pixels();
    const auto at = [&](int x, int y) { return pixels[size_t(y * 64 + x)]; };
    CHECK(at(40, 40) == 0xff0000ff);
    CHECK(at(20, 40) == 0);
    CHECK(at(40, 20) == 0);
    CHECK(at(33, 8) == 0xff00ff00);
    CHECK(at(8, 8) == 0xff00ffff);
    CHECK(at(8, 20) == 0);
}
