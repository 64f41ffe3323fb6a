// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes and vertex array objects. Rules: GLES 2.0 sections 2.7 and 2.8; OES_vertex_array_object.
#include "state_tracker/core/vertex_array.h"

#include <cmath>
#include <cstring>

#include "state_tracker/core/names.h"

namespace terrazzo::st {
namespace {

using pipe::Format;

struct AttribType {
    GLenum type;
    uint32_t component_B;
    Format plain[4], normalized[4];
};
constexpr AttribType kAttribTypes[] = {
    {GL_FLOAT,
     4,
     {Format::R32_FLOAT, Format::R32G32_FLOAT, Format::R32G32B32_FLOAT, Format::R32G32B32A32_FLOAT},
     {Format::R32_FLOAT, Format::R32G32_FLOAT, Format::R32G32B32_FLOAT, Format::R32G32B32A32_FLOAT}},
    {GL_UNSIGNED_BYTE,
     1,
     {Format::R8_USCALED, Format::R8G8_USCALED, Format::R8G8B8_USCALED, Format::R8G8B8A8_USCALED},
     {Format::R8_UNORM, Format::R8G8_UNORM, Format::R8G8B8_UNORM, Format::R8G8B8A8_UNORM}},
    {GL_BYTE,
     1,
     {Format::R8_SSCALED, Format::R8G8_SSCALED, Format::R8G8B8_SSCALED, Format::R8G8B8A8_SSCALED},
     {Format::R8_SNORM, Format::R8G8_SNORM, Format::R8G8B8_SNORM, Format::R8G8B8A8_SNORM}},
    {GL_UNSIGNED_SHORT,
     2,
     {Format::R16_USCALED, Format::R16G16_USCALED, Format::R16G16B16_USCALED, Format::R16G16B16A16_USCALED},
     {Format::R16_UNORM, Format::R16G16_UNORM, Format::R16G16B16_UNORM, Format::R16G16B16A16_UNORM}},
    {GL_SHORT,
     2,
     {Format::R16_SSCALED, Format::R16G16_SSCALED, Format::R16G16B16_SSCALED, Format::R16G16B16A16_SSCALED},
     {Format::R16_SNORM, Format::R16G16_SNORM, Format::R16G16B16_SNORM, Format::R16G16B16A16_SNORM}},
    {GL_FIXED,
     4,
     {Format::R32_FIXED, Format::R32G32_FIXED, Format::R32G32B32_FIXED, Format::R32G32B32A32_FIXED},
     {Format::R32_FIXED, Format::R32G32_FIXED, Format::R32G32B32_FIXED, Format::R32G32B32A32_FIXED}},
};

const AttribType* find_type(GLenum type) {
    for (const AttribType& t : kAttribTypes)
        if (t.type == type) return &t;
    return nullptr;
}

/// Records GL_INVALID_VALUE where there is no such attribute.
bool valid_index(Context& ctx, GLuint index, const char* command) {
    if (index < GLuint(ctx.limits.max_vertex_attribs)) return true;
    ctx.error(GL_INVALID_VALUE, command, "index %u is not below GL_MAX_VERTEX_ATTRIBS (%d)", index,
              ctx.limits.max_vertex_attribs);
    return false;
}

void set_current(Context& ctx, GLuint index, const char* command, float x, float y, float z, float w) {
    if (!valid_index(ctx, index, command)) return;
    const std::array<float, 4> value{x, y, z, w};
    if (std::memcmp(ctx.state.attribs[index].data(), value.data(), sizeof value) == 0) return;
    ctx.state.attribs[index] = value;
    ++ctx.attribs_stamp;
    ctx.dirty |= dirty::kCurrentAttribs;
}

/// One integer of an array's state. False: pname is none of them.
bool array_parameter(const Context& ctx, GLuint index, GLenum pname, GLint* value) {
    const VertexArray& va = *ctx.vertex_array;
    const VertexAttrib& a = va.attribs[index];
    switch (pname) {
        case GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
            *value = a.buffer ? GLint(a.buffer->name) : 0;
            return true;
        case GL_VERTEX_ATTRIB_ARRAY_ENABLED:
            *value = va.enabled >> index & 1;
            return true;
        case GL_VERTEX_ATTRIB_ARRAY_SIZE:
            *value = a.size;
            return true;
        case GL_VERTEX_ATTRIB_ARRAY_STRIDE:
            *value = a.stride;
            return true;
        case GL_VERTEX_ATTRIB_ARRAY_DIVISOR_EXT:
            *value = GLint(a.divisor);
            return true;
        case GL_VERTEX_ATTRIB_ARRAY_TYPE:
            *value = GLint(a.type);
            return true;
        case GL_VERTEX_ATTRIB_ARRAY_NORMALIZED:
            *value = a.normalized;
            return true;
        default:
            return false;
    }
}

template <class T>
void get_attrib(Context& ctx, GLuint index, GLenum pname, T* params, const char* command,
                T (*convert)(float)) {
    if (!valid_index(ctx, index, command)) return;
    if (pname == GL_CURRENT_VERTEX_ATTRIB) {
        for (unsigned i = 0; params && i < 4; ++i)
            params[i] = convert(ctx.state.attribs[index][i]);
        return;
    }
    GLint value;
    if (!array_parameter(ctx, index, pname, &value))
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a vertex attribute", pname);
    if (params) *params = T(value);
}

GLint round_to_int(float f) {
    if (!(f > -2147483648.0f)) return INT32_MIN;
    if (f >= 2147483648.0f) return INT32_MAX;
    return GLint(std::lround(f));
}

}  // namespace

void vertex_array_changed(Context& ctx) {
    ctx.vertex_array->stamp = ++ctx.last_array_stamp;
    ctx.dirty |= dirty::kVertexArray;
}

void unbind_buffer(Context& ctx, const Buffer& b) {
    if (ctx.array_buffer.get() == &b) ctx.array_buffer = nullptr;
    VertexArray& va = *ctx.vertex_array;
    if (va.element_buffer.get() == &b) va.element_buffer = nullptr;
    for (VertexAttrib& a : va.attribs)
        if (a.buffer.get() == &b) {
            // What was an offset must not become an address.
            a.buffer = nullptr;
            a.pointer = nullptr;
        }
    vertex_array_changed(ctx);
}

void EnableVertexAttribArray(Context& ctx, GLuint index) {
    if (!valid_index(ctx, index, "glEnableVertexAttribArray")) return;
    if (ctx.vertex_array->enabled >> index & 1) return;
    ctx.vertex_array->enabled |= 1u << index;
    vertex_array_changed(ctx);
}

void DisableVertexAttribArray(Context& ctx, GLuint index) {
    if (!valid_index(ctx, index, "glDisableVertexAttribArray")) return;
    if (!(ctx.vertex_array->enabled >> index & 1)) return;
    ctx.vertex_array->enabled &= ~(1u << index);
    vertex_array_changed(ctx);
}

void VertexAttribPointer(Context& ctx, GLuint index, GLint size, GLenum type, GLboolean normalized,
                         GLsizei stride, const void* pointer) {
    const char* const command = "glVertexAttribPointer";
    if (!valid_index(ctx, index, command)) return;
    if (size < 1 || size > 4)
        return ctx.error(GL_INVALID_VALUE, command, "size %d is not 1, 2, 3 or 4", size);
    const AttribType* t = find_type(type);
    if (!t) return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x is not a vertex attribute type", type);
    if (stride < 0) return ctx.error(GL_INVALID_VALUE, command, "stride (%d) is negative", stride);
    if (ctx.config.version >= 30 && ctx.vertex_array != ctx.default_vertex_array && !ctx.array_buffer &&
        pointer)
        return ctx.error(GL_INVALID_OPERATION, command, "vertex array %u takes no client arrays",
                         ctx.vertex_array->name);
    VertexAttrib& a = ctx.vertex_array->attribs[index];
    if (a.size == size && a.type == type && a.normalized == bool(normalized) && a.stride == stride &&
        a.pointer == pointer && a.buffer == ctx.array_buffer)
        return;
    a.size = size;
    a.type = type;
    a.normalized = normalized;
    a.stride = stride;
    a.element_B = t->component_B * uint32_t(size);
    a.stride_B = stride ? uint32_t(stride) : a.element_B;
    a.format = (normalized ? t->normalized : t->plain)[size - 1];
    a.pointer = pointer;
    a.buffer = ctx.array_buffer;
    vertex_array_changed(ctx);
}

void VertexAttribDivisor(Context& ctx, GLuint index, GLuint divisor) {
    if (!valid_index(ctx, index, "glVertexAttribDivisorEXT")) return;
    VertexAttrib& a = ctx.vertex_array->attribs[index];
    if (a.divisor == divisor) return;
    a.divisor = divisor;
    vertex_array_changed(ctx);
}

void VertexAttrib1f(Context& ctx, GLuint index, GLfloat x) {
    set_current(ctx, index, "glVertexAttrib1f", x, 0, 0, 1);
}
void VertexAttrib2f(Context& ctx, GLuint index, GLfloat x, GLfloat y) {
    set_current(ctx, index, "glVertexAttrib2f", x, y, 0, 1);
}
void VertexAttrib3f(Context& ctx, GLuint index, GLfloat x, GLfloat y, GLfloat z) {
    set_current(ctx, index, "glVertexAttrib3f", x, y, z, 1);
}
void VertexAttrib4f(Context& ctx, GLuint index, GLfloat x, GLfloat y, GLfloat z, GLfloat w) {
    set_current(ctx, index, "glVertexAttrib4f", x, y, z, w);
}
void VertexAttrib1fv(Context& ctx, GLuint index, const GLfloat* v) {
    if (v) set_current(ctx, index, "glVertexAttrib1fv", v[0], 0, 0, 1);
}
void VertexAttrib2fv(Context& ctx, GLuint index, const GLfloat* v) {
    if (v) set_current(ctx, index, "glVertexAttrib2fv", v[0], v[1], 0, 1);
}
void VertexAttrib3fv(Context& ctx, GLuint index, const GLfloat* v) {
    if (v) set_current(ctx, index, "glVertexAttrib3fv", v[0], v[1], v[2], 1);
}
void VertexAttrib4fv(Context& ctx, GLuint index, const GLfloat* v) {
    if (v) set_current(ctx, index, "glVertexAttrib4fv", v[0], v[1], v[2], v[3]);
}

void GetVertexAttribfv(Context& ctx, GLuint index, GLenum pname, GLfloat* params) {
    get_attrib<GLfloat>(ctx, index, pname, params, "glGetVertexAttribfv", [](float f) { return f; });
}

void GetVertexAttribiv(Context& ctx, GLuint index, GLenum pname, GLint* params) {
    get_attrib<GLint>(ctx, index, pname, params, "glGetVertexAttribiv", round_to_int);
}

void GetVertexAttribPointerv(Context& ctx, GLuint index, GLenum pname, void** pointer) {
    const char* const command = "glGetVertexAttribPointerv";
    if (!valid_index(ctx, index, command)) return;
    if (pname != GL_VERTEX_ATTRIB_ARRAY_POINTER)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is not GL_VERTEX_ATTRIB_ARRAY_POINTER",
                         pname);
    if (pointer) *pointer = const_cast<void*>(ctx.vertex_array->attribs[index].pointer);
}

