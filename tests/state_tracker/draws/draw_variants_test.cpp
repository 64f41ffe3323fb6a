// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws with a base vertex, with a base instance, and several draws at once (EXT_draw_elements_base_vertex,
// EXT_base_instance, EXT_multi_draw_arrays, EXT_multi_draw_indirect).
#include <doctest/doctest.h>

#include "tests/state_tracker/draws/draw_harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

const void* at(uintptr_t offset) {
    return reinterpret_cast<const void*>(offset);
}

struct Variants : test::DrawHarness {
    Variants() : DrawHarness(test::es31()) {}
    /// Indices 0 to 5 in a buffer.
    void buffer_indices() {
        const GLushort indices[] = {0, 1, 2, 3, 4, 5};
        GLuint b = 0;
        GenBuffers(ctx, 1, &b);
        BindBuffer(ctx, GL_ELEMENT_ARRAY_BUFFER, b);
        BufferData(ctx, GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    }
    void bind_array_object() {
        GLuint array = 0;
        GenVertexArrays(ctx, 1, &array);
        BindVertexArray(ctx, array);
    }
    void indirect(std::vector<GLuint> words) {
        GLuint b = 0;
        GenBuffers(ctx, 1, &b);
        BindBuffer(ctx, GL_DRAW_INDIRECT_BUFFER, b);
        BufferData(ctx, GL_DRAW_INDIRECT_BUFFER, GLsizeiptr(words.size() * 4), words.data(), GL_STATIC_DRAW);
    }
    template <class F>
    void fails(GLenum code, F&& f) {
        const size_t before = pipe().draws.size();
        f();
        CHECK(error() == code);
        CHECK(pipe().draws.size() == before);
    }
};

const GLushort kIndices[] = {3, 2, 4};

}  // namespace

TEST_CASE("a base vertex is added to indices") {
    Variants h;
    h.buffer_vertices();
    h.buffer_indices();
    DrawElementsBaseVertex(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, at(2), -1);
    CHECK(h.last().ranges[0].index_bias == -1);
    CHECK(h.last().ranges[0].count == 3);
    CHECK(h.last().info.index_offset_B == 2);
    DrawRangeElementsBaseVertex(h.ctx, GL_POINTS, 0, 9, 2, GL_UNSIGNED_SHORT, at(0), 4);
    CHECK(h.last().ranges[0].index_bias == 4);
    DrawElementsInstancedBaseVertex(h.ctx, GL_LINES, 2, GL_UNSIGNED_SHORT, at(0), 7, 1);
    CHECK(h.last().ranges[0].index_bias == 1);
    CHECK(h.last().info.instance_count == 7);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().draws.size() == 3);
}

TEST_CASE("client arrays with a base vertex: the right vertices are read") {
    Variants h;
    GLfloat v[20];
    for (int i = 0; i < 20; ++i)
        v[i] = float(i);
    VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 0, v);
    EnableVertexAttribArray(h.ctx, h.location);
    DrawElementsBaseVertex(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, kIndices, 5);
    REQUIRE(h.pipe().draws.size() == 1);
    // The vertices 7 to 9 are uploaded; index 2 is the first of them.
    const int32_t bias = h.last().ranges[0].index_bias;
    CHECK(bias == -2);
    CHECK(h.fetch(uint32_t(3 + bias), h.location)[0] == 16);
    CHECK(h.fetch(uint32_t(2 + bias), h.location)[0] == 14);
    DrawElementsBaseVertex(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, kIndices, -2);
    CHECK(h.last().ranges[0].index_bias == -2);
    CHECK(h.fetch(1, h.location)[0] == 2);
    // There is nothing before the array.
    h.fails(GL_NO_ERROR,
            [&] { DrawElementsBaseVertex(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, kIndices, -3); });
    h.fails(GL_OUT_OF_MEMORY,
            [&] { DrawElementsBaseVertex(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, kIndices, INT32_MAX); });
}

