// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Coverage, early tests, and waves of sixteen or thirty-two quads.
#include "drivers/adreno/sim/pixel/shade.h"

#include <algorithm>
#include <span>

#include "drivers/common/units/count_passed.h"
#include "drivers/common/units/walk.h"

namespace terrazzo::adreno::sim {

bool replaces_colors(const PixelState& s, const Machine& machine, const Program& program) {
    const uint32_t all = (1u << s.samples) - 1;
    if (!s.shader.enabled || s.ordered || s.tests.any() || s.alpha_test || s.alpha_to_coverage ||
        (s.sample_mask & all) != all || s.out.sample_mask != kNoRegister ||
        machine.registers.get<hw::GRAS_LRZ_CNTL>().enable)
        return false;
    for (const ColorOutput& c : s.color)
        if (c.target.used &&
            (c.how.blend.enable || c.how.blend.write_mask != 15 || c.how.logic != units::kLogicCopy))
            return false;
    return std::none_of(program.steps.begin(), program.steps.end(),
                        [](const Step& step) { return !step.good || step.instr.info().is(isa::kKills); });
}

bool covers(const PixelState& s, const FragmentPrimitive& p, const pipe::raster::PixelRect& r) {
    using units::detail::Overlap;
    using units::detail::SampleCoverage;
    const pipe::raster::PixelRect both = intersect(p.bounds, r);
    if (both.x0 != r.x0 || both.y0 != r.y0 || both.x1 != r.x1 || both.y1 != r.y1) return false;
    if (p.covers_all) return true;
    // Wherever a pixel's samples are.
    return p.kind == units::PrimitiveKind::Triangle && s.samples <= units::kMaxSamples &&
           units::detail::overlap(p.triangle, SampleCoverage::first(r.x0), SampleCoverage::first(r.y0),
                                  SampleCoverage::last(r.x1 - 1),
                                  SampleCoverage::last(r.y1 - 1)) == Overlap::All;
}

void AreaShader::begin(const PixelState& state, uint32_t output_words, Area& area) {
    state_ = &state;
    area_ = &area;
    stage_.state = &state;
    stage_.output_words = output_words;
    stage_.batch.clear();
    stage_.batch.capacity = state.shader.lanes / 4;
    std::fill(std::begin(stage_.batch.sample), std::end(stage_.batch.sample), 0);
    knows_hidden_ = false;
    tests_early_ = state.early && state.tests.any();
    if (state.ordered) forget_drawn();
}

void AreaShader::forget_drawn() {
    for (auto& row : drew_)
        std::fill(std::begin(row), std::end(row), nullptr);
    units_.forget_texels();
}

// Called before a quad is drawn. If another primitive has drawn it, its colours are finished, so that
// textures read them; targets in memory are written back.
bool AreaShader::finish_overlapped(const FragmentPrimitive& p, int32_t x, int32_t y, Fault* fault) {
    const unsigned column = unsigned(x - area_->rect.x0 + 1) / 2, row = unsigned(y - area_->rect.y0 + 1) / 2;
    const FragmentPrimitive*& drew = drew_[row % kAreaQuads][column % kAreaQuads];
    if (drew && drew != &p) {
        if (!flush(fault) || !area_->end(*state_, targets_, units_.gmem(), fault)) return false;
        forget_drawn();
    }
    drew = &p;
    return true;
}

bool AreaShader::find_hidden(const FragmentPrimitive& p, bool* seen, Fault* fault) {
    may_hide_ = true;  // the test may write depth
    return lrz_.test(p, state_->tests.depth, area_->rect, targets_, seen, &hidden_, fault) ||
           in_draw(state_->draw, fault);
}

bool AreaShader::draw(const FragmentPrimitive& p, Fault* fault) {
    const PixelState& s = *state_;
    hidden_.clear();
    if (p.low_resolution_depth && !std::exchange(knows_hidden_, true))
        may_hide_ = lrz_.may_hide(area_->rect, s.tests.depth, targets_);
    if (p.low_resolution_depth && (may_hide_ || lrz_.may_write(p.bounds))) {
        bool seen = true;
        if (!find_hidden(p, &seen, fault)) return false;
        if (!seen) return true;
    }
    units::find_quads(p, s.pattern, area_->rect, s.sample_mask, &quads_);
    if (hidden_.any()) leave_out_hidden();
    if (tests_early_) s.tests.run(p, true, area_->zs, quads_);
    const auto quads = std::span<const Quad>(quads_.quad, quads_.count);
    if (s.early && s.counts) passed_ += units::count_passed(quads, s.samples == 1);
    if (s.early && !s.shader.enabled) return true;
    if (s.ordered || s.per_sample) return add_one_by_one(p, quads, fault);
    for (auto left = quads; !left.empty();) {
        left = left.subspan(stage_.batch.add_some(p, left, s.samples == 1));
        if (stage_.batch.full() && !run(fault)) return false;
    }
    return true;
}

bool AreaShader::add_one_by_one(const FragmentPrimitive& p, std::span<const Quad> quads, Fault* fault) {
    for (const Quad& q : quads) {
        if (state_->ordered && !finish_overlapped(p, q.x, q.y, fault)) return false;
        if (state_->per_sample ? !add_samples(p, q, fault) : !add(p, q, 0, fault)) return false;
    }
    return true;
}

void AreaShader::leave_out_hidden() {
    unsigned count = 0;
    for (unsigned i = 0; i < quads_.count; ++i) {
        quads_.quad[count] = quads_.quad[i];
        count += !hidden_.has(quads_.quad[i].x, quads_.quad[i].y);
    }
    quads_.count = count;
}

// Adds a quad for each sample, since samples are shaded by invocations of their own.
bool AreaShader::add_samples(const FragmentPrimitive& p, const Quad& q, Fault* fault) {
    for (unsigned n = 0; n < state_->samples; ++n) {
        const uint32_t one = 0x01010101u << n;
        if ((q.passed & one) && !add(p, {q.x, q.y, q.covered & one, q.passed & one}, n, fault)) return false;
    }
    return true;
}

bool AreaShader::add(const FragmentPrimitive& p, const Quad& q, unsigned sample, Fault* fault) {
    FragmentBatch& b = stage_.batch;
    b.sample[b.count] = uint8_t(sample);
    b.covered_samples[b.count] = q.covered;
    b.samples[b.count] = q.passed;
    const unsigned pixels =
        state_->samples == 1 ? units::pixels_of(q.passed, 0) : units::any_pixels(q.passed);
    return !b.add(p, q.x, q.y, pixels) || run(fault);
}

bool AreaShader::start_wave(Fault* fault) {
    const FragmentShader& shader = state_->shader;
    const FragmentBatch& b = stage_.batch;
    // In a double wave with few quads, the second half is omitted: none of its lanes runs.
    wave_.groups = (b.count * 4 > 64 ? 128 : 64) / kGroupLanes;
    wave_.size = shader.lanes;
    wave_.merged_registers = shader.merged_registers;
    wave_.full_registers = shader.full_registers;
    wave_.half_registers = shader.half_registers;
    wave_.branch_stack = shader.branch_stack;
    wave_.stage = &stage_;
    // A worker's waves run one after another, so each worker has its own part of the memory.
    wave_.private_B = shader.private_B;
    wave_.private_va =
        shader.private_B ? shader.private_va + uint64_t(slot_) * shader.lanes * shader.private_B : 0;
    if (shader.private_B && uint64_t(slot_ + 1) * shader.lanes * shader.private_B > shader.private_total_B)
        return fail(fault, "SP_FS_PVT_MEM_SIZE is too small for the waves that run at a time");
    const auto mask_of = [](FragmentBatch::Mask m) { return LaneMask{{uint64_t(m), uint64_t(m >> 64)}}; };
    const LaneMask lanes = mask_of(b.lanes());
    stage_.triangles = std::all_of(b.primitive, b.primitive + b.count,
                                   [](const FragmentPrimitive* p) { return p->vertex_count() == 3; });
    wave_.forget_registers();
    std::string why;
    const auto uses = [&](Place at) { return state_->in.ij[0][unsigned(at)] != kNoRegister; };
    if (state_->prefetch.any() || uses(Place::Pixel) || uses(Place::Centroid)) find_centers(stage_);
    if (!put_inputs(stage_, wave_, &why)) return fail(fault, why);
    Core::start(wave_, shader.code_va, lanes, lanes & ~mask_of(b.covered));
    if (state_->prefetch.any() && !state_->prefetch.run(units_, wave_, core_.memory(), stage_.centers, &why))
        return fail(fault, FaultKind::Shader, "texture prefetch: ", why);
    return true;
}

bool AreaShader::run(Fault* fault) {
    const auto end = [&](bool good) {
        stage_.batch.clear();
        return good || in_draw(state_->draw, fault);
    };
    const FragmentBatch::Mask covered = stage_.batch.covered;
    const unsigned pixels = LaneMask{{uint64_t(covered), uint64_t(covered >> 64)}}.count();
    counts_.quads += stage_.batch.count;
    counts_.pixels += pixels;
    if (state_->shader.enabled) counts_.fragments += pixels;
    if (!state_->shader.enabled) {
        test_batch(stage_, *area_, nullptr, nullptr);
        if (state_->counts) passed_ += stage_.batch.samples_left();
        return end(true);
    }
    if (!start_wave(fault)) return end(false);
    CoreFault core_fault;
    if (core_.run(wave_, &core_fault) != Outcome::Done)
        return end(fail(fault, core_fault.memory ? FaultKind::Memory : FaultKind::Shader, "fragment ",
                        to_string(core_fault, state_->shader.code_va)));
    std::string why;
    if (!take_results(stage_, wave_, *area_, &passed_, &why))
        return end(fail(fault, "fragment shader: ", why));
    return end(true);
}

}  // namespace terrazzo::adreno::sim
