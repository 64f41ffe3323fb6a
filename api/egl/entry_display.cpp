// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL 1.5, 3.2 to 3.4: displays, strings, configs; platforms, devices, labels and debug output.
#include "api/egl/entry.h"
#include "api/egl/enum_name.h"
#include "api/egl/private_names.h"
#include "api/gbm/platform.h"
#include "api/gl/entry.h"

using namespace terrazzo::egl;

namespace {

constexpr char kClientExtensions[] =
    "EGL_EXT_client_extensions EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query "
    "EGL_EXT_platform_base EGL_EXT_platform_device "
#if TERRAZZO_WAYLAND
    "EGL_EXT_platform_wayland EGL_KHR_platform_wayland "
#endif
#if TERRAZZO_GBM
    "EGL_KHR_platform_gbm EGL_MESA_platform_gbm "
#endif
#if TERRAZZO_X11
    "EGL_EXT_platform_x11 EGL_EXT_platform_xcb EGL_KHR_platform_x11 "
#endif
    "EGL_KHR_client_get_all_proc_addresses EGL_KHR_debug EGL_KHR_display_reference "
    "EGL_MESA_platform_surfaceless";

EGLDisplay platform_display(const char* command, EGLenum platform, void* native,
                            const EGLAttrib* attributes) {
    return guarded<EGLDisplay>(command, EGL_NO_DISPLAY, [&]() -> EGLDisplay {
        Call call(command);
        bool track = false;
        for (const EGLAttrib* a = attributes; a && *a != EGL_NONE; a += 2) {
            if (*a == EGL_TRACK_REFERENCES_KHR) {
                track = a[1];
            } else if (*a != EGL_PLATFORM_X11_SCREEN_EXT && *a != EGL_PLATFORM_XCB_SCREEN_EXT) {
                call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(a[0]) + " is unknown");
                return EGL_NO_DISPLAY;
            }
        }
        switch (platform) {
            case EGL_PLATFORM_XCB_EXT:
            case EGL_PLATFORM_X11_EXT:
            case EGL_PLATFORM_WAYLAND_KHR:
                break;
            case EGL_PLATFORM_GBM_KHR:
                if (native && !terrazzo::gbm::is_own_device(native)) {
                    call.fail(EGL_BAD_PARAMETER, terrazzo::gbm::describe_foreign_device(native));
                    return EGL_NO_DISPLAY;
                }
                break;
            case EGL_PLATFORM_SURFACELESS_MESA:
                if (native) {
                    call.fail(EGL_BAD_PARAMETER,
                              "the surfaceless platform's native display must be EGL_DEFAULT_DISPLAY");
                    return EGL_NO_DISPLAY;
                }
                break;
            case EGL_PLATFORM_DEVICE_EXT:
                if (!find_device(native)) {
                    call.fail(EGL_BAD_PARAMETER, "the native display is not a device of eglQueryDevicesEXT");
                    return EGL_NO_DISPLAY;
                }
                break;
            default:
                call.fail(EGL_BAD_PARAMETER, "platform " + enum_text(platform) + " is not supported");
                return EGL_NO_DISPLAY;
        }
        Display* d = get_display(platform, native, track);
        succeed();
        return d;
    });
}

}  // namespace

