// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Current values of vertex attributes, queries, and vertex array objects. Rules: OpenGL ES 3.0 sections 2.7,
// 2.8 and 2.11; OES_vertex_array_object. The sources of arrays are in vertex_binding.cpp.
#include "state_tracker/vertices/vertex_array.h"

#include <bit>
#include <cmath>
#include <type_traits>

#include "state_tracker/context/limits.h"
#include "state_tracker/context/names.h"

namespace terrazzo::st {
namespace {

void set_current(Context& ctx, GLuint index, const char* command, AttribBase base,
                 std::array<uint32_t, 4> value) {
    if (!valid_attrib(ctx, index, command)) return;
    if (ctx.state.attribs[index] == value && ctx.state.attrib_bases[index] == base) return;
    ctx.state.attribs[index] = value;
    ctx.state.attrib_bases[index] = base;
    ++ctx.attribs_stamp;
    ctx.dirty |= dirty::kCurrentAttribs;
}
void set_float(Context& ctx, GLuint index, const char* command, float x, float y, float z, float w) {
    set_current(ctx, index, command, AttribBase::Float,
                {std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y), std::bit_cast<uint32_t>(z),
                 std::bit_cast<uint32_t>(w)});
}

/// One integer of an array's state. False: pname is not one of them.
bool array_parameter(const Context& ctx, GLuint index, GLenum pname, GLint* value) {
    const VertexArray& va = *ctx.vertex_array;
    const VertexAttrib& a = va.attribs[index];
    const VertexBinding& b = va.binding_of(a);
    switch (pname) {
        case GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
            *value = b.buffer ? GLint(b.buffer->name) : 0;
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
            *value = GLint(b.divisor);
            return true;
        case GL_VERTEX_ATTRIB_ARRAY_TYPE:
            *value = GLint(a.type);
            return true;
        case GL_VERTEX_ATTRIB_ARRAY_NORMALIZED:
            *value = a.normalized;
            return true;
        case GL_VERTEX_ATTRIB_ARRAY_INTEGER:
            if (ctx.config.version < 30) return false;
            *value = a.integer;
            return true;
        case GL_VERTEX_ATTRIB_BINDING:
            if (ctx.config.version < 31) return false;
            *value = a.binding;
            return true;
        case GL_VERTEX_ATTRIB_RELATIVE_OFFSET:
            if (ctx.config.version < 31) return false;
            *value = GLint(a.relative_offset_B);
            return true;
        default:
            return false;
    }
}

GLint round_to_int(float f) {
    if (!(f > -2147483648.0f)) return INT32_MIN;
    if (f >= 2147483648.0f) return INT32_MAX;
    return GLint(std::lround(f));
}

/// Converts a component of a current value, which was set as `base`, to a number. `bits`: no conversion.
template <class T>
T component(AttribBase base, uint32_t value, bool bits) {
    if (bits) return std::bit_cast<T>(value);
    switch (base) {
        case AttribBase::Int:
            return T(int32_t(value));
        case AttribBase::Uint:
            return T(value);
        case AttribBase::Float:
            break;
    }
    if constexpr (std::is_same_v<T, GLfloat>)
        return std::bit_cast<float>(value);
    else
        return T(round_to_int(std::bit_cast<float>(value)));
}

/// `bits`: for GetVertexAttribI*, which converts nothing.
template <class T>
void get_attrib(Context& ctx, GLuint index, GLenum pname, T* params, const char* command, bool bits = false) {
    if (!valid_attrib(ctx, index, command)) return;
    if (pname == GL_CURRENT_VERTEX_ATTRIB) {
        for (unsigned i = 0; params && i < 4; ++i)
            params[i] = component<T>(ctx.state.attrib_bases[index], ctx.state.attribs[index][i], bits);
        return;
    }
    GLint value;
    if (!array_parameter(ctx, index, pname, &value))
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a vertex attribute", pname);
    if (params) *params = T(value);
}

}  // namespace

bool valid_attrib(Context& ctx, GLuint index, const char* command) {
    if (index < GLuint(ctx.limits.max_vertex_attribs)) return true;
    ctx.error(GL_INVALID_VALUE, command, "index %u is not below GL_MAX_VERTEX_ATTRIBS (%d)", index,
              ctx.limits.max_vertex_attribs);
    return false;
}

void vertex_array_changed(Context& ctx) {
    ctx.vertex_array->stamp = ++ctx.last_array_stamp;
    ctx.dirty |= dirty::kVertexArray;
}

void unbind_array_buffer(Context& ctx, const Buffer& b) {
    VertexArray& va = *ctx.vertex_array;
    if (va.element_buffer.get() == &b) va.element_buffer = nullptr;
    for (VertexAttrib& a : va.attribs)
        if (va.binding_of(a).buffer.get() == &b) a.pointer = nullptr;
    for (VertexBinding& at : va.bindings)
        if (at.buffer.get() == &b) {
            at.buffer = nullptr;
            at.offset_B = 0;
        }
    vertex_array_changed(ctx);
}

void EnableVertexAttribArray(Context& ctx, GLuint index) {
    if (!valid_attrib(ctx, index, "glEnableVertexAttribArray")) return;
    if (ctx.vertex_array->enabled >> index & 1) return;
    ctx.vertex_array->enabled |= 1u << index;
    vertex_array_changed(ctx);
}

