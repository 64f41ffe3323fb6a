// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPUs of all vendors in this build.
#include "drivers/vendors/chips.h"

#include "drivers/vendors/list.h"
#include "winsys/virtual/door/chips.h"

namespace terrazzo::winsys::virt {

Chips linked_chips() {
    static const std::vector<const Chip*> all = [] {
        std::vector<const Chip*> list;
        [[maybe_unused]] const auto add = [&](Chips vendor) {
            list.insert(list.end(), vendor.begin(), vendor.end());
        };
#define TERRAZZO_ROW(vendor) add(vendor::sim::virtual_chips());
        TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
        return list;
    }();
    return all;
}

}  // namespace terrazzo::winsys::virt
