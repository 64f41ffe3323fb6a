// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Every format that a device supports, in several sizes: cleared and drawn, sampled, read as vertices.
// Expected values come only from pipe/format.h.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
using pipe::Format;
using pipe::ResourceKind;
namespace bind = pipe::bind;

namespace {

struct Size {
    uint32_t w, h;
};
constexpr Size kSizes[] = {{1, 1}, {3, 5}, {70, 70}, {257, 129}, {2000, 3}};

/// Of each block size one format is also drawn in large images.
bool at_this_size(const pipe::FormatInfo& f, const Size& size) {
    if (size.w * size.h < 10000) return true;
    for (size_t n = 1; n < size_t(f.format); ++n) {
        const pipe::FormatInfo& earlier = pipe::format_info(Format(n));
        if (!earlier.is_vertex_only && !earlier.is_compressed && earlier.block_B == f.block_B &&
            earlier.is_pure_int() == f.is_pure_int() && earlier.is_srgb == f.is_srgb &&
            earlier.is_depth_stencil() == f.is_depth_stencil())
            return false;
    }
    return true;
}

/// The tolerance of conversions: one step of the channel with the fewest bits.
float step_of(const pipe::FormatInfo& f) {
    float step = 1e-5f;
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned bits = f.component_bits(c);
        if (!bits || f.swizzle[c] > pipe::Swizzle::Channel3) continue;
        const pipe::ChannelType type = f.channel[size_t(f.swizzle[c])].type;
        if (type == pipe::ChannelType::Unorm) step = std::max(step, 1.0f / float((uint64_t(1) << bits) - 1));
        if (type == pipe::ChannelType::Snorm)
            step = std::max(step, 1.0f / float((uint64_t(1) << (bits - 1)) - 1));
        if (type == pipe::ChannelType::Float)
            step = std::max(step, bits >= 32 ? 1e-6f : bits == 16 ? 1.0f / 1024 : 1.0f / 32);
    }
    return f.is_srgb ? 2.5f * step : step;
}

using Value = std::array<float, 4>;

/// The colour after it was stored in the format and read again.
Value stored(const pipe::FormatInfo& f, const Value& v) {
    uint8_t bytes[16] = {};
    Value out;
    if (f.is_pure_int()) {
        int32_t in[4], back[4];
        for (unsigned c = 0; c < 4; ++c)
            in[c] = int32_t(v[c]);
        if (f.is_pure_uint)
            pipe::pack_rgba_u32(f.format, bytes, reinterpret_cast<uint32_t*>(in), 1);
        else
            pipe::pack_rgba_s32(f.format, bytes, in, 1);
        pipe::unpack_rgba_s32(f.format, back, bytes, 1);
        std::copy_n(back, 4, out.data());
        return out;
    }
    pipe::pack_rgba_f32(f.format, bytes, v.data(), 1);
    pipe::unpack_rgba_f32(f.format, out.data(), bytes, 1);
    return out;
}

/// One row of a level.
std::vector<Value> read_row(Scene& s, pipe::Resource& r, uint32_t level, int32_t y, int32_t z) {
    const pipe::Box all = level_box(r.desc, level);
    const auto w = size_t(all.width);
    std::vector<Value> out(w);
    const pipe::Mapping m = s.context->map(r, level, {0, y, z, all.width, 1, 1}, pipe::map_flag::kRead);
    REQUIRE(m.data);
    const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
    if (f.is_pure_int()) {
        std::vector<std::array<int32_t, 4>> ints(w);
        pipe::unpack_rgba_s32(f.format, ints[0].data(), m.data, w);
        for (size_t x = 0; x < w; ++x)
            std::copy(ints[x].begin(), ints[x].end(), out[x].begin());
    } else {
        pipe::unpack_rgba_f32(f.format, out[0].data(), m.data, w);
    }
    s.context->unmap(r, m);
    return out;
}

void set(pipe::ClearColor* c, const pipe::FormatInfo& f, const Value& v) {
    for (unsigned i = 0; i < 4; ++i)
        if (f.is_pure_int())
            c->i[i] = int32_t(v[i]);
        else
            c->f[i] = v[i];
}

