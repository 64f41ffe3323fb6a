// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How the CPU driver's pipeline calls shaders, whoever runs them: code made by asmjit (asmjit/) or LLVM (jit/), or the IR
// interpreter (interp/). All give the same functions with the same results to the bit; the pipeline cannot tell them apart.
//
// Invocations are stored as structures of arrays. Fragments come in blocks of kLanes, which are two quads side by side:
//   lane = 4 * quad + 2 * (y & 1) + (x & 1),   quad q covers x + 2q .. x + 2q + 1, y .. y + 1
// so that 8 lanes are a block of 4x2 pixels. Lanes outside the mask are helpers: they run (derivatives need them), may
// read memory only through the clamped accesses below, and leave no trace. A call handles a batch of blocks, which need
// not lie side by side nor belong to the same primitive; code is free to run them half a block, a block or two at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

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

// --- memory and stack --------------------------------------------------------------------------------------------
// Nothing that a shader's text decides lies on the stack of whoever runs it, but for the registers that code spills.
// Two areas belong to each thread that runs shaders (shader_memory.h), both of a fixed size:

/// What code keeps for the functions it calls: TexCalls, TexGroups and their rows. A compiler that would need more makes
/// smaller groups.
inline constexpr uint32_t kWorkArea_B = 256u << 10;
/// The shader's arrays, behind a row of up to 64-bit words: lanes that do not run write there.
inline constexpr uint32_t kMostLanes = 16;  // of any generator of code
inline constexpr size_t kPrivateArea_B = (size_t(ir::kMaxPrivateScalars) + 2) * kMostLanes * sizeof(uint32_t);
inline constexpr size_t kAreaAlign_B = 64;
/// Stack frames of generated code; code with a larger one is refused and another compiler's runs. The machine code
/// touches every page of its frame in turn, so that it cannot jump over a guard page.
inline constexpr uint32_t kMaxFrame_B = 16u << 10;

// --- textures ----------------------------------------------------------------------------------------------------
struct TextureUnit;
/// From Fetch on TextureUnit::sample leaves all to the code for everything.
enum class TexMode : uint32_t { Implicit, Bias, Lod, Grad, Fetch, Gather, GatherOffset, QueryLod };

/// What offsets of gathers may be; others mean the nearest of these.
inline constexpr int32_t kMinGatherOffset = -32, kMaxGatherOffset = 31;

/// One texture instruction for kLanes lanes. Arrays are by lane.
struct TexCall {
    const TextureUnit* unit;
    TexMode mode;
    LaneMask mask;                 // lanes whose result is wanted (the others' coordinates may be anything)
    alignas(32) float s[kLanes], t[kLanes], r[kLanes];  // Fetch: integers, bit cast
    alignas(32) float layer[kLanes], ref[kLanes];
    /// Bias: the bias; Lod: the LOD; Fetch: the level, of a multisampled texture the sample, bit cast.
    alignas(32) float lod[kLanes];
    alignas(32) float ddx[3][kLanes], ddy[3][kLanes];  // Grad; GatherOffset: x and y of ddx[0] and ddx[1], bit cast
    int32_t offset[3];             // Gather, GatherOffset: the last is the component
    uint32_t level;                // the sampling code's own; zero before the first call
    /// Results: rgba after the view's swizzle; integers bit cast. QueryLod: the level that is read, and the LOD.
    alignas(32) float out[4][kLanes];
};
using SampleFn = void (*)(TexCall*);

/// Texture instructions of one unit for kLanes lanes, two coordinates and an implicit level of detail each. Coordinates
/// that several have in common, as a filter kernel's do, are given and worked out once.
struct TexGroup {
    static constexpr uint32_t kMost = 32;  // instructions
    const TextureUnit* unit;
    LaneMask mask;                  // as a TexCall's
    uint32_t count, s_count, t_count;
    uint32_t channels;              // bit per channel of the results that is wanted
    const float (*s)[kLanes];       // rows, aligned to 32 bytes
    const float (*t)[kLanes];
    float (*out)[4][kLanes];        // by instruction: rows as a TexCall's; unwanted ones may be anything
    struct Coordinates {
        uint8_t s, t;               // which row
    } at[kMost];
};
using SampleGroupFn = void (*)(TexGroup*);

