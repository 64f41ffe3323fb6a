// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/draw.h"

#include <algorithm>
#include <string>

#include "drivers/adreno/sim/geometry/indices.h"
#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr size_t kBatchPrimitives = 8192, kBatchEmitted = 16384;
constexpr uint32_t kBatchPatches = 1024;
constexpr uint64_t kBatchLooked = 1u << 20;  // primitives in a batch, also those that the tile does not need

}  // namespace

GeometryDraw::GeometryDraw(Machine& machine, WaveRunner& runner, const DrawCall& call)
    : machine_(machine),
      runner_(runner),
      call_(call),
      visibility_(visibility_of(machine)),
      wave_(&runner.wave()) {}

bool GeometryDraw::run(PrimitiveSink& sink, Fault* fault) {
    bool needed = true, stopped = false;
    if (!check(fault) || !visibility_.tile.begin_draw(machine_, visibility_.pass, call_, &needed, fault))
        return false;
    if (!needed) return true;
    if (!init(fault)) return false;
    runner_.begin_draw();
    if (recorded_) visibility_.pass.begin_draw();
    const bool good = patched_ ? run_patches(sink, &stopped, fault) : run_primitives(sink, &stopped, fault);
    if (!good || stopped) return good;
    count_primitives();
    return !recorded_ ||
           visibility_.pass.end_draw(machine_, uint64_t(primitives_.count()) * call_.instances, fault);
}

// The checks before anything is read.
bool GeometryDraw::check(Fault* fault) {
    binning_ = machine_.mode == RenderMode::Binning;
    recorded_ = binning_ && call_.initiator.vis_cull == hw::VisCull::USE_VISIBILITY;
    has_geometry_ = call_.initiator.gs_enable;
    patched_ = call_.initiator.tess_enable;
    if (patched_ != (patch_vertices(call_.initiator.prim_type) != 0))
        return fail(fault, FaultKind::Illegal,
                    patched_ ? "tessellation of what is no patch" : "patches without tessellation");
    if (binning_ && !visibility_.pass.begun())
        return fail(fault, "a draw of a binning pass that no event has begun");
    const auto multiview = machine_.registers.get<hw::VFD_MULTIVIEW_CNTL>();
    if (multiview.value.enable) return fail(fault, "VFD_MULTIVIEW_CNTL: several views are not executed");
    return true;
}

bool GeometryDraw::init_stages(bool first_provoking, Fault* fault) {
    units::PrimitiveKind kind = primitives_.kind;
    unsigned corners = primitives_.corners;
    const bool rectangles = call_.initiator.prim_type == hw::PrimType::DI_PT_RECTLIST;
    if (!vertex_.init(machine_, patched_ || has_geometry_, rectangles, fault)) return false;
    if (patched_) {
        if (!hull_.init(machine_, corners, fault) ||
            !tessellator_.init(machine_, call_.initiator.patch_type, fault) ||
            !domain_.init(machine_, has_geometry_, fault))
            return false;
        kind = tessellator_.kind();
        corners = units::corners_of(kind);
    }
    in_.corners = corners;
    batch_primitives_ = kBatchPrimitives;
    if (has_geometry_) {
        if (!geometry_.init(machine_, corners, patched_, fault)) return false;
        kind = geometry_.kind();
        batch_primitives_ =
            std::clamp<size_t>(kBatchEmitted / geometry_.most_vertices(), 1, kBatchPrimitives);
    }
    provoking_ = first_provoking ? 0 : units::corners_of(kind) - 1;
    const Stage last = has_geometry_ ? Stage::Geometry : patched_ ? Stage::Domain : Stage::Vertex;
    return outputs_.init(machine_.registers, last, fault) &&
           stream_output_.init(machine_, outputs_.stride(), has_geometry_, fault) &&
           (discard_ ||
            (outputs_.init_raster(machine_.registers, fault) &&
             decode_window(machine_.registers, kind, rectangles, outputs_, &setup_.state, fault)));
}

bool GeometryDraw::init(Fault* fault) {
    RegisterReader in(machine_.registers, fault);
    const bool first = !in.get<hw::PC_PRIMITIVE_CNTL_0>().value.provoking_vtx_last;
    const auto raster = in.get<hw::PC_RASTER_CNTL>();
    if (!in || !load_primitives(machine_, call_, first, has_geometry_, &primitives_, fault)) return false;
    raster_stream_ = raster.stream;
    discard_ = raster.discard || (raster.stream != 0 && !has_geometry_);
    // After a geometry shader, gl_PrimitiveID of fragments is one of its outputs.
    if (has_geometry_ && machine_.registers.is_set(hw::VPC_CNTL_0::kRegister))
        primitive_id_location_ = machine_.registers.get<hw::VPC_CNTL_0>().primidloc;
    if (!init_stages(first, fault)) return false;
    if (primitive_id_location_ >= outputs_.stride()) primitive_id_location_ = StageOutputs::kNoLocation;
    return true;
}

