// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The device: an asahi file and its chip. drivers/common/memory has the memory and timelines. Thread: any.
#pragma once

#include <memory>
#include <string>

#include "drivers/agx/asahi.h"
#include "drivers/agx/hw/chips.h"
#include "drivers/common/memory/chip_device.h"

namespace terrazzo::agx {

namespace bo_flag = memory::bo_flag;
using memory::Block;
using memory::Bo;
using memory::Point;
using memory::QueueState;
using memory::WaitResult;

class Device final : public memory::ChipDevice<Device, Asahi, hw::Chip> {
  public:
    // --- required by memory::ChipDevice
    static constexpr const char *kVendor = "agx", *kDriver = "asahi";
    static constexpr int kDriverMajor = 0;
    /// USC words and bindings of coefficients are named by 32 bits, as code is.
    static constexpr uint32_t kRecordedFlags = bo_flag::kExecutable;
    using Facts = uapi::drm_asahi_params_global;
    static constexpr auto& read_facts = read_params;
    static constexpr auto& find_chip = hw::find_chip;
    static constexpr memory::GpuNumbers kNumbers{&Facts::chip_id, &Facts::gpu_generation};
    static constexpr const char* kUnknown =
        "unknown GPU of chip 0x%llx (generation %llu), not one of AGX G13's";
    static constexpr std::tuple kCopied{
        memory::Copied{&hw::Chip::revision, &Facts::gpu_revision},
        memory::Copied{&hw::Chip::dies, &Facts::num_dies},
        memory::Copied{&hw::Chip::clusters, &Facts::num_clusters_total},
        memory::Copied{&hw::Chip::cores_per_cluster, &Facts::num_cores_per_cluster},
        memory::Copied{&hw::Chip::max_frequency_khz, &Facts::max_frequency_khz}};
    [[nodiscard]] memory::DeviceClock clock() const;

    uint32_t vm_id() const { return driver().vm_id(); }
    /// The most renders and dispatches of one submit.
    uint32_t max_commands() const { return driver().max_commands(); }

  private:
    friend ChipDevice;
    using ChipDevice::ChipDevice;
};

}  // namespace terrazzo::agx