extern "C" {

EGLint EGLAPIENTRY eglGetError(void) {
    ThreadState& t = thread_state();
    return std::exchange(t.error, EGL_SUCCESS);
}

EGLDisplay EGLAPIENTRY eglGetDisplay(EGLNativeDisplayType native) {
    return guarded<EGLDisplay>("eglGetDisplay", EGL_NO_DISPLAY, [&]() -> EGLDisplay {
        void* n = reinterpret_cast<void*>(native);
        EGLenum platform = default_platform(n);
        if (platform == EGL_PLATFORM_GBM_KHR && n && !terrazzo::gbm::is_own_device(n)) {
            Call call("eglGetDisplay");
            call.fail(EGL_BAD_PARAMETER, terrazzo::gbm::describe_foreign_device(n));
            return EGL_NO_DISPLAY;
        }
        // All displays of the surfaceless platform are the same.
        Display* d = get_display(platform, platform == EGL_PLATFORM_SURFACELESS_MESA ? nullptr : n, false);
        succeed();
        return d;
    });
}

EGLDisplay EGLAPIENTRY eglGetPlatformDisplay(EGLenum platform, void* native, const EGLAttrib* attributes) {
    return platform_display("eglGetPlatformDisplay", platform, native, attributes);
}

EGLDisplay EGLAPIENTRY eglGetPlatformDisplayEXT(EGLenum platform, void* native, const EGLint* attributes) {
    return guarded<EGLDisplay>("eglGetPlatformDisplayEXT", EGL_NO_DISPLAY, [&]() -> EGLDisplay {
        return platform_display("eglGetPlatformDisplayEXT", platform, native, widen(attributes).data());
    });
}

EGLBoolean EGLAPIENTRY eglInitialize(EGLDisplay dpy, EGLint* major, EGLint* minor) {
    return guarded<EGLBoolean>("eglInitialize", EGL_FALSE, [&]() -> EGLBoolean {
        Call call("eglInitialize");
        if (!call.open(dpy, true)) return EGL_FALSE;
        std::string why;
        if (EGLint error = call.display().initialize(&why); error != EGL_SUCCESS)
            return call.fail(error, why);
        if (major) *major = 1;
        if (minor) *minor = 5;
        return call.done();
    });
}

EGLBoolean EGLAPIENTRY eglTerminate(EGLDisplay dpy) try {
    Call call("eglTerminate");
    if (!call.open(dpy, true)) return EGL_FALSE;
    call.display().terminate();
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglTerminate", EGL_FALSE);
}

const char* EGLAPIENTRY eglQueryString(EGLDisplay dpy, EGLint name) try {
    Call call("eglQueryString");
    if (dpy == EGL_NO_DISPLAY && (name == EGL_EXTENSIONS || name == EGL_VERSION)) {
        succeed();
        return name == EGL_EXTENSIONS ? kClientExtensions : "1.5 Terrazzo";
    }
    if (!call.open(dpy)) return nullptr;
    succeed();
    switch (name) {
        case EGL_CLIENT_APIS:
            return "OpenGL_ES";
        case EGL_VENDOR:
            return "Terrazzo";
        case EGL_VERSION:
            return "1.5 Terrazzo";
        case EGL_EXTENSIONS:
            return call.display().extensions.c_str();
        case kWindowTextTerrazzo: {
            const auto& surface = thread_state().draw;
            std::string& text = call.display().window_text;
            text = surface && surface->window ? surface->window->explain() : "";
            return text.c_str();
        }
    }
    call.fail(EGL_BAD_PARAMETER, "string name " + enum_text(name) + " is unknown");
    return nullptr;
} catch (const std::bad_alloc&) {
    return out_of_memory<const char*>("eglQueryString", nullptr);
}

EGLBoolean EGLAPIENTRY eglGetConfigs(EGLDisplay dpy, EGLConfig* configs, EGLint size, EGLint* count) try {
    Call call("eglGetConfigs");
    if (!call.open(dpy)) return EGL_FALSE;
    if (!count) return call.fail(EGL_BAD_PARAMETER, "num_config is null");
    const auto& all = call.display().configs;
    EGLint n = EGLint(all.size());
    if (configs) {
        n = std::min(n, std::max(size, 0));
        for (EGLint i = 0; i < n; ++i)
            configs[i] = const_cast<Config*>(&all[size_t(i)]);
    }
    *count = n;
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglGetConfigs", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglChooseConfig(EGLDisplay dpy, const EGLint* attributes, EGLConfig* configs,
                                       EGLint size, EGLint* count) {
    return guarded<EGLBoolean>("eglChooseConfig", EGL_FALSE, [&]() -> EGLBoolean {
        Call call("eglChooseConfig");
        if (!call.open(dpy)) return EGL_FALSE;
        if (!count) return call.fail(EGL_BAD_PARAMETER, "num_config is null");
        std::vector<const Config*> chosen;
        std::string why;
        if (!choose_configs(call.display().configs, attributes, &chosen, &why))
            return call.fail(EGL_BAD_ATTRIBUTE, why);
        if (chosen.empty()) call.warn(why);
        EGLint n = EGLint(chosen.size());
        if (configs) {
            n = std::min(n, std::max(size, 0));
            for (EGLint i = 0; i < n; ++i)
                configs[i] = const_cast<Config*>(chosen[size_t(i)]);
        }
        *count = n;
        return call.done();
    });
}

EGLBoolean EGLAPIENTRY eglGetConfigAttrib(EGLDisplay dpy, EGLConfig config, EGLint attribute,
                                          EGLint* value) try {
    Call call("eglGetConfigAttrib");
    if (!call.open(dpy)) return EGL_FALSE;
    const Config* c = call.config(config);
    if (!c) return EGL_FALSE;
    EGLint v = 0;
    if (!config_attribute(*c, attribute, &v))
        return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(attribute) + " is not a config's");
    if (!value) return call.fail(EGL_BAD_PARAMETER, "value is null");
    *value = v;
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglGetConfigAttrib", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglBindAPI(EGLenum api) try {
    Call call("eglBindAPI");
    if (api != EGL_OPENGL_ES_API) return call.fail(EGL_BAD_PARAMETER, "Terrazzo only has OpenGL ES");
    thread_state().api = api;
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglBindAPI", EGL_FALSE);
}

