// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_KHR_partial_update, in windows.
#include "tests/api/gbm/egl_fixture.h"

using namespace gbm_test;

namespace {

EGLint age(const Window& w) {
    EGLint age = -1;
    CHECK(eglQuerySurface(w.dpy, w.egl, EGL_BUFFER_AGE_KHR, &age));
    return age;
}

void fill_box(const EGLint (&box)[4], uint32_t color) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(box[0], box[1], box[2], box[3]);
    clear(color);
    glDisable(GL_SCISSOR_TEST);
}

/// Shows the frame, and returns its pixels, top row first.
std::vector<uint32_t> show(const Window& w) {
    REQUIRE(eglSwapBuffers(w.dpy, w.egl));
    gbm_bo* const bo = gbm_surface_lock_front_buffer(w.surface);
    REQUIRE(bo);
    std::vector<uint32_t> pixels = read(bo, 0, 0, gbm_bo_get_width(bo), gbm_bo_get_height(bo));
    gbm_surface_release_buffer(w.surface, bo);
    return pixels;
}

}  // namespace

TEST_CASE("partial update: refusals") {
    Window w;
    CHECK(std::string(eglQueryString(w.dpy, EGL_EXTENSIONS)).find("EGL_KHR_partial_update") !=
          std::string::npos);
    auto set = proc<PFNEGLSETDAMAGEREGIONKHRPROC>("eglSetDamageRegionKHR");
    EGLint box[] = {0, 0, 4, 4};
    const auto refused = [&](EGLSurface s, EGLint* rects, EGLint n, EGLint error) {
        CHECK(!set(w.dpy, s, rects, n));
        CHECK(eglGetError() == error);
    };
    refused(w.egl, box, 1, EGL_BAD_ACCESS);  // the age was not queried
    age(w);
    refused(w.egl, box, -1, EGL_BAD_PARAMETER);
    refused(w.egl, nullptr, 1, EGL_BAD_PARAMETER);
    refused(w.ctx, box, 1, EGL_BAD_SURFACE);
    REQUIRE(eglSurfaceAttrib(w.dpy, w.egl, EGL_SWAP_BEHAVIOR, EGL_BUFFER_PRESERVED));
    refused(w.egl, box, 1, EGL_BAD_MATCH);
    REQUIRE(eglSurfaceAttrib(w.dpy, w.egl, EGL_SWAP_BEHAVIOR, EGL_BUFFER_DESTROYED));
    CHECK(set(w.dpy, w.egl, nullptr, 0));
    refused(w.egl, box, 1, EGL_BAD_ACCESS);  // it is already set
    draw(1);
    (void)show(w);
    refused(w.egl, box, 1, EGL_BAD_ACCESS);  // a new frame
    age(w);
    CHECK(set(w.dpy, w.egl, box, 1));
    const EGLint size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    const EGLSurface pbuffer = eglCreatePbufferSurface(w.dpy, w.cfg, size);
    refused(pbuffer, box, 1, EGL_BAD_MATCH);  // not current
    REQUIRE(eglMakeCurrent(w.dpy, pbuffer, pbuffer, w.ctx));
    refused(pbuffer, box, 1, EGL_BAD_MATCH);  // not a window
    REQUIRE(eglMakeCurrent(w.dpy, w.egl, w.egl, w.ctx));
    CHECK(eglDestroySurface(w.dpy, pbuffer));
}

TEST_CASE("partial update: a frame draws its region, the rest stays") {
    constexpr uint32_t kW = 300, kH = 200;
    Window w(kW, kH);
    auto set = proc<PFNEGLSETDAMAGEREGIONKHRPROC>("eglSetDamageRegionKHR");
    const EGLint boxes[][4] = {{0, 0, 20, 30}, {250, 170, 50, 30}, {100, 3, 9, 90}, {7, 120, 280, 1}};
    std::vector<uint32_t> shown[8];
    for (unsigned frame = 0; frame < 8; ++frame) {
        const EGLint frames_ago = age(w);
        const uint32_t color = 0xff000000 | (frame * 30 + 10) << 8;
        std::vector<uint32_t> want(kW * kH, kBlue);
        if (!frames_ago) {
            clear(kBlue);
        } else {
            REQUIRE(unsigned(frames_ago) <= frame);
            want = shown[frame - unsigned(frames_ago)];
            EGLint rects[8];
            std::copy_n(boxes[frame % 4], 4, rects);
            std::copy_n(boxes[(frame + 1) % 4], 4, rects + 4);
            CHECK(set(w.dpy, w.egl, rects, 2));
            for (const unsigned b : {frame % 4, (frame + 1) % 4}) {
                fill_box(boxes[b], color);
                for (EGLint y = boxes[b][1]; y < boxes[b][1] + boxes[b][3]; ++y)
                    std::fill_n(&want[(kH - 1 - size_t(y)) * kW + size_t(boxes[b][0])], boxes[b][2], color);
            }
        }
        shown[frame] = show(w);
        CHECK(shown[frame] == want);
    }
}
