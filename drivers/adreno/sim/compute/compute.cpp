// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source of the registers' meaning: Mesa 25.0.7, src/gallium/drivers/freedreno/a6xx/fd6_compute.cc, fd6_program.cc. Invocations fill
// waves in the order of their linear number.
#include "drivers/adreno/sim/compute/compute.h"

#include <algorithm>

namespace terrazzo::adreno::sim {

namespace {

constexpr uint32_t kNoRegister = 0xfc;  // r63.x
constexpr uint32_t kMaxThreads = 1024, kSharedUnit_B = 1024;

bool refuse(Fault* fault, std::string text) {
    return fail(fault, FaultKind::Hardware, std::move(text));
}

// Three registers, or none.
bool put_three(Wave& wave, uint32_t reg, unsigned lane, const uint32_t v[3]) {
    if (reg == kNoRegister) return true;
    for (unsigned c = 0; c < 3; ++c)
        if (!wave.set(isa::Reg{uint8_t(reg + c)}, false, lane, v[c])) return false;
    return true;
}

}  // namespace

bool ComputeShaders::decode_range(Fault* fault) {
    const Registers& r = machine_.registers;
    hw::HLSQ_CS_NDRANGE_0 range;
    if (!r.require(&range, fault)) return false;
    state_.size[0] = range.localsizex + 1;
    state_.size[1] = range.localsizey + 1;
    state_.size[2] = range.localsizez + 1;
    if (uint64_t(state_.size[0]) * state_.size[1] * state_.size[2] > kMaxThreads)
        return refuse(fault, "HLSQ_CS_NDRANGE_0: a workgroup of more than 1024 invocations");
    for (const uint16_t reg : {hw::HLSQ_CS_NDRANGE_2::kRegister, hw::HLSQ_CS_NDRANGE_4::kRegister,
                               hw::HLSQ_CS_NDRANGE_6::kRegister})
        if (r.value(reg) != 0) return refuse(fault, hw::register_name(reg) + ": offsets are not executed");
    return true;
}

bool ComputeShaders::decode_memory(Fault* fault) {
    const Registers& r = machine_.registers;
    hw::SP_CS_CTRL_REG1 control;
    hw::SP_CS_PVT_MEM_PARAM param;
    hw::SP_CS_PVT_MEM_ADDR address;
    if (!r.require(&control, fault)) return false;
    param = r.get<hw::SP_CS_PVT_MEM_PARAM>();
    address = r.get<hw::SP_CS_PVT_MEM_ADDR>();
    state_.shared_B = (control.shared_size + 1) * kSharedUnit_B;
    if (state_.shared_B > hw::Chip::kSharedMemory_B)
        return refuse(fault, "SP_CS_CTRL_REG1: more shared memory than 32 KiB");
    state_.private_B = param.value.memsizeperitem;
    state_.private_va = state_.private_B ? address.value : 0;
    if (!state_.private_B) return true;
    hw::SP_CS_PVT_MEM_SIZE size;
    if (!r.require(&size, fault)) return false;
    if (uint64_t(state_.private_B) * state_.threads() > size.value.totalpvtmemsize)
        return refuse(fault, "SP_CS_PVT_MEM_SIZE is too small for the invocations that run at a time");
    return true;
}

bool ComputeShaders::decode(const DispatchCall& call, Fault* fault) {
    const Registers& r = machine_.registers;
    hw::HLSQ_CS_CNTL hlsq;
    hw::HLSQ_CS_CNTL_0 ids;
    hw::HLSQ_CS_CNTL_1 linear;
    hw::SP_CS_CTRL_REG0 control;
    hw::SP_CS_OBJ_START start;
    hw::SP_CS_OBJ_FIRST_EXEC_OFFSET first;
    if (!r.require(&hlsq, fault) || !r.require(&ids, fault) || !r.require(&linear, fault) ||
        !r.require(&control, fault) || !r.require(&start, fault) || !r.require(&first, fault))
        return false;
    if (!hlsq.value.enabled) return refuse(fault, "HLSQ_CS_CNTL: no compute shader");
    if (ids.wgoffsetconstid != kNoRegister)
        return refuse(fault, "HLSQ_CS_CNTL_0: offsets of workgroups are not executed");
    std::copy_n(call.groups, 3, state_.groups);
    state_.code_va = start.value + first.value;
    state_.group_id = ids.wgidconstid;
    state_.group_size = ids.wgsizeconstid;
    state_.local_id = ids.localidregid;
    state_.linear_id = linear.linearlocalidregid;
    state_.wave_lanes = control.threadsize == hw::Threadsize::THREAD128 ? 128 : 64;
    state_.full_registers = control.fullregfootprint;
    state_.half_registers = control.halfregfootprint;
    state_.branch_stack = control.branchstack;
    state_.merged_registers = control.mergedregs;
    state_.demote_constants =
        !r.is_set(hw::SP_MODE_CONTROL::kRegister) || r.get<hw::SP_MODE_CONTROL>().constant_demotion_enable;
    if (!decode_range(fault) || !decode_memory(fault)) return false;
    load_constants(hlsq.value.constlen * 4);
    return true;
}

// What was not loaded is 0.
void ComputeShaders::load_constants(uint32_t words) {
    const std::vector<uint32_t>& loaded = machine_.stages[unsigned(Stage::Compute)].constants;
    constants_.assign(words, 0);
    std::copy_n(loaded.begin(), std::min(loaded.size(), constants_.size()), constants_.begin());
    preamble_done_ = false;
}

bool ComputeShaders::start_wave(Wave& w, unsigned index, const uint32_t group[3], std::string* why) {
    const uint32_t first = index * state_.wave_lanes;
    const uint32_t count = std::min(state_.wave_lanes, state_.threads() - first);
    w.groups = (count + kGroupLanes - 1) / kGroupLanes;  // what has no invocation computes nothing
    w.merged_registers = state_.merged_registers;
    w.full_registers = state_.full_registers;
    w.half_registers = state_.half_registers;
    w.branch_stack = state_.branch_stack;
    w.constants = constants_;
    w.writable_constants = constants_;
    w.preamble_done = preamble_done_;
    w.demote_constants = state_.demote_constants;
    w.shared = shared_;
    w.private_B = state_.private_B;
    w.private_va = state_.private_va ? state_.private_va + uint64_t(first) * state_.private_B : 0;
    w.forget_registers();
    bool good = put_three(w, state_.group_id, 0, group) && put_three(w, state_.group_size, 0, state_.size);
    for (uint32_t lane = 0; lane < count && good; ++lane) {
        const uint32_t n = first + lane;
        const uint32_t local[3] = {n % state_.size[0], n / state_.size[0] % state_.size[1],
                                   n / state_.size[0] / state_.size[1]};
        good = put_three(w, state_.local_id, lane, local);
        // On chips whose workgroup numbers are not in shared registers all lanes have them.
        if (state_.group_id < isa::kFirstShared * 4)
            good = good && put_three(w, state_.group_id, lane, group);
        if (state_.group_size < isa::kFirstShared * 4)
            good = good && put_three(w, state_.group_size, lane, state_.size);
        if (state_.linear_id != kNoRegister)
            good = good && w.set(isa::Reg{uint8_t(state_.linear_id)}, false, lane, n);
    }
    Core::start(w, state_.code_va, LaneMask::first(count));
    if (!good) *why = "HLSQ_CS_CNTL_0 or _1 names what is no register";
    return good;
}

bool ComputeShaders::run_group(const uint32_t group[3], Fault* fault) {
    const unsigned count = (state_.threads() + state_.wave_lanes - 1) / state_.wave_lanes;
    std::fill(shared_.begin(), shared_.end(), uint8_t(0));
    while (waves_.size() < count)
        waves_.push_back(std::make_unique<Wave>());
    std::string why;
    for (unsigned n = 0; n < count; ++n)
        if (!start_wave(*waves_[n], n, group, &why)) return refuse(fault, why);
    // All to the barrier, then all to the next.
    for (bool running = true; running;) {
        running = false;
        for (unsigned n = 0; n < count; ++n) {
            Wave& w = *waves_[n];
            if (!w.flow.live.any()) continue;
            w.preamble_done = preamble_done_;
            CoreFault core_fault;
            const Outcome o = core_.run(w, &core_fault);
            if (o == Outcome::Fault)
                return fail(fault, core_fault.memory ? FaultKind::Memory : FaultKind::Shader,
                            "compute " + to_string(core_fault, state_.code_va));
            preamble_done_ = preamble_done_ || w.preamble_done;
            running = running || o == Outcome::Barrier;
        }
    }
    return true;
}

namespace {

constexpr unsigned kInvocations = 10;  // of Machine::primitive_counters

}  // namespace

bool ComputeShaders::dispatch(const DispatchCall& call, Fault* fault) {
    const auto in_dispatch = [&](bool good) {
        if (!good) fault->report = "dispatch " + std::to_string(call.number) + ": " + fault->report;
        return good;
    };
    if (!decode(call, fault)) return in_dispatch(false);
    core_.memory().refresh();
    core_.programs().begin_job();
    core_.turn_limit = machine_.turn_limit;
    units_.begin_work();
    units_.set_stage(Stage::Compute);
    shared_.resize(state_.shared_B);
    uint32_t group[3];
    for (group[2] = 0; group[2] < state_.groups[2]; ++group[2])
        for (group[1] = 0; group[1] < state_.groups[1]; ++group[1])
            for (group[0] = 0; group[0] < state_.groups[0]; ++group[0]) {
                if (machine_.host.should_stop())
                    return in_dispatch(fail(fault, FaultKind::Shader, "it was stopped"));
                if (!run_group(group, fault)) return in_dispatch(false);
                machine_.primitive_counters[kInvocations] += state_.threads();
            }
    return true;
}

}  // namespace terrazzo::adreno::sim
