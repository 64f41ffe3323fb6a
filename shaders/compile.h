// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The compiler's interface: GLSL ES text -> CompiledShader -> (link) -> LinkedProgram. Any number of threads
// may compile and link at once. This header does not show glslang.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shaders/ir/ir.h"
#include "shaders/ir/limits.h"
#include "shaders/ir/stored.h"
#include "shaders/ir/stream_output.h"

namespace terrazzo::shaders {

/// Implementation limits as GL reports them (gl_Max... constants and linker checks).
struct Limits {
    int vertex_attribs = 16;
    int vertex_uniform_vectors = 1024;
    int fragment_uniform_vectors = 1024;
    int varying_vectors = 16;
    int vertex_texture_units = 16;
    int fragment_texture_units = 16;
    int combined_texture_units = 32;
    int draw_buffers = 8;
    int samples = 8;                                  // per pixel
    int uniform_blocks = int(ir::kMaxUniformBlocks);  // per stage
    // Of all stages; a block counts once for each stage that uses it.
    int combined_uniform_blocks = 2 * int(ir::kMaxUniformBlocks);
    int uniform_block_size_B = 65536;
    int interleaved_components = 64;  // captured to one buffer
    int separate_components = 4;      // captured to one buffer each
    int separate_captures = 4;        // number of captures, at most ir::kMaxStreamBuffers
    // OpenGL ES 3.1; per stage unless stated otherwise
    int storage_blocks = 16, combined_storage_blocks = 16;
    int storage_block_size_B = 1 << 27;
    int atomic_buffers = 8, combined_atomic_buffers = 8;
    int atomic_counters = 8, combined_atomic_counters = 8;
    int images = 8, combined_images = 8;
    int combined_shader_outputs = 16;  // the sum of storage blocks, images and fragment outputs
    int uniform_locations = 1024;
    int uniform_bindings = 36, storage_bindings = 16;  // layout(binding = n) of blocks must be below this
    int image_units = 8;                               // layout(binding = n) of images must be below this
    int compute_group_size[3] = {1024, 1024, 64};
    int compute_group_invocations = 1024;
    int compute_shared_B = 32768;
    // Geometry and tessellation
    int geometry_vertices = 256, geometry_output_components = 1024, geometry_invocations = 32;
    int patch_vertices = 32, patch_components = 120, tess_control_output_components = 4096;
    int tess_level = 64;
    int distances = 8;  // the sum of clip and cull distances; 0: the device has none
    /// Whether geometry and tessellation stages, and vertex stages, may have storage blocks, atomic counters
    /// and images.
    bool later_stages_store = true, vertex_stores = true;

