// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/gather_info.h"

#include <algorithm>

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

}  // namespace

void gather_info(Shader& s) {
    ShaderInfo& info = s.info;
    info.inputs_read = info.outputs_written = 0;
    info.uses_discard = info.uses_derivatives = info.uses_front_facing = info.uses_point_coord = false;
    info.uses_frag_coord = info.reads_color = info.writes_depth = info.writes_memory = false;
    for_each(s.body, [&](Instr* i) {
        const IoInfo& io = i->u.io;
        switch (i->op) {
            case Op::LoadInput:
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
            case Op::StoreBuffer:
            case Op::AtomicBuffer:
            case Op::StoreImage:
            case Op::AtomicImage:
                info.writes_memory = true;
                break;
            default:
                break;
        }
    });
}

}  // namespace terrazzo::ir
