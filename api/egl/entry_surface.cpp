// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL 1.5, 3.5 and 3.6: surfaces, texture binding.
#include <algorithm>
#include <cstring>

#include "api/egl/entry.h"
#include "api/egl/enum_name.h"
#include "api/egl/private_names.h"

using namespace terrazzo;
using namespace terrazzo::egl;

namespace {

/// EGL_GL_COLORSPACE (EGL_KHR_gl_colorspace): sRGB, if the config's format has an sRGB variant.
bool set_colorspace(Call& call, EGLAttrib value, Surface* s) {
    if (value != EGL_GL_COLORSPACE_LINEAR && value != EGL_GL_COLORSPACE_SRGB)
        return call.fail(EGL_BAD_ATTRIBUTE, "EGL_GL_COLORSPACE is neither linear nor sRGB");
    const bool srgb = value == EGL_GL_COLORSPACE_SRGB;
    const pipe::Format f = srgb ? pipe::format_to_srgb(s->config.color_format) : s->config.color_format;
    if (f == pipe::Format::None || !s->screen->format_supported(f, pipe::ResourceKind::Tex2D, 1,
                                                                pipe::bind::kColor | pipe::bind::kSampled))
        return call.fail(EGL_BAD_MATCH, "the config's colours have no sRGB format");
    s->color_format = s->buffer_format = f;
    s->colorspace = EGLint(value);
    return true;
}

EGLSurface create_window(const char* command, EGLDisplay dpy, EGLConfig config, void* native,
                         const EGLAttrib* attributes) {
    return guarded<EGLSurface>(command, EGL_NO_SURFACE, [&]() -> EGLSurface {
        Call call(command);
        auto fail = [&](EGLint code, const std::string& why) {
            call.fail(code, why);
            return EGL_NO_SURFACE;
        };
        if (!call.open(dpy)) return EGL_NO_SURFACE;
        Display& d = call.display();
        const Config* c = call.config(config);
        if (!c) return EGL_NO_SURFACE;
        auto s = pipe::Ref<Surface>::adopt(new Surface(d.screen, SurfaceKind::Window, *c));
        for (const EGLAttrib* a = attributes; a && *a != EGL_NONE; a += 2) {
            switch (a[0]) {
                case EGL_RENDER_BUFFER:
                    if (a[1] != EGL_BACK_BUFFER && a[1] != EGL_SINGLE_BUFFER)
                        return fail(EGL_BAD_ATTRIBUTE, "EGL_RENDER_BUFFER is neither back nor single");
                    break;  // only a hint; surfaces always have a back buffer
                case EGL_GL_COLORSPACE:
                    if (!set_colorspace(call, a[1], s.get())) return EGL_NO_SURFACE;
                    break;
                case EGL_VG_COLORSPACE:
                case EGL_VG_ALPHA_FORMAT:
                    return fail(EGL_BAD_MATCH, "the config has no OpenVG formats");
                default:
                    return fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(a[0]) + " is unknown");
            }
        }
        if (!(c->surface_type & EGL_WINDOW_BIT))
            return fail(EGL_BAD_MATCH, "the config cannot render to windows");
        if (!native) return fail(EGL_BAD_NATIVE_WINDOW, "the native window is null");
        if (!d.platform->matches(native, c->fourcc))
            return fail(EGL_BAD_MATCH, "the config's EGL_NATIVE_VISUAL_ID is not the native window's format");
        if (d.platform->window_in_use(native))
            return fail(EGL_BAD_ALLOC, "the native window already has a surface");
        std::string why;
        s->platform = d.platform;
        s->window = d.platform->create_window(native, c->fourcc, &why);
        if (!s->window) return fail(EGL_BAD_NATIVE_WINDOW, why);
        succeed();
        return d.surfaces.add(std::move(s));
    });
}

/// The platform functions take the address of an X11 window, eglCreateWindowSurface the window itself.
void* platform_window(EGLDisplay dpy, void* window) {
    Display* d = find_display(dpy);
    if (!d || !window ||
        (d->platform_name != EGL_PLATFORM_X11_EXT && d->platform_name != EGL_PLATFORM_XCB_EXT))
        return window;
    uint32_t id;  // the low half of Xlib's Window, or a whole xcb_window_t
    std::memcpy(&id, window, sizeof id);
    return reinterpret_cast<void*>(uintptr_t(id));
}

