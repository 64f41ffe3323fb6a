// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Creates an asahi device with its virtual GPU from a row of hw/chips.h.
#include "drivers/agx/sim/chips.h"

#include <memory>
#include <utility>

#include "drivers/agx/decode/decode.h"
#include "drivers/agx/sim/gpu.h"
#include "winsys/virtual/asahi/driver.h"

namespace terrazzo::agx::sim {

namespace {

namespace virt = winsys::virt;

/// Queue q of group g is number g * kWorkQueues + q.
class Printer final : public capture::StreamPrinter {
  public:
    void print(const capture::Memory& memory, uint32_t queue, const capture::Stream& stream,
               fields::Sink& sink) override {
        const auto work = virt::asahi::WorkQueue(queue % virt::asahi::kWorkQueues);
        (void)decode::print_command(memory, stream.va, work, sink);
    }
};

class AgxChip final : public host::Chip {
  public:
    explicit AgxChip(const hw::Chip& chip) : chip_(chip) {}
    std::string_view name() const override { return chip_.name; }
    std::string_view kernel_driver() const override { return "asahi"; }
    virt::PlatformDevice platform() const override {
        return {chip_.address, "gpu", "asahi", {chip_.compatible, chip_.family}};
    }
    ChipId chip_id() const override { return {capture::Vendor::Agx, chip_.chip_id, chip_.generation}; }
    uint32_t most_queues() const override { return virt::asahi::kWorkQueues; }
    size_t most_streams() const override { return 1; }
    uint64_t timestamp_hz() const override { return chip_.timer_hz; }
    std::unique_ptr<host::Group> create_group(host::Host& host,
                                              const host::GroupOptions& options) const override {
        return sim::create_group(host, options);
    }
    std::unique_ptr<capture::StreamPrinter> create_printer() const override {
        return std::make_unique<Printer>();
    }
    std::shared_ptr<virt::Device> create_kernel_device(std::unique_ptr<virt::Gpu> gpu,
                                                       virt::SchedulerOptions options) const override {
        return virt::asahi::create_device(gpu_info(chip_), std::move(gpu), std::move(options));
    }

  private:
    const hw::Chip& chip_;
};

}  // namespace

const host::Vendor& host_vendor() {
    static const auto* const v =  // never destroyed, as its chips
        new host::Vendor(host::vendor_of<AgxChip>(capture::Vendor::Agx, hw::chips()));
    return *v;
}

virt::asahi::GpuInfo gpu_info(const hw::Chip& c) {
    return {.generation = c.generation,
            .variant = uint32_t(c.variant),
            .revision = c.revision,
            .chip_id = c.chip_id,
            .dies = c.dies,
            .clusters = c.clusters,
            .cores_per_cluster = c.cores_per_cluster,
            .frags_per_cluster = c.frags_per_cluster,
            .gps_per_cluster = c.gps_per_cluster,
            .core_mask = c.core_mask,
            .max_frequency_khz = c.max_frequency_khz,
            .timer_hz = c.timer_hz,
            // A virtual GPU reports accesses to unmapped memory.
            .soft_faults = false};
}

}  // namespace terrazzo::agx::sim
