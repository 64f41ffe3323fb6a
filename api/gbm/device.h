// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A gbm_device: an open DRM file, the device that draws for it, and the handles of its buffers. All
// gbm_devices of one open file, and EGL displays of them, share one Device: buffers, images and rendering
// belong to one pipe::Screen.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "api/devices/devices.h"
#include "api/gbm/abi.h"
#include "api/gbm/handles.h"
#include "pipe/context.h"

namespace terrazzo::gbm {

/// Callable from any thread.
class Device {
  public:
    /// The device of the file, which may be a duplicate of one that is already open. The caller keeps the
    /// descriptor. Null: `*why` is the reason.
    [[nodiscard]] static std::shared_ptr<Device> open(int fd, std::string* why);
    ~Device();

    [[nodiscard]] pipe::Screen& screen() const { return *opened_.screen; }
    [[nodiscard]] const std::shared_ptr<pipe::Screen>& shared_screen() const { return opened_.screen; }
    [[nodiscard]] const api::FileDevice& opened() const { return opened_; }
    /// Whether the display only shows its own memory: dumb buffers. The device can draw to them.
    [[nodiscard]] bool scans_out_dumb() const { return scans_out_dumb_; }
    [[nodiscard]] Handles& handles() { return handles_; }
    /// Calls `f(pipe::Context&)` with the context for mapping buffers, one thread at a time. False: no memory
    /// for a context.
    template <class F>
    [[nodiscard]] bool with_context(F&& f) {
        const std::lock_guard lock(context_mutex_);
        if (!context_) context_ = screen().create_context({});
        if (context_) f(*context_);
        return context_ != nullptr;
    }

  private:
    Device(int fd, std::unique_ptr<winsys::Drm> drm, api::FileDevice opened);

    const int fd_;  // a duplicate, which identifies the file
    const std::unique_ptr<winsys::Drm> drm_;
    const api::FileDevice opened_;
    const bool scans_out_dumb_;
    Handles handles_;
    std::mutex context_mutex_;
    std::unique_ptr<pipe::Context> context_;
};

/// A gbm_device of ours.
struct DeviceHandle : gbm_device {
    std::shared_ptr<Device> device;
};

/// For gbm_create_device of our libgbm, and for Mesa's backends. Null: errno is the reason (EINVAL: not a DRM
/// file).
[[nodiscard]] gbm_device* create_device(int fd, uint32_t abi_version);
/// The Device of a native display. Null: it is not a gbm_device of ours (any pointer may be passed).
[[nodiscard]] std::shared_ptr<Device> find_device(const void* native);
/// The Device of a gbm_device that is known to be ours.
[[nodiscard]] inline const std::shared_ptr<Device>& device_of(gbm_device* handle) {
    return static_cast<DeviceHandle*>(handle)->device;
}

/// While an object exists, errors that Devices' screens log on this thread are only reported with
/// TERRAZZO_DEBUG=egl: programs regularly try buffers that cannot be imported.
class ExpectedFailure {
  public:
    ExpectedFailure();
    ~ExpectedFailure();

  private:
    const bool before_;
};

}  // namespace terrazzo::gbm
