// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Early tests and warps. Preloaded registers of fragment shaders (Mesa 25.0.7, compiler/bifrost_compile.c):
// r58 is 0 for front faces, r59 the pixel (x, y with 16 bits each), r60 and the low half of r61 the
// coverage, the third byte of r61 the sample, r62 and r63 the frame's argument.
#include "drivers/mali/sim/fragment/shade.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "drivers/common/units/count_passed.h"

namespace terrazzo::mali::sim {

namespace {

constexpr uint64_t kBlendOff = uint64_t(hw::BlendMode::Off);
// The sample that each lane shades.
U32 sample_numbers(const FragmentStage& stage) {
    U32 number{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        number[lane] = stage.sample[lane / 4];
    return number;
}

// What is interpolated will be read soon. The pending quads' primitives do not fit into the first cache.
void prefetch(const FragmentPrimitive& p) {
    for (const void* const part :
         {static_cast<const void*>(&p.weight[0]), static_cast<const void*>(&p.weight[2]),
          static_cast<const void*>(&p.varying[0])})
        __builtin_prefetch(part);
}

}  // namespace

void Area::begin(const FramebufferState& fb, int32_t x, int32_t y) {
    x0 = x;
    y0 = y;
    rect = pipe::raster::intersect(fb.bounds, {x, y, x + kArea_px, y + kArea_px});
    touched_color = touched_zs = 0;
    const unsigned n = fb.samples, row = kArea_px * n;
    depth.assign(size_t(kPixels) * n, fb.depth_clear);
    stencil.assign(size_t(kPixels) * n, uint8_t(fb.p.s_clear));
    zs = {{reinterpret_cast<uint8_t*>(depth.data()), row * sizeof depth[0], uint32_t(n * sizeof depth[0])},
          {stencil.data(), row, n},
          {x, y, x + kArea_px, y + kArea_px}};
    for (size_t t = 0; t < fb.targets.size(); ++t) {
        const TargetState& target = fb.targets[t];
        const size_t size_B = target.tile.size_B, all_B = size_B * fb.samples * kPixels;
        color[t].resize(all_B);
        std::memcpy(color[t].data(), target.clear, size_B);
        for (size_t done = size_B; done < all_B; done *= 2)
            std::memcpy(color[t].data() + done, color[t].data(), done);
    }
}

float FragmentStage::depth_of(unsigned lane) {
    for (unsigned q = 0; q < count && !has_depth; ++q) {
        const units::QuadF32 z =
            draw->tests.depth.at_quad(primitive[q]->depth, x.quad[q] + 0.5, y.quad[q] + 0.5);
        std::memcpy(&depth[4 * q], &z, sizeof z);
    }
    has_depth = true;
    return depth[lane];
}

bool FragmentShader::draw(const FragmentPrimitive& p, Area& area, Fault* fault) {
    if (testing_ != p.draw && !begin_tests(*p.draw, area, fault)) return false;
    if (p.draw->late_test && p.draw->one_primitive_a_warp && !shade_pending(area, fault)) return false;
    const FragmentDraw& d = *p.draw;
    units::PrimitiveQuads& quads = pending_.found;
    units::find_quads(p, d.pattern, area.rect, d.sample_mask, &quads);
    if (d.early_test && d.tests_anything) {
        if (d.shades_rejected)
            for (unsigned i = 0; i < quads.count; ++i) {
                units::PrimitiveQuads::Quad& q = quads.quad[i];
                q.passed = d.tests.run(p, q.x, q.y, q.covered, area.zs);
            }
        else
            d.tests.run(p, d.early_update, area.zs, quads);
        area.touched_zs |= std::exchange(area.zs.changed, 0);
    }
    PendingQuads::Quads left(quads.quad, quads.count);
    if (!d.late_test) passed_ += units::count_passed(left, fb_.samples == 1);
    if (!d.has_shader) return true;
    while (!left.empty()) {
        // With late tests, at most a warp.
        const size_t room = d.late_test ? kQuads - pending_.quads().size() : pending_.room();
        const size_t count = std::min(left.size(), room);
        pending_.add(p, left.first(count), area, fb_.samples);
        left = left.subspan(count);
        if (count == room && !shade_pending(area, fault)) return false;
    }
    return true;
}

bool FragmentShader::begin_tests(const FragmentDraw& draw, Area& area, Fault* fault) {
    if (testing_) {
        // Late tests of quads must precede the early tests of what is drawn later.
        if ((testing_->late_test || draw.late_test) && !shade_pending(area, fault)) return false;
        if (!count_occlusion(*testing_, fault)) return false;
    }
    testing_ = &draw;
    return true;
}

bool FragmentShader::shade_pending(Area& area, Fault* fault) {
    pending_.find_killed();
    const std::span<const PendingQuad> quads = pending_.quads();
    constexpr size_t kAhead = 16;
    const FragmentPrimitive* last = nullptr;
    for (size_t n = 0; n < quads.size(); ++n) {
        if (n + kAhead < quads.size() && quads[n + kAhead].primitive != quads[n + kAhead - 1].primitive)
            prefetch(*quads[n + kAhead].primitive);
        const PendingQuad& q = quads[n];
        if (!q.samples) continue;
        const FragmentPrimitive& p = *q.primitive;
        if (std::exchange(last, &p) != &p)
            for (const uint8_t* const values : p.varying)
                __builtin_prefetch(values);
        const bool other = p.draw->one_primitive_a_warp && stage_[0].count && stage_[0].primitive[0] != &p;
        if (shading_ != p.draw || other) {
            if (!run(area, fault)) return false;
            if (shading_ != p.draw) begin_shading(*p.draw);
        }
        if (!(p.draw->per_sample ? add_samples(q, area, fault) : add(q, q.samples, 0, area, fault)))
            return false;
    }
    pending_.clear();
    return run(area, fault);
}

// `sample`: which one it shades, in a draw that shades each.
bool FragmentShader::add(const PendingQuad& q, uint32_t samples, unsigned sample, Area& area, Fault* fault) {
    FragmentStage& stage = stage_[full_];
    const unsigned n = stage.count;
    stage.first_pixel[n] = q.first_pixel;
    stage.samples[n] = samples;
    stage.passed[n] = samples & q.passed;
    stage.sample[n] = uint8_t(sample);
    const unsigned pixels = fb_.samples == 1 ? units::pixels_of(samples, 0) : units::any_pixels(samples);
    const int32_t x = area.x0 + q.first_pixel % kArea_px, y = area.y0 + q.first_pixel / kArea_px;
    return !stage.add(*q.primitive, x, y, pixels) || ++full_ != bundled_ || run(area, fault);
}

bool FragmentShader::add_samples(const PendingQuad& q, Area& area, Fault* fault) {
    for (unsigned n = 0; n < fb_.samples; ++n) {
        const uint32_t one = q.samples & units::samples_of(15) << n;
        if (one && !add(q, one, n, area, fault)) return false;
    }
    return true;
}

bool FragmentShader::flush(Area& area, Fault* fault) {
    return shade_pending(area, fault) && (!testing_ || count_occlusion(*testing_, fault));
}

void FragmentShader::begin_shading(const FragmentDraw& d) {
    shading_ = &d;
    ready_ = 0;
    make_ready(warp_[0], stage_[0]);
    // Warps with memory of their own, that read what others write, or whose loads are checked, run one after
    // the other.
    bundled_ = d.one_primitive_a_warp || d.late_test || warp_[0].local_B || core_.loads ? 1 : kMostBundled;
}

void FragmentShader::make_ready(Warp& warp, FragmentStage& stage) {
    const FragmentDraw& d = *shading_;
    ++ready_;
    stage.kind = StageKind::Fragment;
    stage.shader = &d.shader;
    stage.draw = &d;
    stage.fb = &fb_;
    stage.samples_passed = &passed_;
    set_shader(d.shader, core_.warp_slot, &warp);
    warp.stage = static_cast<Stage*>(&stage);
    warp.tells_stores = true;
    warp.special[unsigned(isa::Special::kFramebufferSize)] =
        uint64_t(uint32_t(fb_.p.bound_max_x)) | uint64_t(fb_.p.bound_max_y) << 32;
    warp.special[unsigned(isa::Special::kSample)] = fb_.p.sample_locations;
    for (unsigned i = 0; i < kMaxTargets; ++i)
        warp.special[unsigned(isa::Special::kBlendDescriptor0) + i] =
            i < d.blend.size() ? d.blend[i].internal : kBlendOff;
}

void FragmentShader::start(Warp& warp, FragmentStage& stage, Area& area) {
    const FragmentDraw& d = *shading_;
    stage.area = &area;
    std::fill_n(stage.tested, kQuads, 0u);
    stage.has_weights = stage.has_depth = false;
    stage.stored_places.centers = true;
    begin_run(&warp);
    warp.earlier_slots = 1 << 6 | 1 << 7;
    if (d.shader.preloads(58)) {
        U32 face{};
        for (unsigned quad = 0; quad < stage.count; ++quad)
            for (unsigned i = 0; i < 4; ++i)
                face[4 * quad + i] = stage.primitive[quad]->back_facing;
        preload(d.shader, &warp, 58, face);
    }
    if (d.shader.preloads(59)) {
        U32 position{};
        for (unsigned lane = 0; lane < stage.count * 4; ++lane)
            position[lane] = uint32_t(stage.x[lane] & 0xffff) | uint32_t(stage.y[lane]) << 16;
        preload(d.shader, &warp, 59, position);
    }
    for (unsigned q = stage.count; q < kQuads; ++q)
        stage.samples[q] = 0;
    const U32 coverage = lanes_of_quads(stage.samples);
    preload(d.shader, &warp, 60, coverage);
    if (d.shader.preloads(61)) {
        const U32 number = d.per_sample ? sample_numbers(stage) : wave::splat(kPixelCenter);
        preload(d.shader, &warp, 61, coverage | number << 16);
    }
    preload(d.shader, &warp, 62, wave::splat(uint32_t(fb_.p.frame_argument)));
    preload(d.shader, &warp, 63, wave::splat(uint32_t(fb_.p.frame_argument >> 32)));
    const uint32_t lanes = stage.lanes();
    Core::start(warp, d.shader.program.binary, lanes, lanes & ~stage.covered);
    fragments += units::count_bits(stage.covered);
}

bool FragmentShader::run(std::span<Warp> warps, Fault* fault) {
    CoreFault core_fault;
    if (core_.run(warps, &core_fault) == Outcome::Done) return true;
    report(fault, shading_->name(),
           ": fragment shader: ", to_string(core_fault, shading_->shader.program.binary));
    return false;
}

bool FragmentShader::run(Area& area, Fault* fault) {
    const unsigned full = std::exchange(full_, 0);
    const unsigned count = full < kMostBundled && stage_[full].count ? full + 1 : full;
    for (unsigned n = 0; n < count; ++n) {
        if (n >= ready_) make_ready(warp_[n], stage_[n]);
        start(warp_[n], stage_[n], area);
    }
    const bool good =
        (!full || run(warp_.first(full), fault)) && (count == full || run(warp_.subspan(full, 1), fault));
    for (unsigned n = 0; n < count; ++n)
        stage_[n].clear();
    return good;
}

// All threads of a job share the counters. One core's counter is used: only the sum over all cores counts.
bool FragmentShader::count_occlusion(const FragmentDraw& d, Fault* fault) {
    const uint64_t passed = std::exchange(passed_, 0);
    samples_passed += passed;
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
