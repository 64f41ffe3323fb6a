// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/window_setup.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "pipe/raster/polygon.h"

namespace terrazzo::units {

namespace {

constexpr unsigned kMaxCorners = 3 + 10;  // each plane adds one
constexpr unsigned kNear = 8, kFar = 9;   // the planes after the clip distances'

float as_float(uint32_t bits) {
    return std::bit_cast<float>(bits);
}

}  // namespace

// Rounds the corners of a triangle to fixed point, as its edges are. The planes of its values pass through
// the same corners, so that the weights at a covered pixel are 0 to 1 even if the triangle is very narrow
// (dEQP-GLES31, interpolate_at_centroid).
WindowVertex WindowSetup::snapped(WindowVertex v) const {
    constexpr float kLargest_px = 1 << 15, kOne = 256;  // a float represents all fixed-point numbers below it
    if (state.corners != 3 || !(v.inv_w > 0)) return v;
    if (std::fabs(v.x) < kLargest_px) v.x = float(pipe::raster::to_fixed(v.x)) / kOne;
    if (std::fabs(v.y) < kLargest_px) v.y = float(pipe::raster::to_fixed(v.y)) / kOne;
    return v;
}

WindowVertex WindowSetup::window_vertex(const View& view, const float clip[4]) const {
    if (state.transform && state.divide) return snapped(units::window_vertex(view.viewport, clip));
    WindowVertex v{clip[0], clip[1], clip[2], 1};
    if (state.divide) {
        static constexpr pipe::Viewport kNone{{1, 1, 1}, {0, 0, 0}};
        v = units::window_vertex(kNone, clip);
    } else if (state.transform) {
        v.x = v.x * view.viewport.scale[0] + view.viewport.translate[0];
        v.y = v.y * view.viewport.scale[1] + view.viewport.translate[1];
        v.z = v.z * view.viewport.scale[2] + view.viewport.translate[2];
    }
    return snapped(v);
}

WindowVertex WindowSetup::vertex_at(const View& view, const uint32_t* outputs) const {
    float clip[4];
    std::memcpy(clip, outputs + state.position, sizeof(clip));
    return window_vertex(view, clip);
}

float WindowSetup::distance(const uint32_t* outputs, unsigned i) const {
    return as_float(outputs[state.distance[i]]);
}

// Whether a cull distance is negative at all vertices.
bool WindowSetup::outside(const VertexOutputs& vertices, const uint32_t* corner, unsigned n) const {
    for (unsigned i = 0; i < 8; ++i) {
        if (!(state.cull_mask >> i & 1)) continue;
        bool all = true;
        for (unsigned k = 0; k < n; ++k)
            all &= distance(vertices.of(corner[k]), i) < 0;
        if (all) return true;
    }
    return false;
}

float WindowSetup::size_of(const VertexOutputs& vertices, uint32_t vertex) const {
    if (state.kind == PrimitiveKind::Line) return state.line_px;
    if (state.kind != PrimitiveKind::Point || state.point_size == WindowState::kNoWord) return state.point_px;
    const float size = as_float(vertices.of(vertex)[state.point_size]);
    return size > state.point_min_px ? std::min(size, state.point_max_px) : state.point_min_px;
}

// Emits a part of the primitive. Its values are interpolated between the vertices of the whole primitive.
void WindowSetup::emit(const View& view, const ClipVertex* v, const WindowVertex* whole, float size_px,
                       Shapes& shapes) const {
    WindowVertex part[3];
    for (unsigned i = 0; i < state.corners; ++i) {
        const float clip[4] = {float(v[i].position[0]), float(v[i].position[1]), float(v[i].position[2]),
                               float(v[i].position[3])};
        part[i] = window_vertex(view, clip);
    }
    const size_t before = shapes.size();
    set_up_primitive(view.setup, part, size_px, &shapes);
    for (size_t i = before; i < shapes.size(); ++i)
        std::copy_n(whole, state.corners, shapes[i].vertex);
}

void WindowSetup::clip_by_distances(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                                    Shapes& shapes) const {
    unsigned planes = state.clip_mask;
    if (view.clip_near) planes |= 1u << kNear;
    if (view.clip_far) planes |= 1u << kFar;
    ClipVertex polygon[kMaxCorners], from[kMaxCorners];
    WindowVertex whole[3];
    for (unsigned k = 0; k < state.corners; ++k) {
        const uint32_t* outputs = vertices.of(corner[k]);
        float clip[4];
        std::memcpy(clip, outputs + state.position, sizeof(clip));
        whole[k] = window_vertex(view, clip);
        if (!std::isfinite(whole[k].x + whole[k].y + whole[k].z)) return;
        std::copy_n(clip, 4, polygon[k].position);
        for (unsigned i = 0; i < 8; ++i)
            polygon[k].distance[i] = planes >> i & 1 ? double(distance(outputs, i)) : 0;
        const double z = clip[2], w = clip[3];
        polygon[k].distance[kNear] = state.depth_from_zero ? z : z + w;
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
    unsigned n = state.corners;
    for (unsigned p = 0; p < kMaxPlanes && n; ++p) {
        if (!(planes >> p & 1)) continue;
        const auto inside = [p](const ClipVertex& v) { return v.distance[p]; };
        if (state.kind == PrimitiveKind::Point)
            n = inside(polygon[0]) >= 0;
        else if (state.kind == PrimitiveKind::Line)
            n = pipe::raster::clip_segment(polygon[0], polygon[1], inside, cut) ? 2 : 0;
        else {
            std::copy_n(polygon, n, from);
            n = pipe::raster::clip_polygon<kMaxCorners>(from, n, polygon, inside, cut);
        }
    }
    const float size_px = size_of(vertices, corner[0]);
    if (state.kind != PrimitiveKind::Triangle) {
        if (n) emit(view, polygon, whole, size_px, shapes);
        return;
    }
    for (unsigned i = 1; i + 1 < n; ++i) {
        const ClipVertex part[3] = {polygon[0], polygon[i], polygon[i + 1]};
        emit(view, part, whole, size_px, shapes);
    }
}

// Replaces a triangle that is not culled by its edges or corners. Those of a clipped triangle are the edges
// or corners before clipping.
void WindowSetup::fill_as_asked(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                                Shapes& shapes) const {
    const uint16_t back_facing = shapes.front().back_facing;
    shapes.clear();
    WindowVertex v[3];
    for (unsigned k = 0; k < 3; ++k) {
        v[k] = vertex_at(view, vertices.of(corner[k]));
    }
    SetupState setup = view.setup;
    setup.kind = state.fill == Fill::Lines ? PrimitiveKind::Line : PrimitiveKind::Point;
    for (unsigned k = 0; k < 3; ++k) {
        const unsigned next = state.fill == Fill::Lines ? (k + 1) % 3 : k;
        const WindowVertex ends[2] = {v[k], v[next]};
        const size_t before = shapes.size();
        set_up_primitive(setup, ends, state.fill == Fill::Lines ? state.line_px : state.point_px, &shapes);
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
    SetupState setup = view.setup;
    setup.kind = PrimitiveKind::Triangle;
    setup.cull_front = setup.cull_back = false;
    const std::vector<Primitive> lines = std::move(shapes);
    shapes.clear();
    for (const Primitive& line : lines) {
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
            set_up_primitive(setup, drawn, 1, &shapes);
            for (size_t s = before; s < shapes.size(); ++s) {
                std::copy_n(whole, 3, shapes[s].vertex);
                for (unsigned k = 0; k < 3; ++k)
                    shapes[s].varying[k] = line.varying[corners[k].end];
                shapes[s].back_facing = 0;
            }
        }
    }
}

// Emits two triangles. The two vertices are opposite corners. Which values the hardware uses at the other
// corners is not known; here they are the first vertex's.
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
        set_up_primitive(view.setup, parts[i], 1, &shapes);
        for (size_t s = before; s < shapes.size(); ++s)
            std::copy_n(outputs[i], 3, shapes[s].varying);
    }
}