/// Programs that draw a uniform colour, for targets of floats, of unsigned and of signed integers.
struct Painter {
    explicit Painter(Scene& s) : s(s) {
        const std::string vs = "attribute vec4 position; void main() { gl_Position = position; }\n",
                          new_vs =
                              "#version 300 es\nin vec4 position; void main() { gl_Position = position; }\n";
        programs[0] =
            s.link(vs, "precision highp float; uniform vec4 u; void main() { gl_FragColor = u; }\n");
        if (s.caps().gles_version < 30) return;
        const std::string head = "#version 300 es\nprecision highp float; precision highp int; ";
        programs[1] = s.link(new_vs, head + "uniform uvec4 u; out uvec4 c; void main() { c = u; }\n");
        programs[2] = s.link(new_vs, head + "uniform ivec4 u; out ivec4 c; void main() { c = u; }\n");
    }
    /// Draws a rectangle, in pixels, to a target of this size.
    void rectangle(const pipe::FormatInfo& f, uint32_t w, uint32_t h, float x0, float y0, float x1, float y1,
                   const Value& v, float depth = 0.5f) {
        s.context->bind_program(programs[f.is_pure_uint ? 1 : f.is_pure_sint ? 2 : 0].get());
        uint32_t words[4];
        for (unsigned c = 0; c < 4; ++c)
            words[c] = f.is_pure_int() ? uint32_t(int32_t(v[c])) : std::bit_cast<uint32_t>(v[c]);
        s.context->set_uniforms(pipe::Stage::Fragment, words);
        const auto at = [&](float x, float y) {
            Vertex o;
            o.position[0] = 2 * x / float(w) - 1, o.position[1] = 2 * y / float(h) - 1;
            o.position[2] = 2 * depth - 1;
            return o;
        };
        s.draw(pipe::Primitive::TriangleStrip, {at(x0, y0), at(x1, y0), at(x0, y1), at(x1, y1)});
    }
    Scene& s;
    std::array<pipe::Ref<pipe::Program>, 3> programs;
};

pipe::RenderPassDesc pass_of(pipe::Resource& r, uint32_t level = 0, uint32_t layer = 0) {
    pipe::RenderPassDesc p;
    p.color_count = 1;
    p.color[0].resource = &r;
    p.color[0].format = r.desc.format;
    p.color[0].level = level;
    p.color[0].first_layer = layer;
    p.color[0].load = pipe::LoadOp::Clear;
    p.width = std::max(1u, r.desc.width >> level);
    p.height = std::max(1u, r.desc.height >> level);
    return p;
}

bool near(const Value& a, const Value& b, float step) {
    for (unsigned c = 0; c < 4; ++c)
        if (!(std::fabs(a[c] - b[c]) <= step * 1.01f * std::max(1.0f, std::fabs(a[c])))) return false;
    return true;
}

}  // namespace

