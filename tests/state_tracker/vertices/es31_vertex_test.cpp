// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Bindings and formats of vertex arrays (OpenGL ES 3.1 section 10.3): fetched data, queries, errors.
#include <doctest/doctest.h>

#include "state_tracker/vertices/vertex_array.h"
#include "tests/state_tracker/draws/draw_harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct Arrays : test::DrawHarness {
    Arrays() : DrawHarness(test::es31()) {
        GenVertexArrays(ctx, 1, &array);
        BindVertexArray(ctx, array);
        GenBuffers(ctx, 2, buffers);
        buffer_vertices();
    }
    GLuint array = 0, buffers[2] = {};
    GLint attrib(GLenum pname) {
        GLint v = -77;
        GetVertexAttribiv(ctx, location, pname, &v);
        return v;
    }
    GLint binding(GLenum pname, GLuint index) {
        GLint v = -77;
        GetIntegeri_v(ctx, pname, index, &v);
        return v;
    }
};

}  // namespace

TEST_CASE("an attribute reads from its binding") {
    Arrays h;
    const GLuint data = h.buffers[0];
    const GLfloat v[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, data);
    BufferData(h.ctx, GL_ARRAY_BUFFER, sizeof v, v, GL_STATIC_DRAW);
    VertexAttribFormat(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 4);
    VertexAttribBinding(h.ctx, h.location, 5);
    BindVertexBuffer(h.ctx, 5, data, 8, 12);
    CHECK(h.error() == GL_NO_ERROR);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.fetch(0, h.location)[0] == 3);
    CHECK(h.fetch(1, h.location)[0] == 6);
    CHECK(h.fetch(1, h.location)[1] == 7);

    CHECK(h.attrib(GL_VERTEX_ATTRIB_BINDING) == 5);
    CHECK(h.attrib(GL_VERTEX_ATTRIB_RELATIVE_OFFSET) == 4);
    CHECK(h.attrib(GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) == GLint(data));
    CHECK(h.binding(GL_VERTEX_BINDING_BUFFER, 5) == GLint(data));
    CHECK(h.binding(GL_VERTEX_BINDING_OFFSET, 5) == 8);
    CHECK(h.binding(GL_VERTEX_BINDING_STRIDE, 5) == 12);
    CHECK(h.binding(GL_VERTEX_BINDING_STRIDE, 6) == 16);

    // With a stride of 0 all vertices read the same element.
    BindVertexBuffer(h.ctx, 5, data, 8, 0);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.last().vertex_buffers[0].stride_B == 0);
    // The older command sets the format and the binding with the attribute's own number.
    VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 0, reinterpret_cast<const void*>(16));
    CHECK(h.attrib(GL_VERTEX_ATTRIB_BINDING) == GLint(h.location));
    CHECK(h.attrib(GL_VERTEX_ATTRIB_RELATIVE_OFFSET) == 0);
    CHECK(h.binding(GL_VERTEX_BINDING_OFFSET, h.location) == 16);
    CHECK(h.binding(GL_VERTEX_BINDING_STRIDE, h.location) == 8);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.fetch(1, h.location)[0] == 6);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("a binding without a buffer is not an address") {
    Arrays h;
    VertexAttribBinding(h.ctx, h.location, 3);
    BindVertexBuffer(h.ctx, 3, 0, 64, 8);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.last().vertex_buffers[0].resource == nullptr);
    // Deleting a buffer removes it from its binding.
    BindVertexBuffer(h.ctx, 3, h.buffers[0], 64, 8);
    DeleteBuffers(h.ctx, 1, h.buffers);
    CHECK(h.binding(GL_VERTEX_BINDING_BUFFER, 3) == 0);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.last().vertex_buffers[0].resource == nullptr);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("divisors belong to bindings") {
    Arrays h;
    VertexAttribBinding(h.ctx, h.location, 2);
    VertexBindingDivisor(h.ctx, 2, 7);
    CHECK(h.attrib(GL_VERTEX_ATTRIB_ARRAY_DIVISOR) == 7);
    CHECK(h.binding(GL_VERTEX_BINDING_DIVISOR, 2) == 7);
    VertexAttribDivisor(h.ctx, h.location, 3);  // sets the binding with the attribute's number
    CHECK(h.attrib(GL_VERTEX_ATTRIB_BINDING) == GLint(h.location));
    CHECK(h.attrib(GL_VERTEX_ATTRIB_ARRAY_DIVISOR) == 3);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("errors of vertex bindings") {
    Arrays h;
    const auto error = [&](auto&& f) {
        f();
        return h.error();
    };
    const GLuint b = h.buffers[0];
    CHECK(error([&] { BindVertexBuffer(h.ctx, 16, b, 0, 8); }) == GL_INVALID_VALUE);
    CHECK(error([&] { BindVertexBuffer(h.ctx, 0, b, -4, 8); }) == GL_INVALID_VALUE);
    CHECK(error([&] { BindVertexBuffer(h.ctx, 0, b, 0, -1); }) == GL_INVALID_VALUE);
    CHECK(error([&] { BindVertexBuffer(h.ctx, 0, b, 0, 2049); }) == GL_INVALID_VALUE);
    CHECK(error([&] { BindVertexBuffer(h.ctx, 0, 1234, 0, 8); }) == GL_INVALID_OPERATION);
    CHECK(error([&] { VertexAttribFormat(h.ctx, 16, 2, GL_FLOAT, 0, 0); }) == GL_INVALID_VALUE);
    CHECK(error([&] { VertexAttribFormat(h.ctx, 0, 5, GL_FLOAT, 0, 0); }) == GL_INVALID_VALUE);
    CHECK(error([&] { VertexAttribFormat(h.ctx, 0, 2, GL_RGBA, 0, 0); }) == GL_INVALID_ENUM);
    CHECK(error([&] { VertexAttribFormat(h.ctx, 0, 2, GL_FLOAT, 0, 2048); }) == GL_INVALID_VALUE);
    CHECK(error([&] { VertexAttribFormat(h.ctx, 0, 3, GL_INT_2_10_10_10_REV, 0, 0); }) ==
          GL_INVALID_OPERATION);
    CHECK(error([&] { VertexAttribIFormat(h.ctx, 0, 2, GL_FLOAT, 0); }) == GL_INVALID_ENUM);
    CHECK(error([&] { VertexAttribBinding(h.ctx, 16, 0); }) == GL_INVALID_VALUE);
    CHECK(error([&] { VertexAttribBinding(h.ctx, 0, 16); }) == GL_INVALID_VALUE);
    CHECK(error([&] { VertexBindingDivisor(h.ctx, 16, 0); }) == GL_INVALID_VALUE);
    CHECK(error([&] { VertexAttribPointer(h.ctx, 0, 2, GL_FLOAT, 0, 2049, nullptr); }) == GL_INVALID_VALUE);
    BindVertexArray(h.ctx, 0);
    CHECK(error([&] { BindVertexBuffer(h.ctx, 0, b, 0, 8); }) == GL_INVALID_OPERATION);
    CHECK(error([&] { VertexAttribFormat(h.ctx, 0, 2, GL_FLOAT, 0, 0); }) == GL_INVALID_OPERATION);
    CHECK(error([&] { VertexAttribIFormat(h.ctx, 0, 2, GL_INT, 0); }) == GL_INVALID_OPERATION);
    CHECK(error([&] { VertexAttribBinding(h.ctx, 0, 0); }) == GL_INVALID_OPERATION);
    CHECK(error([&] { VertexBindingDivisor(h.ctx, 0, 0); }) == GL_INVALID_OPERATION);
}
