// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the tiler writes into the heap and fragment jobs read. The format is ours: hardware's is not known,
// and only the GPU reads it. A tiler context's polygon list is a chain of segments in drawing order; a
// segment has primitives of one draw, whose varyings lie in one array.
#pragma once

#include <cstdint>

#include "drivers/common/units/primitive.h"

namespace terrazzo::mali::sim {

/// The state of a draw that fragments need: registers as they were (hw/cs.rows, IdvsRegisters).
struct DrawRecord {
    uint64_t number = 0;  // of the draw, for reports
    uint64_t dcd = 0;     // address of a Draw descriptor (RUN_FULLSCREEN); then nothing below but the scissor
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
    uint64_t next = 0;      // segment; 0: the last
    uint64_t draw = 0;      // DrawRecord
    uint64_t varyings = 0;  // array of draw.varying_size_B
    uint64_t primitives = 0;
    uint32_t primitive_count = 0, varying_count = 0;
};

using units::PrimitiveKind;
using units::WindowVertex;
/// `varying` is which of the segment's.
using PrimitiveRecord = units::Primitive;

}  // namespace terrazzo::mali::sim
