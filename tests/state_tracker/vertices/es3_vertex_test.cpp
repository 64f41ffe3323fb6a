// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes and draws of OpenGL ES 3.0.
#include <doctest/doctest.h>

#include "state_tracker/vertices/vertex_array.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

GLenum pointer(test::Harness& h, GLint size, GLenum type, bool normalized = false) {
    VertexAttribPointer(h.ctx, 0, size, type, normalized, 0, nullptr);
    return h.error();
}
GLenum ipointer(test::Harness& h, GLint size, GLenum type) {
    VertexAttribIPointer(h.ctx, 0, size, type, 0, nullptr);
    return h.error();
}

}  // namespace

TEST_CASE("types of vertex attributes by version") {
    test::Harness old, h(test::es3());
    for (const GLenum type :
         {GL_INT, GL_UNSIGNED_INT, GL_INT_2_10_10_10_REV, GL_UNSIGNED_INT_2_10_10_10_REV}) {
        CHECK(pointer(old, 4, type) == GL_INVALID_ENUM);
        CHECK(pointer(h, 4, type) == GL_NO_ERROR);
    }
    CHECK(pointer(old, 2, GL_HALF_FLOAT_OES) == GL_NO_ERROR);
    CHECK(old.ctx.vertex_array->attribs[0].format == pipe::Format::R16G16_FLOAT);
    CHECK(pointer(old, 4, GL_HALF_FLOAT) == GL_NO_ERROR);  // with the extension; GTK 4 uses it
    CHECK(old.ctx.vertex_array->attribs[0].format == pipe::Format::R16G16B16A16_FLOAT);
    CHECK(pointer(h, 3, GL_HALF_FLOAT) == GL_NO_ERROR);
    CHECK(h.ctx.vertex_array->attribs[0].type == GL_HALF_FLOAT);
    CHECK(pointer(h, 3, GL_INT_2_10_10_10_REV) == GL_INVALID_OPERATION);
    CHECK(pointer(h, 4, GL_INT_2_10_10_10_REV, true) == GL_NO_ERROR);
    const VertexAttrib& a = h.ctx.vertex_array->attribs[0];
    CHECK(a.format == pipe::Format::R10G10B10A2_SNORM);
    CHECK(h.ctx.vertex_array->bindings[0].stride_B == 4);
    CHECK(ipointer(h, 3, GL_UNSIGNED_SHORT) == GL_NO_ERROR);
    CHECK(a.format == pipe::Format::R16G16B16_UINT);
    CHECK(h.ctx.vertex_array->bindings[0].stride_B == 6);
    GLint integer = 0;
    GetVertexAttribiv(h.ctx, 0, GL_VERTEX_ATTRIB_ARRAY_INTEGER, &integer);
    CHECK(integer == 1);
    CHECK(ipointer(h, 4, GL_FLOAT) == GL_INVALID_ENUM);
    CHECK(ipointer(h, 4, GL_HALF_FLOAT) == GL_INVALID_ENUM);
    CHECK(ipointer(h, 5, GL_INT) == GL_INVALID_VALUE);
    VertexAttribIPointer(h.ctx, 16, 4, GL_INT, 0, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    VertexAttribIPointer(h.ctx, 0, 4, GL_INT, -1, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
}

TEST_CASE("a named vertex array refuses client arrays") {
    test::Harness h(test::es3());
    GLuint va = 0;
    GenVertexArrays(h.ctx, 1, &va);
    BindVertexArray(h.ctx, va);
    const float v[4] = {};
    VertexAttribPointer(h.ctx, 0, 4, GL_FLOAT, false, 0, v);
    CHECK(h.error() == GL_INVALID_OPERATION);
    VertexAttribIPointer(h.ctx, 0, 4, GL_INT, 0, v);
    CHECK(h.error() == GL_INVALID_OPERATION);
}

TEST_CASE("current values are floats or integers") {
    test::Harness h(test::es3());
    VertexAttribI4i(h.ctx, 1, -1, 2, 3, 4);
    VertexAttribI4ui(h.ctx, 2, 0xffffffffu, 2, 3, 4);
    GLint i[4] = {};
    GLuint u[4] = {};
    GLfloat f[4] = {};
    GetVertexAttribIiv(h.ctx, 1, GL_CURRENT_VERTEX_ATTRIB, i);
    CHECK(i[0] == -1);
    CHECK(i[3] == 4);
    GetVertexAttribIuiv(h.ctx, 2, GL_CURRENT_VERTEX_ATTRIB, u);
    CHECK(u[0] == 0xffffffffu);
    GetVertexAttribfv(h.ctx, 1, GL_CURRENT_VERTEX_ATTRIB, f);
    CHECK(f[0] == -1.0f);
    CHECK(h.ctx.state.attrib_bases[2] == AttribBase::Uint);
    VertexAttribI4i(h.ctx, 16, 0, 0, 0, 0);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetVertexAttribIiv(h.ctx, 0, GL_VIEWPORT, i);
    CHECK(h.error() == GL_INVALID_ENUM);
}

TEST_CASE("ranges of elements, and restarts") {
    test::Harness h(test::es3());
    UseProgram(h.ctx, h.simple_program());
    const float positions[] = {0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 5, 5, 5, 5};
    VertexAttribPointer(h.ctx, 0, 4, GL_FLOAT, false, 0, positions);
    EnableVertexAttribArray(h.ctx, 0);
    const uint8_t indices[] = {0, 1, 2, 0xff, 2, 1, 0};
    DrawRangeElements(h.ctx, GL_TRIANGLES, 2, 1, 3, GL_UNSIGNED_BYTE, indices);
    CHECK(h.error() == GL_INVALID_VALUE);
    DrawRangeElements(h.ctx, GL_TRIANGLES, 0, 2, 3, GL_UNSIGNED_BYTE, indices);
    CHECK(h.error() == GL_NO_ERROR);
    REQUIRE(h.pipe().draws.size() == 1);
    CHECK(!h.pipe().draws[0].info.primitive_restart);
    CHECK(IsEnabled(h.ctx, GL_PRIMITIVE_RESTART_FIXED_INDEX) == GL_FALSE);
    Enable(h.ctx, GL_PRIMITIVE_RESTART_FIXED_INDEX);
    DrawElements(h.ctx, GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_BYTE, indices);
    REQUIRE(h.pipe().draws.size() == 2);
    CHECK(h.pipe().draws[1].info.primitive_restart);
    CHECK(h.pipe().draws[1].info.max_index == 2);  // the restart index is not a vertex
    DrawElements(h.ctx, GL_TRIANGLE_STRIP, 1, GL_UNSIGNED_BYTE, indices + 3);
    CHECK(h.pipe().draws.size() == 2);
    CHECK(h.error() == GL_NO_ERROR);
    test::Harness old;
    Enable(old.ctx, GL_PRIMITIVE_RESTART_FIXED_INDEX);
    CHECK(old.error() == GL_INVALID_ENUM);
}

TEST_CASE("with rasterizer discard nothing is cleared, but draws still go to the device") {
    test::Harness h(test::es3());
    Enable(h.ctx, GL_RASTERIZER_DISCARD);
    Clear(h.ctx, GL_COLOR_BUFFER_BIT);
    UseProgram(h.ctx, h.simple_program());
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);
    REQUIRE(h.pipe().draws.size() == 1);
    CHECK(h.pipe().raster_desc().discard);
    CHECK(h.pipe().clears.empty());
    REQUIRE(h.pipe().passes.size() == 1);
    CHECK(h.pipe().passes[0].color[0].load != pipe::LoadOp::Clear);
}
