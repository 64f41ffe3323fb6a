// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opens a device. Facts: include/uapi/drm/panthor_drm.h of Linux.
#include "drivers/mali/device.h"

namespace terrazzo::mali {
using Timestamp = uapi::drm_panthor_timestamp_info;
constexpr auto& query_time = query<Timestamp, uapi::kDevQueryTimestampInfo>;

Device::Device(std::unique_ptr<Panthor> panthor, const hw::Chip& chip, const pipe::Log& log)
    : ChipDevice(std::move(panthor), chip, log), vm_id_(driver().vm_id()), flush_id_(driver().flush_id()) {
    Timestamp time{};
    if (query_time(drm(), &time) == 0)  // since 1.1
        timestamp_hz_ = time.timestamp_frequency;
}

memory::DeviceClock Device::clock() const {
    Timestamp time{};
    if (timestamp_hz_ && query_time(drm(), &time)) return {};
    return {time.current_timestamp, timestamp_hz_};
}

}  // namespace terrazzo::mali
