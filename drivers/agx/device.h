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
    static constexpr const char* kDriver = "asahi";
    static constexpr int kDriverMajor = 0;
    /// The table's row, with the revision and cores that the kernel found.
    [[nodiscard]] static std::optional<hw::Chip> describe_chip(winsys::Drm& drm, std::string* why);
    [[nodiscard]] memory::DeviceClock clock() const;

    uint32_t vm_id() const { return driver().vm_id(); }
    /// The most renders and dispatches of one submit.
    uint32_t max_commands() const { return max_commands_; }

  private:
    friend ChipDevice;
    Device(std::unique_ptr<Asahi> asahi, const hw::Chip& chip, const pipe::Log& log);

    uint32_t max_commands_ = 1;
};

}  // namespace terrazzo::agx
