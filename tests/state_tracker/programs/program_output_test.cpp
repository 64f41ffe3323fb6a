// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

constexpr char kVertex[] = "#version 300 es\nvoid main() { gl_Position = vec4(0.0); }\n";
constexpr char kFragment[] =
    "#version 300 es\n"
    "precision mediump float;\n"
    "layout(location = 1) out vec4 light[2]; layout(location = 0) out vec4 depth;\n"
    "void main() { light[0] = light[1] = depth = vec4(1.0); }\n";

}  // namespace

TEST_CASE("fragment outputs have locations") {
    test::Harness h(test::es3());
    const GLuint p = h.program(kVertex, kFragment);
    REQUIRE(h.linked(p));
    CHECK(GetFragDataLocation(h.ctx, p, "depth") == 0);
    CHECK(GetFragDataLocation(h.ctx, p, "light") == 1);
    CHECK(GetFragDataLocation(h.ctx, p, "light[1]") == 2);
    CHECK(GetFragDataLocation(h.ctx, p, "light[2]") == -1);
    CHECK(GetFragDataLocation(h.ctx, p, "depth[0]") == -1);
    CHECK(GetFragDataLocation(h.ctx, p, "none") == -1);
    CHECK(GetFragDataIndex(h.ctx, p, "depth") == 0);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(GetFragDataLocation(h.ctx, CreateProgram(h.ctx), "depth") == -1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    CHECK(GetFragDataLocation(h.ctx, 999, "depth") == -1);
    CHECK(h.error() == GL_INVALID_VALUE);
}

TEST_CASE("parameters of programs") {
    test::Harness h(test::es3());
    const GLuint p = h.program(kVertex, kFragment);
    GLint v = -1;
    ProgramParameteri(h.ctx, p, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    GetProgramiv(h.ctx, p, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, &v);
    CHECK(v == 1);
    ProgramParameteri(h.ctx, p, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, 2);
    CHECK(h.error() == GL_INVALID_VALUE);
    ProgramParameteri(h.ctx, p, GL_LINK_STATUS, 1);
    CHECK(h.error() == GL_INVALID_ENUM);
    ProgramParameteri(h.ctx, 999, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, 1);
    CHECK(h.error() == GL_INVALID_VALUE);
}

TEST_CASE("sample counts of internal formats") {
    test::Harness h(test::es3());
    GLint v[8] = {-7, -7, -7, -7, -7, -7, -7, -7};
    GetInternalformativ(h.ctx, GL_RENDERBUFFER, GL_RGBA8, GL_NUM_SAMPLE_COUNTS, 8, v);
    CHECK(v[0] == 2);  // the device also supports 4
    GetInternalformativ(h.ctx, GL_RENDERBUFFER, GL_RGBA8, GL_SAMPLES, 8, v);
    CHECK(v[0] == 4);
    CHECK(v[1] == 2);
    CHECK(v[2] == -7);
    GetInternalformativ(h.ctx, GL_RENDERBUFFER, GL_RGBA8UI, GL_NUM_SAMPLE_COUNTS, 8, v);
    CHECK(v[0] == 0);
    v[0] = -7;
    GetInternalformativ(h.ctx, GL_RENDERBUFFER, GL_RGBA8, GL_SAMPLES, 0, v);
    CHECK(v[0] == -7);
    CHECK(h.error() == GL_NO_ERROR);
    GetInternalformativ(h.ctx, GL_TEXTURE_2D, GL_RGBA8, GL_SAMPLES, 8, v);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetInternalformativ(h.ctx, GL_RENDERBUFFER, GL_RGB9_E5, GL_SAMPLES, 8, v);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetInternalformativ(h.ctx, GL_RENDERBUFFER, GL_RGBA8, GL_VIEWPORT, 8, v);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetInternalformativ(h.ctx, GL_RENDERBUFFER, GL_RGBA8, GL_SAMPLES, -1, v);
    CHECK(h.error() == GL_INVALID_VALUE);
}
