// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The warps of vertices. Preloaded registers and outputs of shaders (Mesa 25.0.7,
// compiler/bifrost_compile.c): r59 is the index of the vertex's outputs (LEA_BUF of table 61), r60 the
// vertex, r61 the instance, r62 the draw. Positions are in the geometry buffer, 16 bytes each. In the
// "extended" format, four positions are followed by what else those vertices have: a point size, and a layer
// in the third byte.
#include <algorithm>
#include <cstring>

#include "drivers/mali/sim/tiler/idvs_parts.h"
#include "drivers/mali/sim/units/stage.h"
#include "pipe/half.h"

namespace terrazzo::mali::sim {

namespace {

uint32_t position_slot(unsigned i, bool extended) {
    return extended ? i / 4 * 8 + i % 4 : i;
}

}  // namespace

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
        if (!d.sizes && !d.layers) continue;
        uint32_t word;
        std::memcpy(&word, at + 4 * kPosition_B, 4);
        if (d.layers) b->layers[first + i] = uint8_t(word >> 16);
        if (!d.sizes) continue;
        b->sizes[first + i] = d.flags.point_size_array_format == hw::PointSizeArrayFormat::Fp16
                                  ? pipe::half_to_float(uint16_t(word))
                                  : std::bit_cast<float>(word);
    }
    return true;
}

// Assigns a slot for varyings to each vertex that the segment's primitives use.
void Idvs::Worker::place_varyings(const Draw& d, const Batch& b, Segment* s) {
    if (placed.size() < b.vertices.size()) placed.resize(b.vertices.size());
    ++placed_segments;
    s->used.clear();
    for (Segment::Visible& v : s->visible)
        for (unsigned i = 0; i < d.primitives.corners; ++i) {
            Placed& place = placed[v.corner[i]];
            if (place.number != placed_segments) {
                place = {placed_segments, uint32_t(s->used.size())};
                s->used.push_back(v.corner[i]);
            }
            v.varying[i] = place.slot;
        }
}

// Writes the vertices and triangles of a segment to its part of the heap.
bool Idvs::Worker::write_shared(const Batch& b, const Segment& s, Fault* fault) {
    vertices.resize(s.used.size());
    for (size_t n = 0; n < s.used.size(); ++n) {
        const units::SetupVertex& v = b.positions[s.used[n]];
        vertices[n].window = v.window;
        std::copy_n(v.corner, 2, vertices[n].corner);
    }
    triangles.resize(s.visible.size());
    for (size_t n = 0; n < s.visible.size(); ++n) {
        const Segment::Visible& v = s.visible[n];
        for (unsigned i = 0; i < 3; ++i)
            triangles[n].vertex[i] = uint16_t(v.varying[i]);
        triangles[n].back_facing = uint8_t(v.back_facing);
        triangles[n].layer = v.layer;
    }
    window::Window& m = core.memory();
    return (m.write(s.primitives, triangles.data(), triangles.size() * sizeof(TriangleRecord)) &&
            m.write(s.vertices, vertices.data(), vertices.size() * sizeof(VertexRecord))) ||
           report_access(fault, m, "tiler heap");
}

// Writes the records of a segment to its part of the heap.
bool Idvs::Worker::write_records(const Draw& d, const Batch& b, const Segment& s, Fault* fault) {
    if (!s.primitives) return true;
    if (s.shares_vertices()) return write_shared(b, s, fault);
    records.clear();
    for (const Segment::Visible& v : s.visible) {
        PrimitiveRecord& r = records.emplace_back();
        if (v.clipped) {
            r = s.clipped[v.clipped - 1];
        } else {
            // The same as units::triangle_of().
            r.back_facing = v.back_facing;
            r.size_px = std::min(d.size_px, d.setup.max_size_px);
            for (unsigned i = 0; i < 3; ++i) {
                const units::SetupVertex& vertex = b.positions[v.corner[i]];
                r.vertex[i] = vertex.window;
                std::copy_n(vertex.corner, 2, r.corner[i]);
            }
        }
        std::copy_n(v.varying, d.primitives.corners, r.varying);
        r.layer = v.layer;
    }
    return core.memory().write(s.primitives, records.data(), records.size() * sizeof(PrimitiveRecord)) ||
           report_access(fault, core.memory(), "tiler heap");
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

}  // namespace terrazzo::mali::sim
