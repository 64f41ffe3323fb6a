// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches: workgroups one after another, the waves of one in turns from barrier to barrier. All on the thread that calls.
#pragma once

#include <memory>
#include <vector>

#include "drivers/adreno/sim/core/core.h"
#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/texture/shader_units.h"

namespace terrazzo::adreno::sim {

class ComputeShaders {
  public:
    /// `machine` outlives it.
    explicit ComputeShaders(Machine& machine)
        : machine_(machine), units_(machine), core_(machine.uche_space(), units_) {
        core_.host = &machine.host;
        core_.has_scalar_alu = machine.chip.generation.has_scalar_alu;
    }
    [[nodiscard]] bool dispatch(const DispatchCall& call, Fault* fault);
    const CoreStats& stats() const { return core_.stats(); }
    uint64_t texture_pixels() const { return units_.texture_pixels(); }

  private:
    // What registers say, the same for all workgroups.
    struct State {
        uint64_t code_va = 0;
        uint32_t size[3] = {1, 1, 1};  // of a workgroup
        uint32_t groups[3] = {1, 1, 1};
        uint32_t wave_lanes = 64;
        uint32_t group_id = 0, local_id = 0, linear_id = 0, group_size = 0;  // registers; kNoRegister: none
        uint32_t full_registers = 0, half_registers = 0, branch_stack = 0;
        bool merged_registers = true, demote_constants = true;
        uint64_t private_va = 0;
        uint32_t private_B = 0, shared_B = 0;
        uint32_t threads() const { return size[0] * size[1] * size[2]; }
    };
    bool decode(const DispatchCall& call, Fault* fault);
    bool decode_range(Fault* fault);
    bool decode_memory(Fault* fault);
    void load_constants(uint32_t words);
    bool start_wave(Wave& wave, unsigned index, const uint32_t group[3], std::string* why);
    bool run_group(const uint32_t group[3], Fault* fault);

    Machine& machine_;
    ShaderUnits units_;
    Core core_;
    State state_;
    std::vector<uint32_t> constants_;  // the dispatch's own: a preamble may write them
    std::vector<uint8_t> shared_;
    std::vector<std::unique_ptr<Wave>> waves_;
    bool preamble_done_ = false;
};

}  // namespace terrazzo::adreno::sim