void DisableVertexAttribArray(Context& ctx, GLuint index) {
    if (!valid_attrib(ctx, index, "glDisableVertexAttribArray")) return;
    if (!(ctx.vertex_array->enabled >> index & 1)) return;
    ctx.vertex_array->enabled &= ~(1u << index);
    vertex_array_changed(ctx);
}

void VertexAttrib1f(Context& ctx, GLuint index, GLfloat x) {
    set_float(ctx, index, "glVertexAttrib1f", x, 0, 0, 1);
}
void VertexAttrib2f(Context& ctx, GLuint index, GLfloat x, GLfloat y) {
    set_float(ctx, index, "glVertexAttrib2f", x, y, 0, 1);
}
void VertexAttrib3f(Context& ctx, GLuint index, GLfloat x, GLfloat y, GLfloat z) {
    set_float(ctx, index, "glVertexAttrib3f", x, y, z, 1);
}
void VertexAttrib4f(Context& ctx, GLuint index, GLfloat x, GLfloat y, GLfloat z, GLfloat w) {
    set_float(ctx, index, "glVertexAttrib4f", x, y, z, w);
}
void VertexAttrib1fv(Context& ctx, GLuint index, const GLfloat* v) {
    if (v) set_float(ctx, index, "glVertexAttrib1fv", v[0], 0, 0, 1);
}
void VertexAttrib2fv(Context& ctx, GLuint index, const GLfloat* v) {
    if (v) set_float(ctx, index, "glVertexAttrib2fv", v[0], v[1], 0, 1);
}
void VertexAttrib3fv(Context& ctx, GLuint index, const GLfloat* v) {
    if (v) set_float(ctx, index, "glVertexAttrib3fv", v[0], v[1], v[2], 1);
}
void VertexAttrib4fv(Context& ctx, GLuint index, const GLfloat* v) {
    if (v) set_float(ctx, index, "glVertexAttrib4fv", v[0], v[1], v[2], v[3]);
}

void VertexAttribI4i(Context& ctx, GLuint index, GLint x, GLint y, GLint z, GLint w) {
    set_current(ctx, index, "glVertexAttribI4i", AttribBase::Int,
                {GLuint(x), GLuint(y), GLuint(z), GLuint(w)});
}
void VertexAttribI4ui(Context& ctx, GLuint index, GLuint x, GLuint y, GLuint z, GLuint w) {
    set_current(ctx, index, "glVertexAttribI4ui", AttribBase::Uint, {x, y, z, w});
}
void VertexAttribI4iv(Context& ctx, GLuint index, const GLint* v) {
    if (v)
        set_current(ctx, index, "glVertexAttribI4iv", AttribBase::Int,
                    {GLuint(v[0]), GLuint(v[1]), GLuint(v[2]), GLuint(v[3])});
}
void VertexAttribI4uiv(Context& ctx, GLuint index, const GLuint* v) {
    if (v) set_current(ctx, index, "glVertexAttribI4uiv", AttribBase::Uint, {v[0], v[1], v[2], v[3]});
}

void GetVertexAttribfv(Context& ctx, GLuint index, GLenum pname, GLfloat* params) {
    get_attrib(ctx, index, pname, params, "glGetVertexAttribfv");
}
void GetVertexAttribiv(Context& ctx, GLuint index, GLenum pname, GLint* params) {
    get_attrib(ctx, index, pname, params, "glGetVertexAttribiv");
}
void GetVertexAttribIiv(Context& ctx, GLuint index, GLenum pname, GLint* params) {
    get_attrib(ctx, index, pname, params, "glGetVertexAttribIiv", true);
}
void GetVertexAttribIuiv(Context& ctx, GLuint index, GLenum pname, GLuint* params) {
    get_attrib(ctx, index, pname, params, "glGetVertexAttribIuiv", true);
}

void GetVertexAttribPointerv(Context& ctx, GLuint index, GLenum pname, void** pointer) {
    const char* const command = "glGetVertexAttribPointerv";
    if (!valid_attrib(ctx, index, command)) return;
    if (pname != GL_VERTEX_ATTRIB_ARRAY_POINTER)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is not GL_VERTEX_ATTRIB_ARRAY_POINTER",
                         pname);
    if (pointer) *pointer = const_cast<void*>(ctx.vertex_array->attribs[index].pointer);
}

// --- OES_vertex_array_object

void GenVertexArrays(Context& ctx, GLsizei n, GLuint* arrays) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenVertexArrays", "n (%d) is negative", n);
    reserve_names(ctx.vertex_arrays, n, arrays);
}

void DeleteVertexArrays(Context& ctx, GLsizei n, const GLuint* arrays) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteVertexArrays", "n (%d) is negative", n);
    for (GLsizei i = 0; arrays && i < n; ++i) {
        if (arrays[i] == 0) continue;
        pipe::Ref<VertexArray> va = ctx.vertex_arrays.remove(arrays[i]);
        if (va && va == ctx.vertex_array) BindVertexArray(ctx, 0);
    }
}

void BindVertexArray(Context& ctx, GLuint array) {
    if (ctx.vertex_array->name == array) return;
    pipe::Ref<VertexArray> va;
    if (!array) {
        va = ctx.default_vertex_array;
    } else {
        va = pipe::Ref(ctx.vertex_arrays.find(array));
        if (!va) {
            if (!ctx.vertex_arrays.reserved(array))
                return ctx.error(GL_INVALID_OPERATION, "glBindVertexArray",
                                 "%u is not a name of glGenVertexArrays", array);
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
