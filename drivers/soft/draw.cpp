// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Primitive assembly by OpenGL ES 3.2 section 10.1; the last vertex of a primitive provokes (section 12.3
// of 3.0: flat shading), except that a line loop's closing segment ends at the first.
#include "drivers/soft/draw.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "drivers/soft/pipeline_limits.h"

namespace terrazzo::soft {

namespace {

/// Vertices between the starts of neighbouring primitives.
uint32_t step_of(pipe::Primitive mode) {
    switch (mode) {
        case pipe::Primitive::Lines:
            return 2;
        case pipe::Primitive::Triangles:
            return 3;
        case pipe::Primitive::Points:
        case pipe::Primitive::LineLoop:
        case pipe::Primitive::LineStrip:
        case pipe::Primitive::TriangleStrip:
        case pipe::Primitive::TriangleFan:
        case pipe::Primitive::LinesAdjacency:
        case pipe::Primitive::LineStripAdjacency:
        case pipe::Primitive::TrianglesAdjacency:
        case pipe::Primitive::TriangleStripAdjacency:
        case pipe::Primitive::Patches:
            return 1;
    }
    return 1;
}

uint32_t vertices_of(pipe::Primitive mode) {
    switch (mode) {
        case pipe::Primitive::Points:
            return 1;
        case pipe::Primitive::Lines:
        case pipe::Primitive::LineLoop:
        case pipe::Primitive::LineStrip:
            return 2;
        case pipe::Primitive::Triangles:
        case pipe::Primitive::TriangleStrip:
        case pipe::Primitive::TriangleFan:
        case pipe::Primitive::LinesAdjacency:
        case pipe::Primitive::LineStripAdjacency:
        case pipe::Primitive::TrianglesAdjacency:
        case pipe::Primitive::TriangleStripAdjacency:
        case pipe::Primitive::Patches:
            return 3;
    }
    return 3;
}

/// Corners of a clipped primitive: their outputs are mixed from the original vertices'.
class ClippedOutputs {
  public:
    ClippedOutputs(const SoftProgram& program, const float* a, const float* b, const float* c)
        : program_(program), in_{a, b, c} {}

    SetupVertex vertex(const ClipSpace& s, const ClipVertex& v, unsigned i) {
        float* const out = storage_[i / kLanes] + i % kLanes;
        for (const PlaneLink& link : program_.links) {
            if (link.source == kNoOutput) continue;
            const size_t at = size_t(link.source) * kLanes;
            double sum = 0;
            for (unsigned n = 0; n < 3; ++n)
                if (v.weight[n] != 0) sum += double(in_[n][at]) * v.weight[n];
            out[at] = float(sum);
        }
        const float inv_w = 1.0f / v.position[3];
        return {snap(window_px(v.position[0], inv_w, s.scale[0], s.translate[0])),
                snap(window_px(v.position[1], inv_w, s.scale[1], s.translate[1])),
                window_px(v.position[2], inv_w, s.scale[2], s.translate[2]), inv_w, out};
    }

  private:
    const SoftProgram& program_;
    const float* const in_[3];
    float storage_[(kMaxClipVertices + kLanes - 1) / kLanes][(kMaxInputs + 8) * 4 * kLanes];
};

class Assembler {
  public:
    Assembler(DrawCall& call, VertexStage& stage) : call_(call), stage_(stage) {}

    /// A run of `count` vertices without restarts, from vertex or index `first`.
    uint64_t run(uint32_t first, uint32_t count, int32_t bias, uint32_t instance);

  private:
    void batch(uint32_t first, uint32_t total, int32_t bias, uint32_t instance, uint32_t prim,
               uint32_t prim_end);
    void read_ids(uint32_t first, uint32_t count, int32_t bias, uint32_t* out) const;
    void point(uint32_t a);
    void line(uint32_t a, uint32_t b);
    void triangle(uint32_t a, uint32_t b, uint32_t c, uint32_t provoking);
    __attribute__((noinline)) void clipped_line(uint32_t a, uint32_t b, uint32_t codes);
    __attribute__((noinline)) void clipped_triangle(uint32_t a, uint32_t b, uint32_t c, uint32_t provoking,
                                                    uint32_t codes);
    void position(uint32_t i, float out[4]) const {
        const float* const p = stage_.outputs(i) + size_t(call_.setup.program->position) * kLanes;
        for (unsigned c = 0; c < 4; ++c)
            out[c] = p[c * kLanes];
    }
    [[nodiscard]] uint32_t slot(uint32_t i) const { return call_.indices ? stage_.slot(i) : i; }

