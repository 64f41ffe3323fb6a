// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: EGL calls in any order, with attribute lists, handles and names of all kinds. A call is one
// byte, then one byte for each choice. Lists are terminated, because a program's pointers are valid;
// everything else may be wrong. At the end all objects are destroyed, or left to eglTerminate.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#include <algorithm>
#include <vector>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/target.h"

namespace {

constexpr unsigned kMaxCalls = 150;
constexpr size_t kMaxHandles = 12;   // of each kind
constexpr EGLint kMaxSize_px = 256;  // of surfaces, unless they are larger than any limit
constexpr EGLTime kPatience_ns = 100'000;

constexpr EGLint kAttributes[] = {EGL_BUFFER_SIZE,
                                  EGL_ALPHA_SIZE,
                                  EGL_BLUE_SIZE,
                                  EGL_GREEN_SIZE,
                                  EGL_RED_SIZE,
                                  EGL_DEPTH_SIZE,
                                  EGL_STENCIL_SIZE,
                                  EGL_CONFIG_CAVEAT,
                                  EGL_CONFIG_ID,
                                  EGL_LEVEL,
                                  EGL_MAX_PBUFFER_HEIGHT,
                                  EGL_MAX_PBUFFER_PIXELS,
                                  EGL_NATIVE_RENDERABLE,
                                  EGL_NATIVE_VISUAL_ID,
                                  EGL_NATIVE_VISUAL_TYPE,
                                  EGL_SAMPLES,
                                  EGL_SAMPLE_BUFFERS,
                                  EGL_SURFACE_TYPE,
                                  EGL_TRANSPARENT_TYPE,
                                  EGL_TRANSPARENT_RED_VALUE,
                                  EGL_BIND_TO_TEXTURE_RGB,
                                  EGL_BIND_TO_TEXTURE_RGBA,
                                  EGL_MIN_SWAP_INTERVAL,
                                  EGL_LUMINANCE_SIZE,
                                  EGL_ALPHA_MASK_SIZE,
                                  EGL_COLOR_BUFFER_TYPE,
                                  EGL_RENDERABLE_TYPE,
                                  EGL_MATCH_NATIVE_PIXMAP,
                                  EGL_CONFORMANT,
                                  EGL_HEIGHT,
                                  EGL_WIDTH,
                                  EGL_LARGEST_PBUFFER,
                                  EGL_TEXTURE_FORMAT,
                                  EGL_TEXTURE_TARGET,
                                  EGL_MIPMAP_TEXTURE,
                                  EGL_MIPMAP_LEVEL,
                                  EGL_RENDER_BUFFER,
                                  EGL_GL_COLORSPACE,
                                  EGL_VG_ALPHA_FORMAT,
                                  EGL_MULTISAMPLE_RESOLVE,
                                  EGL_SWAP_BEHAVIOR,
                                  EGL_CONTEXT_CLIENT_VERSION,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  EGL_CONTEXT_OPENGL_DEBUG,
                                  EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                                  EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                  EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT,
                                  EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                                  EGL_CONTEXT_OPENGL_NO_ERROR_KHR,
                                  EGL_CONTEXT_PRIORITY_LEVEL_IMG,
                                  EGL_CONTEXT_FLAGS_KHR,
                                  EGL_IMAGE_PRESERVED,
                                  EGL_GL_TEXTURE_LEVEL,
                                  EGL_GL_TEXTURE_ZOFFSET,
                                  EGL_SYNC_STATUS,
                                  EGL_SYNC_TYPE,
                                  EGL_SYNC_CONDITION,
                                  EGL_BUFFER_AGE_EXT,
                                  EGL_DEVICE_EXT,
                                  EGL_TRACK_REFERENCES_KHR,
                                  EGL_DEBUG_MSG_ERROR_KHR,
                                  EGL_DEBUG_MSG_INFO_KHR,
                                  EGL_DEBUG_CALLBACK_KHR,
                                  EGL_VENDOR,
                                  EGL_VERSION,
                                  EGL_EXTENSIONS,
                                  EGL_CLIENT_APIS,
                                  EGL_HORIZONTAL_RESOLUTION,
                                  EGL_PIXEL_ASPECT_RATIO};
constexpr EGLint kValues[] = {EGL_DONT_CARE,
                              EGL_TRUE,
                              EGL_NONE,
                              EGL_PBUFFER_BIT,
                              EGL_WINDOW_BIT | EGL_PBUFFER_BIT,
                              EGL_PIXMAP_BIT,
                              EGL_OPENGL_ES2_BIT,
                              EGL_OPENGL_ES3_BIT,
                              EGL_OPENGL_BIT,
                              EGL_TEXTURE_RGB,
                              EGL_TEXTURE_RGBA,
                              EGL_TEXTURE_2D,
                              EGL_NO_TEXTURE,
                              EGL_GL_COLORSPACE_SRGB,
                              EGL_GL_COLORSPACE_LINEAR,
                              EGL_BUFFER_PRESERVED,
                              EGL_BUFFER_DESTROYED,
                              EGL_SINGLE_BUFFER,
                              EGL_BACK_BUFFER,
                              EGL_LOSE_CONTEXT_ON_RESET,
                              EGL_NO_RESET_NOTIFICATION,
                              EGL_CONTEXT_PRIORITY_HIGH_IMG,
                              EGL_RGB_BUFFER,
                              EGL_LUMINANCE_BUFFER,
                              EGL_SLOW_CONFIG,
                              EGL_TRANSPARENT_RGB,
                              0x7fffffff,
                              -0x7fffffff - 1,
                              0x10000,
                              16384,
                              16385};
constexpr EGLenum kNames[] = {EGL_GL_TEXTURE_2D,
                              EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X,
                              EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Z,
                              EGL_GL_RENDERBUFFER,
                              EGL_GL_TEXTURE_3D,
                              EGL_SYNC_FENCE,
                              EGL_SYNC_REUSABLE_KHR,
                              EGL_SYNC_NATIVE_FENCE_ANDROID,
                              EGL_OPENGL_ES_API,
                              EGL_OPENGL_API,
                              EGL_OPENVG_API,
                              EGL_DRAW,
                              EGL_READ,
                              EGL_OPENVG_IMAGE,
                              EGL_BACK_BUFFER,
                              EGL_SIGNALED_KHR,
                              EGL_UNSIGNALED_KHR,
                              EGL_CORE_NATIVE_ENGINE,
                              EGL_LINUX_DMA_BUF_EXT,
                              EGL_NATIVE_PIXMAP_KHR};
constexpr EGLenum kObjectTypes[] = {EGL_OBJECT_THREAD_KHR,  EGL_OBJECT_DISPLAY_KHR, EGL_OBJECT_CONTEXT_KHR,
                                    EGL_OBJECT_SURFACE_KHR, EGL_OBJECT_IMAGE_KHR,   EGL_OBJECT_SYNC_KHR,
                                    EGL_OBJECT_STREAM_KHR};
constexpr EGLenum kPlatforms[] = {EGL_PLATFORM_SURFACELESS_MESA, EGL_PLATFORM_DEVICE_EXT,
                                  EGL_PLATFORM_WAYLAND_EXT,      EGL_PLATFORM_X11_EXT,
                                  EGL_PLATFORM_GBM_KHR,          0};

/// Names for eglGetProcAddress.
struct Extensions {
    PFNEGLGETPLATFORMDISPLAYEXTPROC eglGetPlatformDisplayEXT =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    PFNEGLQUERYDISPLAYATTRIBEXTPROC eglQueryDisplayAttribEXT =
        reinterpret_cast<PFNEGLQUERYDISPLAYATTRIBEXTPROC>(eglGetProcAddress("eglQueryDisplayAttribEXT"));
    PFNEGLQUERYDEVICESEXTPROC eglQueryDevicesEXT =
        reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    PFNEGLQUERYDEVICEATTRIBEXTPROC eglQueryDeviceAttribEXT =
        reinterpret_cast<PFNEGLQUERYDEVICEATTRIBEXTPROC>(eglGetProcAddress("eglQueryDeviceAttribEXT"));
    PFNEGLQUERYDEVICESTRINGEXTPROC eglQueryDeviceStringEXT =
        reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(eglGetProcAddress("eglQueryDeviceStringEXT"));
    PFNEGLSWAPBUFFERSWITHDAMAGEKHRPROC eglSwapBuffersWithDamageKHR =
        reinterpret_cast<PFNEGLSWAPBUFFERSWITHDAMAGEKHRPROC>(
            eglGetProcAddress("eglSwapBuffersWithDamageKHR"));
    PFNEGLCREATESYNCKHRPROC eglCreateSyncKHR =
        reinterpret_cast<PFNEGLCREATESYNCKHRPROC>(eglGetProcAddress("eglCreateSyncKHR"));
    PFNEGLSIGNALSYNCKHRPROC eglSignalSyncKHR =
        reinterpret_cast<PFNEGLSIGNALSYNCKHRPROC>(eglGetProcAddress("eglSignalSyncKHR"));
    PFNEGLGETSYNCATTRIBKHRPROC eglGetSyncAttribKHR =
        reinterpret_cast<PFNEGLGETSYNCATTRIBKHRPROC>(eglGetProcAddress("eglGetSyncAttribKHR"));
    PFNEGLDEBUGMESSAGECONTROLKHRPROC eglDebugMessageControlKHR =
        reinterpret_cast<PFNEGLDEBUGMESSAGECONTROLKHRPROC>(eglGetProcAddress("eglDebugMessageControlKHR"));
    PFNEGLLABELOBJECTKHRPROC eglLabelObjectKHR =
        reinterpret_cast<PFNEGLLABELOBJECTKHRPROC>(eglGetProcAddress("eglLabelObjectKHR"));
    PFNEGLQUERYDEBUGKHRPROC eglQueryDebugKHR =
        reinterpret_cast<PFNEGLQUERYDEBUGKHRPROC>(eglGetProcAddress("eglQueryDebugKHR"));
};
const Extensions& ext() {
    static const Extensions e;
    return e;
}

void EGLAPIENTRY message(EGLenum, const char*, EGLint, EGLLabelKHR, EGLLabelKHR, const char* text) {
    for (const volatile char* p = text; *p; ++p) {
    }
}

class Program {
  public:
    explicit Program(fuzz::Bytes in) : in_(in) {}
    void run();

