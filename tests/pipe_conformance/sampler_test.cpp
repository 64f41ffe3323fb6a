// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Samplers against a reference of a few lines: filters, wrap modes, borders, levels, comparisons, kinds of
// textures.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
using pipe::Filter;
using pipe::MipFilter;
using pipe::ResourceKind;
using pipe::Wrap;
namespace bind = pipe::bind;

namespace {

using Value = std::array<float, 4>;
constexpr pipe::Format kRgba = pipe::Format::R8G8B8A8_UNORM;

/// The texel of `size` that the wrap mode chooses for texel `i`; -1 is the border.
int wrapped(Wrap wrap, int i, int size) {
    const auto mod = [](int a, int b) { return (a % b + b) % b; };
    switch (wrap) {
        case Wrap::Repeat:
            return mod(i, size);
        case Wrap::ClampToEdge:
            return std::clamp(i, 0, size - 1);
        case Wrap::MirroredRepeat: {
            const int m = mod(i, 2 * size);
            return m < size ? m : 2 * size - 1 - m;
        }
        case Wrap::ClampToBorder:
            return i < 0 || i >= size ? -1 : i;
        case Wrap::MirrorClampToEdge:
            return std::clamp(i < 0 ? -1 - i : i, 0, size - 1);
    }
    return -1;
}

struct Texels {
    int w, h;
    std::vector<Value> values;
    Value border;
    [[nodiscard]] const Value& at(Wrap ws, Wrap wt, int x, int y) const {
        const int i = wrapped(ws, x, w), j = wrapped(wt, y, h);
        return i < 0 || j < 0 ? border : values[size_t(j * w + i)];
    }
    [[nodiscard]] Value sample(Wrap ws, Wrap wt, Filter filter, float u, float v) const {
        const float x = u * float(w), y = v * float(h);
        if (filter == Filter::Nearest) return at(ws, wt, int(std::floor(x)), int(std::floor(y)));
        const float fx = x - 0.5f, fy = y - 0.5f;
        const int x0 = int(std::floor(fx)), y0 = int(std::floor(fy));
        const float a = fx - float(x0), b = fy - float(y0);
        Value out;
        for (unsigned c = 0; c < 4; ++c)
            out[c] = (at(ws, wt, x0, y0)[c] * (1 - a) + at(ws, wt, x0 + 1, y0)[c] * a) * (1 - b) +
                     (at(ws, wt, x0, y0 + 1)[c] * (1 - a) + at(ws, wt, x0 + 1, y0 + 1)[c] * a) * b;
        return out;
    }
};

constexpr char kVertex[] =
    "attribute vec4 position; attribute vec4 color; varying vec4 at;\n"
    "void main() { gl_Position = position; at = color; }\n";

/// Draws the whole target, with coordinates from corner to corner.
void cover(Scene& s, float u0, float v0, float u1, float v1, float other = 0) {
    std::vector<Vertex> v;
    for (const float y : {0.0f, float(s.height)})
        for (const float x : {0.0f, float(s.width)}) {
            v.push_back(s.at(x, y));
            v.back().color[0] = x == 0 ? u0 : u1;
            v.back().color[1] = y == 0 ? v0 : v1;
            v.back().color[2] = v.back().color[3] = other;
        }
    s.draw(pipe::Primitive::TriangleStrip, v);
}

/// Fills each layer of a level with one colour: red is the layer, green the level.
void fill_plain(Scene& s, pipe::Resource& r) {
    for (uint32_t level = 0; level < r.desc.levels; ++level) {
        const pipe::Box all = level_box(r.desc, level);
        Picture p(r.desc.format, all);
        for (size_t i = 0; i < p.bytes.size(); ++i) {
            const auto z = uint32_t(i / (size_t(p.row_B) * p.rows));
            p.bytes[i] = i % 4 == 0 ? uint8_t(10 + 20 * z) : i % 4 == 1 ? uint8_t(40 * level) : 255;
        }
        write_picture(*s.context, r, level, all, p);
    }
}

float channel(uint32_t pixel, unsigned c) {
    return float(pixel >> 8 * c & 0xff) / 255;
}

}  // namespace

