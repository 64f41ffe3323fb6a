// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GEM handles of an open DRM file. The kernel has one for each buffer, however often the buffer comes in, and closing it once
// ends it for all: so they are counted.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "winsys/drm/drm.h"

namespace terrazzo::gbm {

/// Thread: any.
class Handles {
  public:
    /// `drm`: outlives it. Not `owned`: a driver on the same file has handles of its own for all buffers, and closes them.
    Handles(winsys::Drm& drm, bool owned) : drm_(drm), owned_(owned) {}

    /// The handle of a dma-buf, which stays the caller's; one reference. 0 or -errno.
    [[nodiscard]] int import(int fd, uint32_t* handle);
    /// A new dumb buffer of KMS, and its handle with one reference. 0 or -errno.
    [[nodiscard]] int create_dumb(uint32_t width_px, uint32_t height_px, uint32_t bpp, uint32_t* handle,
                                  uint32_t* pitch_B, uint64_t* size_B);
    /// A dma-buf of the handle, the caller's. 0 or -errno.
    [[nodiscard]] int export_fd(uint32_t handle, int* fd);
    /// Ends a reference. 0: nothing.
    void release(uint32_t handle);

  private:
    winsys::Drm& drm_;
    const bool owned_;
    std::mutex mutex_;
    std::unordered_map<uint32_t, uint32_t> references_;
};

}  // namespace terrazzo::gbm