  private:
    void call();
    void display_call(unsigned which);
    void config_call(unsigned which);
    void surface_call(unsigned which);
    void context_call(unsigned which);
    void image_call(unsigned which);
    void sync_call(unsigned which);
    void other_call(unsigned which);

    /// An existing handle, none, or one that never existed.
    template <class T>
    T one_of(const std::vector<T>& list) {
        const uint8_t k = in_.u8();
        if (k >= 0xfc) return reinterpret_cast<T>(uintptr_t(in_.u32()));
        return k >= 0xf8 || list.empty() ? nullptr : list[k % list.size()];
    }
    template <class T>
    void keep(std::vector<T>& list, T handle) {
        if (!handle) return;
        if (list.size() < kMaxHandles)
            list.push_back(handle);
        else
            list[in_.u8() % kMaxHandles] = handle;  // the old one is left to eglTerminate
    }
    /// Displays belong to the process. All are terminated at the end, even those that displays_ no longer
    /// has: otherwise their contexts would remain for the next inputs.
    void keep_display(EGLDisplay d) {
        if (!d) return;
        if (std::find(seen_.begin(), seen_.end(), d) == seen_.end()) seen_.push_back(d);
        keep(displays_, d);
    }
    EGLDisplay display() { return one_of(displays_); }
    EGLint attribute() { return in_.u8() < 0xf0 ? in_.pick(kAttributes) : EGLint(in_.u16()); }
    EGLint value() {
        const uint8_t k = in_.u8();
        return k < 0x80 ? k : k < 0xf0 ? kValues[k % std::size(kValues)] : EGLint(in_.u32());
    }
    EGLenum name() { return in_.u8() < 0xf0 ? in_.pick(kNames) : in_.u16(); }
    /// Null, or a list with its terminator. Valid sizes are small.
    template <class T>
    const T* list() {
        const unsigned pairs = in_.u8() % 16;
        if (pairs == 15) return nullptr;
        std::vector<T>& v = storage<T>();
        v.clear();
        for (unsigned i = 0; i < pairs; ++i) {
            const EGLint a = attribute();
            EGLint x = value();
            if ((a == EGL_WIDTH || a == EGL_HEIGHT) && x > kMaxSize_px)
                x = x % 2 ? 0x7fffffff : x % kMaxSize_px;
            v.push_back(T(a));
            v.push_back(T(x));
        }
        v.push_back(EGL_NONE);
        return v.data();
    }
    template <class T>
    std::vector<T>& storage() {
        static std::vector<T> v;
        return v;
    }

