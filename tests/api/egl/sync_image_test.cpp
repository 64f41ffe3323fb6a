// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <thread>

#include "tests/api/egl/fixture.h"

#include <GLES2/gl2ext.h>  // needs gl2.h first

TEST_CASE_FIXTURE(fixture::Current, "fence syncs") {
    EGLSync s = eglCreateSync(dpy, EGL_SYNC_FENCE, nullptr);
    REQUIRE(s != EGL_NO_SYNC);
    EGLAttrib v = 0;
    CHECK(eglGetSyncAttrib(dpy, s, EGL_SYNC_TYPE, &v));
    CHECK(v == EGL_SYNC_FENCE);
    CHECK(eglGetSyncAttrib(dpy, s, EGL_SYNC_CONDITION, &v));
    CHECK(v == EGL_SYNC_PRIOR_COMMANDS_COMPLETE);
    CHECK(eglClientWaitSync(dpy, s, EGL_SYNC_FLUSH_COMMANDS_BIT, EGL_FOREVER) == EGL_CONDITION_SATISFIED);
    CHECK(eglGetSyncAttrib(dpy, s, EGL_SYNC_STATUS, &v));
    CHECK(v == EGL_SIGNALED);
    CHECK(eglWaitSync(dpy, s, 0));
    CHECK_EGL_ERROR(eglWaitSync(dpy, s, 1), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(eglGetSyncAttrib(dpy, s, 0x7777, &v), EGL_FALSE, EGL_BAD_ATTRIBUTE);
    CHECK(eglDestroySync(dpy, s));
    CHECK_EGL_ERROR(eglDestroySync(dpy, s), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(eglCreateSync(dpy, 0x7777, nullptr), EGL_NO_SYNC, EGL_BAD_PARAMETER);
    const EGLAttrib bad[] = {EGL_WIDTH, 1, EGL_NONE};
    CHECK_EGL_ERROR(eglCreateSync(dpy, EGL_SYNC_FENCE, bad), EGL_NO_SYNC, EGL_BAD_ATTRIBUTE);
    eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    CHECK_EGL_ERROR(eglCreateSync(dpy, EGL_SYNC_FENCE, nullptr), EGL_NO_SYNC, EGL_BAD_MATCH);
}

TEST_CASE_FIXTURE(fixture::Display, "reusable syncs wake their waiters") {
    auto create = fixture::proc<PFNEGLCREATESYNCKHRPROC>("eglCreateSyncKHR");
    auto signal = fixture::proc<PFNEGLSIGNALSYNCKHRPROC>("eglSignalSyncKHR");
    EGLSyncKHR s = create(dpy, EGL_SYNC_REUSABLE_KHR, nullptr);
    REQUIRE(s != EGL_NO_SYNC);
    CHECK(eglClientWaitSync(dpy, s, 0, 1000) == EGL_TIMEOUT_EXPIRED);
    EGLint got = 0;
    std::thread waiter([&] { got = eglClientWaitSync(dpy, s, 0, EGL_FOREVER); });
    CHECK(signal(dpy, s, EGL_SIGNALED));
    waiter.join();
    CHECK(got == EGL_CONDITION_SATISFIED);
    CHECK(signal(dpy, s, EGL_UNSIGNALED));
    CHECK(eglClientWaitSync(dpy, s, 0, 0) == EGL_TIMEOUT_EXPIRED);
    CHECK_EGL_ERROR(signal(dpy, s, 5), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK(eglDestroySync(dpy, s));
}

TEST_CASE_FIXTURE(fixture::Current, "an image shares a texture's storage with another texture") {
    auto target = fixture::proc<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>("glEGLImageTargetTexture2DOES");
    const unsigned char red[] = {255, 0, 0, 255}, blue[] = {0, 0, 255, 255};
    GLuint t[2] = {}, fbo = 0;
    glGenTextures(2, t);
    glBindTexture(GL_TEXTURE_2D, t[0]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, red);
    EGLImage image = eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_2D,
                                    reinterpret_cast<EGLClientBuffer>(uintptr_t(t[0])), nullptr);
    REQUIRE(image != EGL_NO_IMAGE);
    glBindTexture(GL_TEXTURE_2D, t[1]);
    target(GL_TEXTURE_2D, image);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(eglDestroyImage(dpy, image));
    glBindTexture(GL_TEXTURE_2D, t[0]);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, blue);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t[1], 0);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(pixel(0, 0) == std::vector<unsigned char>{0, 0, 255, 255});
    CHECK_EGL_ERROR(eglDestroyImage(dpy, image), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(eglCreateImage(dpy, ctx, 0x7777, nullptr, nullptr), EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_2D,
                                   reinterpret_cast<EGLClientBuffer>(uintptr_t(77)), nullptr),
                    EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    target(GL_TEXTURE_2D, image);  // its handle is destroyed
    CHECK(glGetError() == GL_INVALID_VALUE);
}
