// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The server's side of wl_drm, by which clients give a compositor the memory of a buffer (EGL_WL_bind_wayland_display). Compositors have
// zwp_linux_dmabuf_v1 beside it; Xwayland, VA-API and older clients ask wl_drm which GPU they shall open.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace terrazzo::winsys {

/// What a client says of a new buffer; all of it is a stranger's word. The descriptor is the server's.
struct DrmBufferOffer {
    static constexpr unsigned kPlanes = 3;
    int fd = -1;
    int32_t width_px = 0, height_px = 0;
    uint32_t fourcc = 0;
    int32_t offset_B[kPlanes] = {}, stride_B[kPlanes] = {};
};

/// A wl_drm global of a wl_display. Thread: the one that runs the wl_display; find() as EGL's callers do, which is the same.
class WaylandDrm {
  public:
    /// What the offered memory becomes, or null: `*why` says the reason, which the client is told before its connection ends.
    using Import = std::function<std::shared_ptr<void>(const DrmBufferOffer& offer, std::string* why)>;
    /// `display`: a wl_display of the server. `node`: the path of the device that clients shall open. Null: `*why` says the reason.
    [[nodiscard]] static std::unique_ptr<WaylandDrm> create(void* display, const std::string& node,
                                                            std::vector<uint32_t> fourccs, Import import,
                                                            std::string* why);
    virtual ~WaylandDrm() = default;
    /// What was imported for a wl_buffer (its wl_resource); null: it is none of a wl_drm of ours.
    [[nodiscard]] static std::shared_ptr<void> find(void* buffer_resource);

    [[nodiscard]] virtual void* display() const = 0;
};

/// True where it is built in.
[[nodiscard]] bool has_wayland_drm();

}  // namespace terrazzo::winsys
