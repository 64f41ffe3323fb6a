// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a vendor implements for each chip that it has a virtual GPU of, and a vendor's chips.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/common/capture/recorder.h"
#include "drivers/common/host/host.h"
#include "winsys/virtual/door/chips.h"
#include "winsys/virtual/jobs/scheduler.h"

namespace terrazzo::host {

class Player;  // replay.h

/// One object per chip, never destroyed. Thread: any. Besides what is here, a vendor implements name(),
/// kernel_driver() and platform() of winsys::virt::Chip; and of capture::TraceVendor chip_id(),
/// create_printer() and, for its tools' format, create_file().
class Chip : public winsys::virt::Chip, public capture::TraceVendor {
  public:
    /// The most queues of a group: captures number the queues of all groups of an address space.
    [[nodiscard]] virtual uint32_t most_queues() const = 0;
    /// The most streams of a submit. A capture has a record for each stream.
    [[nodiscard]] virtual size_t most_streams() const { return SIZE_MAX; }
    [[nodiscard]] virtual uint64_t timestamp_hz() const = 0;
    /// Null: out of memory.
    [[nodiscard]] virtual std::unique_ptr<Group> create_group(Host& host,
                                                              const GroupOptions& options) const = 0;
    /// A device of the chip's kernel driver with this GPU; without, submits end and nothing runs.
    [[nodiscard]] virtual std::shared_ptr<winsys::virt::Device> create_kernel_device(
        std::unique_ptr<winsys::virt::Gpu> gpu, winsys::virt::SchedulerOptions options) const = 0;
    /// Optional: whether a recording with these numbers is of this chip.
    [[nodiscard]] virtual bool is(uint32_t gpu_id, uint64_t variant) const {
        return chip_id().gpu_id == gpu_id && chip_id().variant == variant;
    }
    /// Optional: whether Group::write_core_dump() does something.
    [[nodiscard]] virtual bool writes_core_dumps() const { return false; }

    bool has_gpu() const final { return true; }
    /// TERRAZZO_DEBUG's word "trace" records the submits of the device.
    std::shared_ptr<winsys::virt::Device> create_device(bool runs, uint64_t run_timeout_ns) const final;
};

struct Vendor {
    capture::Vendor id{};
    std::vector<const Chip*> chips;
    std::vector<const winsys::virt::Chip*> devices;  // the same, for the virtual kernel
    /// Plays a file of the vendor's tools. Null: there are none. False: see `error`.
    bool (*play_tools_file)(std::span<const uint8_t> file, Player& player, std::string* error) = nullptr;

    /// Null: there is no such chip.
    [[nodiscard]] const Chip* find(std::string_view name) const {
        for (const Chip* const chip : chips)
            if (chip->name() == name) return chip;
        return nullptr;
    }
};

/// A vendor with one chip of class C for each row of its table.
template <class C, class Rows>
Vendor vendor_of(capture::Vendor id, const Rows& rows) {
    Vendor vendor{.id = id, .chips = {}, .devices = {}};
    for (const auto& row : rows) {
        vendor.chips.push_back(new C(row));
        vendor.devices.push_back(vendor.chips.back());
    }
    return vendor;
}

}  // namespace terrazzo::host
