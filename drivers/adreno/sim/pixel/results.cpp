// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From registers to samples. With n samples, alpha to coverage keeps those covered samples whose number is
// below alpha * n, rounded to nearest.
#include <bit>

#include "drivers/adreno/sim/pixel/shade.h"
#include "drivers/common/units/color_write.h"
#include "pipe/raster/depth_stencil.h"

namespace terrazzo::adreno::sim {

namespace {

bool in_footprint(const Wave& wave, isa::Reg reg, bool half) {
    if (half && wave.merged_registers) return reg.index / 8u < wave.full_registers;
    return reg.number() < (half ? wave.half_registers : wave.full_registers);
}

// Whether a result may be read from a register.
bool check(const Wave& wave, isa::Reg reg, bool half, std::string* why) {
    if (reg.index >= kFullRegisters || !in_footprint(wave, reg, half))
        return refuse(why, "a result in register ", reg.number(), ".", "xyzw"[reg.component()],
                      ", which the shader does not have");
    if (!wave.arrived(reg, half))
        return refuse(why, "it ends before its result in register ", reg.number(), ".",
                      "xyzw"[reg.component()], " has arrived");
    return true;
}

bool get(const Wave& wave, isa::Reg reg, bool half, U32 out[kMaxGroups], std::string* why) {
    if (!check(wave, reg, half, why)) return false;
    bool good = true;
    for (unsigned g = 0; g < wave.groups; ++g)
        good = wave.get_group(reg, half, g, &out[g]) && good;
    return good;
}

bool get_words(const Wave& wave, isa::Reg reg, uint32_t out[kBatchLanes], std::string* why) {
    U32 v[kMaxGroups] = {};
    if (!get(wave, reg, false, v, why)) return false;
    std::memcpy(out, v, sizeof v);
    return true;
}

// A shader's colour in its registers.
bool get_color(const Wave& wave, const FragmentOutputs::Color& from, units::NumberKind kind,
               units::ColorRegisters* out, std::string* why) {
    out->halves = from.half;
    out->kind = kind;
    for (unsigned c = 0; c < 4; ++c) {
        const isa::Reg reg{uint8_t(from.reg.index + c)};
        // Registers of unused components are only read if the shader has them.
        if (c && !in_footprint(wave, reg, from.half)) {
            out->channel[c] = nullptr;
            continue;
        }
        if (!check(wave, reg, from.half, why)) return false;
        const bool pair = from.half && wave.merged_registers;
        out->channel[c] = wave.rows[pair ? reg.index / 2u : from.half ? kHalfRow + reg.index : reg.index];
        out->shift[c] = pair ? uint8_t(reg.index % 2 * 16) : uint8_t(0);
    }
    return true;
}

// Removes samples by the alpha of the first colour.
bool apply_alpha(FragmentStage& s, const Wave& wave, std::string* why) {
    const PixelState& state = *s.state;
    if (!state.alpha_test && !state.alpha_to_coverage) return true;
    const FragmentOutputs::Color& from = state.out.color[0];
    if (from.reg == kNoRegister) return true;
    units::ColorRegisters color;
    if (!get_color(wave, from, units::NumberKind::Float, &color, why)) return false;
    U32 alphas{};
    for (unsigned lane = 0; lane < s.batch.count * 4; ++lane) {
        if (lane % kGroupLanes == 0) alphas = color.number(3, lane / kGroupLanes);
        const float alpha = std::bit_cast<float>(alphas[lane % kGroupLanes]);
        unsigned keep = 0xff;
        if (state.alpha_test && !pipe::raster::compare(state.alpha_compare, alpha, state.alpha_reference))
            keep = 0;
        if (state.alpha_to_coverage) keep &= units::alpha_coverage(alpha, state.samples);
        s.batch.keep_samples(lane, keep);
    }
    return true;
}

bool apply_sample_mask(FragmentStage& s, const Wave& wave, std::string* why) {
    if (s.state->out.sample_mask == kNoRegister) return true;
    uint32_t mask[kBatchLanes];
    if (!get_words(wave, s.state->out.sample_mask, mask, why)) return false;
    for (unsigned lane = 0; lane < s.batch.count * 4; ++lane)
        s.batch.keep_samples(lane, mask[lane] & 0xff);
    return true;
}

bool write_all_colors(const FragmentStage& s, const Wave& wave, Area& area, std::string* why) {
    const PixelState& state = *s.state;
    const FragmentBatch& b = s.batch;
    units::ColorRegisters color, second;
    if (state.dual_source) {
        if (state.out.color[1].reg == kNoRegister)
            return refuse(why, "no register of the second source colour (SP_FS_OUTPUT[1])");
        if (!get_color(wave, state.out.color[1], units::NumberKind::Float, &second, why)) return false;
    }
    const units::ColorQuads quads{b.count, b.x.quad, b.y.quad, b.samples};
    for (unsigned n = 0; n < kMaxTargets; ++n) {
        const ColorOutput& out = state.color[n];
        if (!out.target.used) continue;
        if (!get_color(wave, state.out.color[n], out.how.format.kind, &color, why)) return false;
        area.plane[n].changed = true;
        units::write_colors(out.how, color, state.dual_source ? &second : nullptr, quads, state.samples,
                            area.plane[n], area.rect);
    }
    return true;
}

}  // namespace

void test_batch(FragmentStage& s, Area& area, const uint32_t* depth, const uint32_t* stencil) {
    const PixelState& state = *s.state;
    if (state.early || !state.tests.any()) return;
    FragmentBatch& b = s.batch;
    for (unsigned q = 0; q < b.count; ++q)
        if (b.samples[q])
            b.samples[q] =
                state.tests.run(*b.primitive[q], b.x.quad[q], b.y.quad[q], b.samples[q], area.zs,
                                depth ? depth + 4 * q : nullptr, stencil ? stencil + 4 * q : nullptr);
}

bool take_results(FragmentStage& s, const Wave& wave, Area& area, uint64_t* passed, std::string* why) {
    const PixelState& state = *s.state;
    FragmentBatch& b = s.batch;
    if (wave.killed.any())
        for (unsigned lane = 0; lane < b.count * 4; ++lane)
            if (wave.killed.has(lane)) b.keep_samples(lane, 0);
    if (!apply_alpha(s, wave, why) || !apply_sample_mask(s, wave, why)) return false;
    uint32_t depth[kBatchLanes], stencil[kBatchLanes];
    const bool has_depth = state.out.depth != kNoRegister, has_stencil = state.out.stencil != kNoRegister;
    if ((has_depth && !get_words(wave, state.out.depth, depth, why)) ||
        (has_stencil && !get_words(wave, state.out.stencil, stencil, why)))
        return false;
    test_batch(s, area, has_depth ? depth : nullptr, has_stencil ? stencil : nullptr);
    if (!state.early && state.counts) *passed += b.samples_left();
    return write_all_colors(s, wave, area, why);
}

}  // namespace terrazzo::adreno::sim
