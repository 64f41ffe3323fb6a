// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/egl_loader.h"

#include <dlfcn.h>

namespace terrazzo::command {
namespace {

template <class F>
bool find(void* library, const char* name, F* out, std::string* why) {
    *out = reinterpret_cast<F>(dlsym(library, name));
    if (!*out) *why = std::string("libEGL.so.1 has no ") + name;
    return *out;
}

/// A global, since EGL_KHR_debug has one callback and no user pointer.
std::string* debug_text = nullptr;

void EGLAPIENTRY on_debug(EGLenum, const char*, EGLint, EGLLabelKHR, EGLLabelKHR, const char* message) {
    if (debug_text && message) *debug_text = message;
}

}  // namespace

bool Egl::load(std::string* why) {
    if (!find_places(&places, why)) return false;
    // libterrazzo is loaded first, by its full path: libEGL then finds it loaded, wherever the folder is.
    const std::string egl_file = places.drop_in + "/libEGL.so.1";
    for (const std::string& file : {places.libraries + "/libterrazzo.so.0", egl_file}) {
        if (!dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            *why = dlerror();
            return false;
        }
    }
    void* egl = dlopen(egl_file.c_str(), RTLD_NOW | RTLD_NOLOAD);
    return find(egl, "eglGetProcAddress", &GetProcAddress, why) &&
           find(egl, "eglGetDisplay", &GetDisplay, why) && find(egl, "eglInitialize", &Initialize, why) &&
           find(egl, "eglTerminate", &Terminate, why) && find(egl, "eglQueryString", &QueryString, why) &&
           find(egl, "eglBindAPI", &BindAPI, why) && find(egl, "eglGetConfigs", &GetConfigs, why) &&
           find(egl, "eglGetConfigAttrib", &GetConfigAttrib, why) &&
           find(egl, "eglCreateContext", &CreateContext, why) &&
           find(egl, "eglDestroyContext", &DestroyContext, why) &&
           find(egl, "eglMakeCurrent", &MakeCurrent, why) &&
           find(egl, "eglGetPlatformDisplay", &GetPlatformDisplay, why);
}

void Egl::report_to(std::string* text) const {
    const auto control =
        reinterpret_cast<PFNEGLDEBUGMESSAGECONTROLKHRPROC>(GetProcAddress("eglDebugMessageControlKHR"));
    debug_text = text;
    if (control) control(text ? on_debug : nullptr, nullptr);
}

bool Egl::initialize(EGLDisplay display, std::string* why) const {
    *why = "eglInitialize failed";
    report_to(why);
    const bool ok = Initialize(display, nullptr, nullptr);
    report_to(nullptr);
    return ok;
}

}  // namespace terrazzo::command
