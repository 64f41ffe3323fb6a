// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source of the registers' meaning: Mesa 25.0.7, src/gallium/drivers/freedreno/a6xx/fd6_program.cc.
#include "drivers/adreno/sim/geometry/vertex_stage.h"

#include <algorithm>
#include <string>

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kWaveLanes = 64;  // of vertex shaders, always
constexpr unsigned kMaxOutputs = 32;
constexpr uint32_t kInstrlenUnit_B = 128;

}  // namespace

bool VertexStage::add_output(uint32_t regid, uint32_t mask, uint32_t location, Fault* fault) {
    for (unsigned c = 0; c < 4; ++c) {
        if (!(mask >> c & 1)) continue;
        if (regid + c >= kFullRegisters)
            return fail(
                fault, FaultKind::Hardware,
                "SP_VS_OUT names r" + std::to_string((regid + c) / 4) + ", which is no register of a lane");
        if (location + c >= stride_)
            return fail(fault, FaultKind::Hardware,
                        "SP_VS_VPC_DST: location " + std::to_string(location + c) +
                            " is beyond VPC_VS_PACK's stride of " + std::to_string(stride_));
        outputs_.push_back({uint8_t(regid + c), uint8_t(location + c)});
    }
    return true;
}

bool VertexStage::decode_outputs(const Registers& r, Fault* fault) {
    hw::SP_VS_PRIMITIVE_CNTL count;
    hw::VPC_VS_PACK pack;
    hw::PC_VS_OUT_CNTL pc;
    if (!r.require(&count, fault) || !r.require(&pack, fault) || !r.require(&pc, fault)) return false;
    if (count.value.out > kMaxOutputs)
        return fail(
            fault, FaultKind::Hardware,
            "SP_VS_PRIMITIVE_CNTL has " + std::to_string(count.value.out) + " outputs, of at most 32");
    if (pc.value.stride_in_vpc != pack.value.stride_in_vpc)
        return fail(fault, FaultKind::Hardware,
                    "PC_VS_OUT_CNTL and VPC_VS_PACK have strides of " +
                        std::to_string(pc.value.stride_in_vpc) + " and " +
                        std::to_string(pack.value.stride_in_vpc));
    stride_ = pack.value.stride_in_vpc;
    position_ = uint8_t(pack.value.positionloc);
    point_size_ = uint8_t(pack.value.psizeloc);
    if ((position_ != kNoLocation && position_ + 4u > stride_) ||
        (point_size_ != kNoLocation && point_size_ >= stride_))
        return fail(fault, FaultKind::Hardware, "VPC_VS_PACK: position or point size is beyond its stride");
    outputs_.clear();
    for (unsigned i = 0; i < count.value.out; ++i) {
        hw::SP_VS_OUT out;
        hw::SP_VS_VPC_DST dst;
        if (!r.require(&out, fault, i / 2) || !r.require(&dst, fault, i / 4)) return false;
        const uint32_t location[4] = {dst.outloc0, dst.outloc1, dst.outloc2, dst.outloc3};
        const bool good = i % 2 == 0 ? add_output(out.a_regid, out.a_compmask, location[i % 4], fault)
                                     : add_output(out.b_regid, out.b_compmask, location[i % 4], fault);
        if (!good) return false;
    }
    return true;
}

