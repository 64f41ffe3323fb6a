// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/passes.h"

#include "drivers/common/backend/allocate_or_spill.h"
#include "drivers/mali/compiler/machine.h"

namespace terrazzo::mali::compiler {

void allocate(Function& f, bool blend, Spill spills, unsigned most_registers, uint8_t* work_registers) {
    using Registers = backend::UnitSet<Valhall>;
    static const Registers kLimits[] = {0xffff00000000ffffull, ~0ull}, kOfBlendShaders[] = {0xffff};
    const std::span<const Registers> limits = blend ? std::span<const Registers>(kOfBlendShaders)
                                                    : std::span(kLimits, most_registers <= 32 ? 1 : 2);
    const int limit = backend::allocate_or_spill<Machine, Valhall>(
        f, limits, {.spills = spills == Spill::Yes && !blend, .vendor = "mali"});
    *work_registers = limit == 1 ? 64 : 32;
}

}  // namespace terrazzo::mali::compiler
