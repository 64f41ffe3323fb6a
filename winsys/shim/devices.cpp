// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/shim/devices.h"

#include "winsys/environment/environment.h"
#include "winsys/environment/values.h"
#include "winsys/virtual/vgem/chip.h"

namespace terrazzo::winsys::shim {
namespace {

constexpr char kCpu[] = "soft";

/// The first virtual GPU of the build.
std::string default_name() {
    const virt::Chips all = virt::linked_chips();
    return all.empty() ? kCpu : "sim:" + std::string(all.front()->name());
}

/// The device's name. A path in TERRAZZO_DEVICE is one of the shim's own nodes, which Terrazzo's EGL shall
/// draw through.
std::string chosen_name() {
    const char* const name = environment(Variable::Device);
    return name && name[0] && name[0] != '/' ? name : default_name();
}

}  // namespace

const virt::Chip& chosen_chip() {
    if (chosen_name() == kCpu) return virt::vgem_chip();
    if (const virt::Chip* const chip = virt::find_chip(chosen_name(), virt::linked_chips())) return *chip;
    const virt::Chips all = virt::linked_chips();
    if (all.empty()) return virt::vgem_chip();
    report_value(Variable::Device, "the shim has no such device and shows another", default_name().c_str());
    return *all.front();
}

std::shared_ptr<virt::Device> create_chosen_device(std::string* why) {
    if (chosen_name() == kCpu) return virt::vgem_chip().create_device(false, 0);
    if (!virt::find_chip(chosen_name(), virt::linked_chips())) {
        (void)chosen_chip();  // reports the error
        return nullptr;
    }
    auto device = virt::create_device(chosen_name(), virt::linked_chips(), why);
    bool older = false;
    const char* const interface = environment(Variable::ShimInterface);
    if (device && interface && parse_shim_interface(interface, &older) && older &&
        !device->driver().show_older_interface())
        report_value(Variable::ShimInterface, "the device's kernel driver has no older interface");
    return device;
}

}  // namespace terrazzo::winsys::shim
