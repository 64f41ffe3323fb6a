// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Missing colour targets, and second colours that are not written: omissions of a program must not end its
// context.
#include <GLES3/gl3.h>
// After gl3.h:
#include <GLES2/gl2ext.h>

#include "tests/api/egl/es3_images.h"

namespace {

using fixture::Pixel;

struct Targets : fixture::Images {
    /// A framebuffer with a texture of 16 x 16 at `attachment`, which is the only draw buffer.
    static GLuint with_texture(GLuint attachment) {
        const GLuint f = framebuffer();
        const GLuint t = texture(GL_TEXTURE_2D);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 16, 16);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + attachment, GL_TEXTURE_2D, t, 0);
        GLenum buffers[4] = {GL_NONE, GL_NONE, GL_NONE, GL_NONE};
        buffers[attachment] = GL_COLOR_ATTACHMENT0 + attachment;
        glDrawBuffers(GLsizei(attachment + 1), buffers);
        glReadBuffer(GL_COLOR_ATTACHMENT0 + attachment);
        REQUIRE(complete());
        return f;
    }
    static void clear(float r, float g, float b, float a) {
        glClearColor(r, g, b, a);
        glClear(GL_COLOR_BUFFER_BIT);
    }
};

}  // namespace

TEST_CASE_FIXTURE(Targets, "targets that are NONE do not use those of another framebuffer") {
    const GLuint first = with_texture(0);
    glViewport(0, 0, 16, 16);
    draw("out vec4 o; void main() { o = vec4(1.0); }");
    CHECK(pixel(3, 3) == Pixel{255, 255, 255, 255});
    const GLuint last = with_texture(3);
    draw(
        "layout(location = 0) out vec4 a; layout(location = 3) out vec4 b;\n"
        "void main() { a = vec4(0.0, 0.0, 1.0, 1.0); b = vec4(1.0, 0.0, 0.0, 1.0); }");
    // In the same submission.
    glBindFramebuffer(GL_FRAMEBUFFER, first);
    clear(0, 1, 0, 1);
    draw("out vec4 o; void main() { if (uv.x < 0.5) discard; o = vec4(1.0, 1.0, 0.0, 1.0); }");
    CHECK(pixel(3, 3) == Pixel{0, 255, 0, 255});
    CHECK(pixel(12, 3) == Pixel{255, 255, 0, 255});
    glBindFramebuffer(GL_FRAMEBUFFER, last);
    CHECK(pixel(3, 3) == Pixel{255, 0, 0, 255});
}

TEST_CASE_FIXTURE(Targets, "a second colour that the program does not write does not harm the context") {
    with_texture(0);
    glViewport(0, 0, 16, 16);
    clear(1, 1, 1, 1);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_SRC1_COLOR_EXT);
    // Its colour is undefined.
    draw("out vec4 o; void main() { o = vec4(0.0, 0.0, 1.0, 1.0); }");
    const GLuint p = glCreateProgram();
    const auto stage = [&](GLenum type, const char* text) {
        const GLuint s = glCreateShader(type);
        glShaderSource(s, 1, &text, nullptr);
        glCompileShader(s);
        glAttachShader(p, s);
    };
    stage(
        GL_VERTEX_SHADER,
        "#version 300 es\n"
        "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0); }");
    stage(GL_FRAGMENT_SHADER,
          "#version 300 es\n#extension GL_EXT_blend_func_extended : require\n"
          "layout(location = 0, index = 0) out mediump vec4 a;\n"
          "layout(location = 0, index = 1) out mediump vec4 b;\n"
          "void main() { a = vec4(0.0, 0.0, 1.0, 0.0); b = vec4(0.0, 1.0, 0.0, 1.0); }");
    glLinkProgram(p);
    // The blend state stays; the program changes to another, back, and again.
    for (int n = 0; n < 2; ++n) {
        glDisable(GL_BLEND);
        clear(1, 1, 1, 1);
        glEnable(GL_BLEND);
        glUseProgram(p);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        CHECK(pixel(3, 3) == Pixel{0, 255, 255, 255});
        draw("out vec4 o; void main() { o = vec4(1.0, 0.0, 0.0, 1.0); }");
    }
    glDisable(GL_BLEND);
    draw("out vec4 o; void main() { o = vec4(1.0, 0.0, 0.0, 1.0); }");
    CHECK(pixel(3, 3) == Pixel{255, 0, 0, 255});
}
