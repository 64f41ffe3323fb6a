// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The reported fault is the first one in the order of areas.
#include "drivers/mali/sim/fragment/job.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>

#include "drivers/mali/sim/worker.h"

namespace terrazzo::mali::sim {

namespace {

using Mode = hw::PrePostFrameShaderMode;
using R = hw::FragmentRegisters;
constexpr unsigned kMaxSegments = 1u << 24;
/// Per job, for the areas' lists of them. Segments may refer to the same memory repeatedly.
constexpr size_t kMaxPrimitives = size_t(1) << 22;

}  // namespace

bool FragmentJob::load_frame_shaders(Fault* fault) {
    const Mode modes[3] = {fb_.p.pre_frame_0, fb_.p.pre_frame_1, fb_.p.post_frame};
    for (unsigned i = 0; i < 3; ++i) {
        FrameShader& f = frame_[i];
        f.mode = modes[i];
        if (f.mode == Mode::Never) continue;
        const hw::Scissor everything{0, 0, 0xffff, 0xffff};
        f.draw.record.number = i;
        if (!load_dcd(machine_, fb_.p.frame_shader_dcds + i * hw::Draw::kSize_B, everything, fb_, &f.draw,
                      fault)) {
            prefix(fault, "frame shader " + std::to_string(i));
            return false;
        }
        f.primitive = whole_framebuffer(f.draw, fb_);
    }
    return true;
}

const FragmentDraw* FragmentJob::load_segment_draw(uint64_t va, Fault* fault) {
    if (!draws_.empty() && last_draw_va_ == va) return draws_.back().get();
    Window& m = machine_.memory;
    DrawRecord record;
    if (!m.read(va, &record, sizeof(record))) return report_access(fault, m, "draw record"), nullptr;
    auto draw = std::make_unique<FragmentDraw>();
    if (!load_draw(machine_, record, fb_, draw.get(), fault)) {
        prefix(fault, "draw " + std::to_string(record.number));
        return nullptr;
    }
    draw->record.number = record.number;
    draws_.push_back(std::move(draw));
    last_draw_va_ = va;
    return draws_.back().get();
}

bool FragmentJob::load_segment(uint64_t va, uint64_t* next, Fault* fault) {
    Window& m = machine_.memory;
    SegmentRecord s;
    if (!m.read(va, &s, sizeof(s))) return report_access(fault, m, "polygon list");
    if (s.magic != SegmentRecord::kMagic)
        return report(fault, "the polygon list at ", hex_text(va), " is none");
    *next = s.next;
    Segment segment;
    segment.draw = load_segment_draw(s.draw, fault);
    if (!segment.draw) return false;
    segment.first = primitive_count_;
    if (segment.draw->frame_shader) {
        segment.primitive_count = 1;
    } else {
        const uint64_t varyings_B = uint64_t(s.varying_count) * segment.draw->record.varying_size_B;
        segment.varyings = varyings_B ? m.at(s.varyings, varyings_B, Access::Read) : nullptr;
        if (varyings_B && !segment.varyings) return report_access(fault, m, "varyings");
        if (!s.primitive_count) return true;
        // In one mapping, as the tiler has written them.
        const uint64_t record_B = s.vertices ? sizeof(TriangleRecord) : sizeof(PrimitiveRecord);
        segment.records = m.at(s.primitives, s.primitive_count * record_B, Access::Read);
        if (!segment.records) return report_access(fault, m, "primitives");
        if (s.vertices) {
            segment.vertices =
                m.at(s.vertices, uint64_t(s.varying_count) * sizeof(VertexRecord), Access::Read);
            if (!segment.vertices) return report_access(fault, m, "vertices");
        }
        segment.size_px = s.size_px;
        segment.primitive_count = s.primitive_count;
        segment.varying_count = s.varying_count;
    }
    if (segment.primitive_count > kMaxPrimitives - primitive_count_)
        return report(fault, "more than ", kMaxPrimitives, " primitives in a fragment job");
    primitive_count_ += segment.primitive_count;
    segments_.push_back(segment);
    return true;
}

bool FragmentJob::load_list(uint64_t polygon_list, Fault* fault) {
    unsigned count = 0;
    for (uint64_t va = polygon_list; va;) {
        uint64_t next = 0;
        if (++count > kMaxSegments) return report(fault, "the polygon list does not end");
        if (!load_segment(va, &next, fault)) return false;
        va = next;
    }
    return true;
}

// Others may write to the memory meanwhile: a record is read once for each use, and then checked.
PrimitiveRecord FragmentJob::Segment::record(uint32_t i) const {
    if (!vertices) return read<PrimitiveRecord>(records, i);
    const auto t = read<TriangleRecord>(records, i);
    // set_up() reports vertices that there are not.
    const auto vertex = [&](uint32_t n) {
        return n < varying_count ? read<VertexRecord>(vertices, n) : VertexRecord{};
    };
    const VertexRecord v[3] = {vertex(t.vertex[0]), vertex(t.vertex[1]), vertex(t.vertex[2])};
    // All members have values, so no memory is cleared first.
    return {{{v[0].corner[0], v[0].corner[1]},
             {v[1].corner[0], v[1].corner[1]},
             {v[2].corner[0], v[2].corner[1]}},
            {v[0].window, v[1].window, v[2].window},
            {t.vertex[0], t.vertex[1], t.vertex[2]},
            PrimitiveKind::Triangle,
            t.back_facing,
            t.layer,
            size_px};
}

uint32_t FragmentJob::Segment::layer(uint32_t i) const {
    if (vertices) return records[size_t(i) * sizeof(TriangleRecord) + offsetof(TriangleRecord, layer)];
    uint16_t layer;
    std::memcpy(&layer, records + size_t(i) * sizeof(PrimitiveRecord) + offsetof(PrimitiveRecord, layer),
                sizeof layer);
    return layer;
}

bool FragmentJob::Segment::corners(uint32_t i, int32_t corner[3][2]) const {
    if (!vertices) {
        const uint8_t* const at = records + size_t(i) * sizeof(PrimitiveRecord);
        PrimitiveKind kind;
        std::memcpy(&kind, at + offsetof(PrimitiveRecord, kind), sizeof kind);
        std::memcpy(corner, at + offsetof(PrimitiveRecord, corner), sizeof(PrimitiveRecord::corner));
        return kind == PrimitiveKind::Triangle;
    }
    const auto t = read<TriangleRecord>(records, i);
    for (unsigned k = 0; k < 3; ++k) {
        if (t.vertex[k] >= varying_count) return false;
        std::memcpy(corner[k], vertices + t.vertex[k] * sizeof(VertexRecord) + offsetof(VertexRecord, corner),
                    sizeof corner[k]);
    }
    return true;
}

pipe::raster::PixelRect FragmentJob::pixels_of(const Segment& s, uint32_t i) const {
    if (!s.records) return intersect(fb_.bounds, s.draw->scissor);
    if (s.layer(i) != fb_.p.internal_layer_index) return {};
    int32_t corner[3][2];
    if (s.corners(i, corner)) {
        pipe::raster::PixelRect pixels;
        if (!units::find_pixels(corner, s.draw->multisampled, &pixels)) return {};
        return intersect(fb_.bounds, intersect(pixels, s.draw->scissor));
    }
    if (s.vertices) return fb_.bounds;  // so that the areas report the record
    return intersect(fb_.bounds, sim::pixels_of(*s.draw, s.record(i)));
}

const FragmentJob::Segment* FragmentJob::segment_of(size_t number) const {
    return &*std::prev(std::upper_bound(segments_.begin(), segments_.end(), number,
                                        [](size_t i, const Segment& s) { return i < s.first; }));
}

// Each thread lists the areas of a few segments at a time.
JobStatus FragmentJob::bin_primitives(Fault* fault) {
    constexpr size_t kSegmentsAPart = 4;
    const auto parts = unsigned((segments_.size() + kSegmentsAPart - 1) / kSegmentsAPart);
    const unsigned threads = std::clamp(parts, 1u, machine_.threads);
    bins_.begin(fb_.bounds, kArea_px, parts, threads);
    const auto run = [&](unsigned worker, unsigned n, Fault*) {
        const size_t end = std::min(segments_.size(), (n + 1) * kSegmentsAPart);
        for (size_t s = n * kSegmentsAPart; s < end; ++s)
            for (uint32_t i = 0; i < segments_[s].primitive_count; ++i)
                bins_.add(worker, pixels_of(segments_[s], i), uint32_t(segments_[s].first + i));
        bins_.end_part(worker, n);
        return true;
    };
    const JobStatus status = run_parts(machine_, "job", parts, threads, fault, run);
    if (status == JobStatus::Done) bins_.join();
    return status;
}

// False: a fault. *covers: it may cover pixels.
bool FragmentJob::set_up(const Segment& s, uint32_t i, FragmentPrimitive* p, bool* covers, Fault* fault) {
    *covers = true;
    if (!s.records) {
        *p = whole_framebuffer(*s.draw, fb_);
        return true;
    }
    const PrimitiveRecord r = s.record(i);
    for (const uint32_t v : r.varying)
        if ((s.varyings || s.vertices) && v >= s.varying_count)
            return report(fault, "a primitive record is broken");
    *covers = load_primitive(*s.draw, r, s.varyings, p);
    return true;
}

// Primitives are set up where they are drawn, so that each thread does its own.
bool FragmentJob::draw_primitives(FragmentShader& shader, FragmentWorker& w, const std::vector<uint32_t>& bin,
                                  Fault* fault) {
    // Other threads have written the records: they are loaded a few primitives before they are needed, those
    // of triangles before those of their vertices.
    constexpr size_t kAhead = 6;
    const Segment* segments[3] = {};
    // A primitive's number in its segment, which is usually that of the last call.
    const auto find = [&](unsigned which, size_t n) {
        const Segment*& s = segments[which];
        if (!s || bin[n] - s->first >= s->primitive_count) s = segment_of(bin[n]);
        return uint32_t(bin[n] - s->first);
    };
    for (size_t n = 0; n < bin.size(); ++n) {
        if (n + 2 * kAhead < bin.size()) {
            const uint32_t i = find(2, n + 2 * kAhead);
            segments[2]->prefetch_record(i);
        }
        if (n + kAhead < bin.size()) {
            const uint32_t i = find(1, n + kAhead);
            segments[1]->prefetch_vertices(i);
        }
        const uint32_t i = find(0, n);
        if (w.used == FragmentWorker::kMostPrimitives) {
            if (!shader.shade_pending(w.area, fault)) return false;
            w.used = 0;
        }
        FragmentPrimitive* const p = &w.primitives[w.used];
        bool covers = false;
        if (!set_up(*segments[0], i, p, &covers, fault)) return false;
        if (!covers) continue;
        ++w.used;
        if (!shader.draw(*p, w.area, fault)) return false;
    }
    return true;
}

bool FragmentJob::run_frame_shader(FragmentShader& shader, FragmentWorker& w, const FrameShader& f,
                                   bool intersects, Fault* fault) {
    if (f.mode == Mode::Never || (f.mode == Mode::Intersect && !intersects)) return true;
    const uint32_t color = w.area.touched_color, zs = w.area.touched_zs;
    if (!shader.draw(f.primitive, w.area, fault) || !shader.flush(w.area, fault)) return false;
    if (f.draw.flags_0.clean_fragment_write) {
        w.area.touched_color = color;
        w.area.touched_zs = zs;
    }
    return true;
}

bool FragmentJob::run_area(FragmentWorker& w, unsigned index, Fault* fault) {
    std::vector<uint32_t>& bin = w.bin;
    bins_.primitives(index, &bin);
    w.area.begin(fb_, bins_.x(index), bins_.y(index));
    w.pending.clear();
    for (FragmentStage& s : w.warps.stage)
        s.clear();
    FragmentShader shader(w.core, fb_, w.pending, w.warps);
    for (unsigned i = 0; i < 2; ++i)
        if (!run_frame_shader(shader, w, frame_[i], !bin.empty(), fault)) return false;
    w.used = 0;
    const bool good = draw_primitives(shader, w, bin, fault) && shader.flush(w.area, fault) &&
                      run_frame_shader(shader, w, frame_[2], !bin.empty(), fault) &&
                      write_back(w.core.memory(), fb_, w.area, watcher_, fault);
    w.fragments += shader.fragments;
    w.samples_passed += shader.samples_passed;
    return good;
}

JobStatus FragmentJob::run_areas(Fault* fault) {
    const unsigned threads = units::area_threads(bins_.count(), primitive_count_, machine_.threads);
    while (workers_.size() < threads) {
        workers_.push_back(std::make_unique<FragmentWorker>(machine_.host.space()));
        workers_.back()->core.warp_slot = kFragmentWarpSlot + unsigned(workers_.size()) - 1;
    }
    const auto run = [&](unsigned n, unsigned area, Fault* mine) {
        return run_area(*workers_[n], area, mine);
    };
    return run_parts(machine_, "job", bins_.count(), threads, fault, run,
                     [&](unsigned n) { begin_job(*workers_[n], machine_); });
}

JobStatus FragmentJob::run(const hw::CsRunFragment& how, const CsRegisters& r, Fault* fault) {
    hw::FramebufferPointer pointer;
    hw::Scissor scissor;
    Window& m = machine_.memory;
    if (how.enable_tem) return report(fault, "a map of enabled tiles is not executed"), JobStatus::Fault;
    if (!take_struct(&r.r[R::framebuffer], &pointer, "framebuffer pointer", fault) ||
        !take_struct(&r.r[R::scissor], &scissor, "fragment scissor", fault) ||
        !load_framebuffer(m, pointer, &fb_, fault))
        return JobStatus::Fault;
    const pipe::raster::PixelRect covered = pipe::raster::intersect(
        fb_.bounds, {int32_t(scissor.scissor_minimum_x), int32_t(scissor.scissor_minimum_y),
                     int32_t(scissor.scissor_maximum_x) + 1, int32_t(scissor.scissor_maximum_y) + 1});
    if (covered.empty()) return JobStatus::Done;
    // Only whole tiles are processed.
    const auto down = [](int32_t v, unsigned size) { return int32_t(unsigned(v) / size * size); };
    const auto up = [](int32_t v, unsigned size) { return int32_t((unsigned(v) + size - 1) / size * size); };
    fb_.bounds =
        pipe::raster::intersect(fb_.bounds, {down(covered.x0, fb_.tile_w_px), down(covered.y0, fb_.tile_h_px),
                                             up(covered.x1, fb_.tile_w_px), up(covered.y1, fb_.tile_h_px)});
    uint64_t polygon_list = 0;
    if (fb_.p.tiler) {
        hw::TilerContext tiler;
        uint32_t words[hw::TilerContext::kSize_dw];
        if (!detail::read_words(m, fb_.p.tiler, words, sizeof(words), hw::TilerContext::kAlign_B,
                                "tiler context", fault))
            return JobStatus::Fault;
        hw::unpack(words, &tiler);
        if (tiler.sample_pattern != fb_.p.sample_pattern)
            return report(fault, "the tiler context has the sample pattern ", unsigned(tiler.sample_pattern),
                          ", and the framebuffer ", hw::enum_name(fb_.p.sample_pattern)),
                   JobStatus::Fault;
        if (fb_.p.internal_layer_index >= tiler.layer_count)
            return report(fault, "layer ", fb_.p.internal_layer_index, " of a tiler context that has ",
                          tiler.layer_count),
                   JobStatus::Fault;
        polygon_list = tiler.polygon_list;
    }
    if (!load_frame_shaders(fault) || !load_list(polygon_list, fault)) return JobStatus::Fault;
    const JobStatus binned = bin_primitives(fault);
    return binned == JobStatus::Done ? run_areas(fault) : binned;
}

}  // namespace terrazzo::mali::sim
