// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front door of the compiler: GLSL ES text -> CompiledShader -> (link) -> LinkedProgram. Re-entrant: any number of
// threads may compile and link at once. glslang is an implementation detail behind this header.
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

/// Implementation limits, as GL reports them (gl_Max... constants and linker checks).
struct Limits {
    int vertex_attribs = 16;
    int vertex_uniform_vectors = 1024;
    int fragment_uniform_vectors = 1024;
    int varying_vectors = 16;
    int vertex_texture_units = 16;
    int fragment_texture_units = 16;
    int combined_texture_units = 32;
    int draw_buffers = 8;
    int samples = 8;                                  // of a pixel
    int uniform_blocks = int(ir::kMaxUniformBlocks);  // of a stage
    // Of all stages; a block counts in each that uses it.
    int combined_uniform_blocks = 2 * int(ir::kMaxUniformBlocks);
    int uniform_block_size_B = 65536;
    int interleaved_components = 64;  // captured to one buffer
    int separate_components = 4;      // ... to a buffer each
    int separate_captures = 4;        // how many, at most ir::kMaxStreamBuffers
    // OpenGL ES 3.1, of a stage where nothing else is said
    int storage_blocks = 16, combined_storage_blocks = 16;
    int storage_block_size_B = 1 << 27;
    int atomic_buffers = 8, combined_atomic_buffers = 8;
    int atomic_counters = 8, combined_atomic_counters = 8;
    int images = 8, combined_images = 8;
    int combined_shader_outputs = 16;  // storage blocks, images and fragment outputs together
    int uniform_locations = 1024;
    int uniform_bindings = 36, storage_bindings = 16;  // layout(binding = n) of blocks is below
    int image_units = 8;                               // ... and of images
    int compute_group_size[3] = {1024, 1024, 64};
    int compute_group_invocations = 1024;
    int compute_shared_B = 32768;
    // Geometry and tessellation
    int geometry_vertices = 256, geometry_output_components = 1024, geometry_invocations = 32;
    int patch_vertices = 32, patch_components = 120, tess_control_output_components = 4096;
    int tess_level = 64;
    int distances = 8;  // clip and cull distances together; 0: the device has none
    /// Geometry and tessellation stages have storage blocks, atomic counters and images.
    bool later_stages_store = true;

    /// Of these, what the stage may have where any may have `n`.
    [[nodiscard]] int stored(ir::Stage s, int n) const {
        const bool later =
            s == ir::Stage::TessControl || s == ir::Stage::TessEval || s == ir::Stage::Geometry;
        return later && !later_stages_store ? 0 : n;
    }
};