TEST_CASE("samplers: every wrap mode of both directions, with both filters") {
    // Sizes that are powers of two and others. No coordinate is at the edge of a texel.
    for (const auto& size : {std::pair(8, 4), {5, 7}}) {
        const int w = size.first, h = size.second;
        CAPTURE(w);
        Scene s(48, 40, pipe::Format::None);
        const auto program = s.link(kVertex,
                                    "precision highp float; varying vec4 at; uniform sampler2D t;\n"
                                    "void main() { gl_FragColor = texture2D(t, at.xy); }\n");
        s.context->bind_program(program.get());
        const auto texture = s.image(kRgba, w, h, bind::kSampled);
        std::mt19937 random(3);
        Picture p = random_picture(kRgba, level_box(texture->desc, 0), random);
        write_picture(*s.context, *texture, 0, level_box(texture->desc, 0), p);
        Texels texels{w, h, {}, {0.2f, 0.4f, 0.6f, 0.8f}};
        for (size_t i = 0; i < p.bytes.size(); i += 4)
            texels.values.push_back({float(p.bytes[i]) / 255, float(p.bytes[i + 1]) / 255,
                                     float(p.bytes[i + 2]) / 255, float(p.bytes[i + 3]) / 255});
        constexpr Wrap kWraps[] = {Wrap::Repeat, Wrap::ClampToEdge, Wrap::MirroredRepeat, Wrap::ClampToBorder,
                                   Wrap::MirrorClampToEdge};
        for (const Filter filter : {Filter::Nearest, Filter::Linear})
            for (const Wrap ws : kWraps)
                for (const Wrap wt : kWraps) {
                    CAPTURE(unsigned(filter));
                    CAPTURE(unsigned(ws));
                    CAPTURE(unsigned(wt));
                    s.textures({texture}, {.wrap_s = ws,
                                           .wrap_t = wt,
                                           .min = filter,
                                           .mag = filter,
                                           .mip = MipFilter::None,
                                           .border = {0.2f, 0.4f, 0.6f, 0.8f}});
                    constexpr float kU0 = -2.01f, kU1 = 2.97f, kV0 = -1.98f, kV1 = 3.04f;
                    s.begin();
                    cover(s, kU0, kV0, kU1, kV1);
                    const auto pixels = s.pixels();
                    unsigned wrong = 0;
                    for (int y = 0; y < s.height; ++y)
                        for (int x = 0; x < s.width; ++x) {
                            const float u = kU0 + (kU1 - kU0) * (float(x) + 0.5f) / float(s.width),
                                        v = kV0 + (kV1 - kV0) * (float(y) + 0.5f) / float(s.height);
                            const auto edge = [](float t) { return std::fabs(t - std::round(t)) < 0.002f; };
                            if (filter == Filter::Nearest && (edge(u * float(w)) || edge(v * float(h))))
                                continue;
                            const Value want = texels.sample(ws, wt, filter, u, v);
                            for (unsigned c = 0; c < 4; ++c)
                                wrong += std::fabs(channel(pixels[size_t(y * s.width + x)], c) - want[c]) >
                                         (filter == Filter::Linear ? 0.02f : 0.003f);
                        }
                    CHECK(wrong == 0);
                }
    }
}

TEST_CASE("samplers: levels by size, bias and limits; between levels") {
    Scene s(16, 16, pipe::Format::None);
    const auto program = s.link(kVertex,
                                "precision highp float; varying vec4 at; uniform sampler2D t;\n"
                                "void main() { gl_FragColor = texture2D(t, at.xy, at.z); }\n");
    s.context->bind_program(program.get());
    const auto texture = s.image(kRgba, 32, 32, bind::kSampled, 6);
    fill_plain(s, *texture);
    struct Case {
        float levels;  // log2 of the texels a pixel
        float shader_bias, bias, min_lod, max_lod;
        MipFilter mip;
        float want;
    };
    using enum MipFilter;
    constexpr Case kCases[] = {
        {0, 0, 0, -1000, 1000, Nearest, 0},        {1, 0, 0, -1000, 1000, Nearest, 1},
        {2.25f, 0, 0, -1000, 1000, Nearest, 2},    {4, 0, 0, -1000, 1000, Nearest, 4},
        {9, 0, 0, -1000, 1000, Nearest, 5},        {2, 0, 0, -1000, 1000, None, 0},
        {2, 1, 0, -1000, 1000, Nearest, 3},        {2, 0, -1, -1000, 1000, Nearest, 1},
        {2, 1, 1, -1000, 1000, Nearest, 4},        {1, 0, 0, 3, 1000, Nearest, 3},
        {4, 0, 0, -1000, 2, Nearest, 2},           {1.5f, 0, 0, -1000, 1000, Linear, 1.5f},
        {2.25f, 0, 0, -1000, 1000, Linear, 2.25f}, {2, 0, 0.5f, -1000, 1000, Linear, 2.5f},
        {0, 0, 0, 1.25f, 1000, Linear, 1.25f},     {-2, 0, 0, -1000, 1000, Linear, 0},
    };
    for (const Case& c : kCases) {
        CAPTURE(c.levels);
        CAPTURE(c.want);
        s.textures({texture}, {.min = Filter::Nearest,
                               .mag = Filter::Nearest,
                               .mip = c.mip,
                               .lod_bias = c.bias,
                               .min_lod = c.min_lod,
                               .max_lod = c.max_lod});
        s.begin();
        const float end = 16.0f / 32 * std::exp2(c.levels);
        cover(s, 0, 0, end, end, c.shader_bias);
        const auto pixels = s.pixels();
        CHECK(std::fabs(channel(pixels[8 * 16 + 8], 1) * 255 - 40 * c.want) <= 1.5f);
    }
}

