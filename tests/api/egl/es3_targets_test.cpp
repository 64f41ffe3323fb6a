// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colour targets that are not there: what a framebuffer leaves out must not end its context.
#include <GLES3/gl3.h>

#include "tests/api/egl/es3_images.h"

namespace {

using fixture::Pixel;

struct Targets : fixture::Images {
    /// A framebuffer with a texture of 16 x 16 at `attachment`, which alone is drawn to.
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

TEST_CASE_FIXTURE(Targets, "targets that are NONE are not those that another framebuffer had there") {
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
