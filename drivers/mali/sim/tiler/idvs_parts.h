// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The parts of RUN_IDVS: a decoded draw, a batch of its primitives, and what a thread shades them with.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/common/units/setup.h"
#include "drivers/common/units/vertices.h"
#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/tiler/idvs.h"
#include "drivers/mali/sim/units/shader_units.h"

namespace terrazzo::mali::sim {

inline constexpr uint32_t kPosition_B = 16;
inline constexpr uint32_t kPositionSlots = 2 * kWarpLanes, kWarpPositions_B = kPositionSlots * kPosition_B;

struct Idvs::Draw {
    hw::PrimitiveFlags flags;
    hw::Scissor scissor;
    units::SetupState setup;
    units::IndexArray indices;
    units::Primitives primitives;
    ShaderState position, varying;
    bool has_varying = false, extended = false, sizes = false, layers = false;
    uint32_t layer_count = 1;  // of the tiler context; its first one is -layer_offset
    int32_t layer_offset = 0;
    uint32_t instances = 0, instance_offset = 0, draw_id = 0, attribute_offset = 0;
    float size_px = 1;
    uint64_t geometry_buffer = 0;
    uint32_t geometry_buffer_B = 0;
    DrawRecord record;
};

/// Primitives of a batch, and what is written of them.
struct Idvs::Segment {
    /// A visible primitive, by its vertices. Its record is only made where it is written to the heap.
    struct Visible {
        uint32_t corner[3];   // vertices of the batch
        uint32_t varying[3];  // their slots in the segment
        uint32_t clipped;     // its record in `clipped`, counted from 1; 0: the corners are the vertices
        uint16_t back_facing;
        uint8_t layer;
    };
    size_t first = 0, end = 0;  // primitives of the batch
    std::vector<Visible> visible;
    std::vector<PrimitiveRecord> clipped;  // parts of clipped triangles, lines and points
    /// Whether the records are TriangleRecords.
    bool shares_vertices() const { return clipped.empty(); }
    uint64_t record_B() const { return shares_vertices() ? sizeof(TriangleRecord) : sizeof(PrimitiveRecord); }
    std::vector<uint32_t> used;  // vertices of the batch, in the order of their varyings
    /// Addresses of the records, 0: none; of the vertices, if they are shared; and of the varyings.
    uint64_t primitives = 0, vertices = 0, varyings = 0;
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
    size_t primitive_count = 0;
    units::BatchVertices found;
    std::vector<units::VertexInvocation> vertices;
    std::vector<units::SetupVertex> positions;
    std::vector<float> sizes;
    std::vector<uint8_t> layers;    // of vertices, where the draw has layers
    std::vector<Segment> segments;  // of which the first segment_count are the batch's
    size_t segment_count = 0;
    std::vector<Place> first;  // where each vertex' varyings are; segments count from 1, 0: nowhere
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
    void place_varyings(const Draw& d, const Batch& b, Segment* s);
    bool write_records(const Draw& d, const Batch& b, const Segment& s, Fault* fault);
    bool write_shared(const Batch& b, const Segment& s, Fault* fault);

    ShaderUnits units;
    Core core;
    const unsigned slot;
    Warp position, varying;
    /// For each vertex of the batch: its slot in the segment for which placed_segments had this number.
    struct Placed {
        uint64_t number = 0;
        uint32_t slot = 0;
    };
    std::vector<Placed> placed;
    uint64_t placed_segments = 0;
    // What is written of a segment.
    std::vector<PrimitiveRecord> records;
    std::vector<TriangleRecord> triangles;
    std::vector<VertexRecord> vertices;
};

}  // namespace terrazzo::mali::sim
