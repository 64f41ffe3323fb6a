// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL on a gbm_device: draws to a gbm_surface, whose buffers the program locks and shows.
#define GL_GLEXT_PROTOTYPES
#include <string_view>

#include "tests/api/gbm/egl_fixture.h"
// After EGL's.
#include <GLES2/gl2ext.h>

using namespace gbm_test;

namespace {

void note_end(gbm_bo*, void* count) {
    ++*static_cast<int*>(count);
}

}  // namespace

TEST_CASE("gbm egl: the platform") {
    const std::string_view client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    CHECK(client.find("EGL_KHR_platform_gbm") != client.npos);
    CHECK(client.find("EGL_MESA_platform_gbm") != client.npos);
    Device d;
    // A gbm_device of any libgbm is recognized by its first word.
    const EGLDisplay dpy = eglGetDisplay(reinterpret_cast<EGLNativeDisplayType>(d.gbm));
    CHECK(dpy != EGL_NO_DISPLAY);
    CHECK(dpy == eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, d.gbm, nullptr));
    CHECK(dpy != eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, nullptr, nullptr));
    int stranger = 0;
    CHECK(eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, &stranger, nullptr) == EGL_NO_DISPLAY);
    CHECK(eglGetError() == EGL_BAD_PARAMETER);
    // The first word is gbm_create_device's address, but the device is not from our backend.
    void* foreign[32] = {*reinterpret_cast<void**>(d.gbm)};
    CHECK(eglGetDisplay(reinterpret_cast<EGLNativeDisplayType>(foreign)) == EGL_NO_DISPLAY);
    CHECK(eglGetError() == EGL_BAD_PARAMETER);
}

TEST_CASE("gbm egl: a display without a gbm_device has configs") {
    const EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, nullptr, nullptr);
    REQUIRE(eglInitialize(dpy, nullptr, nullptr));
    EGLint n = 0;
    CHECK(eglGetConfigs(dpy, nullptr, 0, &n));
    CHECK(n > 0);
    eglTerminate(dpy);
}

TEST_CASE("gbm egl: configs name their formats, and the device its nodes") {
    Display d;
    CHECK(d.config(GBM_FORMAT_XRGB8888));
    CHECK(d.config(GBM_FORMAT_ARGB8888));
    EGLAttrib device = 0;
    auto query = proc<PFNEGLQUERYDISPLAYATTRIBEXTPROC>("eglQueryDisplayAttribEXT");
    auto text = proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    REQUIRE(query(d.dpy, EGL_DEVICE_EXT, &device));
    const char* const extensions = text(reinterpret_cast<EGLDeviceEXT>(device), EGL_EXTENSIONS);
    REQUIRE(extensions);
    if (open_node() &&
        std::string_view(extensions).find("EGL_EXT_device_drm_render_node") != std::string_view::npos)
        CHECK(text(reinterpret_cast<EGLDeviceEXT>(device), EGL_DRM_RENDER_NODE_FILE_EXT) ==
              std::string_view("/dev/dri/renderD128"));
}

TEST_CASE("gbm egl: a node belongs to one device, on any platform") {
    Display d;
    EGLDisplay other = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    REQUIRE(eglInitialize(other, nullptr, nullptr));
    auto query = proc<PFNEGLQUERYDISPLAYATTRIBEXTPROC>("eglQueryDisplayAttribEXT");
    auto text = proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    auto list = proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    EGLDeviceEXT devices[64];
    EGLint n = 0;
    REQUIRE(list(64, devices, &n));
    const char* const node = "/dev/dri/renderD128";
    const auto owners = std::count_if(devices, devices + n, [&](EGLDeviceEXT device) {
        const char* const path = text(device, EGL_DRM_RENDER_NODE_FILE_EXT);
        return path && path == std::string_view(node);
    });
    eglGetError();
    CHECK(owners <= 1);
    if (owners && !open_fake_card) {
        EGLAttrib by_gbm = 0, without = 0;
        REQUIRE(query(d.dpy, EGL_DEVICE_EXT, &by_gbm));
        REQUIRE(query(other, EGL_DEVICE_EXT, &without));
        CHECK(by_gbm == without);
        const char* const path = text(reinterpret_cast<EGLDeviceEXT>(without), EGL_DRM_RENDER_NODE_FILE_EXT);
        REQUIRE(path);
        CHECK(path == std::string_view(node));
    }
    eglTerminate(other);
}