/// One texture instruction for many blocks: coordinates, an implicit level of detail, no offsets.
struct TexBlocks {
    const TextureUnit* unit;
    uint32_t count;                 // blocks
    uint32_t channels;              // results that are read, a bit each; rows of others may be anything
    const uint8_t* mask;            // by block, as a TexCall's
    const float (*s)[kLanes];       // by block, aligned to 32 bytes
    const float (*t)[kLanes];
    const float (*third)[kLanes];   // r or the layer; anything where there is neither
    const float (*ref)[kLanes];     // likewise
    float (*out)[4][kLanes];
};
using SampleBlocksFn = void (*)(TexBlocks*);

/// How texels of a unit are read: worked out by prepare_texture_unit, private to texture/.
struct TexelCode {
    SampleFn full;                // the code for everything; TextureUnit::sample may know less and call it
    uint8_t channels;             // stored channels that matter, 1..4
    uint8_t out[4];               // of r, g, b, a: a channel 0..3, or 4: zero, 5: one
    bool identity;                // out is 0, 1, 2, 3
    enum class Kind : uint8_t { Packed, Float, Uint, Sint, Depth, Stencil, Block };
    Kind kind;                    // Packed: unsigned fixed point in up to 32 bits: (word >> shift & mask) * scale
    bool integer;                 // texels are integers, never filtered
    bool needs_lod;               // the LOD changes what is read
    bool compare_clamps;          // the depth format is fixed point: the reference is clamped to [0,1]
    uint8_t block_B, block_w_px, block_h_px;
    uint8_t shift[4];
    uint32_t mask[4];
    float scale[4];
    uint32_t border[4];           // by channel, bits
    float mag_threshold;          // LODs up to this magnify
    int32_t base_width, base_height, base_depth;
    const pipe::FormatOps* ops;   // reads the other kinds
    /// Texels of bytes (texture/filter8.inc): where red to alpha are in two lanes' pairs of texels and in a texel.
    bool has_one;                 // a result is always one
    int32_t texel_B;              // block_B
    int32_t reach_B;              // where in 16 bytes the last pair of texels begins
    alignas(16) uint8_t pair_shuffle[16], near_shuffle[16], pair_flip[16], texel_shuffle[4][16];
};

/// A sampler view and a sampler made ready to be read: chosen code plus plain addresses. Built when bound, not when used.
/// A buffer's texels are one row of a level, as long as there are texels.
struct TextureUnit {
    SampleFn sample;  // never null: an unbound unit samples (0,0,0,1)
    SampleGroupFn sample_group;    // never null, the same results ...
    SampleBlocksFn sample_blocks;  // ... and so it is here
    struct Level {
        const uint8_t* data;
        uint32_t row_stride_B;
        uint64_t layer_stride_B;  // array layer, cube face or depth slice
        int32_t width, height, depth;
        /// What wrapping needs of a size, filled in by prepare_texture_unit.
        struct Axis {
            float size, scale_256ths, last_256ths;  // the last: of a position that does not wrap
            int32_t last;
        };
        Axis x = {}, y = {};
    };
    Level levels[15];
    int32_t first_level, last_level;  // indices into levels
    int32_t layers;
    /// Of a multisampled texture, which is only fetched from; 0: of all others.
    int32_t samples;
    uint64_t sample_stride_B;
    pipe::Format format;
    pipe::ResourceKind kind;
    pipe::Swizzle swizzle[4];
    pipe::SamplerDesc sampler;
    bool stencil = false;  // read the stencil aspect of a depth-stencil format
    bool decodes_fetches = false;  // skip_srgb_decode of an sRGB format: fetches of texels decode all the same
    TexelCode code;        // filled by prepare_texture_unit
};

/// Fills `unit` for a view and sampler whose levels' addresses are given; picks the fastest exact code.
void prepare_texture_unit(TextureUnit* unit);