TEST_CASE("a base instance offsets arrays with a divisor, for that draw") {
    Variants h;
    h.buffer_vertices();
    VertexAttribDivisor(h.ctx, h.location, 1);
    DrawArraysInstanced(h.ctx, GL_POINTS, 0, 1, 2);
    CHECK(h.fetch(0, h.location)[0] == 0);
    DrawArraysInstancedBaseInstance(h.ctx, GL_POINTS, 0, 1, 2, 3);
    CHECK(h.fetch(0, h.location)[0] == 3);
    CHECK(h.last().info.first_instance == 0);  // gl_InstanceID begins with 0
    DrawArraysInstanced(h.ctx, GL_POINTS, 0, 1, 2);
    CHECK(h.fetch(0, h.location)[0] == 0);
    h.buffer_indices();
    DrawElementsInstancedBaseInstance(h.ctx, GL_POINTS, 1, GL_UNSIGNED_SHORT, at(0), 1, 2);
    CHECK(h.fetch(0, h.location)[0] == 2);
    DrawElementsInstancedBaseVertexBaseInstance(h.ctx, GL_POINTS, 1, GL_UNSIGNED_SHORT, at(0), 1, 1, 4);
    CHECK(h.fetch(0, h.location)[0] == 4);
    CHECK(h.last().ranges[0].index_bias == 1);
    VertexAttribDivisor(h.ctx, h.location, 0);
    DrawArraysInstancedBaseInstance(h.ctx, GL_POINTS, 0, 1, 2, 3);
    CHECK(h.fetch(0, h.location)[0] == 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("a base instance of client arrays") {
    Variants h;
    GLfloat v[20];
    for (int i = 0; i < 20; ++i)
        v[i] = float(i);
    VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 0, v);
    EnableVertexAttribArray(h.ctx, h.location);
    VertexAttribDivisor(h.ctx, h.location, 2);
    DrawArraysInstancedBaseInstance(h.ctx, GL_POINTS, 5, 1, 3, 4);
    CHECK(h.fetch(0, h.location)[0] == 8);
    CHECK(h.fetch(1, h.location)[0] == 10);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("many draws at once") {
    Variants h;
    h.buffer_vertices();
    h.buffer_indices();
    const GLint first[] = {1, 0, 2};
    const GLsizei count[] = {2, 0, 3};
    MultiDrawArrays(h.ctx, GL_POINTS, first, count, 3);
    REQUIRE(h.pipe().draws.size() == 2);
    CHECK(h.pipe().draws[0].ranges[0].first == 1);
    CHECK(h.pipe().draws[1].ranges[0].first == 2);
    CHECK(h.pipe().draws[1].ranges[0].count == 3);
    const void* const indices[] = {at(0), at(2), at(4)};
    const GLint base[] = {1, 2, 3};
    MultiDrawElements(h.ctx, GL_POINTS, count, GL_UNSIGNED_SHORT, indices, 3);
    REQUIRE(h.pipe().draws.size() == 4);
    CHECK(h.last().info.index_offset_B == 4);
    MultiDrawElementsBaseVertex(h.ctx, GL_POINTS, count, GL_UNSIGNED_SHORT, indices, 3, base);
    REQUIRE(h.pipe().draws.size() == 6);
    CHECK(h.last().ranges[0].index_bias == 3);
    MultiDrawArrays(h.ctx, GL_POINTS, nullptr, nullptr, 0);
    CHECK(h.error() == GL_NO_ERROR);
    h.fails(GL_INVALID_VALUE, [&] { MultiDrawArrays(h.ctx, GL_POINTS, first, count, -1); });
    h.fails(GL_INVALID_ENUM, [&] { MultiDrawArrays(h.ctx, 99, first, count, 1); });
    h.fails(GL_INVALID_VALUE,
            [&] { MultiDrawElements(h.ctx, GL_POINTS, count, GL_UNSIGNED_SHORT, indices, -1); });
    h.fails(GL_INVALID_ENUM, [&] { MultiDrawElements(h.ctx, GL_POINTS, count, GL_FLOAT, indices, 1); });
    h.fails(GL_INVALID_VALUE, [&] {
        MultiDrawElementsBaseVertex(h.ctx, GL_POINTS, count, GL_UNSIGNED_SHORT, indices, -1, base);
    });
    const GLsizei negative = -1;
    h.fails(GL_INVALID_VALUE, [&] {
        MultiDrawElementsBaseVertex(h.ctx, GL_POINTS, &negative, GL_UNSIGNED_SHORT, indices, 1, nullptr);
    });
    h.fails(GL_INVALID_ENUM,
            [&] { MultiDrawElementsBaseVertex(h.ctx, GL_POINTS, count, GL_FLOAT, indices, 1, nullptr); });
}

TEST_CASE("many indirect draws at once") {
    Variants h;
    h.bind_array_object();
    h.buffer_vertices();
    h.buffer_indices();
    h.indirect({1, 1, 0, 0, 99, 2, 1, 3, 0, 99});
    MultiDrawArraysIndirect(h.ctx, GL_POINTS, at(0), 2, 20);
    REQUIRE(h.pipe().draws.size() == 2);
    CHECK(h.last().ranges[0].first == 3);
    CHECK(h.last().ranges[0].count == 2);
    h.indirect({1, 1, 0, 5, 0, 2, 1, 3, 6, 0});
    MultiDrawElementsIndirect(h.ctx, GL_POINTS, GL_UNSIGNED_SHORT, at(0), 2, 0);  // 0: tightly packed
    REQUIRE(h.pipe().draws.size() == 4);
    CHECK(h.last().info.index_offset_B == 6);
    CHECK(h.last().ranges[0].index_bias == 6);
    MultiDrawArraysIndirect(h.ctx, GL_POINTS, at(0), 0, 0);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().draws.size() == 4);
    h.fails(GL_INVALID_VALUE, [&] { MultiDrawArraysIndirect(h.ctx, GL_POINTS, at(0), -1, 0); });
    h.fails(GL_INVALID_VALUE, [&] { MultiDrawArraysIndirect(h.ctx, GL_POINTS, at(0), 1, 18); });
    h.fails(GL_INVALID_VALUE, [&] { MultiDrawArraysIndirect(h.ctx, GL_POINTS, at(0), 1, -16); });
    h.fails(GL_INVALID_VALUE, [&] { MultiDrawArraysIndirect(h.ctx, GL_POINTS, at(2), 1, 0); });
    // The last draw does not fit into the buffer: none is executed.
    h.fails(GL_INVALID_OPERATION, [&] { MultiDrawArraysIndirect(h.ctx, GL_POINTS, at(0), 3, 0); });
    h.fails(GL_INVALID_OPERATION,
            [&] { MultiDrawArraysIndirect(h.ctx, GL_POINTS, at(INTPTR_MAX - 3), 2, INT32_MAX - 3); });
    h.fails(GL_INVALID_ENUM, [&] { MultiDrawElementsIndirect(h.ctx, GL_POINTS, GL_FLOAT, at(0), 1, 0); });
    // EXT_base_instance: the base instance is the last word.
    VertexAttribDivisor(h.ctx, h.location, 1);
    h.indirect({1, 1, 0, 4});
    DrawArraysIndirect(h.ctx, GL_POINTS, at(0));
    CHECK(h.fetch(0, h.location)[0] == 4);
}

TEST_CASE("errors of draws with a base vertex or a base instance") {
    Variants h;
    h.buffer_vertices();
    const GLenum u16 = GL_UNSIGNED_SHORT;
    h.fails(GL_INVALID_ENUM, [&] { DrawElementsBaseVertex(h.ctx, 99, 3, u16, kIndices, 0); });
    h.fails(GL_INVALID_ENUM, [&] { DrawElementsBaseVertex(h.ctx, GL_POINTS, 3, GL_INT, kIndices, 0); });
    h.fails(GL_INVALID_VALUE, [&] { DrawElementsBaseVertex(h.ctx, GL_POINTS, -1, u16, kIndices, 0); });
    h.fails(GL_INVALID_VALUE,
            [&] { DrawRangeElementsBaseVertex(h.ctx, GL_POINTS, 5, 4, 3, u16, kIndices, 0); });
    h.fails(GL_INVALID_VALUE,
            [&] { DrawElementsInstancedBaseVertex(h.ctx, GL_POINTS, 3, u16, kIndices, -1, 0); });
    h.fails(GL_INVALID_VALUE, [&] { DrawArraysInstancedBaseInstance(h.ctx, GL_POINTS, -1, 1, 1, 0); });
    h.fails(GL_INVALID_VALUE, [&] { DrawArraysInstancedBaseInstance(h.ctx, GL_POINTS, 0, 1, -1, 0); });
    h.fails(GL_INVALID_VALUE,
            [&] { DrawElementsInstancedBaseInstance(h.ctx, GL_POINTS, -1, u16, kIndices, 1, 0); });
    h.fails(GL_INVALID_ENUM,
            [&] { DrawElementsInstancedBaseVertexBaseInstance(h.ctx, 99, 1, u16, kIndices, 1, 0, 0); });
    h.fails(GL_NO_ERROR, [&] { DrawElementsInstancedBaseVertex(h.ctx, GL_POINTS, 3, u16, kIndices, 0, 0); });
}
