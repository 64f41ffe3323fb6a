// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GEM handles of an open DRM file. The kernel has one handle per buffer, also if the buffer is imported
// several times, and closing it once closes it for all. So handles are counted.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "winsys/drm/drm.h"

namespace terrazzo::gbm {

/// Callable from any thread.
class Handles {
  public:
    /// `drm` must outlive the object. Not `owned`: a driver on the same file has handles of its own, and
    /// closes them.
    Handles(winsys::Drm& drm, bool owned) : drm_(drm), owned_(owned) {}

    /// The handle of a dma-buf, which the caller keeps; adds one reference. Returns 0 or -errno.
    [[nodiscard]] int import(int fd, uint32_t* handle);
    /// Creates a dumb buffer of KMS; its handle has one reference. Returns 0 or -errno.
    [[nodiscard]] int create_dumb(uint32_t width_px, uint32_t height_px, uint32_t bpp, uint32_t* handle,
                                  uint32_t* pitch_B, uint64_t* size_B);
    /// A dma-buf of the handle, which the caller owns. Returns 0 or -errno.
    [[nodiscard]] int export_fd(uint32_t handle, int* fd);
    /// Removes a reference. 0: does nothing.
    void release(uint32_t handle);

  private:
    winsys::Drm& drm_;
    const bool owned_;
    std::mutex mutex_;
    std::unordered_map<uint32_t, uint32_t> references_;
};

}  // namespace terrazzo::gbm
