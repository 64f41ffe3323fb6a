// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Extension functions: eglGetProcAddress returns one function for both vendors, which calls the vendor of its
// display or device.
#include <cstring>

#include "vendors.h"

namespace {

using namespace vendors;

TEST_CASE("glvnd: client extensions are those of libEGL, and platforms") {
    const std::string all = std::string(" ") + eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS) + ' ';
    CHECK(all.find(" EGL_MESA_platform_surfaceless ") != all.npos);
    CHECK(all.find(" EGL_EXT_device_enumeration ") != all.npos);
    // Terrazzo supports it, Mesa does not: libEGL cannot offer it.
    CHECK(all.find(" EGL_KHR_display_reference ") == all.npos);
}

TEST_CASE("glvnd: texts of devices are from their vendor") {
    const auto text = proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    REQUIRE(text(terrazzo().device, EGL_VENDOR));
    CHECK(std::string(text(terrazzo().device, EGL_VENDOR)) == "Terrazzo");
    REQUIRE(text(mesa().device, EGL_EXTENSIONS));
    CHECK(std::strstr(text(mesa().device, EGL_EXTENSIONS), "EGL_MESA_device_software"));
    int foreign = 0;
    CHECK(text(&foreign, EGL_EXTENSIONS) == nullptr);
    CHECK(eglGetError() == EGL_BAD_DEVICE_EXT);
    EGLAttrib value = 0;
    CHECK_FALSE(
        proc<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT")(terrazzo().device, 0, &value));
    CHECK(eglGetError() == EGL_BAD_ATTRIBUTE);
}

TEST_CASE("glvnd: syncs of both vendors through the same functions") {
    const auto create = proc<PFNEGLCREATESYNCKHRPROC>("eglCreateSyncKHR");
    const auto wait = proc<PFNEGLCLIENTWAITSYNCKHRPROC>("eglClientWaitSyncKHR");
    const auto attribute = proc<PFNEGLGETSYNCATTRIBKHRPROC>("eglGetSyncAttribKHR");
    const auto destroy = proc<PFNEGLDESTROYSYNCKHRPROC>("eglDestroySyncKHR");
    for (const Vendor* v : {&mesa(), &terrazzo(), &mesa()}) {
        CAPTURE(v->name);
        Target target(*v);
        REQUIRE(target.make_current());
        target.draw({255, 0, 0, 255});
        const EGLSyncKHR sync = create(v->dpy, EGL_SYNC_FENCE_KHR, nullptr);
        REQUIRE(sync != EGL_NO_SYNC_KHR);
        CHECK(wait(v->dpy, sync, EGL_SYNC_FLUSH_COMMANDS_BIT_KHR, EGL_FOREVER_KHR) ==
              EGL_CONDITION_SATISFIED_KHR);
        EGLint status = 0;
        CHECK(attribute(v->dpy, sync, EGL_SYNC_STATUS_KHR, &status));
        CHECK(status == EGL_SIGNALED_KHR);
        CHECK(destroy(v->dpy, sync));
        CHECK_FALSE(destroy(v->dpy, sync));
        CHECK(eglGetError() == EGL_BAD_PARAMETER);
    }
    int foreign = 0;
    CHECK(create(&foreign, EGL_SYNC_FENCE_KHR, nullptr) == EGL_NO_SYNC_KHR);
    CHECK(eglGetError() == EGL_BAD_DISPLAY);
    const EGLint fd =
        proc<PFNEGLDUPNATIVEFENCEFDANDROIDPROC>("eglDupNativeFenceFDANDROID")(&foreign, nullptr);
    if (!is_mesa_first()) CHECK(fd == EGL_NO_NATIVE_FENCE_FD_ANDROID);  // Mesa's function returns 0
    CHECK(eglGetError() == EGL_BAD_DISPLAY);
}

TEST_CASE("glvnd: images of both vendors through the same functions") {
    const auto create = proc<PFNEGLCREATEIMAGEKHRPROC>("eglCreateImageKHR");
    const auto destroy = proc<PFNEGLDESTROYIMAGEKHRPROC>("eglDestroyImageKHR");
    for (const Vendor* v : {&mesa(), &terrazzo()}) {
        CAPTURE(v->name);
        Target target(*v);
        REQUIRE(target.make_current());
        GLuint texture = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        const EGLImageKHR image = create(v->dpy, target.context(), EGL_GL_TEXTURE_2D_KHR,
                                         reinterpret_cast<EGLClientBuffer>(uintptr_t(texture)), nullptr);
        REQUIRE(image != EGL_NO_IMAGE_KHR);
        CHECK(destroy(v->dpy, image));
        glDeleteTextures(1, &texture);
    }
}

TEST_CASE("glvnd: a function of an extension of GL draws in the context that is current") {
    using DrawInstanced = void (*)(GLenum, GLint, GLsizei, GLsizei);
    const auto draw = proc<DrawInstanced>("glDrawArraysInstanced");
    for (const Vendor* v : {&terrazzo(), &mesa(), &terrazzo()}) {
        CAPTURE(v->name);
        Target target(*v, 3);
        REQUIRE(target.make_current());
        target.draw({0, 255, 0, 255});
        glClear(GL_COLOR_BUFFER_BIT);
        draw(GL_TRIANGLE_STRIP, 0, 4, 2);
        CHECK(target.read() == std::array{Pixel{0, 255, 0, 255}, Pixel{0, 0, 0, 255}});
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

}  // namespace
