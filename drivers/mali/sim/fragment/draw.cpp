// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, genxml/v10.xml, pan_csf.c, pan_earlyzs.c; OpenGL ES 3.2 section 13.7.5 (offset).
#include "drivers/mali/sim/fragment/draw.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/mali/sim/core/program.h"
#include "pipe/raster/clip.h"

namespace terrazzo::mali::sim {

namespace {

using pipe::raster::PixelRect;

static_assert(unsigned(hw::CompareFunc::NotEqual) == unsigned(pipe::Compare::NotEqual) &&
              unsigned(hw::CompareFunc::Lequal) == unsigned(pipe::Compare::LessEqual) &&
              unsigned(hw::CompareFunc::Always) == unsigned(pipe::Compare::Always));
pipe::Compare compare_of(hw::CompareFunc f) {
    return pipe::Compare(unsigned(f));
}
pipe::StencilOp stencil_of(hw::StencilOp op) {
    using enum hw::StencilOp;
    switch (op) {
        case Keep:
            return pipe::StencilOp::Keep;
        case Replace:
            return pipe::StencilOp::Replace;
        case Zero:
            return pipe::StencilOp::Zero;
        case Invert:
            return pipe::StencilOp::Invert;
        case IncrWrap:
            return pipe::StencilOp::IncrWrap;
        case DecrWrap:
            return pipe::StencilOp::DecrWrap;
        case IncrSat:
            return pipe::StencilOp::IncrClamp;
        case DecrSat:
            break;
    }
    return pipe::StencilOp::DecrClamp;
}

pipe::DepthStencilDesc test_of(const hw::DepthStencil& d) {
    pipe::DepthStencilDesc t;
    t.depth_test = true;
    t.depth_write = d.depth_write_enable;
    t.depth_compare = compare_of(d.depth_function);
    t.stencil_test = d.stencil_test_enable;
    t.front = {compare_of(d.front_compare_function), stencil_of(d.front_stencil_fail),
               stencil_of(d.front_depth_fail),       stencil_of(d.front_depth_pass),
               uint8_t(d.front_value_mask),          uint8_t(d.front_write_mask)};
    t.back = {compare_of(d.back_compare_function), stencil_of(d.back_stencil_fail),
              stencil_of(d.back_depth_fail),       stencil_of(d.back_depth_pass),
              uint8_t(d.back_value_mask),          uint8_t(d.back_write_mask)};
    return t;
}

bool load_blend(Window& memory, uint64_t va, unsigned count, FragmentDraw* d, Fault* fault) {
    d->blend.resize(count);
    for (unsigned i = 0; i < count; ++i) {
        const std::string name = "blend descriptor " + std::to_string(i);
        const uint64_t at = va + uint64_t(i) * hw::Blend::kSize_B;
        if (!read_struct(memory, at, &d->blend[i].d, name.c_str(), fault)) return false;
        if (!memory.read(at + 8, &d->blend[i].internal, 8)) return report_access(fault, memory, name);
        d->one_primitive_a_warp |= d->blend[i].d.internal.mode == hw::BlendMode::Shader;
    }
    return true;
}

// When tests are made, and whether the shader reads the tile buffer.
bool finish(Machine& machine, FragmentDraw* d, Fault* fault) {
    if (d->flags_0.multisample_enable && d->flags_0.evaluate_per_sample)
        return report(fault, "per-sample shading is not executed");
    if (d->flags_0.alpha_to_coverage) return report(fault, "alpha to coverage is not executed");
    d->test = test_of(d->zs);
    d->tests_anything =
        d->test.stencil_test || d->test.depth_write || d->test.depth_compare != pipe::Compare::Always;
    const bool from_shader = d->zs.depth_source == hw::DepthSource::Shader || d->zs.stencil_from_shader;
    const bool late = d->flags_0.zs_update_operation == hw::PixelKill::ForceLate || from_shader;
    d->early_update = !d->has_shader || !late;
    d->late_test = !d->early_update;
    d->early_test =
        d->early_update || (d->flags_0.pixel_kill_operation != hw::PixelKill::ForceLate && !from_shader);
    if (!d->has_shader) return true;
    d->one_primitive_a_warp |= machine.programs.find(machine.memory, d->shader.program.binary)->reads_tile;
    return true;
}

PixelRect rect_of(const hw::Scissor& s) {
    return {int32_t(s.scissor_minimum_x), int32_t(s.scissor_minimum_y), int32_t(s.scissor_maximum_x) + 1,
            int32_t(s.scissor_maximum_y) + 1};
}

}  // namespace

bool load_draw(Machine& machine, const DrawRecord& r, FragmentDraw* d, Fault* fault) {
    Window& memory = machine.memory;
    hw::Scissor scissor;
    if (!take_struct(r.scissor, &scissor, "scissor", fault)) return false;
    if (r.dcd) return load_dcd(machine, r.dcd, scissor, d, fault);
    d->record = r;
    d->scissor = rect_of(scissor);
    if (!take_struct(&r.flags_0, &d->flags_0, "DCD flags 0", fault) ||
        !take_struct(&r.flags_1, &d->flags_1, "DCD flags 1", fault) ||
        !read_struct(memory, r.depth_stencil, &d->zs, "depth and stencil descriptor", fault))
        return false;
    d->has_shader = r.fragment_spd != 0;
    if (d->has_shader) {
        ShaderAddresses a{r.fragment_spd, r.fragment_srt, 0, r.fragment_tsd, 0};
        set_fau(&a, r.fragment_fau);
        if (!load_shader(memory, a, hw::ShaderStage::Fragment, &d->shader, fault) ||
            !load_blend(memory, r.blend & ~uint64_t(15), unsigned(r.blend & 15), d, fault))
            return false;
    }
    return finish(machine, d, fault);
}

bool load_dcd(Machine& machine, uint64_t va, const hw::Scissor& scissor, FragmentDraw* d, Fault* fault) {
    Window& memory = machine.memory;
    hw::Draw draw;
    if (!read_struct(memory, va, &draw, "draw descriptor", fault)) return false;
    d->frame_shader = true;
    d->scissor = rect_of(scissor);
    d->flags_0 = draw.flags_0;
    d->flags_1 = draw.flags_1;
    d->record.low_depth_clamp = draw.minimum_z;
    d->record.high_depth_clamp = draw.maximum_z;
    d->record.occlusion = draw.occlusion;
    if (!read_struct(memory, draw.depth_stencil, &d->zs, "depth and stencil descriptor", fault)) return false;
    d->has_shader = draw.shader.shader != 0;
    if (d->has_shader) {
        const ShaderAddresses a{draw.shader.shader, draw.shader.resources, draw.shader.fau,
                                draw.shader.thread_storage, draw.shader.fau_count};
        if (!load_shader(memory, a, hw::ShaderStage::Fragment, &d->shader, fault) ||
            !load_blend(memory, draw.blend, draw.blend_count, d, fault))
            return false;
    }
    return finish(machine, d, fault);
}

namespace {

// The plane through values at three points, as the sum of weights that are 1 at one vertex.
PlaneEquation plane_of(const PlaneEquation weight[3], const float v[3]) {
    // From the first value, so that equal values stay what they are.
    PlaneEquation p;
    const double d1 = double(v[1]) - v[0], d2 = double(v[2]) - v[0];
    p.a = weight[1].a * d1 + weight[2].a * d2;
    p.b = weight[1].b * d1 + weight[2].b * d2;
    p.c = weight[1].c * d1 + weight[2].c * d2 + v[0];
    return p;
}

// Weights in the window, of the vertices where they are (not snapped where clipped).
bool window_weights(const PrimitiveRecord& r, PlaneEquation weight[3]) {
    double x[3], y[3];
    for (unsigned i = 0; i < 3; ++i) {
        x[i] = r.vertex[i].x;
        y[i] = r.vertex[i].y;
    }
    const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (area == 0 || !std::isfinite(area)) return false;
    for (unsigned i = 0; i < 3; ++i) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        weight[i].a = (y[j] - y[k]) / area;
        weight[i].b = (x[k] - x[j]) / area;
        weight[i].c = (x[j] * y[k] - x[k] * y[j]) / area;
    }
    return true;
}

pipe::Format depth_format(hw::ZInternalFormat f) {
    switch (f) {
        case hw::ZInternalFormat::D16:
            return pipe::Format::D16_UNORM;
        case hw::ZInternalFormat::D24:
            return pipe::Format::D24_UNORM_X8;
        case hw::ZInternalFormat::D32:
            break;
    }
    return pipe::Format::D32_FLOAT;
}

// A unit is what OpenGL calls r; of fixed-point depth half of it: drivers write twice the units
// (pan_cmdstream.c).
double depth_offset(const hw::DepthStencil& d, hw::ZInternalFormat format, const PlaneEquation& z,
                    const float vertex[3]) {
    if (!d.depth_bias_enable) return 0;
    const double slope = std::max(std::fabs(z.a), std::fabs(z.b));
    const float r =
        pipe::raster::depth_resolution(depth_format(format), std::max({vertex[0], vertex[1], vertex[2]}));
    const double unit = format == hw::ZInternalFormat::D32 ? r : 0.5 * r;
    double offset = slope * d.depth_factor + d.depth_units * unit;
    if (d.depth_bias_clamp > 0) offset = std::min(offset, double(d.depth_bias_clamp));
    if (d.depth_bias_clamp < 0) offset = std::max(offset, double(d.depth_bias_clamp));
    return offset;
}

bool load_triangle(const FragmentDraw& draw, hw::ZInternalFormat format, const PrimitiveRecord& r,
                   FragmentPrimitive* out) {
    const pipe::raster::FixedPoint corner[3] = {
        {r.corner[0][0], r.corner[0][1]}, {r.corner[1][0], r.corner[1][1]}, {r.corner[2][0], r.corner[2][1]}};
    PlaneEquation weight[3];
    if (!pipe::raster::setup_triangle(corner, &out->triangle) || !window_weights(r, weight)) return false;
    out->bounds = out->triangle.bounds;
    const float z[3] = {r.vertex[0].z, r.vertex[1].z, r.vertex[2].z};
    const float inv_w[3] = {r.vertex[0].inv_w, r.vertex[1].inv_w, r.vertex[2].inv_w};
    out->depth = plane_of(weight, z);
    out->depth.c += depth_offset(draw.zs, format, out->depth, z);
    out->inv_w = plane_of(weight, inv_w);
    for (unsigned i = 0; i < 3; ++i)
        out->weight[i] = {weight[i].a * inv_w[i], weight[i].b * inv_w[i], weight[i].c * inv_w[i]};
    return true;
}

void load_line(const PrimitiveRecord& r, FragmentPrimitive* out) {
    const WindowVertex &a = r.vertex[0], &b = r.vertex[1];
    out->line = pipe::raster::setup_line({r.corner[0][0], r.corner[0][1]}, {r.corner[1][0], r.corner[1][1]},
                                         r.size_px);
    // Linear along the line.
    const double dx = double(b.x) - a.x, dy = double(b.y) - a.y, length2 = dx * dx + dy * dy;
    PlaneEquation t;
    if (length2 > 0) t = {dx / length2, dy / length2, -(a.x * dx + a.y * dy) / length2};
    const auto along = [&](double v0, double v1) {
        return PlaneEquation{t.a * (v1 - v0), t.b * (v1 - v0), t.c * (v1 - v0) + v0};
    };
    out->depth = along(a.z, b.z);
    out->inv_w = along(a.inv_w, b.inv_w);
    out->weight[0] = along(a.inv_w, 0);
    out->weight[1] = along(0, b.inv_w);
    const double wide = std::max(1.0f, r.size_px) + 1;
    const auto low = [&](unsigned c) {
        return int32_t((std::min(r.corner[0][c], r.corner[1][c]) >> 8) - wide);
    };
    const auto high = [&](unsigned c) {
        return int32_t((std::max(r.corner[0][c], r.corner[1][c]) >> 8) + wide + 1);
    };
    out->bounds = {low(0), low(1), high(0), high(1)};
}

void load_point(const PrimitiveRecord& r, FragmentPrimitive* out) {
    const WindowVertex& v = r.vertex[0];
    out->point_x_px = v.x;
    out->point_y_px = v.y;
    out->bounds = pipe::raster::point_pixels(v.x, v.y, r.size_px);
    out->depth.c = v.z;
    out->inv_w.c = v.inv_w;
    out->weight[0].c = v.inv_w;
}

}  // namespace

