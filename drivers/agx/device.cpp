// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: include/uapi/drm/asahi_drm.h of Linux.
#include "drivers/agx/device.h"

namespace terrazzo::agx {

memory::DeviceClock Device::clock() const {
    constexpr uint64_t kNanoseconds_hz = 1'000'000'000;
    uapi::drm_asahi_get_time time{};
    const bool known = drm().ioctl(uapi::kAsahiGetTime, &time) == 0;
    return {time.gpu_timestamp, known ? kNanoseconds_hz : 0};
}

}  // namespace terrazzo::agx
