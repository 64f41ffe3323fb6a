// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/shim/devices.h"

namespace terrazzo::winsys::shim {

std::shared_ptr<virt::Device> create_chosen_device(const char* name, std::string* why) {
    std::string wanted = name && name[0] ? name : "sim:mali-g610";
    const auto chips = linked_chips();
    bool simulated = false;
    for (const virt::Chip& chip : chips)
        simulated |= chip.create != nullptr;
    std::string note;
    if (!simulated && (!name || !name[0])) {
        wanted = "noop:mali-g610";
        note = "this build has no virtual GPU; " + wanted + " completes work without drawing";
    }
    auto device = virt::create_device(wanted, chips, why);
    if (device) *why = note;
    return device;
}

}  // namespace terrazzo::winsys::shim
