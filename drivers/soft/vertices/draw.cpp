// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Primitive assembly by OpenGL ES 3.2 section 10.1. The last vertex of a primitive is the provoking one
// (section 12.3 of 3.0: flat shading); a line loop's closing segment ends at the first vertex.
#include "drivers/soft/vertices/draw.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "drivers/soft/binning/pipeline_limits.h"
#include "drivers/soft/vertices/kernel_stages.h"
#include "drivers/soft/vertices/primitive_steps.h"
#include "shaders/ir/limits.h"
#include "shaders/own_stack.h"  // whether a sanitizer is active

namespace terrazzo::soft {

namespace {

/// Adds a corner of a clipped primitive to the columns. Its outputs are interpolated from the original
/// vertices; flat ones are the provoking vertex's.
void add_clipped(const DrawCall& call, const VertexColumns& to, const ClipVertex& v, const uint32_t from[3],
                 uint32_t provoking, uint32_t at) {
    for (const PlaneLink& link : call.setup.program->links) {
        if (link.source == kNoOutput) continue;
        float* const column = to.outputs + size_t(link.source) * to.stride;
        if (link.interp == Interpolation::Flat) {
            column[at] = column[provoking];
            continue;
        }
        double sum = 0;
        for (unsigned n = 0; n < 3; ++n)
            if (v.weight[n] != 0) sum += double(column[from[n]]) * v.weight[n];
        column[at] = float(sum);
    }
    const ClipSpace& s = call.space;
    const float inv_w = 1.0f / v.position[3];
    to.inv_w[at] = inv_w;
    to.window[at] = {snap(window_px(v.position[0], inv_w, s.scale[0], s.translate[0])),
                     snap(window_px(v.position[1], inv_w, s.scale[1], s.translate[1])),
                     window_px(v.position[2], inv_w, s.scale[2], s.translate[2]), 0};
}

/// The corners of `n` triangles of a run, starting with `prim`; a fan's centre is vertex `hub`.
template <class Slot>
void list_corners(pipe::Primitive mode, uint32_t prim, uint32_t n, uint32_t hub, Slot slot,
                  uint32_t* const corner[3]) {
    uint32_t *const a = corner[0], *const b = corner[1], *const c = corner[2];
    if (mode == pipe::Primitive::Triangles) {
        for (uint32_t i = 0; i < n; ++i) {
            a[i] = slot(3 * i);
            b[i] = slot(3 * i + 1);
            c[i] = slot(3 * i + 2);
        }
    } else if (mode == pipe::Primitive::TriangleStrip) {
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t odd = (prim + i) & 1;  // keeps the orientation
            a[i] = slot(i + odd);
            b[i] = slot(i + 1 - odd);
            c[i] = slot(i + 2);
        }
    } else {
        for (uint32_t i = 0; i < n; ++i) {
            a[i] = slot(hub);
            b[i] = slot(i);
            c[i] = slot(i + 1);
        }
    }
}

class Assembler {
  public:
    Assembler(DrawCall& call, VertexStage& stage) : call_(call), stage_(stage) {}
    ~Assembler() {
        if (call_.setup.program->layer == kNoOutput) return;
        call_.rasterize = rasterizes_;
        call_.setup.bins->set_layer(0);
    }
    Assembler(const Assembler&) = delete;
    Assembler& operator=(const Assembler&) = delete;

    void batches(const Batches& all, uint64_t begin, uint64_t end);
    void listed(pipe::Primitive kind, uint32_t first, uint32_t count);

