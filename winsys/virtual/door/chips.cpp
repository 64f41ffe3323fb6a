// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Finds devices by name. The rooms that implement virtual GPUs know which chips exist.
#include "winsys/virtual/door/chips.h"

namespace terrazzo::winsys::virt {
namespace {

constexpr std::string_view kSim = "sim:", kNoop = "noop:";

bool is_device(const Chip& chip, std::string_view kind, std::string_view name) {
    return name.starts_with(kind) && name.substr(kind.size()) == chip.name();
}

}  // namespace

std::vector<std::string> device_names(Chips chips) {
    std::vector<std::string> names;
    for (const Chip* chip : chips) {
        if (chip->has_gpu()) names.push_back(std::string(kSim) + std::string(chip->name()));
        names.push_back(std::string(kNoop) + std::string(chip->name()));
    }
    return names;
}

const Chip* find_chip(std::string_view name, Chips chips) {
    for (const Chip* chip : chips)
        if (is_device(*chip, kNoop, name) || (chip->has_gpu() && is_device(*chip, kSim, name))) return chip;
    return nullptr;
}

std::shared_ptr<Device> create_device(std::string_view name, Chips chips, std::string* why,
                                      uint64_t run_timeout_ns) {
    if (const Chip* const chip = find_chip(name, chips)) {
        auto device = chip->create_device(name.starts_with(kSim), run_timeout_ns);
        if (!device) *why = "no memory or no file descriptors for the virtual GPU";
        if (device && run_timeout_ns) device->foreign.limit_waits(run_timeout_ns);
        return device;
    }
    *why = "there is no device '" + std::string(name) + "'; there is";
    for (const std::string& known : device_names(chips))
        *why += " " + known;
    return nullptr;
}

}  // namespace terrazzo::winsys::virt
