// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/draws/transform_feedback.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

constexpr char kVertex[] =
    "#version 300 es\n"
    "in vec4 position; out vec3 place; flat out int number;\n"
    "void main() { gl_Position = position; place = position.xyz * 2.0; number = gl_VertexID; }\n";
constexpr char kFragment[] =
    "#version 300 es\n"
    "precision mediump float; out vec4 color; void main() { color = vec4(1.0); }\n";

struct Feedback : test::Harness {
    explicit Feedback(GLenum mode = GL_INTERLEAVED_ATTRIBS)
        : Harness(test::es3()), p(program(kVertex, kFragment)) {
        const char* names[] = {"place", "number"};
        TransformFeedbackVaryings(ctx, p, 2, names, mode);
        LinkProgram(ctx, p);
        REQUIRE(linked(p));
        UseProgram(ctx, p);
        GenBuffers(ctx, 2, buffers);
        for (unsigned i = 0; i < 2; ++i) {
            BindBufferBase(ctx, GL_TRANSFORM_FEEDBACK_BUFFER, i, buffers[i]);
            BufferData(ctx, GL_TRANSFORM_FEEDBACK_BUFFER, 160, nullptr, GL_DYNAMIC_COPY);
        }
        REQUIRE(error() == GL_NO_ERROR);
    }
    GLuint p, buffers[2] = {};
    Buffer& buffer(unsigned i) { return *ctx.share->buffers.find(buffers[i]); }
    GLenum begin(GLenum mode) { return BeginTransformFeedback(ctx, mode), error(); }
    GLenum draw(GLenum mode, GLsizei count) { return DrawArrays(ctx, mode, 0, count), error(); }
    const std::vector<pipe::BufferRange>& out() { return pipe().stream_outputs; }
};

}  // namespace

TEST_CASE("the device gets the buffers for captured vertices, and the position to continue at") {
    Feedback h;
    CHECK(h.draw(GL_POINTS, 1) == GL_NO_ERROR);
    CHECK(h.out().empty());
    CHECK(h.begin(GL_POINTS) == GL_NO_ERROR);
    CHECK(h.integer(GL_TRANSFORM_FEEDBACK_ACTIVE) == 1);
    CHECK(h.draw(GL_POINTS, 3) == GL_NO_ERROR);
    REQUIRE(h.out().size() == kMaxFeedbackBuffers);
    CHECK(h.out()[0].resource == h.buffer(0).resource.get());
    CHECK(h.out()[0].offset_B == 0);
    CHECK(h.out()[0].size_B == 160);
    CHECK(!h.out()[1].resource);  // interleaved: one buffer
    CHECK(h.buffer(0).device_writes);
    CHECK(!h.buffer(1).device_writes);
    const unsigned told = h.pipe().count("set_stream_outputs");
    CHECK(h.draw(GL_POINTS, 2) == GL_NO_ERROR);
    CHECK(h.pipe().count("set_stream_outputs") == told);  // the device continues by itself
    PauseTransformFeedback(h.ctx);
    CHECK(h.integer(GL_TRANSFORM_FEEDBACK_PAUSED) == 1);
    CHECK(h.draw(GL_TRIANGLES, 3) == GL_NO_ERROR);  // not captured
    CHECK(h.out().empty());
    ResumeTransformFeedback(h.ctx);
    CHECK(h.draw(GL_POINTS, 1) == GL_NO_ERROR);
    CHECK(h.out()[0].offset_B == 5 * 16);
    CHECK(h.out()[0].size_B == 160 - 5 * 16);
    CHECK(h.draw(GL_POINTS, 5) == GL_INVALID_OPERATION);  // there is room for 10
    CHECK(h.draw(GL_POINTS, 4) == GL_NO_ERROR);
    EndTransformFeedback(h.ctx);
    CHECK(h.draw(GL_TRIANGLES, 3) == GL_NO_ERROR);
    CHECK(h.out().empty());
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().violations.empty());
}

