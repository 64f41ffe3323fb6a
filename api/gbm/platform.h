// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL's platform GBM (EGL_KHR_platform_gbm): a display is a gbm_device, a window is a gbm_surface. Builds
// without gbm.h have it too, but without devices (no_gbm.cpp).
#pragma once

#include <memory>
#include <string>

#include "api/devices/devices.h"
#include "winsys/platform.h"

namespace terrazzo::gbm {

/// `native`: a gbm_device, whose device is stored in `*out`; or null, for a display with configs, but without
/// windows. Null: `*why` is the reason (the maker of the gbm_device, and advice).
[[nodiscard]] std::unique_ptr<winsys::Platform> create_platform(void* native, api::FileDevice* out,
                                                                std::string* why);
/// Whether `native` looks like a gbm_device of any libgbm. Any pointer may be passed, also below.
[[nodiscard]] bool is_gbm_device(const void* native);
[[nodiscard]] bool is_own_device(const void* native);
/// Why there is no display for a gbm_device that is not ours.
[[nodiscard]] std::string describe_foreign_device(const void* native);
/// The image of a gbm_bo whose device draws with that screen. Null: `*why` is the reason.
[[nodiscard]] pipe::Ref<pipe::Resource> find_bo_image(void* native, const pipe::Screen& screen,
                                                      std::string* why);

}  // namespace terrazzo::gbm
