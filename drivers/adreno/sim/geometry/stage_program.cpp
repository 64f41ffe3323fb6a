// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source of the registers' meaning: Mesa 25.0.7, src/gallium/drivers/freedreno/a6xx/fd6_program.cc.
#include "drivers/adreno/sim/geometry/stage_program.h"

#include <algorithm>

#include "drivers/adreno/hw/stage_registers.h"
#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr uint32_t kInstrlenUnit_B = 128;

}  // namespace

template <class R>
bool StageProgram::decode(Machine& machine, Fault* fault) {
    const Registers& r = machine.registers;
    RegisterReader in(r, fault);
    const auto control = in.get<typename R::Control>();
    run_.code_va = in.get<typename R::Start>().value;
    run_.code_va += in.get<typename R::First>().value;
    run_.code_B = uint64_t(in.get<typename R::Length>().value) * kInstrlenUnit_B;
    const auto hlsq = in.get<typename R::Hlsq>().value;
    merged_registers_ = in.get<hw::SP_VS_CTRL_REG0>().mergedregs;  // for all stages
    if (!in) return false;
    // Drivers do not write these registers without private memory; a shader that uses it then faults.
    const auto param = r.get<typename R::PrivateParam>();
    const auto address = r.get<typename R::PrivateAddress>();
    const auto size = r.get<typename R::PrivateSize>();
    const std::string letters = R::kLetters;
    if (!hlsq.enabled) return fail(fault, "HLSQ_", letters, "_CNTL: no ", R::kName);
    if (address.value && param.value.memsizeperitem * kGeometryLanes > size.value.totalpvtmemsize)
        return fail(fault, "SP_", letters, "_PVT_MEM_SIZE is too small for a wave");
    name_ = R::kName;
    // Constants that were not loaded are 0.
    constants_.assign(size_t(hlsq.constlen) * 4, 0);
    const std::vector<uint32_t>& loaded = machine.stages[size_t(run_.stage)].constants;
    std::copy_n(loaded.begin(), std::min(loaded.size(), constants_.size()), constants_.begin());
    private_va_ = address.value;
    private_B_ = param.value.memsizeperitem;
    full_registers_ = control.fullregfootprint;
    half_registers_ = control.halfregfootprint;
    branch_stack_ = control.branchstack;
    return true;
}

bool StageProgram::init(Machine& machine, Stage stage, bool chains, Fault* fault) {
    const Registers& r = machine.registers;
    run_.stage = stage;
    run_.chains = chains;
    has_run_ = preamble_done_ = false;
    demote_constants_ =
        !r.is_set(hw::SP_MODE_CONTROL::kRegister) || r.get<hw::SP_MODE_CONTROL>().constant_demotion_enable;
    switch (stage) {
        case Stage::Vertex:
            return decode<hw::VertexStage>(machine, fault);
        case Stage::Hull:
            return decode<hw::HullStage>(machine, fault);
        case Stage::Domain:
            return decode<hw::DomainStage>(machine, fault);
        case Stage::Geometry:
            return decode<hw::GeometryStage>(machine, fault);
        case Stage::Fragment:
        case Stage::Compute:
            break;
    }
    return fail(fault, "a stage that is not before the rasterizer");
}

bool StageProgram::run(WaveRunner& runner, Wave& wave, bool chained, Fault* fault) {
    wave.groups = kGeometryLanes / kGroupLanes;
    wave.constants = constants_;
    wave.writable_constants = constants_;
    wave.preamble_done = preamble_done_;
    wave.demote_constants = demote_constants_;
    wave.merged_registers = merged_registers_;
    wave.full_registers = full_registers_;
    wave.half_registers = half_registers_;
    wave.branch_stack = branch_stack_;
    wave.private_va = private_va_;
    wave.private_B = private_B_;
    run_.chained = chained;
    std::string why;
    if (!runner.run(wave, run_, &why)) return fail(fault, FaultKind::Shader, name_, ": ", why);
    preamble_done_ = wave.preamble_done;
    has_run_ = true;
    return true;
}

}  // namespace terrazzo::adreno::sim
