// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The sources of vertex arrays: formats of attributes and bindings of buffers (OpenGL ES 3.1 section 10.3),
// and VertexAttribPointer, which sets both (ES 3.0 section 2.8; OES_vertex_half_float).
#include "state_tracker/buffers/buffer_storage.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

using pipe::Format;

struct AttribType {
    GLenum type;
    uint32_t component_B;  // of the whole element for packed types
    Format plain[4], normalized[4], integer[4];
    int version = 20;
    bool packed = false;  // four components in one word
    int extension = -1;   // row of extensions.txt that has it
};
constexpr AttribType kAttribTypes[] = {
    {GL_FLOAT,
     4,
     {Format::R32_FLOAT, Format::R32G32_FLOAT, Format::R32G32B32_FLOAT, Format::R32G32B32A32_FLOAT},
     {Format::R32_FLOAT, Format::R32G32_FLOAT, Format::R32G32B32_FLOAT, Format::R32G32B32A32_FLOAT},
     {}},
    {GL_UNSIGNED_BYTE,
     1,
     {Format::R8_USCALED, Format::R8G8_USCALED, Format::R8G8B8_USCALED, Format::R8G8B8A8_USCALED},
     {Format::R8_UNORM, Format::R8G8_UNORM, Format::R8G8B8_UNORM, Format::R8G8B8A8_UNORM},
     {Format::R8_UINT, Format::R8G8_UINT, Format::R8G8B8_UINT, Format::R8G8B8A8_UINT}},
    {GL_BYTE,
     1,
     {Format::R8_SSCALED, Format::R8G8_SSCALED, Format::R8G8B8_SSCALED, Format::R8G8B8A8_SSCALED},
     {Format::R8_SNORM, Format::R8G8_SNORM, Format::R8G8B8_SNORM, Format::R8G8B8A8_SNORM},
     {Format::R8_SINT, Format::R8G8_SINT, Format::R8G8B8_SINT, Format::R8G8B8A8_SINT}},
    {GL_UNSIGNED_SHORT,
     2,
     {Format::R16_USCALED, Format::R16G16_USCALED, Format::R16G16B16_USCALED, Format::R16G16B16A16_USCALED},
     {Format::R16_UNORM, Format::R16G16_UNORM, Format::R16G16B16_UNORM, Format::R16G16B16A16_UNORM},
     {Format::R16_UINT, Format::R16G16_UINT, Format::R16G16B16_UINT, Format::R16G16B16A16_UINT}},
    {GL_SHORT,
     2,
     {Format::R16_SSCALED, Format::R16G16_SSCALED, Format::R16G16B16_SSCALED, Format::R16G16B16A16_SSCALED},
     {Format::R16_SNORM, Format::R16G16_SNORM, Format::R16G16B16_SNORM, Format::R16G16B16A16_SNORM},
     {Format::R16_SINT, Format::R16G16_SINT, Format::R16G16B16_SINT, Format::R16G16B16A16_SINT}},
    {GL_FIXED,
     4,
     {Format::R32_FIXED, Format::R32G32_FIXED, Format::R32G32B32_FIXED, Format::R32G32B32A32_FIXED},
     {Format::R32_FIXED, Format::R32G32_FIXED, Format::R32G32B32_FIXED, Format::R32G32B32A32_FIXED},
     {}},
    {GL_UNSIGNED_INT,
     4,
     {Format::R32_USCALED, Format::R32G32_USCALED, Format::R32G32B32_USCALED, Format::R32G32B32A32_USCALED},
     {Format::R32_UNORM, Format::R32G32_UNORM, Format::R32G32B32_UNORM, Format::R32G32B32A32_UNORM},
     {Format::R32_UINT, Format::R32G32_UINT, Format::R32G32B32_UINT, Format::R32G32B32A32_UINT},
     30},
    {GL_INT,
     4,
     {Format::R32_SSCALED, Format::R32G32_SSCALED, Format::R32G32B32_SSCALED, Format::R32G32B32A32_SSCALED},
     {Format::R32_SNORM, Format::R32G32_SNORM, Format::R32G32B32_SNORM, Format::R32G32B32A32_SNORM},
     {Format::R32_SINT, Format::R32G32_SINT, Format::R32G32B32_SINT, Format::R32G32B32A32_SINT},
     30},
    {GL_HALF_FLOAT,
     2,
     {Format::R16_FLOAT, Format::R16G16_FLOAT, Format::R16G16B16_FLOAT, Format::R16G16B16A16_FLOAT},
     {Format::R16_FLOAT, Format::R16G16_FLOAT, Format::R16G16B16_FLOAT, Format::R16G16B16A16_FLOAT},
     {},
     30},
    {GL_HALF_FLOAT_OES,
     2,
     {Format::R16_FLOAT, Format::R16G16_FLOAT, Format::R16G16B16_FLOAT, Format::R16G16B16A16_FLOAT},
     {Format::R16_FLOAT, Format::R16G16_FLOAT, Format::R16G16B16_FLOAT, Format::R16G16B16A16_FLOAT},
     {},
     20,
     false,
     int(extension_row("GL_OES_vertex_half_float"))},
    {GL_INT_2_10_10_10_REV,
     4,
     {Format::None, Format::None, Format::None, Format::R10G10B10A2_SSCALED},
     {Format::None, Format::None, Format::None, Format::R10G10B10A2_SNORM},
     {},
     30,
     true},
    {GL_UNSIGNED_INT_2_10_10_10_REV,
     4,
     {Format::None, Format::None, Format::None, Format::R10G10B10A2_USCALED},
     {Format::None, Format::None, Format::None, Format::R10G10B10A2_UNORM},
     {},
     30,
     true},
};

