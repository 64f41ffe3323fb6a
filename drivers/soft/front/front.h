// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front half's inner loops, vectorised: shaded vertices to window coordinates, rejection and setup of
// triangles. The same source (front.inc and its includes) is compiled for each instruction set; all builds
// create bit-identical primitives.
#pragma once

#include "drivers/soft/binning/clip.h"
#include "drivers/soft/binning/raster_types.h"

namespace terrazzo::soft {

inline constexpr uint16_t kNoOutput = 0xffff;

/// The values of ir::Interp, whose header the kernels must not include.
enum class Interpolation : uint8_t { Smooth, Flat, NoPerspective };

/// One component that the fragment shader reads.
struct PlaneLink {
    uint16_t source;  // a component of the vertex outputs (output index * 4 + component); kNoOutput: reads 0
    uint16_t plane;   // index in PrimitiveSetup::varyings
    Interpolation interp;
};

/// A vertex in window coordinates: x and y in 1/256 px.
struct alignas(16) WindowVertex {
    int32_t x, y;
    float z;
    uint32_t code;  // clip_bit
};

/// Vertices after shading. Component c of vertex i is at outputs[c * stride + i].
struct VertexColumns {
    float* outputs;
    uint32_t stride;
    WindowVertex* window;
    float* inv_w;
};

/// One attribute of a call's vertices.
struct FetchArgs {
    const VertexFetch* fetch;
    const uint32_t* ids;  // `padded` entries: those beyond `count` repeat the last
    uint32_t count, padded;
    bool sequential;  // ids are consecutive
    float* out;       // four columns, kInStride apart
};

/// The corners of triangles, as vertex numbers; the last one is the provoking vertex. Readable up to a
/// multiple of eight.
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
/// Marks a triangle that needs clipping.
inline constexpr uint32_t kClipFlag = 1u << 31;
/// A triangle that may produce fragments.
struct Survivor {
    uint32_t which;  // its number in the list, possibly with kClipFlag
    uint32_t mask;   // SmallTriangle's mask; 0: not small, or not known yet
    bool operator==(const Survivor&) const = default;
};

/// The values that planes interpolate, by vertex: z, 1/w, then a value for each plane (0 if it is flat or
/// unlinked), padded with zeros to a multiple of eight.
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
    VertexRecords records;  // only for small_setup()
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

/// The number of survivors, and how many of them are small.
struct Survivors {
    uint32_t count, small;
};

struct IndexRange {
    uint32_t lowest, highest;
};

struct FrontKernels {
    /// The range of `count` (at least one) indices of `index_B` bytes.
    IndexRange (*index_range)(const uint8_t* indices, uint32_t index_B, uint32_t count);
    /// The corners of `count` separate triangles: indices minus range.lowest. The program may have changed
    /// the indices since their range was read: those outside become the highest.
    void (*list_triangles)(const uint8_t* indices, uint32_t index_B, uint32_t count, IndexRange range,
                           uint32_t* const corner[3]);
    /// Reads attributes from a buffer, per vertex (no divisor). False: it does not support the format.
    bool (*fetch)(const FetchArgs& args);
    /// Computes codes and window coordinates of `count` vertices, from the clip coordinates in output
    /// `position`. Processes whole groups of eight: the columns must have room.
    void (*project)(const ClipSpace& space, const VertexColumns& v, uint32_t position, uint32_t count);
    /// Writes the triangles that may produce fragments, in order, to `out`. It must have room for count + 8:
    /// up to eight entries after the last one may be overwritten. Triangles that need clipping have kClipFlag
    /// and were tested by their codes only. Whether a triangle is small depends on its window coordinates
    /// only, so that it has the same depths in every pass.
    Survivors (*reject)(const RejectArgs& args, Survivor* out);
    /// The same for multisampled passes: tests all samples, and no triangle is small.
    Survivors (*reject_samples)(const RejectArgs& args, Survivor* out);
    /// Writes primitives for triangles [0, count), which reject() accepted, one after the other, without the
    /// polygon offset. Each takes triangle_B(plane_count).
    void (*setup)(const SetupArgs& args, const Survivor* triangles, uint32_t count, std::byte* prims);
    /// The same with the edges of multisampled passes (raster_types.h).
    void (*setup_samples)(const SetupArgs& args, const Survivor* triangles, uint32_t count, std::byte* prims);
    /// Writes records of vertices [first, first + count), in whole groups of eight; `first` is a multiple of
    /// eight.
    void (*records)(const SetupArgs& args, uint32_t first, uint32_t count);
    /// As setup(), for small triangles: writes runs of them to at most small_runs_B() bytes and describes
    /// each in `runs`, which has room for `count`. Returns the number of runs, and in `end` the end of the
    /// last one.
    uint32_t (*small_setup)(const SetupArgs& args, const Survivor* triangles, uint32_t count,
                            std::byte* prims, PlacedRun* runs, std::byte** end);
};

/// Reads an attribute of any format: missing components are 0, 0, 0, 1; pure integers as bits. With a
/// divisor, the instance selects the element, starting from the draw's first one.
void fetch_attribute(const FrontKernels& kernels, const FetchArgs& args, uint32_t instance,
                     uint32_t first_instance = 0);

/// The size of a triangle with this many planes.
inline constexpr uint32_t triangle_B(uint32_t planes) {
    return uint32_t((sizeof(TrianglePrim) + planes * sizeof(Plane) + 15) / 16 * 16);
}
inline constexpr uint32_t small_triangle_B(uint32_t planes) {
    return uint32_t((sizeof(SmallTriangle) + planes * sizeof(Plane) + 7) / 8 * 8);
}
/// The most that `count` small triangles need: each in a run of its own, and what is written beyond the last
/// one.
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
