// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL's platform GBM (EGL_KHR_platform_gbm): a display is a gbm_device, a window a gbm_surface. Builds without gbm.h have it, too,
// but no device (no_gbm.cpp).
#pragma once

#include <memory>
#include <string>

#include "api/devices/devices.h"
#include "winsys/platform.h"

namespace terrazzo::gbm {

/// `native`: a gbm_device, whose device goes into `*out`; or null, for a display that has configs, but whose windows nobody can
/// create. Null: `*why` says the reason (whose gbm_device it is, and what to do).
[[nodiscard]] std::unique_ptr<winsys::Platform> create_platform(void* native, api::FileDevice* out,
                                                                std::string* why);
/// True where `native` looks like a gbm_device, ours or of any other libgbm. Any pointer may be passed, as below.
[[nodiscard]] bool is_gbm_device(const void* native);
[[nodiscard]] bool is_own_device(const void* native);
/// Why a display of a gbm_device that is not ours cannot be.
[[nodiscard]] std::string describe_foreign_device(const void* native);
/// The image of a gbm_bo whose device draws with that screen. Null: `*why` says the reason.
[[nodiscard]] pipe::Ref<pipe::Resource> find_bo_image(void* native, const pipe::Screen& screen,
                                                      std::string* why);

}  // namespace terrazzo::gbm