  private:
    void batch(uint32_t first, uint32_t total, int32_t bias, uint32_t instance, uint32_t prim,
               uint32_t prim_end);
    void read_ids(uint32_t first, uint32_t count, int32_t bias, uint32_t* out) const;
    uint32_t number(uint32_t first, uint32_t count, int32_t bias, const uint32_t* extra);
    uint32_t number_triangles(uint32_t first, uint32_t count, int32_t bias);
    void select_layer();
    void point(uint32_t a);
    void line(uint32_t a, uint32_t b);
    void triangles(uint32_t first, uint32_t count);
    void capture_triangles(uint32_t count);
    void capture_vertices(uint32_t count, uint32_t prim, uint32_t total, uint32_t extra);
    __attribute__((noinline)) void clipped_line(uint32_t a, uint32_t b, uint32_t codes);
    __attribute__((noinline)) void clipped_triangle(uint32_t a, uint32_t b, uint32_t c);
    Survivors reject(const TriangleList& list, Survivor* out);
    bool may_end(uint32_t vertices) {
        call_.ended = !call_.patience.goes_on(*call_.inputs.watch, vertices);
        return call_.ended;
    }
    void relieve() {
        if (!call_.relieve)
            call_.overflow = call_.setup.bins->arena().used_B() > DrawCall::kMaxPart_B;
        else if (call_.setup.pass->full())
            call_.relieve(call_.relieve_data, &call_.setup);
    }
    [[nodiscard]] uint32_t together(const Survivor& first) const;
    void position(uint32_t i, float out[4]) const {
        const float* const p = stage_.outputs(i) + size_t(call_.setup.program->position) * call_.setup.stride;
        for (unsigned c = 0; c < 4; ++c)
            out[c] = p[size_t(c) * call_.setup.stride];
    }
    /// The distances of vertices a, b and c, for the clipper; null: no clip distance cuts them.
    const PrimitiveDistances* distances(uint32_t codes, const uint32_t vertices[3],
                                        PrimitiveDistances& out) const;
    [[nodiscard]] uint32_t slot(uint32_t i) const { return call_.indices ? stage_.slots()[i] : i; }

