// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// OpenGL ES 3.0 like a program uses it: through the public libraries, drawn, and read back.
#include <GLES3/gl3.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/api/egl/fixture.h"

namespace {

struct Version {
    Version() { setenv("TERRAZZO_GLES_VERSION", "3.0", 1); }
    ~Version() { unsetenv("TERRAZZO_GLES_VERSION"); }
};

/// A context of OpenGL ES 3.0 with a pbuffer of 16 x 16.
struct Es3 : Version, fixture::Display {
    Es3() {
        EGLConfig c = config({EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8});
        const EGLint a[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
        EGLContext x = eglCreateContext(dpy, c, EGL_NO_CONTEXT, a);
        EGLSurface s = pbuffer(c, 16, 16);
        REQUIRE(x != EGL_NO_CONTEXT);
        REQUIRE(eglMakeCurrent(dpy, s, s, x));
    }
    static GLuint shader(GLuint p, GLenum type, const char* body) {
        const GLuint s = glCreateShader(type);
        const std::string text = std::string("#version 300 es\nprecision highp float;\n") + body;
        const char* strings[] = {text.c_str()};
        glShaderSource(s, 1, strings, nullptr);
        glCompileShader(s);
        GLint ok = 0;
        char log[512] = "";
        glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
        glGetShaderInfoLog(s, sizeof log, nullptr, log);
        REQUIRE_MESSAGE(ok, log);
        glAttachShader(p, s);
        return s;
    }
    static GLuint program(const char* vertex, const char* fragment, std::vector<const char*> captured = {},
                          GLenum mode = GL_INTERLEAVED_ATTRIBS) {
        const GLuint p = glCreateProgram();
        shader(p, GL_VERTEX_SHADER, vertex);
        shader(p, GL_FRAGMENT_SHADER, fragment);
        if (!captured.empty())
            glTransformFeedbackVaryings(p, GLsizei(captured.size()), captured.data(), mode);
        glLinkProgram(p);
        GLint ok = 0;
        char log[512] = "";
        glGetProgramiv(p, GL_LINK_STATUS, &ok);
        glGetProgramInfoLog(p, sizeof log, nullptr, log);
        REQUIRE_MESSAGE(ok, log);
        glUseProgram(p);
        return p;
    }
    static GLuint buffer(GLenum target, const void* data, size_t size_B) {
        GLuint b = 0;
        glGenBuffers(1, &b);
        glBindBuffer(target, b);
        glBufferData(target, GLsizeiptr(size_B), data, GL_STATIC_DRAW);
        return b;
    }
    template <class T>
    static std::vector<T> contents(GLenum target, size_t count) {
        std::vector<T> out(count);
        const void* const from = glMapBufferRange(target, 0, GLsizeiptr(count * sizeof(T)), GL_MAP_READ_BIT);
        REQUIRE(from);
        std::memcpy(out.data(), from, count * sizeof(T));
        CHECK(glUnmapBuffer(target));
        return out;
    }
    static std::vector<int> pixel(int x, int y) {
        unsigned char p[4];
        glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
        return {p, p + 4};
    }
    ~Es3() { CHECK(glGetError() == GL_NO_ERROR); }
};

using Pixel = std::vector<int>;

constexpr char kWhite[] = "out vec4 color; void main() { color = vec4(1.0); }";

}  // namespace

TEST_CASE_FIXTURE(Es3, "uniform blocks of both stages, changed between draws") {
    const GLuint p = program(
        "layout(std140) uniform Place { vec2 offset; float scale; };\n"
        "void main() { vec2 c = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
        "gl_Position = vec4(c * scale + offset, 0.0, 1.0); }",
        "layout(std140) uniform Look { vec4 tint[2]; ivec4 which; } look; out vec4 color;\n"
        "void main() { color = look.tint[look.which.y]; }");
    const float left[4] = {-0.5f, 0, 0.5f, 0}, right[4] = {0.5f, 0, 0.5f, 0};
    struct {
        float tint[2][4] = {{1, 0, 0, 1}, {0, 0, 1, 1}};
        int which[4] = {0, 1, 0, 0};
    } look;
    buffer(GL_UNIFORM_BUFFER, left, sizeof left);
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, buffer(GL_UNIFORM_BUFFER, &look, sizeof look));
    const GLuint place = buffer(GL_UNIFORM_BUFFER, left, sizeof left);
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, place, 0, sizeof left);
    glUniformBlockBinding(p, glGetUniformBlockIndex(p, "Look"), 2);
    glUniformBlockBinding(p, glGetUniformBlockIndex(p, "Place"), 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    // Earlier draws keep the values that the buffer had then.
    glBindBuffer(GL_UNIFORM_BUFFER, place);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof right, right);
    look.which[1] = 0;
    GLint bound = 0;
    glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 2, &bound);
    glBindBuffer(GL_COPY_WRITE_BUFFER, GLuint(bound));
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, sizeof look, &look);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(pixel(4, 8) == Pixel{0, 0, 255, 255});
    CHECK(pixel(12, 8) == Pixel{255, 0, 0, 255});
    CHECK(pixel(4, 1) == Pixel{0, 0, 0, 0});
}

