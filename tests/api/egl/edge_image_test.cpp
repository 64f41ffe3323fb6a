// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images that are imported from foreign memory, with unusual sizes. Their last page is followed by
// inaccessible memory. Whatever a program does with them must change only their pixels. On the CPU device and
// on virtual GPUs.
#include <GLES3/gl3.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>

#include "tests/api/egl/fixture.h"

#include <GLES2/gl2ext.h>  // needs gl2.h first

namespace {

constexpr size_t kPage_B = 4096;
constexpr unsigned char kOthers = 0x5a;

struct Kind {
    EGLint fourcc;
    size_t pixel_B;
    GLenum internal, format, type;  // of a comparable texture
};
constexpr Kind kKinds[] = {
    {0x34324241 /* ABGR8888 */, 4, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
    {0x36314752 /* RGB565 */, 2, GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5},
    {0x20203852 /* R8 */, 1, GL_R8, GL_RED, GL_UNSIGNED_BYTE},
};

/// A sealed memfd. The image is as close to the end of its first pages as the device allows. One more page
/// follows.
struct Memory {
    Memory(size_t width, size_t height, size_t pixel_B, size_t align_B) {
        row_B = width * pixel_B;
        rows = height;
        stride_B = (row_B + align_B - 1) / align_B * align_B;
        const size_t size_B = (rows - 1) * stride_B + row_B;
        usable_B = (size_B + kPage_B - 1) / kPage_B * kPage_B + kPage_B;
        offset_B = (usable_B - size_B) / align_B * align_B;
        fd = memfd_create("edge-image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        REQUIRE(fd >= 0);
        REQUIRE(ftruncate(fd, off_t(usable_B + kPage_B)) == 0);
        REQUIRE(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
        bytes =
            static_cast<unsigned char*>(mmap(nullptr, usable_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
        REQUIRE(bytes != MAP_FAILED);
        std::memset(bytes, kOthers, usable_B);
    }
    ~Memory() {
        munmap(bytes, usable_B);
        close(fd);
    }
    /// From now on any access of this process to the last page ends it, through any mapping.
    void guard() const {
        struct stat s {};
        REQUIRE(fstat(fd, &s) == 0);
        FILE* const maps = fopen("/proc/self/maps", "re");
        REQUIRE(maps);
        char line[512];
        while (fgets(line, sizeof line, maps)) {
            unsigned long first = 0, last = 0, offset = 0, inode = 0;
            if (std::sscanf(line, "%lx-%lx %*s %lx %*s %lu", &first, &last, &offset, &inode) != 4 ||
                inode != s.st_ino)
                continue;
            const size_t end = offset + (last - first);
            if (end > usable_B && offset <= usable_B)
                REQUIRE(mprotect(reinterpret_cast<void*>(first + (usable_B - offset)), end - usable_B,
                                 PROT_NONE) == 0);
        }
        fclose(maps);
    }
    [[nodiscard]] bool others_are_untouched() const {
        for (size_t i = 0; i < usable_B; ++i) {
            const size_t at = i - offset_B;
            const bool pixel = i >= offset_B && at / stride_B < rows && at % stride_B < row_B;
            if (!pixel && bytes[i] != kOthers) return false;
        }
        return true;
    }
    int fd = -1;
    unsigned char* bytes = nullptr;
    size_t row_B = 0, stride_B = 0, rows = 0, offset_B = 0, usable_B = 0;
};

struct Edges : fixture::Display {
    EGLConfig cfg = config({EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8});
    EGLSurface surface = pbuffer(cfg, 128, 128);
    GLuint plain = 0, textured = 0;
    bool has_context = false;

    Edges() {
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
        const EGLContext c = eglCreateContext(dpy, cfg, EGL_NO_CONTEXT, version);
        if (c == EGL_NO_CONTEXT) {
            CHECK(eglGetError() == EGL_BAD_MATCH);  // a device of OpenGL ES 2.0
            return;
        }
        has_context = true;
        REQUIRE(eglMakeCurrent(dpy, surface, surface, c));
        const char* const place =
            "#version 300 es\nout vec2 v; void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
            "v = p * 2.0; gl_Position = vec4(p * 4.0 - 1.0, 0.0, 1.0); }";
        plain = program(place,
                        "#version 300 es\nprecision highp float; in vec2 v; out vec4 o; void main() { o = "
                        "vec4(v, 0.5, 0.5); }");
        textured = program(place,
                           "#version 300 es\nprecision highp float; in vec2 v; out vec4 o; uniform sampler2D "
                           "t; void main() { o = texture(t, v); }");
    }
    static GLuint program(const char* vs, const char* fs) {
        const GLuint p = glCreateProgram();
        for (const auto& [type, text] :
             {std::pair{GL_VERTEX_SHADER, vs}, std::pair{GL_FRAGMENT_SHADER, fs}}) {
            const GLuint s = glCreateShader(GLenum(type));
            glShaderSource(s, 1, &text, nullptr);
            glCompileShader(s);
            glAttachShader(p, s);
        }
        glLinkProgram(p);
        GLint linked = 0;
        glGetProgramiv(p, GL_LINK_STATUS, &linked);
        REQUIRE(linked);
        return p;
    }
    EGLImage import(const Memory& m, const Kind& k, EGLint width) {
        const EGLAttrib a[] = {EGL_WIDTH,
                               width,
                               EGL_HEIGHT,
                               EGLAttrib(m.rows),
                               EGL_LINUX_DRM_FOURCC_EXT,
                               k.fourcc,
                               EGL_DMA_BUF_PLANE0_FD_EXT,
                               m.fd,
                               EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                               EGLAttrib(m.offset_B),
                               EGL_DMA_BUF_PLANE0_PITCH_EXT,
                               EGLAttrib(m.stride_B),
                               EGL_NONE};
        return eglCreateImage(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, nullptr, a);
    }
    /// All operations that write or read an image. Returns its final pixels, and its pixels as they are
    /// sampled.
    std::vector<unsigned char> use(GLuint texture, const Kind& k, GLsizei w, GLsizei h) {
        GLuint fbo = 0;
        glGenFramebuffers(1, &fbo);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glViewport(0, 0, w, h);
        glDisable(GL_SCISSOR_TEST);
        glClearColor(0.25f, 0.5f, 0.75f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glUseProgram(plain);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glDisable(GL_BLEND);
        glFlush();
        glEnable(GL_SCISSOR_TEST);
        glScissor(w / 2, h / 2, w, h);
        glClearColor(1, 0, 0.5f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        // The CPU writes the last pixel.
        const unsigned char texel[4] = {0x12, 0x34, 0x56, 0x78};
        glBindTexture(GL_TEXTURE_2D, texture);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexSubImage2D(GL_TEXTURE_2D, 0, w - 1, h - 1, 1, 1, k.format, k.type, texel);
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, h - 1, 0, 0, w, 1);
        // Copies from it, and to it.
        GLuint other = 0, other_fbo = 0;
        glGenTextures(1, &other);
        glBindTexture(GL_TEXTURE_2D, other);
        glTexStorage2D(GL_TEXTURE_2D, 1, k.internal, w, h);
        glGenFramebuffers(1, &other_fbo);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, other_fbo);
        glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, other, 0);
        glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, other_fbo);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fbo);
        glBlitFramebuffer(0, 0, w, h, w, h, 0, 0, GL_COLOR_BUFFER_BIT, GL_LINEAR);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        std::vector<unsigned char> out(size_t(w) * size_t(h) * 4);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, out.data());
        // Sampled, also beyond its edges.
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glViewport(0, 0, 128, 128);
        glBindTexture(GL_TEXTURE_2D, texture);
        glUseProgram(textured);
        std::vector<unsigned char> sampled(128 * 128 * 4);
        for (const GLint filter : {GL_NEAREST, GL_LINEAR})
            for (const GLint wrap : {GL_REPEAT, GL_CLAMP_TO_EDGE}) {
                glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
                glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
                glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
                glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
                glDrawArrays(GL_TRIANGLES, 0, 3);
                glReadPixels(0, 0, 128, 128, GL_RGBA, GL_UNSIGNED_BYTE, sampled.data());
                out.insert(out.end(), sampled.begin(), sampled.end());
            }
        CHECK(glGetError() == GL_NO_ERROR);
        glDeleteFramebuffers(1, &fbo);
        glDeleteFramebuffers(1, &other_fbo);
        glDeleteTextures(1, &other);
        glFinish();
        return out;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Edges, "imported image: nothing but its pixels is accessed") {
    if (!has_context) return;
    const auto to_texture =
        fixture::proc<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>("glEGLImageTargetTexture2DOES");
    constexpr GLsizei kSizes[][2] = {{1, 1},  {1, 2},  {2, 1},   {3, 3},   {5, 7},
                                     {16, 1}, {17, 9}, {64, 33}, {63, 65}, {66, 31}};
    unsigned imported = 0;
    for (const Kind& k : kKinds)
        for (const auto& size : kSizes) {
            const GLsizei w = size[0], h = size[1];
            CAPTURE(k.fourcc);
            CAPTURE(w);
            CAPTURE(h);
            EGLImage image = EGL_NO_IMAGE;
            std::unique_ptr<Memory> memory;
            // The smallest strides that the device accepts.
            for (const size_t align_B : {k.pixel_B, size_t(64), size_t(256)}) {
                memory = std::make_unique<Memory>(size_t(w), size_t(h), k.pixel_B, align_B);
                if ((image = import(*memory, k, w)) != EGL_NO_IMAGE) break;
            }
            (void)eglGetError();
            if (image == EGL_NO_IMAGE) continue;  // the device does not support this format
            ++imported;
            memory->guard();
            GLuint t[2] = {};
            glGenTextures(2, t);
            glBindTexture(GL_TEXTURE_2D, t[0]);
            to_texture(GL_TEXTURE_2D, image);
            REQUIRE(glGetError() == GL_NO_ERROR);
            memory->guard();
            const std::vector<unsigned char> shared = use(t[0], k, w, h);
            glBindTexture(GL_TEXTURE_2D, t[1]);
            glTexStorage2D(GL_TEXTURE_2D, 1, k.internal, w, h);
            CHECK(shared == use(t[1], k, w, h));
            CHECK(memory->others_are_untouched());
            glDeleteTextures(2, t);
            CHECK(eglDestroyImage(dpy, image));
            glFinish();
        }
    CHECK(imported >= std::size(kSizes));
}