    DrawCall& call_;
    VertexStage& stage_;
    const bool rasterizes_ = call_.rasterize;
};

template <class T>
void read_indices(const uint8_t* p, uint32_t count, uint32_t bias, uint32_t* out) {
    for (uint32_t i = 0; i < count; ++i) {
        T v;
#if defined(__SANITIZE_THREAD__)
        v = __atomic_load_n(reinterpret_cast<const T*>(p) + i, __ATOMIC_RELAXED);  // as in front/indices.inc
#else
        std::memcpy(&v, p + size_t(i) * sizeof(T), sizeof(T));
#endif
        out[i] = v + bias;
    }
}

void Assembler::read_ids(uint32_t first, uint32_t count, int32_t bias, uint32_t* out) const {
    const uint8_t* const p = call_.indices + size_t(first) * call_.index_B;
    switch (call_.index_B) {
        case 1:
            return read_indices<uint8_t>(p, count, uint32_t(bias), out);
        case 2:
            return read_indices<uint16_t>(p, count, uint32_t(bias), out);
        default:
            return read_indices<uint32_t>(p, count, uint32_t(bias), out);
    }
}

/// Puts vertices [first, first + count) of the run, and optionally vertex `extra`, into the stage's ids.
uint32_t Assembler::number(uint32_t first, uint32_t count, int32_t bias, const uint32_t* extra) {
    uint32_t* const ids = stage_.ids();
    if (call_.indices) {
        read_ids(first, count, bias, ids);
        if (extra) read_ids(*extra, 1, bias, ids + count);
        return stage_.deduplicate(count + (extra ? 1 : 0));
    }
    stage_.list_range(first, count);
    if (!extra) return count;
    stage_.list_extra(count, *extra);
    return count + 1;
}

/// The same for `count` separate triangles with indices that are close together, and lists their corners. 0:
/// not possible.
uint32_t Assembler::number_triangles(uint32_t first, uint32_t count, int32_t bias) {
    if (!call_.indices || call_.mode != pipe::Primitive::Triangles) return 0;
    const uint8_t* const p = call_.indices + size_t(first) * call_.index_B;
    const IndexRange r = stage_.kernels().index_range(p, call_.index_B, count * 3);
    const uint32_t span = r.highest - r.lowest;
    if (!VertexStage::is_dense(span, count * 3)) return 0;
    uint32_t* const corner[3] = {stage_.corner(0), stage_.corner(1), stage_.corner(2)};
    stage_.kernels().list_triangles(p, call_.index_B, count, r, corner);
    stage_.list_range(r.lowest + uint32_t(bias), span + 1);
    return span + 1;
}

/// A batch belongs to one instance, whose vertices all have the same layer. A layer that the pass does not
/// have is not drawn.
void Assembler::select_layer() {
    uint32_t layer = 0;
    std::memcpy(&layer, stage_.outputs(0) + size_t(call_.setup.program->layer) * call_.setup.stride, 4);
    const uint32_t layers = call_.setup.pass->layers();
    call_.rasterize = rasterizes_ && (layers <= 1 || layer < layers);
    call_.setup.bins->set_layer(call_.rasterize && layers > 1 ? layer : 0);
}

void Assembler::point(uint32_t a) {
    using namespace clip_bit;
    const uint32_t code = stage_.code(a);
    if (code & (kDepth | kW | kNotFinite)) return;
    if (code & (kGuardLeft | kGuardRight | kGuardBottom | kGuardTop))
        return;  // no point size reaches the window from there
    const SoftProgram& program = *call_.setup.program;
    const SetupVertex v = stage_.vertex(a);
    float size = call_.setup.raster->point_size_px;
    if (call_.setup.raster->program_point_size && program.point_size != kNoOutput)
        size = v.out[size_t(program.point_size) * call_.setup.stride];
    // NaN becomes the minimum.
    size = size > kMinPointSize_px ? std::min(size, kMaxPointSize_px) : kMinPointSize_px;
    setup_point(call_.setup, v, size);
}

void Assembler::line(uint32_t a, uint32_t b) {
    using namespace clip_bit;
    const uint32_t ca = stage_.code(a), cb = stage_.code(b);
    if ((ca & cb & kDepth) || ((ca | cb) & kNotFinite)) return;
    if ((ca | cb) & kMustClip) return clipped_line(a, b, ca | cb);
    setup_line(call_.setup, stage_.vertex(a), stage_.vertex(b), stage_.outputs(b));
}

const PrimitiveDistances* Assembler::distances(uint32_t codes, const uint32_t vertices[3],
                                               PrimitiveDistances& out) const {
    if (!(codes & clip_bit::kDistances)) return nullptr;
    for (unsigned n = 0; n < ir::kMaxDistances; ++n)
        for (unsigned v = 0; v < 3 && (codes & clip_bit::kDistance << n); ++v)
            out[n][v] = stage_.distance(*call_.setup.program, n, vertices[v]);
    return &out;
}

void Assembler::clipped_line(uint32_t a, uint32_t b, uint32_t codes) {
    float p[2][4];
    position(a, p[0]);
    position(b, p[1]);
    ClipVertex v[2];
    const uint32_t from[3] = {a, b, b};
    PrimitiveDistances of_planes;
    if (!clip_line(call_.space, codes, p, distances(codes, from, of_planes), v)) return;
    for (unsigned i = 0; i < 2; ++i)
        add_clipped(call_, stage_.columns(), v[i], from, b, stage_.spare(i));
    setup_line(call_.setup, stage_.vertex(stage_.spare(0)), stage_.vertex(stage_.spare(1)),
               stage_.outputs(b));
}

Survivors Assembler::reject(const TriangleList& list, Survivor* out) {
    const pipe::RasterDesc& r = *call_.setup.raster;
    const auto keeps = [&](bool ccw) {
        return !pipe::raster::is_culled(r.cull, pipe::raster::is_front_facing(ccw, r.front_ccw));
    };
    const FrontKernels& k = stage_.kernels();
    const auto reject = call_.setup.pass->job().samples > 1 ? k.reject_samples : k.reject;
    return reject({list, stage_.columns().window, call_.setup.draw->clip, keeps(true), keeps(false)}, out);
}

/// The end of the survivors from `at` on that one call of setup_triangles() can process.
uint32_t same_kind(const Survivor* found, uint32_t at, uint32_t end) {
    const bool small = found[at].mask != 0;
    while (++at < end)
        if ((found[at].mask != 0) != small || (found[at].which & kClipFlag)) break;
    return at;
}

/// How many triangles may be binned before the next check for free memory: each may be in all bins.
uint32_t Assembler::together(const Survivor& first) const {
    if (first.mask) return UINT32_MAX;  // it is in one bin
    constexpr uint32_t kMaxEntries = 1u << 20;
    return std::max(1u, kMaxEntries / std::max(1u, call_.setup.pass->bin_count()));
}

/// Draws triangles of the stage's corners.
void Assembler::triangles(uint32_t first, uint32_t count) {
    const TriangleList list = {stage_.corner(0) + first, stage_.corner(1) + first, stage_.corner(2) + first,
                               count};
    const Survivor* const found = stage_.survivors();
    const Survivors survivors = reject(list, stage_.survivors());
    const uint32_t left = survivors.count;
    for (uint32_t i = 0; i < left;) {
        if (found[i].which & kClipFlag) {
            const uint32_t t = found[i++].which & ~kClipFlag;
            clipped_triangle(list.a[t], list.b[t], list.c[t]);
            continue;
        }
        const bool small = found[i].mask != 0;
        uint32_t end = survivors.small == left ? left : same_kind(found, i, left);
        end = i + std::min(end - i, together(found[i]));
        if (i) relieve();
        if (call_.overflow) return;
        const VertexRecords none = {};
        setup_triangles(call_.setup, stage_.kernels(), stage_.columns(),
                        small ? stage_.records(*call_.setup.program) : none, list, found + i, end - i);
        i = end;
    }
}

void Assembler::clipped_triangle(uint32_t a, uint32_t b, uint32_t c) {
    float p[3][4];
    position(a, p[0]);
    position(b, p[1]);
    position(c, p[2]);
    ClipVertex corners[kMaxClipVertices];
    const uint32_t codes = stage_.code(a) | stage_.code(b) | stage_.code(c);
    const uint32_t from[3] = {a, b, c};
    PrimitiveDistances of_planes;
    const unsigned n = clip_triangle(call_.space, codes, p, distances(codes, from, of_planes), corners);
    if (n < 3) return;
    uint32_t fan[3][kMaxClipVertices + 6] = {};
    Survivor found[kMaxClipVertices + 8];
    for (unsigned i = 0; i < n; ++i) {
        add_clipped(call_, stage_.columns(), corners[i], from, c, stage_.spare(i));
        if (i < 2) continue;
        fan[0][i - 2] = stage_.spare(0);
        fan[1][i - 2] = stage_.spare(i - 1);
        fan[2][i - 2] = stage_.spare(i);
    }
    const TriangleList list = {fan[0], fan[1], fan[2], n - 2};
    const uint32_t left = reject(list, found).count;
    for (uint32_t i = 0; i < left;) {
        const uint32_t end = same_kind(found, i, left);
        setup_triangles(call_.setup, stage_.kernels(), stage_.columns(),
                        stage_.spare_records(*call_.setup.program, n), list, found + i, end - i);
        i = end;
    }
}

/// Captures triangles of the stage's corners.
void Assembler::capture_triangles(uint32_t count) {
    std::vector<uint32_t>& order = stage_.order();
    order.resize(size_t(count) * 3);
    for (uint32_t i = 0; i < count; ++i)
        for (unsigned c = 0; c < 3; ++c)
            order[size_t(i) * 3 + c] = stage_.corner(c)[i];
    call_.capture->write(call_.setup.program->captured, stage_.columns(), order.data(), count * 3, 3);
}

/// Captures `count` points or lines; `prim` is the first, in a run of `total` vertices.
void Assembler::capture_vertices(uint32_t count, uint32_t prim, uint32_t total, uint32_t extra) {
    const StreamPlan& plan = call_.setup.program->captured;
    const uint32_t size = call_.mode == pipe::Primitive::Points ? 1 : 2;
    std::vector<uint32_t>& order = stage_.order();
    order.clear();
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t at = i * step_of(call_.mode) + line_begin(call_.mode);
        order.push_back(slot(at));
        if (size == 1) continue;
        const bool closes = call_.mode == pipe::Primitive::LineLoop && prim + i + 1 == total;
        order.push_back(slot(closes ? extra : at + 1));
    }
    call_.capture->write(plan, stage_.columns(), order.data(), uint32_t(order.size()), size);
}

