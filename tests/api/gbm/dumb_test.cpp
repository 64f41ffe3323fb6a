// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A card that can only show its own memory.
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "tests/api/gbm/fake_card.h"
#include "tests/api/gbm/fixture.h"

using namespace gbm_test;

TEST_CASE("gbm dumb: buffers to be shown are the card's own memory") {
    Device d;
    const CardCounts before = card_counts();
    gbm_bo* const plain = create(d.gbm, GBM_BO_USE_RENDERING);
    CHECK(card_counts().dumb == before.dumb);
    gbm_bo* const shown = create(d.gbm, GBM_BO_USE_RENDERING | GBM_BO_USE_SCANOUT);
    gbm_bo* const cursor =
        gbm_bo_create(d.gbm, 64, 64, GBM_FORMAT_ARGB8888, GBM_BO_USE_CURSOR | GBM_BO_USE_WRITE);
    REQUIRE(cursor);
    const uint64_t linear = 0;
    gbm_bo* const listed =
        gbm_bo_create_with_modifiers(d.gbm, kWidth, kHeight, GBM_FORMAT_XRGB8888, &linear, 1);
    REQUIRE(listed);
    CHECK(card_counts().dumb == before.dumb + 3);
    CHECK(card_counts().handles == before.handles + 4);
    CHECK(gbm_bo_get_stride(cursor) == 256);  // KMS expects this for cursors
    for (gbm_bo* bo : {plain, shown, cursor, listed}) {
        CHECK(gbm_bo_get_handle(bo).u32 != 0);
        fill(bo);
        CHECK(is_filled(bo));
    }
    gbm_import_fd_data data = {gbm_bo_get_fd(shown), kWidth, kHeight, gbm_bo_get_stride(shown),
                               GBM_FORMAT_XRGB8888};
    gbm_bo* const again = gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD, &data, GBM_BO_USE_SCANOUT);
    close(data.fd);
    REQUIRE(again);
    CHECK(gbm_bo_get_handle(again).u32 == gbm_bo_get_handle(shown).u32);
    gbm_bo_destroy(shown);
    CHECK(card_counts().handles == before.handles + 4);
    for (gbm_bo* bo : {plain, cursor, listed, again})
        gbm_bo_destroy(bo);
    CHECK(card_counts().handles == before.handles);
    CHECK(card_counts().bad_handles == 0);
}

TEST_CASE("gbm dumb: on a card the CPU's fences are descriptors, which KMS waits for") {
    const int before = card_counts().handles;
    Device d;
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, d.gbm, nullptr);
    REQUIRE(eglInitialize(dpy, nullptr, nullptr));
    CHECK(card_counts().handles == before);  // the object that created the signalled file is closed
    REQUIRE(std::strstr(eglQueryString(dpy, EGL_EXTENSIONS), "EGL_ANDROID_native_fence_sync"));
    const auto create = reinterpret_cast<PFNEGLCREATESYNCKHRPROC>(eglGetProcAddress("eglCreateSyncKHR"));
    const auto dup_fd =
        reinterpret_cast<PFNEGLDUPNATIVEFENCEFDANDROIDPROC>(eglGetProcAddress("eglDupNativeFenceFDANDROID"));
    EGLContext context = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, nullptr);
    REQUIRE(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    EGLSyncKHR sync = create(dpy, EGL_SYNC_NATIVE_FENCE_ANDROID, nullptr);
    REQUIRE(sync != EGL_NO_SYNC_KHR);
    const int fences[] = {dup_fd(dpy, sync), dup_fd(dpy, sync)};
    for (const int fd : fences) {
        pollfd p{fd, POLLIN, 0};
        CHECK(fd >= 0);
        CHECK(poll(&p, 1, 0) == 1);
        close(fd);
    }
    CHECK(eglDestroySync(dpy, sync));
    const EGLint none[] = {EGL_SYNC_NATIVE_FENCE_FD_ANDROID, d.fd, EGL_NONE};
    CHECK(create(dpy, EGL_SYNC_NATIVE_FENCE_ANDROID, none) == EGL_NO_SYNC_KHR);  // a card is not a fence
    CHECK(eglGetError() == EGL_BAD_ATTRIBUTE);
    eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(dpy);
}
