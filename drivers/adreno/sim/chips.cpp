// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Creates a device of msm, with its virtual GPU, from a row of hw/chips.h. Other values are those of Linux
// 6.17: a6xx_catalog.c and adreno_gpu.c of drivers/gpu/drm/msm, and the devicetree of the chip's SoC
// (arch/arm64/boot/dts/qcom).
#include "drivers/adreno/sim/chips.h"

#include <memory>
#include <string>
#include <utility>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/sim/gpu.h"
#include "drivers/adreno/sim/rd_files.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "winsys/virtual/msm/driver.h"

namespace terrazzo::adreno::sim {

namespace {

namespace virt = winsys::virt;

constexpr uint64_t kVaStart = uint64_t(1) << 32;  // ADRENO_VM_START
constexpr uint64_t kSmallVa_B = uint64_t(1) << 32, kLargeVa_B = (uint64_t(1) << 48) - kVaStart;
constexpr uint64_t kTimestamp_hz = 19'200'000;

/// A chip's place in a SoC.
struct Place {
    uint32_t gpu_id;
    const char* address;
    uint64_t max_freq_hz;
};
constexpr Place kPlaces[] = {
    {618, "5000000", 825'000'000},  // sc7180
    {630, "5000000", 710'000'000},  // sdm845
    {640, "2c00000", 675'000'000},  // sm8150
    {650, "3d00000", 670'000'000},  // sm8250
    {660, "3d00000", 840'000'000},  // sm8350
};
constexpr Place kElsewhere = {0, "5000000", 500'000'000};

const Place& place_of(const hw::Chip& chip) {
    for (const Place& p : kPlaces)
        if (p.gpu_id == chip.gpu_id) return p;
    return kElsewhere;
}

/// All priorities of a context have the same registers.
class Printer final : public capture::StreamPrinter {
  public:
    void print(const capture::Memory& memory, uint32_t, const capture::Stream& stream,
               fields::Sink& sink) override {
        (void)decode::print_stream(memory, stream.va, stream.size_B / 4, &registers_, sink);
    }

  private:
    decode::Registers registers_;
};

class AdrenoChip final : public host::Chip {
  public:
    explicit AdrenoChip(const hw::Chip& chip)
        : chip_(chip),
          // The kernel reads the chip id from this name: number and patch.
          compatible_("qcom,adreno-" + std::to_string(chip.gpu_id) + "." +
                      std::to_string(chip.chip_id & 0xff)) {}
    std::string_view name() const override { return chip_.name; }
    std::string_view kernel_driver() const override { return "msm"; }
    virt::PlatformDevice platform() const override {
        return {place_of(chip_).address, "gpu", "adreno", {compatible_.c_str(), "qcom,adreno"}};
    }
    ChipId chip_id() const override { return {capture::Vendor::Adreno, chip_.gpu_id, chip_.chip_id}; }
    bool is(uint32_t gpu_id, uint64_t variant) const override {
        return hw::find_chip(gpu_id, variant) == &chip_;
    }
    uint32_t most_queues() const override { return 16; }
    uint64_t timestamp_hz() const override { return kTimestamp_hz; }
    bool writes_core_dumps() const override { return true; }
    std::unique_ptr<host::Group> create_group(host::Host& host,
                                              const host::GroupOptions& options) const override {
        return sim::create_group(chip_, host, options);
    }
    std::unique_ptr<capture::StreamPrinter> create_printer() const override {
        return std::make_unique<Printer>();
    }
    std::unique_ptr<capture::Recorder> create_file(const std::string& name, uint64_t limit) const override {
        return create_rd_recorder(chip_, name, limit);
    }
    std::shared_ptr<virt::Device> create_kernel_device(std::unique_ptr<virt::Gpu> gpu,
                                                       virt::SchedulerOptions options) const override {
        return virt::msm::create_device(gpu_info(chip_), std::move(gpu), std::move(options));
    }

  private:
    const hw::Chip& chip_;
    const std::string compatible_;
};

}  // namespace

virt::msm::GpuInfo gpu_info(const hw::Chip& c) {
    const bool is_early = c.generation.number <= 2;
    virt::msm::GpuInfo i{};
    i.name = c.name;
    i.gpu_id = c.gpu_id;
    i.chip_id = c.chip_id;
    i.gmem_size_B = c.gmem_size_B;
    i.gmem_base = gmem_base_va(c);
    i.max_freq_hz = place_of(c).max_freq_hz;
    i.timestamp_hz = kTimestamp_hz;
    i.rings = 1;
    i.va_start = kVaStart;
    i.va_size_B = is_early ? kSmallVa_B : kLargeVa_B;
    i.highest_bank_bit = c.highest_bank_bit;
    i.ubwc_swizzle = c.ubwc_swizzle;
    i.macrotile_mode = c.macrotile_mode;
    i.uche_trap_base = 0x1fffffffff000;
    i.raytracing = false;
    i.cached_coherent = true;
    i.allow_relocs = false;
    return i;
}

const host::Vendor& host_vendor() {
    static const host::Vendor* const v = [] {  // never destroyed, like its chips
        auto* const made =
            new host::Vendor(host::vendor_of<AdrenoChip>(capture::Vendor::Adreno, hw::chips()));
        made->play_tools_file = play_rd;
        return made;
    }();
    return *v;
}

}  // namespace terrazzo::adreno::sim