void WindowSetup::begin_batch(uint32_t words, size_t vertices) {
    const View& view = state.views[0];
    shared_ = state.kind == PrimitiveKind::Triangle && !state.rectangles && state.fill == Fill::Faces &&
              !state.clip_mask && !view.clip_near && !view.clip_far && state.view == WindowState::kNoWord &&
              state.position != WindowState::kNoWord && !view.setup.scissor.empty() && words;
    vertices_.resize(shared_ ? vertices : 0);
}

void WindowSetup::set_up_vertices(const VertexOutputs& vertices, size_t first, size_t count) {
    const View& view = state.views[0];
    for (size_t v = first; v < first + count && shared_; ++v)
        vertices_[v] = set_up_vertex(view.setup, vertex_at(view, vertices.of(uint32_t(v))));
}

void WindowSetup::set_up(const VertexOutputs& vertices, const uint32_t* corner, unsigned provoking,
                         Shapes& shapes, std::vector<DrawnPrimitive>* out) const {
    uint16_t layer = 0, view_number = 0;
    // Layers beyond the last one become 0. So a target without layers receives all primitives, whatever
    // layers the shader writes.
    if (state.layer != WindowState::kNoWord) {
        const uint32_t chosen = vertices.of(corner[provoking])[state.layer];
        layer = chosen <= state.last_layer ? uint16_t(chosen) : 0;
    }
    // With an index of 16 or more, only the primitive's position is undefined (OES_viewport_array).
    if (state.view != WindowState::kNoWord) {
        const uint32_t chosen = vertices.of(corner[provoking])[state.view];
        view_number = chosen < WindowState::kViewports ? uint16_t(chosen) : 0;
    }
    const View& view = state.views[view_number];
    if (shared_ && !state.cull_mask) {
        const SetupVertex* const v[3] = {&vertices_[corner[0]], &vertices_[corner[1]], &vertices_[corner[2]]};
        if (v[0]->inside && v[1]->inside && v[2]->inside) {
            uint16_t back_facing;
            if (!is_visible_inside(view.setup, v, &back_facing)) return;
            // All members have values, so no memory is cleared first.
            DrawnPrimitive drawn{triangle_of(view.setup, v, state.point_px, back_facing), provoking, 0, layer,
                                 0};
            for (unsigned i = 0; i < 3; ++i)
                drawn.shape.varying[i] = corner[i];
            return out->push_back(drawn);
        }
    }
    // Without a position nothing is drawn. Drivers discard primitives so if only stream output is wanted.
    if (view.setup.scissor.empty() || state.position == WindowState::kNoWord) return;
    if (state.cull_mask && outside(vertices, corner, state.corners)) return;
    shapes.clear();
    if (state.rectangles) {
        set_up_rectangle(view, vertices, corner, shapes);
    } else if (state.clip_mask || view.clip_near || view.clip_far) {
        clip_by_distances(view, vertices, corner, shapes);
    } else {
        WindowVertex v[3];
        for (unsigned k = 0; k < state.corners; ++k)
            v[k] = shared_ ? vertices_[corner[k]].window : vertex_at(view, vertices.of(corner[k]));
        set_up_primitive(view.setup, v, size_of(vertices, corner[0]), &shapes);
    }
    if (shapes.empty()) return;
    if (!state.rectangles)
        for (Primitive& shape : shapes)
            std::copy_n(corner, state.corners, shape.varying);
    if (state.line_rectangles) make_rectangles(view, shapes);
    if (shapes.empty()) return;
    if (state.fill != Fill::Faces) fill_as_asked(view, vertices, corner, shapes);
    for (const Primitive& shape : shapes)
        out->push_back({shape, provoking, 0, layer, view_number});
}

}  // namespace terrazzo::units
