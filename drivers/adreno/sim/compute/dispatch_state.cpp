// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source of the registers' meaning: Mesa 25.0.7, src/gallium/drivers/freedreno/a6xx/fd6_compute.cc,
// fd6_program.cc. Invocations fill waves in the order of their linear index.
#include "drivers/adreno/sim/compute/dispatch_state.h"

#include <algorithm>

#include "drivers/adreno/sim/core/core.h"
#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr uint32_t kNoRegister = 0xfc;  // r63.x
constexpr uint32_t kMaxThreads = 1024, kSharedUnit_B = 1024;
constexpr uint32_t kPackedLanes = 64;

bool is_shared(uint32_t reg) {
    return reg >= isa::kFirstShared * 4;
}

}  // namespace

bool DispatchState::read_range(const Registers& r, Fault* fault) {
    hw::HLSQ_CS_NDRANGE_0 range;
    if (!r.require(&range, fault)) return false;
    size_ = {{range.localsizex + 1, range.localsizey + 1, range.localsizez + 1}};
    if (size_.count() > kMaxThreads)
        return fail(fault, "HLSQ_CS_NDRANGE_0: a workgroup of more than 1024 invocations");
    for (const uint16_t reg : {hw::HLSQ_CS_NDRANGE_2::kRegister, hw::HLSQ_CS_NDRANGE_4::kRegister,
                               hw::HLSQ_CS_NDRANGE_6::kRegister})
        if (r.value(reg) != 0) return fail(fault, hw::register_name(reg), ": offsets are not executed");
    return true;
}

bool DispatchState::read_memory(const Registers& r, Fault* fault) {
    hw::SP_CS_CTRL_REG1 control;
    if (!r.require(&control, fault)) return false;
    const auto param = r.get<hw::SP_CS_PVT_MEM_PARAM>();
    const auto address = r.get<hw::SP_CS_PVT_MEM_ADDR>();
    shared_B_ = (control.shared_size + 1) * kSharedUnit_B;
    if (shared_B_ > hw::Chip::kSharedMemory_B)
        return fail(fault, "SP_CS_CTRL_REG1: more shared memory than 32 KiB");
    private_B_ = param.value.memsizeperitem;
    private_va_ = private_B_ ? address.value : 0;
    if (!private_B_) return true;
    hw::SP_CS_PVT_MEM_SIZE size;
    if (!r.require(&size, fault)) return false;
    private_total_B_ = size.value.totalpvtmemsize;
    if (most_at_a_time() == 0)
        return fail(fault, "SP_CS_PVT_MEM_SIZE is too small for the invocations that run at a time");
    return true;
}

uint64_t DispatchState::most_at_a_time() const {
    return private_B_ ? private_total_B_ / (uint64_t(private_B_) * invocations()) : ~uint64_t(0);
}

void DispatchState::number_invocations() {
    const uint32_t count = invocations(), vectors = (count + kGroupLanes - 1) / kGroupLanes;
    for (std::vector<U32>& v : local_)
        v.assign(vectors, U32{});
    for (uint32_t n = 0; n < count; ++n) {
        const auto [x, y, z] = size_.place_of(n);
        const uint32_t id[4] = {x, y, z, n};
        for (unsigned c = 0; c < 4; ++c)
            local_[c][n / kGroupLanes][n % kGroupLanes] = id[c];
    }
}

bool DispatchState::init(const Machine& machine, const DispatchCall& call, Fault* fault) {
    const Registers& r = machine.registers;
    RegisterReader in(r, fault);
    const auto hlsq = in.get<hw::HLSQ_CS_CNTL>().value;
    const auto ids = in.get<hw::HLSQ_CS_CNTL_0>();
    linear_id_ = in.get<hw::HLSQ_CS_CNTL_1>().linearlocalidregid;
    const auto control = in.get<hw::SP_CS_CTRL_REG0>();
    code_va_ = in.get<hw::SP_CS_OBJ_START>().value;
    code_va_ += in.get<hw::SP_CS_OBJ_FIRST_EXEC_OFFSET>().value;
    if (!in) return false;
    if (!hlsq.enabled) return fail(fault, "HLSQ_CS_CNTL: no compute shader");
    if (ids.wgoffsetconstid != kNoRegister)
        return fail(fault, "HLSQ_CS_CNTL_0: offsets of workgroups are not executed");
    std::copy_n(call.groups, 3, groups_.size);
    if (!groups_.is_countable()) return fail(fault, "2^64 workgroups or more");
    group_id_ = ids.wgidconstid;
    group_size_ = ids.wgsizeconstid;
    local_id_ = ids.localidregid;
    wave_lanes_ = control.threadsize == hw::Threadsize::THREAD128 ? 128 : 64;
    full_registers_ = control.fullregfootprint;
    half_registers_ = control.halfregfootprint;
    branch_stack_ = control.branchstack;
    merged_registers_ = control.mergedregs;
    demote_constants_ =
        !r.is_set(hw::SP_MODE_CONTROL::kRegister) || r.get<hw::SP_MODE_CONTROL>().constant_demotion_enable;
    if (!read_range(r, fault) || !read_memory(r, fault)) return false;
    const std::vector<uint32_t>& loaded = machine.stages[unsigned(Stage::Compute)].constants;
    constants_.assign(hlsq.constlen * 4, 0);
    std::copy_n(loaded.begin(), std::min(loaded.size(), constants_.size()), constants_.begin());
    number_invocations();
    return true;
}

