// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One run() of a wave. Internal to core/: each family of instructions has its file.
#pragma once

#include "drivers/adreno/sim/core/core.h"
#include "drivers/common/core/denormals.h"
#include "drivers/common/core/lane_memory.h"

namespace terrazzo::adreno::sim {

class Execution : public core::Execution<Execution, Core, Flow> {
  public:
    Execution(Core& core, Wave& wave, CoreFault* fault)
        : core::Execution<Execution, Core, Flow>(core, wave.flow, fault), w_(wave), h_(wave.hazards) {}
    Outcome run();

  private:
    friend class core::Execution<Execution, Core, Flow>;
    using Base = core::Execution<Execution, Core, Flow>;
    enum class Reader : uint8_t { Alu, Unit };

    // core.cpp: the steps
    bool advance();
    bool execute();
    void count_lanes();
    uint64_t address() const { return flow_.va + 8 * flow_.pc; }
    std::string text() const;
    LaneMask executing() const { return exec_.any() ? exec_ : flow_.running; }
    using Base::fail;
    bool fail_access(unsigned lane) { return Base::fail_access(core_.memory_.fault(), lane); }

    // operands.cpp: values of registers, with all checks, without neg, abs and extension. Null: a fault.
    const U32* read(const Operand& o, unsigned repeat, uint64_t cycle, Reader reader, U32* room);
    const U32* read_register(From from, unsigned index, const Operand& o, uint64_t cycle, Reader reader,
                             U32* room);
    const U32* read_relative_register(const Operand& o, unsigned repeat, uint64_t cycle, Reader reader,
                                      U32* room);
    const U32* read_constant(const Operand& o, unsigned repeat, uint64_t cycle, U32* room);
    bool check_constants_written();
    bool check_constant(int64_t index, const Operand& o, unsigned lane);
    uint32_t constant(int64_t index, const Operand& o) const;
    bool read_address(unsigned which, uint64_t cycle, Reader reader, const U32** value);
    bool check_read(UnitRange units, bool full, uint64_t cycle, Reader reader, const LaneMask& lanes);
    bool check_written(UnitRange units, const LaneMask& lanes);
    bool check_footprint(From from, unsigned index);
    bool fail(const Conflict& c);
    UnitRange units_of(From from, unsigned index, bool half = false) const {
        return sim::units_of(from, index, half, w_.merged_registers);
    }
    LaneMask predicate(const Operand& o) const;

    // Results: `v` in the register's form. Of the ALU in `cycle`; of a unit: with the flag that waits for it.
    bool write(const Operand& d, unsigned repeat, const U32* v, uint64_t cycle);
    bool write_result(const Operand& d, unsigned repeat, const U32* v, isa::Sync sync);
    bool place(const Operand& d, unsigned repeat, const U32* v, UnitRange* units, LaneMask* lanes);
    void hold_sources(bool until_ss);

    // alu_steps.cpp
    bool run_straight();
    core::LaneState lane_state();
    bool alu();
    bool check_accesses();
    bool load_planes(uint32_t locations);
    bool alu_apart();
    void hold_sources_of_shared();
    bool movmsk();

    // flow.cpp
    bool flow();
    bool branch(const LaneMask& taken);
    LaneMask jumping() const;
    bool predicate_from(Flow::Predication how);
    bool check_predicate(const Operand& o);
    bool kill();
    bool call(bool returns);
    bool barrier();
    bool end();
    void release();
    void next() { ++flow_.pc; }

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
    bool call_by_value(bool (Units::*unit)(UnitCall&, std::string*), UnitCall& call, const Lanes& texture,
                       const Lanes* sampler);
    bool for_each_index(const isa::Src& src, UnitCall& call, bool (Units::*unit)(UnitCall&, std::string*));
    // Read consecutive registers. sources() returns where their values are, which may be in `room`; words()
    // copies the values.
    bool sources(unsigned reg, bool half, unsigned count, const U32** out, Lanes* room);
    bool words(unsigned reg, bool half, unsigned count, Lanes* out);

    // memory_ops.cpp, exchange.cpp
    enum class Place : uint8_t { Global, Local, Own };
    bool access(Place place);
    template <core::Direction kDirection>
    bool move_lane(Place place, uint64_t to, const core::LaneElements& e, unsigned lane);
    template <core::Direction kDirection>
    bool move_lanes(Place place, uint64_t* to, const core::LaneElements& e, unsigned group, uint32_t lanes);
    bool atomic(bool global);
    bool store_constants();
    bool identity();
    bool derivative();
    bool quad_shuffle();
    bool broadcast_active();
    bool shuffle();
    // Lanes whose stores have an effect.
    LaneMask effective() const { return exec_ & ~w_.helpers & ~w_.killed; }

    Wave& w_;
    Hazards& h_;
    const Program* program_ = nullptr;
    const Step* s_ = nullptr;
    LaneMask exec_;
    LaneMask counted_;  // the lanes that count_ and running_ are about
    unsigned count_ = 0;
    uint16_t running_[kMaxGroups] = {};  // lanes whose registers instructions of categories 1 to 4 write
    uint32_t stepwise_until_ = 0;        // the end of a straight run that may not execute as one
    // Registers that a unit reads, possibly late.
    UnitRange held_[48];
    unsigned held_count_ = 0;
};

std::string register_name(isa::Reg reg, bool half);

}  // namespace terrazzo::adreno::sim
