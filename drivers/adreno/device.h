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
#include "drivers/common/memory/device.h"
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

class Device final : public memory::Device {
  public:
    /// Asks the kernel for the chip and takes the newest way to addresses that it has. Null: `*why` says the reason in one line (an
    /// unknown chip, an old kernel, out of memory).
    [[nodiscard]] static pipe::Ref<Device> create(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                                  std::string* why);
    /// Whose memory it is.
    [[nodiscard]] static Device& of(const Bo& bo) { return static_cast<Device&>(*bo.device); }

    const hw::Chip& chip() const { return chip_; }
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
    const Msm& msm() { return static_cast<Msm&>(kernel()); }
    /// The GPU's time in ns; 0 where the kernel does not tell.
    uint64_t timestamp_ns() const;

  private:
    Device(std::unique_ptr<Msm> kernel, const hw::Chip& chip, const pipe::Log& log);

    const hw::Chip& chip_;
    pipe::A6xxMemory image_memory_;
    uint64_t gmem_va_ = 0;
    uint32_t priorities_ = 1;
    std::atomic<uint64_t> resources_{0};
};

}  // namespace terrazzo::adreno
