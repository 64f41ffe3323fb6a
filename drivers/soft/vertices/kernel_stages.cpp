// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/vertices/kernel_stages.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "drivers/soft/binning/pipeline_limits.h"
#include "shaders/ir/stage_buffers.h"

namespace terrazzo::soft {

namespace {

namespace buffer = ir::stage_buffer;

/// The most memory for the stages' outputs of a batch, unless a single primitive needs more.
constexpr uint64_t kMaxOutputs_B = 2u << 20;
constexpr uint32_t kParallelInvocations = 4096;
/// The vertices that one invocation may emit must fit after those that wait.
constexpr uint32_t kMaxWaiting = kBatchIndices - ir::kMaxEmitted;

pipe::Primitive primitive_of(ir::Shape s) {
    return s == ir::Shape::Points  ? pipe::Primitive::Points
           : s == ir::Shape::Lines ? pipe::Primitive::Lines
                                   : pipe::Primitive::Triangles;
}

void read_id(const DrawCall& call, uint32_t at, int32_t bias, uint32_t* out) {
    uint32_t v = 0;
    std::memcpy(&v, call.indices + size_t(at) * call.index_B, call.index_B);
    *out = v + uint32_t(bias);
}

}  // namespace

KernelStages::KernelStages(pipe::Ref<ThreadPool> pool) : pool_(std::move(pool)), param_(4) {}

void KernelStages::begin(const SoftProgram& program) {
    program_ = &program;
    if (program.has_arrays) memory_.reserve_arrays();
    const uint64_t slots = (program.control ? program.control_records : program.geometry_records).slots_in;
    sources_.assign(ir::record_dw(slots), kNoOutput);
    const CompiledShader& vs = *program.vertex;
    for (uint32_t i = 0; i < vs.slot_count; ++i)
        for (uint32_t c = 0; c < 4 && (slots >> vs.slots[i] & 1); ++c)
            sources_[ir::slot_dw(slots, vs.slots[i]) + c] = uint16_t(i * 4 + c);
    if (program.geometry && program.evaluation) {
        const uint64_t from = program.evaluation_records.slots_out, to = program.geometry_records.slots_in;
        evaluation_sources_.assign(ir::record_dw(to), kNoOutput);
        for (uint64_t rest = from & to; rest; rest &= rest - 1) {
            const auto slot = uint32_t(std::countr_zero(rest));
            for (uint32_t c = 0; c < 4; ++c)
                evaluation_sources_[ir::slot_dw(to, slot) + c] = uint16_t(ir::slot_dw(from, slot) + c);
        }
    }
    kind_ = primitive_of((program.geometry ? program.geometry_records : program.evaluation_records).out);
}

void KernelStages::set_stage(pipe::Stage stage, const ComputeArgs& args, ir::MemoryRange* own) {
    stages_[stage] = {args, own};
}

uint32_t KernelStages::per_batch(const DrawCall& call) const {
    const uint32_t vertices = pipe::primitive_vertices(call.mode, call.patch_vertices);
    const ir::StageRecords &g = program_->geometry_records, &c = program_->control_records;
    const uint64_t outputs_B =
        program_->control
            ? uint64_t(c.vertices_out) * ir::record_dw(c.slots_out) * 4 + c.patch_rows * 16
            : uint64_t(std::max(1u, g.vertices_out)) * g.invocations * ir::record_dw(g.slots_out) * 4;
    const uint64_t most = kMaxOutputs_B / std::max<uint64_t>(1, outputs_B);
    return std::max(1u, uint32_t(std::min<uint64_t>(most, kBatchIndices / std::max(1u, vertices))));
}

void KernelStages::gather(const VertexStage& from, const ir::StageRecords& to, uint32_t count) {
    const uint32_t record = ir::record_dw(to.slots_in);
    vertices_.resize(size_t(count) * record);
    const VertexColumns& columns = from.columns();
    for (uint32_t c = 0; c < record; ++c) {
        uint32_t* out = vertices_.data() + c;
        if (sources_[c] == kNoOutput) {
            for (uint32_t i = 0; i < count; ++i, out += record)
                *out = 0;
            continue;
        }
        const float* const column = columns.outputs + size_t(sources_[c]) * columns.stride;
        for (uint32_t i = 0; i < count; ++i, out += record)
            std::memcpy(out, column + from.slots()[i], sizeof(float));
    }
}

void KernelStages::run(pipe::Stage s, uint32_t invocations) {
    const CompiledShader& code = program_->stage(s)->current();
    ComputeArgs args = stages_[s].args;
    args.shader = code.self;
    args.work = memory_.work();
    args.arrays = memory_.arrays();
    args.wait = [](ComputeArgs*) {};
    for (unsigned i = 0; i < 4; ++i)
        args.ids[i] = program_->kernel_ids->row(i);
    args.groups[0] = (invocations + ir::kKernelGroup - 1) / ir::kKernelGroup;
    args.groups[1] = args.groups[2] = 1;
    // If there are many, whole workgroups run on all threads.
    uint32_t done = 0;
    if (invocations >= kParallelInvocations && pool_->threads() > 1) {
        if (!dispatcher_) dispatcher_ = std::make_unique<Dispatcher>(pool_);
        Workgroups w;
        w.code = &code;
        w.ids = program_->kernel_ids.get();
        w.args = args;
        w.args.groups[0] = done = invocations / ir::kKernelGroup;
        dispatcher_->run(w);
    }
    for (uint32_t g = done; g < args.groups[0]; ++g) {
        args.group[0] = g;
        args.count = std::min(ir::kKernelGroup, invocations - g * ir::kKernelGroup);
        code.compute(&args);
    }
}

void KernelStages::add_primitive(uint32_t a, uint32_t b, uint32_t c) {
    emitted_.corner(0)[primitives_] = a;
    emitted_.corner(1)[primitives_] = b;
    emitted_.corner(2)[primitives_] = c;
    ++primitives_;
}

/// Converts the strips of an invocation to separate points, lines or triangles (OpenGL ES 3.2 section
/// 11.3.2).
void KernelStages::emit_invocation(DrawCall& call, uint32_t i) {
    const ir::StageRecords& g = program_->geometry_records;
    const uint32_t record = ir::record_dw(g.slots_out), count = std::min(counts_[i], g.vertices_out);
    const uint32_t* const first = outputs_.data() + size_t(i) * g.vertices_out * record;
    const uint32_t starts = ir::slot_dw(g.slots_out, unsigned(ir::EmitSlot::StripStart));
    if (records_.size() > kMaxWaiting || primitives_ > kMaxWaiting) flush(call);
    uint32_t in_strip = 0;
    for (uint32_t n = 0; n < count; ++n) {
        const uint32_t* const v = first + size_t(n) * record;
        in_strip = v[starts] ? 1 : in_strip + 1;
        const auto at = uint32_t(records_.size());
        records_.push_back(v);
        if (kind_ == pipe::Primitive::Points) {
            add_primitive(at, at, at);
        } else if (kind_ == pipe::Primitive::Lines) {
            if (in_strip >= 2) add_primitive(at - 1, at, at);
        } else if (in_strip >= 3) {
            const bool odd = !(in_strip & 1);
            add_primitive(at - (odd ? 1 : 2), at - (odd ? 2 : 1), at);
        }
    }
}

/// gl_Layer and gl_ViewportIndex of a primitive are those of its last vertex.
KernelStages::Place KernelStages::place_of(uint32_t primitive) const {
    const uint32_t v = emitted_.corner(2)[primitive];
    const auto number = [&](uint16_t output) {
        uint32_t n = 0;
        if (output != kNoOutput)
            std::memcpy(&n, emitted_.outputs(v) + size_t(output) * emitted_.columns().stride, 4);
        return n;
    };
    return {number(program_->layer), number(program_->viewport_index)};
}

/// Switches layer and viewport between primitives. Primitives with invalid numbers are not drawn.
void KernelStages::draw_emitted(DrawCall& call) {
    const uint32_t layers = call.setup.pass->layers();
    const bool chooses_layer = layers > 1 && program_->layer != kNoOutput,
               chooses_viewport = program_->viewport_index != kNoOutput;
    if (!call.rasterize || (!chooses_layer && !chooses_viewport)) {
        if (call.rasterize || call.capture) draw_listed(call, emitted_, kind_, 0, primitives_);
        return;
    }
    StreamOut* const capture = std::exchange(call.capture, nullptr);
    uint32_t viewport = 0;
    const auto select = [&](uint32_t index) {
        if (viewport == index) return;
        call.select_viewport(&call, viewport = index);
        emitted_.take(*program_, call.space, records_);
    };
    for (uint32_t first = 0, end; first < primitives_; first = end) {
        const Place place = place_of(first);
        for (end = first + 1; end < primitives_ && place_of(end) == place;)
            ++end;
        if ((chooses_layer && place.layer >= layers) || place.viewport >= pipe::kMaxViewports) continue;
        call.setup.bins->set_layer(chooses_layer ? place.layer : 0);
        select(place.viewport);
        draw_listed(call, emitted_, kind_, first, end - first);
        call.setup.bins->set_layer(0);
    }
    select(0);
    call.capture = capture;
    if (!capture) return;
    call.rasterize = false;
    draw_listed(call, emitted_, kind_, 0, primitives_);
    call.rasterize = true;
}

void KernelStages::flush(DrawCall& call) {
    if (primitives_) {
        emitted_.take(*program_, call.space, records_);
        call.generated += primitives_;
        draw_emitted(call);
        if (call.relieve && call.setup.pass->full()) call.relieve(call.relieve_data, &call.setup);
    }
    records_.clear();
    primitives_ = 0;
}

void KernelStages::shade_geometry(DrawCall& call, Words& input, uint32_t n, uint32_t first) {
    const ir::StageRecords& g = program_->geometry_records;
    const uint32_t invocations = n * g.invocations;
    outputs_.resize(size_t(invocations) * g.vertices_out * ir::record_dw(g.slots_out));
    counts_.assign(invocations, 0);
    param_[0] = first;
    const Stage& s = stages_[pipe::Stage::Geometry];
    s.buffer(buffer::kInput) = range_of(input);
    s.buffer(buffer::kOutput) = range_of(outputs_);
    s.buffer(buffer::kCount) = range_of(counts_);
    s.buffer(buffer::kParam) = range_of(param_);
    run(pipe::Stage::Geometry, invocations);
    for (uint32_t i = 0; i < invocations; ++i)
        emit_invocation(call, i);
    flush(call);
}

void KernelStages::draw(DrawCall& call, VertexStage& stage, const Batches& all, uint64_t begin,
                        uint64_t end) {
    const uint32_t size = pipe::primitive_vertices(call.mode, call.patch_vertices);
    const bool tessellates = bool(program_->evaluation);
    // The API refuses other draws.
    if (tessellates ? call.mode != pipe::Primitive::Patches || !size || size > ir::kMaxPatchVertices
                    : program_->geometry_records.vertices_in != size)
        return;
    std::vector<uint32_t> order(size);
    for (uint64_t b = begin; b < end; ++b) {
        const auto instance = uint32_t(b / all.per_instance);
        const uint32_t prim = uint32_t(b % all.per_instance) * all.per_batch;
        const uint32_t n = std::min(all.per_batch, all.prims - prim);
        call.ended = !call.patience.goes_on(*call.inputs.watch, n + 1);
        if (call.ended) return;
        uint32_t* id = stage.ids();
        for (uint32_t p = 0; p < n; ++p) {
            pipe::list_primitive(call.mode, prim + p, all.count, size, order.data());
            for (const uint32_t v : order) {
                if (call.indices)
                    read_id(call, all.first + v, all.bias, id++);
                else
                    *id++ = all.first + v;
            }
        }
        stage.shade(call.inputs, call.space, stage.deduplicate(n * size), all.first_instance + instance);
        gather(stage, tessellates ? program_->control_records : program_->geometry_records, n * size);
        if (tessellates)
            tessellate(call, n, size, call.first_primitive + prim);
        else
            shade_geometry(call, vertices_, n, call.first_primitive + prim);
    }
}

}  // namespace terrazzo::soft