TEST_CASE("gbm egl: frames are upright, in few buffers") {
    for (const uint32_t usage :
         {uint32_t(GBM_BO_USE_RENDERING | GBM_BO_USE_SCANOUT), uint32_t(GBM_BO_USE_LINEAR)}) {
        Window w(kWidth, kHeight, usage);
        CHECK(!gbm_surface_lock_front_buffer(w.surface));
        std::vector<gbm_bo*> seen;
        gbm_bo* shown = nullptr;
        for (int frame = 0; frame < 8; ++frame) {
            EGLint age = -1;
            CHECK(eglQuerySurface(w.dpy, w.egl, EGL_BUFFER_AGE_EXT, &age));
            CHECK(age == (frame < 2 ? 0 : 2));
            draw(1 + frame);
            REQUIRE(eglSwapBuffers(w.dpy, w.egl));
            gbm_bo* const bo = gbm_surface_lock_front_buffer(w.surface);
            REQUIRE(bo);
            CHECK(!gbm_surface_lock_front_buffer(w.surface));
            CHECK(gbm_bo_get_format(bo) == GBM_FORMAT_ARGB8888);
            CHECK(gbm_bo_get_width(bo) == kWidth);
            check_drawn(bo, uint32_t(1 + frame));
            if (shown) gbm_surface_release_buffer(w.surface, shown);
            shown = bo;
            if (std::ranges::find(seen, bo) == seen.end()) seen.push_back(bo);
        }
        CHECK(seen.size() <= 3);
        gbm_surface_release_buffer(w.surface, shown);
    }
}

TEST_CASE("gbm egl: a program that keeps all buffers gets no more") {
    Window w;
    std::vector<gbm_bo*> kept;
    while (gbm_surface_has_free_buffers(w.surface) && kept.size() < 10) {
        draw(2);
        REQUIRE(eglSwapBuffers(w.dpy, w.egl));
        kept.push_back(gbm_surface_lock_front_buffer(w.surface));
        REQUIRE(kept.back());
    }
    CHECK(kept.size() == 4);
    draw(2);
    CHECK(!eglSwapBuffers(w.dpy, w.egl));
    CHECK(eglGetError() == EGL_BAD_SURFACE);
    gbm_surface_release_buffer(w.surface, kept[1]);
    CHECK(gbm_surface_has_free_buffers(w.surface) == 1);
    draw(3);
    CHECK(eglSwapBuffers(w.dpy, w.egl));
    gbm_bo* const next = gbm_surface_lock_front_buffer(w.surface);
    CHECK(next == kept[1]);
    if (next) check_drawn(next, 3);
    for (gbm_bo* bo : kept)
        gbm_surface_release_buffer(w.surface, bo);
}

TEST_CASE("gbm egl: a frame that is not locked is replaced") {
    Window w;
    for (int frame = 0; frame < 6; ++frame) {
        draw(1 + frame);
        REQUIRE(eglSwapBuffers(w.dpy, w.egl));
    }
    gbm_bo* const bo = gbm_surface_lock_front_buffer(w.surface);
    REQUIRE(bo);
    check_drawn(bo, 6);
}

