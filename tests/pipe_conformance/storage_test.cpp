// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Storage of fragment stages, and the order of work that stores and reads: draws, dispatches, copies, the
// CPU.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

using pipe::Stage;

constexpr char kPlain[] =
    "#version 310 es\nin vec4 position; in vec4 color; out vec4 v_color;\n"
    "void main() { gl_Position = position; v_color = color; }\n";

std::string fragment(const char* declarations, const char* statements) {
    return std::string("#version 310 es\nprecision highp float; precision highp int;\n") + declarations +
           "in vec4 v_color; out vec4 o;\nvoid main() { " + statements + " }\n";
}

pipe::ResourceDesc image_desc(pipe::ResourceKind kind, pipe::Format format, uint32_t size, uint32_t layers) {
    pipe::ResourceDesc d;
    d.kind = kind;
    d.format = format;
    d.width = d.height = size;
    (kind == pipe::ResourceKind::Tex3D ? d.depth : d.layers) = layers;
    d.bind = pipe::bind::kSampled | pipe::bind::kColor | pipe::bind::kImage;
    return d;
}

}  // namespace

TEST_CASE("storage: fragments store to images, and later draws load them after a barrier") {
    Scene s;
    if (s.older_than(31)) return;
    const auto image = s.resource(image_desc(pipe::ResourceKind::Tex2D, pipe::Format::R8G8B8A8_UNORM, 64, 1));
    const pipe::ImageView view{image.get(), image->desc.format};
    s.context->set_images(Stage::Fragment, 0, {&view, 1});
    s.begin();
    s.draw_program(kPlain, fragment("layout(rgba8, binding = 0) writeonly uniform highp image2D i;\n",
                                    "imageStore(i, ivec2(gl_FragCoord.xy), v_color); o = vec4(0);"));
    s.rectangle(0, 0, 64, 32, 0.5f, kRed);
    s.context->end_render_pass();
    s.context->memory_barrier();
    s.resume();
    s.draw_program(kPlain,
                   fragment("layout(rgba8, binding = 0) readonly uniform highp image2D i;\n",
                            "o = imageLoad(i, ivec2(gl_FragCoord.x, 64.0 - gl_FragCoord.y)) + v_color;"));
    s.rectangle(0, 0, 64, 64, 0.4f, kBlue);
    const auto pixels = s.pixels();
    CHECK(count(pixels, kBluePixel) == 64 * 32);
    CHECK(count(pixels, kBluePixel | kRedPixel) == 64 * 32);
    CHECK(pixels[0] == kBluePixel);
}

TEST_CASE("storage: an image that was drawn is stored to, sampled and drawn again") {
    Scene s;
    if (s.older_than(31)) return;
    const auto image = s.resource(image_desc(pipe::ResourceKind::Tex2D, pipe::Format::R8G8B8A8_UNORM, 64, 1));
    pipe::RenderPassDesc into;
    into.color[0] = {.resource = image.get(), .format = image->desc.format, .load = pipe::LoadOp::Clear};
    into.clear_color[0] = {.f = {0, 1, 0, 1}};
    into.color_count = 1;
    into.width = into.height = 64;
    s.context->begin_render_pass(into);
    s.rectangle(32, 0, 64, 64, 0.5f, kBlue);
    s.context->end_render_pass();
    // The lower half becomes red where it is green.
    const pipe::ImageView view{image.get(), pipe::Format::R32_UINT};
    s.context->set_images(Stage::Compute, 0, {&view, 1});
    s.compute(
        "#version 310 es\nlayout(local_size_x = 8, local_size_y = 8) in;\n"
        "layout(r32ui, binding = 0) uniform highp uimage2D i;\n"
        "void main() { ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
        "  if (imageLoad(i, at).r == 0xff00ff00u) imageStore(i, at, uvec4(0xff0000ffu)); }\n");
    s.context->dispatch({.groups = {8, 4, 1}});
    s.context->memory_barrier();
    s.begin();
    s.textures({image});
    s.draw_program(kPlain,
                   fragment("uniform highp sampler2D t;\n", "o = texelFetch(t, ivec2(gl_FragCoord.xy), 0);"));
    s.rectangle(0, 0, 64, 64, 0.5f, kRed);
    const auto pixels = s.pixels();
    CHECK(pixels[0] == kRedPixel);
    CHECK(pixels[64 * 31] == kRedPixel);
    CHECK(pixels[64 * 32] == kGreenPixel);
    CHECK(pixels[63] == kBluePixel);
    s.context->bind_program(s.program.get());
    into.color[0].load = pipe::LoadOp::Load;
    s.context->begin_render_pass(into);
    s.rectangle(0, 0, 16, 16, 0.5f, kBlue);
    const auto drawn = s.pixels(image.get());
    CHECK(drawn[0] == kBluePixel);
    CHECK(drawn[16] == kRedPixel);
    CHECK(drawn[64 * 63] == kGreenPixel);
}

