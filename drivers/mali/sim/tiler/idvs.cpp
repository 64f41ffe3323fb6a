// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws in batches: positions and culling of all primitives, then records and varyings of those that are
// left.
#include "drivers/mali/sim/tiler/idvs.h"

#include <algorithm>

#include "drivers/mali/sim/tiler/idvs_parts.h"
#include "drivers/mali/sim/worker.h"

namespace terrazzo::mali::sim {

namespace {

using R = hw::IdvsRegisters;

/// Vertices are shared in a batch; a segment's records and varyings are one block of heap. Each step of a
/// batch begins and ends with all threads at the same place, so a batch is large.
constexpr size_t kBatchPrimitives = 32768, kSegmentPrimitives = 256;
/// A thread takes several warps at a time: threads meet where they take work.
constexpr size_t kWarpsAPart = 4;

size_t parts_of(size_t count, size_t a_part) {
    return (count + a_part - 1) / a_part;
}

}  // namespace

Idvs::Idvs(Machine& machine) : machine_(machine) {}
Idvs::~Idvs() = default;

void Idvs::begin(Worker& w, const Draw& d) {
    begin_job(w, machine_);
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
        return run(*workers_[worker], n, mine);
    };
    return sim::run_parts(machine_, "draw", unsigned(parts), threads, fault, part);
}

// Finds the vertices of the primitives from number `at` on, at most a batch.
JobStatus Idvs::find_vertices(const Draw& d, uint64_t at, uint64_t stop, Batch* b, Fault* fault) {
    b->primitive_count = size_t(std::min<uint64_t>(stop - at, kBatchPrimitives));
    b->found.begin(d.primitives, b->primitive_count);
    const auto run = [&](Worker&, unsigned n, Fault*) {
        b->found.find(n, [&](size_t i) { return at + i; });
        return true;
    };
    const unsigned parts = b->found.parts(), threads = std::min(parts, machine_.threads);
    const JobStatus status = run_parts(d, parts, threads, run, fault);
    if (status == JobStatus::Done) b->found.join(&b->vertices);
    return status;
}

JobStatus Idvs::shade_positions(const Draw& d, Batch* b, Fault* fault) {
    b->positions.resize(b->vertices.size());
    b->sizes.assign(b->vertices.size(), d.size_px);
    b->layers.assign(d.layers ? b->vertices.size() : 0, 0);
    const size_t count = b->vertices.size();
    const unsigned most = std::min(machine_.threads, d.geometry_buffer_B / kWarpPositions_B);
    constexpr size_t kPart = kWarpsAPart * kWarpLanes;
    const auto run = [&](Worker& w, unsigned n, Fault* f) {
        for (size_t first = n * kPart; first < std::min(count, (n + 1) * kPart); first += kWarpLanes)
            if (!w.shade_positions(d, b, first, f)) return false;
        return true;
    };
    const unsigned threads = units::vertex_threads(parts_of(count, kWarpLanes), most);
    return run_parts(d, parts_of(count, kPart), threads, run, fault);
}

// The layer of a primitive in the tiler context: its provoking vertex' one.
int32_t Idvs::layer_of(const Draw& d, const Batch& b, const uint32_t* corner, unsigned corners) {
    const uint32_t provoking = corner[d.record.first_provoking_vertex ? 0 : corners - 1];
    return int32_t(d.layers ? b.layers[provoking] : 0) + d.layer_offset;
}

// Finds the visible primitives, and assigns slots to the varyings of their vertices.
JobStatus Idvs::set_up(const Draw& d, Batch* b, Fault* fault) {
    const unsigned n = d.primitives.corners;
    const bool triangles = d.primitives.kind == PrimitiveKind::Triangle;
    b->segment_count = parts_of(b->primitive_count, kSegmentPrimitives);
    if (b->segments.size() < b->segment_count) b->segments.resize(b->segment_count);
    const auto run = [&](Worker& w, unsigned part, Fault*) {
        Segment& s = b->segments[part];
        s.first = part * kSegmentPrimitives;
        s.end = std::min(b->primitive_count, s.first + kSegmentPrimitives);
        s.primitives = 0;
        s.visible.resize(s.end - s.first);
        size_t count = 0;
        s.clipped.clear();
        uint32_t clipped = 0;  // how many of s.clipped have an entry
        // Clipped triangles may have several parts, so there may be more entries than primitives.
        const auto add = [&]() -> Segment::Visible& {
            if (count == s.visible.size()) s.visible.resize(2 * count);
            return s.visible[count++];
        };
        for (size_t p = s.first; p < s.end; ++p) {
            uint32_t corner[3] = {};
            const units::SetupVertex* v[3] = {};
            bool inside = triangles;
            for (unsigned i = 0; i < n; ++i) {
                corner[i] = b->found.vertex(p, i);
                v[i] = &b->positions[corner[i]];
                inside = inside && v[i]->inside;
            }
            const int32_t layer = layer_of(d, *b, corner, n);
            if (layer < 0 || layer >= int32_t(d.layer_count)) continue;
            if (inside) {
                uint16_t back_facing;
                if (!units::is_visible_inside(d.setup, v, &back_facing)) continue;
                Segment::Visible& visible = add();
                visible.layer = uint8_t(layer);
                std::copy_n(corner, 3, visible.corner);
                visible.clipped = 0;
                visible.back_facing = back_facing;
                continue;
            }
            WindowVertex window[3];
            for (unsigned i = 0; i < n; ++i)
                window[i] = v[i]->window;
            units::set_up_primitive(d.setup, window, b->sizes[corner[0]], &s.clipped);
            while (clipped < s.clipped.size()) {
                Segment::Visible& visible = add();
                std::copy_n(corner, 3, visible.corner);
                visible.layer = uint8_t(layer);
                visible.clipped = ++clipped;
            }
        }
        s.visible.resize(count);
        w.place_varyings(d, *b, &s);
        return true;
    };
    const auto threads = unsigned(std::min<size_t>(b->segment_count, machine_.threads));
    return run_parts(d, b->segment_count, threads, run, fault);
}