bool VertexStage::decode_memory(Machine& machine, Fault* fault) {
    const Registers& r = machine.registers;
    hw::HLSQ_VS_CNTL hlsq;
    hw::SP_VS_PVT_MEM_PARAM param;
    hw::SP_VS_PVT_MEM_ADDR address;
    hw::SP_VS_PVT_MEM_SIZE size;
    if (!r.require(&hlsq, fault)) return false;
    // Drivers do not write what says that there is no private memory; a shader that wants some faults.
    param = r.get<hw::SP_VS_PVT_MEM_PARAM>();
    address = r.get<hw::SP_VS_PVT_MEM_ADDR>();
    size = r.get<hw::SP_VS_PVT_MEM_SIZE>();
    if (!hlsq.value.enabled) return fail(fault, FaultKind::Hardware, "HLSQ_VS_CNTL: no vertex shader");
    // What was not loaded is 0.
    constants_.assign(size_t(hlsq.value.constlen) * 4, 0);
    const std::vector<uint32_t>& loaded = machine.stages[size_t(Stage::Vertex)].constants;
    std::copy_n(loaded.begin(), std::min(loaded.size(), constants_.size()), constants_.begin());
    wave_->constants = constants_;
    wave_->writable_constants = constants_;
    wave_->preamble_done = false;
    if (address.value && param.value.memsizeperitem * kWaveLanes > size.value.totalpvtmemsize)
        return fail(fault, FaultKind::Hardware, "SP_VS_PVT_MEM_SIZE is too small for a wave");
    wave_->private_va = address.value;
    wave_->private_B = param.value.memsizeperitem;
    return true;
}

bool VertexStage::init(Machine& machine, Fault* fault) {
    const Registers& r = machine.registers;
    hw::SP_VS_CTRL_REG0 control;
    hw::SP_VS_OBJ_START start;
    hw::SP_VS_OBJ_FIRST_EXEC_OFFSET first;
    hw::SP_VS_INSTRLEN length;
    if (!r.require(&control, fault) || !r.require(&start, fault) || !r.require(&first, fault) ||
        !r.require(&length, fault))
        return false;
    if (!wave_) wave_ = std::make_unique<Wave>();
    if (!fetch_.init(machine, fault) || !decode_outputs(r, fault) || !decode_memory(machine, fault))
        return false;
    wave_->groups = kWaveLanes / kGroupLanes;
    wave_->merged_registers = control.mergedregs;
    wave_->full_registers = control.fullregfootprint;
    wave_->half_registers = control.halfregfootprint;
    wave_->branch_stack = control.branchstack;
    wave_->demote_constants =
        !r.is_set(hw::SP_MODE_CONTROL::kRegister) || r.get<hw::SP_MODE_CONTROL>().constant_demotion_enable;
    code_va_ = start.value + first.value;
    code_B_ = uint64_t(length.value) * kInstrlenUnit_B;
    return true;
}

bool VertexStage::read_outputs(unsigned count, uint32_t* values, Fault* fault) const {
    for (const Output& o : outputs_) {
        if (!wave_->arrived(isa::Reg{o.reg}, false))
            return fail(fault, FaultKind::Shader,
                        "vertex shader: it ends before r" + std::to_string(o.reg / 4) + "." +
                            "xyzw"[o.reg % 4] + ", an output, has its result");
        for (unsigned g = 0; g * kGroupLanes < count; ++g) {
            U32 group;
            if (!wave_->get_group(isa::Reg{o.reg}, false, g, &group))
                return fail(fault, FaultKind::Hardware,
                            "SP_VS_OUT: r" + std::to_string(o.reg / 4) + " cannot be read");
            const unsigned lanes = std::min(kGroupLanes, count - g * kGroupLanes);
            uint32_t* to = values + size_t(g) * kGroupLanes * stride_ + o.location;
            for (unsigned lane = 0; lane < lanes; ++lane, to += stride_)
                *to = group[lane];
        }
    }
    return true;
}

bool VertexStage::run(Machine& machine, WaveRunner& runner, const std::vector<VertexInvocation>& v,
                      VertexOutputs* out, Fault* fault) {
    out->words = stride_;
    out->values.assign(v.size() * stride_, 0);
    for (size_t at = 0; at < v.size(); at += kWaveLanes) {
        const unsigned n = unsigned(std::min<size_t>(kWaveLanes, v.size() - at));
        wave_->lanes = LaneMask::first(n);
        wave_->helpers = wave_->killed = {};
        wave_->forget_registers();
        if (!fetch_.load(machine.memory, &v[at], n, wave_.get(), fault)) return false;
        std::string why;
        if (!runner.run(*wave_, code_va_, code_B_, &why))
            return fail(fault, FaultKind::Shader, "vertex shader: " + why);
        if (!read_outputs(n, out->values.data() + at * stride_, fault)) return false;
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
