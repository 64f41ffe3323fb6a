// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Creates a panthor device with its virtual GPU from a row of hw/chips.h.
#include "drivers/mali/sim/chips.h"

#include <map>
#include <memory>
#include <utility>

#include "drivers/mali/decode/decode.h"
#include "drivers/mali/sim/gpu.h"
#include "winsys/virtual/panthor/driver.h"

namespace terrazzo::mali::sim {

namespace {

namespace virt = winsys::virt;

constexpr uint64_t kTimestamp_hz = 24'000'000;  // the system counter of RK3588 boards

class Printer final : public capture::StreamPrinter {
  public:
    void print(const capture::Memory& memory, uint32_t queue, const capture::Stream& stream,
               fields::Sink& sink) override {
        (void)decode::print_stream(memory, stream.va, stream.size_B, &registers_[queue], sink);
    }

  private:
    std::map<uint32_t, decode::Registers> registers_;  // by queue
};

class MaliChip final : public host::Chip {
  public:
    explicit MaliChip(const hw::Chip& chip) : chip_(chip) {}
    std::string_view name() const override { return chip_.name; }
    std::string_view kernel_driver() const override { return "panthor"; }
    /// The addresses of Rockchip's RK3588.
    virt::PlatformDevice platform() const override {
        return {"fb000000", "gpu", "panthor", {"rockchip,rk3588-mali", "arm,mali-valhall-csf"}};
    }
    ChipId chip_id() const override {
        return {capture::Vendor::Mali, chip_.gpu_id, chip_.core_features & 0xff};
    }
    uint32_t most_queues() const override { return 8; }
    size_t most_streams() const override { return 1; }
    uint64_t timestamp_hz() const override { return kTimestamp_hz; }
    std::unique_ptr<host::Group> create_group(host::Host& host,
                                              const host::GroupOptions& options) const override {
        return sim::create_group(chip_, host, options);
    }
    std::unique_ptr<capture::StreamPrinter> create_printer() const override {
        return std::make_unique<Printer>();
    }
    std::shared_ptr<virt::Device> create_kernel_device(std::unique_ptr<virt::Gpu> gpu,
                                                       virt::SchedulerOptions options) const override {
        return virt::panthor::create_device(gpu_info(chip_), std::move(gpu), std::move(options));
    }

  private:
    const hw::Chip& chip_;
};

}  // namespace

const host::Vendor& host_vendor() {
    static const auto* const v =  // never destroyed, as its chips
        new host::Vendor(host::vendor_of<MaliChip>(capture::Vendor::Mali, hw::chips()));
    return *v;
}

virt::panthor::GpuInfo gpu_info(const hw::Chip& c) {
    virt::panthor::GpuInfo i{};
    i.name = c.name;
    i.gpu.gpu_id = c.gpu_id;
    i.gpu.gpu_rev = c.gpu_rev;
    i.gpu.csf_id = c.csf_id;
    i.gpu.l2_features = c.l2_features;
    i.gpu.tiler_features = c.tiler_features;
    i.gpu.mem_features = c.mem_features;
    i.gpu.mmu_features = c.mmu_features;
    i.gpu.thread_features = c.thread_features;
    i.gpu.max_threads = c.max_threads;
    i.gpu.thread_max_workgroup_size = c.thread_max_workgroup_size;
    i.gpu.thread_max_barrier_size = c.thread_max_barrier_size;
    i.gpu.coherency_features = c.coherency_features;
    for (unsigned k = 0; k < 4; ++k)
        i.gpu.texture_features[k] = c.texture_features[k];
    i.gpu.as_present = c.as_present;
    i.gpu.shader_present = c.shader_present;
    i.gpu.l2_present = c.l2_present;
    i.gpu.tiler_present = c.tiler_present;
    i.gpu.core_features = c.core_features;
    i.csif.csg_slot_count = c.csg_slot_count;
    i.csif.cs_slot_count = c.cs_slot_count;
    i.csif.cs_reg_count = c.cs_reg_count;
    i.csif.scoreboard_slot_count = c.scoreboard_slot_count;
    i.csif.unpreserved_cs_reg_count = c.unpreserved_cs_reg_count;
    i.timestamp_hz = kTimestamp_hz;
    return i;
}

}  // namespace terrazzo::mali::sim
