// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Converts GL state to pipe descriptors, and computes their hashes.
#include "state_tracker/state/state_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace terrazzo::st {
namespace {

class Hasher {
  public:
    void add(uint64_t v) {
        h_ = (h_ ^ v) * 0x9e3779b97f4a7c15ull;
        h_ ^= h_ >> 32;
    }
    void add(float f) { add(uint64_t(std::bit_cast<uint32_t>(f == 0 ? 0.0f : f))); }
    size_t value() const { return size_t(h_); }

  private:
    uint64_t h_ = 0x51ed270b0a1f39c5ull;
};

uint64_t pack(const pipe::StencilFaceDesc& f) {
    return uint64_t(f.compare) | uint64_t(f.fail) << 4 | uint64_t(f.depth_fail) << 8 |
           uint64_t(f.pass) << 12 | uint64_t(f.read_mask) << 16 | uint64_t(f.write_mask) << 24;
}

uint64_t pack(const pipe::BlendTargetDesc& t) {
    return uint64_t(t.enable) | uint64_t(t.op_rgb) << 4 | uint64_t(t.op_alpha) << 8 |
           uint64_t(t.src_rgb) << 12 | uint64_t(t.dst_rgb) << 20 | uint64_t(t.src_alpha) << 28 |
           uint64_t(t.dst_alpha) << 36 | uint64_t(t.write_mask) << 44 | uint64_t(t.advanced) << 48;
}

pipe::Compare compare(GLenum func) {
    return pipe::Compare(func - GL_NEVER);  // both have the order never, less, equal ... always
}

pipe::StencilOp stencil_op(GLenum op) {
    switch (op) {
        case GL_ZERO:
            return pipe::StencilOp::Zero;
        case GL_REPLACE:
            return pipe::StencilOp::Replace;
        case GL_INCR:
            return pipe::StencilOp::IncrClamp;
        case GL_DECR:
            return pipe::StencilOp::DecrClamp;
        case GL_INVERT:
            return pipe::StencilOp::Invert;
        case GL_INCR_WRAP:
            return pipe::StencilOp::IncrWrap;
        case GL_DECR_WRAP:
            return pipe::StencilOp::DecrWrap;
        default:
            return pipe::StencilOp::Keep;
    }
}

pipe::StencilFaceDesc stencil_face(const StencilFace& s) {
    return {compare(s.func),    stencil_op(s.fail),    stencil_op(s.depth_fail),
            stencil_op(s.pass), uint8_t(s.value_mask), uint8_t(s.write_mask)};
}

}  // namespace

size_t DescHash::operator()(const pipe::RasterDesc& d) const {
    Hasher h;
    h.add(uint64_t(d.cull) | uint64_t(d.front_ccw) << 4 | uint64_t(d.scissor) << 5 |
          uint64_t(d.depth_bias) << 6 | uint64_t(d.discard) << 7 | uint64_t(d.multisample) << 8 |
          uint64_t(d.program_point_size) << 9 | uint64_t(d.clip_z_zero) << 10 |
          uint64_t(d.depth_clamp) << 11 | uint64_t(d.clip_planes) << 16);
    h.add(d.depth_bias_factor);
    h.add(d.depth_bias_units);
    h.add(d.depth_bias_clamp);
    h.add(d.sample_shading);
    h.add(d.line_width_px);
    h.add(d.point_size_px);
    return h.value();
}

size_t DescHash::operator()(const pipe::DepthStencilDesc& d) const {
    Hasher h;
    h.add(uint64_t(d.depth_test) | uint64_t(d.depth_write) << 1 | uint64_t(d.stencil_test) << 2 |
          uint64_t(d.depth_clamp) << 3 | uint64_t(d.depth_compare) << 4);
    h.add(pack(d.front));
    h.add(pack(d.back));
    return h.value();
}

size_t DescHash::operator()(const pipe::BlendDesc& d) const {
    Hasher h;
    h.add(uint64_t(d.alpha_to_coverage) | uint64_t(d.alpha_to_one) << 1 | uint64_t(d.dither) << 2);
    for (const pipe::BlendTargetDesc& t : d.targets)
        h.add(pack(t));
    return h.value();
}

size_t DescHash::operator()(const pipe::VertexLayoutDesc& d) const {
    Hasher h;
    h.add(uint64_t(d.count));
    for (uint32_t i = 0; i < d.count; ++i) {
        const pipe::VertexElement& e = d.elements[i];
        h.add(uint64_t(e.format) | uint64_t(e.buffer) << 8 | uint64_t(e.offset_B) << 16);
        h.add(uint64_t(e.divisor));
    }
    return h.value();
}

