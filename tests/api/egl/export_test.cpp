// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_MESA_image_dma_buf_export and EGL_MESA_query_driver, on TERRAZZO_DEVICE.
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/api/egl/shared_memory.h"

using namespace fixture;

namespace {

constexpr EGLint kSize = 64;

struct Export : Current {
    PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC query =
        proc<PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC>("eglExportDMABUFImageQueryMESA");
    PFNEGLEXPORTDMABUFIMAGEMESAPROC export_image =
        proc<PFNEGLEXPORTDMABUFIMAGEMESAPROC>("eglExportDMABUFImageMESA");
    PFNEGLCREATEIMAGEKHRPROC create = proc<PFNEGLCREATEIMAGEKHRPROC>("eglCreateImageKHR");
    GLuint texture(GLenum format = GL_RGBA) {
        GLuint t = 0;
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D, t);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        std::vector<unsigned char> texels(size_t(kSize * kSize) * 4);
        for (size_t i = 0; i < texels.size(); ++i)
            texels[i] = static_cast<unsigned char>(i / 4 % kSize + i % 4);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GLint(format), kSize, kSize, 0, format, GL_UNSIGNED_BYTE,
                     texels.data());
        return t;
    }
    EGLImageKHR image_of(GLuint t) {
        EGLImageKHR i =
            create(dpy, ctx, EGL_GL_TEXTURE_2D_KHR, reinterpret_cast<EGLClientBuffer>(uintptr_t(t)), nullptr);
        REQUIRE(i != EGL_NO_IMAGE);
        return i;
    }
    struct Description {
        int fourcc = 0, planes = 0, fd = -1;
        EGLuint64KHR modifier = 0;
        EGLint stride_B = 0, offset_B = 0;
    };
    Description describe(EGLImageKHR i) {
        Description d;
        REQUIRE(query(dpy, i, &d.fourcc, &d.planes, &d.modifier));
        REQUIRE(d.planes == 1);
        REQUIRE(export_image(dpy, i, &d.fd, &d.stride_B, &d.offset_B));
        REQUIRE(d.fd >= 0);
        return d;
    }
    EGLImageKHR import(const Description& d) {
        const EGLint a[] = {EGL_WIDTH,
                            kSize,
                            EGL_HEIGHT,
                            kSize,
                            EGL_LINUX_DRM_FOURCC_EXT,
                            d.fourcc,
                            EGL_DMA_BUF_PLANE0_FD_EXT,
                            d.fd,
                            EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                            d.offset_B,
                            EGL_DMA_BUF_PLANE0_PITCH_EXT,
                            d.stride_B,
                            EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
                            EGLint(d.modifier & 0xffffffff),
                            EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
                            EGLint(d.modifier >> 32),
                            EGL_NONE};
        return create(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, nullptr, a);
    }
    void attach(GLuint t) {
        GLuint fbo = 0;
        glGenFramebuffers(1, &fbo);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    }
};

using Bytes = std::vector<unsigned char>;

}  // namespace