TEST_CASE("storage: vertices, dispatches and copies read what fragments stored") {
    Scene s;
    if (s.older_than(31)) return;
    const auto vertices = s.zeros(4 * sizeof(Vertex)), doubled = s.zeros(4 * sizeof(Vertex)),
               copied = s.zeros(4 * sizeof(Vertex));
    s.storage(Stage::Fragment, {vertices.get()});
    s.draw_program(
        kPlain,
        fragment(
            "struct V { vec4 position, color; };\n"
            "layout(std430, binding = 0) buffer Out { V v[]; };\n",
            "int i = int(gl_FragCoord.x);\n"
            "if (i < 4 && gl_FragCoord.y < 1.0) { v[i].position = vec4(i % 2 == 0 ? -1.0 : 0.0, i / 2 == "
            "0 ? -1.0 : 1.0, 0, 1);\n  v[i].color = v_color; } o = vec4(0);"));
    s.begin();
    s.rectangle(0, 0, 64, 64, 0.5f, kRed);
    s.context->end_render_pass();
    s.context->memory_barrier();
    s.context->copy_region(*copied, 0, 0, 0, 0, *vertices, 0, {0, 0, 0, int32_t(4 * sizeof(Vertex)), 1, 1});
    s.storage(Stage::Compute, {vertices.get(), doubled.get()});
    s.compute(
        "#version 310 es\nlayout(local_size_x = 32) in;\n"
        "layout(std430, binding = 0) readonly buffer In { float a[]; };\n"
        "layout(std430, binding = 1) writeonly buffer Out { float b[]; };\n"
        "void main() { b[gl_LocalInvocationIndex] = 2.0 * a[gl_LocalInvocationIndex]; }\n");
    s.context->dispatch({});
    s.storage(Stage::Fragment, {});
    s.context->bind_program(s.program.get());
    s.resume();
    const pipe::VertexBuffer binding{vertices.get(), 0, sizeof(Vertex)};
    s.context->set_vertex_buffers({&binding, 1});
    const pipe::DrawRange range{0, 4, 0};
    s.context->draw({.mode = pipe::Primitive::TriangleStrip}, {&range, 1});
    s.context->set_vertex_buffers({});
    const auto pixels = s.pixels();
    CHECK(pixels[0] == kRedPixel);
    CHECK(pixels[31] == kRedPixel);
    CHECK(pixels[32] == 0);
    const auto stored = s.floats(*vertices), twice = s.floats(*doubled);
    CHECK(s.floats(*copied) == stored);
    CHECK(stored[4] == 1);
    for (size_t i = 0; i < stored.size(); ++i)
        CHECK(twice[i] == 2 * stored[i]);
}

