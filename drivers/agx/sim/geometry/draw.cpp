// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/geometry/draw.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/common/units/find_value.h"

namespace terrazzo::agx::sim {

namespace {

using units::Topology;
using units::WindowState;

constexpr size_t kBatchPrimitives = 4096;
constexpr int32_t kMostWindow_px = 16384;
constexpr unsigned kPositionWords = 4;
// Where the program finds them (Mesa 25.0.7, agx_compile.h: AGX_ABI_VIN_*).
constexpr unsigned kVertexIdRegister = 5, kInstanceIdRegister = 6;

constexpr std::pair<hw::Primitive, Topology> kTopologies[] = {
    {hw::Primitive::Points, Topology::Points},
    {hw::Primitive::Lines, Topology::Lines},
    {hw::Primitive::LineStrip, Topology::LineStrip},
    {hw::Primitive::LineLoop, Topology::LineLoop},
    {hw::Primitive::Triangles, Topology::Triangles},
    {hw::Primitive::TriangleStrip, Topology::TriangleStrip},
    {hw::Primitive::TriangleFan, Topology::TriangleFan},
    {hw::Primitive::Quads, Topology::Quads}};

}  // namespace

bool VertexUnits::store_varying(UnitCall& call, std::string* why) {
    if (call.instr.op == isa::Op::kNoVar) return true;
    for (uint32_t left = call.active; left; left &= left - 1) {
        const auto t = unsigned(std::countr_zero(left));
        const uint32_t n = wave::at(call.in[1][0], t);
        if (n >= words) return refuse(why, "output ", n, " of a vertex that has ", words);
        outputs[size_t(t) * stride + n] = wave::at(call.in[0][0], t);
    }
    return true;
}

void GeometryDraw::begin_command() {
    if (workers_.empty()) workers_.push_back(std::make_unique<Worker>(machine_));
    for (const auto& w : workers_) {
        w->core.memory().refresh();
        w->core.programs().begin_job();
        w->units.forget();
    }
}

void GeometryDraw::count(host::Counters* c) const {
    for (const auto& w : workers_) {
        c->instructions += w->core.stats().instructions;
        c->texture_fetches += w->units.texture_fetches();
    }
}

bool GeometryDraw::find_places(const hw::PppState& ppp, const hw::VdmState& vdm, Fault* fault) {
    if (!vdm.header.vertex_outputs) return refuse(fault, "VDM state has no vertex_outputs");
    if (!ppp.header.output_select) return refuse(fault, "PPP state has no output_select");
    const hw::OutputSelect& s = ppp.output_select;
    places_ = {.words = vdm.vertex_outputs.count_1};
    const auto sum = [](const hw::VaryingCounts& c) { return c.smooth + c.flat + c.linear; };
    unsigned at = kPositionWords;
    if (s.varyings && ppp.header.varying_counts_32) at += sum(ppp.varying_counts_32);
    if (s.varyings && ppp.header.varying_counts_16) at += sum(ppp.varying_counts_16);
    const auto take = [&](bool is_there, unsigned count, uint8_t* out) {
        if (is_there) *out = uint8_t(at), at += count;
    };
    places_.distances = uint8_t(s.clip_distance_planes);
    if (s.clip_distance_planes > 0xff)
        return refuse(fault, "more than eight clip distances are not modelled");
    take(s.point_size, 1, &places_.point_size);
    take(s.render_target || s.viewport_target, 1, &places_.layer_view);
    take(places_.distances, unsigned(std::bit_width(unsigned(places_.distances))), &places_.distance);
    return at <= places_.words || discards_ ||
           refuse(fault, "output_select needs ", at, " words of a vertex, which has ", places_.words);
}

bool GeometryDraw::find_window(const RenderCommand& command, const hw::PppState& ppp, Fault* fault) {
    WindowState& w = window_.state;
    w = {};
    if (!ppp.header.cull) return refuse(fault, "PPP state has no cull");
    if (!ppp.header.viewport) return refuse(fault, "PPP state has no viewport");
    if (!ppp.header.front_face) return refuse(fault, "PPP state has no front_face");
    w.kind = primitives_.kind;
    w.corners = primitives_.corners;
    w.depth_from_zero = !(command.ppp_ctrl & 1);
    w.fill = w.kind != units::PrimitiveKind::Triangle                ? WindowState::Fill::Faces
             : ppp.front_face.polygon_mode == hw::PolygonMode::Line  ? WindowState::Fill::Lines
             : ppp.front_face.polygon_mode == hw::PolygonMode::Point ? WindowState::Fill::Points
                                                                     : WindowState::Fill::Faces;
    w.position = 0;
    w.point_size = places_.point_size;
    w.point_min_px = 1;
    w.point_max_px = 511.95f;
    w.line_px = float(ppp.front_face.line_width) / 16;
    if (places_.layer_view != WindowState::kNoWord) {
        // After the program's words: the two halves.
        if (ppp.output_select.render_target) w.layer = uint8_t(places_.words);
        if (ppp.output_select.viewport_target) w.view = uint8_t(places_.words + 1);
    }
    w.last_layer = uint16_t(std::max(command.layers, 1u) - 1);
    w.clip_mask = places_.distances;
    for (unsigned i = 0; i < 8; ++i)
        w.distance[i] = uint8_t(places_.distance + i);
    for (unsigned i = 0; i < WindowState::kViewports; ++i) {
        WindowState::View& v = w.views[i];
        units::SetupState& s = v.setup;
        if (i >= ppp.header.viewport_count) {
            s.scissor = {};
            continue;
        }
        const hw::Viewport& from = ppp.viewport[i];
        v.viewport = {{from.scale_x, from.scale_y, from.scale_z},
                      {from.translate_x, from.translate_y, from.translate_z}};
        s.kind = w.kind;
        s.cull_front = ppp.cull.cull_front;
        s.cull_back = ppp.cull.cull_back;
        s.front_ccw = ppp.cull.front_face_ccw;
        s.scissor = {0, 0, std::min(int32_t(command.width_px), kMostWindow_px),
                     std::min(int32_t(command.height_px), kMostWindow_px)};
        s.max_size_px = float(kMostWindow_px);
        // If the viewport maps all depths to the same value, depth in the window does not show what to clip.
        const float near = w.depth_from_zero ? from.translate_z : from.translate_z - from.scale_z,
                    far = from.translate_z + from.scale_z;
        const bool clips = ppp.cull.depth_clip,
                   tells = std::isfinite(near) && std::isfinite(far) && near != far;
        v.clip_near = v.clip_far = clips && !tells;
        s.low_depth_cull = s.high_depth_cull = clips && tells;
        s.low_depth = std::min(near, far);
        s.high_depth = std::max(near, far);
    }
    return true;
}

bool GeometryDraw::begin(const RenderCommand& command, const hw::PppState& ppp, const hw::VdmState& vdm,
                         const DrawCall& call, Fault* fault) {
    if (!vdm.header.vertex_pipeline) return refuse(fault, "VDM state has no vertex_pipeline");
    const auto topology = units::find_value(kTopologies, call.primitive);
    if (!topology) return refuse(fault, "primitives of type ", unsigned(call.primitive), " are not modelled");
    // Vertex 0 of a primitive, or its last one, has the values of flat varyings.
    const bool first = !ppp.header.cull || ppp.cull.flat_shading_vertex == hw::PppVertex::N0;
    units::VertexRuns runs;
    if (!call.indexed)
        units::count_vertices(call.first, call.count, &runs);
    else if (!units::read_indices(machine_.memory, call.indices, &runs))
        return fail_access(fault, machine_.memory, "indices");
    primitives_ = {};
    units::assemble_primitives(*topology, first, runs, &primitives_);
    provoking_ = first ? 0 : primitives_.corners - 1;
    discards_ = ppp.cull.rasterizer_discard || ppp.cull_2.rasterizer_discard;
    if (!find_places(ppp, vdm, fault) || (!discards_ && !find_window(command, ppp, fault))) return false;
    program_.emplace();
    const hw::Counts counts = vdm.header.vertex_counts ? vdm.vertex_counts : hw::Counts();
    if (!bind_program(workers_[0]->core, command.vertex_usc_base, vdm.vertex_pipeline, counts,
                      host::text_of("vertex program of draw ", machine_.draws), &*program_, fault))
        return false;
    program_->bindings.sampler_heap = command.vertex_sampler_heap;
    program_->bindings.sampler_heap_count = command.vertex_sampler_count;
    return true;
}

bool GeometryDraw::run_batch(uint64_t* at, uint64_t total, BinnedRender* out, Fault* fault) {
    const uint64_t first = *at;
    const auto count = size_t(std::min<uint64_t>(total - first, kBatchPrimitives));
    *at += count;
    found_.begin(primitives_, count);
    for (unsigned n = 0; n < found_.parts(); ++n)
        found_.find(n, [&](size_t i) { return first + i; });
    found_.join(&vertices_);
    out->batches.emplace_back();
    BinnedBatch& batch = out->batches.back();
    batch.draw = out->draws.size() - 1;
    if (!shade(&batch.outputs, fault)) return false;
    machine_.counters.vertices += vertices_.size();
    machine_.counters.primitives += count;
    if (discards_) {
        out->batches.pop_back();
        return true;
    }
    window_.begin_batch(batch.outputs.words, vertices_.size());
    window_.set_up_vertices(batch.outputs, 0, vertices_.size());
    units::WindowSetup::Shapes shapes;
    for (size_t i = 0; i < count; ++i) {
        uint32_t corner[3] = {};
        for (unsigned k = 0; k < primitives_.corners; ++k)
            corner[k] = found_.vertex(i, k);
        const size_t before = batch.primitives.size();
        window_.set_up(batch.outputs, corner, provoking_, shapes, &batch.primitives);
        for (size_t p = before; p < batch.primitives.size(); ++p)
            batch.primitives[p].primitive_id = uint32_t((first + i) % primitives_.count());
    }
    out->size_B += batch.outputs.values.size() * sizeof(uint32_t) +
                   batch.primitives.size() * sizeof(units::DrawnPrimitive);
    return true;
}

bool GeometryDraw::shade(units::VertexOutputs* out, Fault* fault) {
    const bool splits = places_.layer_view != WindowState::kNoWord;
    out->words = places_.words + (splits ? 2 : 0);
    out->values.assign(vertices_.size() * std::max(out->words, 1u), 0);
    const size_t groups = (vertices_.size() + kThreads - 1) / kThreads;
    const unsigned threads = units::vertex_threads(groups, machine_.threads);
    while (workers_.size() < threads)
        workers_.push_back(std::make_unique<Worker>(machine_));
    const auto begin = [&](unsigned n) {
        Worker& w = *workers_[n];
        w.core.memory().refresh();
        w.core.turn_limit = machine_.turn_limit;
        w.core.host = &machine_.host;
    };
    const auto run = [&](unsigned worker, unsigned n, Fault* mine) {
        return shade_group(*workers_[worker], size_t(n) * kThreads, out, mine);
    };
    const units::AreaResult result = units::run_areas(
        unsigned(groups), machine_.on_threads(threads), run, [](Fault* mine) { fail_without_memory(mine); },
        [&] { return machine_.host.should_stop(); }, fault, begin);
    if (result == units::AreaResult::Failed) return false;
    for (size_t v = 0; splits && v < vertices_.size(); ++v) {
        uint32_t* const words = &out->values[v * out->words];
        const uint32_t both = words[places_.layer_view];
        words[places_.words] = both & 0xffff;
        words[places_.words + 1] = both >> 16;
    }
    return true;
}

bool GeometryDraw::shade_group(Worker& w, size_t first, units::VertexOutputs* out, Fault* fault) const {
    SimdGroup& g = w.group;
    const auto count = unsigned(std::min<size_t>(kThreads, vertices_.size() - first));
    g.threads = count == kThreads ? ~0u : (1u << count) - 1;
    g.helpers = 0;
    g.registers = program_->registers;
    g.uniforms = const_cast<Uniforms*>(&program_->uniforms);  // only preshaders write them
    g.bindings = &program_->bindings;
    g.local = {};
    g.stack_B = program_->stack_B;
    g.special = {};
    for (unsigned t = 0; t < count; ++t) {
        wave::put_at(g.r[kVertexIdRegister], t, vertices_[first + t].index);
        wave::put_at(g.r[kInstanceIdRegister], t, vertices_[first + t].instance);
    }
    w.units.outputs = out->values.data() + first * out->words;
    w.units.stride = out->words;
    w.units.words = places_.words;
    w.core.start(g, program_->code_va);
    CoreFault f;
    if (w.core.run(g, &f) == Outcome::Done) return true;
    return fail_core(fault, f, program_->code_va, host::text_of("vertex program of draw ", machine_.draws));
}

}  // namespace terrazzo::agx::sim