EGLenum EGLAPIENTRY eglQueryAPI(void) {
    return thread_state().api;
}

EGLBoolean EGLAPIENTRY eglReleaseThread(void) try {
    ThreadState& t = thread_state();
    bind_current(t, nullptr, nullptr, nullptr);
    t.error = EGL_SUCCESS;
    t.api = EGL_OPENGL_ES_API;
    return EGL_TRUE;
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglReleaseThread", EGL_FALSE);
}

// --- EGL_EXT_device_base, EGL_EXT_device_query -------------------------------------------------------------

EGLBoolean EGLAPIENTRY eglQueryDevicesEXT(EGLint max_devices, EGLDeviceEXT* out, EGLint* count) try {
    Call call("eglQueryDevicesEXT");
    if (!count || (out && max_devices <= 0))
        return call.fail(EGL_BAD_PARAMETER, count ? "max_devices is not positive" : "num_devices is null");
    const auto& list = devices();
    EGLint n = EGLint(list.size());
    if (out) {
        n = std::min(n, max_devices);
        for (EGLint i = 0; i < n; ++i)
            out[i] = const_cast<Device*>(&list[size_t(i)]);
    }
    *count = n;
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglQueryDevicesEXT", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglQueryDeviceAttribEXT(EGLDeviceEXT device, EGLint attribute, EGLAttrib*) try {
    Call call("eglQueryDeviceAttribEXT");
    if (!find_device(device))
        return call.fail(EGL_BAD_DEVICE_EXT, "the device is not one of eglQueryDevicesEXT");
    return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(attribute) + " is unknown");
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglQueryDeviceAttribEXT", EGL_FALSE);
}

const char* EGLAPIENTRY eglQueryDeviceStringEXT(EGLDeviceEXT device, EGLint name) try {
    Call call("eglQueryDeviceStringEXT");
    const Device* d = find_device(device);
    if (!d) {
        call.fail(EGL_BAD_DEVICE_EXT, "the device is not one of eglQueryDevicesEXT");
        return nullptr;
    }
    const char* const text = name == EGL_EXTENSIONS                 ? d->extensions.c_str()
                             : name == EGL_VENDOR                   ? "Terrazzo"
                             : name == EGL_RENDERER_EXT             ? d->name
                             : name == EGL_DRM_DEVICE_FILE_EXT      ? d->primary_node
                             : name == EGL_DRM_RENDER_NODE_FILE_EXT ? d->render_node
                                                                    : nullptr;
    if (!text) {
        call.fail(EGL_BAD_PARAMETER, "string name " + enum_text(name) + " is unknown or not this device's");
        return nullptr;
    }
    succeed();
    return text;
} catch (const std::bad_alloc&) {
    return out_of_memory<const char*>("eglQueryDeviceStringEXT", nullptr);
}

