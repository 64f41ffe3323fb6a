// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State of OpenGL ES 3.2 and of related extensions: primitive bounding boxes, sRGB write control, limits.
#include <doctest/doctest.h>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

st::ContextConfig version(int v) {
    st::ContextConfig c;
    c.version = v;
    return c;
}

}  // namespace

TEST_CASE("primitive bounding boxes are stored") {
    test::Harness h(version(32));
    GLfloat v[8] = {};
    GetFloatv(h.ctx, GL_PRIMITIVE_BOUNDING_BOX_EXT, v);
    CHECK(v[0] == -1);
    CHECK(v[3] == 1);
    CHECK(v[4] == 1);
    PrimitiveBoundingBox(h.ctx, 1, 2, 3, 4, 5, 6, 7, 8);
    GetFloatv(h.ctx, GL_PRIMITIVE_BOUNDING_BOX_EXT, v);
    for (int i = 0; i < 8; ++i)
        CHECK(v[i] == float(i + 1));
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("colours are not encoded for sRGB images while GL_FRAMEBUFFER_SRGB is off") {
    test::Harness h(version(30));
    GLuint names[2] = {};
    GenTextures(h.ctx, 1, names);
    GenFramebuffers(h.ctx, 1, names + 1);
    BindTexture(h.ctx, GL_TEXTURE_2D, names[0]);
    TexStorage2D(h.ctx, GL_TEXTURE_2D, 1, GL_SRGB8_ALPHA8, 8, 8);
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, names[1]);
    FramebufferTexture2D(h.ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, names[0], 0);
    CHECK(IsEnabled(h.ctx, GL_FRAMEBUFFER_SRGB_EXT));
    Clear(h.ctx, GL_COLOR_BUFFER_BIT);
    Disable(h.ctx, GL_FRAMEBUFFER_SRGB_EXT);
    CHECK(!IsEnabled(h.ctx, GL_FRAMEBUFFER_SRGB_EXT));
    Clear(h.ctx, GL_COLOR_BUFFER_BIT);
    (void)h.ctx.flush();
    REQUIRE(h.pipe().passes.size() == 2);
    CHECK(h.pipe().passes[0].color[0].format == pipe::Format::R8G8B8A8_SRGB);
    CHECK(h.pipe().passes[1].color[0].format == pipe::Format::R8G8B8A8_UNORM);
    CHECK(h.error() == GL_NO_ERROR);
    // ES 2.0 has no such enumerator.
    test::Harness es2;
    Enable(es2.ctx, GL_FRAMEBUFFER_SRGB_EXT);
    CHECK(es2.error() == GL_INVALID_ENUM);
    CHECK(!IsEnabled(es2.ctx, GL_FRAMEBUFFER_SRGB_EXT));
    CHECK(es2.error() == GL_INVALID_ENUM);
}

TEST_CASE("queries of contexts") {
    test::Harness h(version(32));
    CHECK(h.integer(GL_MAJOR_VERSION) == 3);
    CHECK(h.integer(GL_MINOR_VERSION) == 2);
    const auto text = [&](GLenum name) {
        return std::string(reinterpret_cast<const char*>(GetString(h.ctx, name)));
    };
    CHECK(text(GL_VERSION).rfind("OpenGL ES 3.2 ", 0) == 0);
    CHECK(text(GL_SHADING_LANGUAGE_VERSION) == "OpenGL ES GLSL ES 3.20");
    GLfloat range[2] = {};
    GetFloatv(h.ctx, GL_MULTISAMPLE_LINE_WIDTH_RANGE, range);
    CHECK(range[0] <= 1);
    CHECK(range[1] >= 1);
    CHECK(h.integer(GL_CONTEXT_RELEASE_BEHAVIOR_KHR) == GL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR);
    CHECK(h.error() == GL_NO_ERROR);
    st::ContextConfig c = version(31);
    c.flush_on_release = false;
    test::Harness lazy(c);
    CHECK(lazy.integer(GL_CONTEXT_RELEASE_BEHAVIOR_KHR) == GL_NONE);
    CHECK(lazy.error() == GL_NO_ERROR);
    CHECK(lazy.integer(GL_MULTISAMPLE_LINE_WIDTH_GRANULARITY) == -77);
    CHECK(lazy.error() == GL_INVALID_ENUM);
}
