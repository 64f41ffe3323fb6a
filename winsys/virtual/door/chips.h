// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The nodes that there are: "sim:mali-g610" runs what is submitted on a virtual GPU, "noop:mali-g610"
// completes it without running.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "winsys/virtual/device/device.h"

namespace terrazzo::winsys::virt {

/// A chip as Linux lists it in /sys: a device on the platform bus, by its devicetree node. Texts live for ever.
struct PlatformDevice {
    const char* address;                  // "fb000000"
    const char* node;                     // "gpu": its folder is "fb000000.gpu"
    const char* driver;                   // on that bus: "panthor"; msm's is "adreno"
    std::vector<const char*> compatible;  // the most special first
};

/// A chip that the virtual kernel can show, and the kernel driver that makes a device of it. Thread: any.
class Chip {
  public:
    virtual ~Chip() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;           // "mali-g610"
    [[nodiscard]] virtual std::string_view kernel_driver() const = 0;  // "panthor"
    [[nodiscard]] virtual PlatformDevice platform() const = 0;
    /// Whether there is a virtual GPU of it; else only "noop:" exists.
    [[nodiscard]] virtual bool has_gpu() const = 0;
    /// A new device. `runs`: on a virtual GPU; else submissions complete without running. `run_timeout_ns`: how long one may
    /// run; 0: as the kernel driver has it. Null: out of memory or descriptors.
    [[nodiscard]] virtual std::shared_ptr<Device> create_device(bool runs, uint64_t run_timeout_ns) const = 0;
};
using Chips = std::span<const Chip* const>;
/// All that the program or library was linked with, for ever: drivers/vendors/chips.cpp.
[[nodiscard]] Chips linked_chips();

/// "sim:..." and "noop:..." of all chips, in order.
[[nodiscard]] std::vector<std::string> device_names(Chips chips);
/// Whose device has this name. Null: nobody's.
[[nodiscard]] const Chip* find_chip(std::string_view name, Chips chips);
/// A new device. Null: `*why` says in one line what is wrong, and which names there are. `run_timeout_ns`: see Chip.
[[nodiscard]] std::shared_ptr<Device> create_device(std::string_view name, Chips chips, std::string* why,
                                                    uint64_t run_timeout_ns = 0);

}  // namespace terrazzo::winsys::virt