/// Draws primitives [prim, prim_end) of a run of `total` vertices. Their vertices are consecutive, except the
/// first one of a fan or loop, which is appended to the batch.
void Assembler::batch(uint32_t first, uint32_t total, int32_t bias, uint32_t instance, uint32_t prim,
                      uint32_t prim_end) {
    const pipe::Primitive mode = call_.mode;
    const bool fan = mode == pipe::Primitive::TriangleFan, loop = mode == pipe::Primitive::LineLoop;
    const uint32_t begin = prim * step_of(mode) + (fan ? 1 : 0);
    const uint32_t end = std::min(total, (prim_end - 1) * step_of(mode) + pipe::primitive_vertices(mode, 0));
    const uint32_t extra = end - begin, n = prim_end - prim;
    const uint32_t listed = number_triangles(first + begin, n, bias);
    const uint32_t shaded =
        listed ? listed : number(first + begin, end - begin, bias, fan || loop ? &first : nullptr);
    stage_.shade(call_.inputs, call_.space, shaded, instance);
    call_.setup.stride = stage_.columns().stride;
    if (call_.setup.program->layer != kNoOutput) select_layer();
    if (listed) {
        if (call_.capture) capture_triangles(n);
        if (call_.rasterize) triangles(0, n);
        return;
    }
    if (call_.capture && !is_triangles(mode)) capture_vertices(n, prim, total, extra);
    if (!call_.rasterize && !(call_.capture && is_triangles(mode))) return;
    switch (mode) {
        case pipe::Primitive::Points:
            for (uint32_t i = 0; i < n; ++i)
                point(slot(i));
            break;
        case pipe::Primitive::Lines:
        case pipe::Primitive::LineStrip:
        case pipe::Primitive::LinesAdjacency:
        case pipe::Primitive::LineStripAdjacency:
            for (uint32_t i = 0; i < n; ++i) {
                const uint32_t at = i * step_of(mode) + line_begin(mode);
                line(slot(at), slot(at + 1));
            }
            break;
        case pipe::Primitive::LineLoop:
            for (uint32_t i = 0; i < n; ++i)
                line(slot(i), prim + i + 1 == total ? slot(extra) : slot(i + 1));
            break;
        case pipe::Primitive::Triangles:
        case pipe::Primitive::TriangleStrip:
        case pipe::Primitive::TriangleFan: {
            uint32_t* const corner[3] = {stage_.corner(0), stage_.corner(1), stage_.corner(2)};
            const uint32_t* const slots = stage_.slots();
            if (call_.indices)
                list_corners(
                    mode, prim, n, extra, [slots](uint32_t i) { return slots[i]; }, corner);
            else
                list_corners(
                    mode, prim, n, extra, [](uint32_t i) { return i; }, corner);
            if (call_.capture) capture_triangles(n);
            if (call_.rasterize) triangles(0, n);
            return;
        }
        case pipe::Primitive::TrianglesAdjacency:
        case pipe::Primitive::TriangleStripAdjacency:
            for (uint32_t i = 0; i < n; ++i) {
                uint32_t v[6] = {};
                pipe::list_primitive(mode, prim + i, total, 0, v);
                for (unsigned c = 0; c < 3; ++c)
                    stage_.corner(c)[i] = slot(v[2 * c] - begin);
            }
            if (call_.capture) capture_triangles(n);
            if (call_.rasterize) triangles(0, n);
            return;
        case pipe::Primitive::Patches:
            break;
    }
}

