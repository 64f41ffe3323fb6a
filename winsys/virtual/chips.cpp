// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Devices by their names. What chips there are is known to whoever implements their virtual GPUs.
#include "winsys/virtual/chips.h"

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

std::shared_ptr<Device> create_device(std::string_view name, std::span<const Chip> chips, std::string* why) {
    for (const Chip& chip : chips) {
        const bool noop = name == std::string("noop:") + chip.info->name;
        if (!noop && (!chip.create || name != std::string("sim:") + chip.info->name)) continue;
        std::unique_ptr<Gpu> gpu = noop ? nullptr : chip.create();
        const bool made = noop || gpu;
        if (made && chip.watch) gpu = chip.watch(std::move(gpu));
        auto device = made ? panthor::create_device(*chip.info, std::move(gpu), {}) : nullptr;
        if (!device) *why = "no memory or no file descriptors for the virtual GPU";
        return device;
    }
    *why = "there is no device '" + std::string(name) + "'; there is";
    for (const std::string& known : device_names(chips))
        *why += " " + known;
    return nullptr;
}

}  // namespace terrazzo::winsys::virt
