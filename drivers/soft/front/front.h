// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front half's inner loops, in lanes: shaded vertices to the window, rejection and setup of triangles.
// The same source (front.inc and what it includes) is compiled for each instruction set; every build gives
// the same primitives to the bit.
#pragma once

#include "drivers/soft/binning/clip.h"
#include "drivers/soft/binning/raster_types.h"

namespace terrazzo::soft {

inline constexpr uint16_t kNoOutput = 0xffff;

/// The values of ir::Interp, which the kernels must not include.
enum class Interpolation : uint8_t { Smooth, Flat, NoPerspective };

/// One component that the fragment shader reads.
struct PlaneLink {
    uint16_t source;  // component of the vertex outputs (output index * 4 + component); kNoOutput: reads 0
    uint16_t plane;   // index in PrimitiveSetup::varyings
    Interpolation interp;
};

/// A vertex in the window: x and y in 1/256 px.
struct alignas(16) WindowVertex {
    int32_t x, y;
    float z;
    uint32_t code;  // clip_bit
};

/// Vertices as shading leaves them. Component c of vertex i is at outputs[c * stride + i].
struct VertexColumns {
    float* outputs;
    uint32_t stride;
    WindowVertex* window;
    float* inv_w;
};

/// One attribute of a call's vertices.
struct FetchArgs {
    const VertexFetch* fetch;
    const uint32_t* ids;  // `padded` of them: those beyond `count` repeat the last
    uint32_t count, padded;
    bool sequential;  // ids count up by one
    float* out;       // four columns, kInStride apart
};

/// Corners of triangles, by number of the vertex; the last one provokes. Readable up to a multiple of eight.
struct TriangleList {
    const uint32_t *a, *b, *c;
    uint32_t count;
};

struct RejectArgs {
    TriangleList list;
    const WindowVertex* window;
    Rect clip;
    bool keep_ccw, keep_cw;
};
/// Marks a triangle that the clipper must see.
inline constexpr uint32_t kClipFlag = 1u << 31;
/// A triangle that may make fragments.
struct Survivor {
    uint32_t which;  // number in the list, perhaps with kClipFlag
    uint32_t mask;   // SmallTriangle's; 0: not a small one, or not known yet
    bool operator==(const Survivor&) const = default;
};

/// What planes pass through, vertex by vertex: z, 1/w, then a value for each plane (0 where it is flat or has
/// no link), and zeros up to a multiple of eight.
struct VertexRecords {
    float* data;      // aligned to 32 bytes
    uint32_t stride;  // floats
};
inline constexpr uint32_t record_floats(uint32_t planes) {
    return (2 + planes + 7) / 8 * 8;
}

struct SetupArgs {
    TriangleList list;
    VertexColumns vertices;
    VertexRecords records;  // small_setup() alone needs them
    const DrawState* draw;
    const PlaneLink* links;
    uint32_t link_count, plane_count;
    bool has_flat;  // links
    bool front_ccw;
    int32_t tiles_x;
};

/// A SmallRun and its tile.
struct PlacedRun {
    SmallRun* run;
    uint32_t tile;
};

/// How many, and how many of them are small.
struct Survivors {
    uint32_t count, small;
};

struct IndexRange {
    uint32_t lowest, highest;
};

struct FrontKernels {
    /// Of `count` indices, at least one, of `index_B` bytes.
    IndexRange (*index_range)(const uint8_t* indices, uint32_t index_B, uint32_t count);
    /// Corners of `count` separate triangles: indices less range.lowest. Somebody may have changed the
    /// indices since their range was taken: what lies outside becomes the highest.
    void (*list_triangles)(const uint8_t* indices, uint32_t index_B, uint32_t count, IndexRange range,
                           uint32_t* const corner[3]);
    /// Attributes from a buffer, a vertex each (no divisor). False: not a format that it knows.
    bool (*fetch)(const FetchArgs& args);
    /// Codes and window coordinates of `count` vertices, of the clip coordinates from output `position` on.
    /// Works on whole groups of eight: the columns must have room.
    void (*project)(const ClipSpace& space, const VertexColumns& v, uint32_t position, uint32_t count);
    /// The triangles that may make fragments, in order, to `out` (room for count + 8; up to eight behind them
    /// may be overwritten). Those that must be clipped have kClipFlag and were tested by their codes alone.
    /// Whether a triangle is small depends on its window coordinates alone, so that it has the same depths
    /// in every pass.
    Survivors (*reject)(const RejectArgs& args, Survivor* out);
    /// The same where pixels have more than one sample: for each of them, and none is small.
    Survivors (*reject_samples)(const RejectArgs& args, Survivor* out);
    /// Writes primitives for triangles[0, count), which reject() let pass, one after the other: all but the
    /// polygon offset. They take triangle_B(plane_count) each.
    void (*setup)(const SetupArgs& args, const Survivor* triangles, uint32_t count, std::byte* prims);
    /// The same with the edges of passes of more than one sample (raster_types.h).
    void (*setup_samples)(const SetupArgs& args, const Survivor* triangles, uint32_t count, std::byte* prims);
    /// Records of vertices [first, first + count), first a multiple of eight, in whole groups of eight.
    void (*records)(const SetupArgs& args, uint32_t first, uint32_t count);
    /// The same as setup() for small triangles: writes runs of them to small_runs_B() bytes, and tells of
    /// each in `runs` (room for `count`). Returns how many, and in `end` where the last one ends.
    uint32_t (*small_setup)(const SetupArgs& args, const Survivor* triangles, uint32_t count,
                            std::byte* prims, PlacedRun* runs, std::byte** end);
};

/// Any attribute: 0, 0, 0, 1 where the format stores none, pure integers as bits. With a divisor the instance
/// counts, from the draw's first one on.
void fetch_attribute(const FrontKernels& kernels, const FetchArgs& args, uint32_t instance,
                     uint32_t first_instance = 0);

/// Bytes of a triangle with so many planes.
inline constexpr uint32_t triangle_B(uint32_t planes) {
    return uint32_t((sizeof(TrianglePrim) + planes * sizeof(Plane) + 15) / 16 * 16);
}
inline constexpr uint32_t small_triangle_B(uint32_t planes) {
    return uint32_t((sizeof(SmallTriangle) + planes * sizeof(Plane) + 7) / 8 * 8);
}
/// Of as many small triangles at most: each in a run of its own, and what is written beyond the last.
inline constexpr size_t small_runs_B(uint32_t planes, uint32_t count) {
    return size_t(count) * (sizeof(SmallRun) + small_triangle_B(planes)) + 8 * sizeof(Plane);
}

namespace baseline {
extern const FrontKernels kFront;
}
#ifdef TERRAZZO_SOFT_AVX2
namespace avx2 {
extern const FrontKernels kFront;
}
#endif

/// The kernels for this CPU.
[[nodiscard]] const FrontKernels& select_front();

}  // namespace terrazzo::soft
