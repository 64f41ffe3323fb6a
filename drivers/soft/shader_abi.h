// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How the CPU driver's pipeline calls shaders. They are code of asmjit (asmjit/) or LLVM (jit/), or run in
// the IR interpreter (interp/). All have the same functions and bit-identical results; the pipeline does not
// distinguish them.
//
// Invocations are stored as structures of arrays. Fragments come in blocks of kLanes, which are two adjacent
// quads:
//   lane = 4 * quad + 2 * (y & 1) + (x & 1),   quad q covers x + 2q .. x + 2q + 1, y .. y + 1
// so that 8 lanes are a block of 4x2 pixels. Lanes outside the mask are helpers: they run, because
// derivatives need them, may read memory only through the clamped accesses below, and have no effects. A call
// handles a batch of blocks. These need not be adjacent or belong to the same primitive. Code may run them
// half a block, a block or two blocks at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "drivers/common/host_code/frame.h"
#include "pipe/log.h"
#include "pipe/state.h"
#include "shaders/ir/image.h"
#include "shaders/ir/limits.h"
#include "shaders/ir/memory.h"
#include "shaders/ir/private_memory.h"
#include "shaders/ir/stored.h"

namespace terrazzo::soft {

inline constexpr unsigned kLanes = 8;
inline constexpr unsigned kMaxInputs = 32;  // attribute locations or varying slots
using LaneMask = uint32_t;                  // bit per lane

// --- memory and stack
// -------------------------------------------------------------------------------------------- The size of a
// stack frame does not depend on the shader's text, except for registers that code spills. Each thread that
// runs shaders has two areas of a fixed size (shader_memory.h):

/// Memory of code for the functions it calls: TexCalls, TexGroups and their rows. If a shader would need
/// more, the compiler forms smaller groups.
inline constexpr uint32_t kWorkArea_B = 256u << 10;
/// The shader's arrays, after a row of up to 64-bit words that lanes that do not run write to.
inline constexpr uint32_t kMostLanes = 16;  // the most lanes of any code generator
inline constexpr size_t kPrivateArea_B = (size_t(ir::kMaxPrivateScalars) + 2) * kMostLanes * sizeof(uint32_t);
inline constexpr size_t kAreaAlign_B = 64;
/// If the code of one compiler has a larger frame, it is refused, and another compiler is used.
using host_code::kMaxFrame_B;

// --- textures
// ----------------------------------------------------------------------------------------------------
struct TextureUnit;
/// For Fetch and the modes after it, TextureUnit::sample always uses TexelCode::full.
enum class TexMode : uint32_t { Implicit, Bias, Lod, Grad, Fetch, Gather, GatherOffset, QueryLod };

/// The range of gather offsets; other values are clamped to it.
inline constexpr int32_t kMinGatherOffset = -32, kMaxGatherOffset = 31;

/// One texture instruction for kLanes lanes. Arrays are by lane.
struct TexCall {
    const TextureUnit* unit;
    TexMode mode;
    LaneMask mask;  // lanes whose result is used (the others' coordinates are undefined)
    alignas(32) float s[kLanes], t[kLanes], r[kLanes];  // Fetch: integers, bit cast
    alignas(32) float layer[kLanes], ref[kLanes];
    /// Bias: the bias; Lod: the LOD; Fetch, bit cast: the level, or the sample of a multisampled texture.
    alignas(32) float lod[kLanes];
    // Grad; GatherOffset: x and y of ddx[0] and ddx[1], bit cast.
    alignas(32) float ddx[3][kLanes], ddy[3][kLanes];
    int32_t offset[3];  // Gather, GatherOffset: the last is the component
    uint32_t level;     // used by the sampling code; zero before the call
    /// Results: rgba after the view's swizzle; integers bit cast. QueryLod: the level that would be read, and
    /// the LOD.
    alignas(32) float out[4][kLanes];
};
using SampleFn = void (*)(TexCall*);

/// Texture instructions of one unit for kLanes lanes, each with two coordinates and an implicit level of
/// detail. Coordinates that several instructions share, as in a filter kernel, are passed and processed once.
struct TexGroup {
    static constexpr uint32_t kMost = 32;  // instructions
    const TextureUnit* unit;
    LaneMask mask;  // as in a TexCall
    uint32_t count, s_count, t_count;
    uint32_t channels;         // bit per channel that is used
    const float (*s)[kLanes];  // rows, aligned to 32 bytes
    const float (*t)[kLanes];
    float (*out)[4][kLanes];  // by instruction: rows as in a TexCall; unused ones are undefined
    struct Coordinates {
        uint8_t s, t;  // the rows' indices
    } at[kMost];
};
using SampleGroupFn = void (*)(TexGroup*);

/// One texture instruction for many blocks: coordinates, implicit level of detail, no offsets.
struct TexBlocks {
    const TextureUnit* unit;
    uint32_t count;            // blocks
    uint32_t channels;         // channels that are used, a bit each; rows of others are undefined
    const uint8_t* mask;       // by block, as in a TexCall
    const float (*s)[kLanes];  // by block, aligned to 32 bytes
    const float (*t)[kLanes];
    const float (*third)[kLanes];  // r or the layer; undefined if there is neither
    const float (*ref)[kLanes];    // likewise, for comparisons
    float (*out)[4][kLanes];
};
using SampleBlocksFn = void (*)(TexBlocks*);

/// How a unit's texels are read: computed by prepare_texture_unit, private to texture/.
struct TexelCode {
    SampleFn full;     // supports everything; TextureUnit::sample may support less and call it
    uint8_t channels;  // stored channels that are used, 1..4
    uint8_t out[4];    // of r, g, b, a: a channel 0..3, or 4: zero, 5: one
    bool identity;     // out is 0, 1, 2, 3
    enum class Kind : uint8_t { Packed, Float, Uint, Sint, Depth, Stencil, Block };
    // Packed: unsigned fixed point in up to 32 bits: (word >> shift & mask) * scale.
    Kind kind;
    bool integer;         // texels are integers and never filtered
    bool needs_lod;       // the result depends on the LOD
    bool compare_clamps;  // the depth format is fixed point: the reference is clamped to [0,1]
    uint8_t block_B, block_w_px, block_h_px;
    uint8_t shift[4];
    uint32_t mask[4];
    float scale[4];
    uint32_t border[4];   // by channel, bits
    float mag_threshold;  // LODs up to this value magnify
    int32_t base_width, base_height, base_depth;
    const pipe::FormatOps* ops;  // reads texels of the other kinds
    /// Texels of bytes (texture/filter8.inc): the places of red to alpha in two lanes' pairs of texels, and
    /// in a texel.
    bool has_one;     // some channel of the result is always one
    int32_t texel_B;  // block_B
    int32_t reach_B;  // the offset of the last pair of texels in 16 bytes
    alignas(16) uint8_t pair_shuffle[16], near_shuffle[16], pair_flip[16], texel_shuffle[4][16];
};

/// A sampler view and a sampler, prepared for sampling: the chosen code and addresses. Built when bound, not
/// when used. The texels of a buffer are one row of a level.
struct TextureUnit {
    SampleFn sample;               // never null: an unbound unit samples (0,0,0,1)
    SampleGroupFn sample_group;    // never null; the same results
    SampleBlocksFn sample_blocks;  // never null; the same results
    struct Level {
        const uint8_t* data;
        uint32_t row_stride_B;
        uint64_t layer_stride_B;  // array layer, cube face or depth slice
        int32_t width, height, depth;
        /// Values for wrapping coordinates, filled in by prepare_texture_unit.
        struct Axis {
            float size, scale_256ths, last_256ths;  // last_256ths: of a position that does not wrap
            int32_t last;
        };
        Axis x = {}, y = {};
    };
    Level levels[15];
    int32_t first_level, last_level;  // indices into levels
    int32_t layers;
    /// The samples of a multisampled texture, which only supports fetches; 0: single-sampled.
    int32_t samples;
    uint64_t sample_stride_B;
    pipe::Format format;
    pipe::ResourceKind kind;
    pipe::Swizzle swizzle[4];
    pipe::SamplerDesc sampler;
    bool stencil = false;          // read the stencil aspect of a depth-stencil format
    bool decodes_fetches = false;  // despite skip_srgb_decode, fetches from an sRGB format decode
    TexelCode code;                // filled in by prepare_texture_unit
};

/// Prepares `unit`, whose view, sampler and levels' addresses are set: chooses the fastest exact code.
void prepare_texture_unit(TextureUnit* unit);

// --- buffers
// -----------------------------------------------------------------------------------------------------
/// The largest range of a buffer: offsets in it are not negative as signed numbers.
inline constexpr uint32_t kMaxRange_B = 0x7fffffff;
/// The largest range of a uniform block, and the number of bytes that can be read of a smaller one.
inline constexpr uint32_t kMaxUniformBlock_B = 64u << 10, kLeastUniformBlock_B = 16;

/// One operation on buffers, shared memory or images for kLanes lanes, of those that generated code does not
/// do inline.
struct MemoryCall {
    const void* slots;  // from the binding on: ir::MemoryRange, for images ir::ImageRange
    LaneMask mask;      // lanes that take part
    ir::Op op;
    ir::MemOp atomic;
    uint8_t words, indexed, arrayed;
    ir::TexDim dim;
    ir::ImageFormat format;
    uint32_t count, offset_B;                              // as in MemInfo
    alignas(32) uint32_t place[3][kLanes], index[kLanes];  // place: the offset, or coordinates
    alignas(32) uint32_t value[4][kLanes];
    alignas(32) uint32_t out[4][kLanes];
};
/// Calls ir::access_buffer or ir::access_image.
void call_memory(MemoryCall* call);

// --- vertex stage
// ------------------------------------------------------------------------------------------------
/// Attribute source by location.
struct VertexFetch {
    const uint8_t* base;  // null: constant (0,0,0,1)
    uint32_t stride_B;
    // The last vertex whose bytes are all inside the buffer; larger indices are clamped to it.
    uint32_t max_index;
    // (nothing fits: base is null)
    uint32_t divisor;
    pipe::Format format;
};

/// Ends work that takes too long (time_limit.h). While `stop` is set, loops run one iteration and kernels
/// skip the rest: the work ends at once with undefined results. Plain data, because compiled shaders and the
/// tile kernels use it; C++ uses the functions below.
struct Watch {
    uint32_t stop = 0;                     // read and written by many threads
    void (*look)(Watch*) = [](Watch*) {};  // checks the clock and may set `stop`; called rarely
};
inline bool is_stopped(const Watch& w) {
    return __atomic_load_n(&w.stop, __ATOMIC_RELAXED) != 0;
}
inline void stop(Watch& w) {
    __atomic_store_n(&w.stop, 1u, __ATOMIC_RELAXED);
}

/// The most vertices per call; the floats from one attribute component's column to the next.
inline constexpr uint32_t kVertexChunk = 256, kInStride = kVertexChunk + 16;

/// Columns have room for a multiple of 16 vertices: shaders process whole vectors. The vertices beyond
/// `count` repeat the last one.
struct VertexArgs {
    const void* shader;           // CompiledShader::self
    Watch* watch;                 // of the context
    const uint32_t* uniforms;     // the default block
    const TextureUnit* textures;  // by sampler slot
    /// ir::kMaxUniformBlocks of them; may be null if ShaderFacts::blocks is 0. Constant offsets are read
    /// without a size check: at least ShaderFacts::block_reach_B and kLeastUniformBlock_B bytes are readable,
    /// 0 beyond the range. A range has whole words, at most kMaxUniformBlock_B, and does not change during a
    /// call.
    const ir::MemoryRange* blocks;
    // ir::kMaxStorageBuffers; may be null if ShaderFacts::storage_buffers is 0.
    const ir::MemoryRange* buffers;
    const ir::ImageRange* images;  // ir::kMaxImages; may be null if ShaderFacts::images is 0
    void* work;                    // kWorkArea_B, aligned to kAreaAlign_B
    // kPrivateArea_B, likewise; may be null if ShaderFacts::private_scalars is 0.
    void* arrays;
    const uint32_t* ids;  // gl_VertexID of each vertex
    uint32_t count;       // 1..kVertexChunk
    uint32_t instance;
    /// Attributes: in[(n * 4 + component) * kInStride + vertex], n counts the locations that the shader
    /// reads, ascending (CompiledShader::inputs_read).
    const float* in;
    uint32_t out_stride;  // floats from one component's column to the next
    /// Results: out[(slot_index * 4 + component) * out_stride + vertex], slot_index counts the VaryingSlots
    /// that the shader writes, ascending (CompiledShader::slots). The position is in clip space.
    float* out;
};
using VertexFn = void (*)(const VertexArgs*);

// --- fragment stage
// ----------------------------------------------------------------------------------------------
/// A linear function over the triangle: v(x, y) = a0 + (x - x0) * dadx + (y - y0) * dady, evaluated at pixel
/// centres.
struct Plane {
    float a0, dadx, dady;
};

/// The common values of a primitive's fragments.
struct PrimitiveSetup {
    float x0, y0;  // the planes' origin, px (window coordinates)
    /// By varying index * 4 + component (in the order of CompiledShader::slots). Smooth: the plane of value/w
    /// (the shader divides by inv_w); NoPerspective: the plane of the value; Flat: a0 has the value's bits.
    /// Then the two of gl_PointCoord, if ShaderFacts::reads_point_coord.
    const Plane* varyings;
    bool front_facing;
    alignas(8) Plane z;  // window depth
    Plane inv_w;         // 1/w
};

inline constexpr uint32_t kBatchBlocks = 32;
inline constexpr uint32_t kSecondColor = pipe::kMaxColorTargets, kColorRows = kSecondColor + 1;

/// The rows of a batch: block n's lanes are [n * kLanes, (n + 1) * kLanes).
struct FragmentArgs {
    const void* shader;
    Watch* watch;  // of the context
    const uint32_t* uniforms;
    const TextureUnit* textures;
    const ir::MemoryRange* blocks;  // as in VertexArgs, also the next two
    const ir::MemoryRange* buffers;
    const ir::ImageRange* images;
    void* work;  // as in VertexArgs
    void* arrays;
    uint32_t count;                             // blocks, 1..kBatchBlocks
    const PrimitiveSetup* setup[kBatchBlocks];  // of the block's primitive
    int32_t x[kBatchBlocks], y[kBatchBlocks];   // the pixel of the block's lane 0
    uint8_t mask[kBatchBlocks];                 // in: covered lanes, possibly none; out: those not discarded
    /// The position of a fragment in its pixel, from the corner: the centre, or the sample that the call is
    /// for.
    float centre[2] = {0.5f, 0.5f};
    uint32_t sample_id = 0, num_samples = 1;  // ir::Sysval::SampleId, NumSamples
    uint32_t sample_positions[2] = {0, 0};    // ir::Sysval::SamplePositions
    /// Outputs that the shader writes; lanes outside `mask` are undefined. If ShaderFacts::colors_read is
    /// set, colours hold the buffers' values on entry. The last row is the second colour of target 0
    /// (FragSlot::Second).
    alignas(64) float depth[kBatchBlocks * kLanes];
    alignas(64) float color[kColorRows][4][kBatchBlocks * kLanes];
    alignas(64) uint32_t sample_mask[kBatchBlocks * kLanes];  // FragSlot::SampleMask, likewise
    // Sysval::SampleMaskIn, if ShaderFacts::reads_coverage.
    alignas(64) uint32_t coverage[kBatchBlocks * kLanes];
};
using FragmentFn = void (*)(FragmentArgs*);

// --- compute stage
// -----------------------------------------------------------------------------------------------
/// Invocations of a workgroup, consecutive by gl_LocalInvocationIndex. If the shader waits at barriers
/// (ShaderFacts::waits), a call has at most ShaderFacts::lanes of them, starting at a multiple of that. Each
/// call then has its own stack (fibers.h), and other calls of the workgroup run while this one waits.
inline constexpr uint32_t kBehindShared_B = 256;  // four words per lane
struct ComputeArgs {
    const void* shader;
    Watch* watch;  // of the context
    const uint32_t* uniforms;
    const TextureUnit* textures;
    const ir::MemoryRange* blocks;  // as in VertexArgs, also the next two
    const ir::MemoryRange* buffers;
    const ir::ImageRange* images;
    void* work;                    // the thread's: its contents do not survive a barrier
    void* arrays;                  // this call's own
    uint32_t count;                // invocations, at least 1
    uint32_t group[3], groups[3];  // gl_WorkGroupID, gl_NumWorkGroups
    /// gl_LocalInvocationID's three components and gl_LocalInvocationIndex, from the first invocation on;
    /// readable up to a multiple of kMostLanes.
    const uint32_t* ids[4];
    // The workgroup's, zeroed, aligned to kAreaAlign_B; kBehindShared_B more bytes are readable.
    ir::MemoryRange shared;
    void (*wait)(ComputeArgs*);  // returns when all invocations of the workgroup wait or have ended
};
using ComputeFn = void (*)(ComputeArgs*);
/// Called by generated code at a barrier.
void wait_at_barrier(ComputeArgs* args);

/// Members that all stages share have the same offsets.
#define TZ_SAME_PLACE(member)                                                       \
    static_assert(offsetof(VertexArgs, member) == offsetof(FragmentArgs, member) && \
                  offsetof(VertexArgs, member) == offsetof(ComputeArgs, member))
TZ_SAME_PLACE(shader);
TZ_SAME_PLACE(watch);
TZ_SAME_PLACE(uniforms);
TZ_SAME_PLACE(textures);
TZ_SAME_PLACE(blocks);
TZ_SAME_PLACE(buffers);
TZ_SAME_PLACE(images);
TZ_SAME_PLACE(work);
TZ_SAME_PLACE(arrays);
#undef TZ_SAME_PLACE

// --- compiled shaders
// ----------------------------------------------------------------------------------------------
/// What the pipeline must know about a stage. Plain bytes: stored with the code in the shader cache.
struct ShaderFacts {
    /// Vertex: VaryingSlots written; fragment: VaryingSlots read; ascending. Linking matches the fragment's
    /// planes and the vertex's outputs by these lists.
    uint8_t slots[kMaxInputs + 8] = {};
    uint32_t slot_count = 0;
    /// Fragment: the components read of each slot (a bit each) and how each slot is interpolated.
    uint8_t components[kMaxInputs + 8] = {};
    uint8_t interp[kMaxInputs + 8] = {};  // ir::Interp
    uint64_t inputs_read = 0;             // vertex: attribute locations
    uint64_t outputs_written = 0;         // bit per VaryingSlot / FragSlot
    bool uses_discard = false, writes_depth = false, writes_memory = false, uses_derivatives = false;
    bool reads_z_or_w = false;  // needs setup.z / inv_w (FragCoord or smooth varyings)
    bool reads_point_coord = false;
    bool per_sample = false;  // fragment: runs for each sample
    bool reads_coverage = false, writes_sample_mask = false;
    uint8_t colors_read = 0;  // fragment: colour buffers whose contents it reads, a bit each
    // Fragment: its only outputs are colours, the same for every fragment of a draw.
    bool constant = false;
    uint32_t blocks = 0;                                 // uniform blocks read, a bit per slot
    uint32_t block_reach_B[ir::kMaxUniformBlocks] = {};  // the end of reads at constant offsets
    // The end of all reads: a longer range is not needed.
    uint32_t block_extent_B[ir::kMaxUniformBlocks] = {};
    uint32_t storage_buffers = 0, images = 0;  // read or written, a bit per slot
    bool early_tests = false;                  // fragment: tests always run first
    bool waits = false;                        // compute: invocations of a workgroup wait for each other
    uint32_t lanes = kLanes;                   // the lanes that this code runs at once
    uint32_t private_scalars = 0;  // size of its arrays, per invocation; the same for all compilers
    uint32_t frame_B = 0;          // the code's stack frame; 0 if it is interpreted
};

/// A stage ready to run. Immutable. Thread: any.
class CompiledShader : public ShaderFacts {
  public:
    virtual ~CompiledShader() = default;
    /// The best code for this stage so far, with the same facts. Lives as long as this object. Called once
    /// per draw.
    [[nodiscard]] virtual const CompiledShader& current() const { return *this; }
    const void* self = nullptr;  // becomes VertexArgs::shader, FragmentArgs::shader, ComputeArgs::shader
    VertexFn vertex = nullptr;
    FragmentFn fragment = nullptr;
    ComputeFn compute = nullptr;
    bool interpreted = false;
};

/// Creates compiled shaders: asmjit, LLVM, both in tiers (code/tiers.h), or the interpreter. Thread: any.
class ShaderCompiler {
  public:
    virtual ~ShaderCompiler() = default;
    /// Null: it failed and has logged why. Lowers its own copy of the IR.
    [[nodiscard]] virtual std::unique_ptr<CompiledShader> compile(const ir::Shader& shader,
                                                                  const pipe::Log& log) = 0;
    /// A shader that needs no compilation, from a cache. Null: there is none.
    [[nodiscard]] virtual std::unique_ptr<CompiledShader> find(const ir::StoredShader&) { return nullptr; }
    /// find(), else compile() and store the result for find(). May keep the shader.
    [[nodiscard]] virtual std::unique_ptr<CompiledShader> make(std::shared_ptr<const ir::StoredShader> shader,
                                                               const pipe::Log& log) {
        if (auto found = find(*shader)) return found;
        const ir::Shader* const s = shader->get();
        if (!s) log(pipe::Severity::Error, "soft: the stored shader is damaged");
        return s ? compile(*s, log) : nullptr;
    }
    [[nodiscard]] virtual const char* name() const = 0;  // "LLVM 19.1, 256 bits" or "interpreter"
};
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_interpreter_compiler();
/// Null if built without LLVM. No LLVM code runs before the first compile().
/// `lanes`: the fragments that code handles at once, 4, 8 or 16; 0: the best for this CPU. Results do not
/// depend on it.
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_jit_compiler(unsigned lanes = 0);
/// The first tier: compiles in a fraction of a millisecond; the code is slower. Null if built without asmjit
/// or if the CPU lacks AVX2. Shaders that it does not support fail to compile with a message of
/// Severity::Info: another compiler can compile them.
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_tier1_compiler();

}  // namespace terrazzo::soft