bool parse_pbuffer(Call& call, const EGLint* list, Surface* s) {
    for (const EGLint* a = list; a && *a != EGL_NONE; a += 2) {
        const EGLint v = a[1];
        bool ok = true;
        switch (a[0]) {
            case EGL_WIDTH:
            case EGL_HEIGHT:
                if (v < 0) return call.fail(EGL_BAD_PARAMETER, "a pbuffer's size is negative");
                (a[0] == EGL_WIDTH ? s->requested_width : s->requested_height) = v;
                break;
            case EGL_LARGEST_PBUFFER:
                s->largest = v;
                break;
            case EGL_TEXTURE_FORMAT:
                ok = v == EGL_NO_TEXTURE || v == EGL_TEXTURE_RGB || v == EGL_TEXTURE_RGBA;
                s->texture_format = v;
                break;
            case EGL_TEXTURE_TARGET:
                ok = v == EGL_NO_TEXTURE || v == EGL_TEXTURE_2D;
                s->texture_target = v;
                break;
            case EGL_MIPMAP_TEXTURE:
                s->mipmap = v;
                break;
            case EGL_GL_COLORSPACE:
                if (!set_colorspace(call, v, s)) return false;
                break;
            case EGL_VG_COLORSPACE:
            case EGL_VG_ALPHA_FORMAT:
                return call.fail(EGL_BAD_MATCH, "the config has no OpenVG formats");
            default:
                return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(a[0]) + " is unknown");
        }
        if (!ok) return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(a[0]) + " has a bad value");
    }
    if ((s->texture_format == EGL_NO_TEXTURE) != (s->texture_target == EGL_NO_TEXTURE))
        return call.fail(EGL_BAD_MATCH, "texture format and target must both be EGL_NO_TEXTURE or neither");
    if (s->texture_format != EGL_NO_TEXTURE)
        return call.fail(EGL_BAD_ATTRIBUTE,
                         "the config cannot be bound to textures (EGL_BIND_TO_TEXTURE_* is EGL_FALSE)");
    return true;
}

}  // namespace

