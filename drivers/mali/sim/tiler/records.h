// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The records that the tiler writes to the heap and fragment jobs read. The format is our own: the hardware's
// is not known, and only the GPU reads it. A tiler context's polygon list is a chain of segments in drawing
// order; a segment has primitives of one draw, whose varyings are in one array.
#pragma once

#include <cstdint>

#include "drivers/common/units/primitive.h"

namespace terrazzo::mali::sim {

/// The draw state that fragments need: registers with their original values (hw/cs.rows, IdvsRegisters).
struct DrawRecord {
    uint64_t number = 0;  // the draw's number, for reports
    // Address of a Draw descriptor (RUN_FULLSCREEN); if set, only the scissor below is used.
    uint64_t dcd = 0;
    uint64_t fragment_srt = 0, fragment_fau = 0, fragment_spd = 0, fragment_tsd = 0;
    uint64_t blend = 0, depth_stencil = 0, occlusion = 0;
    uint32_t flags_0 = 0, flags_1 = 0, flags_2 = 0, primitive_flags = 0;
    uint32_t scissor[2] = {};
    float low_depth_clamp = 0, high_depth_clamp = 1;
    uint32_t varying_size_B = 0;
    uint32_t first_provoking_vertex = 0;
};

struct SegmentRecord {
    static constexpr uint64_t kMagic = 0x7472617a7a6f5347;
    uint64_t magic = kMagic;
    uint64_t next = 0;      // the next segment; 0: none
    uint64_t draw = 0;      // its DrawRecord
    uint64_t varyings = 0;  // an array with draw.varying_size_B per vertex
    uint64_t primitives = 0;
    uint32_t primitive_count = 0, varying_count = 0;
    uint64_t vertices = 0;  // an array of VertexRecord, as long as that of varyings; 0: none
    float size_px = 1;      // Primitive::size_px of triangles with vertices
    uint32_t unused = 0;
};
// Recordings of the GPU's memory are the same in each run only if the records have no undefined bytes.
static_assert(sizeof(DrawRecord) == 9 * 8 + 10 * 4 && sizeof(SegmentRecord) == 6 * 8 + 4 * 4);

using units::PrimitiveKind;
using units::WindowVertex;
/// `varying`: indices of the segment's varyings.
using PrimitiveRecord = units::Primitive;

/// In a segment without clipped primitives, lines and points, triangles share their vertices, and their
/// records are TriangleRecords.
struct VertexRecord {
    WindowVertex window;
    int32_t corner[2] = {};  // in 1/256 px
};
struct TriangleRecord {
    uint16_t vertex[3] = {};  // indices of the segment's vertices and varyings
    uint8_t back_facing = 0, layer = 0;
};

}  // namespace terrazzo::mali::sim
