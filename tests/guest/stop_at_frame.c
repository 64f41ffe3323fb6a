// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Preloaded into a program on KMS: stops the program (SIGSTOP) after its Nth frame, for each N of the list in
// STOP_AT ("2,20"). So two drivers can be compared on the same frame of an animation, and a frame stays
// visible as long as needed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <xf86drmMode.h>

#define EXPORT __attribute__((visibility("default")))

static void count_frame(int error) {
    static long frames = 0;
    if (error) return;
    ++frames;
    const char* list = getenv("STOP_AT");
    while (list && *list) {
        char* end = NULL;
        if (strtol(list, &end, 10) == frames) raise(SIGSTOP);
        list = *end ? end + 1 : end;
    }
}

EXPORT int drmModePageFlip(int fd, uint32_t crtc, uint32_t fb, uint32_t flags, void* user) {
    int (*const real)(int, uint32_t, uint32_t, uint32_t, void*) = dlsym(RTLD_NEXT, "drmModePageFlip");
    const int error = real(fd, crtc, fb, flags, user);
    count_frame(error);
    return error;
}

EXPORT int drmModeAtomicCommit(int fd, drmModeAtomicReqPtr req, uint32_t flags, void* user) {
    int (*const real)(int, drmModeAtomicReqPtr, uint32_t, void*) = dlsym(RTLD_NEXT, "drmModeAtomicCommit");
    const int error = real(fd, req, flags, user);
    if (!(flags & DRM_MODE_ATOMIC_TEST_ONLY)) count_frame(error);
    return error;
}