    fuzz::Bytes in_;
    std::vector<EGLDisplay> displays_, seen_;
    std::vector<EGLConfig> configs_;
    std::vector<EGLSurface> surfaces_;
    std::vector<EGLContext> contexts_;
    std::vector<EGLImage> images_;
    std::vector<EGLSync> syncs_;
    std::vector<EGLDeviceEXT> devices_;
};

void Program::run() {
    // Some valid objects: an initialized display with a context and a surface.
    const EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    eglInitialize(d, nullptr, nullptr);
    keep_display(d);
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                           EGL_NONE};
    EGLConfig found[8];
    EGLint count = 0;
    eglChooseConfig(d, want, found, 8, &count);
    configs_.assign(found, found + count);
    if (!configs_.empty()) {
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE},
                     size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
        keep(contexts_, eglCreateContext(d, configs_[0], nullptr, version));
        keep(surfaces_, eglCreatePbufferSurface(d, configs_[0], size));
        eglMakeCurrent(d, surfaces_[0], surfaces_[0], contexts_[0]);
    }
    for (unsigned n = 0; n < kMaxCalls && !in_.empty(); ++n)
        call();
    ext().eglDebugMessageControlKHR(nullptr, nullptr);
    for (const EGLDisplay x : seen_)
        eglTerminate(x);
    eglReleaseThread();
}