TEST_CASE("formats: every colour format is cleared, whole and in part, and drawn") {
    Scene s;
    Painter painter(s);
    unsigned formats = 0;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const pipe::FormatInfo& f = pipe::format_info(Format(n));
        if (!s.supports(f.format, bind::kColor) || (f.is_pure_int() && s.older_than(30))) continue;
        CAPTURE(std::string(f.name));
        ++formats;
        const bool ints = f.is_pure_int();
        // Only as exact as the format can store it.
        const Value a = ints ? Value{1, 2, 3, 1} : Value{1, 0, 0.25f, 1},
                    b = ints ? Value{0, 1, 7, 2} : Value{0, 1, 1, 0},
                    c = ints ? Value{5, 0, 1, 0} : Value{0.5f, 1, 0, 1};
        const Value want_a = stored(f, a), want_b = stored(f, b), want_c = stored(f, c);
        const float step = ints ? 0 : step_of(f);
        for (const Size& size : kSizes) {
            if (!at_this_size(f, size)) continue;
            CAPTURE(size.w);
            for (const uint32_t linear : {0u, uint32_t(bind::kLinear)}) {
                if ((linear && size.w != 70) || !s.supports(f.format, bind::kColor | linear)) continue;
                const auto r = s.resource(
                    {.format = f.format, .width = size.w, .height = size.h, .bind = bind::kColor | linear});
                pipe::RenderPassDesc p = pass_of(*r);
                set(&p.clear_color[0], f, a);
                s.viewport(0, 0, int32_t(size.w), int32_t(size.h));
                s.context->begin_render_pass(p);
                const uint32_t w = (size.w + 1) / 2, h = (size.h + 1) / 2;
                painter.rectangle(f, size.w, size.h, 0, 0, float(w), float(h), b);
                pipe::ClearInfo info;
                info.attachments = pipe::attachment_bit::kColor0;
                set(&info.color[0], f, c);
                info.scissored = true;
                info.scissor = {int32_t(w / 2), int32_t(h / 2), int32_t(size.w), int32_t(h)};
                s.context->clear(info);
                s.context->end_render_pass();
                size_t wrong = 0;
                for (uint32_t y = 0; y < size.h; ++y) {
                    const std::vector<Value> row = read_row(s, *r, 0, int32_t(y), 0);
                    for (uint32_t x = 0; x < size.w; ++x) {
                        const Value& want = x >= w / 2 && y >= h / 2 && y < h ? want_c
                                            : x < w && y < h                  ? want_b
                                                                              : want_a;
                        wrong += !near(want, row[x], step);
                    }
                }
                CHECK(wrong == 0);
            }
        }
    }
    CHECK(formats > 20);
}

TEST_CASE("formats: every format of depth and stencil is cleared and drawn") {
    Scene s;
    Painter painter(s);
    const pipe::FormatInfo& none = pipe::format_info(Format::R8G8B8A8_UNORM);
    pipe::DepthStencilDesc d{.depth_test = true, .depth_write = true, .stencil_test = true};
    d.depth_compare = pipe::Compare::Always;
    d.front.pass = d.back.pass = pipe::StencilOp::Replace;
    s.depth_stencil(d);
    s.context->set_stencil_ref(9, 9);
    unsigned formats = 0;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const pipe::FormatInfo& f = pipe::format_info(Format(n));
        if (!s.supports(f.format, bind::kDepthStencil)) continue;
        CAPTURE(std::string(f.name));
        ++formats;
        for (const Size& size : kSizes) {
            if (!at_this_size(f, size)) continue;
            CAPTURE(size.w);
            const auto r = s.resource(
                {.format = f.format, .width = size.w, .height = size.h, .bind = bind::kDepthStencil});
            pipe::RenderPassDesc p;
            p.depth_stencil.resource = r.get();
            p.depth_stencil.format = f.format;
            p.depth_stencil.load = p.stencil_load = pipe::LoadOp::Clear;
            p.clear_depth = 0.75f;
            p.clear_stencil = 5;
            p.width = size.w, p.height = size.h;
            s.viewport(0, 0, int32_t(size.w), int32_t(size.h));
            s.context->begin_render_pass(p);
            const uint32_t w = (size.w + 1) / 2;
            painter.rectangle(none, size.w, size.h, 0, 0, float(w), float(size.h), {}, 0.25f);
            s.context->end_render_pass();
            size_t wrong = 0;
            const pipe::Mapping m =
                s.context->map(*r, 0, {0, 0, 0, int32_t(size.w), int32_t(size.h), 1}, pipe::map_flag::kRead);
            REQUIRE(m.data);
            std::vector<float> depth(size.w);
            std::vector<uint8_t> stencil(size.w);
            for (uint32_t y = 0; y < size.h; ++y) {
                const void* const row = static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B;
                if (f.has_depth) pipe::unpack_depth_f32(f.format, depth.data(), row, size.w);
                if (f.has_stencil) pipe::unpack_stencil_u8(f.format, stencil.data(), row, size.w);
                for (uint32_t x = 0; x < size.w; ++x) {
                    wrong += f.has_depth && std::fabs(depth[x] - (x < w ? 0.25f : 0.75f)) > 1.01f / 65535;
                    wrong += f.has_stencil && stencil[x] != (x < w ? 9 : 5);
                }
            }
            s.context->unmap(*r, m);
            CHECK(wrong == 0);
        }
    }
    CHECK(formats > 1);
}

