// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Multisampled renderbuffers, resolved by a blit.
#include "examples/common/multisampled.h"

#include <GLES3/gl3.h>

namespace example {

Multisampled::Multisampled(int width, int height, int samples) : width_(width), height_(height) {
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before_);
    GLuint framebuffer, renderbuffers[2];
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(2, renderbuffers);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < 2; ++i) {
        glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, i ? GL_DEPTH_COMPONENT24 : GL_RGBA8, width,
                                         height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                  GL_RENDERBUFFER, renderbuffers[i]);
    }
}

void Multisampled::resolve() {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, GLuint(before_));
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before_));
}

}  // namespace example
