// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opens a device. Facts: include/uapi/drm/msm_drm.h of Linux; the always-on counter's clock: Mesa 25.0.7,
// freedreno_screen.c.
#include "drivers/adreno/device.h"

#include <algorithm>

#include "winsys/uapi/msm.h"

namespace terrazzo::adreno {
using namespace terrazzo::uapi;

int Device::read_facts(winsys::Drm& drm, Facts* facts) {
    (void)get_param(drm, kMsmParamChipId, &facts->chip_id);  // older kernels do not have it
    return get_param(drm, kMsmParamGpuId, &facts->gpu_id);
}

Device::Device(std::unique_ptr<Msm> msm, const hw::Chip& chip, const pipe::Log& log)
    : ChipDevice(std::move(msm), chip, log) {
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