TEST_CASE("formats: levels, layers, slices and faces are each drawn to separately") {
    Scene s;
    Painter painter(s);
    for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Tex2DArray, ResourceKind::Tex3D,
                                    ResourceKind::Cube, ResourceKind::CubeArray})
        for (const Format format : {Format::R8G8B8A8_UNORM, Format::R8_UNORM, Format::R16G16B16A16_FLOAT}) {
            const pipe::FormatInfo& f = pipe::format_info(format);
            CAPTURE(unsigned(kind));
            CAPTURE(std::string(f.name));
            pipe::ResourceDesc d{
                .kind = kind,
                .format = format,
                .width = 41,
                .height = kind == ResourceKind::Cube || kind == ResourceKind::CubeArray ? 41u : 23u,
                .levels = 4,
                .bind = bind::kColor | bind::kSampled};
            if (kind == ResourceKind::Tex2DArray) d.layers = 5;
            if (kind == ResourceKind::Tex3D) d.depth = 6;
            if (kind == ResourceKind::Cube) d.layers = 6;
            if (kind == ResourceKind::CubeArray) d.layers = 12;
            if (!s.supports(format, d.bind, 1, kind)) continue;
            const auto r = s.resource(d);
            const auto value = [&](uint32_t level, int32_t z) {
                const float v = float(level * 16 + uint32_t(z)) / 255;
                return Value{v, 1 - v, v / 2, 1};
            };
            for (uint32_t level = 0; level < d.levels; ++level)
                for (int32_t z = 0; z < level_box(d, level).depth; ++z) {
                    pipe::RenderPassDesc p = pass_of(*r, level, uint32_t(z));
                    s.viewport(0, 0, int32_t(p.width), int32_t(p.height));
                    s.context->begin_render_pass(p);
                    painter.rectangle(f, p.width, p.height, 0, 0, float(p.width), float((p.height + 1) / 2),
                                      value(level, z));
                    s.context->end_render_pass();
                }
            for (uint32_t level = 0; level < d.levels; ++level) {
                const pipe::Box all = level_box(d, level);
                for (int32_t z = 0; z < all.depth; ++z) {
                    CAPTURE(level);
                    CAPTURE(z);
                    const Value drawn = stored(f, value(level, z)), clear = stored(f, {0, 0, 0, 0});
                    size_t wrong = 0;
                    for (int32_t y = 0; y < all.height; ++y)
                        for (const Value& v : read_row(s, *r, level, y, z))
                            wrong += !near(y < (all.height + 1) / 2 ? drawn : clear, v, step_of(f));
                    CHECK(wrong == 0);
                }
            }
        }
}