void Program::call() {
    const uint8_t k = in_.u8();
    const unsigned which = k >> 3;
    switch (k % 8) {
        case 0:
            return display_call(which);
        case 1:
            return config_call(which);
        case 2:
        case 3:
            return surface_call(which);
        case 4:
            return context_call(which);
        case 5:
            return image_call(which);
        case 6:
            return sync_call(which);
        default:
            return other_call(which);
    }
}

void Program::display_call(unsigned which) {
    switch (which % 8) {
        case 0:
            return keep_display(eglGetDisplay(in_.u8() < 0xc0 ? EGL_DEFAULT_DISPLAY
                                                              : EGLNativeDisplayType(uintptr_t(in_.u8()))));
        case 1: {
            // A device's handle belongs to the device platform. The other platforms have no native display in
            // this test.
            const EGLenum platform = in_.pick(kPlatforms);
            void* const native = platform == EGL_PLATFORM_DEVICE_EXT ? one_of(devices_) : nullptr;
            return keep_display(eglGetPlatformDisplay(platform, native, list<EGLAttrib>()));
        }
        case 2: {
            const EGLenum platform = in_.pick(kPlatforms);
            return keep_display(ext().eglGetPlatformDisplayEXT(platform, nullptr, list<EGLint>()));
        }
        case 3: {
            EGLint major = 0, minor = 0;
            eglInitialize(display(), in_.u8() % 2 ? &major : nullptr, in_.u8() % 2 ? &minor : nullptr);
            return;
        }
        case 4:
            if (in_.u8() % 4 == 0) eglTerminate(display());
            return;
        case 5:
            (void)eglQueryString(display(), attribute());
            return;
        case 6: {
            EGLAttrib v = 0;
            ext().eglQueryDisplayAttribEXT(display(), attribute(), in_.u8() % 8 ? &v : nullptr);
            return;
        }
        default: {
            EGLDeviceEXT found[8];
            EGLint n = 0;
            if (!ext().eglQueryDevicesEXT(EGLint(in_.u8() % 10) - 1, in_.u8() % 4 ? found : nullptr, &n))
                return;
            if (ext().eglQueryDevicesEXT(8, found, &n)) devices_.assign(found, found + n);
            const EGLDeviceEXT device = one_of(devices_);
            EGLAttrib v = 0;
            ext().eglQueryDeviceAttribEXT(device, attribute(), &v);
            (void)ext().eglQueryDeviceStringEXT(device, attribute());
        }
    }
}

void Program::config_call(unsigned which) {
    EGLConfig found[16];
    EGLint n = 0, v = 0;
    const EGLDisplay d = display();
    const EGLint room = EGLint(in_.u8() % 18) - 1;  // there are at most 16
    EGLConfig* const to = in_.u8() % 8 ? found : nullptr;
    EGLint* const count = in_.u8() % 16 ? &n : nullptr;
    switch (which % 4) {
        case 0:
            if (eglGetConfigs(d, to, room, count) && to && count) configs_.assign(found, found + n);
            return;
        case 1:
        case 2:
            if (eglChooseConfig(d, list<EGLint>(), to, room, count) && to && count && n)
                configs_.assign(found, found + n);
            return;
        default:
            eglGetConfigAttrib(d, one_of(configs_), attribute(), in_.u8() % 16 ? &v : nullptr);
    }
}

