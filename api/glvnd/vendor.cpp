// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Terrazzo as a vendor of libglvnd, the system's libEGL.so.1 (its EGL vendor ABI, glvnd/libeglabi.h).
// libEGL_terrazzo.so.0 only exports __egl_Main. Other vendors may be in the same process: libEGL passes each
// call to the vendor of its display or device. For extension functions it asks the vendors, in the order of
// their files, for a function that forwards calls in the same way (dispatch.h).
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glvnd/libeglabi.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "api/glvnd/dispatch.h"

/// eglGetProcAddress of libterrazzo.
extern "C" void (*terrazzo_get_proc_address(const char* name))();

namespace {

using namespace terrazzo::glvnd;

template <class F>
F get(const char* name) {
    return reinterpret_cast<F>(terrazzo_get_proc_address(name));
}

EGLDisplay get_platform_display(EGLenum platform, void* native, const EGLAttrib* attributes) {
    if (platform == EGL_NONE)  // eglGetDisplay
        return get<decltype(&eglGetDisplay)>("eglGetDisplay")(EGLNativeDisplayType(native));
    return get<decltype(&eglGetPlatformDisplay)>("eglGetPlatformDisplay")(platform, native, attributes);
}

EGLBoolean supports_api(EGLenum api) {
    return api == EGL_OPENGL_ES_API;
}

/// The client extensions of Terrazzo that only add platforms: libEGL reports them if a vendor has them. It
/// decides itself about the others.
std::string platform_extensions() {
    const char* const all = get<decltype(&eglQueryString)>("eglQueryString")(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    std::string out;
    for (std::string_view rest = all ? all : ""; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        if (word.find("_platform_") != word.npos) out.append(out.empty() ? "" : " ").append(word);
    }
    return out;
}

const char* vendor_string(int name) {
    if (name != __EGL_VENDOR_STRING_PLATFORM_EXTENSIONS) return nullptr;
    static const std::string platforms = platform_extensions();
    return platforms.c_str();
}

/// libEGL keeps the thread's API, which may be another vendor's OpenGL.
EGLContext EGLAPIENTRY create_context(EGLDisplay dpy, EGLConfig config, EGLContext share,
                                      const EGLint* list) {
    if (!is_api_current(EGL_OPENGL_ES_API)) return set_error(EGL_BAD_CONFIG), EGL_NO_CONTEXT;
    return get<decltype(&eglCreateContext)>("eglCreateContext")(dpy, config, share, list);
}

void* proc_address(const char* name) {
    if (!std::strcmp(name, "eglCreateContext")) return reinterpret_cast<void*>(&create_context);
    // Optional, and not needed: create_context() checks the API.
    if (!std::strcmp(name, "eglBindAPI")) return nullptr;
    return reinterpret_cast<void*>(terrazzo_get_proc_address(name));
}

}  // namespace

extern "C" __attribute__((visibility("default"))) EGLBoolean __egl_Main(uint32_t version,
                                                                        const __EGLapiExports* exports,
                                                                        __EGLvendorInfo*,
                                                                        __EGLapiImports* imports) {
    if (EGL_VENDOR_ABI_GET_MAJOR_VERSION(version) != EGL_VENDOR_ABI_MAJOR_VERSION) return EGL_FALSE;
    init_dispatch(exports);
    imports->getPlatformDisplay = get_platform_display;
    imports->getSupportsAPI = supports_api;
    imports->getVendorString = vendor_string;
    imports->getProcAddress = proc_address;
    imports->getDispatchAddress = dispatch_address;
    imports->setDispatchIndex = set_dispatch_index;
    return EGL_TRUE;
}
