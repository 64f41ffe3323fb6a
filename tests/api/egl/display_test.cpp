// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>

#include "tests/api/egl/fixture.h"

TEST_CASE("a display is the same for the same platform") {
    EGLDisplay a = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    CHECK(a != EGL_NO_DISPLAY);
    CHECK(a == eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr));
    CHECK(eglGetDisplay(EGL_DEFAULT_DISPLAY) != EGL_NO_DISPLAY);
}

TEST_CASE("display errors") {
    EGLDisplay bogus = reinterpret_cast<EGLDisplay>(0x1234);
    CHECK_EGL_ERROR(eglInitialize(bogus, nullptr, nullptr), EGL_FALSE, EGL_BAD_DISPLAY);
    CHECK_EGL_ERROR(eglTerminate(EGL_NO_DISPLAY), EGL_FALSE, EGL_BAD_DISPLAY);
    CHECK_EGL_ERROR(eglGetPlatformDisplay(0x1234, nullptr, nullptr), EGL_NO_DISPLAY, EGL_BAD_PARAMETER);
    const EGLAttrib bad[] = {EGL_WIDTH, 1, EGL_NONE};
    CHECK_EGL_ERROR(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, bad), EGL_NO_DISPLAY,
                    EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, bogus, nullptr), EGL_NO_DISPLAY,
                    EGL_BAD_PARAMETER);
    EGLDisplay idle = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    EGLint n = 0;
    CHECK_EGL_ERROR(eglGetConfigs(idle, nullptr, 0, &n), EGL_FALSE, EGL_NOT_INITIALIZED);
    CHECK_EGL_ERROR(eglBindAPI(EGL_OPENGL_API), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK(eglBindAPI(EGL_OPENGL_ES_API));
    CHECK(eglQueryAPI() == EGL_OPENGL_ES_API);
}

TEST_CASE("initialize, strings, terminate, again") {
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    for (int round = 0; round < 3; ++round) {
        EGLint major = 0, minor = 0;
        CHECK(eglInitialize(dpy, &major, &minor));
        CHECK(major == 1);
        CHECK(minor == 5);
        CHECK(eglQueryString(dpy, EGL_VERSION) == std::string("1.5 Terrazzo"));
        CHECK(eglQueryString(dpy, EGL_CLIENT_APIS) == std::string("OpenGL_ES"));
        CHECK(std::strstr(eglQueryString(dpy, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context"));
        CHECK_EGL_ERROR(eglQueryString(dpy, EGL_NONE), nullptr, EGL_BAD_PARAMETER);
        CHECK(eglTerminate(dpy));
        CHECK(eglTerminate(dpy));  // no error even if it is not initialized (EGL 1.5, 3.2)
    }
    CHECK(std::strstr(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_MESA_platform_surfaceless"));
    CHECK(eglQueryString(EGL_NO_DISPLAY, EGL_VERSION) == std::string("1.5 Terrazzo"));
}

TEST_CASE_FIXTURE(fixture::Display, "configs: choice and order") {
    EGLint all = 0, n = 0;
    CHECK(eglGetConfigs(dpy, nullptr, 0, &all));
    CHECK(all > 0);
    EGLint v = 0;
    EGLConfig c = config({EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_DEPTH_SIZE, 16});
    CHECK(eglGetConfigAttrib(dpy, c, EGL_DEPTH_SIZE, &v));
    CHECK(v == 16);  // the smallest sufficient depth comes first
    c = config({EGL_RED_SIZE, 1, EGL_GREEN_SIZE, 1, EGL_BLUE_SIZE, 1});
    eglGetConfigAttrib(dpy, c, EGL_RED_SIZE, &v);
    CHECK(v == 10);  // the most colour bits come first
    eglGetConfigAttrib(dpy, c, EGL_DEPTH_SIZE, &v);
    CHECK(v == 0);
    const EGLint impossible[] = {EGL_SAMPLES, 64, EGL_NONE};
    CHECK(eglChooseConfig(dpy, impossible, &c, 1, &n));
    CHECK(n == 0);
    const EGLint by_id[] = {EGL_CONFIG_ID, 2, EGL_SAMPLES, 64, EGL_NONE};  // only the id counts
    CHECK(eglChooseConfig(dpy, by_id, &c, 1, &n));
    REQUIRE(n == 1);
    eglGetConfigAttrib(dpy, c, EGL_CONFIG_ID, &v);
    CHECK(v == 2);
    const EGLint bad_name[] = {0x7777, 1, EGL_NONE}, bad_value[] = {EGL_RED_SIZE, -5, EGL_NONE};
    CHECK_EGL_ERROR(eglChooseConfig(dpy, bad_name, &c, 1, &n), EGL_FALSE, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(eglChooseConfig(dpy, bad_value, &c, 1, &n), EGL_FALSE, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(eglChooseConfig(dpy, nullptr, &c, 1, nullptr), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(eglGetConfigAttrib(dpy, c, 0x7777, &v), EGL_FALSE, EGL_BAD_ATTRIBUTE);
    CHECK_EGL_ERROR(eglGetConfigAttrib(dpy, nullptr, EGL_RED_SIZE, &v), EGL_FALSE, EGL_BAD_CONFIG);
}

namespace {
std::string last_command, last_message;
EGLenum last_error;
void on_message(EGLenum error, const char* command, EGLint, EGLLabelKHR, EGLLabelKHR, const char* message) {
    last_error = error, last_command = command, last_message = message;
}
}  // namespace

TEST_CASE("EGL_KHR_debug names the command and the rule") {
    auto control = fixture::proc<PFNEGLDEBUGMESSAGECONTROLKHRPROC>("eglDebugMessageControlKHR");
    CHECK(control(on_message, nullptr) == EGL_SUCCESS);
    eglInitialize(EGL_NO_DISPLAY, nullptr, nullptr);
    CHECK(last_error == EGL_BAD_DISPLAY);
    CHECK(last_command == "eglInitialize");
    CHECK(last_message.find("display") != std::string::npos);
    const EGLAttrib off[] = {EGL_DEBUG_MSG_ERROR_KHR, EGL_FALSE, EGL_NONE};
    CHECK(control(on_message, off) == EGL_SUCCESS);
    last_command.clear();
    eglInitialize(EGL_NO_DISPLAY, nullptr, nullptr);
    CHECK(last_command.empty());
    const EGLAttrib bad[] = {EGL_WIDTH, EGL_FALSE, EGL_NONE};
    CHECK(control(on_message, bad) == EGL_BAD_ATTRIBUTE);
    const EGLAttrib on[] = {EGL_DEBUG_MSG_ERROR_KHR, EGL_TRUE, EGL_NONE};
    CHECK(control(nullptr, on) == EGL_SUCCESS);
    eglGetError();
}

TEST_CASE("eglGetProcAddress") {
    CHECK((eglGetProcAddress("glDrawArrays") != nullptr));
    CHECK((eglGetProcAddress("glGenVertexArraysOES") != nullptr));
    CHECK((eglGetProcAddress("eglCreateImageKHR") != nullptr));
    CHECK((eglGetProcAddress("glBegin") == nullptr));
    CHECK((eglGetProcAddress("eglFrobnicate") == nullptr));
    CHECK((eglGetProcAddress("") == nullptr));
}
