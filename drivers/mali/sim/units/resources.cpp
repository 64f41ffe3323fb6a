// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, genxml/v10.xml (Resource).
#include "drivers/mali/sim/units/resources.h"

namespace terrazzo::mali::sim {

bool find_descriptor(Window& memory, ResourceTables tables, Handle h, uint64_t* va, std::string* why) {
    constexpr unsigned kDescriptor_B = 32;
    const std::string name = "resource table " + std::to_string(h.table);
    if (h.table >= tables.count()) return refuse(why, name, " of ", tables.count());
    hw::Resource r;
    if (!read_descriptor(memory, tables.va() + h.table * hw::Resource::kSize_B, &r, name.c_str(), why))
        return false;
    if (!r.contains_descriptors || (uint64_t(h.index) + 1) * kDescriptor_B > r.size)
        return refuse(why, "descriptor ", h.index, " of ", name, ", which has ",
                      r.contains_descriptors ? r.size : 0, " bytes");
    *va = r.address + uint64_t(h.index) * kDescriptor_B;
    return true;
}

}  // namespace terrazzo::mali::sim
