// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The device: an msm file and its chip. drivers/common/memory has the memory and timelines. Thread: any.
#pragma once

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
    // --- required by memory::ChipDevice
    static constexpr const char *kVendor = "adreno", *kDriver = "msm";
    static constexpr int kDriverMajor = 1;
    struct Facts {
        uint64_t gpu_id = 0, chip_id = 0;
    };
    [[nodiscard]] static int read_facts(winsys::Drm& drm, Facts* facts);
    static constexpr auto& find_chip = hw::find_chip;
    static constexpr memory::GpuNumbers kNumbers{&Facts::gpu_id, &Facts::chip_id};
    static constexpr const char* kUnknown = "unknown GPU %llu (chip id 0x%08llx), not one of Adreno a6xx's";
    static constexpr std::tuple<> kCopied{};
    [[nodiscard]] memory::DeviceClock clock() const;

    /// What image layouts depend on in the chip's memory.
    const pipe::A6xxMemory& image_memory() const { return image_memory_; }
    /// The address of GMEM for textures that are read from it.
    uint64_t gmem_va() const { return gmem_va_; }
    /// The number of priorities of queues. 0 is the highest priority.
    uint32_t priorities() const { return priorities_; }
    /// For tests: the initial size of a pipe's visibility streams, in place of a pass's estimate; 0: use the
    /// estimate. Must be set before contexts are created.
    uint32_t first_stream_B = 0;
    const Msm& msm() { return driver(); }

  private:
    friend ChipDevice;
    Device(std::unique_ptr<Msm> msm, const hw::Chip& chip, const pipe::Log& log);

    pipe::A6xxMemory image_memory_;
    uint64_t gmem_va_ = 0;
    uint32_t priorities_ = 1;
};

}  // namespace terrazzo::adreno