namespace {

/// Draws each texel of a texture to the same place of a target of floats or integers.
struct Copier {
    explicit Copier(Scene& s) : s(s) {
        programs[0] = s.link("attribute vec4 position; void main() { gl_Position = position; }\n",
                             "precision highp float; uniform highp sampler2D t; uniform vec4 u;\n"
                             "void main() { gl_FragColor = texture2D(t, gl_FragCoord.xy * u.xy); }\n");
        if (s.caps().gles_version < 30) return;
        const std::string vs = "#version 300 es\nin vec4 position; void main() { gl_Position = position; }\n",
                          head = "#version 300 es\nprecision highp float; precision highp int; ",
                          body = "4 c; void main() { c = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }\n";
        programs[1] = s.link(vs, head + "uniform highp usampler2D t; out uvec" + body);
        programs[2] = s.link(vs, head + "uniform highp isampler2D t; out ivec" + body);
    }
    /// 32 bits a channel.
    std::vector<uint32_t> run(const pipe::Ref<pipe::Resource>& texture, unsigned kind) {
        constexpr Format kTargets[] = {Format::R32G32B32A32_FLOAT, Format::R32G32B32A32_UINT,
                                       Format::R32G32B32A32_SINT};
        const uint32_t w = texture->desc.width, h = texture->desc.height;
        const auto target =
            s.resource({.format = kTargets[kind], .width = w, .height = h, .bind = bind::kColor});
        s.textures({texture});
        s.context->bind_program(programs[kind].get());
        const float scale[4] = {1 / float(w), 1 / float(h), 0, 0};
        uint32_t words[4];
        std::memcpy(words, scale, sizeof words);
        // The other programs have no uniforms except for the window's origin.
        s.context->set_uniforms(pipe::Stage::Fragment, kind ? std::span<const uint32_t>() : words);
        s.viewport(0, 0, int32_t(w), int32_t(h));
        s.context->begin_render_pass(pass_of(*target));
        std::vector<Vertex> v(4);
        for (unsigned i = 0; i < 4; ++i)
            v[i].position[0] = i & 1 ? 1 : -1, v[i].position[1] = i >> 1 ? 1 : -1;
        s.draw(pipe::Primitive::TriangleStrip, v);
        s.context->end_render_pass();
        const pipe::Box all = level_box(target->desc, 0);
        const Picture p = read_picture(*s.context, *target, 0, all);
        std::vector<uint32_t> out(p.bytes.size() / 4);
        std::memcpy(out.data(), p.bytes.data(), p.bytes.size());
        return out;
    }
    Scene& s;
    std::array<pipe::Ref<pipe::Program>, 3> programs;
};

}  // namespace

TEST_CASE("formats: every texture format is sampled as it was written") {
    Scene s;
    Copier copier(s);
    std::mt19937 random(5);
    unsigned formats = 0;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const pipe::FormatInfo& f = pipe::format_info(Format(n));
        if (!f.is_color || !s.supports(f.format, bind::kSampled)) continue;
        if (f.is_pure_int() && s.older_than(30)) continue;
        CAPTURE(std::string(f.name));
        ++formats;
        for (const Size& size : kSizes) {
            if (!at_this_size(f, size)) continue;
            CAPTURE(size.w);
            for (const uint32_t linear : {0u, uint32_t(bind::kLinear)}) {
                if ((linear && size.w != 70) || !s.supports(f.format, bind::kSampled | linear)) continue;
                const auto r = s.resource(
                    {.format = f.format, .width = size.w, .height = size.h, .bind = bind::kSampled | linear});
                const pipe::Box all = level_box(r->desc, 0);
                Picture p = random_picture(f.format, all, random);
                const auto count = size_t(size.w) * size.h;
                std::vector<Value> want(count);
                if (!f.is_compressed && !f.is_pure_int()) {
                    std::vector<Value> values(count);
                    for (Value& v : values)
                        for (float& c : v)
                            c = float(random() % 1024) / 1023;
                    for (uint32_t y = 0; y < size.h; ++y)
                        pipe::pack_rgba_f32(f.format, p.row(y, 0), values[size_t(y) * size.w].data(), size.w);
                }
                write_picture(*s.context, *r, 0, all, p);
                std::vector<uint32_t> bits(count * 4);
                const unsigned kind = f.is_pure_uint ? 1 : f.is_pure_sint ? 2 : 0;
                for (uint32_t y = 0; y < size.h && kind; ++y)
                    if (kind == 1)
                        pipe::unpack_rgba_u32(f.format, &bits[size_t(y) * size.w * 4], p.row(y, 0), size.w);
                    else
                        pipe::unpack_rgba_s32(f.format,
                                              reinterpret_cast<int32_t*>(&bits[size_t(y) * size.w * 4]),
                                              p.row(y, 0), size.w);
                if (!kind)
                    REQUIRE(pipe::unpack_rect_f32(f.format, want[0].data(), ptrdiff_t(size.w) * 16,
                                                  p.row(0, 0), p.row_B, size.w, size.h));
                const std::vector<uint32_t> got = copier.run(r, kind);
                size_t wrong = 0;
                for (size_t i = 0; i < got.size(); ++i)
                    if (kind)
                        wrong += got[i] != bits[i];
                    else
                        wrong += !(std::fabs(std::bit_cast<float>(got[i]) - want[i / 4][i % 4]) <= 0.0006f);
                CHECK(wrong == 0);
            }
        }
    }
    CHECK(formats > 20);
}

