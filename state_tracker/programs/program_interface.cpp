// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Program interfaces (OpenGL ES 3.1 section 7.3.1): the resources that a linked program uses, listed by kind,
// and their properties. A program that is not linked has empty lists.
#include <algorithm>

#include "state_tracker/debug/debug.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::st {
namespace {

using shaders::LinkedProgram;
using shaders::UniformInfo;

/// The interfaces, one bit each: the columns of table 7.2.
namespace of {
constexpr uint16_t kUniform = 1, kUniformBlock = 2, kAtomicBuffer = 4, kInput = 8, kOutput = 16,
                   kCapture = 32, kBufferVariable = 64, kStorageBlock = 128;
constexpr uint16_t kVariables = kUniform | kInput | kOutput | kCapture | kBufferVariable,
                   kBuffers = kUniformBlock | kStorageBlock | kAtomicBuffer,
                   kMembers = kUniform | kBufferVariable, kNamed = kVariables | kUniformBlock | kStorageBlock;
constexpr uint16_t kReferenced = uint16_t((kVariables | kBuffers) & ~kCapture);
}  // namespace of

struct Property {
    GLenum name;
    uint16_t interfaces;
};
constexpr Property kProperties[] = {
    {GL_NAME_LENGTH, of::kNamed},
    {GL_TYPE, of::kVariables},
    {GL_ARRAY_SIZE, of::kVariables},
    {GL_OFFSET, of::kMembers},
    {GL_BLOCK_INDEX, of::kMembers},
    {GL_ARRAY_STRIDE, of::kMembers},
    {GL_MATRIX_STRIDE, of::kMembers},
    {GL_IS_ROW_MAJOR, of::kMembers},
    {GL_ATOMIC_COUNTER_BUFFER_INDEX, of::kUniform},
    {GL_BUFFER_BINDING, of::kBuffers},
    {GL_BUFFER_DATA_SIZE, of::kBuffers},
    {GL_NUM_ACTIVE_VARIABLES, of::kBuffers},
    {GL_ACTIVE_VARIABLES, of::kBuffers},
    {GL_REFERENCED_BY_VERTEX_SHADER, of::kReferenced},
    {GL_REFERENCED_BY_FRAGMENT_SHADER, of::kReferenced},
    {GL_REFERENCED_BY_COMPUTE_SHADER, of::kReferenced},
    {GL_REFERENCED_BY_TESS_CONTROL_SHADER, of::kReferenced},
    {GL_REFERENCED_BY_TESS_EVALUATION_SHADER, of::kReferenced},
    {GL_REFERENCED_BY_GEOMETRY_SHADER, of::kReferenced},
    {GL_TOP_LEVEL_ARRAY_SIZE, of::kBufferVariable},
    {GL_TOP_LEVEL_ARRAY_STRIDE, of::kBufferVariable},
    {GL_LOCATION, of::kUniform | of::kInput | of::kOutput},
    {GL_LOCATION_INDEX_EXT, of::kOutput},
    {GL_IS_PER_PATCH, of::kInput | of::kOutput},
};

/// 0: the enum is not an interface.
uint16_t interface_of(GLenum e) {
    switch (e) {
        case GL_UNIFORM:
            return of::kUniform;
        case GL_UNIFORM_BLOCK:
            return of::kUniformBlock;
        case GL_ATOMIC_COUNTER_BUFFER:
            return of::kAtomicBuffer;
        case GL_PROGRAM_INPUT:
            return of::kInput;
        case GL_PROGRAM_OUTPUT:
            return of::kOutput;
        case GL_TRANSFORM_FEEDBACK_VARYING:
            return of::kCapture;
        case GL_BUFFER_VARIABLE:
            return of::kBufferVariable;
        case GL_SHADER_STORAGE_BLOCK:
            return of::kStorageBlock;
        default:
            return 0;
    }
}

/// Calls `f` with the list of resources of an interface.
template <class F>
auto with_list(const LinkedProgram& p, uint16_t interface, F&& f) {
    switch (interface) {
        case of::kUniform:
            return f(p.uniforms);
        case of::kUniformBlock:
            return f(p.blocks);
        case of::kAtomicBuffer:
            return f(p.atomic_buffers);
        case of::kInput:
            return f(p.attributes);
        case of::kOutput:
            return f(p.outputs);
        case of::kCapture:
            return f(p.captures);
        case of::kBufferVariable:
            return f(p.buffer_variables);
        default:
            return f(p.storage_blocks);
    }
}

template <class T>
std::string name_of_resource(const T& r) {
    return r.name;
}
std::string name_of_resource(const shaders::OutputInfo& o) {
    return o.is_array ? o.name + "[0]" : o.name;
}
std::string name_of_resource(const shaders::AtomicBufferInfo&) {
    return {};  // resources of this interface have no names
}

/// Buffers have members; other resources have none.
template <class T>
size_t member_count(const T&) {
    return 0;
}
size_t member_count(const shaders::UniformBlockInfo& b) {
    return b.members.size();
}
size_t member_count(const shaders::AtomicBufferInfo& b) {
    return b.members.size();
}

/// "a" and "a[0]" both name an array, "a[1]" does not (section 7.3.1.1).
uint32_t find_resource(const LinkedProgram& p, uint16_t interface, std::string_view name) {
    return with_list(p, interface, [&](const auto& list) {
        for (size_t i = 0; i < list.size(); ++i) {
            const std::string have = name_of_resource(list[i]);
            if (have == name || (have.ends_with("[0]") && have.compare(0, have.size() - 3, name) == 0))
                return uint32_t(i);
        }
        return uint32_t(GL_INVALID_INDEX);
    });
}

// --- properties of one resource. The caller has refused those that it does not have.

struct Asked {
    const Executable& executable;
    uint32_t index;
    GLenum property;
};

/// The pipe's stage of GL_REFERENCED_BY_*; none: another property.
std::optional<pipe::Stage> referencing_stage(GLenum property) {
    switch (property) {
        case GL_REFERENCED_BY_VERTEX_SHADER:
            return pipe::Stage::Vertex;
        case GL_REFERENCED_BY_FRAGMENT_SHADER:
            return pipe::Stage::Fragment;
        case GL_REFERENCED_BY_COMPUTE_SHADER:
            return pipe::Stage::Compute;
        case GL_REFERENCED_BY_TESS_CONTROL_SHADER:
            return pipe::Stage::TessControl;
        case GL_REFERENCED_BY_TESS_EVALUATION_SHADER:
            return pipe::Stage::TessEval;
        case GL_REFERENCED_BY_GEOMETRY_SHADER:
            return pipe::Stage::Geometry;
        default:
            return {};
    }
}

/// A stage references a resource only if its shader names it. A stage may have blocks that it does not
/// reference: blocks of the layout `shared` are active even if unused.
bool is_referenced(const UniformInfo& u, size_t stage) {
    return u.stage_mask >> stage & 1 || u.offset_dw[stage] >= 0 || u.sampler_slot[stage] >= 0;
}

void add_uniform(const UniformInfo& u, const Asked& q, std::vector<GLint>* out) {
    if (const auto stage = referencing_stage(q.property))
        return out->push_back(is_referenced(u, size_t(*stage)));
    GLint value = 0;
    switch (q.property) {
        case GL_TOP_LEVEL_ARRAY_SIZE:
            value = GLint(u.top_array_size);
            break;
        case GL_TOP_LEVEL_ARRAY_STRIDE:
            value = GLint(u.top_array_stride_B);
            break;
        case GL_LOCATION:
            value = u.location;
            break;
        default:
            (void)uniform_property(u, q.property, &value);
            break;
    }
    out->push_back(value);
}

template <class Block>
bool buffer_property(const Block& b, const std::vector<UniformInfo>& variables, GLint binding,
                     GLenum property, std::vector<GLint>* out) {
    if (const auto stage = referencing_stage(property)) {
        const auto named = [&](uint32_t m) { return is_referenced(variables[m], size_t(*stage)); };
        return out->push_back(std::any_of(b.members.begin(), b.members.end(), named)), true;
    }
    switch (property) {
        case GL_BUFFER_BINDING:
            return out->push_back(binding), true;
        case GL_BUFFER_DATA_SIZE:
            return out->push_back(GLint(b.size_B)), true;
        case GL_NUM_ACTIVE_VARIABLES:
            return out->push_back(GLint(b.members.size())), true;
        case GL_ACTIVE_VARIABLES:
            return out->insert(out->end(), b.members.begin(), b.members.end()), true;
        default:
            return false;
    }
}

void add_block(const shaders::UniformBlockInfo& b, const std::vector<UniformInfo>& variables, GLint binding,
               GLenum property, std::vector<GLint>* out) {
    if (!buffer_property(b, variables, binding, property, out)) out->push_back(GLint(b.name.size()) + 1);
}

template <class Variable>
GLint variable_property(const Variable& v, GLenum property) {
    if (property == GL_TYPE) return GLint(gl_type(v.type));
    if (property == GL_ARRAY_SIZE) return GLint(std::max(v.array_size, 1u));
    return GLint(name_of_resource(v).size()) + 1;
}

/// Inputs belong to the first stage, outputs to the last one. Whether `stage` is that stage.
bool is_end_stage(const LinkedProgram& p, pipe::Stage stage, bool last) {
    std::optional<size_t> end;
    for (size_t s = 0; s < pipe::kStageCount; ++s)
        if (p.stages[s] && (last || !end)) end = s;
    return end == size_t(stage);
}

template <class Variable>
void add_input_or_output(const Variable& v, const Asked& q, bool output, GLint index,
                         std::vector<GLint>* out) {
    if (const auto stage = referencing_stage(q.property))
        out->push_back(is_end_stage(*q.executable.linked, *stage, output));
    else if (q.property == GL_LOCATION)
        out->push_back(v.location);
    else if (q.property == GL_LOCATION_INDEX_EXT)
        out->push_back(index);
    else if (q.property == GL_IS_PER_PATCH)
        out->push_back(v.is_per_patch);
    else
        out->push_back(variable_property(v, q.property));
}

void add_values(const Asked& q, uint16_t interface, std::vector<GLint>* out) {
    const LinkedProgram& p = *q.executable.linked;
    switch (interface) {
        case of::kUniform:
            return add_uniform(p.uniforms[q.index], q, out);
        case of::kBufferVariable:
            return add_uniform(p.buffer_variables[q.index], q, out);
        case of::kUniformBlock:
            return add_block(p.blocks[q.index], p.uniforms, GLint(q.executable.block_bindings[q.index]),
                             q.property, out);
        case of::kStorageBlock:
            return add_block(p.storage_blocks[q.index], p.buffer_variables,
                             std::max(p.storage_blocks[q.index].binding, 0), q.property, out);
        case of::kAtomicBuffer:
            (void)buffer_property(p.atomic_buffers[q.index], p.uniforms, p.atomic_buffers[q.index].binding,
                                  q.property, out);
            return;
        case of::kInput:
            return add_input_or_output(p.attributes[q.index], q, false, -1, out);
        case of::kOutput: {
            const shaders::OutputInfo& o = p.outputs[q.index];
            const bool of_fragment = bool(p.stages[size_t(pipe::Stage::Fragment)]);
            return add_input_or_output(o, q, true, o.location < 0 || !of_fragment ? -1 : o.index, out);
        }
        default:
            return out->push_back(variable_property(p.captures[q.index], q.property));
    }
}

// --- shared by the commands

/// The interface that a command names, if `allowed` contains it; 0: the error is recorded.
uint16_t checked_interface(Context& ctx, GLenum name, uint16_t allowed, const char* command) {
    const uint16_t interface = interface_of(name) & allowed;
    if (!interface) ctx.error(GL_INVALID_ENUM, command, "0x%04x is no interface that this asks of", name);
    return interface;
}

/// The location of a name: "a[2]" is two locations after "a". -1: there is no such variable, or it has no
/// location.
template <class Variable>
GLint location_of(const std::vector<Variable>& list, const GLchar* name) {
    const std::optional<IndexedName> n = parse_name(name);
    for (const Variable& v : list) {
        const std::string have = name_of_resource(v);
        const bool array = have.ends_with("[0]");
        if (v.location >= 0 && (have == name || (array && have.compare(0, have.size() - 3, name) == 0)))
            return v.location;
        if (v.location >= 0 && array && n && n->index && *n->index < v.array_size &&
            have.compare(0, have.size() - 3, n->base) == 0)
            return v.location + GLint(*n->index * v.type.columns);
    }
    return -1;
}

const LinkedProgram& linked_or_empty(const Program& p) {
    static const LinkedProgram empty;
    return p.executable ? *p.executable->linked : empty;
}

/// Whether the interface has the property. False: the error is recorded.
bool check_property(Context& ctx, GLenum property, uint16_t interface, const char* command) {
    const auto* const found = std::find_if(std::begin(kProperties), std::end(kProperties),
                                           [&](const Property& p) { return p.name == property; });
    if (found == std::end(kProperties))
        return ctx.error(GL_INVALID_ENUM, command, "0x%04x is no property of resources", property), false;
    if (!(found->interfaces & interface))
        return ctx.error(GL_INVALID_OPERATION, command, "property 0x%04x is none of this interface",
                         property),
               false;
    return true;
}

}  // namespace

