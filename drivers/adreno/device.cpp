// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opening a device. Facts: include/uapi/drm/msm_drm.h of Linux; the always-on counter's clock: Mesa 25.0.7, freedreno_screen.c.
#include "drivers/adreno/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "winsys/uapi/msm.h"

namespace terrazzo::adreno {
namespace {

using namespace terrazzo::uapi;

/// 0 or an errno, negative; then `*value` is as it was.
int get_param(winsys::Drm& drm, uint32_t param, uint64_t* value) {
    drm_msm_param args{kMsmPipe3d0, param, 0, 0, 0};
    const int error = drm.ioctl(kMsmGetParam, &args);
    if (!error) *value = args.value;
    return error;
}

/// False: not an msm file that we understand.
bool check_version(winsys::Drm& drm, std::string* why) {
    char name[32] = {};
    drm_version version{};
    version.name = name;
    version.name_len = sizeof name - 1;
    if (const int error = drm.ioctl(kIoctlVersion, &version)) {
        *why = std::string("not a DRM device: ") + strerror(-error);
        return false;
    }
    if (strcmp(name, "msm") == 0 && version.version_major == 1) return true;
    *why = std::string("the kernel driver is ") + name + " " + std::to_string(version.version_major) + "." +
           std::to_string(version.version_minor) + ", not msm 1";
    return false;
}

const hw::Chip* find_chip(winsys::Drm& drm, std::string* why) {
    uint64_t gpu_id = 0, chip_id = 0;
    if (const int error = get_param(drm, kMsmParamGpuId, &gpu_id)) {
        *why = std::string("the kernel does not describe its GPU: ") + strerror(-error);
        return nullptr;
    }
    (void)get_param(drm, kMsmParamChipId, &chip_id);
    const hw::Chip* chip = hw::find_chip(uint32_t(gpu_id), chip_id);
    if (chip) return chip;
    char text[96];
    snprintf(text, sizeof text, "unknown GPU %u (chip id 0x%08llx), not one of Adreno a6xx's",
             unsigned(gpu_id), static_cast<unsigned long long>(chip_id));
    *why = text;
    return nullptr;
}

}  // namespace

Device::Device(std::unique_ptr<Msm> kernel, const hw::Chip& chip, const pipe::Log& log)
    : memory::Device("adreno", std::move(kernel), log), chip_(chip) {
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

pipe::Ref<Device> Device::create(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log, std::string* why) {
    if (!check_version(*drm, why)) return nullptr;
    const hw::Chip* chip = find_chip(*drm, why);
    if (!chip) return nullptr;
    try {
        std::unique_ptr<Msm> kernel = Msm::create(std::move(drm), why);
        return kernel ? pipe::Ref<Device>::adopt(new Device(std::move(kernel), *chip, log)) : nullptr;
    } catch (const std::bad_alloc&) {
        *why = "out of memory";
        return nullptr;
    }
}

uint64_t Device::timestamp_ns() const {
    uint64_t ticks = 0;
    if (get_param(drm(), kMsmParamTimestamp, &ticks)) return 0;
    constexpr unsigned kClock_hz = 19'200'000;
    return static_cast<uint64_t>(static_cast<unsigned __int128>(ticks) * 1'000'000'000u / kClock_hz);
}

}  // namespace terrazzo::adreno
