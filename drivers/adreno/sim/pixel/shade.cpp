// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Coverage, early tests, and waves of sixteen or thirty-two quads.
#include "drivers/adreno/sim/pixel/shade.h"

#include <algorithm>

namespace terrazzo::adreno::sim {

void AreaShader::begin(const PixelState& state, uint32_t output_words, Area& area) {
    state_ = &state;
    area_ = &area;
    stage_.state = &state;
    stage_.output_words = output_words;
    stage_.batch.clear();
    stage_.batch.capacity = state.shader.lanes / 4;
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

bool AreaShader::draw(const FragmentPrimitive& p, Fault* fault) {
    return units::walk_quads(p, state_->pattern, area_->rect, [&](int32_t x, int32_t y, uint32_t mask) {
        return add_quad(p, x, y, mask, fault);
    });
}

// The samples of a pixel that pass the early tests.
uint8_t AreaShader::test_pixel(const FragmentPrimitive& p, int32_t x, int32_t y, uint8_t samples) {
    const PixelState& s = *state_;
    Area::Plane &depth = area_->plane[Area::kDepth], &stencil = area_->plane[Area::kStencil];
    uint8_t* const z_at = depth.origin ? area_->at(Area::kDepth, x, y) : nullptr;
    uint8_t* const s_at = stencil.origin ? area_->at(Area::kStencil, x, y) : nullptr;
    bool changed = false;
    for (unsigned n = 0; n < s.samples; ++n) {
        if (!(samples >> n & 1)) continue;
        const float z = s.depth.at(p, x + s.pattern.x[n] / 256.0, y + s.pattern.y[n] / 256.0);
        if (!test_sample(s, z_at ? z_at + n * s.depth_target.sample_B : nullptr, s_at ? s_at + n : nullptr,
                         p.back_facing, z, s.reference[p.back_facing], &changed))
            samples = uint8_t(samples & ~(1u << n));
    }
    depth.changed |= changed;
    stencil.changed |= changed;
    return samples;
}

bool AreaShader::add_quad(const FragmentPrimitive& p, int32_t x, int32_t y, uint32_t mask, Fault* fault) {
    const PixelState& s = *state_;
    if (p.hidden && p.hidden->has(x, y)) return true;
    if (s.ordered && !finish_overlapped(p, x, y, fault)) return false;
    const uint32_t full = ((1u << s.samples) - 1) & s.sample_mask;
    const bool tests = s.early && s.tests;
    uint8_t covered[4], left[4];
    for (unsigned i = 0; i < 4; ++i) {
        covered[i] = left[i] = uint8_t(mask >> i * s.samples & full);
        if (tests && left[i]) left[i] = test_pixel(p, x + int32_t(i & 1), y + int32_t(i >> 1), left[i]);
    }
    const uint32_t any = quad_samples(left);
    if (!any) return true;
    if (s.early && s.counts) passed_ += count_bits(any);
    if (!s.shader.enabled && s.early) return true;
    if (!s.per_sample) return add(p, x, y, covered, left, 0, fault);
    for (unsigned n = 0; n < s.samples; ++n) {
        uint8_t one[4], one_left[4];
        for (unsigned i = 0; i < 4; ++i) {
            one[i] = uint8_t(covered[i] & 1u << n);
            one_left[i] = uint8_t(left[i] & 1u << n);
        }
        if ((any >> n & 0x01010101u) && !add(p, x, y, one, one_left, n, fault)) return false;
    }
    return true;
}

bool AreaShader::add(const FragmentPrimitive& p, int32_t x, int32_t y, const uint8_t covered[4],
                     const uint8_t left[4], unsigned sample, Fault* fault) {
    FragmentBatch& b = stage_.batch;
    const unsigned quad = b.count;
    b.sample[quad] = uint8_t(sample);
    unsigned mask = 0;
    for (unsigned i = 0; i < 4; ++i) {
        b.covered_samples[4 * quad + i] = covered[i];
        b.samples[4 * quad + i] = left[i];
        mask |= unsigned(left[i] != 0) << i;
    }
    constexpr float kLater[4] = {};  // depth is evaluated at samples, if it is needed
    return !b.add(p, x, y, mask, kLater) || run(fault);
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
        return fail(fault, FaultKind::Hardware,
                    "SP_FS_PVT_MEM_SIZE is too small for the waves that run at a time");
    const auto mask_of = [](FragmentBatch::Mask m) { return LaneMask{{uint64_t(m), uint64_t(m >> 64)}}; };
    const LaneMask lanes = mask_of(b.lanes());
    stage_.uniform = b.is_uniform();
    wave_.forget_registers();
    std::string why;
    if (state_->prefetch.any() || state_->in.ij[0][unsigned(Place::Pixel)] != kNoRegister)
        find_centers(stage_, wave_.groups);
    if (!put_inputs(stage_, wave_, &why)) return fail(fault, FaultKind::Hardware, why);
    Core::start(wave_, shader.code_va, lanes, lanes & ~mask_of(b.covered));
    if (state_->prefetch.any() && !state_->prefetch.run(units_, wave_, core_.memory(), stage_.centers, &why))
        return fail(fault, FaultKind::Shader, "texture prefetch: " + why);
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
        return end(fail(fault, core_fault.memory ? FaultKind::Memory : FaultKind::Shader,
                        "fragment " + to_string(core_fault, state_->shader.code_va)));
    std::string why;
    if (!take_results(stage_, wave_, *area_, &passed_, &why))
        return end(fail(fault, FaultKind::Hardware, "fragment shader: " + why));
    return end(true);
}

}  // namespace terrazzo::adreno::sim
