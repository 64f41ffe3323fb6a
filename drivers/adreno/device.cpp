// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opens a device. Facts: include/uapi/drm/msm_drm.h of Linux; the always-on counter's clock: Mesa 25.0.7,
// freedreno_screen.c.
#include "drivers/adreno/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "winsys/uapi/msm.h"

namespace terrazzo::adreno {
namespace {

using namespace terrazzo::uapi;

/// Returns 0, or a negative errno; then `*value` is unchanged.
int get_param(winsys::Drm& drm, uint32_t param, uint64_t* value) {
    drm_msm_param args{kMsmPipe3d0, param, 0, 0, 0};
    const int error = drm.ioctl(kMsmGetParam, &args);
    if (!error) *value = args.value;
    return error;
}

}  // namespace

std::optional<hw::Chip> Device::describe_chip(winsys::Drm& drm, std::string* why) {
    uint64_t gpu_id = 0, chip_id = 0;
    if (const int error = get_param(drm, kMsmParamGpuId, &gpu_id)) {
        *why = std::string("the kernel does not describe its GPU: ") + strerror(-error);
        return std::nullopt;
    }
    (void)get_param(drm, kMsmParamChipId, &chip_id);
    if (const hw::Chip* const row = hw::find_chip(uint32_t(gpu_id), chip_id)) return *row;
    char text[96];
    snprintf(text, sizeof text, "unknown GPU %u (chip id 0x%08llx), not one of Adreno a6xx's",
             unsigned(gpu_id), static_cast<unsigned long long>(chip_id));
    *why = text;
    return std::nullopt;
}

Device::Device(std::unique_ptr<Msm> msm, const hw::Chip& chip, const pipe::Log& log)
    : ChipDevice("adreno", std::move(msm), chip, log) {
    const auto param = [&](uint32_t number, uint64_t otherwise) {
        uint64_t value = otherwise;
        (void)get_param(drm(), number, &value);
        return value;
    };
    image_memory_.highest_bank_bit = uint8_t(param(kMsmParamHighestBankBit, chip.highest_bank_bit));
    image_memory_.bank_swizzle = uint8_t(param(kMsmParamUbwcSwizzle, chip.ubwc_swizzle));
    image_memory_.eight_channels = param(kMsmParamMacrotileMode, chip.macrotile_mode) != 0;
    image_memory_.ubwc_linear_levels = chip.generation.number >= 4;
    gmem_va_ = param(kMsmParamGmemBase, 0x100000);
    priorities_ = uint32_t(std::max<uint64_t>(1, param(kMsmParamPriorities, 1)));
}

memory::DeviceClock Device::clock() const {
    constexpr uint64_t kClock_hz = 19'200'000;
    uint64_t ticks = 0;
    return get_param(drm(), kMsmParamTimestamp, &ticks) ? memory::DeviceClock()
                                                        : memory::DeviceClock{ticks, kClock_hz};
}

}  // namespace terrazzo::adreno
