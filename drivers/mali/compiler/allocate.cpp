// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/allocate.h"

#include "drivers/common/backend/allocate.h"

namespace terrazzo::mali::compiler {

void allocate(Function& f, bool blend, Spill spill, uint8_t* work_registers) {
    using Registers = backend::UnitSet<Valhall>;
    static const Registers kLimits[] = {0xffff00000000ffffull, ~0ull}, kOfBlendShaders[] = {0xffff};
    const int limit = backend::allocate<Valhall>(
        f, blend ? std::span<const Registers>(kOfBlendShaders) : kLimits,
        [&](uint32_t place) { return spill == Spill::Yes && !blend && spill_at(f, place); });
    *work_registers = limit == 1 ? 64 : 32;
    if (limit < 0) f.error = "mali: " + f.error;
}

}  // namespace terrazzo::mali::compiler
