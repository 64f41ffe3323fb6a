// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// eglGetProcAddress: every egl* and gl* function, whatever the current context
// (EGL_KHR_client_get_all_proc_addresses).
#include <algorithm>
#include <cstring>

#include "api/egl/entry.h"
#include "api/gl/entry.h"
#include "api/terrazzo.h"

namespace {

struct Row {
    const char* name;
    __eglMustCastToProperFunctionPointerType address;
};
#define TZ_ROW(f) \
    { #f, reinterpret_cast < __eglMustCastToProperFunctionPointerType>(&f) }
const Row kRows[] = {
    TZ_ROW(eglBindAPI),
    TZ_ROW(eglBindTexImage),
    TZ_ROW(eglBindWaylandDisplayWL),
    TZ_ROW(eglChooseConfig),
    TZ_ROW(eglClientWaitSync),
    TZ_ROW(eglClientWaitSyncKHR),
    TZ_ROW(eglCopyBuffers),
    TZ_ROW(eglCreateContext),
    TZ_ROW(eglCreateImage),
    TZ_ROW(eglCreateImageKHR),
    TZ_ROW(eglCreatePbufferFromClientBuffer),
    TZ_ROW(eglCreatePbufferSurface),
    TZ_ROW(eglCreatePixmapSurface),
    TZ_ROW(eglCreatePlatformPixmapSurface),
    TZ_ROW(eglCreatePlatformPixmapSurfaceEXT),
    TZ_ROW(eglCreatePlatformWindowSurface),
    TZ_ROW(eglCreatePlatformWindowSurfaceEXT),
    TZ_ROW(eglCreateSync),
    TZ_ROW(eglCreateSync64KHR),
    TZ_ROW(eglCreateSyncKHR),
    TZ_ROW(eglCreateWindowSurface),
    TZ_ROW(eglDebugMessageControlKHR),
    TZ_ROW(eglDestroyContext),
    TZ_ROW(eglDestroyImage),
    TZ_ROW(eglDestroyImageKHR),
    TZ_ROW(eglDestroySurface),
    TZ_ROW(eglDestroySync),
    TZ_ROW(eglDestroySyncKHR),
    TZ_ROW(eglDupNativeFenceFDANDROID),
    TZ_ROW(eglExportDMABUFImageMESA),
    TZ_ROW(eglExportDMABUFImageQueryMESA),
    TZ_ROW(eglGetConfigAttrib),
    TZ_ROW(eglGetConfigs),
    TZ_ROW(eglGetCurrentContext),
    TZ_ROW(eglGetCurrentDisplay),
    TZ_ROW(eglGetCurrentSurface),
    TZ_ROW(eglGetDisplay),
    TZ_ROW(eglGetDisplayDriverConfig),
    TZ_ROW(eglGetDisplayDriverName),
    TZ_ROW(eglGetError),
    TZ_ROW(eglGetPlatformDisplay),
    TZ_ROW(eglGetPlatformDisplayEXT),
    TZ_ROW(eglGetProcAddress),
    TZ_ROW(eglGetSyncAttrib),
    TZ_ROW(eglGetSyncAttribKHR),
    TZ_ROW(eglInitialize),
    TZ_ROW(eglLabelObjectKHR),
    TZ_ROW(eglMakeCurrent),
    TZ_ROW(eglQueryAPI),
    TZ_ROW(eglQueryContext),
    TZ_ROW(eglQueryDebugKHR),
    TZ_ROW(eglQueryDeviceAttribEXT),
    TZ_ROW(eglQueryDeviceStringEXT),
    TZ_ROW(eglQueryDevicesEXT),
    TZ_ROW(eglQueryDisplayAttribEXT),
    TZ_ROW(eglQueryDmaBufFormatsEXT),
    TZ_ROW(eglQueryDmaBufModifiersEXT),
    TZ_ROW(eglQueryDisplayAttribKHR),
    TZ_ROW(eglQueryString),
    TZ_ROW(eglQuerySurface),
    TZ_ROW(eglQueryWaylandBufferWL),
    TZ_ROW(eglReleaseTexImage),
    TZ_ROW(eglReleaseThread),
    TZ_ROW(eglSetBlobCacheFuncsANDROID),
    TZ_ROW(eglSetDamageRegionKHR),
    TZ_ROW(eglSignalSyncKHR),
    TZ_ROW(eglSurfaceAttrib),
    TZ_ROW(eglSwapBuffers),
    TZ_ROW(eglSwapBuffersWithDamageEXT),
    TZ_ROW(eglSwapBuffersWithDamageKHR),
    TZ_ROW(eglSwapInterval),
    TZ_ROW(eglTerminate),
    TZ_ROW(eglUnbindWaylandDisplayWL),
    TZ_ROW(eglWaitClient),
    TZ_ROW(eglWaitGL),
    TZ_ROW(eglWaitNative),
    TZ_ROW(eglWaitSync),
    TZ_ROW(eglWaitSyncKHR),
};
#undef TZ_ROW

}  // namespace

extern "C" __eglMustCastToProperFunctionPointerType EGLAPIENTRY eglGetProcAddress(const char* name) {
    if (!name) return nullptr;
    for (const Row& r : kRows)
        if (!std::strcmp(r.name, name)) return r.address;
    return terrazzo::gl_entry::find(name);
}

/// For libEGL_terrazzo (api/glvnd) and terrazzo.h.
extern "C" __eglMustCastToProperFunctionPointerType terrazzo_get_proc_address(const char* name) {
    return eglGetProcAddress(name);
}
