// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform blocks of programs, and the calls to the pipe for their buffers.
#include <doctest/doctest.h>

#include <string>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/programs/program.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

constexpr char kVertex[] =
    "#version 300 es\n"
    "in vec4 position; uniform float size;\n"
    "layout(std140) uniform Place { vec4 offset; mat3 turn[2]; } place;\n"
    "void main() { gl_Position = place.offset + vec4(place.turn[1] * position.xyz, size); }\n";
constexpr char kFragment[] =
    "#version 300 es\n"
    "precision mediump float; out vec4 color;\n"
    "layout(std140) uniform Look { vec4 tint; float power[3]; };\n"
    "void main() { color = tint * power[2]; }\n";

struct Blocks : test::Harness {
    Blocks() : Harness(test::es3()), p(program(kVertex, kFragment)) {
        REQUIRE(linked(p));
        UseProgram(ctx, p);
        GenBuffers(ctx, 2, names);
        for (const GLuint n : names) {
            BindBuffer(ctx, GL_UNIFORM_BUFFER, n);
            BufferData(ctx, GL_UNIFORM_BUFFER, 512, nullptr, GL_DYNAMIC_DRAW);
        }
    }
    GLuint p, names[2] = {};
    GLuint index(const char* name) { return GetUniformBlockIndex(ctx, p, name); }
    GLint block(GLuint i, GLenum pname) {
        GLint v = -77;
        GetActiveUniformBlockiv(ctx, p, i, pname, &v);
        return v;
    }
    GLint uniform(const char* name, GLenum pname) {
        GLuint i = 0;
        GetUniformIndices(ctx, p, 1, &name, &i);
        GLint v = -77;
        GetActiveUniformsiv(ctx, p, 1, &i, pname, &v);
        return v;
    }
    pipe::Resource* resource(unsigned n) { return ctx.share->buffers.find(names[n])->resource.get(); }
    const pipe::BufferRange& bound(pipe::Stage s) { return pipe().constant_buffers[size_t(s)][0]; }
};

}  // namespace