// --- OES_vertex_array_object

void GenVertexArrays(Context& ctx, GLsizei n, GLuint* arrays) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenVertexArraysOES", "n (%d) is negative", n);
    reserve_names(ctx.vertex_arrays, n, arrays);
}

void DeleteVertexArrays(Context& ctx, GLsizei n, const GLuint* arrays) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteVertexArraysOES", "n (%d) is negative", n);
    for (GLsizei i = 0; arrays && i < n; ++i) {
        if (arrays[i] == 0) continue;
        pipe::Ref<VertexArray> va = ctx.vertex_arrays.remove(arrays[i]);
        if (va && va == ctx.vertex_array) BindVertexArray(ctx, 0);
    }
}

void BindVertexArray(Context& ctx, GLuint array) {
    if (ctx.vertex_array->name == array) return;
    pipe::Ref<VertexArray> va = ctx.default_vertex_array;
    if (array) {
        if (!ctx.vertex_arrays.reserved(array))
            return ctx.error(GL_INVALID_OPERATION, "glBindVertexArrayOES",
                             "%u is not a name of glGenVertexArraysOES", array);
        va = pipe::Ref(ctx.vertex_arrays.find(array));
        if (!va) {
            va = pipe::Ref<VertexArray>::adopt(new VertexArray(array));
            va->stamp = ++ctx.last_array_stamp;
            ctx.vertex_arrays.set(array, va);
        }
    }
    ctx.vertex_array = std::move(va);
    ctx.dirty |= dirty::kVertexArray;
}

GLboolean IsVertexArray(Context& ctx, GLuint array) {
    return array && ctx.vertex_arrays.find(array);
}

}  // namespace terrazzo::st
