// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The server's side of wl_drm, by which clients pass a buffer's memory to a compositor
// (EGL_WL_bind_wayland_display). Compositors also have zwp_linux_dmabuf_v1; Xwayland, VA-API and older
// clients ask wl_drm which GPU to open.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace terrazzo::winsys {

/// A client's description of a new buffer. All of it is untrusted. The server owns the descriptor.
struct DrmBufferOffer {
    static constexpr unsigned kPlanes = 3;
    int fd = -1;
    int32_t width_px = 0, height_px = 0;
    uint32_t fourcc = 0;
    int32_t offset_B[kPlanes] = {}, stride_B[kPlanes] = {};
};

/// A wl_drm global of a wl_display. Thread: the one that runs the wl_display; find() is called on the same
/// thread, by EGL.
class WaylandDrm {
  public:
    /// Imports the offered memory. Null: `*why` is the reason, which is sent to the client before its
    /// connection ends.
    using Import = std::function<std::shared_ptr<void>(const DrmBufferOffer& offer, std::string* why)>;
    /// `display`: a wl_display of the server. `node`: the path of the device that clients shall open. Null:
    /// see `*why`.
    [[nodiscard]] static std::unique_ptr<WaylandDrm> create(void* display, const std::string& node,
                                                            std::vector<uint32_t> fourccs, Import import,
                                                            std::string* why);
    virtual ~WaylandDrm() = default;
    /// The imported object of a wl_buffer (its wl_resource); null: the wl_buffer was not created through our
    /// wl_drm.
    [[nodiscard]] static std::shared_ptr<void> find(void* buffer_resource);

    [[nodiscard]] virtual void* display() const = 0;
};

/// Whether this build has wl_drm.
[[nodiscard]] bool has_wayland_drm();

}  // namespace terrazzo::winsys
