// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The device: a panthor file and its chip. drivers/common/memory has the memory and timelines. Thread: any.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "drivers/common/memory/chip_device.h"
#include "drivers/common/memory/pool.h"
#include "drivers/common/memory/timeline.h"
#include "drivers/mali/hw/chips.h"
#include "drivers/mali/panthor.h"

namespace terrazzo::mali {

namespace bo_flag = memory::bo_flag;
using memory::Block;
using memory::Bo;
using memory::Point;
using memory::Pool;
using memory::QueueState;
using memory::Timeline;
using memory::Uses;
using memory::WaitResult;

/// How the tiler heaps of contexts grow. The numbers are those of Mesa's panfrost.
struct HeapDesc {
    uint32_t chunk_B = 2 << 20, initial_chunks = 5, max_chunks = 64;
};

class Device final : public memory::ChipDevice<Device, Panthor, hw::Chip> {
  public:
    // --- required by memory::ChipDevice
    static constexpr const char *kVendor = "mali", *kDriver = "panthor";
    static constexpr int kDriverMajor = 1;
    using Facts = uapi::drm_panthor_gpu_info;
    static constexpr auto& read_facts = query<Facts, uapi::kDevQueryGpuInfo>;
    static constexpr auto& find_chip = hw::find_chip;
    static constexpr memory::GpuNumbers kNumbers{&Facts::gpu_id, &Facts::core_features};
    static constexpr const char* kUnknown = "unknown GPU 0x%08llx (features 0x%llx), not one of Mali v10's";
    static constexpr std::tuple kCopied{memory::Copied{&hw::Chip::gpu_id, &Facts::gpu_id},
                                        memory::Copied{&hw::Chip::tiler_features, &Facts::tiler_features},
                                        memory::Copied{&hw::Chip::mmu_features, &Facts::mmu_features},
                                        memory::Copied{&hw::Chip::max_threads, &Facts::max_threads},
                                        memory::Copied{&hw::Chip::texture_features, &Facts::texture_features},
                                        memory::Copied{&hw::Chip::shader_present, &Facts::shader_present},
                                        memory::Copied{&hw::Chip::tiler_present, &Facts::tiler_present},
                                        memory::Copied{&hw::Chip::core_features, &Facts::core_features}};
    [[nodiscard]] static bool fits(const Facts& f) {
        return f.shader_present && (f.mmu_features & 0xff) >= 36;
    }
    [[nodiscard]] memory::DeviceClock clock() const;

    uint32_t vm_id() const { return vm_id_; }
    /// The LATEST_FLUSH register, for GROUP_SUBMIT and FLUSH_CACHE2.
    uint32_t flush_id() const { return *flush_id_; }

    /// For contexts that are created from now on.
    HeapDesc heap;
    /// Incremented when an image changes its form: all descriptors of the image are then stale, in any
    /// context.
    std::atomic<uint32_t> image_changes{0};
    /// Incremented when recorded or submitted work is lost: the contents that it should have drawn are
    /// undefined.
    std::atomic<uint32_t> losses{0};

  private:
    friend ChipDevice;
    Device(std::unique_ptr<Panthor> panthor, const hw::Chip& chip, const pipe::Log& log);

    const uint32_t vm_id_;
    const volatile uint32_t* const flush_id_;
    uint64_t timestamp_hz_ = 0;
};

}  // namespace terrazzo::mali