TEST_CASE("samplers: views of some levels, with swizzles and with another transfer function") {
    Scene s(8, 8, pipe::Format::None);
    const auto program = s.link(kVertex,
                                "precision highp float; varying vec4 at; uniform sampler2D t;\n"
                                "void main() { gl_FragColor = texture2D(t, at.xy); }\n");
    s.context->bind_program(program.get());
    const auto texture = s.image(kRgba, 32, 32, bind::kSampled, 6);
    fill_plain(s, *texture);
    const auto sampler =
        s.screen->create_sampler({.min = Filter::Nearest, .mag = Filter::Nearest, .mip = MipFilter::Nearest});
    const auto pixel = [&](const pipe::SamplerViewDesc& d) {
        const auto view = s.screen->create_sampler_view(texture, d);
        REQUIRE(view);
        pipe::SamplerView* const views[] = {view.get()};
        pipe::SamplerState* const samplers[] = {sampler.get()};
        s.context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
        s.begin();
        cover(s, 0, 0, 0.25f, 0.25f);
        return s.pixels()[9];
    };
    CHECK(pixel({.format = kRgba, .last_level = 5}) == 0xffff000a);
    CHECK(pixel({.format = kRgba, .first_level = 3, .last_level = 4}) == (0xffff000a | 120 << 8));
    using enum pipe::Swizzle;
    CHECK(pixel({.format = kRgba,
                 .first_level = 1,
                 .last_level = 1,
                 .swizzle = {Channel1, Zero, Channel0, One}}) == (0xff000000 | 10 << 16 | 40));
    const uint32_t srgb = pixel({.format = pipe::Format::R8G8B8A8_SRGB, .first_level = 5, .last_level = 5});
    CHECK(std::abs(int(srgb >> 8 & 0xff) - int(std::lround(255 * pipe::srgb8_to_linear(200)))) <= 1);
}

TEST_CASE("samplers: cubes, their faces and edges") {
    Scene s(16, 16, pipe::Format::None);
    const auto program =
        s.link(kVertex,
               "precision highp float; varying vec4 at; uniform samplerCube t; uniform mat3 m;\n"
               "void main() { gl_FragColor = textureCube(t, m * vec3(at.xy, 1.0)); }\n");
    s.context->bind_program(program.get());
    const auto texture = s.resource({.kind = ResourceKind::Cube,
                                     .format = kRgba,
                                     .width = 8,
                                     .height = 8,
                                     .layers = 6,
                                     .bind = bind::kSampled});
    fill_plain(s, *texture);
    for (const Filter filter : {Filter::Nearest, Filter::Linear}) {
        s.textures({texture}, {.min = filter, .mag = filter, .mip = MipFilter::None, .seamless_cube = true});
        for (unsigned face = 0; face < 6; ++face) {
            CAPTURE(face);
            // The coordinate of the face's axis is 1; the other two vary.
            const unsigned axis = face / 2;
            float m[12] = {};
            m[2 * 4 + axis] = face % 2 ? -1.0f : 1.0f;
            m[0 * 4 + (axis + 1) % 3] = m[1 * 4 + (axis + 2) % 3] = 1;
            // In std140's layout and with tightly packed columns: the linker lays out columns of three words.
            uint32_t words[9];
            for (unsigned column = 0; column < 3; ++column)
                std::memcpy(&words[column * 3], &m[column * 4], 12);
            s.context->set_uniforms(pipe::Stage::Fragment, words);
            s.begin();
            cover(s, -0.8f, -0.8f, 0.8f, 0.8f);
            CHECK(count(s.pixels(), 0xffff0000 | (10 + 20 * face)) == 16 * 16);
        }
    }
}