TEST_CASE_FIXTURE(Es3, "instances with divisors, integer attributes and gl_InstanceID") {
    program(
        "in vec2 corner; in ivec2 cell; in uvec4 tint; flat out uvec4 look;\n"
        "void main() { look = tint; vec2 at = corner + vec2(cell) + vec2(float(gl_InstanceID / 8) * 0.0);\n"
        "gl_Position = vec4(at / 8.0 - 1.0, 0.0, 1.0); }",
        "flat in uvec4 look; out vec4 color; void main() { color = vec4(look) / 255.0; }");
    GLint p = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &p);
    const GLuint corner = GLuint(glGetAttribLocation(GLuint(p), "corner")),
                 cell = GLuint(glGetAttribLocation(GLuint(p), "cell")),
                 tint = GLuint(glGetAttribLocation(GLuint(p), "tint"));
    GLuint va = 0;
    glGenVertexArrays(1, &va);
    glBindVertexArray(va);
    const float corners[] = {0, 0, 2, 0, 0, 2, 2, 2};
    buffer(GL_ARRAY_BUFFER, corners, sizeof corners);
    glVertexAttribPointer(corner, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(corner);
    const int16_t cells[] = {0, 0, 4, 0, 8, 8, 14, 14};
    buffer(GL_ARRAY_BUFFER, cells, sizeof cells);
    glVertexAttribIPointer(cell, 2, GL_SHORT, 0, nullptr);
    glVertexAttribDivisor(cell, 1);
    glEnableVertexAttribArray(cell);
    const uint8_t tints[] = {255, 0, 0, 255, 0, 200, 0, 255};
    buffer(GL_ARRAY_BUFFER, tints, sizeof tints);
    glVertexAttribIPointer(tint, 4, GL_UNSIGNED_BYTE, 0, nullptr);
    glVertexAttribDivisor(tint, 2);
    glEnableVertexAttribArray(tint);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 4);
    CHECK(pixel(1, 1) == Pixel{255, 0, 0, 255});
    CHECK(pixel(5, 1) == Pixel{255, 0, 0, 255});
    CHECK(pixel(9, 9) == Pixel{0, 200, 0, 255});
    CHECK(pixel(15, 15) == Pixel{0, 200, 0, 255});
    CHECK(pixel(3, 1) == Pixel{0, 0, 0, 0});
    // Without an array the current value is used, with the type it was set with.
    glDisableVertexAttribArray(tint);
    glVertexAttribI4ui(tint, 0, 0, 77, 255);
    const uint16_t indices[] = {0, 1, 2, 0xffff, 1, 2, 3};
    buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof indices);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElementsInstanced(GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_SHORT, nullptr, 1);
    CHECK(pixel(0, 0) == Pixel{0, 0, 77, 255});
    CHECK(pixel(1, 1) == Pixel{0, 0, 77, 255});
}

TEST_CASE_FIXTURE(Es3, "transform feedback writes vertices in order, without drawing") {
    program(
        "in vec2 v; out vec2 twice; flat out ivec2 ids;\n"
        "void main() { gl_Position = vec4(v, 0.0, 1.0); twice = v * 2.0; ids = ivec2(gl_VertexID, "
        "gl_InstanceID); }",
        kWhite, {"twice", "ids", "gl_Position"});
    const float in[] = {1, 2, 3, 4, 5, 6, 7, 8};
    buffer(GL_ARRAY_BUFFER, in, sizeof in);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    const GLuint out = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, nullptr, 64 * 32);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, out);
    GLuint q = 0;
    glGenQueries(1, &q);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, q);
    glEnable(GL_RASTERIZER_DISCARD);
    glClear(GL_COLOR_BUFFER_BIT);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArraysInstanced(GL_POINTS, 1, 2, 2);
    glPauseTransformFeedback();
    glDrawArrays(GL_POINTS, 0, 4);
    glResumeTransformFeedback();
    glDrawArrays(GL_POINTS, 3, 1);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    GLuint written = 0;
    glGetQueryObjectuiv(q, GL_QUERY_RESULT, &written);
    CHECK(written == 5);
    struct Record {
        float twice[2];
        int ids[2];
        float position[4];
    };
    const auto got = contents<Record>(GL_TRANSFORM_FEEDBACK_BUFFER, 6);
    const int ids[5][2] = {{1, 0}, {2, 0}, {1, 1}, {2, 1}, {3, 0}};
    for (int i = 0; i < 5; ++i) {
        CAPTURE(i);
        CHECK(got[size_t(i)].ids[0] == ids[i][0]);
        CHECK(got[size_t(i)].ids[1] == ids[i][1]);
        CHECK(got[size_t(i)].twice[0] == 2 * in[ids[i][0] * 2]);
        CHECK(got[size_t(i)].position[1] == in[ids[i][0] * 2 + 1]);
        CHECK(got[size_t(i)].position[3] == 1);
    }
    CHECK(got[5].position[3] == 0);
    glDisable(GL_RASTERIZER_DISCARD);
    // Captured data is a source of vertices.
    program(
        "in vec4 at; void main() { gl_Position = vec4((at.xy + 0.5) / 8.0 - 1.0, 0.0, 1.0); gl_PointSize = "
        "1.0; }",
        kWhite);
    glBindBuffer(GL_ARRAY_BUFFER, out);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(Record), nullptr);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_POINTS, 0, 5);
    CHECK(pixel(6, 8) == Pixel{255, 255, 255, 255});
    CHECK(pixel(14, 15) == Pixel{0, 0, 0, 0});
    glDeleteQueries(1, &q);
}

