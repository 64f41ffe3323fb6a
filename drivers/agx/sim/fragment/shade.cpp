// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Two threads of a group never have the same pixel: quads that overlap those that wait are shaded after them.
#include "drivers/agx/sim/fragment/shade.h"

#include <algorithm>
#include <bit>

#include "drivers/common/units/count_passed.h"
#include "drivers/common/units/walk.h"

namespace terrazzo::agx::sim {

using Quad = units::PrimitiveQuads::Quad;

bool FragmentUnits::image_write_block(UnitCall& call, std::string* why) {
    Tile& tile = *static_cast<FragmentStage*>(call.group.stage)->tile;
    return tile.colors.store_block(call, tile.rect, why);
}

bool FragmentUnits::coefficient(UnitCall& call, std::string* why) {
    const auto& stage = *static_cast<const FragmentStage*>(call.group.stage);
    if (!stage.draw) return refuse(why, "a background program has no coefficients");
    return stage.draw->coefficients.run(*stage.batch, stage.draw->pattern, call, why);
}

bool FragmentUnits::tile(UnitCall& call, std::string* why) {
    const auto& stage = *static_cast<const FragmentStage*>(call.group.stage);
    // Stores reach the samples that are covered and have passed the tests.
    if (call.instr.op == isa::Op::kStTile) {
        constexpr unsigned kSamples = 1;  // the source
        for (unsigned lane = 0; lane < kThreads; ++lane)
            if (stage.undecided[lane] && (call.active >> lane & 1))
                return refuse(why, "a store to the tilebuffer before the tests of its samples");
        for (unsigned v = 0; v < kVectors; ++v)
            call.in[kSamples][0][v] &= call.group.special.coverage[v];
    }
    return stage.tile->colors.access(call, why);
}

bool FragmentUnits::coverage(UnitCall& call, std::string* why) {
    auto& stage = *static_cast<FragmentStage*>(call.group.stage);
    if (!stage.draw || !stage.draw->tests_by_program)
        return refuse(why, "the draw's pass type is not punch-through, so tests have run before the program");
    const FragmentDraw& draw = *stage.draw;
    const bool emits = call.instr.op == isa::Op::kZsEmit;
    const bool has_depth = emits && call.instr.depth(), has_stencil = emits && call.instr.stencil();
    const unsigned all = (1u << draw.samples) - 1;
    Words& left = call.group.special.coverage;
    for (unsigned lane = 0; lane < 4 * stage.batch->count; ++lane) {
        if (!(call.active >> lane & 1)) continue;
        const unsigned target = wave::at(call.in[0][0], lane) & all;
        const unsigned live = emits ? target : wave::at(call.in[1][0], lane) & all;
        uint32_t samples = wave::at(left, lane);
        const unsigned undecided = stage.undecided[lane];
        // Samples that were killed before are out of reach.
        const unsigned test = target & live & undecided, kill = target & ~live;
        if (kill & samples & ~undecided) return refuse(why, "a sample is discarded after its tests have run");
        if (target & live & samples & ~undecided) return refuse(why, "the tests of a sample run twice");
        stage.undecided[lane] &= ~target;
        samples &= ~kill;
        if (test) {
            const unsigned q = lane / 4, i = lane % 4;
            const units::FragmentPrimitive& p = *stage.batch->primitive[q];
            const uint32_t depth_bits =
                has_depth ? wave::at(call.in[1][0], lane) | wave::at(call.in[1][1], lane) << 16 : 0;
            uint32_t depth[4] = {}, stencil[4] = {};
            depth[i] = depth_bits;
            if (has_stencil) stencil[i] = wave::at(call.in[1][has_depth ? 2 : 0], lane) & 0xff;
            const uint32_t tested = test << 8 * i;
            const uint32_t passed = draw.tests.any()
                                        ? draw.tests.run(p, stage.batch->x.quad[q], stage.batch->y.quad[q],
                                                         tested, stage.tile->zs, has_depth ? depth : nullptr,
                                                         has_stencil ? stencil : nullptr)
                                        : tested;
            const unsigned good = passed >> 8 * i & 0xff;
            samples &= ~(test & ~good);
            stage.passed += unsigned(std::popcount(good));
        }
        wave::put_at(left, lane, samples);
    }
    return true;
}

void TileShader::begin(Tile& tile, std::vector<uint64_t>* visible) {
    tile_ = &tile;
    visible_ = visible;
    draw_ = nullptr;
    batch_.clear();
    std::fill(std::begin(waiting_), std::end(waiting_), 0);
    stage_.tile = &tile;
}

size_t TileShader::bit_of(const Quad& q) const {
    return size_t(q.y - tile_->rect.y0 + 1) / 2 * kColumns + size_t(q.x - tile_->rect.x0 + 1) / 2;
}
bool TileShader::overlaps(std::span<const Quad> quads) const {
    return std::any_of(quads.begin(), quads.end(), [&](const Quad& q) {
        const size_t bit = bit_of(q);
        return waiting_[bit / 64] >> bit % 64 & 1;
    });
}
void TileShader::note(const Quad& q) {
    const size_t bit = bit_of(q);
    waiting_[bit / 64] |= uint64_t(1) << bit % 64;
}

void TileShader::count_passed(const FragmentDraw& draw, uint64_t samples) {
    counts.samples_passed += samples;
    if (!draw.counts || !samples) return;
    if (visible_->size() <= draw.query) visible_->resize(draw.query + 1);
    (*visible_)[draw.query] += samples;
}

bool TileShader::draw(const FragmentDraw& draw, const units::FragmentPrimitive& p, Fault* fault) {
    if (draw_ != &draw) {
        if (!flush(fault)) return false;
        draw_ = &draw;
    }
    units::find_quads(p, draw.pattern, tile_->rect, (1u << draw.samples) - 1, &quads_);
    auto quads = std::span<const Quad>(quads_.quad, quads_.count);
    // Quads that wait may still change depth, and these ones must see it.
    if (batch_.count && overlaps(quads) && !flush(fault)) return false;
    if (!draw.tests_by_program) {
        if (draw.tests.any()) draw.tests.run(p, true, tile_->zs, quads_);
        quads = quads.first(quads_.count);
        count_passed(draw, units::count_passed(quads, draw.samples == 1));
        if (!draw.shades) return true;
    }
    while (!quads.empty()) {
        const unsigned added = batch_.add_some(p, quads, draw.samples == 1);
        for (const Quad& q : quads.first(added))
            note(q);
        quads = quads.subspan(added);
        if (batch_.full() && !run(fault)) return false;
    }
    return true;
}

void TileShader::start(const BoundProgram& program, unsigned samples, uint32_t threads, uint32_t helpers) {
    group_.threads = threads;
    group_.helpers = helpers;
    group_.registers = program.registers;
    group_.uniforms = const_cast<Uniforms*>(&program.uniforms);  // only preshaders write them
    group_.bindings = &program.bindings;
    group_.local = tile_->colors.bytes();
    group_.stack_B = program.stack_B;
    group_.stage = &stage_;
    group_.special = {};
    group_.special.group[2] = tile_->layer;
    group_.special.samples_log2 = unsigned(std::countr_zero(samples));
    std::fill(std::begin(stage_.undecided), std::end(stage_.undecided), 0);
    stage_.passed = 0;
}

/// `what`: the parts of the program's name in reports.
template <class... Part>
bool TileShader::execute(const BoundProgram& program, Fault* fault, const Part&... what) {
    core_.start(group_, program.code_va);
    CoreFault f;
    const Outcome outcome = core_.run(group_, &f);
    if (outcome == Outcome::Done) return true;
    if (outcome == Outcome::Barrier) return fail(fault, Exception::ShaderFault, what..., ": a barrier");
    return fail_core(fault, f, program.code_va, host::text_of(what...));
}

bool TileShader::run(Fault* fault) {
    const FragmentDraw& draw = *draw_;
    const auto end = [&](bool good) {
        batch_.clear();
        std::fill(std::begin(waiting_), std::end(waiting_), 0);
        return good;
    };
    const uint32_t threads = batch_.lanes();
    counts.fragments += unsigned(std::popcount(batch_.covered));
    stage_.draw = &draw;
    stage_.batch = &batch_;
    start(draw.program, draw.samples, threads, threads & ~batch_.covered);
    for (unsigned lane = 0; lane < 4 * batch_.count; ++lane) {
        const uint32_t samples = batch_.samples_at(lane);
        wave::put_at(group_.special.in_grid[0], lane, uint32_t(batch_.x[lane]));
        wave::put_at(group_.special.in_grid[1], lane, uint32_t(batch_.y[lane]));
        wave::put_at(group_.special.coverage, lane, samples);
        wave::put_at(group_.special.sample_mask, lane, samples);
        wave::put_at(group_.special.back_facing, lane, batch_.primitive[lane / 4]->back_facing ? 1 : 0);
        if (draw.tests_by_program) stage_.undecided[lane] = samples;
    }
    constexpr const char* kWhat = "fragment program of draw ";
    if (!execute(draw.program, fault, kWhat, draw.number)) return end(false);
    if (draw.tests_by_program) {
        for (const uint32_t samples : stage_.undecided)
            if (samples)
                return end(fail(fault, Exception::ShaderFault, kWhat, draw.number,
                                ": it ended before the tests of its samples (sample_mask, zs_emit)"));
        count_passed(draw, stage_.passed);
    }
    return end(true);
}

bool TileShader::fill(const BoundProgram& program, unsigned samples, Fault* fault) {
    const pipe::raster::PixelRect& r = tile_->rect;
    const uint32_t all = (1u << samples) - 1;
    stage_.draw = nullptr;
    stage_.batch = nullptr;
    constexpr int32_t kWidth = 8, kHeight = 4;  // pixels of a group: eight quads
    for (int32_t y0 = r.y0; y0 < r.y1; y0 += kHeight)
        for (int32_t x0 = r.x0; x0 < r.x1; x0 += kWidth) {
            start(program, samples, 0, 0);
            for (unsigned lane = 0; lane < kThreads; ++lane) {
                const int32_t x = x0 + int32_t(lane / 4 % 4 * 2 + lane % 2),
                              y = y0 + int32_t(lane / 16 * 2 + lane / 2 % 2);
                wave::put_at(group_.special.in_grid[0], lane, uint32_t(x));
                wave::put_at(group_.special.in_grid[1], lane, uint32_t(y));
                const bool inside = x < r.x1 && y < r.y1;
                if (inside) group_.threads |= 1u << lane;
                wave::put_at(group_.special.coverage, lane, inside ? all : 0);
                wave::put_at(group_.special.sample_mask, lane, inside ? all : 0);
            }
            if (!execute(program, fault, "background program")) return false;
        }
    return true;
}

bool TileShader::finish(const BoundProgram& program, Fault* fault) {
    stage_.draw = nullptr;
    stage_.batch = nullptr;
    start(program, 1, 1, 0);
    group_.special.group[0] = uint32_t(tile_->rect.x0), group_.special.group[1] = uint32_t(tile_->rect.y0);
    return execute(program, fault, "end-of-tile program");
}

}  // namespace terrazzo::agx::sim
