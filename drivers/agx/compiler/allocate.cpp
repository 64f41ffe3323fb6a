// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/allocate.h"

#include "drivers/agx/compiler/machine.h"
#include "drivers/agx/compiler/passes.h"
#include "drivers/common/backend/spill.h"

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
    const int limit =
        backend::allocate<Agx>(f, limits, [&](uint32_t place, const Registers& of, uint32_t room) {
            return spills == Spill::Yes && backend::spill<Machine>(f, place, of, room);
        });
    if (limit < 0) f.error = "agx: " + f.error;
}

unsigned register_footprint(const Function& f) {
    unsigned end = 1;
    const auto add = [&](Word w, uint32_t count) {
        backend::for_each_unit(f, w, count, [&](Unit u) { end = std::max(end, number_of(u) + 1); });
    };
    for (const Block& b : f.blocks)
        for (const Inst& i : b.insts) {
            Agx::for_each_read(i, add);
            Agx::for_each_write(i, add);
        }
    return end;
}

}  // namespace terrazzo::agx::compiler