void Program::surface_call(unsigned which) {
    const EGLDisplay d = display();
    EGLint v = 0;
    switch (which % 16) {
        case 0:
        case 1: {
            const EGLConfig c = one_of(configs_);
            return keep(surfaces_, eglCreatePbufferSurface(d, c, list<EGLint>()));
        }
        case 2: {  // there are no native windows or pixmaps: every handle is invalid
            const EGLConfig c = one_of(configs_);
            return keep(surfaces_, eglCreateWindowSurface(d, c, EGLNativeWindowType(uintptr_t(in_.u8())),
                                                          list<EGLint>()));
        }
        case 3: {
            const EGLConfig c = one_of(configs_);
            return keep(surfaces_, eglCreatePlatformWindowSurface(d, c, nullptr, list<EGLAttrib>()));
        }
        case 4: {
            const EGLConfig c = one_of(configs_);
            return keep(surfaces_, eglCreatePlatformPixmapSurface(d, c, nullptr, list<EGLAttrib>()));
        }
        case 5: {
            const EGLConfig c = one_of(configs_);
            const EGLenum kind = name();
            return keep(surfaces_, eglCreatePbufferFromClientBuffer(
                                       d, kind, reinterpret_cast<EGLClientBuffer>(uintptr_t(in_.u8())), c,
                                       list<EGLint>()));
        }
        case 6:
            if (in_.u8() % 2) eglDestroySurface(d, one_of(surfaces_));
            return;
        case 7: {
            const EGLSurface s = one_of(surfaces_);
            eglQuerySurface(d, s, attribute(), in_.u8() % 16 ? &v : nullptr);
            return;
        }
        case 8: {
            const EGLSurface s = one_of(surfaces_);
            const EGLint a = attribute();
            eglSurfaceAttrib(d, s, a, value());
            return;
        }
        case 9: {
            const EGLSurface s = one_of(surfaces_);
            eglBindTexImage(d, s, in_.u8() % 4 ? EGL_BACK_BUFFER : value());
            return;
        }
        case 10: {
            const EGLSurface s = one_of(surfaces_);
            eglReleaseTexImage(d, s, in_.u8() % 4 ? EGL_BACK_BUFFER : value());
            return;
        }
        case 11:
        case 12:
            eglSwapBuffers(d, one_of(surfaces_));
            return;
        case 13: {
            const EGLSurface s = one_of(surfaces_);
            const EGLint rects[8] = {value(), value(), value(), value(), 0, 0, 4, 4};
            ext().eglSwapBuffersWithDamageKHR(d, s, rects, EGLint(in_.u8() % 4) - 1);
            return;
        }
        case 14:
            eglSwapInterval(d, value());
            return;
        default:
            eglCopyBuffers(d, one_of(surfaces_), EGLNativePixmapType(uintptr_t(in_.u8())));
    }
}

void Program::context_call(unsigned which) {
    const EGLDisplay d = display();
    EGLint v = 0;
    switch (which % 8) {
        case 0: {
            const EGLConfig c = one_of(configs_);
            const EGLContext share = one_of(contexts_);
            return keep(contexts_, eglCreateContext(d, c, share, list<EGLint>()));
        }
        case 1: {  // a config that most other calls can use
            const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
            const EGLConfig c = one_of(configs_);
            return keep(contexts_,
                        eglCreateContext(d, c, in_.u8() % 2 ? one_of(contexts_) : nullptr, version));
        }
        case 2:
            if (in_.u8() % 2) eglDestroyContext(d, one_of(contexts_));
            return;
        case 3: {
            const EGLContext c = one_of(contexts_);
            eglQueryContext(d, c, attribute(), in_.u8() % 16 ? &v : nullptr);
            return;
        }
        case 4:
            eglMakeCurrent(d, nullptr, nullptr, nullptr);
            return;
        case 5: {
            (void)eglGetCurrentContext();
            (void)eglGetCurrentDisplay();
            (void)eglGetCurrentSurface(EGLint(name()));
            return;
        }
        default: {
            const EGLSurface draw = one_of(surfaces_), read = in_.u8() % 4 ? draw : one_of(surfaces_);
            const EGLContext c = one_of(contexts_);
            eglMakeCurrent(d, draw, read, c);
        }
    }
}