// Calls run(n) for each part, on several threads.
template <class Run>
bool GeometryDraw::run_parts(unsigned parts, Run&& run, Fault* fault) {
    const auto part = [&](unsigned, unsigned n, Fault*) {
        run(n);
        return true;
    };
    return sim::run_parts(machine_, parts, std::clamp(parts, 1u, machine_.threads), fault, part);
}

// Takes primitives of `in_` from *at on, as many as a batch has, and the vertices that they need.
bool GeometryDraw::look_up(uint64_t* at, uint64_t stop, Fault* fault) {
    in_.clear();
    for (; *at < stop && in_.numbers.size() < batch_primitives_; ++*at)
        if (visibility_.tile.needs(*at)) in_.numbers.push_back(*at);
    const size_t count = in_.numbers.size(), corners = primitives_.corners;
    found_.begin(primitives_, count);
    const auto find = [&](unsigned n) { found_.find(n, [&](size_t i) { return in_.numbers[i]; }); };
    if (!run_parts(found_.parts(), find, fault)) return false;
    found_.join(&vertex_.vertices);
    in_.vertices.resize(count * corners);
    in_.ids.resize(count);
    constexpr size_t kTaken = 2048;
    const auto take = [&](unsigned n) {
        for (size_t i = n * kTaken; i < std::min(count, (n + 1) * kTaken); ++i) {
            in_.ids[i] = uint32_t(in_.numbers[i] % primitives_.count());
            for (size_t k = 0; k < corners; ++k)
                in_.vertices[i * corners + k] = found_.vertex(i, k);
        }
    };
    return run_parts(unsigned((count + kTaken - 1) / kTaken), take, fault);
}

bool GeometryDraw::run_primitives(PrimitiveSink& sink, bool* stopped, Fault* fault) {
    const uint64_t total = uint64_t(primitives_.count()) * call_.instances;
    for (uint64_t at = 0; at < total;) {
        *stopped = machine_.host.should_stop();
        if (*stopped) return true;
        if (!look_up(&at, std::min(total, at + kBatchLooked), fault) ||
            !finish_batch(vertex_, vertex_.vertices.size(), sink, fault))
            return false;
    }
    assembled_ += has_geometry_ ? 0 : total;
    return true;
}

// Subdraw after subdraw: the memory of levels and of patches' values has room for one. A size of 0 does not
// divide the draw: Mesa 25.0.7 writes it when hull shaders have no outputs (it divides by their size, which
// gives 0 on the CPUs of phones), and conformance tests of that pass on an a630 (freedreno/ci).
bool GeometryDraw::run_patches(PrimitiveSink& sink, bool* stopped, Fault* fault) {
    const uint32_t total = uint32_t(primitives_.count());
    const uint32_t step = call_.subdraw_size ? std::max(1u, call_.subdraw_size / primitives_.corners) : ~0u;
    for (uint32_t instance = 0; total && instance < call_.instances; ++instance)
        for (uint32_t at = 0, count; at < total; at += count) {
            const uint32_t base = at / step * step;
            count = std::min({kBatchPatches, total - at, step - (at - base)});
            *stopped = machine_.host.should_stop();
            if (*stopped) return true;
            if (!run_patches_of(instance, base, at, count, sink, fault)) return false;
        }
    return true;
}

bool GeometryDraw::run_patches_of(uint32_t instance, uint32_t base, uint32_t first, uint32_t count,
                                  PrimitiveSink& sink, Fault* fault) {
    const size_t n = primitives_.corners;
    const uint64_t number = uint64_t(instance) * primitives_.count() + first;
    patches_.clear();
    patch_corners_.clear();
    ids_.clear();
    vertex_.vertices.clear();
    for (uint32_t p = 0; p < count; ++p) {
        if (!visibility_.tile.needs(number + p)) continue;
        patches_.push_back({first - base + p, first + p, uint32_t(ids_.size())});
        const uint32_t* v = &primitives_.vertices[(first + p) * n];
        ids_.insert(ids_.end(), v, v + n);
    }
    unique_.add(ids_, instance, &vertex_.vertices, &patch_corners_);
    if (!hull_.run(machine_, runner_, vertex_, patches_, patch_corners_, *wave_, fault)) return false;
    machine_.primitive_counters[3] += patches_.size();
    in_.clear();
    domain_.points.clear();
    for (size_t i = 0; i < patches_.size(); ++i) {
        const uint32_t relative = patches_[i].relative;
        if (!tessellator_.run(machine_, relative, &domain_.points, &in_.vertices, fault)) return false;
        const size_t primitives = in_.vertices.size() / in_.corners;
        const uint32_t id = domain_.points.empty() ? 0 : domain_.points.back().primitive_id;
        in_.numbers.resize(primitives, number + patches_[i].primitive_id - first);
        in_.ids.resize(primitives, id);
        if (in_.count() < batch_primitives_ && i + 1 < patches_.size()) continue;
        if (!has_geometry_) assembled_ += in_.count();
        machine_.primitive_counters[4] += domain_.points.size();
        if (!finish_batch(domain_, domain_.points.size(), sink, fault)) return false;
        in_.clear();
        domain_.points.clear();
    }
    return true;
}

