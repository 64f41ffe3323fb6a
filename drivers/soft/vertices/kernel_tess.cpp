// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tessellation: the control stage runs one workgroup per patch, pipe/tess generates points from its levels,
// and the evaluation stage runs for each point. Its results go to the geometry stage or the rasterizer.
#include <algorithm>
#include <cstring>

#include "drivers/soft/vertices/kernel_stages.h"
#include "shaders/ir/stage_buffers.h"

namespace terrazzo::soft {

namespace {

namespace buffer = ir::stage_buffer;

/// The points that are evaluated together, unless one patch has more.
constexpr size_t kPointsTogether = 8192;
/// The most vertices that wait for the rasterizer.
constexpr uint32_t kMaxWaiting = kBatchIndices - 3;
/// The primitives that the geometry stage processes together.
constexpr uint32_t kGeometryPrimitives = 512;

uint32_t corners_of(const ir::StageRecords& evaluation) {
    return evaluation.out == ir::Shape::Points ? 1 : evaluation.out == ir::Shape::Lines ? 2 : 3;
}

}  // namespace

void KernelStages::run_control(uint32_t patches) {
    if (!dispatcher_) dispatcher_ = std::make_unique<Dispatcher>(pool_);
    Workgroups w;
    w.code = &program_->control->current();
    w.ids = program_->control_ids.get();
    w.args = stages_[pipe::Stage::TessControl].args;
    w.args.groups[0] = patches;
    w.args.groups[1] = w.args.groups[2] = 1;
    dispatcher_->run(w);
}

void KernelStages::tessellate(DrawCall& call, uint32_t patches, uint32_t size, uint32_t first) {
    const ir::StageRecords &c = program_->control_records, &e = program_->evaluation_records;
    control_.resize(size_t(patches) * c.vertices_out * ir::record_dw(c.slots_out));
    patches_.assign(size_t(patches) * std::max(2u, c.patch_rows) * 4, 0);
    param_[0] = first;
    param_[1] = size;
    const Stage& s = stages_[pipe::Stage::TessControl];
    s.buffer(buffer::kInput) = range_of(vertices_);
    s.buffer(buffer::kOutput) = range_of(control_);
    s.buffer(buffer::kPatch) = range_of(patches_);
    s.buffer(buffer::kParam) = range_of(param_);
    run_control(patches);
    const pipe::TessDomain domain = {e.in, e.spacing, e.clockwise, e.out == ir::Shape::Points};
    points_.clear();
    corners_.clear();
    for (uint32_t p = 0; p < patches; ++p) {
        call.ended = !call.patience.goes_on(*call.inputs.watch, 64);
        if (call.ended) return;
        pipe::TessLevels levels;
        const uint32_t* const rows = patches_.data() + size_t(p) * c.patch_rows * 4;
        std::memcpy(levels.outer, rows, sizeof levels.outer);
        std::memcpy(levels.inner, rows + 4, sizeof levels.inner);
        if (!tessellator_.run(domain, levels)) continue;
        const auto base = uint32_t(points_.size() / 4);
        for (const pipe::TessPoint& t : tessellator_.points()) {
            uint32_t words[4] = {0, 0, 0, p};
            std::memcpy(words, &t, sizeof t);
            points_.insert(points_.end(), words, words + 4);
        }
        if (domain.points)
            for (uint32_t i = base; i < points_.size() / 4; ++i)
                corners_.push_back(i);
        for (const uint32_t i : tessellator_.indices())
            corners_.push_back(base + i);
        if (points_.size() / 4 >= kPointsTogether) evaluate(call, first);
    }
    evaluate(call, first);
}

void KernelStages::evaluate(DrawCall& call, uint32_t first) {
    const auto points = uint32_t(points_.size() / 4);
    if (points) {
        evaluated_.resize(size_t(points) * ir::record_dw(program_->evaluation_records.slots_out));
        param_[0] = first;
        const Stage& s = stages_[pipe::Stage::TessEval];
        s.buffer(buffer::kInput) = range_of(control_);
        s.buffer(buffer::kOutput) = range_of(evaluated_);
        s.buffer(buffer::kPatch) = range_of(patches_);
        s.buffer(buffer::kPoint) = range_of(points_);
        s.buffer(buffer::kParam) = range_of(param_);
        run(pipe::Stage::TessEval, points);
        if (program_->geometry)
            feed_geometry(call, first);
        else
            emit_evaluated(call);
    }
    points_.clear();
    corners_.clear();
}

void KernelStages::feed_geometry(DrawCall& call, uint32_t first) {
    const uint32_t size = corners_of(program_->evaluation_records);
    if (program_->geometry_records.vertices_in != size) return;  // the linker refuses such programs
    const size_t from = ir::record_dw(program_->evaluation_records.slots_out),
                 to = evaluation_sources_.size();
    const auto primitives = uint32_t(corners_.size() / size);
    for (uint32_t p = 0; p < primitives; p += kGeometryPrimitives) {
        const uint32_t n = std::min(kGeometryPrimitives, primitives - p);
        call.ended = !call.patience.goes_on(*call.inputs.watch, n);
        if (call.ended) return;
        geometry_in_.resize(size_t(n) * size * to);
        uint32_t* out = geometry_in_.data();
        for (uint32_t v = 0; v < n * size; ++v, out += to) {
            const uint32_t* const record = evaluated_.data() + corners_[size_t(p) * size + v] * from;
            for (size_t c = 0; c < to; ++c)
                out[c] = evaluation_sources_[c] == kNoOutput ? 0 : record[evaluation_sources_[c]];
        }
        shade_geometry(call, geometry_in_, n, first + p);
    }
}

void KernelStages::emit_evaluated(DrawCall& call) {
    const uint32_t size = corners_of(program_->evaluation_records);
    const size_t record = ir::record_dw(program_->evaluation_records.slots_out);
    for (size_t i = 0; i + size <= corners_.size(); i += size) {
        if (records_.size() > kMaxWaiting) flush(call);
        const auto at = uint32_t(records_.size());
        for (uint32_t c = 0; c < size; ++c)
            records_.push_back(evaluated_.data() + corners_[i + c] * record);
        add_primitive(at, at + (size == 1 ? 0 : 1), at + size - 1);
    }
    flush(call);
}

}  // namespace terrazzo::soft
