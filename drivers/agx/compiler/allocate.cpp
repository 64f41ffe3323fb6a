// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/allocate_or_spill.h"

#include "drivers/agx/compiler/machine.h"
#include "drivers/agx/compiler/passes.h"

namespace terrazzo::agx::compiler {

void allocate(Function& f, Spill spills, unsigned end, unsigned begin) {
    using Registers = backend::UnitSet<Agx>;
    // A first limit of half the registers: a group with fewer of them shares its core with more groups.
    std::array<Registers, 2> limits;
    for (unsigned r = kMaskRegister + 1; r < kRegisterWords; r++) {
        if (r >= end && r < begin) continue;
        if (r < kRegisterWords / 2) limits[0].set(r);
        limits[1].set(r);
    }
    // The limit that sufficed does not matter: the driver is told which registers are used.
    (void)backend::allocate_or_spill<Machine, Agx>(f, limits,
                                                   {.spills = spills == Spill::Yes, .vendor = "agx"});
}

}  // namespace terrazzo::agx::compiler