TEST_CASE("uniform blocks can be queried") {
    Blocks h;
    GLint count = 0, longest = 0;
    GetProgramiv(h.ctx, h.p, GL_ACTIVE_UNIFORM_BLOCKS, &count);
    GetProgramiv(h.ctx, h.p, GL_ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH, &longest);
    CHECK(count == 2);
    CHECK(longest == 6);
    const GLuint place = h.index("Place"), look = h.index("Look");
    REQUIRE(place < 2);
    REQUIRE(look < 2);
    CHECK(place != look);
    CHECK(h.index("place") == GL_INVALID_INDEX);
    CHECK(h.block(place, GL_UNIFORM_BLOCK_DATA_SIZE) == 16 + 2 * 48);
    CHECK(h.block(place, GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS) == 2);
    CHECK(h.block(place, GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER) == 1);
    CHECK(h.block(place, GL_UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER) == 0);
    CHECK(h.block(look, GL_UNIFORM_BLOCK_DATA_SIZE) == 64);
    CHECK(h.block(look, GL_UNIFORM_BLOCK_NAME_LENGTH) == 5);
    char name[8] = {};
    GLsizei length = 0;
    GetActiveUniformBlockName(h.ctx, h.p, look, sizeof name, &length, name);
    CHECK(std::string(name) == "Look");
    CHECK(length == 4);
    CHECK(h.uniform("Place.turn", GL_UNIFORM_OFFSET) == 16);
    CHECK(h.uniform("Place.turn[0]", GL_UNIFORM_ARRAY_STRIDE) == 48);
    CHECK(h.uniform("Place.turn", GL_UNIFORM_MATRIX_STRIDE) == 16);
    CHECK(h.uniform("Place.turn", GL_UNIFORM_SIZE) == 2);
    CHECK(h.uniform("Place.turn", GL_UNIFORM_TYPE) == GL_FLOAT_MAT3);
    CHECK(h.uniform("Place.turn", GL_UNIFORM_IS_ROW_MAJOR) == 0);
    CHECK(h.uniform("power", GL_UNIFORM_BLOCK_INDEX) == GLint(look));
    CHECK(h.uniform("power", GL_UNIFORM_ARRAY_STRIDE) == 16);
    CHECK(h.uniform("power", GL_UNIFORM_NAME_LENGTH) == 9);
    CHECK(h.uniform("size", GL_UNIFORM_OFFSET) == -1);
    CHECK(h.uniform("size", GL_UNIFORM_BLOCK_INDEX) == -1);
    CHECK(GetUniformLocation(h.ctx, h.p, "Place.offset") == -1);
    CHECK(GetUniformLocation(h.ctx, h.p, "size") >= 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("uniform blocks: errors") {
    Blocks h;
    GLint v = -77;
    GLuint i = 0;
    const char* names[] = {"none"};
    GetUniformIndices(h.ctx, h.p, -1, names, &i);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetUniformIndices(h.ctx, 999, 1, names, &i);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetUniformIndices(h.ctx, h.p, 1, names, &i);
    CHECK(i == GL_INVALID_INDEX);
    GetActiveUniformsiv(h.ctx, h.p, 1, &i, GL_UNIFORM_SIZE, &v);
    CHECK(h.error() == GL_INVALID_VALUE);
    i = 0;
    GetActiveUniformsiv(h.ctx, h.p, -1, &i, GL_UNIFORM_SIZE, &v);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetActiveUniformsiv(h.ctx, h.p, 1, &i, GL_VIEWPORT, &v);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetActiveUniformBlockiv(h.ctx, h.p, 2, GL_UNIFORM_BLOCK_BINDING, &v);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetActiveUniformBlockiv(h.ctx, h.p, 0, GL_VIEWPORT, &v);
    CHECK(h.error() == GL_INVALID_ENUM);
    char name[8];
    GetActiveUniformBlockName(h.ctx, h.p, 2, 8, nullptr, name);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetActiveUniformBlockName(h.ctx, h.p, 0, -1, nullptr, name);
    CHECK(h.error() == GL_INVALID_VALUE);
    UniformBlockBinding(h.ctx, h.p, 2, 0);
    CHECK(h.error() == GL_INVALID_VALUE);
    UniformBlockBinding(h.ctx, h.p, 0, GLuint(h.integer(GL_MAX_UNIFORM_BUFFER_BINDINGS)));
    CHECK(h.error() == GL_INVALID_VALUE);
    CHECK(v == -77);
}

TEST_CASE("the pipe gets each stage's ranges, and again after a buffer got new memory") {
    Blocks h;
    UniformBlockBinding(h.ctx, h.p, h.index("Look"), 5);
    CHECK(h.block(h.index("Look"), GL_UNIFORM_BLOCK_BINDING) == 5);
    BindBufferBase(h.ctx, GL_UNIFORM_BUFFER, 0, h.names[0]);
    BindBufferRange(h.ctx, GL_UNIFORM_BUFFER, 5, h.names[1], 64, 128);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.bound(pipe::Stage::Vertex).resource == h.resource(0));
    CHECK(h.bound(pipe::Stage::Vertex).size_B == 512);
    CHECK(h.bound(pipe::Stage::Fragment).resource == h.resource(1));
    CHECK(h.bound(pipe::Stage::Fragment).offset_B == 64);
    CHECK(h.bound(pipe::Stage::Fragment).size_B == 128);
    const unsigned told = h.pipe().count("set_constant_buffers");
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.pipe().count("set_constant_buffers") == told);
    // Half of the range does not exist any more.
    BindBuffer(h.ctx, GL_UNIFORM_BUFFER, h.names[1]);
    BufferData(h.ctx, GL_UNIFORM_BUFFER, 96, nullptr, GL_DYNAMIC_DRAW);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.bound(pipe::Stage::Fragment).resource == h.resource(1));
    CHECK(h.bound(pipe::Stage::Fragment).size_B == 32);
    DeleteBuffers(h.ctx, 1, &h.names[1]);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.bound(pipe::Stage::Fragment).resource == nullptr);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().violations.empty());
}
