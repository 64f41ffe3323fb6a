// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/asahi/chips.h"

#include "winsys/virtual/asahi/driver.h"

namespace terrazzo::winsys::virt::asahi {
namespace {

// Identity, dies, clusters, cores, frags, gps and clock: hw/{t8103,t600x}.rs of Linux'
// drivers/gpu/drm/asahi, with all cores present; the highest frequency: file.rs there; addresses and
// names: the devicetrees. Revisions are in BCD (0x11 is B1); those of the S, C and D have no source. Soft
// faults are off, because a virtual GPU reports accesses to unmapped memory.
constexpr uint64_t kTimer_hz = 24'000'000;
constexpr uint32_t kMax_khz = 1'000'000;
constexpr GpuInfo kRows[] = {
    {"agx-g13g", 13, 'G', 0x11, 0x8103, 1, 1, 8, 8, 4, 0xff, kMax_khz, kTimer_hz, false, "206400000",
     "apple,agx-t8103", "apple,agx-g13g"},
    {"agx-g13s", 13, 'S', 0x20, 0x6000, 1, 2, 8, 8, 4, 0xff, kMax_khz, kTimer_hz, false, "406400000",
     "apple,agx-t6000", "apple,agx-g13s"},
    {"agx-g13c", 13, 'C', 0x20, 0x6001, 1, 4, 8, 8, 4, 0xff, kMax_khz, kTimer_hz, false, "406400000",
     "apple,agx-t6001", "apple,agx-g13c"},
    {"agx-g13d", 13, 'D', 0x20, 0x6002, 2, 8, 8, 8, 4, 0xff, kMax_khz, kTimer_hz, false, "406400000",
     "apple,agx-t6002", "apple,agx-g13d"},
};

class NoopChip final : public Chip {
  public:
    explicit NoopChip(const GpuInfo& info) : info_(info) {}
    std::string_view name() const override { return info_.name; }
    std::string_view kernel_driver() const override { return "asahi"; }
    PlatformDevice platform() const override {
        return {info_.address, "gpu", "asahi", {info_.compatible, info_.family}};
    }
    bool has_gpu() const override { return false; }
    std::shared_ptr<Device> create_device(bool, uint64_t) const override {
        return asahi::create_device(info_, nullptr, {});
    }

  private:
    const GpuInfo& info_;
};

}  // namespace

std::span<const GpuInfo> chip_rows() {
    return kRows;
}

Chips noop_chips() {
    static const std::vector<const Chip*>* const all = [] {
        auto* const made = new std::vector<const Chip*>;
        for (const GpuInfo& row : kRows)
            made->push_back(new NoopChip(row));
        return made;
    }();
    return *all;
}

}  // namespace terrazzo::winsys::virt::asahi