bool uniform_property(const UniformInfo& u, GLenum property, GLint* value) {
    const bool counter = u.atomic_buffer >= 0, in_buffer = u.block >= 0 || counter;
    switch (property) {
        case GL_TYPE:
            *value = GLint(gl_type(u.type));
            return true;
        case GL_ARRAY_SIZE:
            *value = u.is_array ? GLint(u.array_size) : 1;
            return true;
        case GL_NAME_LENGTH:
            *value = GLint(u.name.size()) + 1;
            return true;
        case GL_BLOCK_INDEX:
            *value = u.block;
            return true;
        case GL_OFFSET:
            *value = in_buffer ? GLint(u.block_offset_B) : -1;
            return true;
        case GL_ARRAY_STRIDE:
            *value = in_buffer ? GLint(u.array_stride_B) : -1;
            return true;
        case GL_MATRIX_STRIDE:
            *value = in_buffer ? GLint(u.matrix_stride_B) : -1;
            return true;
        case GL_IS_ROW_MAJOR:
            *value = in_buffer && u.row_major;
            return true;
        case GL_ATOMIC_COUNTER_BUFFER_INDEX:
            *value = u.atomic_buffer;
            return true;
        default:
            return false;
    }
}

void GetProgramInterfaceiv(Context& ctx, GLuint program, GLenum programInterface, GLenum pname,
                           GLint* params) {
    const char* const command = "glGetProgramInterfaceiv";
    std::lock_guard lock(ctx.share->mutex);
    const Program* const p = find_program(ctx, program, command);
    if (!p) return;
    const uint16_t interface = checked_interface(ctx, programInterface, ~0, command);
    if (!interface) return;
    if (pname != GL_ACTIVE_RESOURCES && pname != GL_MAX_NAME_LENGTH && pname != GL_MAX_NUM_ACTIVE_VARIABLES)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of an interface", pname);
    if ((pname == GL_MAX_NAME_LENGTH && !(interface & of::kNamed)) ||
        (pname == GL_MAX_NUM_ACTIVE_VARIABLES && !(interface & of::kBuffers)))
        return ctx.error(GL_INVALID_OPERATION, command, "interface 0x%04x has no such names or variables",
                         programInterface);
    const GLint value = with_list(linked_or_empty(*p), interface, [&](const auto& list) {
        size_t n = pname == GL_ACTIVE_RESOURCES ? list.size() : 0;
        for (const auto& r : list) {
            if (pname == GL_MAX_NAME_LENGTH) n = std::max(n, name_of_resource(r).size() + 1);
            if (pname == GL_MAX_NUM_ACTIVE_VARIABLES) n = std::max(n, member_count(r));
        }
        return GLint(n);
    });
    if (params) *params = value;
}

