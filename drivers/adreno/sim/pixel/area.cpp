// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/pixel/area.h"

namespace terrazzo::adreno::sim {

namespace {

bool refused(const PixelState& state, const Target& t, const std::string& why, Fault* fault) {
    fail(fault, FaultKind::Memory, t.name, "[", t.number, "]: ", why);
    return in_draw(state.draw, fault);
}

}  // namespace

const Target& target_of(const PixelState& state, unsigned plane) {
    return plane < kMaxTargets     ? state.color[plane].target
           : plane == Area::kDepth ? state.depth_target
                                   : state.stencil_target;
}

bool Area::begin(const PixelState& state, const pipe::raster::PixelRect& area, bool load_colors,
                 window::Window& memory, std::vector<uint8_t>& gmem, Fault* fault) {
    rect = area;
    const auto w = uint32_t(rect.x1 - rect.x0), h = uint32_t(rect.y1 - rect.y0);
    for (unsigned n = 0; n < kPlanes; ++n) {
        const Target& t = target_of(state, n);
        Plane& p = plane[n];
        p.changed = false;
        p.origin = nullptr;
        if (!t.used) continue;
        p.pixel_B = t.surface.pixel_B();
        if (state.in_gmem) {
            // load_place() and finish() checked that the bin contains it.
            const SurfaceDesc& d = t.surface.desc();
            p.row_B = d.pitch_B;
            p.origin = gmem.data() + d.gmem_offset_B + size_t(rect.y0 - state.offset_y) * p.row_B +
                       size_t(rect.x0 - state.offset_x) * p.pixel_B;
            continue;
        }
        p.row_B = size_t(w) * p.pixel_B;
        p.own.resize(p.row_B * h);
        p.origin = p.own.data();
        if (n < kMaxTargets && !load_colors) continue;
        std::string why;
        if (!t.surface.read(memory, gmem, rect, p.origin, p.row_B, &why))
            return refused(state, t, why, fault);
    }
    zs = {plane[kDepth], plane[kStencil], rect};
    return true;
}

bool Area::end(const PixelState& state, window::Window& memory, std::vector<uint8_t>& gmem, Fault* fault) {
    for (unsigned n = 0; n < kPlanes; ++n) {
        const Target& t = target_of(state, n);
        const bool changed = n < kMaxTargets ? plane[n].changed : zs.changed != 0;
        if (!t.used || state.in_gmem || !changed) continue;
        std::string why;
        if (!t.surface.write(memory, gmem, rect, plane[n].origin, plane[n].row_B, &why))
            return refused(state, t, why, fault);
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
