// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The device: an msm file and its chip. Memory and timelines are those of all vendors (drivers/common/memory). Thread: any.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "drivers/adreno/hw/chips.h"
#include "drivers/adreno/msm.h"
#include "drivers/common/memory/chip_device.h"
#include "drivers/common/memory/pool.h"
#include "drivers/common/memory/timeline.h"
#include "pipe/layout/a6xx.h"

namespace terrazzo::adreno {

namespace bo_flag = memory::bo_flag;
using memory::Block;
using memory::Bo;
using memory::Point;
using memory::Pool;
using memory::QueueState;
using memory::Timeline;
using memory::WaitResult;

class Device final : public memory::ChipDevice<Device, Msm, hw::Chip> {
  public:
    // --- what memory::ChipDevice asks for
    static constexpr const char* kDriver = "msm";
    static constexpr int kDriverMajor = 1;
    [[nodiscard]] static std::optional<hw::Chip> describe_chip(winsys::Drm& drm, std::string* why);
    [[nodiscard]] memory::DeviceClock clock() const;

    /// How images of the chip lie in memory.
    const pipe::A6xxMemory& image_memory() const { return image_memory_; }
    /// Where GMEM is for textures that are read from it.
    uint64_t gmem_va() const { return gmem_va_; }
    /// Queues have priorities from 0, the highest, to this one less 1.
    uint32_t priorities() const { return priorities_; }
    /// For tests: bytes of a pipe's visibility streams at first, whatever a pass is expected to need; 0: that. Whoever sets it does so before there are contexts.
    uint32_t first_stream_B = 0;
    /// Thread: any.
    [[nodiscard]] uint64_t next_resource_id() {
        return resources_.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    const Msm& msm() { return driver(); }

  private:
    friend ChipDevice;
    Device(std::unique_ptr<Msm> msm, const hw::Chip& chip, const pipe::Log& log);

    pipe::A6xxMemory image_memory_;
    uint64_t gmem_va_ = 0;
    uint32_t priorities_ = 1;
    std::atomic<uint64_t> resources_{0};
};

}  // namespace terrazzo::adreno
