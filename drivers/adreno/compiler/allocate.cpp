// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/allocate.h"

#include "drivers/adreno/compiler/machine.h"
#include "drivers/adreno/compiler/passes.h"
#include "drivers/common/backend/spill.h"

namespace terrazzo::adreno::compiler {

/// Registers are counted by four dwords.
constexpr unsigned kVectorUnits = 8;

bool allocate(Function& f, unsigned max_registers, bool spills) {
    backend::UnitSet<Ir3> allowed;
    for (unsigned u = 0; u < std::min(max_registers * 2, kFullUnits); u++)
        allowed.set(u);
    bool too_many = false;
    const int limit = backend::allocate<Ir3>(
        f, std::span(&allowed, 1),
        [&](uint32_t place, const backend::UnitSet<Ir3>& of, uint32_t room) {
            too_many |= place == backend::kEverywhere;
            return spills && backend::spill<Machine>(f, place, of, room);
        },
        kVectorUnits);
    if (limit < 0) f.error = "adreno: " + f.error;
    return limit >= 0 || !too_many;
}

unsigned register_footprint(const Function& f) {
    unsigned end = 0;
    const auto add = [&](Word w, uint32_t count) {
        backend::for_each_unit(f, w, count, [&](Unit u) {
            if (number_of(u) < kFullUnits) end = std::max(end, number_of(u) + 1);
        });
    };
    for (const Block& b : f.blocks)
        for (const Inst& i : b.insts) {
            Ir3::for_each_read(i, add);
            Ir3::for_each_write(i, add);
        }
    return (end + kVectorUnits - 1) / kVectorUnits;
}

}  // namespace terrazzo::adreno::compiler
