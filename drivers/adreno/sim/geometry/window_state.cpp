// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/window_state.h"

#include <algorithm>
#include <cmath>

#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

using units::PrimitiveKind;
using units::WindowState;

constexpr int32_t kMaxWindow_px = 16384;

// Scissors name their last pixel, not the next one.
bool decode_view(const Registers& r, unsigned i, const WindowState& w, WindowState::View* out, Fault* fault) {
    RegisterReader in(r, fault);
    const float z_scale = in.get<hw::GRAS_CL_VPORT_ZSCALE>(i).value,
                z_offset = in.get<hw::GRAS_CL_VPORT_ZOFFSET>(i).value;
    out->viewport = {
        {in.get<hw::GRAS_CL_VPORT_XSCALE>(i).value, in.get<hw::GRAS_CL_VPORT_YSCALE>(i).value, z_scale},
        {in.get<hw::GRAS_CL_VPORT_XOFFSET>(i).value, in.get<hw::GRAS_CL_VPORT_YOFFSET>(i).value, z_offset}};
    const auto clip = in.get<hw::GRAS_CL_CNTL>();
    const auto control = in.get<hw::GRAS_SU_CNTL>();
    const pipe::raster::PixelRect screen =
        in.rect<hw::GRAS_SC_SCREEN_SCISSOR_TL, hw::GRAS_SC_SCREEN_SCISSOR_BR>(i);
    const pipe::raster::PixelRect view =
        in.rect<hw::GRAS_SC_VIEWPORT_SCISSOR_TL, hw::GRAS_SC_VIEWPORT_SCISSOR_BR>(i);
    const pipe::raster::PixelRect window =
        in.rect<hw::GRAS_SC_WINDOW_SCISSOR_TL, hw::GRAS_SC_WINDOW_SCISSOR_BR>();
    if (!in) return false;
    units::SetupState& s = out->setup;
    s.kind = w.kind;
    s.cull_front = control.cull_front;
    s.cull_back = control.cull_back;
    s.front_ccw = !control.front_cw;
    s.scissor = intersect(intersect(screen, view), window);
    s.scissor = intersect(s.scissor, {0, 0, kMaxWindow_px, kMaxWindow_px});
    s.max_size_px = float(kMaxWindow_px);
    const bool clip_near = !clip.clip_disable && !clip.znear_clip_disable,
               clip_far = !clip.clip_disable && !clip.zfar_clip_disable;
    // If the viewport maps all depths to the same value, depth in window coordinates does not show what to
    // clip.
    const float near = clip.zero_gb_scale_z ? z_offset : z_offset - z_scale, far = z_offset + z_scale;
    const bool tells = w.transform && w.divide && std::isfinite(near) && std::isfinite(far) && near != far;
    out->clip_near = clip_near && !tells && w.transform;
    out->clip_far = clip_far && !tells && w.transform;
    s.low_depth_cull = tells && (near < far ? clip_near : clip_far);
    s.high_depth_cull = tells && (near < far ? clip_far : clip_near);
    s.low_depth = std::min(near, far);
    s.high_depth = std::max(near, far);
    return true;
}

bool decode_sizes(const Registers& r, WindowState* out, Fault* fault) {
    WindowState& w = *out;
    if (w.kind == PrimitiveKind::Point || w.fill == WindowState::Fill::Points) {
        RegisterReader in(r, fault);
        const auto range = in.get<hw::GRAS_SU_POINT_MINMAX>();
        const float size_px = in.get<hw::GRAS_SU_POINT_SIZE>().value;
        if (!in) return false;
        w.point_min_px = range.min;
        w.point_max_px = std::max(range.min, range.max);
        w.point_px = std::clamp(size_px, w.point_min_px, w.point_max_px);
    }
    w.line_px = std::max(2 * r.get<hw::GRAS_SU_CNTL>().linehalfwidth, 0.0f);
    if (w.line_px == 0) w.line_px = 1;
    w.line_rectangles =
        w.kind == PrimitiveKind::Line && r.get<hw::GRAS_SU_CNTL>().line_mode == hw::LineMode::RECTANGULAR;
    return true;
}

}  // namespace

bool decode_window(const Registers& r, PrimitiveKind kind, bool rectangles, const StageOutputs& outputs,
                   WindowState* out, Fault* fault) {
    WindowState& w = *out;
    w = {};
    w.kind = rectangles ? PrimitiveKind::Triangle : kind;
    w.rectangles = rectangles;
    w.corners = units::corners_of(kind);
    RegisterReader in(r, fault);
    const auto clip = in.get<hw::GRAS_CL_CNTL>();
    const auto mode = in.get<hw::PC_POLYGON_MODE>();
    if (!in) return false;
    w.transform = !clip.vp_xform_disable;
    w.divide = !clip.persp_division_disable;
    w.depth_from_zero = clip.zero_gb_scale_z;
    w.fill = kind != PrimitiveKind::Triangle || rectangles    ? WindowState::Fill::Faces
             : mode.mode == hw::PolygonMode::POLYMODE6_LINES  ? WindowState::Fill::Lines
             : mode.mode == hw::PolygonMode::POLYMODE6_POINTS ? WindowState::Fill::Points
                                                              : WindowState::Fill::Faces;
    w.position = outputs.position();
    w.point_size = outputs.point_size();
    w.layer = outputs.layer();
    w.last_layer = uint16_t(r.get<hw::GRAS_MAX_LAYER_INDEX>().value);
    w.view = outputs.view();
    w.clip_mask = outputs.clip_mask();
    w.cull_mask = outputs.cull_mask();
    for (unsigned i = 0; i < 8; ++i)
        w.distance[i] = outputs.distance(i);
    if (!decode_sizes(r, &w, fault)) return false;
    const unsigned views = w.view == WindowState::kNoWord ? 1 : WindowState::kViewports;
    for (unsigned i = 0; i < views; ++i) {
        // A driver writes only the viewports that a shader may choose.
        if (i && !r.is_set(hw::GRAS_CL_VPORT_XSCALE::at(i))) {
            w.views[i] = w.views[0];
            w.views[i].setup.scissor = {};
        } else if (!decode_view(r, i, w, &w.views[i], fault)) {
            return false;
        }
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
