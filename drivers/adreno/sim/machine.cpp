// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Initial state of a context, for all units.
#include "drivers/adreno/sim/machine.h"

#include <utility>

#include "drivers/adreno/sim/cp/caches.h"

namespace terrazzo::adreno::sim {

bool Registers::unset(uint16_t reg, Fault* fault) {
    return fail(fault, "register ", hw::register_name(reg), " was never written");
}

void Registers::write_program(uint16_t reg, uint32_t v) {
    if (reg == hw::VPC_SO_PROG::kRegister) {
        stream_program_[stream_program_at_++] = v;
        return;
    }
    hw::VPC_SO_CNTL control;
    unpack(&v, &control);
    if (control.reset) stream_program_ = {};
    stream_program_at_ = uint8_t(control.addr);
}

Machine::Machine(const hw::Chip& c, Host& h, unsigned thread_count)
    : chip(c),
      host(h),
      caches(std::make_unique<Caches>(h.space())),
      memory(h.space()),
      uche(uche_space()),
      threads(thread_count) {
    gmem.resize(c.gmem_size_B);
}

Machine::~Machine() = default;

void Machine::restore(ContextState&& saved) {
    // What was decoded meanwhile is not valid any more.
    const uint64_t serial = registers.serial();
    std::array<uint64_t, kStages> serials;
    for (unsigned i = 0; i < kStages; ++i)
        serials[i] = stages[i].serial;
    static_cast<ContextState&>(*this) = std::move(saved);
    registers.touch(serial);
    for (unsigned i = 0; i < kStages; ++i)
        stages[i].serial = serials[i] + 1;
}

window::Space& Machine::uche_space() {
    return caches->space(Reader::Uche);
}

}  // namespace terrazzo::adreno::sim