bool GeometryDraw::finish_batch(VertexMaker& maker, size_t vertices, PrimitiveSink& sink, Fault* fault) {
    if (!has_geometry_) {
        vertices_run_ += patched_ ? 0 : vertices;
        if (!discard_) setup_.begin_batch(outputs_.stride(), vertices);
        return make_vertices(machine_, runner_, maker, vertices, outputs_, discard_ ? nullptr : &setup_,
                             *wave_, &batch_, fault) &&
               set_up(in_, sink, fault);
    }
    machine_.primitive_counters[5] += in_.count() * geometry_.invocations();
    for (size_t at = 0, end; at < in_.count(); at = end) {
        if (machine_.host.should_stop()) return true;
        end = std::min(in_.count(), at + batch_primitives_);
        if (!geometry_.run(machine_, runner_, maker, in_, at, end, outputs_, *wave_, &batch_, &emitted_,
                           fault))
            return false;
        if (!discard_) {
            const size_t made = batch_.words ? batch_.values.size() / batch_.words : 0;
            setup_.begin_batch(batch_.words, made);
            setup_.set_up_vertices(batch_, 0, made);
        }
        if (!set_up(emitted_, sink, fault)) return false;
        machine_.primitive_counters[6] += emitted_.count();
    }
    return true;
}

void GeometryDraw::set_up_part(const PrimitiveList& list, size_t first, size_t end, Part* part) const {
    part->primitives.clear();
    part->of.clear();
    part->assembled = 0;
    for (size_t i = first; i < end; ++i) {
        if (!list.streams.empty() && list.streams[i] != raster_stream_) continue;
        ++part->assembled;
        const uint32_t* const corner = &list.vertices[i * list.corners];
        const size_t before = part->primitives.size();
        setup_.set_up(batch_, corner, provoking_, part->shapes, &part->primitives);
        if (part->primitives.size() == before) continue;
        const uint32_t id = primitive_id_location_ == StageOutputs::kNoLocation
                                ? list.ids[i]
                                : batch_.of(corner[provoking_])[primitive_id_location_];
        for (size_t k = before; k < part->primitives.size(); ++k) {
            part->primitives[k].primitive_id = id;
            part->of.push_back(uint32_t(i));
        }
    }
    part->list = DrawnList(part->primitives);
}

// Sets up the primitives of a list on several threads, a few hundred at a time. Stream output and visibility
// streams are written in the order of primitives.
bool GeometryDraw::set_up(const PrimitiveList& list, PrimitiveSink& sink, Fault* fault) {
    constexpr size_t kTaken = 256;
    for (size_t i = 0; i < list.count(); ++i) {
        const unsigned stream = list.streams.empty() ? 0 : list.streams[i];
        if (stream_output_.enabled(stream) &&
            !stream_output_.write(machine_, stream, batch_, &list.vertices[i * list.corners], list.corners,
                                  fault))
            return false;
    }
    if (discard_ || (list.streams.empty() && raster_stream_ != 0)) return true;
    const auto parts = unsigned((list.count() + kTaken - 1) / kTaken);
    if (parts_.size() < parts) parts_.resize(parts);
    const auto run = [&](unsigned n) {
        set_up_part(list, n * kTaken, std::min(list.count(), (n + 1) * kTaken), &parts_[n]);
    };
    if (!run_parts(parts, run, fault)) return false;
    lists_.clear();
    for (unsigned n = 0; n < parts; ++n) {
        const Part& part = parts_[n];
        if (has_geometry_) assembled_ += part.assembled;
        drawn_ += part.primitives.size();
        if (!part.primitives.empty()) lists_.push_back(part.list);
        for (size_t k = 0; k < part.primitives.size() && binning_; ++k) {
            bool seen = true;
            if (!sink.is_seen(part.primitives[k], &seen, fault)) return false;
            if (recorded_ && seen) visibility_.pass.add(list.numbers[part.of[k]], part.primitives[k].shape);
        }
    }
    return binning_ || lists_.empty() || sink.take(batch_, lists_, fault);
}

void GeometryDraw::count_primitives() {
    uint64_t* const counters = machine_.primitive_counters;
    counters[0] += uint64_t(call_.count) * call_.instances;
    counters[1] += uint64_t(primitives_.count()) * call_.instances;
    counters[2] += vertices_run_ + hull_.vertices_run() + (patched_ ? 0 : geometry_.vertices_run());
    if (discard_) return;
    counters[7] += assembled_;
    counters[8] += drawn_;
}

}  // namespace terrazzo::adreno::sim
