// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/interp/lower_samples.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::soft {

namespace {

using ir::InterpAt;
using ir::Op;
using ir::Sysval;
using ir::Type;
using ir::Value;

/// Component `axis` of the offset of sample `index` from the centre, px. Shifts use five bits, so that any
/// index is some sample.
Value* sample_offset(ir::Builder& b, Value* index, uint32_t axis) {
    Value* const all = b.load_sysval(Sysval::SamplePositions, axis, Type::I32);
    Value* const left = b.alu(Op::ISub, b.i32(28), b.imul(index, b.i32(4)));
    Value* const sixteenths = b.alu(Op::IShr, b.alu(Op::IShl, all, left), b.i32(28));
    return b.fmul(b.convert(Op::I2F, Type::F32, sixteenths), b.f32(1.0f / 16));
}

Value* centroid_offset(ir::Builder& b, uint32_t axis) {
    Value* const covered = b.load_sysval(Sysval::SampleMaskIn, 0, Type::I32);
    Value* const samples = b.load_sysval(Sysval::NumSamples, 0, Type::I32);
    Value* const all = b.alu(Op::ISub, b.alu(Op::IShl, b.i32(1), samples), b.i32(1));
    Value* const first = sample_offset(b, b.alu(Op::FindLsb, covered), axis);
    // Helper invocations have no covered samples.
    Value* const whole = b.ior(b.alu(Op::IEq, covered, all), b.alu(Op::IEq, covered, b.i32(0)));
    return b.select(whole, b.f32(0), first);
}

bool has_place(const ir::Instr& i) {
    const bool place = i.op == Op::LoadInputAt && i.u.io.interp_at != InterpAt::Center;
    return place || (i.op == Op::LoadInput && i.u.io.interp_at == InterpAt::Centroid);
}

void lower(ir::Shader& s, ir::Instr* i) {
    ir::Builder b(s, i);
    b.line = i->line;
    ir::IoInfo io = i->u.io;
    const InterpAt at = io.interp_at;
    io.interp_at = InterpAt::Center;
    Value* v = nullptr;
    if (io.interp == ir::Interp::Flat) {
        v = b.load_input(i->result()->type, io.slot, io.component, io.interp);
    } else {
        Value* offset[2];
        for (uint32_t axis = 0; axis < 2; ++axis)
            offset[axis] =
                at == InterpAt::Sample ? sample_offset(b, i->operand(0), axis) : centroid_offset(b, axis);
        v = b.load_at(Op::LoadInputAt, nullptr, io, i->result()->type, offset);
    }
    ir::replace_uses(i->result(), v);
    ir::erase(i);
}

}  // namespace

bool lower_sample_places(ir::Shader& s) {
    if (s.stage != ir::Stage::Fragment) return false;
    bool changed = false;
    ir::for_each(s.body, [&](ir::Instr* i) {
        if (!has_place(*i)) return;
        lower(s, i);
        changed = true;
    });
    return changed;
}

}  // namespace terrazzo::soft
