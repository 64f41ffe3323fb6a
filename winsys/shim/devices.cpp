// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/shim/devices.h"

#include "winsys/environment/environment.h"
#include "winsys/virtual/vgem/chip.h"

namespace terrazzo::winsys::shim {
namespace {

constexpr char kCpu[] = "soft";

/// The first of the virtual GPUs that the build has.
std::string default_name() {
    const virt::Chips all = virt::linked_chips();
    return all.empty() ? kCpu : "sim:" + std::string(all.front()->name());
}

/// A path is one of the nodes that are shown: Terrazzo's own EGL is told so to draw through it.
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
        (void)chosen_chip();  // which reports that
        return nullptr;
    }
    return virt::create_device(chosen_name(), virt::linked_chips(), why);
}

}  // namespace terrazzo::winsys::shim