// --- buffers -----------------------------------------------------------------------------------------------------
/// What a buffer's range has at most: offsets in it are not negative as signed numbers.
inline constexpr uint32_t kMaxRange_B = 0x7fffffff;
/// What a uniform block's range has at most, and how many bytes can be read of one that has less.
inline constexpr uint32_t kMaxUniformBlock_B = 64u << 10, kLeastUniformBlock_B = 16;

/// One operation on buffers, shared memory or images for kLanes lanes, but for what code does itself.
struct MemoryCall {
    const void* slots;             // of the binding and those behind it: ir::MemoryRange, of images ir::ImageRange
    LaneMask mask;                 // lanes that take part
    ir::Op op;
    ir::MemOp atomic;
    uint8_t words, indexed, arrayed;
    ir::TexDim dim;
    ir::ImageFormat format;
    uint32_t count, offset_B;      // as in MemInfo
    alignas(32) uint32_t place[3][kLanes], index[kLanes];  // the offset, or coordinates
    alignas(32) uint32_t value[4][kLanes];
    alignas(32) uint32_t out[4][kLanes];
};
/// The door to ir::access_buffer and ir::access_image.
void call_memory(MemoryCall* call);

// --- vertex stage ------------------------------------------------------------------------------------------------
/// Attribute source by location.
struct VertexFetch {
    const uint8_t* base;     // null: constant (0,0,0,1)
    uint32_t stride_B;
    uint32_t max_index;      // last vertex whose bytes are all inside the buffer; larger indices are clamped to it
                             // (nothing fits: base is null)
    uint32_t divisor;
    pipe::Format format;
};

/// Ends work that takes too long (time_limit.h). While `stop` is set loops turn once and kernels leave out what is left:
/// the work comes to its end at once, with any result. Plain data, because compiled shaders and the tile kernels use it;
/// C++ uses the functions below.
struct Watch {
    uint32_t stop = 0;                    // read and written by many threads
    void (*look)(Watch*) = [](Watch*) {}; // looks at the clock and may set `stop`; called rarely
};
inline bool is_stopped(const Watch& w) {
    return __atomic_load_n(&w.stop, __ATOMIC_RELAXED) != 0;
}
inline void stop(Watch& w) {
    __atomic_store_n(&w.stop, 1u, __ATOMIC_RELAXED);
}

/// Vertices a call at most, and the floats from one attribute component's column to the next.
inline constexpr uint32_t kVertexChunk = 256, kInStride = kVertexChunk + 16;

/// Columns have room for a multiple of 16 vertices: shaders work in whole vectors, the vertices beyond `count` repeat the
/// last.
struct VertexArgs {
    const void* shader;           // CompiledShader::self
    Watch* watch;                 // of the context
    const uint32_t* uniforms;     // the default block
    const TextureUnit* textures;  // by sampler slot
    /// ir::kMaxUniformBlocks of them; may be null where ShaderFacts::blocks is 0. Constant offsets are read without a look
    /// at the size: at least ShaderFacts::block_reach_B and kLeastUniformBlock_B bytes are there, 0 beyond the range. A range
    /// has whole words, at most kMaxUniformBlock_B, and changes in no call.
    const ir::MemoryRange* blocks;
    const ir::MemoryRange* buffers;  // ir::kMaxStorageBuffers; may be null where ShaderFacts::storage_buffers is 0
    const ir::ImageRange* images;    // ir::kMaxImages; may be null where ShaderFacts::images is 0
    void* work;                   // kWorkArea_B, aligned to kAreaAlign_B
    void* arrays;                 // kPrivateArea_B, likewise; may be null where ShaderFacts::private_scalars is 0
    const uint32_t* ids;          // gl_VertexID of each vertex
    uint32_t count;               // 1..kVertexChunk
    uint32_t instance;
    /// Attributes: in[(n * 4 + component) * kInStride + vertex], n counts the locations that the shader reads, ascending
    /// (CompiledShader::inputs_read).
    const float* in;
    uint32_t out_stride;          // floats from one component's column to the next
    /// Results: out[(slot_index * 4 + component) * out_stride + vertex], slot_index counts the VaryingSlots that the shader
    /// writes, ascending (CompiledShader::slots). Position is clip space.
    float* out;
};
using VertexFn = void (*)(const VertexArgs*);

