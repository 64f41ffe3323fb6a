// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that replaces a dma-buf in tests, and images of it.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/api/egl/fixture.h"

#include <GLES2/gl2ext.h>

namespace fixture {

constexpr EGLint kArgb8888 = 0x34325241;

/// A memfd that cannot shrink. Virtual GPUs accept only those that cannot get more seals; seal_writes() needs
/// the others.
struct SealedMemory {
    enum class Seals { Final, More };
    explicit SealedMemory(size_t size, Seals seals = Seals::Final) : size_B(size) {
        fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        REQUIRE(fd >= 0);
        REQUIRE(ftruncate(fd, off_t(size)) == 0);
        REQUIRE(fcntl(fd, F_ADD_SEALS,
                      F_SEAL_SHRINK | F_SEAL_GROW | (seals == Seals::Final ? F_SEAL_SEAL : 0)) == 0);
        map();
    }
    ~SealedMemory() {
        munmap(bytes, size_B);
        if (fd >= 0) close(fd);
    }
    SealedMemory(const SealedMemory&) = delete;
    SealedMemory& operator=(const SealedMemory&) = delete;
    /// Seals it against writing.
    void seal_writes() {
        munmap(bytes, size_B);
        REQUIRE(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0);
        map(PROT_READ);
    }
    uint32_t& word(size_t at_B) { return *reinterpret_cast<uint32_t*>(bytes + at_B); }
    /// A descriptor that GL takes over.
    [[nodiscard]] int duplicate() const { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

    const size_t size_B;
    int fd = -1;
    unsigned char* bytes = nullptr;

  private:
    void map(int protection = PROT_READ | PROT_WRITE) {
        bytes = static_cast<unsigned char*>(mmap(nullptr, size_B, protection, MAP_SHARED, fd, 0));
        REQUIRE(bytes != MAP_FAILED);
    }
};

/// An EGLImage of linear ARGB8888, or EGL_NO_IMAGE.
inline EGLImageKHR import_argb(EGLDisplay dpy, int fd, EGLint width, EGLint height, EGLint stride_B,
                               EGLint offset_B = 0) {
    const EGLint a[] = {EGL_WIDTH,
                        width,
                        EGL_HEIGHT,
                        height,
                        EGL_LINUX_DRM_FOURCC_EXT,
                        kArgb8888,
                        EGL_DMA_BUF_PLANE0_FD_EXT,
                        fd,
                        EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                        offset_B,
                        EGL_DMA_BUF_PLANE0_PITCH_EXT,
                        stride_B,
                        EGL_NONE};
    return proc<PFNEGLCREATEIMAGEKHRPROC>("eglCreateImageKHR")(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT,
                                                               nullptr, a);
}

/// Binds a new texture with the image, which is sampled without filtering.
inline GLuint texture_of(EGLImageKHR image) {
    GLuint t = 0;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    proc<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>("glEGLImageTargetTexture2DOES")(GL_TEXTURE_2D, image);
    CHECK(glGetError() == GL_NO_ERROR);
    return t;
}

/// Draws the bound texture over the whole framebuffer.
inline void draw_texture() {
    const char* const texts[] = {
        "attribute vec2 p; varying vec2 uv; void main() { uv = p * 0.5 + 0.5; gl_Position = vec4(p, 0, 1); }",
        "precision mediump float; uniform sampler2D s; varying vec2 uv; void main() { gl_FragColor = "
        "texture2D(s, uv); }"};
    const GLuint p = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &texts[i], nullptr);
        glCompileShader(shader);
        glAttachShader(p, shader);
        glDeleteShader(shader);
    }
    glBindAttribLocation(p, 0, "p");
    glLinkProgram(p);
    glUseProgram(p);
    constexpr float kCorners[] = {-1, -1, 3, -1, -1, 3};
    GLuint b = 0;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glBufferData(GL_ARRAY_BUFFER, sizeof kCorners, kCorners, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDeleteBuffers(1, &b);
    glDeleteProgram(p);
}

/// The newest message of GL's debug log. Empties the log.
inline std::string last_gl_message() {
    std::string last;
    char text[1024];
    const auto get = proc<PFNGLGETDEBUGMESSAGELOGKHRPROC>("glGetDebugMessageLogKHR");
    while (get(1, sizeof text, nullptr, nullptr, nullptr, nullptr, nullptr, text))
        last = text;
    return last;
}

}  // namespace fixture
