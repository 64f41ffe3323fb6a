// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images in memory that is sealed against writing. They can be read, and no command that writes ends the
// process or changes them.
#include <GLES3/gl32.h>

#include <string>

#include "tests/api/egl/shared_memory.h"

using namespace fixture;

namespace {

constexpr EGLint kSize = 16, kStride_B = kSize * 4;

struct Sealed : Current {
    SealedMemory memory{4096, SealedMemory::Seals::More};
    EGLImageKHR image = EGL_NO_IMAGE;
    GLuint texture = 0;
    int version = 20;
    Sealed() {
        for (int i = 0; i < kSize * kSize; ++i)
            memory.word(size_t(i) * 4) = 0xff0000ff + unsigned(i) * 256;
        memory.seal_writes();
        image = import_argb(dpy, memory.fd, kSize, kSize, kStride_B);
        const std::string text = reinterpret_cast<const char*>(glGetString(GL_VERSION));
        version = (text[10] - '0') * 10 + (text[12] - '0');
        glEnable(GL_DEBUG_OUTPUT_KHR);
        if (image != EGL_NO_IMAGE) texture = texture_of(image);
    }
    ~Sealed() {
        for (int i = 0; i < kSize * kSize; ++i)
            CHECK(memory.word(size_t(i) * 4) == 0xff0000ff + unsigned(i) * 256);
    }
    /// A device that needs writable memory refuses the import with the reason.
    bool refused() {
        if (image != EGL_NO_IMAGE) return false;
        CHECK(eglGetError() == EGL_BAD_ACCESS);
        return true;
    }
    void check_refused_write() {
        CHECK(glGetError() == GL_INVALID_OPERATION);
        CHECK(last_gl_message().find("F_SEAL_WRITE") != std::string::npos);
    }
};

}  // namespace

TEST_CASE_FIXTURE(Sealed, "sealed memory: it is sampled") {
    if (refused()) return;
    glViewport(0, 0, kSize, kSize);
    draw_texture();
    CHECK(pixel(3, 1) == std::vector<unsigned char>{0, 19, 255, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(Sealed, "sealed memory: every command that writes it is an error that names the seal") {
    if (refused()) return;
    const unsigned char red[4] = {255, 0, 0, 255};
    last_gl_message();
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, red);
    check_refused_write();
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    check_refused_write();
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_ETC1_RGB8_OES, 8, red);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    last_gl_message();
    GLuint renderbuffer = 0;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    proc<PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC>("glEGLImageTargetRenderbufferStorageOES")(
        GL_RENDERBUFFER, image);
    check_refused_write();
    if (version >= 32) {
        GLuint from = 0;
        glGenTextures(1, &from);
        glBindTexture(GL_TEXTURE_2D, from);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_BGRA_EXT, 1, 1, 0, GL_BGRA_EXT, GL_UNSIGNED_BYTE, red);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glCopyImageSubData(from, GL_TEXTURE_2D, 0, 0, 0, 0, texture, GL_TEXTURE_2D, 0, 0, 0, 0, 1, 1, 1);
        check_refused_write();
        glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glDeleteTextures(1, &from);
        glBindTexture(GL_TEXTURE_2D, texture);
    }
    // Drawing, clears and blits need a framebuffer, which cannot be created with it.
    GLuint fbo = 0;
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    draw_texture();
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    if (version >= 30) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
        glBlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    }
    glDeleteFramebuffers(1, &fbo);
}

TEST_CASE_FIXTURE(Sealed, "sealed memory: new definitions and mipmaps have other memory") {
    if (refused()) return;
    glGenerateMipmap(GL_TEXTURE_2D);
    CHECK(glGetError() == GL_NO_ERROR);
    const unsigned char red[4] = {255, 0, 0, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, red);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, red);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(Current, "sealed memory: the same for a read-only descriptor") {
    SealedMemory memory(4096);
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory.fd);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;  // there is no /proc
    const EGLImageKHR image = import_argb(dpy, fd, kSize, kSize, kStride_B);
    close(fd);
    if (image == EGL_NO_IMAGE) {
        CHECK(eglGetError() == EGL_BAD_ACCESS);
        return;
    }
    texture_of(image);
    const unsigned char red[4] = {255, 0, 0, 255};
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, red);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(memory.word(0) == 0);
}
