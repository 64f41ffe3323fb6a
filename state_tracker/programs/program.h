// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader and program objects (GLES 2.0 section 2.10), which share one name space, and executables, the
// results of successful links. A program points to its last executable. A context that uses the program
// points to the executable that it installed, so a relink (failed, or in another context) cannot free it
// during a draw.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pipe/state.h"
#include "shaders/compile.h"
#include "state_tracker/context.h"
#include "state_tracker/object.h"

namespace terrazzo::st {

struct LinkSources;  // build.h

/// The binary format of OES_get_program_binary: shaders::serialize. The number is ours, outside the ranges
/// that Khronos has assigned.
inline constexpr GLenum kProgramBinaryFormat = 0x545A;

/// A name such as "name" or "name[12]", split into its parts.
struct IndexedName {
    std::string_view base;
    std::optional<uint32_t> index;
};
/// None: the text is not a name. Leading zeros, signs and text after the bracket are not allowed.
[[nodiscard]] std::optional<IndexedName> parse_name(std::string_view name);

class Executable final : public pipe::RefCounted {
  public:
    /// A sampler slot of a stage.
    struct Sampler {
        TextureTarget target = TextureTarget::Tex2D;
        bool shadow = false;
        uint32_t value_dw = 0;  // of `values`
        // See shaders::SamplerSlot.
        uint8_t plane = 0;
        int32_t conversion_dw = -1;
    };
    /// The uniform that a location refers to.
    struct Location {
        int32_t uniform = -1;  // index in linked->uniforms; -1: none
        uint32_t element = 0;
    };

    std::shared_ptr<const shaders::LinkedProgram> linked;
    pipe::Ref<pipe::Program> pipe_program;
    std::vector<Location> locations;  // by location
    /// Index in linked->uniforms by name, arrays without "[0]".
    std::unordered_map<std::string, uint32_t> uniform_names;
    std::array<std::vector<Sampler>, pipe::kStageCount> samplers;  // by sampler slot
    uint32_t sampler_stages = 0;                                   // bit per stage that has samplers
    uint32_t external_stages = 0;           // bit per stage that converts external samplers' colours
    uint32_t attributes_used = 0;           // bit per attribute location
    uint32_t views = 1;                     // OVR_multiview: the pipe draws this many times the instances
    int32_t depth_range[3] = {-1, -1, -1};  // uniforms gl_DepthRange.near, .far, .diff; -1: unused

    /// Uniform values: floats as bits, integers, bools as 0/1, samplers as texture units. Laid out by
    /// UniformInfo::storage_dw.
    std::vector<uint32_t> values;
    /// The same values in the layout of the stages' default blocks, and a count of changes for each block.
    std::array<std::vector<uint32_t>, pipe::kStageCount> blocks;
    std::array<uint64_t, pipe::kStageCount> block_stamp{};
    uint32_t block_stages = 0;  // bit per stage that has a block
    /// The binding point of each uniform block of linked->blocks (glUniformBlockBinding).
    std::vector<uint32_t> block_bindings;
    bool reads_depth_range = false;
    bool reads_vertex_id = false;
    uint32_t uniform_buffer_stages = 0;  // bit per stage that has uniform blocks
    uint32_t storage_stages = 0;         // bit per stage that has storage blocks or atomic counters
    uint32_t image_stages = 0;           // bit per stage that has images
    [[nodiscard]] bool stores() const { return storage_stages | image_stages; }
    bool texture_buffers = false;  // has samplers or images of buffer textures
    uint32_t modes = 0;            // bit per GL primitive that the stages accept
    // output of the geometry or tessellation stages; None: there are none
    ir::Shape last_gives = ir::Shape::None;
    bool draws = false;      // it has the stages that a draw needs
    bool separable = false;  // linked with GL_PROGRAM_SEPARABLE
    /// For a separable program: the sources that pipelines link again. Null: it was loaded from a program
    /// binary.
    std::shared_ptr<const LinkSources> sources;
    uint64_t change_stamp = 1;  // counts changes of values and of blocks' bindings

    [[nodiscard]] unsigned unit(const Sampler& s) const { return values[s.value_dw]; }
    /// Copies elements [first, first + count) of a uniform from `values` to the blocks of the stages that use
    /// it.
    void update_blocks(const shaders::UniformInfo& u, uint32_t first, uint32_t count);
    /// False: samplers of different types use one texture unit. Draws then fail with GL_INVALID_OPERATION.
    [[nodiscard]] bool samplers_agree() const { return samplers_agree_; }
    /// Call after a change of samplers' values.
    void update_samplers();
    /// The uniform with a name such as "u" or "u[3]", and the index of the named element; -1: there is none.
    [[nodiscard]] int32_t find_uniform(std::string_view name, uint32_t* element) const;