    /// `n`, or 0 if the stage has no storage.
    [[nodiscard]] int stored(ir::Stage s, int n) const {
        const bool later =
            s == ir::Stage::TessControl || s == ir::Stage::TessEval || s == ir::Stage::Geometry;
        if (later) return later_stages_store ? n : 0;
        return s == ir::Stage::Vertex && !vertex_stores ? 0 : n;
    }
};

struct CompileOptions {
    ir::Stage stage = ir::Stage::Vertex;
    int max_version = 100;  // highest `#version` accepted: 100, 300, 310, 320
    Limits limits;
    /// GLSL names of extensions a shader may enable ("GL_OES_standard_derivatives"); others fail `: require`,
    /// warn else.
    std::span<const std::string_view> extensions;
    std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

/// The GLSL types of a program's interface, as glGetActiveUniform and similar queries report them.
enum class BaseType : uint8_t { Float, Int, Uint, Bool, Sampler, Image, AtomicCounter };
struct GlslType {
    BaseType base = BaseType::Float;
    uint8_t columns = 1;              // 1 for scalars and vectors
    uint8_t rows = 1;                 // components per column
    ir::TexDim dim = ir::TexDim::D2;  // Sampler, Image
    bool arrayed = false, shadow = false;
    bool external = false;  // samplerExternalOES
    BaseType sampled = BaseType::Float;
    [[nodiscard]] unsigned components() const { return unsigned(columns) * rows; }
    bool operator==(const GlslType&) const = default;
};

/// A leaf of a stage's interface: attribute, varying, uniform or fragment output.
struct InterfaceVar {
    /// GL's name: arrays of basic types without "[0]"; "s[1].color" for arrays of structures.
    std::string name;
    GlslType type;
    uint32_t array_size = 0;  // 0: not an array
    ir::Precision precision = ir::Precision::None;
    bool invariant = false;
    ir::Interp interp = ir::Interp::Smooth;
    int location = -1;  // layout(location = n)
    int binding = -1;   // layout(binding = n)
    int index = -1;     // layout(index = n): which input of blending a fragment output is
    bool statically_used = false;
    uint32_t line = 0;
    ir::Var* var = nullptr;        // in the shader; for a member of a block: the block's
    uint32_t first_component = 0;  // this leaf's first component in `var`
    /// For a member of a block: index in CompiledShader::blocks; -1: the default block. An atomic counter's
    /// `var` is the buffer of its binding; offset_B is its place.
    int block = -1;
    uint32_t offset_B = 0, array_stride_B = 0, matrix_stride_B = 0;  // in the block
    bool row_major = false;
    /// Geometry and tessellation stages: whether each vertex has one (type and array_size are then of one
    /// vertex), or the patch has.
    bool per_vertex = false, patch = false;
    // gl_ClipDistance and gl_CullDistance: the size follows from their constant indices.
    bool implicit_size = false;
    bool unsized = false;  // the last array of a storage block, as long as the buffer; array_size is 0
    /// For a storage block's member, as in UniformInfo.
    uint32_t top_array_size = 1, top_array_stride_B = 0;
    ir::ImageFormat format = ir::ImageFormat::None;  // images only
    uint8_t qualifiers = 0;                          // images only: ir::mem_flag
    /// Identifies the declared type where stages must match (struct name and members).
    std::string declared_type;
    /// For a member of a block of inputs or outputs: the name by which stages match, "Block.member" even
    /// without an instance name. Empty: the same as `name`.
    std::string match_name;
};

/// A uniform or storage block that a shader declares. Shared and packed blocks have the layout std140, with
/// all members active.
struct BlockVar {
    std::string name;         // the block's name, not the instance's
    uint32_t array_size = 0;  // 0: not an array
    uint32_t size_B = 0;      // of one element
    int binding = -1;         // layout(binding = n)
    bool statically_used = false;
    uint32_t line = 0;
    ir::Var* var = nullptr;
    /// Its members' names, types and layouts and whether it has an instance name; equal if two stages'
    /// declarations match.
    std::string declared_type;
};

struct CompiledShader {
    std::unique_ptr<ir::Shader> ir;  // interface variables not yet lowered
    int version = 100;
    bool has_main = true;  // a shader without main() compiles, but does not link
    std::vector<InterfaceVar> inputs, outputs, uniforms;
    std::vector<BlockVar> blocks;  // uniform blocks; their members are in `uniforms`
    std::vector<BlockVar> storage_blocks;
    std::vector<InterfaceVar> buffer_variables;  // their members; `block` is an index in storage_blocks
    bool has_group_size = false;                 // compute: layout(local_size_x = n) was given
    uint32_t views = 1;                          // vertex: layout(num_views = n)
    /// Geometry, tessellation: the shader declares all mandatory parts of its layout, which is in
    /// ir->info.records.
    bool has_layout = false;
};

struct CompileResult {
    std::shared_ptr<const CompiledShader> shader;  // null: failed
    std::string log;  // glslang's texts, "ERROR: 0:3: ..."; may contain warnings on success
};

/// Compiles one shader. `source` is the concatenation of glShaderSource's strings.
[[nodiscard]] CompileResult compile(std::string_view source, const CompileOptions& options);

// --- linking
// ---------------------------------------------------------------------------------------------------

/// The most instructions of a linked stage, counting functions such as sin by their expansion. Compiling them
/// takes some seconds and some hundred MiB. A larger stage is a link error on every device.
inline constexpr uint64_t kMaxInstructions = 1'500'000;

struct AttributeBinding {
    std::string name;
    uint32_t location;
};

/// For a fragment output without layout(location): glBindFragDataLocationIndexedEXT.
struct OutputBinding {
    std::string name;
    uint32_t location;
    uint32_t index;
};

struct LinkOptions {
    Limits limits;
    std::span<const AttributeBinding> attributes;  // glBindAttribLocation
    std::span<const OutputBinding> outputs;
    /// glTransformFeedbackVaryings: "gl_Position", "v", "v[1]", in the order of the capture. Empty: nothing
    /// is captured.
    std::span<const std::string> capture;
    bool capture_separate = false;  // GL_SEPARATE_ATTRIBS: one buffer each
    /// GL_PROGRAM_SEPARABLE: a single stage is allowed and keeps all its inputs and outputs.
    bool separable = false;
    /// The stages come from several programs of a pipeline: outputs and inputs must match exactly (OpenGL ES
    /// 3.1 section 7.4.1).
    bool pipeline = false;
    std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

struct UniformInfo {
    std::string name;  // "lights[0].color", "weights[0]" (arrays end in [0], as in glGetActiveUniform)
    GlslType type;
    uint32_t array_size = 1;
    bool is_array = false;
    ir::Precision precision = ir::Precision::None;
    int location = -1;  // of element 0; the other elements follow; -1: built-in or in a block
    /// For a member of a uniform block: the index of its block in LinkedProgram::blocks (for an array of
    /// blocks: of the first element), and its place there. -1: the default block. A member of a block has no
    /// place in any stage and no values here.
    int32_t block = -1;
    uint32_t block_offset_B = 0;
    uint32_t array_stride_B = 0;   // 0: not an array
    uint32_t matrix_stride_B = 0;  // 0: not a matrix; from row to row if row_major
    bool row_major = false;
    /// The place in each stage's default block, dwords; -1: the stage does not use it. The element stride is
    /// components(); columns follow without padding; Bool is 0 or 1, matrices are column-major.
    std::array<int32_t, ir::kStageCount> offset_dw{-1, -1, -1, -1, -1, -1};
    /// The first sampler slot (image: image slot) in each stage. -1: the stage does not use it.
    std::array<int32_t, ir::kStageCount> sampler_slot{-1, -1, -1, -1, -1, -1};
    /// Sampler or image: layout(binding = n), the unit of element 0; later elements count up. -1: none; all
    /// have unit 0.
    int binding = 0;
    /// Atomic counter: index in LinkedProgram::atomic_buffers; its place there is block_offset_B. -1: none.
    int32_t atomic_buffer = -1;
    /// Member of a storage block: the size and stride of the top-level array in the block that contains it.
    uint32_t top_array_size = 1, top_array_stride_B = 0;
    /// The stages that use it, a bit each (1 << ir::Stage).
    uint32_t stage_mask = 0;
    /// Index of element 0 in the program's value store (dwords; samplers: one dword per element, the texture
    /// unit).
    uint32_t storage_dw = 0;
};

/// An input of the first stage: the vertex stage's attributes, or the varyings of another stage that is
/// alone.
struct AttributeInfo {
    std::string name;  // arrays end in [0]
    GlslType type;
    uint32_t array_size = 1;
    int location = -1;  // -1: built-in (gl_VertexID), or a varying without location
    bool is_per_patch = false;
};

/// An output of the last stage: the fragment stage's colours, for glGetFragDataLocation, or another stage's
/// varyings. Built-in ones have no location.
struct OutputInfo {
    std::string name;  // arrays without "[0]"
    GlslType type;
    uint32_t array_size = 1;
    bool is_array = false;
    int location = 0;  // of element 0; the other elements follow
    int index = 0;     // 1: the second colour of blending (EXT_blend_func_extended)
    bool is_per_patch = false;
};

/// An active uniform block or storage block. An array of blocks has one entry per element, consecutively.
struct UniformBlockInfo {
    std::string name;     // "Lights", "Lights[1]"
    uint32_t size_B = 0;  // the smallest range that may be bound
    /// layout(binding = n), counted up for an array. -1: none was given, and it is 0 at first.
    int binding = -1;
    uint32_t array_left = 1;  // number of elements from this one to the end of its array
    /// The slot in each stage, as in MemInfo::binding and pipe::Context::set_constant_buffers (storage
    /// blocks: set_storage_buffers). -1: the stage does not use it.
    std::array<int32_t, ir::kStageCount> slot{-1, -1, -1, -1, -1, -1};
    /// Indices in LinkedProgram::uniforms (storage blocks: buffer_variables), ascending. The same for all
    /// elements of an array.
    std::vector<uint32_t> members;
};

/// A binding of atomic counters, which devices see as a storage buffer.
struct AtomicBufferInfo {
    int binding = 0;
    uint32_t size_B = 0;
    /// As in pipe::Context::set_storage_buffers, after the storage blocks; -1: the stage does not use it.
    std::array<int32_t, ir::kStageCount> slot{-1, -1, -1, -1, -1, -1};
    std::vector<uint32_t> members;  // indices in LinkedProgram::uniforms, ascending
};

struct ImageSlot {
    GlslType type;
    uint32_t uniform;  // index in LinkedProgram::uniforms
    uint32_t element;
    ir::ImageFormat format = ir::ImageFormat::None;  // layout(rgba8)
    uint8_t qualifiers = 0;                          // ir::mem_flag
};

/// A captured output, as glGetTransformFeedbackVarying reports it.
struct CaptureInfo {
    std::string name;  // as passed to the API
    GlslType type;
    uint32_t array_size = 1;  // captured elements
};

struct SamplerSlot {
    GlslType type;
    uint32_t uniform;  // index in LinkedProgram::uniforms
    uint32_t element;
    /// External sampler (passes/external_samplers.h): the plane of the image that the slot is for. Slots of
    /// planes 1 and 2 follow those of all samplers.
    uint8_t plane = 0;
    /// Plane 0 of an external sampler: the place in the stage's default block of the numbers that convert its
    /// colours. -1: not an external sampler.
    int32_t conversion_dw = -1;
};

/// A stage of a linked program, or none; reads as a pointer to its IR. A stored stage is decoded when its IR
/// is first needed. The pointer is null if that fails: deserialize() did not validate (Stages::WhenNeeded),
/// and the bytes are damaged.
class LinkedStage {
  public:
    LinkedStage() = default;
    explicit LinkedStage(std::shared_ptr<const ir::StoredShader> s) : stored_(std::move(s)) {}
    [[nodiscard]] const std::shared_ptr<const ir::StoredShader>& stored() const { return stored_; }
    [[nodiscard]] const ir::Shader* get() const { return stored_ ? stored_->get() : nullptr; }
    const ir::Shader& operator*() const { return *get(); }
    const ir::Shader* operator->() const { return get(); }
    explicit operator bool() const { return stored_ != nullptr; }
    bool operator==(std::nullptr_t) const { return !stored_; }

