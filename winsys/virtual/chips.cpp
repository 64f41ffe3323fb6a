// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Devices by their names. What chips there are is known to whoever implements their virtual GPUs.
#include "winsys/virtual/chips.h"

#include <algorithm>

#include "winsys/virtual/panthor/driver.h"

namespace terrazzo::winsys::virt {
std::vector<std::string> device_names(std::span<const Chip> chips) {
    std::vector<std::string> names;
    for (const Chip& chip : chips) {
        if (chip.create) names.push_back(std::string("sim:") + chip.info->name);
        names.push_back(std::string("noop:") + chip.info->name);
    }
    return names;
}

std::shared_ptr<Device> create_device(std::string_view name, std::span<const Chip> chips, std::string* why,
                                      uint64_t run_timeout_ns) {
    constexpr uint64_t kForever_ns = uint64_t{1} << 62;  // sums with it do not overflow
    panthor::SchedulerOptions options;
    if (run_timeout_ns) options.run_timeout_ns = std::min(run_timeout_ns, kForever_ns);
    for (const Chip& chip : chips) {
        const bool noop = name == std::string("noop:") + chip.info->name;
        if (!noop && (!chip.create || name != std::string("sim:") + chip.info->name)) continue;
        std::unique_ptr<Gpu> gpu = noop ? nullptr : chip.create();
        const bool made = noop || gpu;
        if (made && chip.watch) gpu = chip.watch(std::move(gpu));
        auto device = made ? panthor::create_device(*chip.info, std::move(gpu), options) : nullptr;
        if (!device) *why = "no memory or no file descriptors for the virtual GPU";
        return device;
    }
    *why = "there is no device '" + std::string(name) + "'; there is";
    for (const std::string& known : device_names(chips))
        *why += " " + known;
    return nullptr;
}

}  // namespace terrazzo::winsys::virt