// Allocated as one block, so that all of it exists or none.
JobStatus Idvs::write(const Draw& d, TilerMemory& memory, uint64_t* draw_va, Batch* b, Segment* s,
                      Fault* fault) {
    if (s->visible.empty()) return JobStatus::Done;
    const auto align = [](uint64_t v) { return (v + 63) & ~uint64_t(63); };
    const uint64_t draw_B = *draw_va ? 0 : align(sizeof(DrawRecord)),
                   segment_B = align(sizeof(SegmentRecord));
    const uint64_t records_B = s->visible.size() * s->record_B();
    static_assert(3 * kSegmentPrimitives < 1 << 16);  // a TriangleRecord's indices
    const uint64_t vertices_B = s->shares_vertices() ? s->used.size() * sizeof(VertexRecord) : 0;
    const uint64_t varyings_B = uint64_t(d.record.varying_size_B) * s->used.size();
    uint64_t va = 0;
    if (const JobStatus status = memory.allocate(
            draw_B + segment_B + align(records_B) + align(vertices_B) + varyings_B, &va, fault);
        status != JobStatus::Done)
        return status;
    SegmentRecord segment;
    if (draw_B) *draw_va = va;
    segment.draw = *draw_va;
    segment.primitives = va + draw_B + segment_B;
    segment.vertices = s->vertices = vertices_B ? segment.primitives + align(records_B) : 0;
    segment.varyings = s->varyings = segment.primitives + align(records_B) + align(vertices_B);
    segment.size_px = std::min(d.size_px, d.setup.max_size_px);
    segment.primitive_count = uint32_t(s->visible.size());
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
    // A part is a segment's records, or several warps.
    const size_t parts = b->segment_count + parts_of(b->warps.size(), kWarpsAPart);
    const auto run = [&](Worker& w, unsigned n, Fault* f) {
        if (n >= b->segment_count) {
            const size_t first = (n - b->segment_count) * kWarpsAPart;
            for (size_t i = first; i < std::min(b->warps.size(), first + kWarpsAPart); ++i)
                if (!w.shade_varyings(d, *b, b->warps[i], f)) return false;
            return true;
        }
        return w.write_records(d, *b, b->segments[n], f);
    };
    const unsigned threads = units::vertex_threads(b->segment_count + b->warps.size(), machine_.threads);
    const JobStatus status = run_parts(d, parts, threads, run, fault);
    if (status != JobStatus::Done) return status;
    return copy_varyings(d, *b, fault);
}

JobStatus Idvs::copy_varyings(const Draw& d, const Batch& b, Fault* fault) {
    constexpr size_t kTaken = 512;
    const uint64_t size_B = d.record.varying_size_B;
    const auto address = [&](Batch::Place p) { return b.segments[p.segment - 1].varyings + p.slot * size_B; };
    const auto run = [&](Worker& w, unsigned n, Fault* f) {
        Window& m = w.core.memory();
        std::vector<uint8_t> vertex(size_B);
        for (size_t i = n * kTaken; i < std::min(b.copies.size(), (n + 1) * kTaken); ++i)
            if (!m.read(address(b.copies[i].from), vertex.data(), size_B) ||
                !m.write(address(b.copies[i].to), vertex.data(), size_B))
                return report_access(f, m, "varyings");
        return true;
    };
    const size_t parts = (b.copies.size() + kTaken - 1) / kTaken;
    return run_parts(d, parts, unsigned(std::clamp<size_t>(parts, 1, machine_.threads)), run, fault);
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
        JobStatus status = find_vertices(d, at, total, &b, fault);
        if (status != JobStatus::Done) return status;
        at += b.primitive_count;
        b.first.assign(b.vertices.size(), {});
        b.warps.clear();
        b.copies.clear();
        status = shade_positions(d, &b, fault);
        if (status == JobStatus::Done) status = set_up(d, &b, fault);
        for (uint32_t s = 0; s < b.segment_count && status == JobStatus::Done; ++s) {
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
    for (const auto& w : workers_)
        count_work(*w, counters);
}

}  // namespace terrazzo::mali::sim
