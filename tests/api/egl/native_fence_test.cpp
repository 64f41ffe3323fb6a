// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_ANDROID_native_fence_sync, on the devices that support it: the fences of virtual GPUs are files that
// can be polled.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/api/egl/fixture.h"
#include "winsys/drm/sync_file.h"

namespace {

struct Fences : fixture::Current {
    PFNEGLCREATESYNCKHRPROC create = fixture::proc<PFNEGLCREATESYNCKHRPROC>("eglCreateSyncKHR");
    PFNEGLDUPNATIVEFENCEFDANDROIDPROC dup_fd =
        fixture::proc<PFNEGLDUPNATIVEFENCEFDANDROIDPROC>("eglDupNativeFenceFDANDROID");
    bool has = std::strstr(eglQueryString(dpy, EGL_EXTENSIONS), "EGL_ANDROID_native_fence_sync");
    EGLSyncKHR import(int fd) {
        const EGLint a[] = {EGL_SYNC_NATIVE_FENCE_FD_ANDROID, fd, EGL_NONE};
        return create(dpy, EGL_SYNC_NATIVE_FENCE_ANDROID, a);
    }
};

bool becomes_readable(int fd) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, 10'000) == 1 && (p.revents & POLLIN);
}

}  // namespace

TEST_CASE_FIXTURE(Fences,
                  "native fence: a file is signalled when the work is done, and can be waited for again") {
    if (!has) {
        CHECK_EGL_ERROR(create(dpy, EGL_SYNC_NATIVE_FENCE_ANDROID, nullptr), EGL_NO_SYNC, EGL_BAD_ATTRIBUTE);
        return;
    }
    glClear(GL_COLOR_BUFFER_BIT);
    EGLSyncKHR s = create(dpy, EGL_SYNC_NATIVE_FENCE_ANDROID, nullptr);
    REQUIRE(s != EGL_NO_SYNC);
    EGLAttrib v = 0;
    CHECK(eglGetSyncAttrib(dpy, s, EGL_SYNC_TYPE, &v));
    CHECK(v == EGL_SYNC_NATIVE_FENCE_ANDROID);
    CHECK(eglGetSyncAttrib(dpy, s, EGL_SYNC_CONDITION, &v));
    CHECK(v == EGL_SYNC_PRIOR_COMMANDS_COMPLETE);
    const int fd = dup_fd(dpy, s);
    REQUIRE(fd >= 0);
    CHECK(becomes_readable(fd));
    CHECK(eglClientWaitSync(dpy, s, 0, EGL_FOREVER) == EGL_CONDITION_SATISFIED);
    CHECK(eglDestroySync(dpy, s));
    // Imported again: EGL closes the descriptor.
    EGLSyncKHR again = import(fd);
    REQUIRE(again != EGL_NO_SYNC);
    CHECK(close(fd) == -1);
    CHECK(eglGetSyncAttrib(dpy, again, EGL_SYNC_CONDITION, &v));
    CHECK(v == EGL_SYNC_NATIVE_FENCE_SIGNALED_ANDROID);
    CHECK(eglWaitSync(dpy, again, 0));
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    CHECK(eglClientWaitSync(dpy, again, 0, 0) == EGL_CONDITION_SATISFIED);
    const int copy = dup_fd(dpy, again);
    CHECK(copy >= 0);
    CHECK(becomes_readable(copy));
    close(copy);
    CHECK(eglDestroySync(dpy, again));
}

TEST_CASE_FIXTURE(Fences, "native fence: work after eglWaitSync waits for another process' file") {
    const char* const device = std::getenv("TERRAZZO_DEVICE");
    if (!has || !device || !std::strstr(device, "sim:")) return;
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    REQUIRE(fcntl(ends[0], F_SETFL, terrazzo::winsys::kVirtualSyncFileFlags) == 0);
    EGLSyncKHR theirs = import(ends[0]);  // without waiting
    REQUIRE(theirs != EGL_NO_SYNC);
    CHECK(eglClientWaitSync(dpy, theirs, 0, 0) == EGL_TIMEOUT_EXPIRED);
    glFinish();
    CHECK(eglWaitSync(dpy, theirs, 0));
    glClear(GL_COLOR_BUFFER_BIT);
    EGLSync ours = eglCreateSync(dpy, EGL_SYNC_FENCE, nullptr);
    CHECK(eglClientWaitSync(dpy, ours, EGL_SYNC_FLUSH_COMMANDS_BIT, 50'000'000) == EGL_TIMEOUT_EXPIRED);
    REQUIRE(write(ends[1], "", 1) == 1);
    CHECK(eglClientWaitSync(dpy, ours, 0, 20'000'000'000) == EGL_CONDITION_SATISFIED);
    CHECK(eglClientWaitSync(dpy, theirs, 0, 0) == EGL_CONDITION_SATISFIED);
    CHECK(eglDestroySync(dpy, ours));
    CHECK(eglDestroySync(dpy, theirs));
    close(ends[1]);
}

TEST_CASE_FIXTURE(Fences, "native fence: other files are refused, and the caller keeps the descriptor") {
    if (!has) return;
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    CHECK_EGL_ERROR(import(ends[1]), EGL_NO_SYNC, EGL_BAD_ATTRIBUTE);
    CHECK(close(ends[1]) == 0);
    close(ends[0]);
    const EGLint bad[] = {EGL_WIDTH, 1, EGL_NONE};
    CHECK_EGL_ERROR(create(dpy, EGL_SYNC_NATIVE_FENCE_ANDROID, bad), EGL_NO_SYNC, EGL_BAD_ATTRIBUTE);
    EGLSyncKHR fence = create(dpy, EGL_SYNC_FENCE_KHR, nullptr);
    CHECK_EGL_ERROR(dup_fd(dpy, fence), EGL_NO_NATIVE_FENCE_FD_ANDROID, EGL_BAD_PARAMETER);
    CHECK(eglDestroySync(dpy, fence));
}