  private:
    bool samplers_agree_ = true;
};

/// The attributes of the program's vertex stage; empty without such a stage.
[[nodiscard]] inline std::span<const shaders::AttributeInfo> vertex_attributes(
    const shaders::LinkedProgram& l) {
    if (!l.stages[size_t(pipe::Stage::Vertex)]) return {};
    return l.attributes;
}

/// Whether a uniform's value is the number of a texture or image unit.
[[nodiscard]] inline bool is_unit(const shaders::UniformInfo& u) {
    return u.type.base == shaders::BaseType::Sampler || u.type.base == shaders::BaseType::Image;
}
/// The unit that the shaders' layout assigns to an element of a sampler or image.
[[nodiscard]] inline uint32_t unit_at_first(const shaders::UniformInfo& u, uint32_t element) {
    return u.binding < 0 ? 0 : uint32_t(u.binding) + element;
}
/// Dwords of an element of a uniform in Executable::values.
[[nodiscard]] inline uint32_t value_dw(const shaders::UniformInfo& u) {
    return is_unit(u) ? 1 : u.type.components();
}

class ProgramObject : public Object {
  public:
    ProgramObject(uint32_t n, bool shader) : Object(n), is_shader(shader) {}
    const bool is_shader;
    bool delete_pending = false;
    std::string info_log;
};

class Shader final : public ProgramObject {
  public:
    Shader(uint32_t n, GLenum t) : ProgramObject(n, true), type(t) {}
    const GLenum type;
    std::string source;
    bool has_source = false;
    bool compile_status = false;
    // null with compile_status: known to compile, see build.h
    std::shared_ptr<const shaders::CompiledShader> compiled;
    std::string compiled_source, compile_key;
    uint32_t attach_count = 0;
};

class Program final : public ProgramObject {
  public:
    explicit Program(uint32_t n) : ProgramObject(n, false) {}
    bool link_status = false, validate_status = false;
    std::vector<pipe::Ref<Shader>> attached;
    std::vector<shaders::AttributeBinding> attribute_bindings;
    pipe::Ref<Executable>
        executable;          // of the last link, null where that failed. Draws use Context::executable.
    uint32_t use_count = 0;  // contexts that have it current, and pipelines' stages
    std::vector<shaders::OutputBinding> output_bindings;
    std::vector<std::string> captures;  // for the next link: glTransformFeedbackVaryings
    bool capture_separate = false;
    uint32_t capture_count =
        0;  // active transform feedback objects that capture from it: it cannot be linked
    bool binary_retrievable = false;
    bool separable = false;  // GL_PROGRAM_SEPARABLE, for the next link
};

/// Looks a name up. Records GL_INVALID_VALUE for an unknown name, GL_INVALID_OPERATION for a name of the
/// other kind. Lock the share group.
[[nodiscard]] Shader* find_shader(Context& ctx, GLuint name, const char* command);
[[nodiscard]] Program* find_program(Context& ctx, GLuint name, const char* command);
/// The executable of a linked program; null, with GL_INVALID_OPERATION, if it is not linked. Lock the share
/// group.
[[nodiscard]] const Executable* linked_executable(Context& ctx, GLuint program, const char* command);
/// Makes `p` (or none) current: installs its executable, and destroys the previous program if it is flagged
/// for deletion and has no other use.
void set_current_program(Context& ctx, Program* p);
/// Draws and dispatches run `e` from now on. The context holds the executable that the pipe has until it is
/// replaced there.
void install_executable(Context& ctx, pipe::Ref<Executable> e);
/// Removes one use. A program that is flagged for deletion is destroyed with its last use. Lock the share
/// group.
void release_program(Context& ctx, Program& p);
/// All shader stages with GL's names, in the pipeline's order. A context may create shaders of those in its
/// version.
struct ShaderStage {
    GLenum type;
    pipe::Stage stage;
    const char* name;
    int version;          // the first version of OpenGL ES that has it
    GLbitfield pipe_bit;  // of glUseProgramStages
};
inline constexpr ShaderStage kShaderStages[] = {
    {GL_VERTEX_SHADER, pipe::Stage::Vertex, "vertex", 20, GL_VERTEX_SHADER_BIT},
    {GL_TESS_CONTROL_SHADER, pipe::Stage::TessControl, "tessellation control", 31,
     GL_TESS_CONTROL_SHADER_BIT},
    {GL_TESS_EVALUATION_SHADER, pipe::Stage::TessEval, "tessellation evaluation", 31,
     GL_TESS_EVALUATION_SHADER_BIT},
    {GL_GEOMETRY_SHADER, pipe::Stage::Geometry, "geometry", 31, GL_GEOMETRY_SHADER_BIT},
    {GL_FRAGMENT_SHADER, pipe::Stage::Fragment, "fragment", 20, GL_FRAGMENT_SHADER_BIT},
    {GL_COMPUTE_SHADER, pipe::Stage::Compute, "compute", 31, GL_COMPUTE_SHADER_BIT},
};
/// Null: this context has no such shader type.
[[nodiscard]] const ShaderStage* find_stage(const Context& ctx, GLenum type);
/// The stage of a shader object, whose type was checked at its creation.
[[nodiscard]] const ShaderStage& stage_of(GLenum type);
/// Creates the executable of a linked program; null: out of memory, or the device refuses it.
[[nodiscard]] pipe::Ref<Executable> make_executable(Context& ctx,
                                                    std::shared_ptr<const shaders::LinkedProgram> linked);
/// GL's name of a GLSL type: GL_FLOAT_VEC4, GL_SAMPLER_2D ...
[[nodiscard]] GLenum gl_type(const shaders::GlslType& t);
/// A property of a uniform or buffer variable by its name in program interfaces (GL_OFFSET ...). False: it
/// has no such property.
bool uniform_property(const shaders::UniformInfo& u, GLenum property, GLint* value);

}  // namespace terrazzo::st
