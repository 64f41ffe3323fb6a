// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The registers' state for a dispatch, the same for all its workgroups.
#pragma once

#include <string>
#include <vector>

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/adreno/sim/machine.h"
#include "drivers/common/units/workgroups.h"

namespace terrazzo::adreno::sim {

class DispatchState {
  public:
    /// Reads the registers, once per dispatch. False: `fault` names the register.
    [[nodiscard]] bool init(const Machine& machine, const DispatchCall& call, Fault* fault);

    uint32_t invocations() const { return uint32_t(size_.count()); }  // of a workgroup
    unsigned waves() const { return (invocations() + wave_lanes_ - 1) / wave_lanes_; }
    uint64_t workgroups() const { return groups_.count(); }
    /// "workgroup 3 0 1".
    std::string name_of(uint64_t workgroup) const;
    uint32_t shared_B() const { return shared_B_; }
    uint64_t code_va() const { return code_va_; }
    /// The loaded constants, as many as the shader has; missing ones are 0.
    const std::vector<uint32_t>& constants() const { return constants_; }
    /// The number of workgroups that may run at the same time: those that have private memory.
    uint64_t most_at_a_time() const;

    /// Starts wave `wave_index` of a workgroup. `slot`: a number among those that run at the same time. The
    /// caller sets constants, shared memory and preamble_done. `together`: that many workgroups from this one
    /// on share the wave; lane n is of workgroup + n / invocations(). False: `why`.
    [[nodiscard]] bool start(Wave& wave, unsigned wave_index, uint64_t workgroup, unsigned together,
                             unsigned slot, std::string* why) const;

    /// The number of workgroups that may run as one wave, if the program allows it (packing.h); 1: none. They
    /// fill otherwise empty lanes.
    unsigned most_packed() const;

  private:
    bool read_range(const Registers& r, Fault* fault);
    bool read_memory(const Registers& r, Fault* fault);
    void number_invocations();
    bool put_workgroup(Wave& wave, const uint32_t group[3]) const;

    uint64_t code_va_ = 0;
    units::Grid size_;  // of a workgroup
    units::Grid groups_;
    uint32_t wave_lanes_ = 64;
    uint32_t group_id_ = 0, local_id_ = 0, linear_id_ = 0, group_size_ = 0;  // registers
    uint32_t full_registers_ = 0, half_registers_ = 0, branch_stack_ = 0;
    bool merged_registers_ = true, demote_constants_ = true;
    uint64_t private_va_ = 0, private_total_B_ = 0;
    uint32_t private_B_ = 0, shared_B_ = 0;
    std::vector<uint32_t> constants_;
    std::vector<U32> local_[4];  // for each 16 invocations of a workgroup: x, y, z, the linear index
};

}  // namespace terrazzo::adreno::sim