TEST_CASE("samplers: slices and layers") {
    Scene s(16, 16, pipe::Format::None);
    if (s.older_than(30)) return;
    const std::string vs =
        "#version 300 es\nin vec4 position; in vec4 color; out vec4 at;\n"
        "void main() { gl_Position = position; at = color; }\n";
    for (const bool volume : {true, false}) {
        CAPTURE(volume);
        const auto program =
            s.link(vs, std::string("#version 300 es\nprecision highp float; in vec4 at; out vec4 c;\n") +
                           (volume ? "uniform highp sampler3D t;\n" : "uniform highp sampler2DArray t;\n") +
                           "void main() { c = texture(t, at.xyz); }\n");
        s.context->bind_program(program.get());
        pipe::ResourceDesc d{.kind = volume ? ResourceKind::Tex3D : ResourceKind::Tex2DArray,
                             .format = kRgba,
                             .width = 8,
                             .height = 8,
                             .bind = bind::kSampled};
        (volume ? d.depth : d.layers) = 7;
        const auto texture = s.resource(d);
        fill_plain(s, *texture);
        s.textures({texture}, {.wrap_r = Wrap::ClampToEdge, .min = Filter::Linear, .mip = MipFilter::None});
        for (const float z : {-1.0f, 0.0f, 0.9f, 2.0f, 2.25f, 3.4f, 6.0f, 9.0f}) {
            CAPTURE(z);
            s.begin();
            cover(s, 0, 0, 1, 1, volume ? (z + 0.5f) / 7 : z);
            const float red = channel(s.pixels()[100], 0) * 255;
            const float at = std::clamp(volume ? z : std::floor(z + 0.5f), 0.0f, 6.0f);
            CHECK(std::fabs(red - (10 + 20 * at)) <= 1.01f);
        }
    }
}

TEST_CASE("samplers: every slice of every level of 3D images of any size") {
    Scene s(16, 16, pipe::Format::None);
    if (s.older_than(30)) return;
    const auto program = s.link(
        "#version 300 es\nin vec4 position; in vec4 color; out vec4 at;\n"
        "void main() { gl_Position = position; at = color; }\n",
        "#version 300 es\nprecision highp float; in vec4 at; out vec4 c;\n"
        "uniform highp sampler3D t;\nvoid main() { c = texture(t, at.xyz); }\n");
    s.context->bind_program(program.get());
    struct Size {
        uint32_t width, height, depth;
    };
    for (const Size& size :
         {Size{300, 300, 8}, {1000, 70, 9}, {1500, 3, 24}, {129, 129, 17}, {256, 256, 8}, {1, 700, 5}}) {
        const uint32_t w = size.width, h = size.height, depth = size.depth;
        CAPTURE(w);
        CAPTURE(h);
        const auto texture = s.resource({.kind = ResourceKind::Tex3D,
                                         .format = kRgba,
                                         .width = w,
                                         .height = h,
                                         .depth = depth,
                                         .levels = uint32_t(std::bit_width(std::max({w, h, depth}))),
                                         .bind = bind::kSampled});
        fill_plain(s, *texture);
        for (uint32_t level = 0; level < texture->desc.levels; ++level) {
            CAPTURE(level);
            s.textures({texture}, {.min = Filter::Nearest,
                                   .mag = Filter::Nearest,
                                   .mip = MipFilter::Nearest,
                                   .min_lod = float(level),
                                   .max_lod = float(level)});
            const uint32_t slices = std::max(1u, depth >> level);
            for (uint32_t z = 0; z < slices; ++z) {
                CAPTURE(z);
                s.begin();
                cover(s, 0, 0, 1, 1, (float(z) + 0.5f) / float(slices));
                const uint32_t want = 0xffff0000 | (40 * level & 0xff) << 8 | ((10 + 20 * z) & 0xff);
                REQUIRE(count(s.pixels(), want) == 16 * 16);
            }
        }
    }
}