  private:
    std::shared_ptr<const ir::StoredShader> stored_;
};

/// The result of a successful link. Immutable; shared with draws in flight.
struct LinkedProgram {
    std::array<LinkedStage, ir::kStageCount> stages;  // interface lowered, optimised, validated
    std::vector<UniformInfo> uniforms;
    std::vector<AttributeInfo> attributes;
    std::vector<OutputInfo> outputs;
    std::array<uint32_t, ir::kStageCount> uniform_dw{};              // size of each stage's default block
    std::array<std::vector<SamplerSlot>, ir::kStageCount> samplers;  // by sampler slot
    uint32_t storage_dw = 0;                                         // size of the value store
    uint32_t varying_slots = 0;
    std::vector<UniformBlockInfo> blocks;
    std::array<uint32_t, ir::kStageCount> block_slots{};  // how many each stage uses
    std::vector<UniformBlockInfo> storage_blocks;
    std::vector<UniformInfo> buffer_variables;  // members of storage blocks
    std::vector<AtomicBufferInfo> atomic_buffers;
    std::array<uint32_t, ir::kStageCount> storage_slots{};  // storage blocks and atomic buffers of each stage
    std::array<std::vector<ImageSlot>, ir::kStageCount> images;  // by image slot
    std::vector<CaptureInfo> captures;
    bool capture_separate = false;
    ir::StreamOutputLayout stream_output;  // the sources of captured components
    /// Of the last stage before the fragment stage, if it writes them (EXT_clip_cull_distance).
    uint8_t clip_distances = 0, cull_distances = 0;
    /// The number of slots from ClipDist0 on that the vertex stage may write and the fragment stage may read.
    uint8_t distance_slots = 0;
    /// OVR_multiview: layout(num_views = n) of the vertex stage. A draw must have `views` times as many
    /// instances (passes/views.h).
    uint32_t views = 1;
    /// The place in the fragment stage's default block of the two floats of passes/window_origin.h; -1: not
    /// needed.
    int32_t window_origin_dw = -1;
    /// gl_DepthRange is three uniforms ("gl_DepthRange.near" ...) with location -1; the state tracker sets
    /// them.
};

struct LinkResult {
    std::shared_ptr<const LinkedProgram> program;  // null: failed
    std::string log;
};

/// Links by the rules of OpenGL ES 3.2 section 7.3 and of the shaders' version of ESSL. Missing stages are
/// null: vertex and fragment are required, or compute alone, unless the program is separable.
[[nodiscard]] LinkResult link(std::span<const CompiledShader* const> stages, const LinkOptions& options);

/// Prepares a stage of a separable program for linking with stages of other programs. Its uniforms and blocks
/// get the stage's number and '_' as a prefix, so that they differ from other stages'. Inputs with locations
/// get the names of the outputs at these locations. `previous`: the stage before it; null: there is none.
[[nodiscard]] std::shared_ptr<const CompiledShader> for_pipeline(const CompiledShader& s,
                                                                 const CompiledShader* previous);

/// Serialises a program, and back (OES_get_program_binary, the disk cache): versioned, with a checksum. All
/// input is safe: damaged, foreign and hostile bytes return null, and `why` has the reason. An accepted
/// program fulfils all rules and limits of a program that was linked here.
[[nodiscard]] std::vector<uint8_t> serialize(const LinkedProgram& p);
/// Whether stages are read and validated at once, as untrusted bytes must be, or when their IR is first
/// needed.
enum class Stages : uint8_t { AtOnce, WhenNeeded };
[[nodiscard]] std::shared_ptr<const LinkedProgram> deserialize(std::span<const uint8_t> bytes,
                                                               Stages when = Stages::AtOnce,
                                                               const Limits& limits = {},
                                                               std::string* why = nullptr);

}  // namespace terrazzo::shaders