TEST_CASE("separate outputs go to a buffer each; ranges limit the writes") {
    Feedback h(GL_SEPARATE_ATTRIBS);
    BindBufferRange(h.ctx, GL_TRANSFORM_FEEDBACK_BUFFER, 1, h.buffers[1], 8, 20);
    CHECK(h.begin(GL_TRIANGLES) == GL_NO_ERROR);
    CHECK(h.draw(GL_TRIANGLES, 6) == GL_INVALID_OPERATION);  // 5 integers fit
    CHECK(h.draw(GL_TRIANGLES, 5) == GL_NO_ERROR);           // one whole triangle
    REQUIRE(h.out().size() == kMaxFeedbackBuffers);
    CHECK(h.out()[1].offset_B == 8);
    CHECK(h.out()[1].size_B == 20);
    CHECK(h.draw(GL_TRIANGLES, 3) == GL_INVALID_OPERATION);
    EndTransformFeedback(h.ctx);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("captured varyings can be queried") {
    Feedback h;
    GLint v = 0;
    GetProgramiv(h.ctx, h.p, GL_TRANSFORM_FEEDBACK_VARYINGS, &v);
    CHECK(v == 2);
    GetProgramiv(h.ctx, h.p, GL_TRANSFORM_FEEDBACK_BUFFER_MODE, &v);
    CHECK(v == GL_INTERLEAVED_ATTRIBS);
    GetProgramiv(h.ctx, h.p, GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH, &v);
    CHECK(v == 7);
    char name[16] = {};
    GLsizei length = 0, size = 0;
    GLenum type = 0;
    GetTransformFeedbackVarying(h.ctx, h.p, 0, sizeof name, &length, &size, &type, name);
    CHECK(std::string(name) == "place");
    CHECK(length == 5);
    CHECK(size == 1);
    CHECK(type == GL_FLOAT_VEC3);
    GetTransformFeedbackVarying(h.ctx, h.p, 1, sizeof name, &length, &size, &type, name);
    CHECK(type == GL_INT);
    CHECK(h.error() == GL_NO_ERROR);
    GetTransformFeedbackVarying(h.ctx, h.p, 2, sizeof name, &length, &size, &type, name);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetTransformFeedbackVarying(h.ctx, h.p, 0, -1, &length, &size, &type, name);
    CHECK(h.error() == GL_INVALID_VALUE);
    const char* names[] = {"a", "b", "c", "d", "e"};
    TransformFeedbackVaryings(h.ctx, h.p, 5, names, GL_SEPARATE_ATTRIBS);
    CHECK(h.error() == GL_INVALID_VALUE);
    TransformFeedbackVaryings(h.ctx, h.p, -1, names, GL_INTERLEAVED_ATTRIBS);
    CHECK(h.error() == GL_INVALID_VALUE);
    TransformFeedbackVaryings(h.ctx, h.p, 1, names, GL_VIEWPORT);
    CHECK(h.error() == GL_INVALID_ENUM);
    // A program with an unknown output does not link.
    TransformFeedbackVaryings(h.ctx, h.p, 1, names, GL_INTERLEAVED_ATTRIBS);
    LinkProgram(h.ctx, h.p);
    CHECK(!h.linked(h.p));
}

TEST_CASE("transform feedback: errors of its commands") {
    Feedback h;
    CHECK(h.begin(GL_TRIANGLE_STRIP) == GL_INVALID_ENUM);
    EndTransformFeedback(h.ctx);
    CHECK(h.error() == GL_INVALID_OPERATION);
    PauseTransformFeedback(h.ctx);
    CHECK(h.error() == GL_INVALID_OPERATION);
    ResumeTransformFeedback(h.ctx);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BindBufferBase(h.ctx, GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    CHECK(h.begin(GL_POINTS) == GL_INVALID_OPERATION);  // no buffer
    BindBufferBase(h.ctx, GL_TRANSFORM_FEEDBACK_BUFFER, 0, h.buffers[0]);
    const GLuint plain = h.simple_program();
    UseProgram(h.ctx, plain);
    CHECK(h.begin(GL_POINTS) == GL_INVALID_OPERATION);  // nothing to capture
    UseProgram(h.ctx, h.p);
    CHECK(h.begin(GL_POINTS) == GL_NO_ERROR);
    CHECK(h.begin(GL_POINTS) == GL_INVALID_OPERATION);
    CHECK(h.draw(GL_TRIANGLES, 3) == GL_INVALID_OPERATION);
    const uint8_t indices[] = {0};
    DrawElements(h.ctx, GL_POINTS, 1, GL_UNSIGNED_BYTE, indices);
    CHECK(h.error() == GL_INVALID_OPERATION);
    UseProgram(h.ctx, plain);
    CHECK(h.error() == GL_INVALID_OPERATION);
    LinkProgram(h.ctx, h.p);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BindBufferBase(h.ctx, GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BindTransformFeedback(h.ctx, GL_TRANSFORM_FEEDBACK, 0);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, h.buffers[0]);
    CHECK(MapBufferRange(h.ctx, GL_ARRAY_BUFFER, 0, 4, GL_MAP_READ_BIT));
    CHECK(h.draw(GL_POINTS, 1) == GL_INVALID_OPERATION);
    CHECK(UnmapBuffer(h.ctx, GL_ARRAY_BUFFER));
    PauseTransformFeedback(h.ctx);
    UseProgram(h.ctx, plain);
    CHECK(h.error() == GL_NO_ERROR);
    ResumeTransformFeedback(h.ctx);
    CHECK(h.error() == GL_INVALID_OPERATION);
    EndTransformFeedback(h.ctx);
    LinkProgram(h.ctx, h.p);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("captured draws may have indices if geometry shaders are supported") {
    const uint8_t indices[] = {0};
    for (const bool has : {false, true}) {
        Feedback h;
        h.ctx.limits.extensions[extension_row("GL_EXT_geometry_shader")] = has;
        CHECK(h.begin(GL_POINTS) == GL_NO_ERROR);
        DrawElements(h.ctx, GL_POINTS, 1, GL_UNSIGNED_BYTE, indices);
        CHECK(h.error() == (has ? GL_NO_ERROR : GL_INVALID_OPERATION));
        EndTransformFeedback(h.ctx);
    }
}

TEST_CASE("transform feedback objects") {
    Feedback h;
    GLuint t[2] = {};
    GenTransformFeedbacks(h.ctx, 2, t);
    CHECK(!IsTransformFeedback(h.ctx, t[0]));
    BindTransformFeedback(h.ctx, GL_TRANSFORM_FEEDBACK, t[0]);
    CHECK(IsTransformFeedback(h.ctx, t[0]));
    CHECK(h.integer(GL_TRANSFORM_FEEDBACK_BINDING) == GLint(t[0]));
    CHECK(h.begin(GL_POINTS) == GL_INVALID_OPERATION);  // its own binding points are empty
    BindBufferBase(h.ctx, GL_TRANSFORM_FEEDBACK_BUFFER, 0, h.buffers[1]);
    CHECK(h.begin(GL_POINTS) == GL_NO_ERROR);
    PauseTransformFeedback(h.ctx);
    DeleteTransformFeedbacks(h.ctx, 1, t);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BindTransformFeedback(h.ctx, GL_TRANSFORM_FEEDBACK, 0);
    CHECK(h.begin(GL_POINTS) == GL_NO_ERROR);  // two at once, one of them is paused
    EndTransformFeedback(h.ctx);
    BindTransformFeedback(h.ctx, GL_TRANSFORM_FEEDBACK, t[0]);
    CHECK(h.integer(GL_TRANSFORM_FEEDBACK_PAUSED) == 1);
    ResumeTransformFeedback(h.ctx);
    EndTransformFeedback(h.ctx);
    CHECK(h.error() == GL_NO_ERROR);
    DeleteTransformFeedbacks(h.ctx, 2, t);
    CHECK(h.integer(GL_TRANSFORM_FEEDBACK_BINDING) == 0);
    BindTransformFeedback(h.ctx, GL_TRANSFORM_FEEDBACK, 77);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BindTransformFeedback(h.ctx, GL_TEXTURE_2D, 0);
    CHECK(h.error() == GL_INVALID_ENUM);
    GenTransformFeedbacks(h.ctx, -1, t);
    CHECK(h.error() == GL_INVALID_VALUE);
}

TEST_CASE("a destroyed context releases the programs that it captured") {
    Feedback h;
    auto other = Context::create(h.screen, &h.ctx, test::es3());
    UseProgram(*other, h.p);
    BindBufferBase(*other, GL_TRANSFORM_FEEDBACK_BUFFER, 0, h.buffers[0]);
    BeginTransformFeedback(*other, GL_POINTS);
    CHECK(GetError(*other) == GL_NO_ERROR);
    LinkProgram(h.ctx, h.p);
    CHECK(h.error() == GL_INVALID_OPERATION);
    other.reset();
    LinkProgram(h.ctx, h.p);
    CHECK(h.error() == GL_NO_ERROR);
}
