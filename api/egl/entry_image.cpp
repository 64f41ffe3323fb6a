// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL 1.5, 3.9: images (EGL_KHR_image_base, EGL_KHR_gl_*_image, EGL_EXT_image_dma_buf_import).
#include <algorithm>

#include "api/egl/dmabuf.h"
#include "api/egl/entry.h"
#include "api/egl/enum_name.h"
#include "api/egl/wayland_buffer.h"
#include "api/gbm/platform.h"
#include "pipe/format.h"
#include "state_tracker/image_export.h"

using namespace terrazzo;
using namespace terrazzo::egl;

namespace {

struct ImageAttributes {
    EGLAttrib level = 0, z = 0;
};

bool parse(Call& call, const EGLAttrib* list, ImageAttributes* out) {
    for (const EGLAttrib* a = list; a && *a != EGL_NONE; a += 2) {
        switch (a[0]) {
            case EGL_GL_TEXTURE_LEVEL:
                out->level = a[1];
                break;
            case EGL_GL_TEXTURE_ZOFFSET:
                out->z = a[1];
                break;
            case EGL_IMAGE_PRESERVED:
                break;  // always
            default:
                return call.fail(EGL_BAD_PARAMETER, "attribute " + enum_text(a[0]) + " is unknown");
        }
        if (a[1] < 0 || a[1] > 0x7fffffff)
            return call.fail(EGL_BAD_PARAMETER, "attribute " + enum_text(a[0]) + " has a bad value");
    }
    return true;
}

EGLint egl_error(st::ImageResult r) {
    switch (r) {
        case st::ImageResult::Ok:
            return EGL_SUCCESS;
        case st::ImageResult::BadParameter:
            return EGL_BAD_PARAMETER;
        case st::ImageResult::BadAccess:
            return EGL_BAD_ACCESS;
        case st::ImageResult::BadMatch:
            return EGL_BAD_MATCH;
        case st::ImageResult::OutOfMemory:
            return EGL_BAD_ALLOC;
    }
    return EGL_BAD_PARAMETER;
}

EGLImage create_image(const char* command, EGLDisplay dpy, EGLContext handle, EGLenum target,
                      EGLClientBuffer buffer, const EGLAttrib* list) {
    return guarded<EGLImage>(command, EGL_NO_IMAGE, [&]() -> EGLImage {
        Call call(command);
        if (!call.open(dpy)) return EGL_NO_IMAGE;
        st::ImageSource source;
        unsigned face = 0;
        switch (target) {
            case EGL_GL_TEXTURE_2D:
                source = st::ImageSource::Texture2D;
                break;
            case EGL_GL_RENDERBUFFER:
                source = st::ImageSource::Renderbuffer;
                break;
            case EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X:
            case EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_X:
            case EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_Y:
            case EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Y:
            case EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_Z:
            case EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Z:
                source = st::ImageSource::CubeFace;
                face = target - EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X;
                break;
            default:
                call.fail(EGL_BAD_PARAMETER, "image target " + enum_text(target) + " is not supported");
                return EGL_NO_IMAGE;
        }
        Context* context = call.context(handle);
        ImageAttributes attributes;
        if (!context || !parse(call, list, &attributes)) return EGL_NO_IMAGE;
        auto image = pipe::Ref<EglImage>::adopt(new EglImage);
        std::string why;
        const auto name = GLuint(reinterpret_cast<uintptr_t>(buffer));
        const st::ImageResult r =
            st::export_image(*context->gl, source, name, face, unsigned(attributes.level),
                             unsigned(attributes.z), &image->image, &why);
        if (r != st::ImageResult::Ok) {
            call.fail(egl_error(r), why);
            return EGL_NO_IMAGE;
        }
        succeed();
        return call.display().images.add(std::move(image));
    });
}

/// EGL_EXT_image_dma_buf_import.
EGLImage create_dmabuf_image(const char* command, EGLDisplay dpy, EGLContext context, EGLClientBuffer buffer,
                             const EGLAttrib* list) {
    return guarded<EGLImage>(command, EGL_NO_IMAGE, [&]() -> EGLImage {
        Call call(command);
        if (!call.open(dpy)) return EGL_NO_IMAGE;
        const auto fail = [&](EGLint error, const std::string& why) {
            call.fail(error, why);
            return EGL_NO_IMAGE;
        };
        if (context != EGL_NO_CONTEXT) return fail(EGL_BAD_PARAMETER, "an image of a dma-buf has no context");
        if (buffer) return fail(EGL_BAD_PARAMETER, "an image of a dma-buf has no client buffer");
        DmabufAttributes attributes;
        std::string why;
        EGLint error = parse_dmabuf(list, &attributes, &why);
        auto image = pipe::Ref<EglImage>::adopt(new EglImage);
        if (error == EGL_SUCCESS)
            error = import_dmabuf(*call.display().screen, attributes, &image->image, &why);
        if (error != EGL_SUCCESS) return fail(error, why);
        succeed();
        return call.display().images.add(std::move(image));
    });
}

/// EGL_KHR_image_pixmap: a native pixmap is a gbm_bo.
EGLImage create_pixmap_image(const char* command, EGLDisplay dpy, EGLContext context, EGLClientBuffer buffer,
                             const EGLAttrib* list) {
    return guarded<EGLImage>(command, EGL_NO_IMAGE, [&]() -> EGLImage {
        Call call(command);
        if (!call.open(dpy)) return EGL_NO_IMAGE;
        const auto fail = [&](const std::string& why) {
            call.fail(EGL_BAD_PARAMETER, why);
            return EGL_NO_IMAGE;
        };
        if (call.display().platform_name != EGL_PLATFORM_GBM_KHR)
            return fail("only displays of the GBM platform have native pixmaps");
        if (context != EGL_NO_CONTEXT) return fail("an image of a native pixmap has no context");
        for (const EGLAttrib* a = list; a && *a != EGL_NONE; a += 2)
            if (*a != EGL_IMAGE_PRESERVED) return fail("attribute " + enum_text(*a) + " is unknown");
        std::string why;
        pipe::Ref<pipe::Resource> resource = gbm::find_bo_image(buffer, *call.display().screen, &why);
        if (!resource) return fail(why);
        auto image = pipe::Ref<EglImage>::adopt(new EglImage);
        image->image = pipe::Ref<st::Image>::adopt(new st::Image);
        image->image->format = resource->desc.format;
        image->image->width_px = resource->desc.width;
        image->image->height_px = resource->desc.height;
        image->image->resource = std::move(resource);
        succeed();
        return call.display().images.add(std::move(image));
    });
}

/// EGL_WL_bind_wayland_display: a plane of a client's buffer.
EGLImage create_wayland_image(const char* command, EGLDisplay dpy, EGLContext context, EGLClientBuffer buffer,
                              const EGLAttrib* list) {
    return guarded<EGLImage>(command, EGL_NO_IMAGE, [&]() -> EGLImage {
        Call call(command);
        if (!call.open(dpy)) return EGL_NO_IMAGE;
        const auto fail = [&](const std::string& why) {
            call.fail(EGL_BAD_PARAMETER, why);
            return EGL_NO_IMAGE;
        };
        if (context != EGL_NO_CONTEXT) return fail("an image of a Wayland buffer has no context");
        EGLAttrib plane = 0;
        for (const EGLAttrib* a = list; a && *a != EGL_NONE; a += 2)
            if (*a == EGL_WAYLAND_PLANE_WL)
                plane = a[1];
            else if (*a != EGL_IMAGE_PRESERVED)
                return fail("attribute " + enum_text(*a) + " is unknown");
        const std::shared_ptr<const WaylandBuffer> b = find_wayland_buffer(buffer);
        if (!b) return fail("the buffer is none of a client of a bound wl_display");
        if (plane < 0 || plane >= b->row->planes)
            return fail("the buffer has " + std::to_string(b->row->planes) + " planes");
        auto image = pipe::Ref<EglImage>::adopt(new EglImage);
        image->image = pipe::Ref<st::Image>::adopt(new st::Image);
        image->image->resource = b->plane[plane];
        image->image->format = b->row->plane[plane].format;
        image->image->width_px = b->plane[plane]->desc.width;
        image->image->height_px = b->plane[plane]->desc.height;
        succeed();
        return call.display().images.add(std::move(image));
    });
}

/// Copies as many as fit into the caller's array; none if the caller only asks for the number.
template <class T, class Out>
EGLBoolean list_into(Call& call, const std::vector<T>& all, EGLint most, Out&& out, EGLint* count) {
    if (!count) return call.fail(EGL_BAD_PARAMETER, "the number's pointer is null");
    const auto n = most ? std::min(size_t(most), all.size()) : all.size();
    for (size_t i = 0; most && i < n; ++i)
        out(i, all[i]);
    *count = EGLint(n);
    return call.done();
}

}  // namespace