bool load_primitive(const FragmentDraw& draw, const FramebufferState& fb, const PrimitiveRecord& r,
                    const uint8_t* varyings, FragmentPrimitive* out) {
    out->draw = &draw;
    out->kind = r.kind;
    out->back_facing = r.back_facing != 0;
    out->size_px = r.size_px;
    out->varying_size_B = draw.record.varying_size_B;
    const unsigned n = r.kind == PrimitiveKind::Triangle ? 3 : r.kind == PrimitiveKind::Line ? 2 : 1;
    out->provoking = draw.record.first_provoking_vertex ? 0 : n - 1;
    for (unsigned i = 0; i < n && varyings; ++i)
        out->varying[i] = varyings + uint64_t(r.varying[i]) * out->varying_size_B;
    switch (r.kind) {
        case PrimitiveKind::Triangle:
            if (!load_triangle(draw, fb.p.z_internal_format, r, out)) return false;
            break;
        case PrimitiveKind::Line:
            load_line(r, out);
            break;
        case PrimitiveKind::Point:
            load_point(r, out);
            break;
    }
    out->bounds = pipe::raster::intersect(out->bounds, draw.scissor);
    return !out->bounds.empty();
}

FragmentPrimitive whole_framebuffer(const FragmentDraw& draw, const FramebufferState& fb) {
    FragmentPrimitive p;
    p.draw = &draw;
    p.covers_all = true;
    p.bounds = pipe::raster::intersect(fb.bounds, draw.scissor);
    p.weight[1] = {1.0 / fb.p.width, 0, 0};
    p.weight[2] = {0, 1.0 / fb.p.height, 0};
    p.weight[0] = {-p.weight[1].a, -p.weight[2].b, 1};
    p.inv_w.c = 1;
    p.depth.c = draw.record.low_depth_clamp;
    return p;
}

}  // namespace terrazzo::mali::sim