TEST_CASE("samplers: depth with and without comparison") {
    Scene s(16, 16, pipe::Format::None);
    if (s.older_than(30)) return;
    const std::string vs =
        "#version 300 es\nin vec4 position; in vec4 color; out vec4 at;\n"
        "void main() { gl_Position = position; at = color; }\n";
    const auto compare =
                   s.link(vs,
                          "#version 300 es\nprecision highp float; in vec4 at; out vec4 c;\n"
                          "uniform highp sampler2DShadow t; void main() { c = vec4(texture(t, at.xyz)); }\n"),
               plain = s.link(vs,
                              "#version 300 es\nprecision highp float; in vec4 at; out vec4 c;\n"
                              "uniform highp sampler2D t; void main() { c = vec4(texture(t, at.xy).r); }\n");
    for (const pipe::Format f :
         {pipe::Format::D16_UNORM, pipe::Format::D24_UNORM_S8_UINT, pipe::Format::D32_FLOAT}) {
        CAPTURE(std::string(pipe::format_name(f)));
        const uint32_t binds = bind::kSampled | bind::kDepthStencil;
        if (!s.supports(f, binds)) continue;
        const auto texture = s.image(f, 5, 1, binds);
        const pipe::Mapping m = s.context->map(*texture, 0, {0, 0, 0, 5, 1, 1}, pipe::map_flag::kWrite);
        REQUIRE(m.data);
        const float depths[5] = {0, 0.25f, 0.5f, 0.75f, 1};
        pipe::pack_depth_f32(f, m.data, depths, 5);
        s.context->unmap(*texture, m);
        for (unsigned c = 0; c < 8; ++c) {
            CAPTURE(c);
            s.textures({texture}, {.min = Filter::Nearest,
                                   .mag = Filter::Nearest,
                                   .mip = MipFilter::None,
                                   .compare_enable = true,
                                   .compare = pipe::Compare(c)});
            s.context->bind_program(compare.get());
            s.begin();
            cover(s, 0, 0, 1, 1, 0.6f);
            const auto pixels = s.pixels();
            for (const int texel : {0, 2, 3, 4}) {
                const float ref = 0.6f, v = depths[texel];
                const bool want[] = {false, ref<v, ref == v, ref <= v, ref> v, ref != v, ref >= v, true};
                CHECK(pixels[size_t(16 * texel / 5 + 2)] == (want[c] ? 0xffffffffu : 0u));
            }
        }
        s.textures({texture});
        s.context->bind_program(plain.get());
        s.begin();
        cover(s, 0, 0, 1, 1);
        const auto pixels = s.pixels();
        for (const int texel : {0, 1, 2, 3, 4})
            CHECK(std::fabs(channel(pixels[size_t(16 * texel / 5 + 2)], 0) - depths[texel]) <= 1.01f / 255);
    }
}

TEST_CASE("textures: queries of the level, before and after the limits") {
    Scene s(16, 16);
    if (s.older_than(30)) return;
    const auto texture = s.image(kRgba, 64, 64, bind::kSampled, 4);
    s.draw_program(
        "#version 300 es\nin vec4 position; in vec4 color; out vec4 at;\n"
        "void main() { gl_Position = position; at = color; }\n",
        "#version 300 es\n#extension GL_EXT_texture_query_lod : require\n"
        "precision highp float; in vec4 at; out vec4 c; uniform highp sampler2D t;\n"
        "void main() { c = vec4(textureQueryLOD(t, at.xy) / 16.0 + 0.5, 0, 1); }\n");
    struct Case {
        float texels;  // of a pixel
        float max_lod;
        float level, lod;
    };
    for (const Case& c :
         {Case{4, 16, 2, 2}, {256, 16, 3, 8}, {0.25f, 16, 0, -2}, {8, 1, 1, 3}, {3, 16, 2, 1.585f}}) {
        CAPTURE(c.texels);
        s.textures(
            {texture},
            {.min = Filter::Linear, .mag = Filter::Linear, .mip = MipFilter::Nearest, .max_lod = c.max_lod});
        s.begin();
        const float end = c.texels * 16 / 64;
        cover(s, 0, 0, end, end);
        const uint32_t pixel = s.pixels()[5 * 16 + 5];
        CHECK(std::fabs((channel(pixel, 0) - 0.5f) * 16 - c.level) < 0.1f);
        CHECK(std::fabs((channel(pixel, 1) - 0.5f) * 16 - c.lod) < 0.1f);
    }
}