const AttribType* find_type(const Context& ctx, GLenum type) {
    for (const AttribType& t : kAttribTypes)
        if (t.type == type) {
            const bool has = t.extension < 0 || has_extension(ctx, unsigned(t.extension));
            return has && ctx.config.version >= t.version ? &t : nullptr;
        }
    return nullptr;
}

/// How the shader reads an array's elements.
enum class Reading : uint8_t { Plain, Normalized, Integer };

/// The type of an attribute's components, after a check of the format. Null: the error is recorded.
const AttribType* checked_type(Context& ctx, const char* command, GLint size, GLenum type, Reading reading) {
    if (size < 1 || size > 4)
        return ctx.error(GL_INVALID_VALUE, command, "size %d is not 1, 2, 3 or 4", size), nullptr;
    const AttribType* t = find_type(ctx, type);
    // GTK 4's renderer uses OpenGL ES 3's enum in contexts of OpenGL ES 2 with the extension. Mesa accepts
    // that as well.
    if (!t && type == GL_HALF_FLOAT) t = find_type(ctx, GL_HALF_FLOAT_OES);
    if (!t || (reading == Reading::Integer && t->integer[0] == Format::None))
        return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x is not a vertex attribute type", type),
               nullptr;
    if (t->packed && size != 4)
        return ctx.error(GL_INVALID_OPERATION, command, "size %d: type 0x%04x has 4 components", size, type),
               nullptr;
    return t;
}

/// Sets the format. False: nothing changed.
bool set_format(VertexAttrib& a, const AttribType& t, GLint size, Reading reading, uint32_t offset_B) {
    const bool normalized = reading == Reading::Normalized, integer = reading == Reading::Integer;
    if (a.size == size && a.type == t.type && a.normalized == normalized && a.integer == integer &&
        a.relative_offset_B == offset_B)
        return false;
    a.size = size;
    a.type = t.type;
    a.normalized = normalized;
    a.integer = integer;
    a.relative_offset_B = offset_B;
    a.element_B = t.component_B * (t.packed ? 1 : uint32_t(size));
    a.format = (integer ? t.integer : normalized ? t.normalized : t.plain)[size - 1];
    return true;
}

bool set_binding(VertexBinding& b, pipe::Ref<Buffer> buffer, uintptr_t offset_B, const void* client,
                 uint32_t stride_B) {
    if (b.buffer == buffer && b.offset_B == offset_B && b.client == client && b.stride_B == stride_B)
        return false;
    b.buffer = std::move(buffer);
    b.offset_B = offset_B;
    b.client = client;
    b.stride_B = stride_B;
    return true;
}

void attrib_pointer(Context& ctx, const char* command, GLuint index, GLint size, GLenum type, Reading reading,
                    GLsizei stride, const void* pointer) {
    if (!valid_attrib(ctx, index, command)) return;
    const AttribType* const t = checked_type(ctx, command, size, type, reading);
    if (!t) return;
    if (stride < 0) return ctx.error(GL_INVALID_VALUE, command, "stride (%d) is negative", stride);
    if (ctx.config.version >= 31 && stride > kMaxAttribStride_B)
        return ctx.error(GL_INVALID_VALUE, command, "stride %d is above GL_MAX_VERTEX_ATTRIB_STRIDE (%d)",
                         stride, kMaxAttribStride_B);
    if (ctx.config.version >= 30 && ctx.vertex_array != ctx.default_vertex_array && !ctx.array_buffer &&
        pointer)
        return ctx.error(GL_INVALID_OPERATION, command, "vertex array %u takes no client arrays",
                         ctx.vertex_array->name);
    VertexAttrib& a = ctx.vertex_array->attribs[index];
    bool changed = set_format(a, *t, size, reading, 0);
    changed |= a.binding != index;
    a.binding = uint8_t(index);
    a.stride = stride;
    a.pointer = pointer;
    const bool bound = bool(ctx.array_buffer);
    changed |= set_binding(ctx.vertex_array->bindings[index], ctx.array_buffer,
                           bound ? reinterpret_cast<uintptr_t>(pointer) : 0, bound ? nullptr : pointer,
                           stride ? uint32_t(stride) : a.element_B);
    if (changed) vertex_array_changed(ctx);
}

