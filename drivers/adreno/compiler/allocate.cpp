// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/allocate_or_spill.h"

#include "drivers/adreno/compiler/machine.h"
#include "drivers/adreno/compiler/passes.h"

namespace terrazzo::adreno::compiler {

/// Registers are counted by four dwords.
constexpr unsigned kVectorUnits = 8;

bool allocate(Function& f, unsigned max_registers, bool spills) {
    backend::UnitSet<Ir3> allowed;
    for (unsigned u = 0; u < std::min(max_registers * 2, kFullUnits); u++)
        allowed.set(u);
    bool too_many = false;
    const int limit = backend::allocate_or_spill<Machine, Ir3>(
        f, std::span(&allowed, 1), {.spills = spills, .vendor = "adreno", .granule_units = kVectorUnits},
        &too_many);
    return limit >= 0 || !too_many;
}

unsigned register_footprint(const Function& f) {
    return (backend::units_end(f, kFullUnits) + kVectorUnits - 1) / kVectorUnits;
}

}  // namespace terrazzo::adreno::compiler
