// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex arrays that were drawn before: only their buffers are passed to the pipe, and never old buffers.
#include <doctest/doctest.h>

#include "tests/state_tracker/draws/draw_harness.h"

using namespace terrazzo;
using namespace terrazzo::st;
using test::Calls;
using test::DrawHarness;

namespace {

struct ArraysHarness : DrawHarness {
    std::vector<GLuint> arrays, buffers;
    /// Arrays with a buffer each; x of vertex i of array a is 100 a + i.
    explicit ArraysHarness(int count) : arrays(size_t(count)), buffers(size_t(count)) {
        GenVertexArrays(ctx, count, arrays.data());
        GenBuffers(ctx, count, buffers.data());
        for (int a = 0; a < count; ++a) {
            BindVertexArray(ctx, arrays[size_t(a)]);
            fill(a, 0);
            VertexAttribPointer(ctx, location, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
            EnableVertexAttribArray(ctx, location);
        }
    }
    void fill(int a, float more) {
        GLfloat v[12] = {};
        for (int i = 0; i < 6; ++i)
            v[2 * i] = float(100 * a + i) + more;
        BindBuffer(ctx, GL_ARRAY_BUFFER, buffers[size_t(a)]);
        BufferData(ctx, GL_ARRAY_BUFFER, sizeof v, v, GL_STATIC_DRAW);
    }
    float draw(int a) {
        BindVertexArray(ctx, arrays[size_t(a)]);
        DrawArrays(ctx, GL_POINTS, 0, 6);
        return fetch(2, location)[0];
    }
};

}  // namespace

TEST_CASE("an array that was drawn before costs only its buffers") {
    ArraysHarness h(2);
    CHECK(h.draw(0) == 2);
    CHECK(h.draw(1) == 102);
    const int states = h.screen.created_states;
    for (int i = 0; i < 4; ++i) {
        CHECK(h.calls([&] { CHECK(h.draw(0) == 2); }) == Calls{"set_vertex_buffers", "draw"});
        CHECK(h.calls([&] { CHECK(h.draw(0) == 2); }) == Calls{"draw"});
        CHECK(h.calls([&] { CHECK(h.draw(1) == 102); }) == Calls{"set_vertex_buffers", "draw"});
    }
    CHECK(h.screen.created_states == states);
    // Another array and back: nothing changed.
    CHECK(h.calls([&] {
        BindVertexArray(h.ctx, h.arrays[0]);
        CHECK(h.draw(1) == 102);
    }) == Calls{"draw"});
    CHECK(h.pipe().violations.empty());
}

TEST_CASE("more arrays than are cached are drawn right") {
    ArraysHarness h(40);
    for (int round = 0; round < 3; ++round)
        for (int a = 0; a < 40; ++a)
            CHECK(h.draw(a) == float(100 * a + 2));
    CHECK(h.pipe().violations.empty());
}

TEST_CASE("a change of an array or of its buffer's storage is used after draws with others") {
    ArraysHarness h(2);
    (void)h.draw(0), (void)h.draw(1);
    h.fill(0, 50);
    CHECK(h.draw(1) == 102);
    CHECK(h.draw(0) == 52);
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, h.buffers[1]);
    VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 8, reinterpret_cast<void*>(8));
    CHECK(h.draw(1) == 102);
    CHECK(h.draw(0) == 103);
    // Smaller writes go to the storage that draws use, or to new storage that draws use afterwards.
    const GLfloat x[2] = {-7, 0};
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 24, 8, x);
    CHECK(h.draw(1) == 102);
    CHECK(h.draw(0) == -7);
    CHECK(h.pipe().violations.empty());
}

TEST_CASE("a current value belongs to every array that lacks its attribute") {
    ArraysHarness h(2);
    BindVertexArray(h.ctx, h.arrays[1]);
    DisableVertexAttribArray(h.ctx, h.location);
    VertexAttrib4f(h.ctx, h.location, 5, 0, 0, 1);
    CHECK(h.draw(1) == 5);
    CHECK(h.draw(0) == 2);
    VertexAttrib4f(h.ctx, h.location, 6, 0, 0, 1);
    CHECK(h.calls([&] { CHECK(h.draw(0) == 2); }) == Calls{"draw"});
    CHECK(h.draw(1) == 6);
    CHECK(h.calls([&] { CHECK(h.draw(1) == 6); }) == Calls{"draw"});
}

TEST_CASE("client arrays are drawn after arrays in buffers, and the reverse") {
    ArraysHarness h(1);
    GLfloat v[12] = {};
    BindVertexArray(h.ctx, 0);
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 0);
    VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 0, v);
    EnableVertexAttribArray(h.ctx, h.location);
    for (int i = 0; i < 3; ++i) {
        v[4] = float(-i);
        BindVertexArray(h.ctx, 0);
        DrawArrays(h.ctx, GL_POINTS, 0, 6);
        CHECK(h.fetch(2, h.location)[0] == float(-i));
        CHECK(h.draw(0) == 2);
    }
}

TEST_CASE("after deletion of arrays and buffers draws do not use them") {
    ArraysHarness h(3);
    for (int a = 0; a < 3; ++a)
        (void)h.draw(a);
    DeleteVertexArrays(h.ctx, 1, &h.arrays[2]);
    DeleteBuffers(h.ctx, 1, &h.buffers[2]);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);  // the default vertex array with current values
    CHECK(h.draw(1) == 102);
    GLuint again = 0;
    GenVertexArrays(h.ctx, 1, &again);
    BindVertexArray(h.ctx, again);
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, h.buffers[0]);
    VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    EnableVertexAttribArray(h.ctx, h.location);
    DrawArrays(h.ctx, GL_POINTS, 0, 6);
    CHECK(h.fetch(2, h.location)[0] == 2);
    CHECK(h.pipe().violations.empty());
}
