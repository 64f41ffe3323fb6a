// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/shim/devices.h"

namespace terrazzo::winsys::shim {

std::shared_ptr<virt::Device> create_chosen_device(const char* name, std::string* why) {
    return virt::create_device(name && name[0] ? name : "sim:mali-g610", linked_chips(), why);
}

}  // namespace terrazzo::winsys::shim