TEST_CASE_FIXTURE(Es3, "separate outputs of triangles; many vertices") {
    program(
        "out float a; out vec4 b; void main() { a = float(gl_VertexID); b = vec4(a, a + 0.25, a + 0.5, "
        "1.0);\n"
        "gl_Position = vec4(0.0); }",
        kWhite, {"a", "b"}, GL_SEPARATE_ATTRIBS);
    constexpr size_t kVertices = 30000;
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                     buffer(GL_TRANSFORM_FEEDBACK_BUFFER, nullptr, kVertices * 4));
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 1,
                     buffer(GL_TRANSFORM_FEEDBACK_BUFFER, nullptr, kVertices * 16));
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, GLsizei(kVertices));
    glEndTransformFeedback();
    const auto b = contents<float>(GL_TRANSFORM_FEEDBACK_BUFFER, kVertices * 4);
    GLint first = 0;
    glGetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 0, &first);
    glBindBuffer(GL_COPY_READ_BUFFER, GLuint(first));
    const auto a = contents<float>(GL_COPY_READ_BUFFER, kVertices);
    size_t wrong = 0;
    for (size_t i = 0; i < kVertices; ++i)
        wrong += a[i] != float(i) || b[4 * i + 2] != float(i) + 0.5f;
    CHECK(wrong == 0);
}

TEST_CASE_FIXTURE(Es3, "a shader without a position is captured, too") {
    program("out float a; void main() { a = float(gl_VertexID * 2 + 1); }", kWhite, {"a"});
    for (const GLenum mode : {GL_POINTS, GL_TRIANGLES}) {
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer(GL_TRANSFORM_FEEDBACK_BUFFER, nullptr, 24));
        glBeginTransformFeedback(mode);
        glDrawArrays(mode, 0, 6);
        glEndTransformFeedback();
        CHECK(contents<float>(GL_TRANSFORM_FEEDBACK_BUFFER, 6) == std::vector<float>{1, 3, 5, 7, 9, 11});
    }
    CHECK(pixel(8, 8) == Pixel{0, 0, 0, 0});
}

TEST_CASE_FIXTURE(Es3, "sync objects, matrices that are not square, unsigned uniforms, copies") {
    const GLuint p = program(
        "uniform mat2x3 turn; void main() { vec2 c = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
        "vec3 v = turn * c; gl_Position = vec4(v.xy, 0.0, v.z + 1.0); }",
        "uniform uvec2 look; out vec4 color; void main() { color = vec4(vec2(look) / 255.0, 0.0, 1.0); }");
    const float turn[6] = {1, 0, 0, 1, 0, 0};  // row by row
    glUniformMatrix2x3fv(glGetUniformLocation(p, "turn"), 1, GL_TRUE, turn);
    glUniform2ui(glGetUniformLocation(p, "look"), 10, 200);
    GLuint look[2] = {};
    glGetUniformuiv(p, glGetUniformLocation(p, "look"), look);
    CHECK(look[1] == 200);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    GLsync s = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    CHECK(glClientWaitSync(s, GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000) != GL_TIMEOUT_EXPIRED);
    glDeleteSync(s);
    CHECK(pixel(8, 8) == Pixel{10, 200, 0, 255});
    buffer(GL_COPY_READ_BUFFER, "abcdefgh", 8);
    buffer(GL_COPY_WRITE_BUFFER, "--------", 8);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 2, 1, 4);
    const auto bytes = contents<char>(GL_COPY_WRITE_BUFFER, 8);
    CHECK(std::string(bytes.begin(), bytes.end()) == "-cdef---");
}
