// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opens a device. Facts: include/uapi/drm/asahi_drm.h of Linux.
#include "drivers/agx/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace terrazzo::agx {

using namespace terrazzo::uapi;

std::optional<hw::Chip> Device::describe_chip(winsys::Drm& drm, std::string* why) {
    drm_asahi_params_global params;
    if (const int error = read_params(drm, &params)) {
        *why = std::string("the kernel does not describe its GPU: ") + strerror(-error);
        return std::nullopt;
    }
    const hw::Chip* row = hw::find_chip(params.chip_id, 0);
    if (!row || params.gpu_generation != row->generation || !params.num_clusters_total ||
        params.num_clusters_total > kAsahiMaxClusters) {
        char text[96];
        snprintf(text, sizeof text, "unknown GPU of chip 0x%x (generation %u), not one of AGX G13's",
                 params.chip_id, params.gpu_generation);
        *why = text;
        return std::nullopt;
    }
    hw::Chip chip = *row;
    chip.revision = params.gpu_revision;
    chip.dies = params.num_dies;
    chip.clusters = params.num_clusters_total;
    chip.cores_per_cluster = params.num_cores_per_cluster;
    chip.max_frequency_khz = params.max_frequency_khz;
    return chip;
}

Device::Device(std::unique_ptr<Asahi> asahi, const hw::Chip& chip, const pipe::Log& log)
    : ChipDevice("agx", std::move(asahi), chip, log) {
    drm_asahi_params_global params;
    if (read_params(drm(), &params) == 0) max_commands_ = std::max(1u, params.max_commands_per_submission);
}

memory::DeviceClock Device::clock() const {
    constexpr uint64_t kNsPerSecond = 1'000'000'000;
    drm_asahi_get_time time{};
    if (drm().ioctl(kAsahiGetTime, &time)) return {};
    return {time.gpu_timestamp, kNsPerSecond};
}

}  // namespace terrazzo::agx