TEST_CASE("gbm egl: the surfaces may end in any order") {
    int ended = 0;
    {
        Window w;
        draw(1);
        REQUIRE(eglSwapBuffers(w.dpy, w.egl));
        gbm_bo* const bo = gbm_surface_lock_front_buffer(w.surface);
        REQUIRE(bo);
        gbm_bo_set_user_data(bo, &ended, note_end);
        draw(2);
        REQUIRE(eglSwapBuffers(w.dpy, w.egl));
        eglMakeCurrent(w.dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroySurface(w.dpy, w.egl);
        w.egl = EGL_NO_SURFACE;
        CHECK(ended == 0);
        check_drawn(bo, 1);  // the program still owns it
        gbm_surface_release_buffer(w.surface, bo);
        CHECK(ended == 1);
        // Another surface on the same gbm_surface.
        w.egl =
            eglCreateWindowSurface(w.dpy, w.cfg, reinterpret_cast<EGLNativeWindowType>(w.surface), nullptr);
        REQUIRE(w.egl != EGL_NO_SURFACE);
        REQUIRE(eglMakeCurrent(w.dpy, w.egl, w.egl, w.ctx));
        draw(3);
        REQUIRE(eglSwapBuffers(w.dpy, w.egl));
        CHECK(gbm_surface_lock_front_buffer(w.surface));
    }
    Display d;
    gbm_surface* const s = gbm_surface_create(d.gbm, 8, 8, GBM_FORMAT_ARGB8888, GBM_BO_USE_RENDERING);
    const EGLSurface egl = eglCreatePlatformWindowSurface(d.dpy, d.config(GBM_FORMAT_ARGB8888), s, nullptr);
    REQUIRE(egl != EGL_NO_SURFACE);
    CHECK(eglCreatePlatformWindowSurface(d.dpy, d.config(GBM_FORMAT_ARGB8888), s, nullptr) == EGL_NO_SURFACE);
    CHECK(eglGetError() == EGL_BAD_ALLOC);
    gbm_surface_destroy(s);
    CHECK(eglDestroySurface(d.dpy, egl));
}

TEST_CASE("gbm egl: invalid windows are refused") {
    Display d, other;
    int stranger = 0;
    const EGLConfig c = d.config(GBM_FORMAT_ARGB8888);
    CHECK(eglCreatePlatformWindowSurface(d.dpy, c, &stranger, nullptr) == EGL_NO_SURFACE);
    CHECK(eglGetError() == EGL_BAD_NATIVE_WINDOW);
    gbm_surface* const rgb = gbm_surface_create(d.gbm, 8, 8, GBM_FORMAT_RGB565, GBM_BO_USE_RENDERING);
    REQUIRE(rgb);
    CHECK(eglCreatePlatformWindowSurface(d.dpy, c, rgb, nullptr) == EGL_NO_SURFACE);
    CHECK(eglGetError() == EGL_BAD_MATCH);
    gbm_surface_destroy(rgb);
    gbm_surface* const foreign =
        gbm_surface_create(other.gbm, 8, 8, GBM_FORMAT_ARGB8888, GBM_BO_USE_RENDERING);
    REQUIRE(foreign);
    CHECK(eglCreatePlatformWindowSurface(d.dpy, c, foreign, nullptr) == EGL_NO_SURFACE);
    CHECK(eglGetError() == EGL_BAD_NATIVE_WINDOW);
    gbm_surface_destroy(foreign);
}

TEST_CASE("gbm egl: a buffer as an image, and an image as a buffer") {
    Window w;
    gbm_bo* const bo = create(w.gbm, GBM_BO_USE_RENDERING, GBM_FORMAT_ARGB8888);
    fill(bo);
    auto create_image = proc<PFNEGLCREATEIMAGEKHRPROC>("eglCreateImageKHR");
    auto destroy_image = proc<PFNEGLDESTROYIMAGEKHRPROC>("eglDestroyImageKHR");
    auto target = proc<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>("glEGLImageTargetTexture2DOES");
    const EGLImageKHR image = create_image(w.dpy, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR, bo, nullptr);
    REQUIRE(image != EGL_NO_IMAGE_KHR);
    GLuint texture = 0, fbo = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    target(GL_TEXTURE_2D, image);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    uint8_t pixel[4];
    glReadPixels(2, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    const uint32_t want = pattern(2, 3);
    CHECK(pixel[0] == uint8_t(want >> 16));
    CHECK(pixel[1] == uint8_t(want >> 8));
    CHECK(pixel[2] == uint8_t(want));
    // GL's draws to it change the buffer.
    clear(kGreen);
    glFinish();
    CHECK(read(bo, 4, 4, 1, 1)[0] == kGreen);
    gbm_bo* const back = gbm_bo_import(w.gbm, GBM_BO_IMPORT_EGL_IMAGE, image, GBM_BO_USE_RENDERING);
    REQUIRE(back);
    CHECK(gbm_bo_get_width(back) == kWidth);
    CHECK(gbm_bo_get_format(back) == GBM_FORMAT_ARGB8888);
    CHECK(gbm_bo_get_handle(back).u32 == gbm_bo_get_handle(bo).u32);
    gbm_bo_destroy(bo);
    CHECK(read(back, 4, 4, 1, 1)[0] == kGreen);
    gbm_bo_destroy(back);
    CHECK(destroy_image(w.dpy, image));
    int stranger = 0;
    CHECK(create_image(w.dpy, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR, &stranger, nullptr) == EGL_NO_IMAGE_KHR);
    CHECK(eglGetError() == EGL_BAD_PARAMETER);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
}

TEST_CASE("gbm egl: everything is released") {
    { Window warm; }
    const size_t before = count_fds();
    for (int i = 0; i < 3; ++i) {
        Window w(64, 64);
        draw(5);
        REQUIRE(eglSwapBuffers(w.dpy, w.egl));
        CHECK(gbm_surface_lock_front_buffer(w.surface));
        draw(6);
        REQUIRE(eglSwapBuffers(w.dpy, w.egl));
    }
    CHECK(count_fds() == before);
}
