// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/kernel_draws.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "pipe/primitives.h"
#include "shaders/passes/geometry_passes.h"
#include "shaders/passes/stream_output_stores.h"

namespace terrazzo::contexts {

namespace {

using images::StoredResource;
using programs::Kernel;
namespace buffer = ir::stage_buffer;

constexpr uint64_t kAlign_B = 64, kDword_B = 4;
/// The memory of usual draws; larger ones get their own.
constexpr uint64_t kMemory_B = 4u << 20;
/// The most memory for the outputs of the primitives that a geometry or control stage processes together,
/// unless a single one needs more.
constexpr uint64_t kMostOutputs_B = 32u << 20;

uint64_t record_B(uint64_t slots) {
    return ir::record_dw(slots) * kDword_B;
}
uint32_t groups_of(uint64_t invocations) {
    return uint32_t((invocations + ir::kKernelGroup - 1) / ir::kKernelGroup);
}
/// The most primitives that an invocation of the geometry stage emits.
uint32_t most_primitives(const ir::StageRecords& g) {
    const uint32_t corners = programs::StageShape::corners(g);
    return g.vertices_out < corners ? 0 : g.vertices_out - corners + 1;
}
/// How many primitives with outputs of this size are processed together.
uint32_t together(uint64_t outputs_B) {
    return uint32_t(std::clamp<uint64_t>(kMostOutputs_B / std::max<uint64_t>(outputs_B, 1), 1, 1u << 20));
}
pipe::BufferRange part_of(const pipe::BufferRange& r, uint64_t first_B, uint64_t size_B) {
    return {r.resource, r.offset_B + first_B, size_B};
}
pipe::Primitive mode_of(uint32_t corners) {
    return corners == 1   ? pipe::Primitive::Points
           : corners == 2 ? pipe::Primitive::Lines
                          : pipe::Primitive::Triangles;
}
uint32_t rows_B(const ir::StageRecords& control) {
    constexpr uint32_t kLevelRows = 2, kRow_B = 16;
    return std::max(kLevelRows, control.patch_rows) * kRow_B;
}
StoredResource& stored(const pipe::BufferRange& r) {
    return images::stored(*r.resource);
}

}  // namespace

pipe::BufferRange KernelDraws::allocate(uint64_t size_B) {
    size_B = std::max<uint64_t>(size_B, kDword_B);
    if (!memory_ || used_B_ + size_B > memory_->desc.width) {
        pipe::ResourceDesc d;
        d.kind = pipe::ResourceKind::Buffer;
        d.width = uint32_t(std::max(size_B, kMemory_B));
        if (size_B > UINT32_MAX) throw std::bad_alloc();
        d.bind = pipe::bind::kStorage | pipe::bind::kIndex | pipe::bind::kConstant | pipe::bind::kIndirect;
        memory_ = context_.screen.create_resource(d);
        used_B_ = 0;
        if (!memory_) throw std::bad_alloc();
    }
    const pipe::BufferRange r{memory_.get(), used_B_, size_B};
    used_B_ = (used_B_ + size_B + kAlign_B - 1) & ~(kAlign_B - 1);
    held_.push_back(memory_);
    return r;
}

pipe::BufferRange KernelDraws::upload(std::span<const uint32_t> words) {
    const Range r = allocate(words.size_bytes());
    std::memcpy(stored(r).cpu_memory().first + r.offset_B, words.data(), words.size_bytes());
    return r;
}

const uint8_t* KernelDraws::wait_and_read(const Range& r) {
    context_.wait_for_writes(stored(r));
    return stored(r).cpu_memory().first + r.offset_B;
}

void KernelDraws::run(Kernel k, uint64_t invocations, std::initializer_list<KernelBuffer> buffers) {
    runner_.run_kernel(k, groups_of(invocations), {buffers.begin(), buffers.size()});
}

void KernelDraws::draw(Draw& d, std::span<const pipe::DrawRange> ranges) {
    const uint32_t size = pipe::primitive_vertices(d.info.mode, d.info.patch_vertices);
    // The API refuses other draws.
    if (d.shape.tessellates ? d.info.mode != pipe::Primitive::Patches || !size || size > ir::kMaxPatchVertices
                            : d.shape.geometry.vertices_in != size)
        return;
    list_.list(context_, d.info, ranges, UINT32_MAX);
    const auto primitives = uint32_t(list_.vertices().size() / size);
    if (!primitives || !d.info.instance_count) return;
    held_.clear();
    const Range vertices = shade_vertices(d);
    const uint64_t primitive_B = size * record_B(d.shape.vertex_slots());
    const ir::StageRecords& c = d.shape.control;
    const uint32_t most =
        d.shape.tessellates ? together(c.vertices_out * record_B(c.slots_out) + rows_B(c)) : primitives;
    // Each instance counts its primitives from 0.
    for (uint64_t i = 0; i < d.info.instance_count; ++i)
        for (uint32_t first = 0; first < primitives; first += most) {
            const uint32_t n = std::min(most, primitives - first);
            const Records in{part_of(vertices, (i * primitives + first) * primitive_B, n * primitive_B), n,
                             first};
            if (d.shape.tessellates)
                tessellate(d, in);
            else
                shade_geometry(d, in);
        }
    held_.clear();
}

pipe::BufferRange KernelDraws::shade_vertices(const Draw& d) {
    const std::span<const uint32_t> listed = list_.vertices();
    const uint64_t count = listed.size() * uint64_t(d.info.instance_count);
    const Range out = allocate(count * record_B(d.shape.vertex_slots()));
    const uint32_t param[] = {0, uint32_t(listed.size()), 0, 0, 0};  // ir::vertex_param
    run(Kernel::Vertex, count,
        {{buffer::kInput, upload(listed)}, {buffer::kOutput, out, true}, {buffer::kParam, upload(param)}});
    return out;
}

// ---- The geometry stage ----

void KernelDraws::shade_geometry(Draw& d, const Records& in) {
    const ir::StageRecords& g = d.shape.geometry;
    const uint64_t corners = programs::StageShape::corners(g),
                   invocation_B =
                       g.vertices_out * record_B(g.slots_out) + most_primitives(g) * corners * kDword_B,
                   primitive_B = g.vertices_in * record_B(g.slots_in);
    if (!most_primitives(g)) return;
    const uint32_t most = together(g.invocations * invocation_B);
    for (uint32_t first = 0; first < in.primitives; first += most) {
        const uint32_t n = std::min(most, in.primitives - first);
        emit_geometry(d, {part_of(in.range, first * primitive_B, n * primitive_B), n, in.first + first});
    }
}

/// The numbers of the vertices and primitives before each invocation, and *all: how many primitives there
/// are. Sums of runs, sums of these, and so on, then back.
pipe::BufferRange KernelDraws::find_starts(Range vertices, Range primitives, uint32_t invocations,
                                           Range* all) {
    struct Level {
        Range vertices, primitives;
        uint32_t count;
    };
    std::vector<Level> levels{{vertices, primitives, invocations}};
    while (levels.back().count > 1) {
        const Level from = levels.back();
        const uint32_t count = groups_of(from.count);
        const Level to{allocate(count * kDword_B), allocate(count * kDword_B), count};
        run(Kernel::Sum, count,
            {{buffer::kInput, from.vertices},
             {buffer::kParam, from.primitives},
             {buffer::kCount, to.vertices, true},
             {buffer::kPoint, to.primitives, true}});
        levels.push_back(to);
    }
    *all = levels.back().primitives;
    const uint32_t none[2] = {};
    Range before = upload(none);
    for (size_t k = levels.size(); k-- > 0;) {
        const Level& level = levels[k];
        const uint32_t runs = groups_of(level.count);
        const Range starts = allocate(runs * uint64_t(ir::kKernelGroup) * 2 * kDword_B);
        run(Kernel::Starts, runs,
            {{buffer::kInput, level.vertices},
             {buffer::kParam, level.primitives},
             {buffer::kOutput, before},
             {buffer::kPoint, starts, true}});
        before = starts;
    }
    return before;
}

void KernelDraws::emit_geometry(Draw& d, const Records& in) {
    const ir::StageRecords& g = d.shape.geometry;
    const uint32_t invocations = in.primitives * g.invocations, corners = programs::StageShape::corners(g);
    const uint32_t words[] = {in.first, 0};
    const Range param = upload(words), counts = allocate(invocations * kDword_B),
                primitives = allocate(invocations * kDword_B);
    run(Kernel::Count, invocations,
        {{buffer::kInput, in.range},
         {buffer::kParam, param},
         {buffer::kCount, counts, true},
         {ir::geometry_pass::kPrimitives, primitives, true}});
    Range all;
    const Range starts = find_starts(counts, primitives, invocations, &all);
    const Range records = allocate(invocations * uint64_t(g.vertices_out) * record_B(g.slots_out)),
                indices = allocate(invocations * uint64_t(most_primitives(g)) * corners * kDword_B);
    run(Kernel::Write, invocations,
        {{buffer::kInput, in.range},
         {buffer::kParam, param},
         {buffer::kOutput, records, true},
         {ir::geometry_pass::kStarts, starts},
         {ir::geometry_pass::kIndices, indices, true}});
    if (d.counts || d.capture) {
        uint32_t count = 0;
        std::memcpy(&count, wait_and_read(all), sizeof count);
        return draw_counted(d, records, indices, std::min(count, invocations * most_primitives(g)) * corners);
    }
    const Range parameters = allocate(sizeof(uint32_t[5]));
    runner_.run_kernel(
        Kernel::Parameters, 1,
        std::array<KernelBuffer, 2>{{{buffer::kInput, all}, {buffer::kOutput, parameters, true}}});
    pipe::DrawInfo info{.mode = mode_of(corners), .index_type = pipe::IndexType::U32};
    info.index_buffer = indices.resource;
    info.index_offset_B = indices.offset_B;
    info.indirect = parameters;
    runner_.draw_records(info, {}, records);
}

void KernelDraws::draw_counted(Draw& d, const Range& records, const Range& indices, uint32_t count) {
    const uint32_t corners = programs::StageShape::corners(d.shape.last());
    d.primitives += count / corners;
    if (!count) return;
    if (d.capture) {
        const CapturedVertices::Kernel k =
            d.capture->add(count / corners, corners, d.shape.captured_stride_dw);
        d.captured += k.primitives;
        const uint32_t state[] = {uint32_t(k.before), 0}, param[] = {count};
        std::vector<KernelBuffer> buffers{{ir::capture_buffer::kRecords, records},
                                          {ir::capture_buffer::kIndices, indices},
                                          {ir::capture_buffer::kParam, upload(param)},
                                          {programs::kernel_capture::kState, upload(state), true}};
        for (uint32_t n = 0; n < k.outputs.size(); ++n)
            if (k.outputs[n].size_B)
                buffers.push_back({programs::kernel_capture::kOutputs + n, k.outputs[n], true});
        if (k.primitives) runner_.run_kernel(Kernel::Capture, groups_of(count), buffers);
    }
    pipe::DrawInfo info{.mode = mode_of(corners), .index_type = pipe::IndexType::U32};
    info.index_buffer = indices.resource;
    info.index_offset_B = indices.offset_B;
    const pipe::DrawRange range{0, count, 0};
    runner_.draw_records(info, {&range, 1}, records);
}

// ---- Tessellation ----

void KernelDraws::tessellate(Draw& d, const Records& in) {
    const ir::StageRecords &c = d.shape.control, &e = d.shape.evaluation;
    const uint32_t row_B = rows_B(c);
    const Range control = allocate(in.primitives * uint64_t(c.vertices_out) * record_B(c.slots_out)),
                patches = allocate(in.primitives * uint64_t(row_B));
    const uint32_t words[] = {in.first, d.info.patch_vertices};
    const Range param = upload(words);
    // A workgroup is a patch.
    runner_.run_kernel(Kernel::Control, in.primitives,
                       std::array<KernelBuffer, 4>{{{buffer::kInput, in.range},
                                                    {buffer::kOutput, control, true},
                                                    {buffer::kPatch, patches, true},
                                                    {buffer::kParam, param}}});
    const uint8_t* const rows = wait_and_read(patches);
    const pipe::TessDomain domain = {e.in, e.spacing, e.clockwise, e.out == ir::Shape::Points};
    points_.clear();
    corners_.clear();
    for (uint32_t p = 0; p < in.primitives; ++p) {
        pipe::TessLevels levels;
        std::memcpy(levels.outer, rows + uint64_t(p) * c.patch_rows * 16, sizeof levels.outer);
        std::memcpy(levels.inner, rows + uint64_t(p) * c.patch_rows * 16 + 16, sizeof levels.inner);
        if (!tessellator_.run(domain, levels)) continue;
        const auto base = uint32_t(points_.size() / 4);
        for (const pipe::TessPoint& t : tessellator_.points()) {
            uint32_t point[4] = {0, 0, 0, p};
            std::memcpy(point, &t, sizeof t);
            points_.insert(points_.end(), point, point + 4);
        }
        for (uint32_t i = base; domain.points && i < points_.size() / 4; ++i)
            corners_.push_back(i);
        for (const uint32_t i : tessellator_.indices())
            corners_.push_back(base + i);
        constexpr size_t kPointsTogether = 65536;
        if (points_.size() / 4 >= kPointsTogether) evaluate(d, control, patches, param, in.first);
    }
    evaluate(d, control, patches, param, in.first);
}

void KernelDraws::evaluate(Draw& d, const Range& control, const Range& patches, const Range& param,
                           uint32_t first) {
    if (corners_.empty()) return;
    const uint32_t size = programs::StageShape::corners(d.shape.evaluation);
    const auto count = uint32_t(corners_.size() / size * size);
    // A geometry stage reads the corners of primitives in their order: shared points are evaluated for each.
    std::vector<uint32_t> listed;
    if (d.shape.emits)
        for (uint32_t i = 0; i < count; ++i)
            listed.insert(listed.end(), &points_[corners_[i] * size_t(4)],
                          &points_[corners_[i] * size_t(4)] + 4);
    const std::vector<uint32_t>& points = d.shape.emits ? listed : points_;
    const Range out = allocate(points.size() / 4 * record_B(d.shape.evaluated_slots()));
    run(Kernel::Evaluation, points.size() / 4,
        {{buffer::kInput, control},
         {buffer::kOutput, out, true},
         {buffer::kPatch, patches},
         {buffer::kPoint, upload(points)},
         {buffer::kParam, param}});
    if (d.shape.emits)
        shade_geometry(d, {out, count / size, first});
    else
        draw_counted(d, out, upload(corners_), count);
    points_.clear();
    corners_.clear();
}

}  // namespace terrazzo::contexts
