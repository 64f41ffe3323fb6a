// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Data that the front half of the pipeline (vertices, clipping, setup, binning) writes and the back half
// (tile kernels) reads. Only plain structs: the kernels are compiled for several instruction sets and must
// not use inline functions that the linker could share with the rest of the program.
#pragma once

#include "drivers/soft/binning/pipeline_limits.h"
#include "drivers/soft/shader_abi.h"
#include "pipe/raster/edge.h"
#include "pipe/raster/sample_positions.h"

namespace terrazzo::soft {

inline constexpr int kTileSize_px = 64;
using pipe::raster::kSampleCounts;
using pipe::raster::kSamplePositions;
using pipe::raster::kSampleReach_16ths;
using pipe::raster::SamplePosition;
static_assert(kMaxSamples == pipe::raster::kMaxPositions);

/// The form of ir::Sysval::SamplePositions: x and y.
struct PackedPositions {
    uint32_t axis[2];
};
inline constexpr auto kPackedPositions = [] {
    struct {
        PackedPositions row[kSampleCounts] = {};
    } out;
    for (unsigned n = 0; n < kSampleCounts; ++n)
        for (unsigned axis = 0; axis < 2; ++axis)
            out.row[n].axis[axis] = pipe::raster::packed_sample_positions(1u << n, axis);
    return out;
}();

/// Half-open: [x0,x1) x [y0,y1), px.
struct Rect {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    [[nodiscard]] bool empty() const { return x0 >= x1 || y0 >= y1; }
};

// --- render targets ----------------------------------------------------------------------------------------
/// How the kernel reads and writes a colour format.
enum class ColorClass : uint8_t {
    None,   // not attached
    Rgba8,  // 32-bit word, R in the low byte, UNORM
    Bgra8,  // 32-bit word, B in the low byte, UNORM
    Float,  // by unpack_f32 / pack_f32
    Uint,   // by unpack_u32 / pack_u32
    Sint,   // by unpack_s32 / pack_s32
};
enum class ColorClamp : uint8_t { Unorm, Snorm, None };

struct ColorTarget {
    uint8_t* base = nullptr;
    uint32_t row_stride_B = 0;
    uint64_t sample_stride_B = 0;  // from one sample's plane to the next
    uint8_t block_B = 0;
    ColorClass cls = ColorClass::None;
    ColorClamp clamp = ColorClamp::Unorm;
    bool has_alpha = true;
    union {
        void (*f32)(float* dst_rgba, const void* src, size_t count) = nullptr;
        void (*u32)(uint32_t* dst_rgba, const void* src, size_t count);
        void (*s32)(int32_t* dst_rgba, const void* src, size_t count);
    } unpack;
    union {
        void (*f32)(void* dst, const float* src_rgba, size_t count) = nullptr;
        void (*u32)(void* dst, const uint32_t* src_rgba, size_t count);
        void (*s32)(void* dst, const int32_t* src_rgba, size_t count);
    } pack;
};

enum class DepthClass : uint8_t { None, D16, D24, D32F, D32FS8, S8 };

struct DepthTarget {
    uint8_t* base = nullptr;
    uint32_t row_stride_B = 0;
    uint64_t sample_stride_B = 0;
    DepthClass cls = DepthClass::None;
    uint8_t pixel_B = 0;
    bool has_depth = false, has_stencil = false;
    bool bounded = false;  // kernel/depth_bounds.inc applies
};

// --- state of a draw ---------------------------------------------------------------------------------------
struct BlendDigest {
    enum class Kind : uint8_t {
        Skip,
        Replace,
        Over,
        PremulOver,
        Add,
        General,
        Dual,  // two sources
        Advanced
    };
    Kind kind = Kind::Replace;
    uint8_t write_mask = 15;
    bool full_mask = true;  // covers all channels that the buffer stores
    pipe::BlendTargetDesc desc;
    float color[4] = {};  // the blend constant, clamped to the buffer's range
};

struct StencilDigest {
    pipe::StencilFaceDesc face;
    uint8_t ref = 0;
};

/// Everything that the kernel needs of a draw except its primitives. Allocated in the pass's arena.
struct DrawState {
    FragmentFn fragment = nullptr;  // null: no fragment output matters
    const void* shader = nullptr;
    Watch* watch = nullptr;
    const uint32_t* uniforms = nullptr;
    const TextureUnit* textures = nullptr;
    const ir::MemoryRange* blocks = nullptr;  // FragmentArgs
    const ir::MemoryRange* buffers = nullptr;
    const ir::ImageRange* images = nullptr;
    // Not null: the outputs by target, which are the same for all fragments.
    const float (*constant)[4] = nullptr;
    uint8_t colors_read = 0;  // see ShaderFacts
    bool reads_coverage = false, writes_sample_mask = false;
    // How many times the shader runs for a multisampled pixel, and whether its planes are evaluated at
    // samples.
    uint8_t invocations = 1;
    bool at_samples = false;
    bool early_tests = true, discards = false;
    // The shader stores, so it also runs for fragments that late tests will discard.
    bool always_runs = false;
    bool depth_test = false, depth_write = false, stencil_test = false;
    bool shader_depth = false;  // depth comes from the fragment shader
    /// Depth is clamped to depth_range, which is smaller than [0, 1], before the test.
    bool clamps_depth = false;
    float depth_range[2] = {0, 1};
    pipe::Compare depth_compare = pipe::Compare::Always;
    StencilDigest stencil[2];  // [0] back, [1] front
    uint32_t color_count = 0;
    BlendDigest blend[pipe::kMaxColorTargets];
    uint32_t query_slot = 0;
    // The samples that may be covered, a bit each; only for multisampled passes.
    uint32_t sample_mask = ~0u;
    bool alpha_to_coverage = false;  // only for multisampled passes
    Rect clip;                       // viewport, scissor and framebuffer, px
};

// --- primitives --------------------------------------------------------------------------------------------
enum class PrimKind : uint8_t { Triangle, SmallRun, Line, Rect, Clear };

struct PrimHeader {
    PrimKind kind;
    Rect bounds;     // inside DrawState::clip (Clear: the framebuffer); unused in a SmallRun
    uint32_t count;  // the triangles of a SmallRun
    const DrawState* draw;
};

/// e(x, y) = c + a * x + b * y >= 0 if the centre of pixel (x, y) is inside. a and b in 1/256 px; c is scaled
/// to match and includes the tie rule. In multisampled passes c is 16 times as large: at the sample that is
/// (i, j) sixteenths of a pixel from the centre, e(x, y) = (c + a * i + b * j >> 4) + a * x + b * y.
struct Edge {
    int64_t c;
    int32_t a, b;
};

struct TrianglePrim : PrimHeader {
    Edge edge[3];
    PrimitiveSetup setup;
};

/// A triangle within one tile that touches at most two rows of two blocks, the lowest at (x, y). `mask` (not
/// 0) has the covered pixels, eight bits per block in the order of lanes: the block at (x, y), its right
/// neighbour, then the row above. The planes of `setup` follow the struct.
struct SmallTriangle {
    uint32_t mask;
    int16_t x, y;
    PrimitiveSetup setup;
};

/// Followed by `count` SmallTriangles of one tile, `stride_B` apart.
struct SmallRun : PrimHeader {
    uint64_t stride_B;
};

/// Pixels of an integer rectangle, for points.
struct RectPrim : PrimHeader {
    PrimitiveSetup setup;
};

/// A line by the diamond-exit rule.
struct LinePrim : PrimHeader {
    pipe::raster::LineSetup line;
    PrimitiveSetup setup;
};

/// new = (old & ~mask) | (value & mask) for each pixel of a rectangle of one target.
struct FillOp {
    uint8_t* base;
    uint64_t sample_stride_B;
    uint32_t row_stride_B;
    uint8_t block_B;
    bool whole;  // the mask has every bit set
    uint8_t value[16];
    uint8_t mask[16];
};
struct ClearPrim : PrimHeader {
    bool clears_depth;
    float depth;  // the depth after the clear, if clears_depth
    uint32_t op_count;
    FillOp ops[pipe::kMaxColorTargets + 1];
};

// --- bins --------------------------------------------------------------------------------------------------
struct BinChunk {
    static constexpr uint32_t kCapacity = 30;
    BinChunk* next;
    uint32_t count;
    const PrimHeader* prims[kCapacity];
};
struct Bin {
    BinChunk* first = nullptr;
    BinChunk* last = nullptr;
};

/// Depth bounds of a tile; see kernel/depth_bounds.inc.
inline constexpr unsigned kBoundsPerTile = 16;
inline constexpr float kNoBound = 2.0f;  // depths are at most 1

/// A target that a tile draws to at another address than its image's.
struct MovedTarget {
    const uint8_t* from = nullptr;  // the base address in clears
    uint8_t* to = nullptr;
    uint32_t row_stride_B = 0;
};

/// The tiles of one pass, as the kernels see them.
struct TileJob {
    ColorTarget color[pipe::kMaxColorTargets];
    uint32_t color_count = 0;
    DepthTarget depth;
    uint32_t samples = 1;  // of all targets
    int32_t width_px = 0, height_px = 0;
    int32_t tiles_x = 0;
    const ClearPrim* first_clear = nullptr;  // runs first, in every tile
    const Bin* bins = nullptr;
    Watch* watch = nullptr;
    float* depth_bounds = nullptr;  // by tile: the bounds at its start, updated at its end; null: unknown
    const MovedTarget* moved =
        // The targets of this tile whose `color` is a copy; ends with an entry without `from`; null: none.
        nullptr;
};

/// A thread's state while it works on tiles.
struct TileWorker {
    FragmentArgs args;                   // the batch: blocks that wait for shading
    uint64_t* samples = nullptr;         // by query slot
    uint8_t* edge = nullptr;             // memory for edge tiles (edge_tiles.h), if the pass needs it
    float depth_bounds[kBoundsPerTile];  // of the tile's squares of 16x16 px; see kernel/depth_bounds.inc
    alignas(32) uint32_t coverage[kBatchBlocks * kLanes];  // before tests, if DrawState::reads_coverage
    uint8_t sample_mask[kMaxSamples][kBatchBlocks];  // covered lanes of the batch's blocks, if samples > 1
    /// The work until the next check of the time limit, in primitives. A batch of fragments counts as
    /// kBatchWork.
    int32_t until_look = kWorkPerLook;

    static constexpr int32_t kWorkPerLook = 1024, kBatchWork = 64;
};

using RunTileFn = void (*)(const TileJob& job, uint32_t tile, TileWorker& worker);

}  // namespace terrazzo::soft