/// The check that the commands of OpenGL ES 3.1 share. False: the error is recorded.
bool may_change(Context& ctx, const char* command) {
    if (ctx.vertex_array != ctx.default_vertex_array) return true;
    ctx.error(GL_INVALID_OPERATION, command, "no vertex array object is bound");
    return false;
}
bool valid_binding(Context& ctx, GLuint index, const char* command) {
    if (index < GLuint(kMaxVertexBindings)) return true;
    ctx.error(GL_INVALID_VALUE, command, "bindingindex %u is not below GL_MAX_VERTEX_ATTRIB_BINDINGS (%d)",
              index, kMaxVertexBindings);
    return false;
}

void attrib_format(Context& ctx, const char* command, GLuint index, GLint size, GLenum type, Reading reading,
                   GLuint offset_B) {
    if (!valid_attrib(ctx, index, command)) return;
    const AttribType* const t = checked_type(ctx, command, size, type, reading);
    if (!t) return;
    if (offset_B > GLuint(kMaxAttribOffset_B))
        return ctx.error(GL_INVALID_VALUE, command,
                         "relativeoffset %u is above GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET (%d)", offset_B,
                         kMaxAttribOffset_B);
    if (!may_change(ctx, command)) return;
    if (set_format(ctx.vertex_array->attribs[index], *t, size, reading, offset_B)) vertex_array_changed(ctx);
}

void set_divisor(Context& ctx, GLuint binding, GLuint divisor) {
    VertexBinding& b = ctx.vertex_array->bindings[binding];
    if (b.divisor == divisor) return;
    b.divisor = divisor;
    vertex_array_changed(ctx);
}

void use_binding(Context& ctx, GLuint attrib, GLuint binding) {
    VertexAttrib& a = ctx.vertex_array->attribs[attrib];
    if (a.binding == binding) return;
    a.binding = uint8_t(binding);
    vertex_array_changed(ctx);
}

}  // namespace

void VertexAttribPointer(Context& ctx, GLuint index, GLint size, GLenum type, GLboolean normalized,
                         GLsizei stride, const void* pointer) {
    attrib_pointer(ctx, "glVertexAttribPointer", index, size, type,
                   normalized ? Reading::Normalized : Reading::Plain, stride, pointer);
}
void VertexAttribIPointer(Context& ctx, GLuint index, GLint size, GLenum type, GLsizei stride,
                          const void* pointer) {
    attrib_pointer(ctx, "glVertexAttribIPointer", index, size, type, Reading::Integer, stride, pointer);
}

void VertexAttribFormat(Context& ctx, GLuint attribindex, GLint size, GLenum type, GLboolean normalized,
                        GLuint relativeoffset) {
    attrib_format(ctx, "glVertexAttribFormat", attribindex, size, type,
                  normalized ? Reading::Normalized : Reading::Plain, relativeoffset);
}
void VertexAttribIFormat(Context& ctx, GLuint attribindex, GLint size, GLenum type, GLuint relativeoffset) {
    attrib_format(ctx, "glVertexAttribIFormat", attribindex, size, type, Reading::Integer, relativeoffset);
}

void VertexAttribBinding(Context& ctx, GLuint attribindex, GLuint bindingindex) {
    const char* const command = "glVertexAttribBinding";
    if (valid_attrib(ctx, attribindex, command) && valid_binding(ctx, bindingindex, command) &&
        may_change(ctx, command))
        use_binding(ctx, attribindex, bindingindex);
}

void BindVertexBuffer(Context& ctx, GLuint bindingindex, GLuint buffer, GLintptr offset, GLsizei stride) {
    const char* const command = "glBindVertexBuffer";
    if (!valid_binding(ctx, bindingindex, command)) return;
    if (offset < 0) return ctx.error(GL_INVALID_VALUE, command, "offset (%td) is negative", offset);
    if (stride < 0 || stride > kMaxAttribStride_B)
        return ctx.error(GL_INVALID_VALUE, command,
                         "stride (%d) is negative or above GL_MAX_VERTEX_ATTRIB_STRIDE (%d)", stride,
                         kMaxAttribStride_B);
    if (!may_change(ctx, command)) return;
    std::lock_guard lock(ctx.share->mutex);
    if (buffer && !ctx.share->buffers.reserved(buffer))
        return ctx.error(GL_INVALID_OPERATION, command, "%u is not a name of glGenBuffers", buffer);
    if (set_binding(ctx.vertex_array->bindings[bindingindex], buffer_of(ctx, buffer), uintptr_t(offset),
                    nullptr, uint32_t(stride)))
        vertex_array_changed(ctx);
}

void VertexBindingDivisor(Context& ctx, GLuint bindingindex, GLuint divisor) {
    const char* const command = "glVertexBindingDivisor";
    if (valid_binding(ctx, bindingindex, command) && may_change(ctx, command))
        set_divisor(ctx, bindingindex, divisor);
}

void VertexAttribDivisor(Context& ctx, GLuint index, GLuint divisor) {
    if (!valid_attrib(ctx, index, "glVertexAttribDivisor")) return;
    use_binding(ctx, index, index);
    set_divisor(ctx, index, divisor);
}

}  // namespace terrazzo::st
