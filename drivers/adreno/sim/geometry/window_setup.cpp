// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/window_setup.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "pipe/raster/polygon.h"

namespace terrazzo::adreno::sim {

namespace {

using units::PrimitiveKind;
using units::WindowVertex;

constexpr unsigned kMaxCorners = 3 + 10;  // each plane adds one
constexpr unsigned kNear = 8, kFar = 9;   // planes after those of the clip distances
constexpr int32_t kMaxWindow_px = 16384;

float as_float(uint32_t bits) {
    return std::bit_cast<float>(bits);
}

// Scissors name their last pixel, not the next one.
template <class TopLeft, class BottomRight>
pipe::raster::PixelRect rect_of(const TopLeft& tl, const BottomRight& br) {
    return {int32_t(tl.x), int32_t(tl.y), int32_t(br.x) + 1, int32_t(br.y) + 1};
}

}  // namespace

bool WindowSetup::decode_view(const Registers& r, unsigned i, View* out, Fault* fault) const {
    hw::GRAS_CL_VPORT_XOFFSET x_offset;
    hw::GRAS_CL_VPORT_XSCALE x_scale;
    hw::GRAS_CL_VPORT_YOFFSET y_offset;
    hw::GRAS_CL_VPORT_YSCALE y_scale;
    hw::GRAS_CL_VPORT_ZOFFSET z_offset;
    hw::GRAS_CL_VPORT_ZSCALE z_scale;
    hw::GRAS_CL_CNTL clip;
    hw::GRAS_SU_CNTL control;
    hw::GRAS_SC_SCREEN_SCISSOR_TL screen_tl;
    hw::GRAS_SC_SCREEN_SCISSOR_BR screen_br;
    hw::GRAS_SC_VIEWPORT_SCISSOR_TL view_tl;
    hw::GRAS_SC_VIEWPORT_SCISSOR_BR view_br;
    hw::GRAS_SC_WINDOW_SCISSOR_TL window_tl;
    hw::GRAS_SC_WINDOW_SCISSOR_BR window_br;
    if (!r.require(&x_offset, fault, i) || !r.require(&x_scale, fault, i) ||
        !r.require(&y_offset, fault, i) || !r.require(&y_scale, fault, i) ||
        !r.require(&z_offset, fault, i) || !r.require(&z_scale, fault, i) || !r.require(&clip, fault) ||
        !r.require(&control, fault) || !r.require(&screen_tl, fault, i) || !r.require(&screen_br, fault, i) ||
        !r.require(&view_tl, fault, i) || !r.require(&view_br, fault, i) || !r.require(&window_tl, fault) ||
        !r.require(&window_br, fault))
        return false;
    out->viewport = {{x_scale.value, y_scale.value, z_scale.value},
                     {x_offset.value, y_offset.value, z_offset.value}};
    units::SetupState& s = out->setup;
    s.kind = kind_;
    s.cull_front = control.cull_front;
    s.cull_back = control.cull_back;
    s.front_ccw = !control.front_cw;
    s.scissor = intersect(rect_of(screen_tl.value, screen_br.value), rect_of(view_tl.value, view_br.value));
    s.scissor = intersect(s.scissor, rect_of(window_tl.value, window_br.value));
    s.scissor = intersect(s.scissor, {0, 0, kMaxWindow_px, kMaxWindow_px});
    s.max_size_px = float(kMaxWindow_px);
    const bool clip_near = !clip.clip_disable && !clip.znear_clip_disable,
               clip_far = !clip.clip_disable && !clip.zfar_clip_disable;
    // If the viewport maps all depths to one, window coordinates do not show what is in front of the near
    // plane.
    const float near = clip.zero_gb_scale_z ? z_offset.value : z_offset.value - z_scale.value,
                far = z_offset.value + z_scale.value;
    const bool tells = transform_ && divide_ && std::isfinite(near) && std::isfinite(far) && near != far;
    out->clip_near = clip_near && !tells && transform_;
    out->clip_far = clip_far && !tells && transform_;
    s.low_depth_cull = tells && (near < far ? clip_near : clip_far);
    s.high_depth_cull = tells && (near < far ? clip_far : clip_near);
    s.low_depth = std::min(near, far);
    s.high_depth = std::max(near, far);
    return true;
}

bool WindowSetup::decode_sizes(const Registers& r, Fault* fault) {
    hw::GRAS_SU_POINT_MINMAX range;
    hw::GRAS_SU_POINT_SIZE size;
    if (kind_ == PrimitiveKind::Point || fill_ == Fill::Points) {
        if (!r.require(&range, fault) || !r.require(&size, fault)) return false;
        point_min_px_ = range.min;
        point_max_px_ = std::max(range.min, range.max);
        point_px_ = std::clamp(size.value, point_min_px_, point_max_px_);
    }
    line_px_ = std::max(2 * r.get<hw::GRAS_SU_CNTL>().linehalfwidth, 0.0f);
    if (line_px_ == 0) line_px_ = 1;
    line_rectangles_ =
        kind_ == PrimitiveKind::Line && r.get<hw::GRAS_SU_CNTL>().line_mode == hw::LineMode::RECTANGULAR;
    return true;
}

bool WindowSetup::init(Machine& machine, PrimitiveKind kind, bool rectangles, const StageOutputs& outputs,
                       Fault* fault) {
    const Registers& r = machine.registers;
    kind_ = rectangles ? PrimitiveKind::Triangle : kind;
    rectangles_ = rectangles;
    corners_ = units::corners_of(kind);
    hw::GRAS_CL_CNTL clip;
    hw::PC_POLYGON_MODE mode;
    if (!r.require(&clip, fault) || !r.require(&mode, fault)) return false;
    transform_ = !clip.vp_xform_disable;
    divide_ = !clip.persp_division_disable;
    depth_from_zero_ = clip.zero_gb_scale_z;
    fill_ = kind != PrimitiveKind::Triangle || rectangles    ? Fill::Faces
            : mode.mode == hw::PolygonMode::POLYMODE6_LINES  ? Fill::Lines
            : mode.mode == hw::PolygonMode::POLYMODE6_POINTS ? Fill::Points
                                                             : Fill::Faces;
    position_ = outputs.position();
    point_size_ = outputs.point_size();
    layer_ = outputs.layer();
    last_layer_ = uint16_t(r.get<hw::GRAS_MAX_LAYER_INDEX>().value);
    view_ = outputs.view();
    clip_mask_ = outputs.clip_mask();
    cull_mask_ = outputs.cull_mask();
    for (unsigned i = 0; i < 8; ++i)
        distance_location_[i] = outputs.distance(i);
    if (!decode_sizes(r, fault)) return false;
    const unsigned views = view_ == StageOutputs::kNoLocation ? 1 : kViewports;
    for (unsigned i = 0; i < views; ++i) {
        // A driver only writes the viewports that a shader may choose.
        if (i && !r.is_set(hw::GRAS_CL_VPORT_XSCALE::at(i))) {
            views_[i] = views_[0];
            views_[i].setup.scissor = {};
        } else if (!decode_view(r, i, &views_[i], fault)) {
            return false;
        }
    }
    return true;
}

// A triangle's values are planes through its corners at their fixed-point places, as edges have them, so that
// weights of a covered pixel are 0 to 1, however narrow it is (dEQP-GLES31, interpolate_at_centroid: no list
// of freedreno's failures has it).
WindowVertex WindowSetup::snapped(WindowVertex v) const {
    constexpr float kLargest_px = 1 << 15, kOne = 256;  // a float represents all fixed-point numbers below it
    if (corners_ != 3 || !(v.inv_w > 0)) return v;
    if (std::fabs(v.x) < kLargest_px) v.x = float(pipe::raster::to_fixed(v.x)) / kOne;
    if (std::fabs(v.y) < kLargest_px) v.y = float(pipe::raster::to_fixed(v.y)) / kOne;
    return v;
}

WindowVertex WindowSetup::window_vertex(const View& view, const float clip[4]) const {
    if (transform_ && divide_) return snapped(units::window_vertex(view.viewport, clip));
    WindowVertex v{clip[0], clip[1], clip[2], 1};
    if (divide_) {
        static constexpr pipe::Viewport kNone{{1, 1, 1}, {0, 0, 0}};
        v = units::window_vertex(kNone, clip);
    } else if (transform_) {
        v.x = v.x * view.viewport.scale[0] + view.viewport.translate[0];
        v.y = v.y * view.viewport.scale[1] + view.viewport.translate[1];
        v.z = v.z * view.viewport.scale[2] + view.viewport.translate[2];
    }
    return snapped(v);
}

WindowVertex WindowSetup::vertex_at(const View& view, const uint32_t* outputs) const {
    float clip[4];
    std::memcpy(clip, outputs + position_, sizeof(clip));
    return window_vertex(view, clip);
}

float WindowSetup::distance(const uint32_t* outputs, unsigned i) const {
    return as_float(outputs[distance_location_[i]]);
}

// Whether all vertices are beyond one cull distance.
bool WindowSetup::outside(const VertexOutputs& vertices, const uint32_t* corner, unsigned n) const {
    for (unsigned i = 0; i < 8; ++i) {
        if (!(cull_mask_ >> i & 1)) continue;
        bool all = true;
        for (unsigned k = 0; k < n; ++k)
            all &= distance(vertices.of(corner[k]), i) < 0;
        if (all) return true;
    }
    return false;
}

float WindowSetup::size_of(const VertexOutputs& vertices, uint32_t vertex) const {
    if (kind_ == PrimitiveKind::Line) return line_px_;
    if (kind_ != PrimitiveKind::Point || point_size_ == StageOutputs::kNoLocation) return point_px_;
    const float size = as_float(vertices.of(vertex)[point_size_]);
    return size > point_min_px_ ? std::min(size, point_max_px_) : point_min_px_;
}

// Emits a part of the primitive; its vertices' values stay those of the whole one.
void WindowSetup::emit(const View& view, const ClipVertex* v, const WindowVertex* whole, float size_px,
                       Shapes& shapes) const {
    WindowVertex part[3];
    for (unsigned i = 0; i < corners_; ++i) {
        const float clip[4] = {float(v[i].position[0]), float(v[i].position[1]), float(v[i].position[2]),
                               float(v[i].position[3])};
        part[i] = window_vertex(view, clip);
    }
    const size_t before = shapes.size();
    units::set_up_primitive(view.setup, part, size_px, &shapes);
    for (size_t i = before; i < shapes.size(); ++i)
        std::copy_n(whole, corners_, shapes[i].vertex);
}

void WindowSetup::clip_by_distances(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                                    Shapes& shapes) const {
    unsigned planes = clip_mask_;
    if (view.clip_near) planes |= 1u << kNear;
    if (view.clip_far) planes |= 1u << kFar;
    ClipVertex polygon[kMaxCorners], from[kMaxCorners];
    WindowVertex whole[3];
    for (unsigned k = 0; k < corners_; ++k) {
        const uint32_t* outputs = vertices.of(corner[k]);
        float clip[4];
        std::memcpy(clip, outputs + position_, sizeof(clip));
        whole[k] = window_vertex(view, clip);
        if (!std::isfinite(whole[k].x + whole[k].y + whole[k].z)) return;
        std::copy_n(clip, 4, polygon[k].position);
        for (unsigned i = 0; i < 8; ++i)
            polygon[k].distance[i] = planes >> i & 1 ? double(distance(outputs, i)) : 0;
        const double z = clip[2], w = clip[3];
        polygon[k].distance[kNear] = depth_from_zero_ ? z : z + w;
        polygon[k].distance[kFar] = w - z;
    }
    const auto cut = [](const ClipVertex& in, double d_in, const ClipVertex& out, double d_out) {
        const double t = d_in / (d_in - d_out);
        ClipVertex v;
        for (unsigned i = 0; i < 4; ++i)
            v.position[i] = in.position[i] + (out.position[i] - in.position[i]) * t;
        for (unsigned i = 0; i < kMaxPlanes; ++i)
            v.distance[i] = in.distance[i] + (out.distance[i] - in.distance[i]) * t;
        return v;
    };
    unsigned n = corners_;
    for (unsigned p = 0; p < kMaxPlanes && n; ++p) {
        if (!(planes >> p & 1)) continue;
        const auto inside = [p](const ClipVertex& v) { return v.distance[p]; };
        if (kind_ == PrimitiveKind::Point)
            n = inside(polygon[0]) >= 0;
        else if (kind_ == PrimitiveKind::Line)
            n = pipe::raster::clip_segment(polygon[0], polygon[1], inside, cut) ? 2 : 0;
        else {
            std::copy_n(polygon, n, from);
            n = pipe::raster::clip_polygon<kMaxCorners>(from, n, polygon, inside, cut);
        }
    }
    const float size_px = size_of(vertices, corner[0]);
    if (kind_ != PrimitiveKind::Triangle) {
        if (n) emit(view, polygon, whole, size_px, shapes);
        return;
    }
    for (unsigned i = 1; i + 1 < n; ++i) {
        const ClipVertex part[3] = {polygon[0], polygon[i], polygon[i + 1]};
        emit(view, part, whole, size_px, shapes);
    }
}

// The triangle is culled or not; then its edges or corners are drawn instead of it. A clipped triangle draws
// its original ones.
void WindowSetup::fill_as_asked(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                                Shapes& shapes) const {
    const uint32_t back_facing = shapes.front().back_facing;
    shapes.clear();
    WindowVertex v[3];
    for (unsigned k = 0; k < 3; ++k) {
        v[k] = vertex_at(view, vertices.of(corner[k]));
    }
    units::SetupState setup = view.setup;
    setup.kind = fill_ == Fill::Lines ? PrimitiveKind::Line : PrimitiveKind::Point;
    for (unsigned k = 0; k < 3; ++k) {
        const unsigned next = fill_ == Fill::Lines ? (k + 1) % 3 : k;
        const WindowVertex ends[2] = {v[k], v[next]};
        const size_t before = shapes.size();
        units::set_up_primitive(setup, ends, fill_ == Fill::Lines ? line_px_ : point_px_, &shapes);
        for (size_t i = before; i < shapes.size(); ++i) {
            shapes[i].back_facing = back_facing;
            shapes[i].varying[0] = corner[k];
            shapes[i].varying[1] = shapes[i].varying[2] = corner[next];
        }
    }
}

// A line of LineMode RECTANGULAR covers samples like two triangles with half of the width on each side.
// Corners 0 and 1 of each are the line's.
void WindowSetup::make_rectangles(const View& view, Shapes& shapes) const {
    units::SetupState setup = view.setup;
    setup.kind = PrimitiveKind::Triangle;
    setup.cull_front = setup.cull_back = false;
    const std::vector<units::Primitive> lines = std::move(shapes);
    shapes.clear();
    for (const units::Primitive& line : lines) {
        constexpr float kOne = 256;
        WindowVertex part[2] = {line.vertex[0], line.vertex[1]};
        for (unsigned k = 0; k < 2; ++k) {
            part[k].x = float(line.corner[k][0]) / kOne;
            part[k].y = float(line.corner[k][1]) / kOne;
        }
        const float x = part[1].x - part[0].x, y = part[1].y - part[0].y, length = std::hypot(x, y);
        if (!(length > 0)) continue;
        const float half = line.size_px / 2 / length;
        const auto moved = [&](const WindowVertex& v, float side) {
            WindowVertex w = v;
            w.x -= side * y * half;
            w.y += side * x * half;
            return w;
        };
        constexpr struct {
            unsigned end;
            float side;
        } kCorners[2][3] = {{{0, 1}, {1, -1}, {0, -1}}, {{0, 1}, {1, 1}, {1, -1}}};
        for (const auto& corners : kCorners) {
            WindowVertex drawn[3], whole[3];
            for (unsigned k = 0; k < 3; ++k) {
                drawn[k] = moved(part[corners[k].end], corners[k].side);
                whole[k] = moved(line.vertex[corners[k].end], corners[k].side);
            }
            const size_t before = shapes.size();
            units::set_up_primitive(setup, drawn, 1, &shapes);
            for (size_t s = before; s < shapes.size(); ++s) {
                std::copy_n(whole, 3, shapes[s].vertex);
                for (unsigned k = 0; k < 3; ++k)
                    shapes[s].varying[k] = line.varying[corners[k].end];
                shapes[s].back_facing = 0;
            }
        }
    }
}

// Two triangles. The vertices are opposite corners; the values at the other corners are not known: they are
// the first vertex's here.
void WindowSetup::set_up_rectangle(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                                   Shapes& shapes) const {
    WindowVertex v[2];
    for (unsigned k = 0; k < 2; ++k) {
        v[k] = vertex_at(view, vertices.of(corner[k]));
    }
    WindowVertex right = v[0], left = v[0];
    right.x = v[1].x;
    left.y = v[1].y;
    const WindowVertex parts[2][3] = {{v[0], right, v[1]}, {v[0], v[1], left}};
    const uint32_t outputs[2][3] = {{corner[0], corner[0], corner[1]}, {corner[0], corner[1], corner[0]}};
    for (unsigned i = 0; i < 2; ++i) {
        const size_t before = shapes.size();
        units::set_up_primitive(view.setup, parts[i], 1, &shapes);
        for (size_t s = before; s < shapes.size(); ++s)
            std::copy_n(outputs[i], 3, shapes[s].varying);
    }
}

void WindowSetup::begin_batch(uint32_t words, size_t vertices) {
    const View& view = views_[0];
    shared_ = kind_ == PrimitiveKind::Triangle && !rectangles_ && fill_ == Fill::Faces && !clip_mask_ &&
              !view.clip_near && !view.clip_far && view_ == StageOutputs::kNoLocation &&
              position_ != StageOutputs::kNoLocation && !view.setup.scissor.empty() && words;
    vertices_.resize(shared_ ? vertices : 0);
}

void WindowSetup::set_up_vertices(const VertexOutputs& vertices, size_t first, size_t count) {
    const View& view = views_[0];
    for (size_t v = first; v < first + count && shared_; ++v)
        vertices_[v] = units::set_up_vertex(view.setup, vertex_at(view, vertices.of(uint32_t(v))));
}

void WindowSetup::set_up(const VertexOutputs& vertices, const uint32_t* corner, unsigned provoking,
                         Shapes& shapes, std::vector<DrawnPrimitive>* out) const {
    uint16_t layer = 0, view_number = 0;
    // Layers beyond the last one become 0: a target without layers gets everything, whatever shaders write.
    if (layer_ != StageOutputs::kNoLocation) {
        const uint32_t chosen = vertices.of(corner[provoking])[layer_];
        layer = chosen <= last_layer_ ? uint16_t(chosen) : 0;
    }
    // From 16 on, only the place is undefined (OES_viewport_array): Mesa's compiler passes on the shader's
    // value.
    if (view_ != StageOutputs::kNoLocation) {
        const uint32_t chosen = vertices.of(corner[provoking])[view_];
        view_number = chosen < kViewports ? uint16_t(chosen) : 0;
    }
    const View& view = views_[view_number];
    if (shared_ && !cull_mask_) {
        const units::SetupVertex* const v[3] = {&vertices_[corner[0]], &vertices_[corner[1]],
                                                &vertices_[corner[2]]};
        if (v[0]->inside && v[1]->inside && v[2]->inside) {
            DrawnPrimitive& drawn = out->emplace_back();
            if (!units::set_up_inside(view.setup, v, point_px_, &drawn.shape)) return out->pop_back();
            std::copy_n(corner, 3, drawn.shape.varying);
            drawn.provoking = provoking;
            drawn.layer = layer;
            return;
        }
    }
    // Without a position nothing is drawn: freedreno discards draws that only feed stream output in this way.
    if (view.setup.scissor.empty() || position_ == StageOutputs::kNoLocation) return;
    if (cull_mask_ && outside(vertices, corner, corners_)) return;
    shapes.clear();
    if (rectangles_) {
        set_up_rectangle(view, vertices, corner, shapes);
    } else if (clip_mask_ || view.clip_near || view.clip_far) {
        clip_by_distances(view, vertices, corner, shapes);
    } else {
        WindowVertex v[3];
        for (unsigned k = 0; k < corners_; ++k)
            v[k] = shared_ ? vertices_[corner[k]].window : vertex_at(view, vertices.of(corner[k]));
        units::set_up_primitive(view.setup, v, size_of(vertices, corner[0]), &shapes);
    }
    if (shapes.empty()) return;
    if (!rectangles_)
        for (units::Primitive& shape : shapes)
            std::copy_n(corner, corners_, shape.varying);
    if (line_rectangles_) make_rectangles(view, shapes);
    if (shapes.empty()) return;
    if (fill_ != Fill::Faces) fill_as_asked(view, vertices, corner, shapes);
    for (const units::Primitive& shape : shapes)
        out->push_back({shape, provoking, 0, layer, view_number});
}

}  // namespace terrazzo::adreno::sim