EGLBoolean EGLAPIENTRY eglQueryDisplayAttribEXT(EGLDisplay dpy, EGLint attribute, EGLAttrib* value) try {
    Call call("eglQueryDisplayAttribEXT");
    if (!call.open(dpy)) return EGL_FALSE;
    if (!value) return call.fail(EGL_BAD_PARAMETER, "value is null");
    switch (attribute) {
        case EGL_DEVICE_EXT:
            if (!device_of(call.display()))
                return call.fail(EGL_BAD_ATTRIBUTE, "the display's device is not one of eglQueryDevicesEXT");
            *value = reinterpret_cast<EGLAttrib>(device_of(call.display()));
            break;
        case EGL_TRACK_REFERENCES_KHR:
            *value = call.display().track_references;
            break;
        case kThreadsTerrazzo:
            *value = call.display().screen->caps().threads;
            break;
        case kPlatformTerrazzo:
            *value = EGLAttrib(call.display().platform_name);
            break;
        default:
            return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(attribute) + " is unknown");
    }
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglQueryDisplayAttribEXT", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglQueryDisplayAttribKHR(EGLDisplay dpy, EGLint attribute, EGLAttrib* value) {
    return eglQueryDisplayAttribEXT(dpy, attribute, value);
}

// --- EGL_KHR_debug -----------------------------------------------------------------------------------------

EGLint EGLAPIENTRY eglDebugMessageControlKHR(EGLDEBUGPROCKHR callback, const EGLAttrib* attributes) try {
    EGLint error = debug_control(callback, attributes);
    if (error != EGL_SUCCESS)
        set_error(error, "eglDebugMessageControlKHR", nullptr, "an attribute is not a message type");
    else
        succeed();
    return error;
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLint>("eglDebugMessageControlKHR", EGL_BAD_ALLOC);
}

EGLBoolean EGLAPIENTRY eglQueryDebugKHR(EGLint attribute, EGLAttrib* value) try {
    Call call("eglQueryDebugKHR");
    if (!value || !debug_query(attribute, value))
        return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(attribute) + " is unknown");
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglQueryDebugKHR", EGL_FALSE);
}

EGLint EGLAPIENTRY eglLabelObjectKHR(EGLDisplay dpy, EGLenum type, EGLObjectKHR object,
                                     EGLLabelKHR label) try {
    Call call("eglLabelObjectKHR");
    auto bad = [&](EGLint code, const char* why) {
        call.fail(code, why);
        return code;
    };
    if (type == EGL_OBJECT_THREAD_KHR) {
        thread_state().label = label;
        succeed();
        return EGL_SUCCESS;
    }
    if (!call.open(dpy, true)) return thread_state().error;
    Display& d = call.display();
    EGLLabelKHR* slot = nullptr;
    switch (type) {
        case EGL_OBJECT_DISPLAY_KHR:
            slot = object == dpy ? &d.label : nullptr;
            break;
        case EGL_OBJECT_CONTEXT_KHR:
            if (auto* o = d.contexts.find(object)) slot = &o->label;
            break;
        case EGL_OBJECT_SURFACE_KHR:
            if (auto* o = d.surfaces.find(object)) slot = &o->label;
            break;
        case EGL_OBJECT_IMAGE_KHR:
            if (auto* o = d.images.find(object)) slot = &o->label;
            break;
        case EGL_OBJECT_SYNC_KHR:
            if (auto* o = d.syncs.find(object)) slot = &o->label;
            break;
        default:
            return bad(EGL_BAD_PARAMETER, "the object type is unknown");
    }
    if (!slot) return bad(EGL_BAD_PARAMETER, "the object is not of that type in this display");
    *slot = label;
    succeed();
    return EGL_SUCCESS;
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLint>("eglLabelObjectKHR", EGL_BAD_ALLOC);
}

}  // extern "C"