/// Slightly less than a full batch, so that few vertices are shaded twice at the boundaries.
uint32_t prims_per_batch(const DrawCall& call) {
    const uint32_t vertices = call.indices ? kBatchIndices : kBatchVertices;
    return (vertices - 2) / step_of(call.mode);
}

void Assembler::batches(const Batches& all, uint64_t begin, uint64_t end) {
    for (uint64_t b = begin; b < end; ++b) {
        const uint32_t instance = uint32_t(b / all.per_instance);
        const uint32_t prim = uint32_t(b % all.per_instance) * all.per_batch;
        const uint32_t n = std::min(all.per_batch, all.prims - prim);
        if (may_end(n + 1)) return;
        batch(all.first, all.count, all.bias, all.first_instance + instance, prim, prim + n);
        relieve();
        if (call_.overflow) return;
    }
}

/// Points, lines or triangles of a stage after the vertex stage.
void Assembler::listed(pipe::Primitive kind, uint32_t first, uint32_t count) {
    call_.setup.stride = stage_.columns().stride;
    const uint32_t size = pipe::primitive_vertices(kind, 0);
    if (call_.capture) {
        std::vector<uint32_t>& order = stage_.order();
        order.resize(size_t(count) * size);
        for (uint32_t i = 0; i < count; ++i)
            for (uint32_t c = 0; c < size; ++c)
                order[size_t(i) * size + c] = stage_.corner(c)[first + i];
        call_.capture->write(call_.setup.program->captured, stage_.columns(), order.data(), count * size,
                             size);
    }
    if (!call_.rasterize || !count) return;
    if (kind == pipe::Primitive::Triangles) return triangles(first, count);
    for (uint32_t i = first; i < first + count; ++i) {
        if (kind == pipe::Primitive::Points)
            point(stage_.corner(0)[i]);
        else
            line(stage_.corner(0)[i], stage_.corner(1)[i]);
    }
}

