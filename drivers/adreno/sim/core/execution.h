// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One run() of a wave. Internal to core/: each family of instructions has its file.
#pragma once

#include "drivers/adreno/sim/core/core.h"

namespace terrazzo::adreno::sim {

/// A vector of the wave's lanes.
using Lanes = U32[kMaxGroups];

class Execution {
  public:
    Execution(Core& core, Wave& wave, CoreFault* fault)
        : core_(core), w_(wave), f_(wave.flow), h_(wave.hazards), fault_(fault) {}
    Outcome run();

  private:
    enum class Reader : uint8_t { Alu, Unit };

    // core.cpp: the steps
    bool execute();
    bool check_turns();
    bool fail(std::string reason);
    bool fail(std::string reason, unsigned lane);
    bool fail_access(unsigned lane);

    // operands.cpp: values of registers, with all checks. Null: a fault.
    const U32* read(const Operand& o, unsigned repeat, uint64_t cycle, Reader reader, U32* room);
    const U32* read_register(From from, unsigned index, const Operand& o, uint64_t cycle, Reader reader,
                             U32* room);
    const U32* read_relative_register(const Operand& o, unsigned repeat, uint64_t cycle, Reader reader,
                                      U32* room);
    const U32* read_constant(const Operand& o, unsigned repeat, uint64_t cycle, U32* room);
    bool constant(int64_t index, const Operand& o, unsigned lane, uint32_t* value);
    bool read_address(unsigned which, uint64_t cycle, Reader reader, const U32** value);
    bool check_read(UnitRange units, bool full, uint64_t cycle, Reader reader, const LaneMask& lanes);
    bool check_written(UnitRange units, const LaneMask& lanes);
    bool check_footprint(From from, unsigned index);
    /// `half` only matters for shared registers: From distinguishes the others.
    UnitRange units_of(From from, unsigned index, bool half = false) const;
    void extend_and_sign(const Operand& o, U32* v) const;
    LaneMask predicate(const Operand& o) const;

    // Results: `v` in the register's form. Of the ALU in `cycle`; of a unit: with the flag that waits for it.
    bool write(const Operand& d, unsigned repeat, const U32* v, uint64_t cycle);
    bool write_result(const Operand& d, unsigned repeat, const U32* v, isa::Sync sync);
    bool place(const Operand& d, unsigned repeat, const U32* v, UnitRange* units, LaneMask* lanes);
    void hold_sources(bool until_ss);

    // alu_steps.cpp. Plain cases first: a full register or constant whose value is complete, a whole wave
    // that writes a full register.
    const U32* full_register(unsigned i, uint64_t cycle, Reader reader) const;
    const U32* fill(uint32_t value, U32* room) const;
    const U32* read_alu(const Operand& o, unsigned repeat, uint64_t cycle, U32* room);
    U32* whole_register(const Operand& d, unsigned repeat);
    bool alu();
    bool special();
    bool move();
    bool moves();
    bool movmsk();
    bool finish_alu(const Operand& d, unsigned repeat, U32* v, uint64_t cycle);

    // flow.cpp
    bool flow();
    bool branch(const LaneMask& taken);
    LaneMask jumping() const;
    bool predicate_from(Flow::Predication how);
    bool check_predicate(const Operand& o);
    bool kill();
    bool call(bool returns);
    bool barrier(bool* stops);
    void next() { ++f_.pc; }
    void park(const LaneMask& lanes, uint32_t pc);
    void regroup();
    void meet();
    LaneMask waiting() const { return f_.live & ~f_.running & ~f_.at_barrier; }

    // messages.cpp: to fixed function
    bool message();
    bool between_lanes(bool* is);
    bool memory(bool* is);
    bool texture();
    bool texture_of_fourth();
    bool varying();
    bool uniform_buffer();
    bool load_constants();
    bool image();
    bool call_unit(bool (Units::*unit)(UnitCall&, std::string*), UnitCall& call);
    bool for_each_index(const isa::Src& src, UnitCall& call, bool (Units::*unit)(UnitCall&, std::string*));
    bool words(unsigned reg, bool half, unsigned count, Lanes* out);

    // memory_ops.cpp, exchange.cpp
    bool global();
    bool global_atomic();
    bool local();
    bool local_atomic();
    bool store_constants();
    bool identity();
    bool derivative();
    bool quad_shuffle();
    bool broadcast_active();
    bool shuffle();
    // Lanes whose stores have an effect.
    LaneMask effective() const { return exec_ & ~w_.helpers & ~w_.killed; }

    Core& core_;
    Wave& w_;
    Flow& f_;
    Hazards& h_;
    CoreFault* fault_;
    const Program* program_ = nullptr;
    const Step* s_ = nullptr;
    LaneMask exec_, counted_;  // counted_: the lanes of which count_ is the number
    unsigned count_ = 0;
    bool whole_ = false;  // all lanes whose registers matter execute
    // Registers that a unit reads, possibly late.
    UnitRange held_[48];
    unsigned held_count_ = 0;
};

/// The register, if no check forbids the read; else null, and read() reports the cause.
inline const U32* Execution::full_register(unsigned i, uint64_t cycle, Reader reader) const {
    const UnitRange units{uint16_t(2 * i), 2};
    return i < 4 * w_.full_registers && i < kFullRegisters && !w_.check_defined && h_.is_quiet(units) &&
                   h_.early(units, reader == Reader::Alu, true, cycle, exec_) == 0
               ? w_.full[i]
               : nullptr;
}

/// Whether the calling thread's arithmetic flushes denormals: while shaders run, not while units do.
class FlushDenormals {
  public:
    FlushDenormals();
    ~FlushDenormals();
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

  private:
    unsigned before_ = 0;
};
class KeepDenormals {
  public:
    KeepDenormals();
    ~KeepDenormals();
    KeepDenormals(const KeepDenormals&) = delete;
    KeepDenormals& operator=(const KeepDenormals&) = delete;

  private:
    unsigned before_ = 0;
};

std::string register_name(isa::Reg reg, bool half);

}  // namespace terrazzo::adreno::sim