GLuint GetProgramResourceIndex(Context& ctx, GLuint program, GLenum programInterface, const GLchar* name) {
    const char* const command = "glGetProgramResourceIndex";
    std::lock_guard lock(ctx.share->mutex);
    const Program* const p = find_program(ctx, program, command);
    const uint16_t interface = p ? checked_interface(ctx, programInterface, of::kNamed, command) : 0;
    return interface && name ? find_resource(linked_or_empty(*p), interface, name) : GL_INVALID_INDEX;
}

void GetProgramResourceName(Context& ctx, GLuint program, GLenum programInterface, GLuint index,
                            GLsizei bufSize, GLsizei* length, GLchar* name) {
    const char* const command = "glGetProgramResourceName";
    std::lock_guard lock(ctx.share->mutex);
    const Program* const p = find_program(ctx, program, command);
    const uint16_t interface = p ? checked_interface(ctx, programInterface, of::kNamed, command) : 0;
    if (!interface) return;
    with_list(linked_or_empty(*p), interface, [&](const auto& list) {
        if (index >= list.size())
            return ctx.error(GL_INVALID_VALUE, command, "index %u: there are %zu", index, list.size());
        if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
        copy_string(name_of_resource(list[index]), bufSize, length, name);
    });
}

void GetProgramResourceiv(Context& ctx, GLuint program, GLenum programInterface, GLuint index,
                          GLsizei propCount, const GLenum* props, GLsizei bufSize, GLsizei* length,
                          GLint* params) {
    const char* const command = "glGetProgramResourceiv";
    std::lock_guard lock(ctx.share->mutex);
    const Program* const p = find_program(ctx, program, command);
    const uint16_t interface = p ? checked_interface(ctx, programInterface, ~0, command) : 0;
    if (!interface) return;
    if (propCount <= 0 || bufSize < 0)
        return ctx.error(GL_INVALID_VALUE, command,
                         "propCount (%d) is not positive, or bufSize (%d) negative", propCount, bufSize);
    const size_t count =
        with_list(linked_or_empty(*p), interface, [](const auto& list) { return list.size(); });
    if (index >= count) return ctx.error(GL_INVALID_VALUE, command, "index %u: there are %zu", index, count);
    if (!props) return;
    std::vector<GLint> values;
    for (GLsizei i = 0; i < propCount; ++i) {
        const GLenum property = props[i];  // client memory: read once
        if (!check_property(ctx, property, interface, command)) return;
        // Values that do not fit are not returned, but all properties are checked.
        if (values.size() < size_t(bufSize))
            add_values({*p->executable, index, property}, interface, &values);
    }
    const size_t written = std::min(values.size(), size_t(bufSize));
    if (params) std::copy_n(values.begin(), written, params);
    if (length) *length = GLsizei(written);
}

GLint GetProgramResourceLocation(Context& ctx, GLuint program, GLenum programInterface, const GLchar* name) {
    const char* const command = "glGetProgramResourceLocation";
    std::unique_lock lock(ctx.share->mutex);
    const Executable* const e = linked_executable(ctx, program, command);
    const uint16_t interface =
        e ? checked_interface(ctx, programInterface, of::kUniform | of::kInput | of::kOutput, command) : 0;
    if (interface == of::kUniform) {
        lock.unlock();
        return GetUniformLocation(ctx, program, name);
    }
    if (!interface || !name) return -1;
    return interface == of::kInput ? location_of(e->linked->attributes, name)
                                   : location_of(e->linked->outputs, name);
}

}  // namespace terrazzo::st
