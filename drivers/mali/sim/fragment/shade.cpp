// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Coverage at pixel centres (pipe/raster/edge.h), early tests, warps. What a fragment shader finds in
// registers: Mesa 25.0.7, compiler/bifrost_compile.c: r58 is 0 for front faces, r59 the pixel (x, y of 16
// bits), r60 and the low half of r61 coverage, r62 and r63 the frame's argument.
#include "drivers/mali/sim/fragment/shade.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace terrazzo::mali::sim {

namespace {

using pipe::raster::EdgeFunction;
using pipe::raster::kSubpixelHalf;
using pipe::raster::kSubpixelOne;
using pipe::raster::PixelRect;

constexpr int32_t kBlock_px = 8;
constexpr uint64_t kBlendOff = uint64_t(hw::BlendMode::Off);

int64_t center(int32_t px) {
    return int64_t(px) * kSubpixelOne + kSubpixelHalf;
}

float clamped_depth(const FragmentDraw& d, double z) {
    const bool bounds = d.zs.depth_clamp_mode == hw::DepthClampMode::Bounds;
    const double low = bounds ? d.record.low_depth_clamp : 0, high = bounds ? d.record.high_depth_clamp : 1;
    return float(z > low ? std::min(z, high) : low);
}

}  // namespace

void Area::begin(const FramebufferState& fb, int32_t x, int32_t y) {
    x0 = x;
    y0 = y;
    rect = pipe::raster::intersect(fb.bounds, {x, y, x + kArea_px, y + kArea_px});
    touched_color = touched_zs = 0;
    std::fill_n(depth, kPixels, fb.depth_clear);
    std::fill_n(stencil, kPixels, uint8_t(fb.p.s_clear));
    for (size_t t = 0; t < fb.targets.size(); ++t) {
        const TargetState& target = fb.targets[t];
        const unsigned n = target.tile.size_B;
        color[t].resize(size_t(n) * kPixels);
        std::memcpy(color[t].data(), target.clear, n);
        for (size_t done = n; done < size_t(n) * kPixels; done *= 2)
            std::memcpy(color[t].data() + done, color[t].data(), done);
    }
}

bool test_pixel(const FragmentDraw& draw, const FramebufferState& fb, Area& area, unsigned pixel,
                bool back_facing, float depth, uint8_t reference, bool update) {
    uint32_t& stored = area.depth[pixel];
    uint32_t z = stored;
    uint8_t s = area.stencil[pixel];
    bool passes;
    if (fb.p.z_internal_format == hw::ZInternalFormat::D32) {
        auto f = std::bit_cast<float>(z);
        passes = pipe::raster::test_depth_stencil(draw.test, !back_facing, reference, depth, f, s);
        z = std::bit_cast<uint32_t>(f);
    } else {
        passes =
            pipe::raster::test_depth_stencil(draw.test, !back_facing, reference, fb.depth_from(depth), z, s);
    }
    if (!update) return passes;
    if (z != stored || s != area.stencil[pixel]) area.touched_zs |= 1u << Area::tile_of(pixel);
    stored = z;
    area.stencil[pixel] = s;
    return passes;
}

bool FragmentShader::draw(const FragmentPrimitive& p, Area& area, Fault* fault) {
    if (current_ != p.draw || (p.draw->one_primitive_a_warp && quads_)) {
        if (!flush(area, fault)) return false;
        current_ = p.draw;
    }
    const PixelRect r = pipe::raster::intersect(p.bounds, area.rect);
    if (r.empty()) return true;
    if (p.kind == PrimitiveKind::Line && !p.covers_all) return cover_pixels(p, area, fault);
    for (int32_t y = r.y0 & ~(kBlock_px - 1); y < r.y1; y += kBlock_px)
        for (int32_t x = r.x0 & ~(kBlock_px - 1); x < r.x1; x += kBlock_px)
            if (!cover_block(p, area, pipe::raster::intersect(r, {x, y, x + kBlock_px, y + kBlock_px}),
                             fault))
                return false;
    return true;
}

// 8x8 pixels at most.
bool FragmentShader::cover_block(const FragmentPrimitive& p, Area& area, const PixelRect& r, Fault* fault) {
    bool inside = p.covers_all || p.kind == PrimitiveKind::Point;
    if (!inside) {
        inside = true;
        for (const EdgeFunction& e : p.triangle.edge) {
            const int64_t a = e.value(center(r.x0), center(r.y0)) + e.bias;
            const int64_t dx = e.a * kSubpixelOne * (r.x1 - 1 - r.x0),
                          dy = e.b * kSubpixelOne * (r.y1 - 1 - r.y0);
            if (a + std::max<int64_t>(dx, 0) + std::max<int64_t>(dy, 0) < 0) return true;
            inside = inside && a + std::min<int64_t>(dx, 0) + std::min<int64_t>(dy, 0) >= 0;
        }
    }
    for (int32_t y = r.y0 & ~1; y < r.y1; y += 2)
        for (int32_t x = r.x0 & ~1; x < r.x1; x += 2) {
            unsigned mask = 0;
            for (int32_t i = 0; i < 4; ++i) {
                const int32_t px = x + (i & 1), py = y + (i >> 1);
                if (r.contains(px, py) && (inside || p.triangle.covers(px, py))) mask |= 1u << i;
            }
            if (mask && !add_quad(p, area, x, y, mask, fault)) return false;
        }
    return true;
}

