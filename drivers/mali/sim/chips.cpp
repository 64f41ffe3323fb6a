// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Creates a panthor device with its virtual GPU from a row of hw/chips.h.
#include "drivers/mali/sim/chips.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "drivers/common/threads/cpu.h"
#include "drivers/mali/sim/capture.h"
#include "drivers/mali/sim/gpu.h"
#include "drivers/mali/sim/jobs.h"
#include "winsys/virtual/panthor/driver.h"

namespace terrazzo::mali::sim {

namespace {

namespace virt = winsys::virt;

class MaliChip final : public virt::Chip {
  public:
    explicit MaliChip(const hw::Chip& chip) : chip_(chip) {}
    std::string_view name() const override { return chip_.name; }
    std::string_view kernel_driver() const override { return "panthor"; }
    /// The addresses of Rockchip's RK3588.
    virt::PlatformDevice platform() const override {
        return {"fb000000", "gpu", "panthor", {"rockchip,rk3588-mali", "arm,mali-valhall-csf"}};
    }
    bool has_gpu() const override { return true; }
    std::shared_ptr<virt::Device> create_device(bool runs, uint64_t run_timeout_ns) const override {
        constexpr uint64_t kForever_ns = uint64_t{1} << 62;  // sums with it do not overflow
        virt::SchedulerOptions options;
        if (run_timeout_ns) options.run_timeout_ns = std::min(run_timeout_ns, kForever_ns);
        std::unique_ptr<virt::panthor::Gpu> gpu;
        if (runs) {
            gpu = create_gpu(chip_, make_jobs, threads::default_threads());
            if (!gpu) return nullptr;
        }
        capture::TraceOptions trace;
        if (capture::trace_options(pipe::debug_options(), &trace))
            gpu = create_capture_gpu(chip_, std::move(gpu), std::move(trace));
        return virt::panthor::create_device(gpu_info(chip_), std::move(gpu), std::move(options));
    }

  private:
    const hw::Chip& chip_;
};

struct Rows {
    std::vector<MaliChip> chips;
    std::vector<const virt::Chip*> pointers;
    Rows() {
        for (const hw::Chip& c : hw::chips())
            chips.emplace_back(c);
        for (const MaliChip& c : chips)
            pointers.push_back(&c);
    }
};

}  // namespace

virt::Chips virtual_chips() {
    static const Rows rows;
    return rows.pointers;
}

}  // namespace terrazzo::mali::sim
