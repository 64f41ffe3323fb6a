// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers that clients of a Wayland compositor created with wl_drm (EGL_WL_bind_wayland_display).
#pragma once

#include "pipe/fourcc.h"
#include "pipe/screen.h"
#include "winsys/wayland/drm.h"

namespace terrazzo::egl {

/// A buffer: one image per plane. Immutable. It lives as long as its wl_buffer, its images as long as any
/// EGLImage uses them.
struct WaylandBuffer {
    std::shared_ptr<pipe::Screen> screen;  // declared first: outlives the images
    const pipe::FourccRow* row = nullptr;
    uint32_t width_px = 0, height_px = 0;
    pipe::Ref<pipe::Resource> plane[pipe::kMaxPlanes];
};

/// Null: the wl_resource is not such a buffer.
[[nodiscard]] std::shared_ptr<const WaylandBuffer> find_wayland_buffer(void* resource);
/// The formats of wl_drm that the screen imports.
[[nodiscard]] std::vector<uint32_t> wayland_buffer_formats(const pipe::Screen& screen);
/// Imports a client's buffer. Null: `*why` is the reason.
[[nodiscard]] std::shared_ptr<WaylandBuffer> import_wayland_buffer(
    const std::shared_ptr<pipe::Screen>& screen, const winsys::DrmBufferOffer& offer, std::string* why);

}  // namespace terrazzo::egl