TEST_CASE_FIXTURE(Export, "export: another context imports a texture, and sees later draws to it") {
    const GLuint t = texture();
    attach(t);  // before the storage moves
    CHECK(pixel(5, 9) == Bytes{5, 6, 7, 8});
    const EGLImageKHR image = image_of(t);
    const Description d = describe(image);
    CHECK(d.fourcc == 0x34324241);  // AB24: red is the first byte
    CHECK(eglDestroyImage(dpy, image));
    // The texture has the same pixels as before.
    CHECK(pixel(5, 9) == Bytes{5, 6, 7, 8});
    EGLContext other = context(cfg);
    REQUIRE(eglMakeCurrent(dpy, surface, surface, other));
    const EGLImageKHR imported = import(d);
    close(d.fd);
    REQUIRE(imported != EGL_NO_IMAGE);
    const GLuint seen = texture_of(imported);
    attach(seen);
    CHECK(pixel(5, 9) == Bytes{5, 6, 7, 8});
    CHECK(pixel(63, 63) == Bytes{63, 64, 65, 66});
    REQUIRE(eglMakeCurrent(dpy, surface, surface, ctx));
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    REQUIRE(eglMakeCurrent(dpy, surface, surface, other));
    CHECK(pixel(63, 63) == Bytes{0, 255, 0, 255});
    // In the other direction.
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    REQUIRE(eglMakeCurrent(dpy, surface, surface, ctx));
    CHECK(pixel(0, 0) == Bytes{255, 0, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(Export, "export: other images of the same texture move with it") {
    const GLuint t = texture();
    const EGLImageKHR image = image_of(t), second = image_of(t);
    const GLuint sibling = texture_of(image);
    const Description d = describe(second);
    close(d.fd);
    const unsigned char red[4] = {255, 0, 0, 255};
    glBindTexture(GL_TEXTURE_2D, t);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, red);
    attach(sibling);
    CHECK(pixel(1, 1) == Bytes{255, 0, 0, 255});
    CHECK(pixel(2, 2) == Bytes{2, 3, 4, 5});
    attach(texture_of(image));
    CHECK(pixel(1, 1) == Bytes{255, 0, 0, 255});
    const Description again = describe(image);  // of the new storage
    CHECK(again.stride_B == d.stride_B);
    close(again.fd);
}

TEST_CASE_FIXTURE(Export, "export: an imported image is exported as it was imported") {
    SealedMemory memory(kSize * kSize * 4);
    memory.word(0) = 0x11223344;
    const EGLImageKHR image = import_argb(dpy, memory.fd, kSize, kSize, kSize * 4);
    REQUIRE(image != EGL_NO_IMAGE);
    const Description d = describe(image);
    CHECK(d.fourcc == kArgb8888);
    CHECK(d.modifier == 0);
    CHECK(d.stride_B == kSize * 4);
    CHECK(d.offset_B == 0);
    uint32_t word = 0;
    void* const p = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, d.fd, 0);
    REQUIRE(p != MAP_FAILED);
    std::memcpy(&word, p, 4);
    CHECK(word == 0x11223344);
    munmap(p, 4096);
    close(d.fd);
    // Values that are not requested are not returned.
    CHECK(query(dpy, image, nullptr, nullptr, nullptr));
    CHECK(export_image(dpy, image, nullptr, nullptr, nullptr));
}

TEST_CASE_FIXTURE(Export, "export: errors") {
    int fd = -1;
    CHECK_EGL_ERROR(query(dpy, EGL_NO_IMAGE, nullptr, nullptr, nullptr), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(export_image(dpy, reinterpret_cast<EGLImageKHR>(uintptr_t(77)), &fd, nullptr, nullptr),
                    EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(export_image(EGL_NO_DISPLAY, EGL_NO_IMAGE, &fd, nullptr, nullptr), EGL_FALSE,
                    EGL_BAD_DISPLAY);
    // drm_fourcc.h has no luminance format.
    const EGLImageKHR luminance = image_of(texture(GL_LUMINANCE));
    CHECK_EGL_ERROR(export_image(dpy, luminance, &fd, nullptr, nullptr), EGL_FALSE, EGL_BAD_MATCH);
    // A single level of several cannot be exported.
    const GLuint levels = texture();
    glGenerateMipmap(GL_TEXTURE_2D);
    CHECK_EGL_ERROR(export_image(dpy, image_of(levels), &fd, nullptr, nullptr), EGL_FALSE, EGL_BAD_MATCH);
    // The storage must move, which needs a context that knows all objects.
    const EGLImageKHR image = image_of(texture());
    REQUIRE(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    CHECK_EGL_ERROR(export_image(dpy, image, &fd, nullptr, nullptr), EGL_FALSE, EGL_BAD_ACCESS);
    EGLContext other = context(cfg);
    REQUIRE(eglMakeCurrent(dpy, surface, surface, other));
    CHECK_EGL_ERROR(export_image(dpy, image, &fd, nullptr, nullptr), EGL_FALSE, EGL_BAD_ACCESS);
    texture_of(image);  // in another share group
    REQUIRE(eglMakeCurrent(dpy, surface, surface, ctx));
    CHECK_EGL_ERROR(export_image(dpy, image, &fd, nullptr, nullptr), EGL_FALSE, EGL_BAD_ACCESS);
    CHECK(fd == -1);
}

TEST_CASE_FIXTURE(Current, "query driver: its name, and that it has no options") {
    const auto name = proc<PFNEGLGETDISPLAYDRIVERNAMEPROC>("eglGetDisplayDriverName");
    const auto options = proc<PFNEGLGETDISPLAYDRIVERCONFIGPROC>("eglGetDisplayDriverConfig");
    const char* const device = std::getenv("TERRAZZO_DEVICE");
    const std::string wanted = !device || !std::strcmp(device, "soft") ? "soft"
                               : std::strstr(device, "mali")           ? "mali"
                                                                       : "adreno";
    REQUIRE(name(dpy));
    CHECK(std::string(name(dpy)) == wanted);
    char* const xml = options(dpy);
    REQUIRE(xml);
    CHECK(std::string(xml).find("<driinfo>") != std::string::npos);
    CHECK(std::string(xml).find("<option ") == std::string::npos);
    free(xml);
    CHECK_EGL_ERROR(name(EGL_NO_DISPLAY), nullptr, EGL_BAD_DISPLAY);
    CHECK_EGL_ERROR(options(EGL_NO_DISPLAY), nullptr, EGL_BAD_DISPLAY);
    EGLDisplay uninitialised = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, nullptr, nullptr);
    CHECK(uninitialised == EGL_NO_DISPLAY);
    eglGetError();
}

TEST_CASE_FIXTURE(Current, "pbuffers: the limits are the device's") {
    EGLint width = 0, height = 0, pixels = 0;
    GLint limit = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
    CHECK(eglGetConfigAttrib(dpy, cfg, EGL_MAX_PBUFFER_WIDTH, &width));
    CHECK(eglGetConfigAttrib(dpy, cfg, EGL_MAX_PBUFFER_HEIGHT, &height));
    CHECK(eglGetConfigAttrib(dpy, cfg, EGL_MAX_PBUFFER_PIXELS, &pixels));
    CHECK(width == limit);
    CHECK(height == limit);
    CHECK(pixels == limit * limit);
    eglDestroySurface(dpy, pbuffer(cfg, width, 1));
    const EGLint wider[] = {EGL_WIDTH, width + 1, EGL_HEIGHT, 1, EGL_NONE};
    CHECK_EGL_ERROR(eglCreatePbufferSurface(dpy, cfg, wider), EGL_NO_SURFACE, EGL_BAD_ALLOC);
}

TEST_CASE_FIXTURE(Current, "pbuffers: those of size 0 can be drawn to, and the device is not lost") {
    const auto reset_status = proc<PFNGLGETGRAPHICSRESETSTATUSEXTPROC>("glGetGraphicsResetStatusEXT");
    const EGLint told[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                           EGL_LOSE_CONTEXT_ON_RESET_EXT, EGL_NONE};
    const EGLContext robust = eglCreateContext(dpy, cfg, EGL_NO_CONTEXT, told);
    REQUIRE(robust != EGL_NO_CONTEXT);
    REQUIRE(eglMakeCurrent(dpy, surface, surface, robust));
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const EGLint sizes[][2] = {{0, 0}, {0, 8}, {8, 0}};
    for (const auto& size : sizes) {
        CAPTURE(size[0]);
        CAPTURE(size[1]);
        EGLSurface none = pbuffer(cfg, size[0], size[1]);
        REQUIRE(eglMakeCurrent(dpy, none, none, robust));
        glClearColor(1, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glEnable(GL_SCISSOR_TEST);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        glFinish();
        CHECK(reset_status() == GL_NO_ERROR);
        CHECK(glGetError() == GL_NO_ERROR);
        REQUIRE(eglMakeCurrent(dpy, surface, surface, robust));
        CHECK(pixel(5, 5) == std::vector<unsigned char>{0, 255, 0, 255});
        CHECK(glGetError() == GL_NO_ERROR);
        eglDestroySurface(dpy, none);
    }
}
