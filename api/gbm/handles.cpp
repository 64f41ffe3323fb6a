// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/gbm/handles.h"

#include <fcntl.h>

#include "winsys/uapi/drm.h"

namespace terrazzo::gbm {

int Handles::import(int fd, uint32_t* handle) {
    const std::lock_guard lock(mutex_);
    uapi::drm_prime_handle request{.handle = 0, .flags = 0, .fd = fd};
    if (const int error = drm_.ioctl(uapi::kIoctlPrimeFdToHandle, &request)) return error;
    if (owned_) ++references_[request.handle];
    *handle = request.handle;
    return 0;
}

int Handles::create_dumb(uint32_t width_px, uint32_t height_px, uint32_t bpp, uint32_t* handle,
                         uint32_t* pitch_B, uint64_t* size_B) {
    const std::lock_guard lock(mutex_);
    uapi::drm_mode_create_dumb request{};
    request.width = width_px;
    request.height = height_px;
    request.bpp = bpp;
    if (const int error = drm_.ioctl(uapi::kIoctlModeCreateDumb, &request)) return error;
    references_[request.handle] = 1;
    *handle = request.handle;
    *pitch_B = request.pitch;
    *size_B = request.size;
    return 0;
}

int Handles::export_fd(uint32_t handle, int* fd) {
    uapi::drm_prime_handle request{.handle = handle, .flags = O_CLOEXEC | O_RDWR, .fd = -1};
    if (const int error = drm_.ioctl(uapi::kIoctlPrimeHandleToFd, &request)) return error;
    *fd = request.fd;
    return 0;
}

void Handles::release(uint32_t handle) {
    const std::lock_guard lock(mutex_);
    const auto found = references_.find(handle);
    if (found == references_.end() || --found->second) return;
    references_.erase(found);
    uapi::drm_gem_close request{.handle = handle, .pad = 0};
    (void)drm_.ioctl(uapi::kIoctlGemClose, &request);
}

}  // namespace terrazzo::gbm
