// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers: hw/cs.rows. Preloaded registers and outputs of shaders (Mesa 25.0.7,
// compiler/bifrost_compile.c): r59 is the index of the vertex's outputs (LEA_BUF of table 61), r60 the
// vertex, r61 the instance, r62 the draw. Positions are in the geometry buffer, 16 bytes each; with point
// sizes ("extended"), those of four vertices follow their four positions.
#include "drivers/mali/sim/tiler/idvs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "drivers/common/units/setup.h"
#include "drivers/common/units/vertices.h"
#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/units/shader_units.h"
#include "drivers/mali/sim/units/stage.h"
#include "pipe/half.h"

namespace terrazzo::mali::sim {

namespace {

using R = hw::IdvsRegisters;

/// Vertices are shared in a batch; a segment's records and varyings are one block of heap.
constexpr size_t kBatchPrimitives = 4096, kSegmentPrimitives = 256;
constexpr uint32_t kPosition_B = 16;
constexpr uint32_t kPositionSlots = 2 * kWarpLanes, kWarpPositions_B = kPositionSlots * kPosition_B;
constexpr uint64_t kMaxPrimitives = 1u << 26;

uint32_t position_slot(unsigned i, bool extended) {
    return extended ? i / 4 * 8 + i % 4 : i;
}

}  // namespace

struct Idvs::Draw {
    hw::PrimitiveFlags flags;
    hw::Scissor scissor;
    units::SetupState setup;
    IndexSource indices;
    units::Primitives primitives;
    ShaderState position, varying;
    bool has_varying = false, extended = false, sizes = false;
    uint32_t instances = 0, instance_offset = 0, draw_id = 0, attribute_offset = 0;
    float size_px = 1;
    uint64_t geometry_buffer = 0;
    uint32_t geometry_buffer_B = 0;
    DrawRecord record;
};

/// Primitives of a batch, and what is written of them.
struct Idvs::Segment {
    size_t first = 0, end = 0;  // primitives of the batch
    std::vector<PrimitiveRecord> records;
    std::vector<uint32_t> used;             // vertices of the batch, in the order of their varyings
    uint64_t primitives = 0, varyings = 0;  // addresses of the records, 0: none; and of the varyings
};

struct Idvs::Batch {
    /// A vertex' varyings: in which segment, and which.
    struct Place {
        uint32_t segment = 0, slot = 0;
    };
    /// Up to a warp of vertices of a segment without varyings.
    struct VaryingWarp {
        uint32_t segment = 0, count = 0;
        uint32_t slot[kWarpLanes];
    };
    struct Copy {
        Place from, to;
    };
    units::BatchReader reader;
    std::vector<units::VertexInvocation> vertices;
    std::vector<uint32_t> corners;  // of primitives: indices of vertices
    std::vector<uint64_t> numbers;
    std::vector<units::SetupVertex> positions;
    std::vector<float> sizes;
    std::vector<Segment> segments;  // of which the first segment_count are the batch's
    size_t segment_count = 0;
    std::vector<Place> first, last;  // of each vertex' varyings; segments count from 1, 0: it has none
    std::vector<VaryingWarp> warps;
    std::vector<Copy> copies;
};

/// One thread's state.
struct Idvs::Worker {
    Worker(Machine& machine, unsigned number) : core(machine.host.space(), units), slot(number) {}
    bool run_warp(const Draw& d, const ShaderState& shader, Warp& warp, const units::VertexInvocation* v,
                  const uint32_t* slots, unsigned count, Fault* fault);
    bool shade_positions(const Draw& d, Batch* b, size_t first, Fault* fault);
    bool shade_varyings(const Draw& d, const Batch& b, const Batch::VaryingWarp& w, Fault* fault);

