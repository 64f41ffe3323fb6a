// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/gather_info.h"

#include <algorithm>

#include "shaders/ir/memory.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

void sysval(ShaderInfo& info, Sysval s) {
    if (s == Sysval::FrontFacing) info.uses_front_facing = true;
    if (s == Sysval::PointCoord) info.uses_point_coord = true;
    if (s >= Sysval::LastColor0 && s <= Sysval::LastColor7) info.reads_color = true;
    if (s == Sysval::FragCoord) info.uses_frag_coord = true;
}

void texture(ShaderInfo& info, const TexInfo& t) {
    if (t.binding >= 0)
        info.sampler_count = std::max(info.sampler_count, uint32_t(t.binding) + (t.indexed ? t.count : 1));
    if (t.op == TexOp::Sample || t.op == TexOp::SampleBias || t.op == TexOp::QueryLod)
        info.uses_derivatives = true;
}

/// Bits of the slots that the access may reach. Slots beyond the bits of a mask are its last bit.
uint32_t slot_mask(const MemInfo& m) {
    if (m.binding < 0) return 0;
    const uint32_t first = std::min(uint32_t(m.binding), 31u), count = std::min(m.count, 32u - first);
    return uint32_t(((uint64_t(1) << count) - 1) << first);
}

void memory(ShaderInfo& info, Op op, const MemInfo& m) {
    const bool writes = writes_memory(op);
    // An atomic reads, too.
    const bool reads = !writes || op == Op::AtomicBuffer || op == Op::AtomicImage;
    switch (m.space) {
        case Storage::UniformBlock:
            info.uniform_blocks_read |= slot_mask(m);
            return;
        case Storage::Buffer:
            if (reads) info.buffers_read |= slot_mask(m);
            if (writes) info.buffers_written |= slot_mask(m);
            break;
        case Storage::Image:
            if (reads) info.images_read |= slot_mask(m);
            if (writes) info.images_written |= slot_mask(m);
            break;
        case Storage::Local:
        case Storage::Input:
        case Storage::Output:
        case Storage::Uniform:
        case Storage::Sampler:
        case Storage::Shared:
            return;
    }
    if (writes) info.writes_memory = true;
}

}  // namespace

void gather_info(Shader& s) {
    ShaderInfo& info = s.info;
    info.inputs_read = info.outputs_written = 0;
    info.uses_discard = info.uses_derivatives = info.uses_front_facing = info.uses_point_coord = false;
    info.uses_frag_coord = info.reads_color = info.writes_depth = info.writes_memory = false;
    info.uses_barriers = false;
    info.uniform_blocks_read = info.buffers_read = info.buffers_written = 0;
    info.images_read = info.images_written = 0;
    for_each(s.body, [&](Instr* i) {
        const IoInfo& io = i->u.io;
        switch (i->op) {
            case Op::LoadInput:
            case Op::LoadInputAt:
                info.inputs_read |= uint64_t(1) << io.slot;
                break;
            case Op::StoreOutput:
                info.outputs_written |= uint64_t(1) << io.slot;
                if (s.stage == Stage::Fragment && io.slot == unsigned(FragSlot::Depth))
                    info.writes_depth = true;
                break;
            case Op::LoadUniform: {
                const uint32_t last = io.slot + (i->operand_count ? io.count : 1);
                info.uniform_dw = std::max(info.uniform_dw, last);
                break;
            }
            case Op::LoadSysval:
                sysval(info, Sysval(io.slot));
                break;
            case Op::Tex:
                texture(info, *i->u.tex);
                break;
            case Op::FDdx:
            case Op::FDdy:
            case Op::FDdxFine:
            case Op::FDdyFine:
                info.uses_derivatives = true;
                break;
            case Op::Discard:
                info.uses_discard = true;
                break;
            case Op::LoadBuffer:
            case Op::StoreBuffer:
            case Op::AtomicBuffer:
            case Op::BufferSize:
            case Op::LoadImage:
            case Op::StoreImage:
            case Op::AtomicImage:
            case Op::ImageSize:
                memory(info, i->op, *i->u.mem);
                break;
            case Op::Barrier:
                if (i->u.mem->execution != MemScope::None) info.uses_barriers = true;
                break;
            default:
                break;
        }
    });
}

}  // namespace terrazzo::ir