extern "C" {

EGLSurface EGLAPIENTRY eglCreateWindowSurface(EGLDisplay dpy, EGLConfig config, EGLNativeWindowType window,
                                              const EGLint* list) {
    return guarded<EGLSurface>("eglCreateWindowSurface", EGL_NO_SURFACE, [&]() -> EGLSurface {
        return create_window("eglCreateWindowSurface", dpy, config, reinterpret_cast<void*>(window),
                             widen(list).data());
    });
}

EGLSurface EGLAPIENTRY eglCreatePlatformWindowSurface(EGLDisplay dpy, EGLConfig config, void* window,
                                                      const EGLAttrib* list) {
    return create_window("eglCreatePlatformWindowSurface", dpy, config, platform_window(dpy, window), list);
}

EGLSurface EGLAPIENTRY eglCreatePlatformWindowSurfaceEXT(EGLDisplay dpy, EGLConfig config, void* window,
                                                         const EGLint* list) {
    return guarded<EGLSurface>("eglCreatePlatformWindowSurfaceEXT", EGL_NO_SURFACE, [&]() -> EGLSurface {
        return create_window("eglCreatePlatformWindowSurfaceEXT", dpy, config, platform_window(dpy, window),
                             widen(list).data());
    });
}

EGLSurface EGLAPIENTRY eglCreatePbufferSurface(EGLDisplay dpy, EGLConfig config, const EGLint* list) {
    return guarded<EGLSurface>("eglCreatePbufferSurface", EGL_NO_SURFACE, [&]() -> EGLSurface {
        Call call("eglCreatePbufferSurface");
        if (!call.open(dpy)) return EGL_NO_SURFACE;
        const Config* c = call.config(config);
        if (!c) return EGL_NO_SURFACE;
        Display& d = call.display();
        auto s = pipe::Ref<Surface>::adopt(new Surface(d.screen, SurfaceKind::Pbuffer, *c));
        if (!parse_pbuffer(call, list, s.get())) return EGL_NO_SURFACE;
        const EGLint limit = max_pbuffer_px(*d.screen);
        if (!s->largest && std::max(s->requested_width, s->requested_height) > limit) {
            call.fail(EGL_BAD_ALLOC,
                      "a pbuffer is at most " + std::to_string(limit) + " pixels wide and high");
            return EGL_NO_SURFACE;
        }
        s->width_px = uint32_t(std::min(s->requested_width, limit));
        s->height_px = uint32_t(std::min(s->requested_height, limit));
        st::Drawable::Buffers b;
        if (!s->acquire(&b)) {
            call.fail(EGL_BAD_ALLOC, "out of memory");
            return EGL_NO_SURFACE;
        }
        succeed();
        return d.surfaces.add(std::move(s));
    });
}

EGLSurface EGLAPIENTRY eglCreatePbufferFromClientBuffer(EGLDisplay dpy, EGLenum, EGLClientBuffer,
                                                        EGLConfig config, const EGLint*) try {
    Call call("eglCreatePbufferFromClientBuffer");
    if (call.open(dpy) && call.config(config))
        call.fail(EGL_BAD_PARAMETER, "only OpenVG images could be client buffers, and there is no OpenVG");
    return EGL_NO_SURFACE;
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLSurface>("eglCreatePbufferFromClientBuffer", EGL_NO_SURFACE);
}

EGLSurface EGLAPIENTRY eglCreatePlatformPixmapSurface(EGLDisplay dpy, EGLConfig config, void*,
                                                      const EGLAttrib*) try {
    Call call("eglCreatePlatformPixmapSurface");
    if (call.open(dpy) && call.config(config)) call.fail(EGL_BAD_MATCH, "no config can render to pixmaps");
    return EGL_NO_SURFACE;
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLSurface>("eglCreatePlatformPixmapSurface", EGL_NO_SURFACE);
}

EGLSurface EGLAPIENTRY eglCreatePlatformPixmapSurfaceEXT(EGLDisplay dpy, EGLConfig config, void* pixmap,
                                                         const EGLint*) {
    return eglCreatePlatformPixmapSurface(dpy, config, pixmap, nullptr);
}

EGLSurface EGLAPIENTRY eglCreatePixmapSurface(EGLDisplay dpy, EGLConfig config, EGLNativePixmapType,
                                              const EGLint*) {
    return eglCreatePlatformPixmapSurface(dpy, config, nullptr, nullptr);
}

EGLBoolean EGLAPIENTRY eglDestroySurface(EGLDisplay dpy, EGLSurface handle) try {
    Call call("eglDestroySurface");
    if (!call.open(dpy)) return EGL_FALSE;
    Surface* s = call.surface(handle);
    if (!s) return EGL_FALSE;
    pipe::Ref<Surface> last = call.display().surfaces.remove(s);
    call.unlock();
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglDestroySurface", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglSurfaceAttrib(EGLDisplay dpy, EGLSurface handle, EGLint attribute,
                                        EGLint value) try {
    Call call("eglSurfaceAttrib");
    if (!call.open(dpy)) return EGL_FALSE;
    Surface* s = call.surface(handle);
    if (!s) return EGL_FALSE;
    switch (attribute) {
        case EGL_MIPMAP_LEVEL:
            s->mipmap_level = value;
            break;
        case EGL_MULTISAMPLE_RESOLVE:
            if (value == EGL_MULTISAMPLE_RESOLVE_BOX)
                return call.fail(EGL_BAD_MATCH, "the config has no box resolve");
            if (value != EGL_MULTISAMPLE_RESOLVE_DEFAULT)
                return call.fail(EGL_BAD_PARAMETER, "not a multisample resolve");
            break;
        case EGL_SWAP_BEHAVIOR:
            if (value != EGL_BUFFER_PRESERVED && value != EGL_BUFFER_DESTROYED)
                return call.fail(EGL_BAD_PARAMETER, "not a swap behavior");
            if (value == EGL_BUFFER_PRESERVED && !(s->config.surface_type & EGL_SWAP_BEHAVIOR_PRESERVED_BIT))
                return call.fail(EGL_BAD_MATCH, "the config has no EGL_SWAP_BEHAVIOR_PRESERVED_BIT");
            s->swap_behavior = value;
            break;
        default:
            return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(attribute) + " cannot be set");
    }
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglSurfaceAttrib", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglQuerySurface(EGLDisplay dpy, EGLSurface handle, EGLint attribute,
                                       EGLint* value) try {
    Call call("eglQuerySurface");
    if (!call.open(dpy)) return EGL_FALSE;
    Surface* s = call.surface(handle);
    if (!s) return EGL_FALSE;
    EGLint ignored = 0;
    EGLint& v = value ? *value : ignored;
    const bool pbuffer = s->kind == SurfaceKind::Pbuffer;
    uint32_t w = 0, h = 0;
    switch (attribute) {
        case EGL_WIDTH:
        case EGL_HEIGHT:
            s->current_size(&w, &h);
            v = EGLint(attribute == EGL_WIDTH ? w : h);
            break;
        case EGL_CONFIG_ID:
            v = s->config.id;
            break;
        // Attributes of pbuffers: "querying for others leaves value unchanged" (EGL 1.5, 3.5.6).
        case EGL_LARGEST_PBUFFER:
            if (pbuffer) v = s->largest;
            break;
        case EGL_TEXTURE_FORMAT:
            if (pbuffer) v = s->texture_format;
            break;
        case EGL_TEXTURE_TARGET:
            if (pbuffer) v = s->texture_target;
            break;
        case EGL_MIPMAP_TEXTURE:
            if (pbuffer) v = s->mipmap;
            break;
        case EGL_MIPMAP_LEVEL:
            if (pbuffer) v = s->mipmap_level;
            break;
        case EGL_HORIZONTAL_RESOLUTION:
        case EGL_VERTICAL_RESOLUTION:
        case EGL_PIXEL_ASPECT_RATIO:
            v = EGL_UNKNOWN;
            break;
        case EGL_RENDER_BUFFER:
            v = EGL_BACK_BUFFER;  // pbuffers have one, too (EGL 1.5, 3.5.6)
            break;
        case EGL_SWAP_BEHAVIOR:
            v = s->swap_behavior;
            break;
        case EGL_MULTISAMPLE_RESOLVE:
            v = s->multisample_resolve;
            break;
        case EGL_GL_COLORSPACE:
            v = s->colorspace;
            break;
        case EGL_VG_COLORSPACE:
            v = EGL_VG_COLORSPACE_sRGB;
            break;
        case EGL_VG_ALPHA_FORMAT:
            v = EGL_VG_ALPHA_FORMAT_NONPRE;
            break;
        case EGL_BUFFER_AGE_EXT:
            if (thread_state().draw.get() != s)
                return call.fail(EGL_BAD_SURFACE,
                                 "EGL_BUFFER_AGE_EXT is known of the current draw surface only");
            v = EGLint(s->age());
            break;
        case kSharedTerrazzo:
            v = s->is_shared();
            break;
        default:
            return call.fail(EGL_BAD_ATTRIBUTE, "attribute " + enum_text(attribute) + " is not a surface's");
    }
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglQuerySurface", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglBindTexImage(EGLDisplay dpy, EGLSurface handle, EGLint buffer) try {
    Call call("eglBindTexImage");
    if (!call.open(dpy) || !call.surface(handle)) return EGL_FALSE;
    if (buffer != EGL_BACK_BUFFER) return call.fail(EGL_BAD_PARAMETER, "the buffer is not EGL_BACK_BUFFER");
    return call.fail(EGL_BAD_SURFACE, "the surface's texture format is EGL_NO_TEXTURE");
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglBindTexImage", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglReleaseTexImage(EGLDisplay dpy, EGLSurface handle, EGLint buffer) try {
    Call call("eglReleaseTexImage");
    if (!call.open(dpy) || !call.surface(handle)) return EGL_FALSE;
    if (buffer != EGL_BACK_BUFFER) return call.fail(EGL_BAD_PARAMETER, "the buffer is not EGL_BACK_BUFFER");
    return call.fail(EGL_BAD_SURFACE, "the surface's texture format is EGL_NO_TEXTURE");
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglReleaseTexImage", EGL_FALSE);
}

}  // extern "C"