    ShaderUnits units;
    Core core;
    const unsigned slot;
    Warp position, varying;
};

Idvs::Idvs(Machine& machine) : machine_(machine) {}
Idvs::~Idvs() = default;

bool Idvs::decode_shaders(const hw::CsRunIdvs& how, const CsRegisters& r, Draw* d, Fault* fault) {
    ShaderAddresses a{r.pair(R::position_spd), r.pair(R::vertex_srt), 0, r.pair(R::vertex_tsd), 0};
    set_fau(&a, r.pair(R::vertex_fau));
    if (!load_shader(machine_.memory, a, hw::ShaderStage::Vertex, &d->position, fault)) return false;
    d->has_varying = d->flags.secondary_shader;
    if (!d->has_varying) return true;
    a.program = r.pair(R::varying_spd);
    if (how.varying_srt_select) a.resources = r.pair(R::varying_srt);
    if (how.varying_fau_select) set_fau(&a, r.pair(R::varying_fau));
    if (how.varying_tsd_select) a.storage = r.pair(R::varying_tsd);
    return load_shader(machine_.memory, a, hw::ShaderStage::Vertex, &d->varying, fault);
}

bool Idvs::decode(const hw::CsRunIdvs& how, const CsRegisters& r, TilerMemory& memory, Draw* d,
                  Fault* fault) {
    const uint32_t primitive_flags = r.r[R::primitive_flags] | how.flags_override;
    hw::DcdFlags0 flags_0;
    if (!take_struct(&primitive_flags, &d->flags, "primitive flags", fault) ||
        !take_struct(&r.r[R::dcd_flags_0], &flags_0, "DCD flags 0", fault) ||
        !take_struct(&r.r[R::scissor], &d->scissor, "scissor", fault))
        return false;
    if (!how.malloc_enable) return report(fault, "RUN_IDVS without memory allocation is not executed");
    if (d->flags.layer_index_enable || d->flags.view_mask || d->flags.scissor_array_enable ||
        d->flags.primitive_index_enable)
        return report(fault, "layers, views, scissor arrays and primitive indices are not executed");
    if (!decode_shaders(how, r, d, fault)) return false;
    const hw::TilerContext& context = memory.context();
    units::SetupState& s = d->setup;
    s.cull_front = flags_0.cull_front_face;
    s.cull_back = flags_0.cull_back_face;
    // For images with row 0 on top: Mesa's panfrost inverts the flag for images with row 0 at the bottom.
    s.front_ccw = flags_0.front_face_ccw;
    s.low_depth_cull = d->flags.low_depth_cull;
    s.high_depth_cull = d->flags.high_depth_cull;
    s.low_depth = std::bit_cast<float>(r.r[R::low_depth_clamp]);
    s.high_depth = std::bit_cast<float>(r.r[R::high_depth_clamp]);
    s.scissor = {int32_t(d->scissor.scissor_minimum_x), int32_t(d->scissor.scissor_minimum_y),
                 int32_t(std::min(d->scissor.scissor_maximum_x + 1, context.fb_width)),
                 int32_t(std::min(d->scissor.scissor_maximum_y + 1, context.fb_height))};
    d->indices = {d->flags.index_type,       r.pair(R::indices),   r.r[R::index_array_size],
                  r.r[R::index_count],       r.r[R::index_offset], int32_t(r.r[R::vertex_offset]),
                  d->flags.primitive_restart};
    d->instances = r.r[R::instance_count];
    d->instance_offset = r.r[R::instance_offset];
    d->attribute_offset = r.r[R::global_attribute_offset];
    if (how.draw_id_register_enable) d->draw_id = r.r[how.draw_id % kCsRegisters];
    d->extended = d->flags.position_fifo_format == hw::FifoFormat::Extended;
    d->sizes = d->flags.point_size_array_format != hw::PointSizeArrayFormat::None &&
               d->flags.draw_mode == hw::DrawMode::Points;
    if (d->sizes && !d->extended) return report(fault, "point sizes without the extended position format");
    d->size_px = std::bit_cast<float>(r.r[R::primitive_size]);
    d->geometry_buffer = context.geometry_buffer;
    d->geometry_buffer_B = context.geometry_buffer_size;
    if (context.geometry_buffer_size < kWarpPositions_B)
        return report(fault, "the tiler context's geometry buffer has only " +
                                 std::to_string(context.geometry_buffer_size) + " bytes");
    if (d->indices.count > kMaxPrimitives) return report(fault, "more than 2^26 indices in a draw");
    DrawRecord& rec = d->record;
    rec.number = machine_.draws;
    // Without its own fragment_srt, a fragment shader uses the vertex shader's tables.
    rec.fragment_srt = r.pair(how.fragment_srt_select ? R::fragment_srt : R::vertex_srt);
    rec.fragment_tsd = r.pair(how.fragment_tsd_select ? R::fragment_tsd : R::vertex_tsd);
    rec.fragment_fau = r.pair(R::fragment_fau);
    rec.fragment_spd = r.pair(R::fragment_spd);
    rec.blend = r.pair(R::blend);
    rec.depth_stencil = r.pair(R::depth_stencil);
    rec.occlusion = r.pair(R::occlusion);
    rec.flags_0 = r.r[R::dcd_flags_0];
    rec.flags_1 = r.r[R::dcd_flags_1];
    rec.flags_2 = r.r[R::dcd_flags_2];
    rec.primitive_flags = primitive_flags;
    std::copy_n(&r.r[R::scissor], 2, rec.scissor);
    rec.low_depth_clamp = s.low_depth;
    rec.high_depth_clamp = s.high_depth;
    rec.varying_size_B = d->has_varying ? r.r[R::varying_size] : 0;
    rec.first_provoking_vertex = context.first_provoking_vertex;
    if (!load_primitives(machine_.memory, d->flags.draw_mode, d->indices, context.first_provoking_vertex,
                         &d->primitives, fault))
        return false;
    s.kind = d->primitives.kind;
    return true;
}

bool Idvs::Worker::run_warp(const Draw& d, const ShaderState& shader, Warp& warp,
                            const units::VertexInvocation* v, const uint32_t* slots, unsigned count,
                            Fault* fault) {
    begin_run(&warp);
    U32 id{}, instance{}, output{};
    for (unsigned i = 0; i < kWarpLanes; ++i) {
        const units::VertexInvocation& vertex = v[std::min(i, count - 1)];
        id[i] = i < count ? vertex.index : 0;
        instance[i] = vertex.instance + d.instance_offset;
        output[i] = i < count ? slots[i] : 0;
    }
    preload(shader, &warp, 59, output);
    preload(shader, &warp, 60, id);
    preload(shader, &warp, 61, instance);
    preload(shader, &warp, 62, wave::splat(d.draw_id));
    Core::start(warp, shader.program.binary, count == kWarpLanes ? 0xffff : (1u << count) - 1);
    CoreFault core_fault;
    if (core.run(warp, &core_fault) == Outcome::Done) return true;
    return report(fault, to_string(core_fault, shader.program.binary));
}

// A warp of vertices from `first` on, by the worker's part of the geometry buffer.
bool Idvs::Worker::shade_positions(const Draw& d, Batch* b, size_t first, Fault* fault) {
    const uint64_t buffer = d.geometry_buffer + uint64_t(slot) * kWarpPositions_B;
    Stage stage{StageKind::Vertex, &d.position, buffer, kPosition_B, kPositionSlots, d.attribute_offset};
    position.stage = &stage;
    uint32_t slots[kWarpLanes];
    for (unsigned i = 0; i < kWarpLanes; ++i)
        slots[i] = position_slot(i, d.extended);
    const auto n = unsigned(std::min<size_t>(kWarpLanes, b->vertices.size() - first));
    if (!run_warp(d, d.position, position, &b->vertices[first], slots, n, fault)) {
        prefix(fault, "position shader");
        return false;
    }
    uint8_t raw[kWarpPositions_B];
    if (!core.memory().read(buffer, raw, sizeof(raw)))
        return report_access(fault, core.memory(), "geometry buffer");
    for (unsigned i = 0; i < n; ++i) {
        const uint8_t* at = raw + slots[i] * kPosition_B;
        WindowVertex v;
        std::memcpy(&v, at, sizeof(v));
        b->positions[first + i] = units::set_up_vertex(d.setup, v);
        if (!d.sizes) continue;
        uint32_t word;
        std::memcpy(&word, at + 4 * kPosition_B, 4);
        b->sizes[first + i] = d.flags.point_size_array_format == hw::PointSizeArrayFormat::Fp16
                                  ? pipe::half_to_float(uint16_t(word))
                                  : std::bit_cast<float>(word);
    }
    return true;
}

bool Idvs::Worker::shade_varyings(const Draw& d, const Batch& b, const Batch::VaryingWarp& w, Fault* fault) {
    const Segment& s = b.segments[w.segment];
    Stage stage{StageKind::Vertex,       &d.varying,        s.varyings, d.record.varying_size_B,
                uint32_t(s.used.size()), d.attribute_offset};
    varying.stage = &stage;
    units::VertexInvocation v[kWarpLanes];
    for (unsigned i = 0; i < w.count; ++i)
        v[i] = b.vertices[s.used[w.slot[i]]];
    if (run_warp(d, d.varying, varying, v, w.slot, w.count, fault)) return true;
    prefix(fault, "varying shader");
    return false;
}

void Idvs::begin(Worker& w, const Draw& d) {
    w.units.forget();
    w.core.memory().refresh();
    w.core.programs().begin_job();
    w.core.turn_limit = machine_.turn_limit;
    w.core.host = &machine_.host;
    const unsigned slot = w.slot ? kFragmentWarpSlot + w.slot : kVertexWarpSlot;
    set_shader(d.position, slot, &w.position);
    set_shader(d.varying, slot, &w.varying);
}

// Calls run(worker, n, &fault) for each n below `parts`. Of several faults, that of the lowest n is reported.
template <class Run>
JobStatus Idvs::run_parts(const Draw& d, size_t parts, unsigned threads, Run&& run, Fault* fault) {
    while (workers_.size() < threads) {
        workers_.push_back(std::make_unique<Worker>(machine_, unsigned(workers_.size())));
        begin(*workers_.back(), d);
    }
    const auto part = [&](unsigned worker, unsigned n, Fault* mine) {
        try {
            if (run(*workers_[worker], n, mine)) return units::AreaResult::Done;
        } catch (const std::bad_alloc&) {  // must not leave a thread
            mine->code = hw::ExceptionCode::OOM;
            mine->report = "the host has no memory for this draw";
        }
        return failed(machine_.host) == JobStatus::Stopped ? units::AreaResult::Stopped
                                                           : units::AreaResult::Failed;
    };
    switch (units::run_areas(
        unsigned(parts), threads, machine_.threads, &machine_.pool, [](unsigned) {}, part,
        [&] { return machine_.host.should_stop(); }, fault)) {
        case units::AreaResult::Done:
            return JobStatus::Done;
        case units::AreaResult::Stopped:
            return JobStatus::Stopped;
        case units::AreaResult::Failed:
            break;
    }
    return JobStatus::Fault;
}

JobStatus Idvs::shade_positions(const Draw& d, Batch* b, Fault* fault) {
    b->positions.resize(b->vertices.size());
    b->sizes.assign(b->vertices.size(), d.size_px);
    const size_t warps = (b->vertices.size() + kWarpLanes - 1) / kWarpLanes;
    const unsigned most = std::min(machine_.threads, d.geometry_buffer_B / kWarpPositions_B);
    return run_parts(
        d, warps, units::vertex_threads(warps, most),
        [&](Worker& w, unsigned n, Fault* f) { return w.shade_positions(d, b, size_t(n) * kWarpLanes, f); },
        fault);
}

// Creates records of the visible primitives; their varyings are vertices of the batch.
JobStatus Idvs::set_up(const Draw& d, Batch* b, Fault* fault) {
    const unsigned n = d.primitives.corners;
    const bool triangles = d.primitives.kind == PrimitiveKind::Triangle;
    b->segment_count = (b->numbers.size() + kSegmentPrimitives - 1) / kSegmentPrimitives;
    if (b->segments.size() < b->segment_count) b->segments.resize(b->segment_count);
    const auto run = [&](Worker&, unsigned part, Fault*) {
        Segment& s = b->segments[part];
        s.first = part * kSegmentPrimitives;
        s.end = std::min(b->numbers.size(), s.first + kSegmentPrimitives);
        s.primitives = 0;
        s.records.clear();
        for (size_t p = s.first; p < s.end; ++p) {
            const uint32_t* corner = &b->corners[p * n];
            const units::SetupVertex* v[3] = {};
            bool inside = triangles;
            for (unsigned i = 0; i < n; ++i) {
                v[i] = &b->positions[corner[i]];
                inside = inside && v[i]->inside;
            }
            const size_t before = s.records.size();
            if (inside) {
                if (!units::set_up_inside(d.setup, v, d.size_px, &s.records.emplace_back()))
                    s.records.pop_back();
            } else {
                WindowVertex window[3];
                for (unsigned i = 0; i < n; ++i)
                    window[i] = v[i]->window;
                units::set_up_primitive(d.setup, window, b->sizes[corner[0]], &s.records);
            }
            for (size_t i = before; i < s.records.size(); ++i)
                std::copy_n(corner, n, s.records[i].varying);
        }
        return true;
    };
    const auto threads = unsigned(std::min<size_t>(b->segment_count, machine_.threads));
    return run_parts(d, b->segment_count, threads, run, fault);
}

// Gives the vertices of a segment their varyings' slots.
void Idvs::place_varyings(Batch* b, uint32_t segment) {
    Segment& s = b->segments[segment];
    s.used.clear();
    for (PrimitiveRecord& r : s.records)
        for (unsigned i = 0; i < units::corners_of(r.kind); ++i) {
            const uint32_t vertex = r.varying[i];
            Batch::Place& last = b->last[vertex];
            if (last.segment != segment + 1) {
                last = {segment + 1, uint32_t(s.used.size())};
                s.used.push_back(vertex);
            }
            r.varying[i] = last.slot;
        }
}

// Allocated as one block, so that all of it exists or none.
JobStatus Idvs::write(const Draw& d, TilerMemory& memory, uint64_t* draw_va, Batch* b, Segment* s,
                      Fault* fault) {
    if (s->records.empty()) return JobStatus::Done;
    const auto align = [](uint64_t v) { return (v + 63) & ~uint64_t(63); };
    const uint64_t draw_B = *draw_va ? 0 : align(sizeof(DrawRecord)),
                   segment_B = align(sizeof(SegmentRecord));
    const uint64_t records_B = s->records.size() * sizeof(PrimitiveRecord);
    const uint64_t varyings_B = uint64_t(d.record.varying_size_B) * s->used.size();
    uint64_t va = 0;
    if (const JobStatus status =
            memory.allocate(draw_B + segment_B + align(records_B) + varyings_B, &va, fault);
        status != JobStatus::Done)
        return status;
    SegmentRecord segment;
    if (draw_B) *draw_va = va;
    segment.draw = *draw_va;
    segment.primitives = va + draw_B + segment_B;
    segment.varyings = s->varyings = segment.primitives + align(records_B);
    segment.primitive_count = uint32_t(s->records.size());
    segment.varying_count = uint32_t(s->used.size());
    Window& m = machine_.memory;
    s->primitives = segment.primitives;
    if (!m.write(*draw_va, &d.record, sizeof(d.record)) || !m.write(va + draw_B, &segment, sizeof(segment)))
        return report_access(fault, m, "tiler heap"), JobStatus::Fault;
    if (!memory.append_segment(va + draw_B, fault)) return JobStatus::Fault;
    if (!d.has_varying) return JobStatus::Done;
    // A vertex is shaded for the first of its segments, and copied to the others.
    const auto number = uint32_t(s - b->segments.data());
    Batch::VaryingWarp warp{number, 0, {}};
    for (uint32_t slot = 0; slot < s->used.size(); ++slot) {
        Batch::Place& first = b->first[s->used[slot]];
        if (first.segment) {
            b->copies.push_back({first, {number + 1, slot}});
            continue;
        }
        first = {number + 1, slot};
        warp.slot[warp.count++] = slot;
        if (warp.count < kWarpLanes) continue;
        b->warps.push_back(warp);
        warp.count = 0;
    }
    if (warp.count) b->warps.push_back(warp);
    return JobStatus::Done;
}

// Writes the records, shades varyings, and copies those of vertices in several segments.
JobStatus Idvs::store(const Draw& d, Batch* b, Fault* fault) {
    // A part is a segment's records, or a warp.
    const size_t parts = b->segment_count + b->warps.size();
    const auto run = [&](Worker& w, unsigned n, Fault* f) {
        if (n >= b->segment_count) return w.shade_varyings(d, *b, b->warps[n - b->segment_count], f);
        const Segment& s = b->segments[n];
        return !s.primitives ||
               w.core.memory().write(s.primitives, s.records.data(),
                                     s.records.size() * sizeof(PrimitiveRecord)) ||
               report_access(f, w.core.memory(), "tiler heap");
    };
    const JobStatus status = run_parts(d, parts, units::vertex_threads(parts, machine_.threads), run, fault);
    if (status != JobStatus::Done) return status;
    Window& m = machine_.memory;
    const uint64_t size_B = d.record.varying_size_B;
    std::vector<uint8_t> vertex(size_B);
    const auto address = [&](Batch::Place p) {
        return b->segments[p.segment - 1].varyings + p.slot * size_B;
    };
    for (const Batch::Copy& c : b->copies)
        if (!m.read(address(c.from), vertex.data(), size_B) || !m.write(address(c.to), vertex.data(), size_B))
            return report_access(fault, m, "varyings"), JobStatus::Fault;
    return JobStatus::Done;
}

JobStatus Idvs::run(const hw::CsRunIdvs& how, const CsRegisters& registers, HeapUse& heap,
                    DrawProgress* progress, Fault* fault) {
    Draw d;
    TilerMemory memory(machine_, heap);
    if (!memory.open(registers.pair(R::tiler_context), fault) || !decode(how, registers, memory, &d, fault))
        return JobStatus::Fault;
    for (auto& w : workers_)
        begin(*w, d);
    if (!batch_) batch_ = std::make_unique<Batch>();
    Batch& b = *batch_;
    uint64_t draw_va = 0;
    const uint64_t count = d.primitives.count(), total = count * d.instances;
    for (uint64_t at = progress->instance * count + progress->primitive; at < total;) {
        if (machine_.host.should_stop()) return JobStatus::Stopped;
        const uint64_t begin = at;
        b.reader.next(
            d.primitives, &at, total, kBatchPrimitives, [](uint64_t) { return true; }, &b.vertices,
            &b.corners, &b.numbers);
        b.first.assign(b.vertices.size(), {});
        b.last.assign(b.vertices.size(), {});
        b.warps.clear();
        b.copies.clear();
        JobStatus status = shade_positions(d, &b, fault);
        if (status == JobStatus::Done) status = set_up(d, &b, fault);
        for (uint32_t s = 0; s < b.segment_count && status == JobStatus::Done; ++s) {
            place_varyings(&b, s);
            status = write(d, memory, &draw_va, &b, &b.segments[s], fault);
            if (status == JobStatus::OutOfHeap) at = begin + b.segments[s].first;
        }
        if (status == JobStatus::Fault || status == JobStatus::Stopped) return status;
        machine_.counters.vertices += b.vertices.size();
        machine_.counters.primitives += at - begin;
        if (const JobStatus shaded = store(d, &b, fault); shaded != JobStatus::Done) return shaded;
        progress->instance = uint32_t(at / count);
        progress->primitive = uint32_t(at % count);
        if (status == JobStatus::OutOfHeap) return status;
    }
    return memory.close(fault) ? JobStatus::Done : JobStatus::Fault;
}

void Idvs::count(host::Counters* counters) const {
    for (const auto& w : workers_) {
        counters->instructions += w->core.stats().instructions;
        counters->texture_fetches += w->units.texture_fetches();
    }
}

}  // namespace terrazzo::mali::sim
