// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mali-G610 as in Rockchip's RK3588: what Mesa 25.0.7's no-op kernel says was dumped from one
// (src/panfrost/drm-shim), with the version status that Linux prints of the chip. The row that drivers use is
// drivers/mali/hw/chip_rows.inc; this one is for a kernel without a driver.
#include "winsys/virtual/chips.h"

#include "winsys/virtual/panthor/driver.h"

namespace terrazzo::winsys::virt {
namespace {

constexpr GpuInfo kMaliG610 = {
    .name = "mali-g610",
    .gpu = {.gpu_id = 0xa8670005,
            .gpu_rev = 0,
            .csf_id = 0x040a0412,
            .l2_features = 0x07120306,
            .tiler_features = 0x809,
            .mem_features = 0x301,
            .mmu_features = 0x2830,
            .thread_features = 0x04010000,
            .max_threads = 2048,
            .thread_max_workgroup_size = 1024,
            .thread_max_barrier_size = 1024,
            .coherency_features = 0,
            .texture_features = {0xc1ffff9e, 0, 0, 0},
            .as_present = 0xff,
            .pad0 = 0,
            .shader_present = 0x50005,
            .l2_present = 1,
            .tiler_present = 1,
            .core_features = 0,
            .pad = 0},
    .csif = {.csg_slot_count = 8,
             .cs_slot_count = 8,
             .cs_reg_count = 96,
             .scoreboard_slot_count = 8,
             .unpreserved_cs_reg_count = 4,
             .pad = 0},
    .timestamp_hz = 24'000'000,
};
constexpr Chip kChips[] = {{&kMaliG610, nullptr}};

}  // namespace

std::span<const Chip> builtin_chips() {
    return kChips;
}

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
        auto device = noop || gpu ? panthor::create_device(*chip.info, std::move(gpu), {}) : nullptr;
        if (!device) *why = "no memory or no file descriptors for the virtual GPU";
        return device;
    }
    *why = "there is no device '" + std::string(name) + "'; there is";
    for (const std::string& known : device_names(chips))
        *why += " " + known;
    return nullptr;
}

}  // namespace terrazzo::winsys::virt