TEST_CASE("formats: vertices of every format, also at unaligned offsets") {
    Scene s(64, 1, Format::None);
    const auto target =
        s.resource({.format = Format::R32G32B32A32_FLOAT, .width = 64, .height = 1, .bind = bind::kColor});
    const auto program = s.link(
        "attribute vec4 position; attribute vec4 color; varying vec4 v;\n"
        "void main() { gl_Position = position; gl_PointSize = 1.0; v = color; }\n",
        "precision highp float; varying vec4 v; void main() { gl_FragColor = v; }\n");
    s.context->bind_program(program.get());
    std::mt19937 random(3);
    unsigned formats = 0;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const pipe::FormatInfo& f = pipe::format_info(Format(n));
        // Formats that vertex arrays of OpenGL ES can have: equal channels, beginning with red, or
        // 2:10:10:10. Integer formats need other shaders.
        if (f.layout != pipe::FormatLayout::Plain || f.is_depth_stencil() || f.is_srgb || f.is_pure_int())
            continue;
        bool usual = true;
        for (unsigned i = 0; i < f.channel_count; ++i)
            usual &= f.channel[i].letter == "RGBA"[i] &&
                     (f.channel[i].bits == f.channel[0].bits
                          ? f.channel[i].bits >= 8
                          : std::string_view(f.name).starts_with("R10G10B10A2"));
        if (!usual || (f.channel[0].bits == 10 && s.caps().gles_version < 30)) continue;
        CAPTURE(std::string(f.name));
        ++formats;
        for (const uint32_t shift_B : {0u, 1u, 4u}) {
            CAPTURE(shift_B);
            const uint32_t stride_B = f.block_B + shift_B;
            std::vector<uint8_t> bytes(stride_B * 64 + 8);
            for (uint8_t& v : bytes)
                v = uint8_t(random());
            std::vector<Value> want(64);
            for (unsigned i = 0; i < 64; ++i) {
                uint8_t* const at = &bytes[shift_B + i * stride_B];
                if (f.channel[0].type == pipe::ChannelType::Float) {
                    Value v;
                    for (float& c : v)
                        c = float(int(random() % 2048) - 1024) / 64;
                    pipe::pack_rgba_f32(f.format, at, v.data(), 1);
                }
                pipe::unpack_rgba_f32(f.format, want[i].data(), at, 1);
            }
            std::vector<float> places(64 * 2);
            for (unsigned i = 0; i < 64; ++i)
                places[2 * i] = (float(i) + 0.5f) / 32 - 1;
            const auto values = s.buffer(bytes.data(), bytes.size()),
                       positions = s.buffer(places.data(), places.size() * 4);
            pipe::VertexLayoutDesc layout;
            layout.count = 2;
            layout.elements[0] = {.format = Format::R32G32_FLOAT, .buffer = 0};
            layout.elements[1] = {.format = f.format, .buffer = 1, .offset_B = shift_B};
            s.keep(s.screen->create_vertex_layout(layout),
                   [&](auto* l) { s.context->bind_vertex_layout(l); });
            const pipe::VertexBuffer buffers[] = {{positions.get(), 0, 8}, {values.get(), 0, stride_B}};
            s.context->set_vertex_buffers(buffers);
            s.context->begin_render_pass(pass_of(*target));
            const pipe::DrawRange range{0, 64, 0};
            s.context->draw({.mode = pipe::Primitive::Points}, {&range, 1});
            s.context->end_render_pass();
            const std::vector<Value> got = read_row(s, *target, 0, 0, 0);
            unsigned wrong = 0;
            for (unsigned i = 0; i < 64; ++i)
                wrong += !near(want[i], got[i], 1e-6f);
            CHECK(wrong == 0);
        }
    }
    s.context->set_vertex_buffers({});
    CHECK(formats > 30);
}
