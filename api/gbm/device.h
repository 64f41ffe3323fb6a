// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a gbm_device is: an open DRM file, the device that draws for it, and its buffers' handles. All gbm_devices of one open
// file share one Device, and so do EGL displays of them: buffers, images and what is drawn to them are of one pipe::Screen.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "api/devices/devices.h"
#include "api/gbm/abi.h"
#include "api/gbm/handles.h"
#include "pipe/context.h"

namespace terrazzo::gbm {

/// Thread: any.
class Device {
  public:
    /// The device of the file, which may be a duplicate of one that is open already. The descriptor stays the caller's. Null:
    /// `*why` says the reason.
    [[nodiscard]] static std::shared_ptr<Device> open(int fd, std::string* why);
    ~Device();

    [[nodiscard]] pipe::Screen& screen() const { return *opened_.screen; }
    [[nodiscard]] const std::shared_ptr<pipe::Screen>& shared_screen() const { return opened_.screen; }
    [[nodiscard]] const api::FileDevice& opened() const { return opened_; }
    /// True where the display shows only memory of its own, which the device can draw to all the same: dumb buffers.
    [[nodiscard]] bool scans_out_dumb() const { return scans_out_dumb_; }
    [[nodiscard]] Handles& handles() { return handles_; }
    /// Calls `f(pipe::Context&)` with the context that maps buffers, one thread at a time. False: there is no memory for one.
    template <class F>
    [[nodiscard]] bool with_context(F&& f) {
        const std::lock_guard lock(context_mutex_);
        if (!context_) context_ = screen().create_context({});
        if (context_) f(*context_);
        return context_ != nullptr;
    }

  private:
    Device(int fd, std::unique_ptr<winsys::Drm> drm, api::FileDevice opened);

    const int fd_;  // a duplicate, to know the file by
    const std::unique_ptr<winsys::Drm> drm_;
    const api::FileDevice opened_;
    const bool scans_out_dumb_;
    Handles handles_;
    std::mutex context_mutex_;
    std::unique_ptr<pipe::Context> context_;
};

/// A gbm_device that is ours.
struct DeviceHandle : gbm_device {
    std::shared_ptr<Device> device;
};

/// For gbm_create_device of our libgbm, and for a backend of Mesa's. Null: errno says why (EINVAL: not a DRM file).
[[nodiscard]] gbm_device* create_device(int fd, uint32_t abi_version);
/// The Device behind a native display. Null: it is no gbm_device of ours (any pointer may be passed).
[[nodiscard]] std::shared_ptr<Device> find_device(const void* native);
/// Of a gbm_device that is known to be ours.
[[nodiscard]] inline const std::shared_ptr<Device>& device_of(gbm_device* handle) {
    return static_cast<DeviceHandle*>(handle)->device;
}

/// While it lives, what the screens of Devices log on this thread as errors is told only with TERRAZZO_DEBUG=egl: programs try
/// buffers of strangers all the time.
class ExpectedFailure {
  public:
    ExpectedFailure();
    ~ExpectedFailure();

  private:
    const bool before_;
};

}  // namespace terrazzo::gbm