// --- fragment stage ----------------------------------------------------------------------------------------------
/// A value over the triangle: v(x, y) = a0 + (x - x0) * dadx + (y - y0) * dady, evaluated at pixel centres.
struct Plane {
    float a0, dadx, dady;
};

/// What is the same for all fragments of a primitive.
struct PrimitiveSetup {
    float x0, y0;  // the planes' origin, px (window coordinates)
    /// By varying index * 4 + component (CompiledShader::input_slots order): Smooth: the plane of value/w
    /// (the shader divides by inv_w); NoPerspective: of the value; Flat: a0 is the value (bits). Then
    /// gl_PointCoord's two, where ShaderFacts::reads_point_coord.
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
    Watch* watch;                                // of the context
    const uint32_t* uniforms;
    const TextureUnit* textures;
    const ir::MemoryRange* blocks;               // as a VertexArgs' ...
    const ir::MemoryRange* buffers;
    const ir::ImageRange* images;
    void* work;                                  // as a VertexArgs'
    void* arrays;
    uint32_t count;                              // blocks, 1..kBatchBlocks
    const PrimitiveSetup* setup[kBatchBlocks];   // of the block's primitive
    int32_t x[kBatchBlocks], y[kBatchBlocks];    // the pixel of the block's lane 0
    uint8_t mask[kBatchBlocks];                  // in: covered lanes, may be none; out: those not discarded
    /// Where in its pixel a fragment is, from the corner: its centre, or the sample that the call is for.
    float centre[2] = {0.5f, 0.5f};
    uint32_t sample_id = 0, num_samples = 1;     // ir::Sysval::SampleId ...
    uint32_t sample_positions[2] = {0, 0};       // ... SamplePositions
    /// Outputs, where the shader writes them; those of lanes outside `mask` may be anything. Colours come in
    /// as the buffers hold them where ShaderFacts::colors_read says so. The last row: the second colour of
    /// target 0 (FragSlot::Second).
    alignas(64) float depth[kBatchBlocks * kLanes];
    alignas(64) float color[kColorRows][4][kBatchBlocks * kLanes];
    alignas(64) uint32_t sample_mask[kBatchBlocks * kLanes];  // FragSlot::SampleMask, likewise
    alignas(64) uint32_t coverage[kBatchBlocks * kLanes];     // Sysval::SampleMaskIn, where ShaderFacts::reads_coverage
};
using FragmentFn = void (*)(FragmentArgs*);

// --- compute stage -----------------------------------------------------------------------------------------------
/// Invocations of a workgroup, one after another by gl_LocalInvocationIndex. Of a shader that waits at barriers
/// (ShaderFacts::waits) at most ShaderFacts::lanes of them, the first a multiple of that: each call then has a stack of its
/// own (fibers.h), and others of the same workgroup run while this one waits.
inline constexpr uint32_t kBehindShared_B = 256;  // four words a lane
struct ComputeArgs {
    const void* shader;
    Watch* watch;                    // of the context
    const uint32_t* uniforms;
    const TextureUnit* textures;
    const ir::MemoryRange* blocks;   // as a VertexArgs' ...
    const ir::MemoryRange* buffers;
    const ir::ImageRange* images;
    void* work;                      // of the thread: nothing in it is needed after a barrier
    void* arrays;                    // of this call alone
    uint32_t count;                  // of invocations, at least 1
    uint32_t group[3], groups[3];    // gl_WorkGroupID, gl_NumWorkGroups
    /// gl_LocalInvocationID's three and gl_LocalInvocationIndex of the first invocation and those behind it; readable up to
    /// a multiple of kMostLanes.
    const uint32_t* ids[4];
    ir::MemoryRange shared;          // the workgroup's, zeros, aligned to kAreaAlign_B; kBehindShared_B more can be read
    void (*wait)(ComputeArgs*);      // returns when all invocations of the workgroup wait, or have ended
};
using ComputeFn = void (*)(ComputeArgs*);
/// What code calls at a barrier.
void wait_at_barrier(ComputeArgs* args);