void Program::image_call(unsigned which) {
    const EGLDisplay d = display();
    switch (which % 4) {
        case 0: {
            const EGLContext c = one_of(contexts_);
            const EGLenum kind = name();
            const auto buffer = reinterpret_cast<EGLClientBuffer>(uintptr_t(in_.u8() % 4));
            return keep(images_, eglCreateImage(d, c, kind, buffer, list<EGLAttrib>()));
        }
        case 1:
            eglDestroyImage(d, one_of(images_));
            return;
        case 2: {  // a texture to create an image from, and a draw
            if (!eglGetCurrentContext()) return;
            GLuint texture = in_.u8() % 4;
            if (!texture) glGenTextures(1, &texture);
            glBindTexture(GL_TEXTURE_2D, texture);
            glTexImage2D(GL_TEXTURE_2D, in_.u8() % 3, GL_RGBA, in_.u8() % 9, in_.u8() % 9, 0, GL_RGBA,
                         GL_UNSIGNED_BYTE, nullptr);
            return;
        }
        default: {
            if (!eglGetCurrentContext()) return;
            using TargetTexture = void (*)(GLenum, void*);
            static const auto target_texture =
                reinterpret_cast<TargetTexture>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
            if (target_texture) target_texture(GL_TEXTURE_2D, one_of(images_));
            glClear(GL_COLOR_BUFFER_BIT);
        }
    }
}

void Program::sync_call(unsigned which) {
    const EGLDisplay d = display();
    EGLAttrib v = 0;
    switch (which % 8) {
        case 0: {
            const EGLenum kind = name();
            return keep(syncs_, eglCreateSync(d, kind, list<EGLAttrib>()));
        }
        case 1: {
            const EGLenum kind = in_.u8() % 2 ? EGL_SYNC_REUSABLE_KHR : EGL_SYNC_FENCE_KHR;
            return keep(syncs_, ext().eglCreateSyncKHR(d, kind, list<EGLint>()));
        }
        case 2:
            eglDestroySync(d, one_of(syncs_));
            return;
        case 3: {
            const EGLSync s = one_of(syncs_);
            eglClientWaitSync(d, s, value(), in_.u8() % 2 ? 0 : kPatience_ns);
            return;
        }
        case 4: {
            const EGLSync s = one_of(syncs_);
            eglWaitSync(d, s, value());
            return;
        }
        case 5: {
            const EGLSync s = one_of(syncs_);
            eglGetSyncAttrib(d, s, attribute(), in_.u8() % 16 ? &v : nullptr);
            return;
        }
        case 6: {
            const EGLSync s = one_of(syncs_);
            ext().eglSignalSyncKHR(d, s, in_.u8() % 2 ? EGL_SIGNALED_KHR : name());
            return;
        }
        default: {
            EGLint i = 0;
            const EGLSync s = one_of(syncs_);
            ext().eglGetSyncAttribKHR(d, s, attribute(), &i);
        }
    }
}

void Program::other_call(unsigned which) {
    switch (which % 8) {
        case 0:
            eglBindAPI(name());
            return;
        case 1:
            (void)eglQueryAPI();
            return;
        case 2:
            eglReleaseThread();
            return;
        case 3:
            eglWaitClient();
            eglWaitNative(EGLint(name()));
            return;
        case 4:
            ext().eglDebugMessageControlKHR(in_.u8() % 4 ? message : nullptr, list<EGLAttrib>());
            return;
        case 5: {
            const EGLDisplay d = display();
            void* const objects[] = {nullptr,       d, one_of(contexts_), one_of(surfaces_), one_of(images_),
                                     one_of(syncs_)};
            const EGLenum type = in_.pick(kObjectTypes);
            ext().eglLabelObjectKHR(d, type, objects[in_.u8() % std::size(objects)],
                                    reinterpret_cast<EGLLabelKHR>(uintptr_t(in_.u8())));
            return;
        }
        case 6: {
            EGLAttrib v = 0;
            ext().eglQueryDebugKHR(attribute(), &v);
            return;
        }
        default: {
            char text[8] = {};
            for (unsigned i = 0; i < 7; ++i)
                text[i] = char(in_.u8());
            (void)eglGetProcAddress(text);
        }
    }
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    Program(fuzz::Bytes(data, size)).run();
    return 0;
}