TEST_CASE("storage: fragments of all layers of arrays and volumes, and texels of a buffer") {
    Scene s;
    if (s.older_than(31)) return;
    const auto buffer = s.zeros(64 * 4);
    for (const bool volume : {false, true}) {
        const auto kind = volume ? pipe::ResourceKind::Tex3D : pipe::ResourceKind::Tex2DArray;
        const char* const type = volume ? "uimage3D" : "uimage2DArray";
        CAPTURE(std::string(type));
        const auto image = s.resource(image_desc(kind, pipe::Format::R32_UINT, 64, 4));
        const pipe::ImageView views[] = {{image.get(), image->desc.format, 0, 0, 4},
                                         {.resource = buffer.get(),
                                          .format = pipe::Format::R32_UINT,
                                          .buffer_offset_B = 64,
                                          .buffer_size_B = 64}};
        s.context->set_images(Stage::Fragment, 0, views);
        const std::string declarations = std::string("layout(r32ui, binding = 0) uniform highp ") + type +
                                         " i;\nlayout(r32ui, binding = 1) uniform highp uimageBuffer b;\n";
        s.draw_program(kPlain,
                       "#version 310 es\n#extension GL_EXT_texture_buffer : require\n"
                       "precision highp float; precision highp int;\n" +
                           declarations +
                           "in vec4 v_color; out vec4 o;\nvoid main() { ivec2 at = ivec2(gl_FragCoord.xy);\n"
                           "  for (int z = -1; z < 6; ++z) imageStore(i, ivec3(at, z), uvec4(at.x + 64 * "
                           "at.y + 4096 * z));\n"
                           "  imageStore(b, at.x + at.y * 64, uvec4(imageSize(b)) + uint(at.x));\n"
                           "  o = vec4(imageSize(i) == ivec3(64, 64, 4)); }\n");
        s.begin();
        s.rectangle(0, 0, 64, 64, 0.5f, kRed);
        CHECK(count(s.pixels(), ~0u) == 64 * 64);
        for (const int z : {0, 1, 3})
            CHECK(s.texel(*image, 0, 5, 9, z) == std::vector<uint32_t>{uint32_t(5 + 64 * 9 + 4096 * z)});
        const auto words = s.words(*buffer);
        CHECK(words[15] == 0);
        CHECK(words[16] == 16);
        CHECK(words[31] == 31);
        CHECK(words[32] == 0);
    }
}

TEST_CASE("storage: an unbound image and one of another texel size load zeros and store nothing") {
    Scene s;
    if (s.older_than(31)) return;
    const auto image = s.resource(image_desc(pipe::ResourceKind::Tex2D, pipe::Format::R8G8B8A8_UNORM, 16, 1));
    const auto out = s.zeros(4 * 4);
    const pipe::ImageView other{image.get(), pipe::Format::R32G32B32A32_UINT};
    const pipe::ImageView views[] = {{}, other, {}, other};
    s.context->set_images(Stage::Compute, 0, views);
    s.storage(Stage::Compute, {out.get()});
    s.compute(
        "#version 310 es\nlayout(local_size_x = 1) in;\n"
        "layout(rgba32ui, binding = 0) writeonly uniform highp uimage2D none;\n"
        "layout(rgba32ui, binding = 1) writeonly uniform highp uimage2D other;\n"
        "layout(rgba32ui, binding = 2) readonly uniform highp uimage2D a;\n"
        "layout(rgba32ui, binding = 3) readonly uniform highp uimage2D b;\n"
        "layout(std430, binding = 0) buffer Out { uint sum, width, x, last; };\n"
        "void main() {\n"
        "  imageStore(none, ivec2(0), uvec4(7)); imageStore(other, ivec2(0), uvec4(7));\n"
        "  uvec4 v = imageLoad(a, ivec2(0)) + imageLoad(b, ivec2(0));\n"
        "  sum = v.x + v.y + v.z + v.w; width = uint(imageSize(a).x + imageSize(b).x); last = 1u; "
        "}\n");
    s.context->dispatch({});
    CHECK(s.words(*out) == std::vector<uint32_t>{0, 0, 0, 1});
    CHECK(s.texel(*image, 0, 0, 0) == std::vector<uint32_t>{0});
}
