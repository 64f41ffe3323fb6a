// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/interp/interface.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "shaders/passes/clamp_indices.h"

namespace terrazzo::soft {

namespace {

using ir::Op;

struct SlotUse {
    uint8_t components = 0;
    ir::Interp interp = ir::Interp::Smooth;
};

class Describer {
  public:
    Describer(const ir::Shader& s, CompiledShader* out) : shader_(s), out_(*out) {}

    const char* run() {
        out_.early_tests = fragment() && shader_.info.early_fragment_tests;
        const uint64_t scalars = ir::private_scalars(shader_);
        if (scalars > ir::kMaxPrivateScalars) return "its arrays have more scalars than kMaxPrivateScalars";
        out_.private_scalars = uint32_t(scalars);
        region(*shader_.body);
        if (!problem_) list_slots();
        const bool second = out_.outputs_written >> unsigned(ir::FragSlot::Second) & 1;
        out_.constant = fragment() && !varies_ && !out_.uses_discard && !out_.writes_depth && !second &&
                        !out_.writes_sample_mask;
        return problem_;
    }

  private:
    bool fragment() const { return shader_.stage == ir::Stage::Fragment; }
    bool compute() const { return ir::is_kernel(shader_.stage); }
    void region(const ir::Region& r) {
        for (const ir::Instr* i = r.first; i && !problem_; i = i->next) {
            instr(*i);
            for (unsigned n = 0; n < i->region_count; ++n)
                region(*i->regions[n]);
        }
    }
    void instr(const ir::Instr& i);
    void tex(const ir::TexInfo& t);
    void input(const ir::IoInfo& io);
    void output(const ir::IoInfo& io);
    void sysval(const ir::IoInfo& io);
    void memory(const ir::Instr& i);
    void list_slots();

