// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Commands of extensions of OpenGL ES 2.0, with random arguments, by the rules of commands.cpp.
#include <cstring>

#include "tests/fuzz/commands_es2.h"

namespace fuzz {

using namespace es2;

namespace {

void instances(R& r) {
    EXT(PFNGLDRAWARRAYSINSTANCEDEXTPROC, glDrawArraysInstancedEXT);
    EXT(PFNGLDRAWELEMENTSINSTANCEDANGLEPROC, glDrawElementsInstancedANGLE);
    EXT(PFNGLVERTEXATTRIBDIVISOREXTPROC, glVertexAttribDivisorEXT);
    const GLsizei n = r.bounded(r.one_in(10) ? 40 : 5);
    GLint bound = 0;
    switch (r.below(4)) {
        case 0:
            glDrawArraysInstancedEXT(r.pick(kModes), r.bounded(40), r.bounded(40), n);
            break;
        case 1:
            glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &bound);
            glDrawElementsInstancedANGLE(
                r.pick(kModes), r.bounded(60), r.pick(kIndexTypes),
                bound ? reinterpret_cast<const void*>(uintptr_t(r.below(64))) : r.aligned_pointer(), n);
            break;
        default:
            glVertexAttribDivisorEXT(r.one_in(30) ? r.bits() : r.below(6),
                                     r.one_in(20) ? r.bits() : r.below(3));
    }
}

void draw_buffers(R& r) {
    EXT(PFNGLDRAWBUFFERSEXTPROC, glDrawBuffersEXT);
    GLenum list[10];
    const uint32_t n = r.below(9);
    // Attachment i must be at position i.
    for (uint32_t i = 0; i < 10; ++i)
        list[i] = r.one_in(10)  ? r.pick({GL_BACK, GL_NONE})
                  : r.one_in(3) ? GLenum(GL_NONE)
                                : GL_COLOR_ATTACHMENT0 + i;
    if (r.one_in(4)) list[0] = GL_BACK;
    glDrawBuffersEXT(r.one_in(30) ? -1 : GLsizei(n), list);
}

/// Several colour attachments of one size, all of them enabled.
void good_framebuffer_of_many(R& r) {
    EXT(PFNGLDRAWBUFFERSEXTPROC, glDrawBuffersEXT);
    GLuint fb, texture[4];
    glGenFramebuffers(1, &fb);
    glGenTextures(4, texture);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    const GLsizei w = 1 + GLsizei(r.below(90)), h = 1 + GLsizei(r.below(90));
    GLenum list[4];
    const GLsizei n = 1 + GLsizei(r.below(4));
    for (GLsizei i = 0; i < n; ++i) {
        list[i] = r.one_in(6) ? GL_NONE : GL_COLOR_ATTACHMENT0 + GLenum(i);
        glBindTexture(GL_TEXTURE_2D, texture[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + GLenum(i), GL_TEXTURE_2D, texture[i],
                               0);
    }
    glDrawBuffersEXT(n, list);
}

/// A framebuffer whose texture has fewer samples than itself.
void implicit_resolve(R& r) {
    EXT(PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC, glFramebufferTexture2DMultisampleEXT);
    EXT(PFNGLRENDERBUFFERSTORAGEMULTISAMPLEEXTPROC, glRenderbufferStorageMultisampleEXT);
    if (r.one_in(3))
        return glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, r.pick(kAttachments),
                                                    r.pick(kImageTargets), r.name(), GLint(r.below(4)),
                                                    GLsizei(r.below(20)) - 1);
    GLuint fb, texture, depth;
    glGenFramebuffers(1, &fb);
    glGenTextures(1, &texture);
    glGenRenderbuffers(1, &depth);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    const GLsizei w = 1 + GLsizei(r.below(150)), h = 1 + GLsizei(r.below(150)), samples = GLsizei(r.below(9));
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT16,
                                        w + GLsizei(r.below(2)), h);
    glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0,
                                         samples);
    if (!r.one_in(4)) glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
}

void few_others(R& r) {
    EXT(PFNGLPOLYGONOFFSETCLAMPEXTPROC, glPolygonOffsetClampEXT);
    EXT(PFNGLMAXSHADERCOMPILERTHREADSKHRPROC, glMaxShaderCompilerThreadsKHR);
    EXT(PFNGLCLIPCONTROLEXTPROC, glClipControlEXT);
    EXT(PFNGLDISCARDFRAMEBUFFEREXTPROC, glDiscardFramebufferEXT);
    EXT(PFNGLREADNPIXELSEXTPROC, glReadnPixelsEXT);
    static uint8_t out[1 << 16];
    switch (r.below(5)) {
        case 0:
            return glPolygonOffsetClampEXT(r.real(), r.real(), r.real());
        case 4:
            return glClipControlEXT(r.pick({GL_LOWER_LEFT_EXT, GL_UPPER_LEFT_EXT}),
                                    r.pick({GL_NEGATIVE_ONE_TO_ONE_EXT, GL_ZERO_TO_ONE_EXT}));
        case 1:
            return glMaxShaderCompilerThreadsKHR(r.bits());
        case 2: {
            const GLenum list[3] = {r.pick(kAttachments), r.pick({GL_COLOR_EXT, GL_DEPTH_EXT}),
                                    r.pick({GL_STENCIL_EXT})};
            return glDiscardFramebufferEXT(GL_FRAMEBUFFER, r.bounded(3), list);
        }
        default:
            return glReadnPixelsEXT(r.count(50), r.count(50), px(r), px(r), GL_RGBA, GL_UNSIGNED_BYTE,
                                    r.bounded(sizeof out), out);
    }
}

void map_buffer(R& r) {
    EXT(PFNGLMAPBUFFERRANGEEXTPROC, glMapBufferRangeEXT);
    EXT(PFNGLUNMAPBUFFEROESPROC, glUnmapBufferOES);
    EXT(PFNGLFLUSHMAPPEDBUFFERRANGEEXTPROC, glFlushMappedBufferRangeEXT);
    const GLenum target = r.pick(kBuffers);
    const int32_t length = r.bounded(500);
    void* const p = glMapBufferRangeEXT(target, r.bounded(300), length, r.below(64));
    if (p && length > 0) std::memset(p, int(r.below(256)), size_t(length));
    if (r.one_in(3)) glFlushMappedBufferRangeEXT(target, r.bounded(100), r.bounded(100));
    if (!r.one_in(8)) glUnmapBufferOES(target);
}

void vertex_array(R& r) {
    EXT(PFNGLGENVERTEXARRAYSOESPROC, glGenVertexArraysOES);
    EXT(PFNGLBINDVERTEXARRAYOESPROC, glBindVertexArrayOES);
    EXT(PFNGLDELETEVERTEXARRAYSOESPROC, glDeleteVertexArraysOES);
    EXT(PFNGLISVERTEXARRAYOESPROC, glIsVertexArrayOES);
    gen(r, glGenVertexArraysOES);
    glBindVertexArrayOES(r.below(4));
    if (r.one_in(4)) del(r, glDeleteVertexArraysOES);
    (void)glIsVertexArrayOES(r.name());
}

const Command kCommands[] = {
    {4, "vertex array", vertex_array},
    {6, "map buffer", map_buffer},
    {12, "instances", instances},
    {4, "draw buffers", draw_buffers},
    {2, "framebuffer of many", good_framebuffer_of_many},
    {2, "implicit resolve", implicit_resolve},
    {4, "few others", few_others},
};

}  // namespace

std::span<const Command> extension_commands() {
    return kCommands;
}

}  // namespace fuzz
