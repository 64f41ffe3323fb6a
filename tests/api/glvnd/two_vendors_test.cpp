// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mesa and Terrazzo draw in one process, through the system's libEGL.so.1 and libGLESv2.so.2.
#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "vendors.h"

namespace {

using namespace vendors;

constexpr Pixel kBlack{0, 0, 0, 255}, kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlue{0, 0, 255, 255},
    kYellow{255, 255, 0, 255};

std::string gl_string(GLenum name) {
    const GLubyte* const text = glGetString(name);
    return text ? reinterpret_cast<const char*>(text) : "";
}

TEST_CASE("two vendors: both are there") {
    REQUIRE(mesa().device);
    REQUIRE(terrazzo().device);
    CHECK(mesa().dpy != terrazzo().dpy);
    CHECK(terrazzo().name == "Terrazzo");
}

TEST_CASE(
    "two vendors: eglQueryDevicesEXT lists the devices of both, each once, and a device is its vendor's") {
    const std::vector<EGLDeviceEXT> all = devices();
    CHECK(std::set(all.begin(), all.end()).size() == all.size());
    CHECK(std::count(all.begin(), all.end(), mesa().device) == 1);
    CHECK(std::count(all.begin(), all.end(), terrazzo().device) == 1);
    const auto attribute = proc<PFNEGLQUERYDISPLAYATTRIBEXTPROC>("eglQueryDisplayAttribEXT");
    for (const Vendor* v : {&mesa(), &terrazzo()}) {
        EGLAttrib device = 0;
        REQUIRE(attribute(v->dpy, EGL_DEVICE_EXT, &device));
        CHECK(reinterpret_cast<EGLDeviceEXT>(device) == v->device);
        CHECK(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, v->device, nullptr) == v->dpy);
        CHECK(eglGetDisplay(EGLNativeDisplayType(v->device)) == v->dpy);
    }
    int foreign = 0;
    CHECK(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, &foreign, nullptr) == EGL_NO_DISPLAY);
    CHECK(eglGetError() == EGL_BAD_PARAMETER);
}

TEST_CASE("two vendors: a display that both vendors support is the first vendor's") {
    const EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    REQUIRE(dpy != EGL_NO_DISPLAY);
    REQUIRE(eglInitialize(dpy, nullptr, nullptr));
    CHECK(std::string(eglQueryString(dpy, EGL_VENDOR)) == (is_mesa_first() ? mesa() : terrazzo()).name);
}

TEST_CASE("two vendors: contexts of both are current in turn on one thread") {
    Target of_mesa(mesa()), of_terrazzo(terrazzo());
    for (int turn = 0; turn < 6; ++turn) {
        const bool odd = turn & 1;
        REQUIRE(of_mesa.make_current());
        CHECK(eglGetCurrentDisplay() == mesa().dpy);
        CHECK(eglGetCurrentContext() == of_mesa.context());
        CHECK(gl_string(GL_VERSION).find("Mesa") != std::string::npos);
        of_mesa.draw(odd ? kRed : kGreen);
        REQUIRE(of_terrazzo.make_current());
        CHECK(eglGetCurrentDisplay() == terrazzo().dpy);
        CHECK(eglGetCurrentContext() == of_terrazzo.context());
        CHECK(gl_string(GL_VERSION).find("Terrazzo") != std::string::npos);
        of_terrazzo.draw(odd ? kBlue : kYellow);
        CHECK(of_terrazzo.read() == std::array{odd ? kBlue : kYellow, kBlack});
        REQUIRE(of_mesa.make_current());
        CHECK(of_mesa.read() == std::array{odd ? kRed : kGreen, kBlack});
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

TEST_CASE("two vendors: two threads draw at the same time, each with both") {
    std::atomic<int> wrong = 0;
    auto draw_frames = [&wrong](Target* first, Target* second, Pixel a, Pixel b) {
        for (int frame = 0; frame < 40; ++frame) {
            for (auto [target, color] : {std::pair{first, a}, std::pair{second, b}}) {
                if (!target->make_current()) ++wrong;
                target->draw(color);
                if (target->read() != std::array{color, kBlack}) ++wrong;
            }
        }
        if (!second->release() || !eglReleaseThread()) ++wrong;
    };
    Target m1(mesa()), t1(terrazzo()), m2(mesa()), t2(terrazzo());
    std::thread one(draw_frames, &m1, &t1, kRed, kGreen), two(draw_frames, &t2, &m2, kBlue, kYellow);
    one.join();
    two.join();
    CHECK(wrong == 0);
}

TEST_CASE(
    "two vendors: a context that cannot be made current leaves none current, and errors are from the vendor "
    "of the call"
    "was") {
    Target of_mesa(mesa()), of_terrazzo(terrazzo());
    REQUIRE(of_mesa.make_current());
    CHECK_FALSE(eglMakeCurrent(terrazzo().dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, of_mesa.context()));
    CHECK(eglGetError() == EGL_BAD_CONTEXT);
    CHECK_FALSE(eglDestroyContext(terrazzo().dpy, of_mesa.context()));
    CHECK(eglGetError() == EGL_BAD_CONTEXT);
    CHECK_FALSE(eglDestroySurface(mesa().dpy, EGL_NO_SURFACE));
    CHECK(eglGetError() == EGL_BAD_SURFACE);
    CHECK(eglQueryString(terrazzo().dpy, EGL_VENDOR));
    CHECK(eglGetError() == EGL_SUCCESS);
    REQUIRE(of_terrazzo.make_current());
    of_terrazzo.draw(kRed);
    CHECK(of_terrazzo.read() == std::array{kRed, kBlack});
}

TEST_CASE("two vendors: only Mesa has OpenGL") {
    REQUIRE(eglBindAPI(EGL_OPENGL_API));
    CHECK(eglQueryAPI() == EGL_OPENGL_API);
    CHECK(eglCreateContext(terrazzo().dpy, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, nullptr) == EGL_NO_CONTEXT);
    CHECK(eglGetError() == EGL_BAD_CONFIG);
    REQUIRE(eglBindAPI(EGL_OPENGL_ES_API));
    CHECK(eglGetError() == EGL_SUCCESS);
    Target of_terrazzo(terrazzo());
    CHECK(of_terrazzo.make_current());
}

TEST_CASE("two vendors: a display ends and begins again while the other vendor draws") {
    Target of_mesa(mesa());
    REQUIRE(of_mesa.make_current());
    of_mesa.draw(kGreen);
    REQUIRE(eglTerminate(terrazzo().dpy));
    REQUIRE(eglInitialize(terrazzo().dpy, nullptr, nullptr));
    CHECK(of_mesa.read() == std::array{kGreen, kBlack});
    Target of_terrazzo(terrazzo());
    REQUIRE(of_terrazzo.make_current());
    of_terrazzo.draw(kBlue);
    CHECK(of_terrazzo.read() == std::array{kBlue, kBlack});
}

}  // namespace