bool is_restart(const DrawCall& call, uint32_t i) {
    const uint8_t* const p = call.indices + size_t(i) * call.index_B;
    for (uint32_t b = 0; b < call.index_B; ++b)
        if (p[b] != 0xff) return false;
    return true;
}

}  // namespace

Batches batches_of(const DrawCall& call, const pipe::DrawRange& range, uint32_t first_instance,
                   uint32_t instances) {
    Batches b;
    b.first = range.first;
    b.count = range.count;
    if (call.indices)
        b.count = range.first < call.index_count ? std::min(range.count, call.index_count - range.first) : 0;
    b.bias = range.index_bias;
    b.first_instance = first_instance;
    b.prims = pipe::primitive_count(call.mode, b.count, call.patch_vertices);
    b.per_batch = call.kernels ? call.kernels->per_batch(call) : prims_per_batch(call);
    b.per_instance = b.prims <= b.per_batch ? b.prims != 0 : (b.prims - 1) / b.per_batch + 1;
    b.total = uint64_t(b.per_instance) * instances;
    return b;
}

void draw_batches(DrawCall& call, VertexStage& stage, const Batches& all, uint64_t begin, uint64_t end) {
    if (call.kernels) return call.kernels->draw(call, stage, all, begin, end);
    Assembler(call, stage).batches(all, begin, end);
}

void draw_listed(DrawCall& call, VertexStage& stage, pipe::Primitive kind, uint32_t first, uint32_t count) {
    Assembler(call, stage).listed(kind, first, count);
}

uint64_t draw_restarting(DrawCall& call, VertexStage& stage, const pipe::DrawRange& range,
                         uint32_t instance) {
    uint32_t count = range.count;
    if (range.first >= call.index_count) return 0;
    count = std::min(count, call.index_count - range.first);
    uint64_t prims = 0;
    call.first_primitive = 0;
    for (uint32_t begin = 0; begin < count && !call.ended;) {
        uint32_t end = begin;
        call.ended = !call.patience.goes_on(*call.inputs.watch, 1);
        while (end < count && !is_restart(call, range.first + end))
            ++end;
        const Batches run =
            batches_of(call, {range.first + begin, end - begin, range.index_bias}, instance, 1);
        draw_batches(call, stage, run, 0, run.total);
        prims += run.prims;
        call.first_primitive += run.prims;
        begin = end + 1;
    }
    return prims;
}

uint64_t count_primitives(const DrawCall& call, const pipe::DrawRange& range) {
    if (!call.restart) return pipe::primitive_count(call.mode, range.count);
    if (range.first >= call.index_count) return 0;
    const uint32_t count = std::min(range.count, call.index_count - range.first);
    uint64_t prims = 0;
    for (uint32_t begin = 0, i = 0; i <= count; ++i)
        if (i == count || is_restart(call, range.first + i)) {
            prims += pipe::primitive_count(call.mode, i - begin);
            begin = i + 1;
        }
    return prims;
}

}  // namespace terrazzo::soft
