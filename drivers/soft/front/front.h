// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front half's inner loops, in lanes: shaded vertices to the window, rejection and setup of triangles.
// The same source (front.inc and what it includes) is compiled for each instruction set; every build gives
// the same primitives to the bit.
#pragma once

#include "drivers/soft/clip.h"
#include "drivers/soft/raster_types.h"

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

/// Corners of triangles, by number of the vertex; the last one provokes. Readable up to a multiple of four.
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
    uint32_t mask;   // SmallTrianglePrim's; 0: not a small one, or not known yet
    bool operator==(const Survivor&) const = default;
};

struct SetupArgs {
    TriangleList list;
    VertexColumns vertices;
    const DrawState* draw;
    const PlaneLink* links;
    uint32_t link_count, plane_count;
    bool front_ccw;
};

struct FrontKernels {
    /// Attributes from a buffer, a vertex each (no divisor). False: not a format that it knows.
    bool (*fetch)(const FetchArgs& args);
    /// Codes and window coordinates of `count` vertices, of the clip coordinates from output `position` on.
    /// Works on whole groups of eight: the columns must have room.
    void (*project)(const ClipSpace& space, const VertexColumns& v, uint32_t position, uint32_t count);
    /// The triangles that may make fragments, in order, to `out` (room for count + 4). Those that must be
    /// clipped have kClipFlag and were tested by their codes alone.
    uint32_t (*reject)(const RejectArgs& args, Survivor* out);
    /// Writes primitives for triangles[0, count), which reject() let pass, one after the other: all but the
    /// polygon offset. TrianglePrims take triangle_B(plane_count), SmallTrianglePrims small_triangle_B().
    void (*setup)(const SetupArgs& args, const Survivor* triangles, uint32_t count, std::byte* prims);
};

/// Any attribute: 0, 0, 0, 1 where the format stores none, pure integers as bits. With a divisor the instance
/// counts.
void fetch_attribute(const FrontKernels& kernels, const FetchArgs& args, uint32_t instance);

/// Bytes of a triangle with so many planes.
inline constexpr uint32_t triangle_B(uint32_t planes) {
    return uint32_t((sizeof(TrianglePrim) + planes * sizeof(Plane) + 15) / 16 * 16);
}
inline constexpr uint32_t small_triangle_B(uint32_t planes) {
    return uint32_t((sizeof(SmallTrianglePrim) + planes * sizeof(Plane) + 15) / 16 * 16);
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
