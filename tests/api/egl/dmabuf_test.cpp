// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_EXT_image_dma_buf_import and _modifiers on the CPU device, which accepts sealed memfds as dma-bufs.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "tests/api/egl/fixture.h"

#include <GLES2/gl2ext.h>  // needs gl2.h first

namespace {

constexpr EGLint kArgb = 0x34325241, kXrgb = 0x34325258;
constexpr EGLint kW = 16, kH = 8, kStride_B = 128, kOffset_B = 4096;
constexpr size_t kSize_B = 16384;

/// Memory like a dma-buf's: it cannot shrink.
struct Memory {
    Memory() {
        fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        REQUIRE(fd >= 0);
        REQUIRE(ftruncate(fd, kSize_B) == 0);
        REQUIRE(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
        bytes =
            static_cast<unsigned char*>(mmap(nullptr, kSize_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
        REQUIRE(bytes != MAP_FAILED);
    }
    ~Memory() {
        munmap(bytes, kSize_B);
        close(fd);
    }
    uint32_t& pixel(int x, int y) {
        return *reinterpret_cast<uint32_t*>(bytes + kOffset_B + y * kStride_B + x * 4);
    }
    int fd = -1;
    unsigned char* bytes = nullptr;
};

std::vector<EGLint> attributes(int fd) {
    return {EGL_WIDTH,
            kW,
            EGL_HEIGHT,
            kH,
            EGL_LINUX_DRM_FOURCC_EXT,
            kArgb,
            EGL_DMA_BUF_PLANE0_FD_EXT,
            fd,
            EGL_DMA_BUF_PLANE0_OFFSET_EXT,
            kOffset_B,
            EGL_DMA_BUF_PLANE0_PITCH_EXT,
            kStride_B,
            EGL_NONE};
}

struct Images : fixture::Current {
    PFNEGLCREATEIMAGEKHRPROC create = fixture::proc<PFNEGLCREATEIMAGEKHRPROC>("eglCreateImageKHR");
    EGLImageKHR import(const std::vector<EGLint>& a) {
        return create(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, nullptr, a.data());
    }
    /// The same list with an attribute changed, or added if it is missing.
    EGLImageKHR import_with(int fd, EGLint name, EGLint value) {
        std::vector<EGLint> a = attributes(fd);
        size_t i = 0;
        while (a[i] != EGL_NONE && a[i] != name)
            i += 2;
        if (a[i] == EGL_NONE)
            a.insert(a.begin(), {name, value});
        else
            a[i + 1] = value;
        return import(a);
    }
    EGLImageKHR import_without(int fd, EGLint name) {
        std::vector<EGLint> a = attributes(fd);
        for (size_t i = 0; a[i] != EGL_NONE; i += 2)
            if (a[i] == name) a.erase(a.begin() + long(i), a.begin() + long(i) + 2);
        return import(a);
    }
};

int open_files() {
    DIR* const d = opendir("/proc/self/fd");
    int n = 0;
    while (readdir(d))
        ++n;
    closedir(d);
    return n;
}

}  // namespace

TEST_CASE_FIXTURE(Images,
                  "dma-buf: a texture of it shows its pixels, and a framebuffer with it draws to them") {
    Memory m;
    m.pixel(3, 0) = 0xff112233;
    EGLImageKHR image = import(attributes(m.fd));
    REQUIRE(image != EGL_NO_IMAGE);
    GLuint texture = 0, fbo = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    fixture::proc<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>("glEGLImageTargetTexture2DOES")(GL_TEXTURE_2D, image);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(eglDestroyImage(dpy, image));
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(pixel(3, 0) == std::vector<unsigned char>{0x11, 0x22, 0x33, 0xff});  // the first row is row 0
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, kW, 1);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    CHECK(m.pixel(3, 0) == 0xff00ff00);
    CHECK(m.pixel(3, 1) == 0);
    CHECK(m.bytes[kOffset_B - 1] == 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
}

TEST_CASE_FIXTURE(Images, "dma-buf: each broken rule has its error") {
    Memory m;
    const int fd = m.fd;
    CHECK_EGL_ERROR(create(dpy, ctx, EGL_LINUX_DMA_BUF_EXT, nullptr, attributes(fd).data()), EGL_NO_IMAGE,
                    EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(create(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, &m, attributes(fd).data()),
                    EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    for (EGLint name : {EGL_WIDTH, EGL_HEIGHT, EGL_LINUX_DRM_FOURCC_EXT, EGL_DMA_BUF_PLANE0_FD_EXT,
                        EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGL_DMA_BUF_PLANE0_PITCH_EXT})
        CHECK_EGL_ERROR(import_without(fd, name), EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(import_with(fd, EGL_LINUX_DRM_FOURCC_EXT, 0x20202020), EGL_NO_IMAGE, EGL_BAD_MATCH);
    CHECK_EGL_ERROR(import_with(fd, EGL_DMA_BUF_PLANE1_FD_EXT, fd), EGL_NO_IMAGE, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(import_with(fd, EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT, 0), EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(import_with(fd, EGL_SAMPLE_RANGE_HINT_EXT, 7), EGL_NO_IMAGE, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(import_with(fd, 0x7777, 7), EGL_NO_IMAGE, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(import_with(fd, EGL_WIDTH, -1), EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(import_with(fd, EGL_HEIGHT, 1 << 20), EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(import_with(fd, EGL_DMA_BUF_PLANE0_FD_EXT, -1), EGL_NO_IMAGE, EGL_BAD_ACCESS);
    CHECK_EGL_ERROR(import_with(fd, EGL_DMA_BUF_PLANE0_PITCH_EXT, kW * 4 - 1), EGL_NO_IMAGE, EGL_BAD_ACCESS);
    CHECK_EGL_ERROR(import_with(fd, EGL_DMA_BUF_PLANE0_PITCH_EXT, -64), EGL_NO_IMAGE, EGL_BAD_ACCESS);
    CHECK_EGL_ERROR(import_with(fd, EGL_DMA_BUF_PLANE0_OFFSET_EXT, kSize_B - 64), EGL_NO_IMAGE,
                    EGL_BAD_ACCESS);
    std::vector<EGLint> tiled = attributes(fd);
    tiled.insert(tiled.begin(),
                 {EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT, 3, EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT, 0x05000000});
    CHECK_EGL_ERROR(import(tiled), EGL_NO_IMAGE, EGL_BAD_MATCH);
}

TEST_CASE_FIXTURE(Images, "dma-buf: formats and modifiers can be queried") {
    const auto formats = fixture::proc<PFNEGLQUERYDMABUFFORMATSEXTPROC>("eglQueryDmaBufFormatsEXT");
    const auto modifiers = fixture::proc<PFNEGLQUERYDMABUFMODIFIERSEXTPROC>("eglQueryDmaBufModifiersEXT");
    EGLint n = 0, again = 0;
    CHECK(formats(dpy, 0, nullptr, &n));
    REQUIRE(n > 4);
    std::vector<EGLint> all(static_cast<size_t>(n));
    CHECK(formats(dpy, n, all.data(), &again));
    CHECK(again == n);
    for (EGLint f : {kArgb, kXrgb})
        CHECK(std::count(all.begin(), all.end(), f) == 1);
    EGLuint64KHR modifier = 1;
    EGLBoolean external = EGL_TRUE;
    CHECK(modifiers(dpy, kXrgb, 1, &modifier, &external, &n));
    CHECK(n == 1);
    CHECK(modifier == 0);
    CHECK(!external);
    CHECK_EGL_ERROR(modifiers(dpy, 0x20202020, 1, &modifier, &external, &n), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(modifiers(dpy, kXrgb, -1, &modifier, &external, &n), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(formats(dpy, -1, nullptr, &n), EGL_FALSE, EGL_BAD_PARAMETER);
}

TEST_CASE_FIXTURE(Images, "dma-buf: a hundred thousand lists of random numbers leak nothing") {
    Memory m;
    std::mt19937 random(1);
    const int files = open_files();
    constexpr EGLint kValues[] = {0,    1,    -1,      4,       64,        kStride_B, kW,    kH,
                                  4096, 8192, kSize_B, 1 << 30, INT32_MIN, INT32_MAX, kXrgb, 0x36314752};
    int made = 0;
    for (int i = 0; i < 100'000; ++i) {
        std::vector<EGLint> a = attributes(m.fd);
        a.insert(a.begin(), {EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT, 0, EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT, 0});
        for (unsigned spoiled = 1 + random() % 3; spoiled--;) {
            const size_t at = random() % (a.size() - 1);
            a[at] = random() % 4 ? kValues[random() % std::size(kValues)] : EGLint(random());
        }
        // Only our kinds of descriptors: others could be the test's own.
        for (size_t n = 0; n + 1 < a.size(); n += 2)
            if (a[n] == EGL_DMA_BUF_PLANE0_FD_EXT && a[n + 1] != -1) a[n + 1] = m.fd;
        EGLImageKHR image = import(a);
        if (image == EGL_NO_IMAGE) {
            CHECK(eglGetError() != EGL_SUCCESS);
            continue;
        }
        ++made;
        CHECK(eglDestroyImage(dpy, image));
    }
    CHECK(made > 1000);
    CHECK(open_files() == files);
}

namespace {

std::string last_message;

void EGLAPIENTRY keep_message(EGLenum, const char*, EGLint, EGLLabelKHR, EGLLabelKHR, const char* message) {
    last_message = message;
}

}  // namespace

TEST_CASE_FIXTURE(Images, "dma-buf: each cause of a refusal has its own message") {
    Memory m;
    const auto control = fixture::proc<PFNEGLDEBUGMESSAGECONTROLKHRPROC>("eglDebugMessageControlKHR");
    REQUIRE(control(&keep_message, nullptr) == EGL_SUCCESS);
    const auto message = [&](EGLint name, EGLint value) {
        last_message.clear();
        CHECK_EGL_ERROR(import_with(m.fd, name, value), EGL_NO_IMAGE, EGL_BAD_ACCESS);
        return last_message;
    };
    const auto names = [](const std::string& text, const char* cause) {
        CAPTURE(text);
        return text.find("plane 0") != std::string::npos && text.find(cause) != std::string::npos;
    };
    CHECK(names(message(EGL_DMA_BUF_PLANE0_FD_EXT, -1), "its descriptor is no dma-buf"));
    CHECK(names(message(EGL_DMA_BUF_PLANE0_PITCH_EXT, kW * 4 - 1), "its pitch is less than a row"));
    CHECK(names(message(EGL_DMA_BUF_PLANE0_OFFSET_EXT, kSize_B - 64), "it ends outside its memory"));
    CHECK(names(message(EGL_HEIGHT, 4096), "it ends outside its memory"));
    CHECK(names(message(EGL_DMA_BUF_PLANE0_PITCH_EXT, -64), "a pitch that is out of range"));
    CHECK(names(message(EGL_DMA_BUF_PLANE0_OFFSET_EXT, -64), "an offset that is out of range"));
    control(nullptr, nullptr);
}
