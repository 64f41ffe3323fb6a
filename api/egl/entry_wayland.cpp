// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_WL_bind_wayland_display: a compositor offers wl_drm to its clients, and creates EGLImages from their
// buffers.
#include "api/egl/entry.h"
#include "api/egl/enum_name.h"
#include "api/egl/wayland_buffer.h"

using namespace terrazzo;
using namespace terrazzo::egl;

namespace terrazzo::egl {
namespace {

/// The formats in wl_drm's list that have the same planes as ours.
constexpr uint32_t kFormats[] = {
    pipe::fourcc('A', 'R', '2', '4'), pipe::fourcc('X', 'R', '2', '4'), pipe::fourcc('A', 'B', '2', '4'),
    pipe::fourcc('X', 'B', '2', '4'), pipe::fourcc('A', 'R', '3', '0'), pipe::fourcc('X', 'R', '3', '0'),
    pipe::fourcc('A', 'B', '3', '0'), pipe::fourcc('X', 'B', '3', '0'), pipe::fourcc('R', 'G', '1', '6'),
    pipe::fourcc('N', 'V', '1', '2'), pipe::fourcc('N', 'V', '1', '6'), pipe::fourcc('Y', 'U', '1', '2'),
    pipe::fourcc('Y', 'U', '1', '6'), pipe::fourcc('Y', 'U', '2', '4')};

/// EGL_TEXTURE_FORMAT of a buffer.
EGLint texture_format(const WaylandBuffer& b) {
    if (b.row->planes == 3) return EGL_TEXTURE_Y_U_V_WL;
    if (b.row->planes == 2) return EGL_TEXTURE_Y_UV_WL;
    return pipe::format_info(b.row->format).component_bits(3) ? EGL_TEXTURE_RGBA : EGL_TEXTURE_RGB;
}

}  // namespace

std::shared_ptr<const WaylandBuffer> find_wayland_buffer(void* resource) {
    return std::static_pointer_cast<const WaylandBuffer>(winsys::WaylandDrm::find(resource));
}

std::vector<uint32_t> wayland_buffer_formats(const pipe::Screen& screen) {
    std::vector<uint32_t> out;
    for (const uint32_t f : kFormats) {
        const pipe::FourccRow& row = *pipe::find_fourcc(f);
        bool all = true;
        for (unsigned n = 0; n < row.planes; ++n)
            all = all && !screen.modifiers(row.plane[n].format).empty();
        if (all) out.push_back(f);
    }
    return out;
}

std::shared_ptr<WaylandBuffer> import_wayland_buffer(const std::shared_ptr<pipe::Screen>& screen,
                                                     const winsys::DrmBufferOffer& offer, std::string* why) {
    const auto most = int32_t(screen->caps().max_texture_size_px);
    if (offer.width_px <= 0 || offer.height_px <= 0 || offer.width_px > most || offer.height_px > most) {
        *why = "its size is not one that the device can have";
        return nullptr;
    }
    auto b = std::make_shared<WaylandBuffer>();
    b->screen = screen;
    b->row = pipe::find_fourcc(offer.fourcc);
    b->width_px = uint32_t(offer.width_px);
    b->height_px = uint32_t(offer.height_px);
    for (unsigned n = 0; n < b->row->planes; ++n) {
        if (offer.offset_B[n] < 0 || offer.stride_B[n] <= 0) {
            *why = "plane " + std::to_string(n) + " has a bad offset or stride";
            return nullptr;
        }
        pipe::ResourceDesc d;
        d.format = b->row->plane[n].format;
        d.width = b->row->plane[n].width(b->width_px);
        d.height = b->row->plane[n].height(b->height_px);
        d.bind = pipe::bind::kSampled | pipe::bind::kShared;  // a compositor does not write to it
        auto status = pipe::ImportStatus::Ok;
        b->plane[n] = screen->import_resource(
            d, {offer.fd, pipe::kModifierInvalid, uint32_t(offer.offset_B[n]), uint32_t(offer.stride_B[n])},
            &status);
        if (b->plane[n]) continue;
        *why = "plane " + std::to_string(n) + " cannot be imported: " + import_status_text(status);
        return nullptr;
    }
    return b;
}

}  // namespace terrazzo::egl

extern "C" {

EGLBoolean EGLAPIENTRY eglBindWaylandDisplayWL(EGLDisplay dpy, wl_display* display) {
    return guarded<EGLBoolean>("eglBindWaylandDisplayWL", EGL_FALSE, [&]() -> EGLBoolean {
        Call call("eglBindWaylandDisplayWL");
        if (!call.open(dpy)) return EGL_FALSE;
        Display& d = call.display();
        if (!display) return call.fail(EGL_BAD_PARAMETER, "the wl_display is null");
        if (!binds_wayland(d))
            return call.fail(EGL_BAD_ACCESS,
                             "the display's device has no render node that clients could open");
        if (d.wayland && d.wayland->display())
            return call.fail(EGL_BAD_ACCESS, "a wl_display is bound to the display already");
        std::string why;
        const std::shared_ptr<pipe::Screen> screen = d.screen;
        d.wayland = winsys::WaylandDrm::create(
            display, device_of(d)->render_node, wayland_buffer_formats(*screen),
            [screen](const winsys::DrmBufferOffer& offer, std::string* reason) -> std::shared_ptr<void> {
                return import_wayland_buffer(screen, offer, reason);
            },
            &why);
        return d.wayland ? call.done() : EGLBoolean(call.fail(EGL_BAD_ALLOC, why));
    });
}

EGLBoolean EGLAPIENTRY eglUnbindWaylandDisplayWL(EGLDisplay dpy, wl_display* display) try {
    Call call("eglUnbindWaylandDisplayWL");
    if (!call.open(dpy)) return EGL_FALSE;
    Display& d = call.display();
    if (!d.wayland || !display || d.wayland->display() != display)
        return call.fail(EGL_BAD_PARAMETER, "the wl_display is not bound to the display");
    d.wayland = nullptr;
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglUnbindWaylandDisplayWL", EGL_FALSE);
}

EGLBoolean EGLAPIENTRY eglQueryWaylandBufferWL(EGLDisplay dpy, wl_resource* resource, EGLint attribute,
                                               EGLint* value) try {
    Call call("eglQueryWaylandBufferWL");
    if (!call.open(dpy)) return EGL_FALSE;
    if (!resource || !value) return call.fail(EGL_BAD_PARAMETER, "the buffer or the value's pointer is null");
    const std::shared_ptr<const WaylandBuffer> buffer = find_wayland_buffer(resource);
    if (!buffer) {  // an answer, not an error: compositors ask about every buffer
        succeed();
        return EGL_FALSE;
    }
    switch (attribute) {
        case EGL_TEXTURE_FORMAT:
            *value = texture_format(*buffer);
            break;
        case EGL_WIDTH:
            *value = EGLint(buffer->width_px);
            break;
        case EGL_HEIGHT:
            *value = EGLint(buffer->height_px);
            break;
        case EGL_WAYLAND_Y_INVERTED_WL:
            *value = EGL_TRUE;  // the first row is the top one, as always in Wayland
            break;
        default:
            return call.fail(EGL_BAD_PARAMETER, "attribute " + enum_text(attribute) + " is none of a buffer");
    }
    return call.done();
} catch (const std::bad_alloc&) {
    return out_of_memory<EGLBoolean>("eglQueryWaylandBufferWL", EGL_FALSE);
}

}  // extern "C"