/// What all stages have lies at the same place.
#define TZ_SAME_PLACE(member)                                                         \
    static_assert(offsetof(VertexArgs, member) == offsetof(FragmentArgs, member) &&  \
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

// --- compiled shaders ----------------------------------------------------------------------------------------------
/// What the pipeline must know of a stage. Plain bytes: stored with the code in the shader cache.
struct ShaderFacts {
    /// Vertex: VaryingSlots written; fragment: VaryingSlots read; ascending. The fragment's planes and the vertex's
    /// outputs are matched by these lists.
    uint8_t slots[kMaxInputs + 8] = {};
    uint32_t slot_count = 0;
    /// Fragment: components read of each slot (bit a component) and how each slot is interpolated.
    uint8_t components[kMaxInputs + 8] = {};
    uint8_t interp[kMaxInputs + 8] = {};  // ir::Interp
    uint64_t inputs_read = 0;      // vertex: attribute locations
    uint64_t outputs_written = 0;  // bit per VaryingSlot / FragSlot
    bool uses_discard = false, writes_depth = false, writes_memory = false, uses_derivatives = false;
    bool reads_z_or_w = false;     // needs setup.z / inv_w (FragCoord or smooth varyings)
    bool reads_point_coord = false;
    bool per_sample = false;       // fragment: it runs for each sample
    bool reads_coverage = false, writes_sample_mask = false;
    uint8_t colors_read = 0;       // fragment: colour buffers whose contents it reads, a bit each
    bool constant = false;         // fragment: colours are all it gives, and the same for every fragment of a draw
    uint32_t blocks = 0;           // uniform blocks read, a bit a slot
    uint32_t block_reach_B[ir::kMaxUniformBlocks] = {};   // up to where constant offsets read
    uint32_t block_extent_B[ir::kMaxUniformBlocks] = {};  // up to where any access may: a range need not be longer
    uint32_t storage_buffers = 0, images = 0;  // read or written, a bit a slot
    bool early_tests = false;      // fragment: tests come first whatever it does
    bool waits = false;            // compute: invocations of a workgroup wait for each other
    uint32_t lanes = kLanes;       // that code runs at once; of this code alone
    uint32_t private_scalars = 0;  // of its arrays, an invocation; the same whoever compiled it
    uint32_t frame_B = 0;          // of the code's stack frame; 0 where it is interpreted
};

/// A stage ready to run. Immutable, shared between threads.
class CompiledShader : public ShaderFacts {
  public:
    virtual ~CompiledShader() = default;
    /// The best code for this stage there is by now; its facts are the same. It lives as long as this. Ask once a draw.
    [[nodiscard]] virtual const CompiledShader& current() const { return *this; }
    const void* self = nullptr;  // goes into VertexArgs::shader and its kin
    VertexFn vertex = nullptr;
    FragmentFn fragment = nullptr;
    ComputeFn compute = nullptr;
    bool interpreted = false;
};

/// A source of compiled shaders: asmjit, LLVM, both in tiers (code/tiers.h), or the interpreter. Thread-safe.
class ShaderCompiler {
  public:
    virtual ~ShaderCompiler() = default;
    /// Null on failure, said in the log. Lowers a private clone of the IR as it needs.
    [[nodiscard]] virtual std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log& log) = 0;
    /// What can be had without compiling: out of a cache. Null: nothing.
    [[nodiscard]] virtual std::unique_ptr<CompiledShader> find(const ir::StoredShader&) { return nullptr; }
    /// find(), else compile() and let find() find it. The shader may be kept.
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
/// Null where built without LLVM. No LLVM code runs before the first compile().
/// `lanes`: fragments that code handles at once, 4, 8 or 16; 0: what suits the CPU. The pixels are the same.
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_jit_compiler(unsigned lanes = 0);
/// The first tier: compiles in a fraction of a millisecond, less good code. Null where built without asmjit or the CPU
/// lacks AVX2. What it does not cover fails to compile with a message of Severity::Info: another compiler can.
[[nodiscard]] std::unique_ptr<ShaderCompiler> create_tier1_compiler();

}  // namespace terrazzo::soft