    const ir::Shader& shader_;
    CompiledShader& out_;
    const char* problem_ = nullptr;
    bool varies_ = false;  // some input differs between the fragments of a draw
    SlotUse used_[64];
};

void Describer::input(const ir::IoInfo& io) {
    if (io.component > 3) problem_ = "an input component is out of range";
    if (!fragment()) {
        if (io.slot >= kMaxInputs) problem_ = "an attribute location is out of range";
        out_.inputs_read |= uint64_t(1) << (io.slot & 63);
        return;
    }
    if (io.slot >= 64) {
        problem_ = "a varying slot is out of range";
        return;
    }
    used_[io.slot].components |= uint8_t(1u << (io.component & 3));
    used_[io.slot].interp = io.interp;
    out_.inputs_read |= uint64_t(1) << io.slot;
    if (io.interp == ir::Interp::Smooth) out_.reads_z_or_w = true;
    if (io.interp_at == ir::InterpAt::Sample) out_.per_sample = true;
}

void Describer::output(const ir::IoInfo& io) {
    if (io.slot >= 64 || io.component > 3) {
        problem_ = "an output is out of range";
        return;
    }
    if (fragment() && io.slot == unsigned(ir::FragSlot::Stencil))
        problem_ = "stencil outputs are not known to this driver";
    if (fragment() && io.slot == unsigned(ir::FragSlot::SampleMask)) out_.writes_sample_mask = true;
    out_.outputs_written |= uint64_t(1) << io.slot;
    used_[io.slot].components |= uint8_t(1u << io.component);
    if (fragment() && io.slot == unsigned(ir::FragSlot::Depth)) out_.writes_depth = true;
}

void Describer::sysval(const ir::IoInfo& io) {
    if (const int target = last_color(io.slot); target >= 0) {
        out_.colors_read |= uint8_t(1u << target);
        return;
    }
    switch (ir::Sysval(io.slot)) {
        case ir::Sysval::FragCoord:
            if (io.component >= 2) out_.reads_z_or_w = true;
            break;
        case ir::Sysval::PointCoord:
            out_.reads_point_coord = true;
            break;
        case ir::Sysval::SampleId:
        case ir::Sysval::SamplePos:
            out_.per_sample = true;
            break;
        case ir::Sysval::SampleMaskIn:
            out_.reads_coverage = true;
            break;
        case ir::Sysval::VertexId:
        case ir::Sysval::InstanceId:
        case ir::Sysval::BaseVertex:
        case ir::Sysval::BaseInstance:
        case ir::Sysval::DrawId:
        case ir::Sysval::FrontFacing:
        case ir::Sysval::NumSamples:
        case ir::Sysval::SamplePositions:
        case ir::Sysval::HelperInvocation:
        case ir::Sysval::PrimitiveId:
        case ir::Sysval::InvocationId:
        case ir::Sysval::PatchVertices:
        case ir::Sysval::TessCoord:
        case ir::Sysval::LastColor0:
        case ir::Sysval::LastColor7:
            break;
        case ir::Sysval::WorkGroupId:
        case ir::Sysval::LocalInvocationId:
        case ir::Sysval::LocalInvocationIndex:
        case ir::Sysval::NumWorkGroups:
            if (!compute()) problem_ = "a compute built-in is read";
            break;
    }
}

void Describer::tex(const ir::TexInfo& t) {
    if (t.binding < 0) problem_ = "a sampler has no slot: the program is not linked";
    switch (t.op) {
        case ir::TexOp::Sample:
        case ir::TexOp::SampleBias:
        case ir::TexOp::QueryLod:
            if (fragment()) out_.uses_derivatives = true;
            break;
        case ir::TexOp::SampleLod:
        case ir::TexOp::SampleGrad:
        case ir::TexOp::Fetch:
        case ir::TexOp::FetchMS:
        case ir::TexOp::Gather:
        case ir::TexOp::Size:
        case ir::TexOp::Levels:
            break;
    }
}

void Describer::memory(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    if (m.element_B != 4) problem_ = "stores of bytes are not known to this driver";
    if (m.space == ir::Storage::Shared) {
        if (!compute()) problem_ = "shared memory of a stage that is not compute";
        return;
    }
    const bool block = m.space == ir::Storage::UniformBlock, image = m.space == ir::Storage::Image;
    const uint32_t most = block ? ir::kMaxUniformBlocks : image ? ir::kMaxImages : ir::kAllStorageBuffers;
    if (m.binding < 0 || uint64_t(m.binding) + m.count > most)
        problem_ = "a slot of a buffer or an image is out of range: the program is not linked";
    if (problem_) return;
    const uint32_t slots = uint32_t(((uint64_t(1) << m.count) - 1) << m.binding);
    if (!block) {
        varies_ = true;
        (image ? out_.images : out_.storage_buffers) |= slots;
        if (ir::writes_memory(i.op)) out_.writes_memory = true;
        return;
    }
    out_.blocks |= slots;
    const auto grow = [](uint32_t& to_B, uint64_t end_B) {
        to_B = std::max(to_B, uint32_t(std::min<uint64_t>(end_B, kMaxUniformBlock_B)));
    };
    // The size is the bound range's. Offsets that may wrap have no bound.
    const uint64_t offset_B =
        i.op == Op::LoadBuffer ? ir::largest_value(i.operand(0)) + m.offset_B : UINT32_MAX;
    for (uint32_t rest = slots; rest; rest &= rest - 1)
        grow(out_.block_extent_B[std::countr_zero(rest)],
             offset_B < UINT32_MAX ? offset_B + m.words * 4u : kMaxUniformBlock_B);
    if (i.op != Op::LoadBuffer || m.indexed || !ir::is_const(i.operand(0))) return;
    grow(out_.block_reach_B[m.binding], uint64_t(block_offset_B(i)) + m.words * 4u);
}

void Describer::instr(const ir::Instr& i) {
    switch (i.op) {
        case Op::LoadInput:
        case Op::LoadInputAt:
            varies_ = true;
            return input(i.u.io);
        case Op::StoreOutput:
            return output(i.u.io);
        case Op::LoadSysval:
            varies_ = true;
            return sysval(i.u.io);
        case Op::Tex:
            varies_ = true;
            return tex(*i.u.tex);
        case Op::Discard:
            out_.uses_discard = true;
            return;
        case Op::FDdx:
        case Op::FDdy:
        case Op::FDdxFine:
        case Op::FDdyFine:
            out_.uses_derivatives = true;
            return;
        case Op::LoadVar:
        case Op::StoreVar:
        case Op::LoadVarAt:
            if (i.var->storage != ir::Storage::Local)
                problem_ = "an interface variable is left: the program is not linked";
            return;
        case Op::Barrier:
            if (i.u.mem->execution != ir::MemScope::None) out_.waits = compute();
            return;
        default:
            if (ir::is_memory(i.op)) memory(i);
            return;
    }
}

void Describer::list_slots() {
    const uint64_t bits = fragment() ? out_.inputs_read : out_.outputs_written;
    for (unsigned s = 0; s < 64; ++s) {
        if (!(bits >> s & 1)) continue;
        if (out_.slot_count == std::size(out_.slots)) {
            problem_ = "too many varyings";
            return;
        }
        out_.slots[out_.slot_count] = uint8_t(s);
        out_.components[out_.slot_count] = used_[s].components;
        out_.interp[out_.slot_count] = uint8_t(used_[s].interp);
        ++out_.slot_count;
    }
}

}  // namespace

void call_memory(MemoryCall* call) {
    ir::MemInfo info;
    info.op = call->atomic;
    info.words = call->words;
    info.count = call->count;
    info.offset_B = call->offset_B;
    const auto fill = [&](auto& a) {
        a.op = call->op;
        a.info = &info;
        a.slots = static_cast<decltype(a.slots)>(call->slots);
        a.lanes = kLanes;
        a.mask = call->mask;
        a.index = call->indexed ? call->index : nullptr;
        for (unsigned n = 0; n < 4; ++n) {
            a.value[n] = call->value[n];
            a.out[n] = call->out[n];
        }
    };
    if (!ir::is_image(call->op)) {
        ir::BufferAccess a;
        fill(a);
        a.offset = call->place[0];
        return ir::access_buffer(a);
    }
    info.dim = call->dim;
    info.arrayed = call->arrayed;
    info.format = call->format;
    const int places = ir::mem_operands(call->op, info).place_count;
    ir::ImageAccess a;
    fill(a);
    for (int n = 0; n < places; ++n)
        a.coord[n] = call->place[n];
    ir::access_image(a);
}

void wait_at_barrier(ComputeArgs* args) {
    args->wait(args);
}

const char* describe_shader(const ir::Shader& shader, CompiledShader* out) {
    return Describer(shader, out).run();
}

TexMode tex_mode(const ir::TexInfo& t, ir::Stage stage) {
    switch (t.op) {
        case ir::TexOp::Sample:
            return stage == ir::Stage::Fragment ? TexMode::Implicit : TexMode::Lod;
        case ir::TexOp::SampleBias:
            return stage == ir::Stage::Fragment ? TexMode::Bias : TexMode::Lod;
        case ir::TexOp::SampleGrad:
            return TexMode::Grad;
        case ir::TexOp::Fetch:
        case ir::TexOp::FetchMS:
            return TexMode::Fetch;
        case ir::TexOp::Gather:
            return t.offset_operands ? TexMode::GatherOffset : TexMode::Gather;
        case ir::TexOp::QueryLod:
            return TexMode::QueryLod;
        case ir::TexOp::SampleLod:
        case ir::TexOp::Size:
        case ir::TexOp::Levels:
            break;
    }
    return TexMode::Lod;
}

int32_t tex_offset(const ir::TexInfo& t, unsigned axis) {
    return axis == 2 && t.op == ir::TexOp::Gather ? t.gather_component : t.offset[axis];
}

TexCoordinates tex_coordinates(const ir::TexInfo& t) {
    TexCoordinates c;
    int n = ir::tex_operands(t).coord;
    c.s = n++;
    if (t.dim != ir::TexDim::D1 && t.dim != ir::TexDim::Buffer) c.t = n++;
    if (t.dim == ir::TexDim::D3 || t.dim == ir::TexDim::Cube) c.r = n++;
    if (t.arrayed && t.op != ir::TexOp::QueryLod) c.layer = n;
    return c;
}

void sample_indexed(TexCall* call, const TextureUnit* units, const uint32_t index[kLanes], uint32_t first,
                    uint32_t count) {
    float result[4][kLanes] = {};
    const LaneMask wanted = call->mask;
    for (LaneMask rest = wanted; rest;) {
        const uint32_t value = index[__builtin_ctz(rest)];
        call->mask = 0;
        for (unsigned i = 0; i < kLanes; ++i)
            if ((rest >> i & 1) && index[i] == value) call->mask |= 1u << i;
        rest &= ~call->mask;
        call->unit = &units[first + std::min(value, count - 1)];
        call->unit->sample(call);
        for (unsigned i = 0; i < kLanes; ++i)
            for (unsigned c = 0; c < 4 && (call->mask >> i & 1); ++c)
                result[c][i] = call->out[c][i];
    }
    call->mask = wanted;
    std::memcpy(call->out, result, sizeof result);
}

void texture_size(const TextureUnit* unit, const int32_t lod[kLanes], bool arrayed, uint32_t out[3][kLanes]) {
    const bool cube = unit->kind == pipe::ResourceKind::Cube || unit->kind == pipe::ResourceKind::CubeArray;
    for (unsigned i = 0; i < kLanes; ++i) {
        out[0][i] = out[1][i] = out[2][i] = 0;
        if (lod[i] < 0 || lod[i] > unit->last_level - unit->first_level) continue;
        const TextureUnit::Level& l = unit->levels[unit->first_level + lod[i]];
        out[0][i] = uint32_t(l.width);
        out[1][i] = uint32_t(l.height);
        out[2][i] = uint32_t(arrayed ? (cube ? unit->layers / 6 : unit->layers) : l.depth);
    }
}

void texture_size_indexed(const TextureUnit* units, SizeRows* rows, uint32_t count, bool arrayed) {
    for (unsigned i = 0; i < kLanes; ++i) {
        const TextureUnit& unit = units[std::min(rows->row[SizeRows::kIndex][i], count - 1)];
        int32_t lod[kLanes];
        std::memcpy(lod, rows->row[SizeRows::kLod], sizeof lod);
        uint32_t size[3][kLanes];
        texture_size(&unit, lod, arrayed, size);
        for (unsigned n = 0; n < 3; ++n)
            rows->row[n][i] = size[n][i];
        rows->row[SizeRows::kLevels][i] = uint32_t(unit.last_level - unit.first_level + 1);
    }
}

}  // namespace terrazzo::soft
