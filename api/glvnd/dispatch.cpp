// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// tests/api/glvnd checks that the list has all functions of api/egl/proc.cpp.
#define EGL_EGLEXT_PROTOTYPES
#include "api/glvnd/dispatch.h"

#include <cstring>
#include <type_traits>

namespace terrazzo::glvnd {
namespace {

const __EGLapiExports* exports = nullptr;

/// The type of the first argument, whose vendor is called.
enum class By { Display, Device };

// Function, first argument, result on failure.
#define TZ_FUNCTIONS(X)                          \
    X(eglBindWaylandDisplayWL, Display, 0)       \
    X(eglClientWaitSyncKHR, Display, 0)          \
    X(eglCreateImageKHR, Display, 0)             \
    X(eglCreateSync64KHR, Display, 0)            \
    X(eglCreateSyncKHR, Display, 0)              \
    X(eglDestroyImageKHR, Display, 0)            \
    X(eglDestroySyncKHR, Display, 0)             \
    X(eglDupNativeFenceFDANDROID, Display, -1)   \
    X(eglExportDMABUFImageMESA, Display, 0)      \
    X(eglExportDMABUFImageQueryMESA, Display, 0) \
    X(eglGetDisplayDriverConfig, Display, 0)     \
    X(eglGetDisplayDriverName, Display, 0)       \
    X(eglGetSyncAttribKHR, Display, 0)           \
    X(eglQueryDeviceAttribEXT, Device, 0)        \
    X(eglQueryDeviceStringEXT, Device, 0)        \
    X(eglQueryDmaBufFormatsEXT, Display, 0)      \
    X(eglQueryDmaBufModifiersEXT, Display, 0)    \
    X(eglQueryWaylandBufferWL, Display, 0)       \
    X(eglSetBlobCacheFuncsANDROID, Display, 0)   \
    X(eglSetDamageRegionKHR, Display, 0)         \
    X(eglSignalSyncKHR, Display, 0)              \
    X(eglSwapBuffersWithDamageEXT, Display, 0)   \
    X(eglSwapBuffersWithDamageKHR, Display, 0)   \
    X(eglUnbindWaylandDisplayWL, Display, 0)     \
    X(eglWaitSyncKHR, Display, 0)

enum Function {
#define TZ_NUMBER(f, by, failure) k_##f,
    TZ_FUNCTIONS(TZ_NUMBER)
#undef TZ_NUMBER
};

void* find_function(Function function, By by, void* handle);

/// The function that libEGL returns to programs.
template <Function kFunction, By kBy, int kFailure, class F>
struct Forward;

template <Function kFunction, By kBy, int kFailure, class Result, class... Rest>
struct Forward<kFunction, kBy, kFailure, Result (*)(void*, Rest...)> {
    static Result EGLAPIENTRY call(void* handle, Rest... rest) {
        using F = Result(EGLAPIENTRYP)(void*, Rest...);
        if (const F f = reinterpret_cast<F>(find_function(kFunction, kBy, handle))) return f(handle, rest...);
        if constexpr (std::is_pointer_v<Result>)
            return nullptr;
        else
            return Result(kFailure);
    }
};

struct Row {
    const char* name;
    void* function;
    int index = -1;  // libEGL's number
};
Row rows[] = {
#define TZ_ROW(f, by, failure) \
    {#f, reinterpret_cast<void*>(&Forward<k_##f, By::by, failure, decltype(&f)>::call)},
    TZ_FUNCTIONS(TZ_ROW)
#undef TZ_ROW
};

void* find_function(Function function, By by, void* handle) {
    exports->threadInit();
    __EGLvendorInfo* const vendor =
        by == By::Display ? exports->getVendorFromDisplay(handle) : exports->getVendorFromDevice(handle);
    void* const f =
        vendor ? reinterpret_cast<void*>(exports->fetchDispatchEntry(vendor, rows[function].index)) : nullptr;
    if (!f) {
        exports->setEGLError(by == By::Display ? EGL_BAD_DISPLAY : EGL_BAD_DEVICE_EXT);
        return nullptr;
    }
    return exports->setLastVendor(vendor) ? f : nullptr;
}

Row* find_row(const char* name) {
    for (Row& r : rows)
        if (!std::strcmp(r.name, name)) return &r;
    return nullptr;
}

}  // namespace

void init_dispatch(const __EGLapiExports* libegl) {
    exports = libegl;
}

void* dispatch_address(const char* name) {
    const Row* const r = find_row(name);
    return r ? r->function : nullptr;
}

void set_dispatch_index(const char* name, int index) {
    if (Row* const r = find_row(name)) r->index = index;
}

bool is_api_current(EGLenum api) {
    return exports->getCurrentApi() == api;
}

void set_error(EGLint error) {
    exports->setEGLError(error);
}

}  // namespace terrazzo::glvnd