namespace {

/// Whether the image in memory is upside down relative to clip coordinates: because of EXT_clip_control, or
/// because the window wants its top row first, but not if both apply.
bool turned_over(const Context& ctx) {
    return (ctx.state.clip_origin == GL_UPPER_LEFT_EXT) != rendering_info(ctx).top_down;
}

}  // namespace

pipe::Scissor in_memory(const pipe::Scissor& s, const FramebufferInfo& fb) {
    if (!fb.top_down) return s;
    const auto turned = [&](int32_t y) {
        return int32_t(std::clamp<int64_t>(int64_t(fb.height_px) - y, INT32_MIN, INT32_MAX));
    };
    return {s.x0, turned(s.y1), s.x1, turned(s.y0)};
}

pipe::RasterDesc raster_desc(const Context& ctx) {
    const State& s = ctx.state;
    pipe::RasterDesc d;
    if (s.cull_face)
        d.cull = s.cull_face_mode == GL_FRONT  ? pipe::CullFace::Front
                 : s.cull_face_mode == GL_BACK ? pipe::CullFace::Back
                                               : pipe::CullFace::Both;
    // GL's faces are those before the image is flipped, the pipe's those after it.
    d.front_ccw = (s.front_face == GL_CCW) != turned_over(ctx);
    d.clip_z_zero = s.clip_depth_mode == GL_ZERO_TO_ONE_EXT;
    d.clip_planes = s.clip_planes;
    d.scissor = std::any_of(s.viewports.begin(), s.viewports.end(),
                            [](const ViewportState& v) { return v.scissor_test; });
    d.discard = s.rasterizer_discard;
    // Disabled values stay at their defaults, so that they do not lead to different states.
    if (s.polygon_offset_fill) {
        d.depth_bias = true;
        d.depth_bias_factor = s.polygon_offset_factor;
        d.depth_bias_units = s.polygon_offset_units;
        // NaN does not clamp, as 0. Storing 0 keeps equal states equal.
        d.depth_bias_clamp = s.polygon_offset_clamp == s.polygon_offset_clamp ? s.polygon_offset_clamp : 0;
    }
    d.depth_clamp = s.depth_clamp;
    if (s.sample_shading) d.sample_shading = s.min_sample_shading;
    d.line_width_px = std::clamp(s.line_width, ctx.limits.line_width[0], ctx.limits.line_width[1]);
    return d;
}

pipe::DepthStencilDesc depth_stencil_desc(const Context& ctx, const FramebufferInfo& fb) {
    const State& s = ctx.state;
    pipe::DepthStencilDesc d;
    if (s.depth_test && fb.depth_bits) {
        d.depth_test = true;
        d.depth_write = s.depth_mask;
        d.depth_compare = compare(s.depth_func);
        d.depth_clamp = s.depth_clamp;
    }
    if (s.stencil_test && fb.stencil_bits) {
        d.stencil_test = true;
        d.front = stencil_face(s.stencil[0]);
        d.back = stencil_face(s.stencil[1]);
    }
    return d;
}

pipe::Viewport viewport(const Context& ctx, unsigned index) {
    const State& s = ctx.state;
    const ViewportState& v = s.viewports[index];
    const float w = v.box[2], h = v.box[3];
    const float n = v.depth_range[0], f = v.depth_range[1];
    const bool z_zero = s.clip_depth_mode == GL_ZERO_TO_ONE_EXT;
    const FramebufferInfo& fb = rendering_info(ctx);
    const float middle = v.box[1] + h / 2;
    return {{w / 2, turned_over(ctx) ? -(h / 2) : h / 2, z_zero ? f - n : (f - n) / 2},
            {v.box[0] + w / 2, fb.top_down ? float(fb.height_px) - middle : middle, z_zero ? n : (f + n) / 2},
            {std::min(n, f), std::max(n, f)}};
}

pipe::Scissor scissor(const Context& ctx, unsigned index) {
    const GLint* b = ctx.state.viewports[index].scissor;
    auto end = [](GLint at, GLint size) { return int32_t(std::min<int64_t>(int64_t(at) + size, INT32_MAX)); };
    return in_memory({b[0], b[1], end(b[0], b[2]), end(b[1], b[3])}, rendering_info(ctx));
}

uint8_t stencil_ref(GLint ref, unsigned stencil_bits) {
    return uint8_t(std::clamp(ref, 0, GLint((1u << std::min(stencil_bits, 8u)) - 1)));
}

}  // namespace terrazzo::st
