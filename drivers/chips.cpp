// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPUs of all vendors: a row a vendor.
#include "drivers/adreno/sim/chips.h"
#include "drivers/mali/sim/chips.h"

namespace terrazzo::winsys::virt {

Chips linked_chips() {
    static const std::vector<const Chip*> all = [] {
        std::vector<const Chip*> list;
        for (const Chips vendor : {mali::sim::virtual_chips(), adreno::sim::virtual_chips()})
            list.insert(list.end(), vendor.begin(), vendor.end());
        return list;
    }();
    return all;
}

}  // namespace terrazzo::winsys::virt