// Lines: by quads that hold one pixel each, or more where the line goes through twice.
bool FragmentShader::cover_pixels(const FragmentPrimitive& p, Area& area, Fault* fault) {
    uint8_t masks[Area::kPixels / 4] = {};
    pipe::raster::for_each_pixel(
        p.line, pipe::raster::intersect(p.bounds, area.rect), [&](int32_t x, int32_t y) {
            const unsigned qx = unsigned(x - area.x0) / 2, qy = unsigned(y - area.y0) / 2;
            masks[qy * (kArea_px / 2) + qx] |= uint8_t(1u << ((x & 1) + 2 * (y & 1)));
        });
    for (unsigned q = 0; q < std::size(masks); ++q)
        if (masks[q] && !add_quad(p, area, area.x0 + 2 * int32_t(q % (kArea_px / 2)),
                                  area.y0 + 2 * int32_t(q / (kArea_px / 2)), masks[q], fault))
            return false;
    return true;
}

bool FragmentShader::add_quad(const FragmentPrimitive& p, Area& area, int32_t x, int32_t y, unsigned mask,
                              Fault* fault) {
    const FragmentDraw& d = *p.draw;
    float depth[4];
    unsigned left = 0;
    for (int32_t i = 0; i < 4; ++i) {
        const int32_t px = x + (i & 1), py = y + (i >> 1);
        double z = p.depth.at(px + 0.5, py + 0.5);
        if (d.zs.depth_source == hw::DepthSource::Minimum) z = d.record.low_depth_clamp;
        if (d.zs.depth_source == hw::DepthSource::Maximum) z = d.record.high_depth_clamp;
        depth[i] = clamped_depth(d, z);
        if (!(mask >> i & 1)) continue;
        const auto reference =
            uint8_t(p.back_facing ? d.zs.back_reference_value : d.zs.front_reference_value);
        if (d.early_test && d.tests_anything &&
            !test_pixel(d, fb_, area, area.index(px, py), p.back_facing, depth[i], reference, d.early_update))
            continue;
        left |= 1u << i;
    }
    if (!left) return true;
    if (!d.late_test) passed_ += unsigned(std::popcount(left));
    if (!d.has_shader) return true;
    stage_.primitive[quads_] = &p;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned lane = quads_ * 4 + i;
        stage_.x[lane] = x + int32_t(i & 1);
        stage_.y[lane] = y + int32_t(i >> 1);
        stage_.depth[lane] = depth[i];
    }
    stage_.covered |= left << (quads_ * 4);
    return ++quads_ < kQuads || run(area, fault);
}

bool FragmentShader::flush(Area& area, Fault* fault) {
    if (quads_ && !run(area, fault)) return false;
    return !current_ || count_occlusion(*current_, fault);
}

bool FragmentShader::run(Area& area, Fault* fault) {
    const FragmentDraw& d = *current_;
    stage_.kind = StageKind::Fragment;
    stage_.shader = &d.shader;
    stage_.draw = &d;
    stage_.fb = &fb_;
    stage_.area = &area;
    stage_.samples_passed = &passed_;
    stage_.tested = 0;
    stage_.has_weights = false;
    Warp warp;
    start_warp(d.shader, core_.warp_slot, &warp);
    warp.stage = static_cast<Stage*>(&stage_);
    warp.behind = 1 << 6 | 1 << 7;
    U32 position{}, face{}, coverage{};
    for (unsigned lane = 0; lane < quads_ * 4; ++lane) {
        position[lane] = uint32_t(stage_.x[lane] & 0xffff) | uint32_t(stage_.y[lane]) << 16;
        face[lane] = stage_.primitive[lane / 4]->back_facing;
        coverage[lane] = stage_.covered >> lane & 1;
    }
    preload(d.shader, &warp, 58, face);
    preload(d.shader, &warp, 59, position);
    preload(d.shader, &warp, 60, coverage);
    preload(d.shader, &warp, 61, coverage);
    preload(d.shader, &warp, 62, wave::splat(uint32_t(fb_.p.frame_argument)));
    preload(d.shader, &warp, 63, wave::splat(uint32_t(fb_.p.frame_argument >> 32)));
    warp.special[unsigned(isa::Special::kFramebufferSize)] =
        uint64_t(uint32_t(fb_.p.bound_max_x)) | uint64_t(fb_.p.bound_max_y) << 32;
    warp.special[unsigned(isa::Special::kSample)] = fb_.p.sample_locations;
    for (unsigned i = 0; i < kMaxTargets; ++i)
        warp.special[unsigned(isa::Special::kBlendDescriptor0) + i] =
            i < d.blend.size() ? d.blend[i].internal : kBlendOff;
    const uint32_t lanes = quads_ == kQuads ? 0xffff : (1u << 4 * quads_) - 1;
    Core::start(warp, d.shader.program.binary, lanes, lanes & ~stage_.covered);
    CoreFault core_fault;
    const bool good = core_.run(warp, &core_fault) == Outcome::Done;
    quads_ = 0;
    stage_.covered = 0;
    if (good) return true;
    report(fault, d.name() + ": fragment shader: " + to_string(core_fault, d.shader.program.binary));
    return false;
}

// Counters are shared by the threads of a job; one core's is used, so that their sum is what counts.
bool FragmentShader::count_occlusion(const FragmentDraw& d, Fault* fault) {
    const uint64_t passed = std::exchange(passed_, 0);
    if (!passed || d.flags_0.occlusion_query == hw::OcclusionMode::Disabled) return true;
    uint8_t* at = core_.memory().at(d.record.occlusion, 8, Access::Write);
    if (!at || d.record.occlusion % 8) return report_access(fault, core_.memory(), "occlusion counter");
    std::atomic_ref<uint64_t> counter(*reinterpret_cast<uint64_t*>(at));
    if (d.flags_0.occlusion_query == hw::OcclusionMode::Counter)
        counter.fetch_add(passed, std::memory_order_relaxed);
    else
        counter.store(1, std::memory_order_relaxed);
    return true;
}

}  // namespace terrazzo::mali::sim
