// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The run of a SIMD-group: checks a run of steps, executes its block, then what its last instruction does in
// addition. Internal to core/.
#pragma once

#include <bit>
#include <string>

#include "drivers/agx/sim/core/core.h"

namespace terrazzo::agx::sim {

class Execution : public core::Execution<Execution, Core, core::LaneFlow<uint32_t, kThreads>> {
  public:
    Execution(Core& core, SimdGroup& group, CoreFault* fault) : Base(core, group.flow, fault), g_(group) {}

  private:
    using Base = core::Execution<Execution, Core, core::LaneFlow<uint32_t, kThreads>>;
    friend Base;

    bool advance();
    bool enter();
    [[nodiscard]] bool permits(const Run& r) const;
    bool check(const Step& s);
    bool execute(const Run& r);
    bool finish(const Step& s);

    // core.cpp
    void change_mask(const Step& s);
    bool flow(const Step& s);
    bool special(const Step& s);
    bool vote(const Step& s);
    bool unit(const Step& s);
    // thread_ops.cpp
    bool threads(const Step& s);
    // memory_ops.cpp
    bool memory(const Step& s);
    bool device(const Step& s);
    bool atomic(const Step& s);
    void read_operands(const isa::Operand& o, Words& operand, Words& compared) const;
    bool stack(const Step& s);
    bool stack_pointer(const Step& s);
    bool local(const Step& s);
    bool local_atomic(const Step& s);
    bool uniform_store(const Step& s);
    bool find_local(const Step& s, unsigned base, unsigned size_B, unsigned unit_B, uint32_t (&at)[kThreads]);

    /// Register (or uniform, or number) `n` of a source: halves are extended with zeros.
    void read(const isa::Operand& o, unsigned n, Words& out) const;
    [[nodiscard]] uint64_t read_wide(const isa::Operand& o, unsigned thread) const;
    /// Writes register `n` of the destination for the threads that execute.
    void write(const isa::Operand& o, unsigned n, const Words& value);

    [[nodiscard]] uint64_t address() const { return flow_.pc; }
    [[nodiscard]] uint32_t executing() const { return g_.executing; }
    [[nodiscard]] std::string text() const;
    bool fail_register(const RegisterSet& which, const RegisterSet& in, const char* what);

    SimdGroup& g_;
    const Program* program_ = nullptr;  // owned by the program cache
    size_t at_ = 0;
    uint64_t next_ = 0;  // where the group goes on
};

}  // namespace terrazzo::agx::sim
