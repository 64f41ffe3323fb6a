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

#include "winsys/virtual/device.h"
#include "winsys/virtual/gpu.h"

namespace terrazzo::winsys::virt {

/// A chip that the virtual kernel can show. Where a driver's sim/ implements it, `create` makes the GPU
/// (null: out of memory).
struct Chip {
    const GpuInfo* info;
    std::unique_ptr<Gpu> (*create)();  // null: only "noop:" exists
    /// May put a GPU before the given one, which is null where streams are not run, and may return it as it
    /// is.
    std::unique_ptr<Gpu> (*watch)(std::unique_ptr<Gpu> gpu) = nullptr;
};

/// "sim:..." and "noop:..." of all chips, in order.
[[nodiscard]] std::vector<std::string> device_names(std::span<const Chip> chips);
/// A new device. Null: `*why` says in one line what is wrong, and which names there are. `run_timeout_ns`:
/// how long a stream may run; 0: as the kernel driver has it.
[[nodiscard]] std::shared_ptr<Device> create_device(std::string_view name, std::span<const Chip> chips,
                                                    std::string* why, uint64_t run_timeout_ns = 0);

}  // namespace terrazzo::winsys::virt