struct CompileOptions {
    ir::Stage stage = ir::Stage::Vertex;
    int max_version = 100;  // highest `#version` accepted: 100, 300, 310, 320
    Limits limits;
    /// GLSL names of extensions a shader may enable ("GL_OES_standard_derivatives"); others fail `: require`, warn else.
    std::span<const std::string_view> extensions;
    std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

/// The GLSL types a program's interface shows: what glGetActiveUniform and friends report.
enum class BaseType : uint8_t { Float, Int, Uint, Bool, Sampler, Image, AtomicCounter };
struct GlslType {
    BaseType base = BaseType::Float;
    uint8_t columns = 1;              // 1 for scalars and vectors
    uint8_t rows = 1;                 // components of a column
    ir::TexDim dim = ir::TexDim::D2;  // Sampler, Image
    bool arrayed = false, shadow = false;
    bool external = false;  // samplerExternalOES
    BaseType sampled = BaseType::Float;
    [[nodiscard]] unsigned components() const { return unsigned(columns) * rows; }
    bool operator==(const GlslType&) const = default;
};

/// A leaf of a stage's interface: attribute, varying, uniform or fragment output.
struct InterfaceVar {
    /// As GL names it: arrays of basic types without "[0]"; "s[1].color" for structs' arrays.
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
    ir::Var* var = nullptr;        // in the shader; of a member of a block: the block's
    uint32_t first_component = 0;  // of this leaf in `var`
    /// Of a member of a block: index in CompiledShader::blocks; -1: it is of the default block.
    /// An atomic counter lies in `var`, the buffer of its binding, at offset_B.
    int block = -1;
    uint32_t offset_B = 0, array_stride_B = 0, matrix_stride_B = 0;  // in the block
    bool row_major = false;
    /// Of geometry and tessellation stages: each vertex has one (type and array_size are of one vertex), or the patch has.
    bool per_vertex = false, patch = false;
    bool implicit_size = false;  // of gl_ClipDistance and gl_CullDistance: their constant indices say it
    bool unsized = false;        // the last array of a storage block: as long as the buffer; array_size is 0
    /// Of a storage block's member, as in UniformInfo.
    uint32_t top_array_size = 1, top_array_stride_B = 0;
    ir::ImageFormat format = ir::ImageFormat::None;  // of an image
    uint8_t qualifiers = 0;                          // of an image: ir::mem_flag
    /// Identifies the declared type where it matters for matching between stages (struct name and members).
    std::string declared_type;
    /// Of a member of a block of inputs or outputs: what stages match by, "Block.member" even without an instance name.
    /// Empty: it is the name.
    std::string match_name;
};

/// A uniform or storage block that a shader declares. Blocks declared shared or packed are laid out as std140, all members active.
struct BlockVar {
    std::string name;         // the block's, not the instance's
    uint32_t array_size = 0;  // 0: not an array
    uint32_t size_B = 0;      // of one element
    int binding = -1;         // layout(binding = n)
    bool statically_used = false;
    uint32_t line = 0;
    ir::Var* var = nullptr;
    /// Its members' names, types, layouts and whether it has an instance name: equal where stages match.
    std::string declared_type;
};

struct CompiledShader {
    std::unique_ptr<ir::Shader> ir;  // interface variables not yet lowered
    int version = 100;
    bool has_main = true;  // without one it compiles, but does not link
    std::vector<InterfaceVar> inputs, outputs, uniforms;
    std::vector<BlockVar> blocks;  // uniform blocks; their members are among `uniforms`
    std::vector<BlockVar> storage_blocks;
    std::vector<InterfaceVar> buffer_variables;  // their members; `block` counts in storage_blocks
    bool has_group_size = false;                 // compute: layout(local_size_x = n) was given
    uint32_t views = 1;                          // vertex: layout(num_views = n)
    bool has_layout =
        false;  // geometry, tessellation: all of the layout that must be there; it is in ir->info.records
};

struct CompileResult {
    std::shared_ptr<const CompiledShader> shader;  // null: failed
    std::string log;  // glslang's wording, "ERROR: 0:3: ..." ; may hold warnings on success
};

/// Compiles one shader. `source` is the concatenation of glShaderSource's strings.
[[nodiscard]] CompileResult compile(std::string_view source, const CompileOptions& options);

// --- linking ---------------------------------------------------------------------------------------------------

/// Instructions that a linked stage may have, functions such as sin counted as what they become: some seconds' and
/// some hundred MiB's worth of compiling. A larger one is a link error, whatever the device is.
inline constexpr uint64_t kMaxInstructions = 1'500'000;

struct AttributeBinding {
    std::string name;
    uint32_t location;
};

/// Of a fragment output without layout(location): glBindFragDataLocationIndexedEXT.
struct OutputBinding {
    std::string name;
    uint32_t location;
    uint32_t index;
};

struct LinkOptions {
    Limits limits;
    std::span<const AttributeBinding> attributes;  // glBindAttribLocation
    std::span<const OutputBinding> outputs;
    /// glTransformFeedbackVaryings: "gl_Position", "v", "v[1]", in the order of the capture. None: nothing is captured.
    std::span<const std::string> capture;
    bool capture_separate = false;  // GL_SEPARATE_ATTRIBS: a buffer each
    /// GL_PROGRAM_SEPARABLE: a vertex or fragment shader may be alone, and keeps all its inputs and outputs.
    bool separable = false;
    /// The stages are of several programs of a pipeline: outputs and inputs must match exactly (OpenGL ES 3.1 section
    /// 7.4.1).
    bool pipeline = false;
    std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

struct UniformInfo {
    std::string name;  // "lights[0].color", "weights[0]" (arrays end in [0], as glGetActiveUniform says)
    GlslType type;
    uint32_t array_size = 1;
    bool is_array = false;
    ir::Precision precision = ir::Precision::None;
    int location = -1;  // of element 0; elements follow one by one; -1: built-in, or of a block
    /// Of a uniform block: the first in LinkedProgram::blocks that it is a member of (of all elements of an array of blocks),
    /// and where it lies there. -1: of the default block. Such a uniform has no place in any stage and no values here.
    int32_t block = -1;
    uint32_t block_offset_B = 0;
    uint32_t array_stride_B = 0;   // 0: not an array
    uint32_t matrix_stride_B = 0;  // 0: not a matrix; of rows where row_major
    bool row_major = false;
    /// Place in each stage's default block, dwords; -1: not used by that stage. Element stride = components(), columns
    /// follow one another without padding; Bool is 0/1, matrices are column-major.
    std::array<int32_t, ir::kStageCount> offset_dw{-1, -1, -1, -1, -1, -1};
    /// Sampler: first sampler slot of that stage; image: first image slot. -1: not used by it.
    std::array<int32_t, ir::kStageCount> sampler_slot{-1, -1, -1, -1, -1, -1};
    /// Sampler or image: layout(binding = n), the unit of element 0; later ones count on. -1: none, all have unit 0.
    int binding = 0;
    /// Atomic counter: index in LinkedProgram::atomic_buffers, its place there in block_offset_B. -1: none.
    int32_t atomic_buffer = -1;
    /// Member of a storage block: of the array of structures, or array, that it stands in at the top of the block.
    uint32_t top_array_size = 1, top_array_stride_B = 0;
    /// Stages that use it, a bit each (1 << ir::Stage).
    uint32_t stage_mask = 0;
    /// Index of element 0 in the program's value store (dwords; samplers: one dword an element, the texture unit).
    uint32_t storage_dw = 0;
};

/// An input of the first stage: of the vertex stage its attributes, of another one that is there alone its varyings.
struct AttributeInfo {
    std::string name;  // arrays end in [0]
    GlslType type;
    uint32_t array_size = 1;
    int location = -1;  // -1: built-in (gl_VertexID), or a varying without one
    bool is_per_patch = false;
};

/// An output of the last stage: of the fragment stage what glGetFragDataLocation asks for, of another one its varyings.
/// Built-in ones have no location.
struct OutputInfo {
    std::string name;  // arrays without "[0]"
    GlslType type;
    uint32_t array_size = 1;
    bool is_array = false;
    int location = 0;  // of element 0; elements follow one by one
    int index = 0;     // 1: the second colour of blending (EXT_blend_func_extended)
    bool is_per_patch = false;
};

/// An active uniform block or storage block. An array of blocks is one of these an element, side by side.
struct UniformBlockInfo {
    std::string name;     // "Lights", "Lights[1]"
    uint32_t size_B = 0;  // what a bound range must have at least
    /// layout(binding = n), of an array counted on. -1: none was given, and it is 0 at first.
    int binding = -1;
    uint32_t array_left = 1;  // elements from this one to the end of its array
    /// The slot in each stage, as in MemInfo::binding and pipe::Context::set_constant_buffers (storage blocks:
    /// set_storage_buffers). -1: not used by that stage.
    std::array<int32_t, ir::kStageCount> slot{-1, -1, -1, -1, -1, -1};
    /// Indices in LinkedProgram::uniforms (storage blocks: buffer_variables), ascending. The same for all elements of
    /// an array.
    std::vector<uint32_t> members;
};

/// A binding of atomic counters: a storage buffer as the device sees it.
struct AtomicBufferInfo {
    int binding = 0;
    uint32_t size_B = 0;
    /// As in pipe::Context::set_storage_buffers, behind the storage blocks; -1: not used by that stage.
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
    std::string name;  // as it was given
    GlslType type;
    uint32_t array_size = 1;  // elements that are captured
};

struct SamplerSlot {
    GlslType type;
    uint32_t uniform;  // index in LinkedProgram::uniforms
    uint32_t element;
    /// Of an external sampler (passes/external_samplers.h): the plane of the image that the slot is for. Slots of planes 1 and 2
    /// follow those of all samplers.
    uint8_t plane = 0;
    /// Of plane 0 of one: where the stage's default block has the numbers that convert its colours. -1: none does.
    int32_t conversion_dw = -1;
};

/// A stage of a linked program, or none; reads as a pointer to its IR. What was stored becomes IR when it is first
/// looked at: null then, where deserialize() did not look (Stages::WhenNeeded) and the bytes are damaged.
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

/// What a successful link made. Immutable, shared with draws that are still in flight.
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
    ir::StreamOutputLayout stream_output;  // where the captured components come from
    /// Of the last stage before the fragment stage, where it writes them (EXT_clip_cull_distance).
    uint8_t clip_distances = 0, cull_distances = 0;
    /// From ClipDist0 on, that the vertex stage may write and the fragment stage read.
    uint8_t distance_slots = 0;
    /// OVR_multiview: layout(num_views = n) of the vertex stage. A draw must have `views` times as many
    /// instances (passes/views.h).
    uint32_t views = 1;
    /// Where the fragment stage's default block has the two floats of passes/window_origin.h; -1: it needs none.
    int32_t window_origin_dw = -1;
    /// gl_DepthRange is three uniforms of this name ("gl_DepthRange.near" ...) with location -1; the state tracker fills them.
};

struct LinkResult {
    std::shared_ptr<const LinkedProgram> program;  // null: failed
    std::string log;
};

/// Links by the rules of OpenGL ES 3.2 section 7.3 and of the shaders' own version of ESSL. A stage that is missing is null:
/// vertex and fragment are needed, or compute alone, unless the program is separable.
[[nodiscard]] LinkResult link(std::span<const CompiledShader* const> stages, const LinkOptions& options);

/// A stage of a separable program, to be linked with other programs' stages: its uniforms and blocks have its stage's number
/// and '_' before their names, so that they meet no other stage's, and inputs with locations have the names of the outputs
/// there. `previous`: the stage before; null: there is none.
[[nodiscard]] std::shared_ptr<const CompiledShader> for_pipeline(const CompiledShader& s,
                                                                 const CompiledShader* previous);

/// A program as bytes and back (OES_get_program_binary, the disk cache): versioned and checksummed. Any bytes are safe:
/// damaged, foreign and hostile ones give null, and `why` is told. What is accepted keeps all rules of a program that
/// was linked here, and its limits.
[[nodiscard]] std::vector<uint8_t> serialize(const LinkedProgram& p);
/// Whether stages are read and validated at once, as what comes from a stranger must be, or when someone needs their IR.
enum class Stages : uint8_t { AtOnce, WhenNeeded };
[[nodiscard]] std::shared_ptr<const LinkedProgram> deserialize(std::span<const uint8_t> bytes,
                                                               Stages when = Stages::AtOnce,
                                                               const Limits& limits = {},
                                                               std::string* why = nullptr);

}  // namespace terrazzo::shaders