    DrawCall& call_;
    VertexStage& stage_;
};

void Assembler::read_ids(uint32_t first, uint32_t count, int32_t bias, uint32_t* out) const {
    if (!call_.indices) {
        for (uint32_t i = 0; i < count; ++i)
            out[i] = first + i;
        return;
    }
    const uint8_t* const p = call_.indices + size_t(first) * call_.index_B;
    switch (call_.index_B) {
        case 1:
            for (uint32_t i = 0; i < count; ++i)
                out[i] = p[i] + uint32_t(bias);
            break;
        case 2:
            for (uint32_t i = 0; i < count; ++i) {
                uint16_t v;
                std::memcpy(&v, p + size_t(i) * 2, 2);
                out[i] = v + uint32_t(bias);
            }
            break;
        default:
            for (uint32_t i = 0; i < count; ++i) {
                uint32_t v;
                std::memcpy(&v, p + size_t(i) * 4, 4);
                out[i] = v + uint32_t(bias);
            }
    }
}

void Assembler::point(uint32_t a) {
    using namespace clip_bit;
    const uint32_t code = stage_.code(a);
    if (code & (kNear | kFar | kW | kNotFinite)) return;
    if (code & (kGuardLeft | kGuardRight | kGuardBottom | kGuardTop))
        return;  // no size reaches the window from there
    const SoftProgram& program = *call_.setup.program;
    const SetupVertex v = stage_.vertex(a);
    float size = call_.setup.raster->point_size_px;
    if (call_.setup.raster->program_point_size && program.point_size != kNoOutput)
        size = v.out[size_t(program.point_size) * kLanes];
    size = size > kMinPointSize_px ? std::min(size, kMaxPointSize_px) : kMinPointSize_px;  // NaN: the least
    setup_point(call_.setup, v, size);
}

void Assembler::line(uint32_t a, uint32_t b) {
    using namespace clip_bit;
    const uint32_t ca = stage_.code(a), cb = stage_.code(b);
    if ((ca & cb & kDepth) || ((ca | cb) & kNotFinite)) return;
    if ((ca | cb) & kMustClip) return clipped_line(a, b, ca | cb);
    setup_line(call_.setup, stage_.vertex(a), stage_.vertex(b), stage_.outputs(b));
}

void Assembler::clipped_line(uint32_t a, uint32_t b, uint32_t codes) {
    float p[2][4];
    position(a, p[0]);
    position(b, p[1]);
    ClipVertex v[2];
    if (!clip_line(call_.space, codes, p, v)) return;
    ClippedOutputs out(*call_.setup.program, stage_.outputs(a), stage_.outputs(b), stage_.outputs(b));
    const SetupVertex v0 = out.vertex(call_.space, v[0], 0), v1 = out.vertex(call_.space, v[1], 1);
    setup_line(call_.setup, v0, v1, stage_.outputs(b));
}

void Assembler::triangle(uint32_t a, uint32_t b, uint32_t c, uint32_t provoking) {
    using namespace clip_bit;
    const uint32_t ca = stage_.code(a), cb = stage_.code(b), cc = stage_.code(c);
    const uint32_t any = ca | cb | cc;
    if ((ca & cb & cc & kView) || (any & kNotFinite)) return;
    if (any & kMustClip) return clipped_triangle(a, b, c, provoking, any);
    setup_triangle(call_.setup, stage_.vertex(a), stage_.vertex(b), stage_.vertex(c),
                   stage_.outputs(provoking));
}

void Assembler::clipped_triangle(uint32_t a, uint32_t b, uint32_t c, uint32_t provoking, uint32_t codes) {
    float p[3][4];
    position(a, p[0]);
    position(b, p[1]);
    position(c, p[2]);
    ClipVertex corners[kMaxClipVertices];
    const unsigned n = clip_triangle(call_.space, codes, p, corners);
    if (n < 3) return;
    ClippedOutputs out(*call_.setup.program, stage_.outputs(a), stage_.outputs(b), stage_.outputs(c));
    SetupVertex v[kMaxClipVertices];
    for (unsigned i = 0; i < n; ++i)
        v[i] = out.vertex(call_.space, corners[i], i);
    for (unsigned i = 2; i < n; ++i)
        setup_triangle(call_.setup, v[0], v[i - 1], v[i], stage_.outputs(provoking));
}

/// Primitives [prim, prim_end) of a run of `total` vertices. The vertices they need lie side by side but for
/// a fan's or loop's first, which is then appended to the batch.
void Assembler::batch(uint32_t first, uint32_t total, int32_t bias, uint32_t instance, uint32_t prim,
                      uint32_t prim_end) {
    const pipe::Primitive mode = call_.mode;
    const bool fan = mode == pipe::Primitive::TriangleFan, loop = mode == pipe::Primitive::LineLoop;
    const uint32_t begin = prim * step_of(mode) + (fan ? 1 : 0);
    const uint32_t end = std::min(total, (prim_end - 1) * step_of(mode) + vertices_of(mode));
    uint32_t count = end - begin;
    read_ids(first + begin, count, bias, stage_.ids());
    const uint32_t extra = count;
    if (fan || loop) read_ids(first, 1, bias, stage_.ids() + count++);
    const uint32_t unique = call_.indices ? stage_.deduplicate(count) : count;
    stage_.shade(call_.inputs, call_.space, unique, instance);
    const uint32_t n = prim_end - prim;
    switch (mode) {
        case pipe::Primitive::Points:
            for (uint32_t i = 0; i < n; ++i)
                point(slot(i));
            break;
        case pipe::Primitive::Lines:
            for (uint32_t i = 0; i < n; ++i)
                line(slot(2 * i), slot(2 * i + 1));
            break;
        case pipe::Primitive::LineStrip:
            for (uint32_t i = 0; i < n; ++i)
                line(slot(i), slot(i + 1));
            break;
        case pipe::Primitive::LineLoop:
            for (uint32_t i = 0; i < n; ++i)
                line(slot(i), prim + i + 1 == total ? slot(extra) : slot(i + 1));
            break;
        case pipe::Primitive::Triangles:
            for (uint32_t i = 0; i < n; ++i)
                triangle(slot(3 * i), slot(3 * i + 1), slot(3 * i + 2), slot(3 * i + 2));
            break;
        case pipe::Primitive::TriangleStrip:
            for (uint32_t i = 0; i < n; ++i) {
                const uint32_t odd = (prim + i) & 1;  // keeps the orientation
                triangle(slot(i + odd), slot(i + 1 - odd), slot(i + 2), slot(i + 2));
            }
            break;
        case pipe::Primitive::TriangleFan:
            for (uint32_t i = 0; i < n; ++i)
                triangle(slot(extra), slot(i), slot(i + 1), slot(i + 1));
            break;
        case pipe::Primitive::LinesAdjacency:
        case pipe::Primitive::LineStripAdjacency:
        case pipe::Primitive::TrianglesAdjacency:
        case pipe::Primitive::TriangleStripAdjacency:
        case pipe::Primitive::Patches:
            break;
    }
}

uint64_t Assembler::run(uint32_t first, uint32_t count, int32_t bias, uint32_t instance) {
    const uint32_t prims = primitive_count(call_.mode, count);
    // Fewer primitives than fill a batch, so that few vertices are shaded twice at its seams.
    const uint32_t per_batch = (kBatchVertices - 2) / step_of(call_.mode);
    for (uint32_t p = 0; p < prims; p += std::min(per_batch, prims - p)) {
        batch(first, count, bias, instance, p, p + std::min(per_batch, prims - p));
        if (call_.setup.pass->full()) call_.relieve(call_.relieve_data, &call_.setup);
    }
    return prims;
}

bool is_restart(const DrawCall& call, uint32_t i) {
    const uint8_t* const p = call.indices + size_t(i) * call.index_B;
    for (uint32_t b = 0; b < call.index_B; ++b)
        if (p[b] != 0xff) return false;
    return true;
}

}  // namespace

uint32_t primitive_count(pipe::Primitive mode, uint32_t n) {
    switch (mode) {
        case pipe::Primitive::Points:
            return n;
        case pipe::Primitive::Lines:
            return n / 2;
        case pipe::Primitive::LineLoop:
            return n >= 2 ? n : 0;
        case pipe::Primitive::LineStrip:
            return n >= 2 ? n - 1 : 0;
        case pipe::Primitive::Triangles:
            return n / 3;
        case pipe::Primitive::TriangleStrip:
        case pipe::Primitive::TriangleFan:
            return n >= 3 ? n - 2 : 0;
        case pipe::Primitive::LinesAdjacency:
        case pipe::Primitive::LineStripAdjacency:
        case pipe::Primitive::TrianglesAdjacency:
        case pipe::Primitive::TriangleStripAdjacency:
        case pipe::Primitive::Patches:
            return 0;
    }
    return 0;
}

uint64_t draw_range(DrawCall& call, VertexStage& stage, const pipe::DrawRange& range, uint32_t instance) {
    Assembler assembler(call, stage);
    uint32_t count = range.count;
    if (call.indices) {
        if (range.first >= call.index_count) return 0;
        count = std::min(count, call.index_count - range.first);
    }
    if (!call.restart) return assembler.run(range.first, count, range.index_bias, instance);
    uint64_t prims = 0;
    for (uint32_t begin = 0; begin < count;) {
        uint32_t end = begin;
        while (end < count && !is_restart(call, range.first + end))
            ++end;
        prims += assembler.run(range.first + begin, end - begin, range.index_bias, instance);
        begin = end + 1;
    }
    return prims;
}

}  // namespace terrazzo::soft