extern "C" {

EGLBoolean EGLAPIENTRY eglQueryDmaBufFormatsEXT(EGLDisplay dpy, EGLint max_formats, EGLint* formats,
                                                EGLint* num_formats) {
    return guarded<EGLBoolean>("eglQueryDmaBufFormatsEXT", EGL_FALSE, [&]() -> EGLBoolean {
        Call call("eglQueryDmaBufFormatsEXT");
        if (!call.open(dpy)) return EGL_FALSE;
        if (max_formats < 0 || (max_formats > 0 && !formats))
            return call.fail(EGL_BAD_PARAMETER, "there is no room for so many formats");
        return list_into(
            call, dmabuf_formats(*call.display().screen), max_formats,
            [&](size_t i, uint32_t fourcc) { formats[i] = EGLint(fourcc); }, num_formats);
    });
}

EGLBoolean EGLAPIENTRY eglQueryDmaBufModifiersEXT(EGLDisplay dpy, EGLint format, EGLint max_modifiers,
                                                  EGLuint64KHR* modifiers, EGLBoolean* external_only,
                                                  EGLint* num_modifiers) {
    return guarded<EGLBoolean>("eglQueryDmaBufModifiersEXT", EGL_FALSE, [&]() -> EGLBoolean {
        Call call("eglQueryDmaBufModifiersEXT");
        if (!call.open(dpy)) return EGL_FALSE;
        if (max_modifiers < 0 || (max_modifiers > 0 && !modifiers))
            return call.fail(EGL_BAD_PARAMETER, "there is no room for so many modifiers");
        const std::vector<DmabufModifier> all = dmabuf_modifiers(*call.display().screen, uint32_t(format));
        if (all.empty())
            return call.fail(EGL_BAD_PARAMETER, "the device does not import images of that fourcc");
        return list_into(
            call, all, max_modifiers,
            [&](size_t i, const DmabufModifier& m) {
                modifiers[i] = m.value;
                if (external_only) external_only[i] = m.external_only;
            },
            num_modifiers);
    });
}

EGLImage EGLAPIENTRY eglCreateImage(EGLDisplay dpy, EGLContext context, EGLenum target,
                                    EGLClientBuffer buffer, const EGLAttrib* list) {
    if (target == EGL_LINUX_DMA_BUF_EXT)
        return create_dmabuf_image("eglCreateImage", dpy, context, buffer, list);
    if (target == EGL_WAYLAND_BUFFER_WL)
        return create_wayland_image("eglCreateImage", dpy, context, buffer, list);
    return create_image("eglCreateImage", dpy, context, target, buffer, list);
}

EGLImageKHR EGLAPIENTRY eglCreateImageKHR(EGLDisplay dpy, EGLContext context, EGLenum target,
                                          EGLClientBuffer buffer, const EGLint* list) {
    return guarded<EGLImage>("eglCreateImageKHR", EGL_NO_IMAGE, [&]() -> EGLImage {
        if (target == EGL_LINUX_DMA_BUF_EXT)
            return create_dmabuf_image("eglCreateImageKHR", dpy, context, buffer, widen(list).data());
        if (target == EGL_NATIVE_PIXMAP_KHR)
            return create_pixmap_image("eglCreateImageKHR", dpy, context, buffer, widen(list).data());
        if (target == EGL_WAYLAND_BUFFER_WL)
            return create_wayland_image("eglCreateImageKHR", dpy, context, buffer, widen(list).data());
        return create_image("eglCreateImageKHR", dpy, context, target, buffer, widen(list).data());
    });
}

EGLBoolean EGLAPIENTRY eglDestroyImage(EGLDisplay dpy, EGLImage handle) try {
    Call call("eglDestroyImage");
    if (!call.open(dpy)) return EGL_FALSE;
    EglImage* image = call.display().images.find(handle);
    if (!image) return call.fail(EGL_BAD_PARAMETER, "the image is not one of this display's");
    pipe::Ref<EglImage> last = call.display().images.remove(image);
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglDestroyImage", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglDestroyImageKHR(EGLDisplay dpy, EGLImageKHR image) {
    return eglDestroyImage(dpy, image);
}

}  // extern "C"
