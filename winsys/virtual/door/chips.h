// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The devices of the virtual kernel: "sim:mali-g610" runs submissions on a virtual GPU, "noop:mali-g610"
// completes them without running them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "winsys/virtual/device/device.h"

namespace terrazzo::winsys::virt {

/// A chip as Linux lists it in /sys: a device on the platform bus, with its devicetree node. The texts are
/// static.
struct PlatformDevice {
    const char* address;                  // the address on the bus: "fb000000"
    const char* node;                     // the node's name: "gpu" for a folder "fb000000.gpu"
    const char* driver;                   // the driver on that bus: "panthor", "adreno" for msm
    std::vector<const char*> compatible;  // the most specific first
};

/// A chip that the virtual kernel can show. It creates devices of the chip's kernel driver. Thread: any.
class Chip {
  public:
    virtual ~Chip() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;           // "mali-g610"
    [[nodiscard]] virtual std::string_view kernel_driver() const = 0;  // "panthor"
    [[nodiscard]] virtual PlatformDevice platform() const = 0;
    /// Whether a virtual GPU implements the chip. Otherwise only "noop:" exists.
    [[nodiscard]] virtual bool has_gpu() const = 0;
    /// Creates a device. `runs`: submissions run on a virtual GPU; otherwise they complete without running.
    /// `run_timeout_ns`: how long a submission may run; 0: the kernel driver's default. Null: out of memory
    /// or descriptors.
    [[nodiscard]] virtual std::shared_ptr<Device> create_device(bool runs, uint64_t run_timeout_ns) const = 0;
};
using Chips = std::span<const Chip* const>;
/// All chips that the program or library was linked with: drivers/vendors/chips.cpp. The list is static.
[[nodiscard]] Chips linked_chips();

/// "sim:..." and "noop:..." of all chips, in order.
[[nodiscard]] std::vector<std::string> device_names(Chips chips);
/// The chip that has a device of this name, or null.
[[nodiscard]] const Chip* find_chip(std::string_view name, Chips chips);
/// Creates a device. Null: `*why` is a line with the error and the names of all devices. `run_timeout_ns`:
/// see Chip.
[[nodiscard]] std::shared_ptr<Device> create_device(std::string_view name, Chips chips, std::string* why,
                                                    uint64_t run_timeout_ns = 0);

}  // namespace terrazzo::winsys::virt
