// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Terrazzo as a vendor of libglvnd (its EGL vendor ABI, glvnd/libeglabi.h): for programs that take GL's
// functions from libGL.so.1 or libOpenGL.so.0, which a drop-in libEGL.so.1 cannot reach. libEGL_terrazzo.so.0
// exports __egl_Main alone. `terrazzo run --glvnd` makes it the only vendor; it is not put into the system's
// vendor folder, because its EGL extension functions are handed out as they are: they know Terrazzo's handles
// only.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glvnd/libeglabi.h>

#include <cstring>

/// eglGetProcAddress of libterrazzo.
extern "C" void (*terrazzo_get_proc_address(const char* name))();

namespace {

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

const char* vendor_string(int name) {
    if (name != __EGL_VENDOR_STRING_PLATFORM_EXTENSIONS) return nullptr;
    return get<decltype(&eglQueryString)>("eglQueryString")(EGL_NO_DISPLAY, EGL_EXTENSIONS);
}

void* proc_address(const char* name) {
    return reinterpret_cast<void*>(terrazzo_get_proc_address(name));
}

void* dispatch_address(const char* name) {
    return std::strncmp(name, "egl", 3) ? nullptr : proc_address(name);
}

void set_dispatch_index(const char*, int) {}

}  // namespace

extern "C" __attribute__((visibility("default"))) EGLBoolean __egl_Main(uint32_t version,
                                                                        const __EGLapiExports*,
                                                                        __EGLvendorInfo*,
                                                                        __EGLapiImports* imports) {
    if (EGL_VENDOR_ABI_GET_MAJOR_VERSION(version) != EGL_VENDOR_ABI_MAJOR_VERSION) return EGL_FALSE;
    imports->getPlatformDisplay = get_platform_display;
    imports->getSupportsAPI = supports_api;
    imports->getVendorString = vendor_string;
    imports->getProcAddress = proc_address;
    imports->getDispatchAddress = dispatch_address;
    imports->setDispatchIndex = set_dispatch_index;
    return EGL_TRUE;
}
