// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/pipe_conformance/devices.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "drivers/soft/factory.h"
#include "drivers/vendors/list.h"
#include "drivers/vendors/screens.h"
#include "tests/pipe/fake_device.h"
#include "winsys/virtual/door/chips.h"

namespace terrazzo::test {

namespace {

std::optional<JudgedDevice> current;
std::vector<std::string> lacking_parts;

std::unique_ptr<pipe::Screen> open_fake() {
    auto screen = std::make_unique<pipe::fake::MemoryScreen>();
    screen->resources_left = screen->maps_left = 1 << 30;
    return screen;
}

std::unique_ptr<pipe::Screen> open_soft(const pipe::Log& log, const ScreenOptions& options) {
    soft::SoftOptions o;
    o.threads = 2;
    o.code_cache = false;
    o.memory = options.memory;
    return soft::create_screen(o, log);
}

using CreateScreen = std::unique_ptr<pipe::Screen> (*)(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                                       std::string* why);

CreateScreen driver_of(std::string_view kernel_driver) {
#define TERRAZZO_ROW(vendor) \
    if (kernel_driver == vendor::kKernelDriver) return vendor::create_screen;
    TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
    return nullptr;
}

/// The virtual GPUs. The first one of each vendor is the one that the golden pictures are drawn on.
std::vector<std::string> virtual_gpus() {
    std::vector<std::string> names;
    for (const winsys::virt::Chip* chip : winsys::virt::linked_chips())
        if (chip->has_gpu()) names.push_back("sim:" + std::string(chip->name()));
    const auto usual = [](const std::string& n) { return n == "sim:mali-g610" || n == "sim:adreno-630"; };
    std::stable_partition(names.begin(), names.end(), usual);
    return names;
}

std::string_view vendor_of(const std::string& name) {
    return winsys::virt::find_chip(name, winsys::virt::linked_chips())->kernel_driver();
}

}  // namespace

std::unique_ptr<pipe::Screen> JudgedDevice::open(const pipe::Log& log, const ScreenOptions& options) {
    if (name_ == "fake") return open_fake();
    if (name_ == "soft") return open_soft(log, options);
    std::string why;
    if (!kernel_) kernel_ = winsys::virt::create_device(name_, winsys::virt::linked_chips(), &why);
    REQUIRE_MESSAGE(kernel_, why);
    auto drm = winsys::open_virtual_drm(kernel_);
    if (options.requests) drm = std::make_unique<ControlledDrm>(std::move(drm), *options.requests);
    const CreateScreen create = driver_of(vendor_of(name_));
    REQUIRE((create != nullptr));
    auto screen = create(std::move(drm), log, &why);
    REQUIRE_MESSAGE(screen, why);
    return screen;
}

std::string JudgedDevice::refusal(std::string* other_kernel_driver) const {
    for (const winsys::virt::Chip* chip : winsys::virt::linked_chips()) {
        if (chip->kernel_driver() == vendor_of(name_)) continue;
        *other_kernel_driver = chip->kernel_driver();
        std::string why;
        const auto screen =
            driver_of(vendor_of(name_))(winsys::open_virtual_drm(chip->create_device(false, 0)), {}, &why);
        CHECK(!screen);
        return why;
    }
    return {};
}

std::string without_notices(std::string messages) {
    const size_t at = messages.find("soft: shaders keep their first code");
    if (at != std::string::npos) messages.erase(at, messages.find('\n', at) + 1 - at);
    return messages;
}

JudgedDevice& judged() {
    return *current;
}

void judge(std::string_view name) {
    current.emplace(std::string(name));
}

std::vector<std::string> default_devices() {
    std::vector<std::string> names{"fake", "soft"};
    std::vector<std::string_view> vendors;
    for (const std::string& name : virtual_gpus())
        if (std::ranges::find(vendors, vendor_of(name)) == vendors.end()) {
            vendors.push_back(vendor_of(name));
            names.push_back(name);
        }
    return names;
}

std::vector<std::string> other_devices() {
    const std::vector<std::string> usual = default_devices();
    std::vector<std::string> names = virtual_gpus();
    std::erase_if(names, [&](const std::string& n) { return std::ranges::count(usual, n); });
    return names;
}

bool lacks(bool lacking, std::string_view what) {
    if (lacking && !std::ranges::count(lacking_parts, what)) lacking_parts.emplace_back(what);
    return lacking;
}

const std::vector<std::string>& lacked() {
    return lacking_parts;
}

}  // namespace terrazzo::test
