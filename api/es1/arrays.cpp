// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex arrays and current values (sections 2.7 and 2.8), as attributes of the state tracker. Buffers (2.9).
#include "api/es1/arrays.h"

#include <array>

#include "api/es1/fixed.h"

namespace terrazzo::es1 {
namespace {

bool is_array_type(GLenum type, bool bytes) {
    return type == GL_SHORT || type == GL_FIXED || type == GL_FLOAT || (bytes && type == GL_BYTE);
}

void set_array(Context& ctx, const char* command, GLuint index, GLint size, GLint min_size, GLenum type,
               bool valid_type, bool normalized, GLsizei stride, const void* pointer) {
    if (!valid_type)
        return ctx.gl.error(GL_INVALID_ENUM, command, "type 0x%04x is no type of this array", type);
    if (size < min_size || size > 4)
        return ctx.gl.error(GL_INVALID_VALUE, command, "size %d is not %d to 4", size, min_size);
    if (stride < 0) return ctx.gl.error(GL_INVALID_VALUE, command, "stride %d is negative", stride);
    st::VertexAttribPointer(ctx.gl, index, size, type, normalized, stride, pointer);
}

void set_client_state(Context& ctx, GLenum array, bool on, const char* command) {
    GLuint index;
    if (!find_array(ctx, array, &index))
        return ctx.gl.error(GL_INVALID_ENUM, command, "0x%04x is no array", array);
    on ? st::EnableVertexAttribArray(ctx.gl, index) : st::DisableVertexAttribArray(ctx.gl, index);
}

bool is_buffer_target(Context& ctx, GLenum target, const char* command) {
    if (target == GL_ARRAY_BUFFER || target == GL_ELEMENT_ARRAY_BUFFER) return true;
    ctx.gl.error(GL_INVALID_ENUM, command,
                 "target 0x%04x is neither GL_ARRAY_BUFFER nor GL_ELEMENT_ARRAY_BUFFER", target);
    return false;
}

void set_color(Context& ctx, const Vec4& c) {
    ctx.state.color = c;
    st::VertexAttrib4f(ctx.gl, attribute::kColor, c.x, c.y, c.z, c.w);
    if (ctx.state.color_material) {
        ctx.state.material.ambient = ctx.state.material.diffuse = c;
        ctx.touch(Group::Material);
    }
}

}  // namespace

bool find_array(const Context& ctx, GLenum array, GLuint* index) {
    switch (array) {
        case GL_VERTEX_ARRAY:
            return *index = attribute::kPosition, true;
        case GL_NORMAL_ARRAY:
            return *index = attribute::kNormal, true;
        case GL_COLOR_ARRAY:
            return *index = attribute::kColor, true;
        case GL_POINT_SIZE_ARRAY_OES:
            return *index = attribute::kPointSize, true;
        case GL_TEXTURE_COORD_ARRAY:
            return *index = attribute::kTexCoord + ctx.state.client_unit, true;
        default:
            return false;
    }
}

void EnableClientState(Context& ctx, GLenum array) {
    set_client_state(ctx, array, true, "glEnableClientState");
}
void DisableClientState(Context& ctx, GLenum array) {
    set_client_state(ctx, array, false, "glDisableClientState");
}

void ClientActiveTexture(Context& ctx, GLenum texture) {
    if (texture < GL_TEXTURE0 || texture >= GL_TEXTURE0 + kUnits)
        return ctx.gl.error(GL_INVALID_ENUM, "glClientActiveTexture", "0x%04x is not one of %u units",
                            texture, kUnits);
    ctx.state.client_unit = texture - GL_TEXTURE0;
}

void VertexPointer(Context& ctx, GLint size, GLenum type, GLsizei stride, const void* pointer) {
    set_array(ctx, "glVertexPointer", attribute::kPosition, size, 2, type, is_array_type(type, true), false,
              stride, pointer);
}
void NormalPointer(Context& ctx, GLenum type, GLsizei stride, const void* pointer) {
    const bool integer = type == GL_BYTE || type == GL_SHORT;
    set_array(ctx, "glNormalPointer", attribute::kNormal, 3, 3, type, is_array_type(type, true), integer,
              stride, pointer);
}
void ColorPointer(Context& ctx, GLint size, GLenum type, GLsizei stride, const void* pointer) {
    const bool valid = type == GL_UNSIGNED_BYTE || type == GL_FIXED || type == GL_FLOAT;
    set_array(ctx, "glColorPointer", attribute::kColor, size, 4, type, valid, type == GL_UNSIGNED_BYTE,
              stride, pointer);
}
void TexCoordPointer(Context& ctx, GLint size, GLenum type, GLsizei stride, const void* pointer) {
    set_array(ctx, "glTexCoordPointer", attribute::kTexCoord + ctx.state.client_unit, size, 2, type,
              is_array_type(type, true), false, stride, pointer);
}
void PointSizePointer(Context& ctx, GLenum type, GLsizei stride, const void* pointer) {
    set_array(ctx, "glPointSizePointerOES", attribute::kPointSize, 1, 1, type,
              type == GL_FIXED || type == GL_FLOAT, false, stride, pointer);
}

void Color4f(Context& ctx, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) {
    set_color(ctx, {red, green, blue, alpha});
}
void Color4ub(Context& ctx, GLubyte red, GLubyte green, GLubyte blue, GLubyte alpha) {
    set_color(ctx, {float(red) / 255, float(green) / 255, float(blue) / 255, float(alpha) / 255});
}
void Color4x(Context& ctx, GLfixed red, GLfixed green, GLfixed blue, GLfixed alpha) {
    set_color(ctx, {from_fixed(red), from_fixed(green), from_fixed(blue), from_fixed(alpha)});
}

void Normal3f(Context& ctx, GLfloat nx, GLfloat ny, GLfloat nz) {
    ctx.state.normal[0] = nx, ctx.state.normal[1] = ny, ctx.state.normal[2] = nz;
    st::VertexAttrib4f(ctx.gl, attribute::kNormal, nx, ny, nz, 1);
}
void Normal3x(Context& ctx, GLfixed nx, GLfixed ny, GLfixed nz) {
    Normal3f(ctx, from_fixed(nx), from_fixed(ny), from_fixed(nz));
}

void MultiTexCoord4f(Context& ctx, GLenum target, GLfloat s, GLfloat t, GLfloat r, GLfloat q) {
    if (target < GL_TEXTURE0 || target >= GL_TEXTURE0 + kUnits)
        return ctx.gl.error(GL_INVALID_ENUM, "glMultiTexCoord4f", "0x%04x is not one of %u units", target,
                            kUnits);
    const unsigned unit = target - GL_TEXTURE0;
    ctx.state.units[unit].coords = {s, t, r, q};
    st::VertexAttrib4f(ctx.gl, attribute::kTexCoord + unit, s, t, r, q);
}
void MultiTexCoord4x(Context& ctx, GLenum texture, GLfixed s, GLfixed t, GLfixed r, GLfixed q) {
    MultiTexCoord4f(ctx, texture, from_fixed(s), from_fixed(t), from_fixed(r), from_fixed(q));
}

void BindBuffer(Context& ctx, GLenum target, GLuint buffer) {
    if (is_buffer_target(ctx, target, "glBindBuffer")) st::BindBuffer(ctx.gl, target, buffer);
}
void BufferData(Context& ctx, GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
    if (!is_buffer_target(ctx, target, "glBufferData")) return;
    if (usage != GL_STATIC_DRAW && usage != GL_DYNAMIC_DRAW)
        return ctx.gl.error(GL_INVALID_ENUM, "glBufferData",
                            "usage 0x%04x is neither GL_STATIC_DRAW nor GL_DYNAMIC_DRAW", usage);
    st::BufferData(ctx.gl, target, size, data, usage);
}
void GetBufferParameteriv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    if (!is_buffer_target(ctx, target, "glGetBufferParameteriv")) return;
    if (pname != GL_BUFFER_SIZE && pname != GL_BUFFER_USAGE && pname != GL_BUFFER_ACCESS_OES &&
        pname != GL_BUFFER_MAPPED_OES)
        return ctx.gl.error(GL_INVALID_ENUM, "glGetBufferParameteriv",
                            "pname 0x%04x is no parameter of buffers", pname);
    st::GetBufferParameteriv(ctx.gl, target, pname, params);
}

}  // namespace terrazzo::es1
