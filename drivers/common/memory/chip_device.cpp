// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/memory/chip_device.h"

#include <cstring>

#include "winsys/uapi/drm.h"

namespace terrazzo::memory {

bool check_driver(winsys::Drm& drm, const char* wanted, int major, std::string* why) {
    char name[32] = {};
    uapi::drm_version version{};
    version.name = name;
    version.name_len = sizeof name - 1;
    if (const int error = drm.ioctl(uapi::kIoctlVersion, &version)) {
        *why = reason("not a DRM device", error);
        return false;
    }
    if (strcmp(name, wanted) == 0 && version.version_major == major) return true;
    *why = std::string("the kernel driver is ") + name + " " + std::to_string(version.version_major) + "." +
           std::to_string(version.version_minor) + ", not " + wanted + " " + std::to_string(major);
    return false;
}

uint64_t to_ns(const DeviceClock& clock) {
    if (!clock.ticks_hz) return 0;
    return static_cast<uint64_t>(static_cast<unsigned __int128>(clock.ticks) * 1'000'000'000u /
                                 clock.ticks_hz);
}

}  // namespace terrazzo::memory