std::string DispatchState::name_of(uint64_t workgroup) const {
    const auto [x, y, z] = groups_.place_of(workgroup);
    return "workgroup " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z);
}

// In shared registers; on chips without workgroup numbers there, in a register of all lanes.
bool DispatchState::put_workgroup(Wave& w, const uint32_t group[3]) const {
    const auto put = [&](uint32_t reg, const uint32_t v[3]) {
        bool good = true;
        for (unsigned c = 0; reg != kNoRegister && c < 3; ++c) {
            const isa::Reg to{uint8_t(reg + c)};
            if (is_shared(reg)) good = good && w.set(to, false, 0, v[c]);
            for (unsigned g = 0; !is_shared(reg) && g < w.groups; ++g)
                good = good && w.set_group(to, false, g, wave::splat(v[c]));
        }
        return good;
    };
    return put(group_id_, group) && put(group_size_, size_.size);
}

unsigned DispatchState::most_packed() const {
    return private_B_ ? 1 : std::max(1u, std::min(wave_lanes_, kPackedLanes) / invocations());
}

bool DispatchState::start(Wave& w, unsigned wave_index, uint64_t workgroup, unsigned together, unsigned slot,
                          std::string* why) const {
    const uint32_t size = invocations(), first = wave_index * wave_lanes_,
                   lanes = std::min(wave_lanes_, size * together - first);
    w.groups = (lanes + kGroupLanes - 1) / kGroupLanes;  // groups without invocations compute nothing
    w.merged_registers = merged_registers_;
    w.full_registers = full_registers_;
    w.half_registers = half_registers_;
    w.branch_stack = branch_stack_;
    w.demote_constants = demote_constants_;
    w.private_B = private_B_;
    w.private_va = private_va_ ? private_va_ + (uint64_t(slot) * size + first) * private_B_ : 0;
    w.has_lane_shared = together > 1 && group_id_ != kNoRegister && is_shared(group_id_);
    w.forget_registers();
    bool good = put_workgroup(w, groups_.place_of(workgroup).data());
    const auto put = [&](uint32_t reg, const U32* v) {
        for (unsigned g = 0; g < w.groups; ++g)
            good = good && w.set_group(isa::Reg{uint8_t(reg)}, false, g, v[g]);
    };
    U32 local[4][kMaxGroups] = {};
    for (unsigned c = 0; c < 4; ++c) {
        const U32* const from = local_[c].data() + first / kGroupLanes;
        std::copy_n(from, std::min<size_t>(w.groups, local_[c].size() - first / kGroupLanes), local[c]);
        for (uint32_t n = size; n < lanes && together > 1; ++n)
            put_at(local[c], n, at(from, n % size));
    }
    if (together > 1 && group_id_ != kNoRegister) {
        U32 group[3][kMaxGroups] = {};
        for (uint32_t n = 0; n < lanes; ++n) {
            const std::array<uint32_t, 3> place = groups_.place_of(workgroup + n / size);
            for (unsigned c = 0; c < 3; ++c)
                put_at(group[c], n, place[c]);
        }
        for (unsigned c = 0; c < 3; ++c)
            if (w.has_lane_shared)
                std::copy_n(group[c], w.groups, w.lane_shared[c]);
            else
                put(group_id_ + c, group[c]);
        w.lane_shared_first = group_id_ - isa::kFirstShared * 4;
    }
    for (unsigned c = 0; local_id_ != kNoRegister && c < 3; ++c)
        put(local_id_ + c, local[c]);
    if (linear_id_ != kNoRegister) put(linear_id_, local[3]);
    Core::start(w, code_va_, LaneMask::first(lanes));
    if (!good) *why = "HLSQ_CS_CNTL_0 or _1 names what is no register";
    return good;
}

}  // namespace terrazzo::adreno::sim
