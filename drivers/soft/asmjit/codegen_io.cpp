// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader inputs and outputs: attributes, varyings, built-ins, uniforms, outputs; and local arrays.
#include "drivers/soft/asmjit/codegen.h"

namespace terrazzo::soft::tier1 {

using ir::Sysval;
using ir::Type;

Codegen::V Codegen::corner(unsigned axis) {
    if (corner_[axis].kind != V::Kind::None) return corner_[axis];
    return corner_[axis] = at_top([&] {
               const Row columns = {0, 1, 0, 1, 2, 3, 2, 3}, rows = {0, 0, 1, 1, 0, 0, 1, 1};
               const auto array_B = axis ? offsetof(FragmentArgs, y) : offsetof(FragmentArgs, x);
               const Ymm d = fresh();
               cc_.vpbroadcastd(d, x86::ptr(args_, block_, 2, int32_t(array_B)));
               cc_.vpaddd(d, d, pattern(axis ? rows : columns));
               return emit(Inst::kIdVcvtdq2ps, d);
           });
}

/// The coordinates of the pixels' centres, or of samples.
Codegen::V Codegen::pixel(unsigned axis) {
    if (pixel_[axis].kind != V::Kind::None) return pixel_[axis];
    return pixel_[axis] = at_top([&] {
               const V from = corner(axis);
               const auto within_B = offsetof(FragmentArgs, centre) + axis * sizeof(float);
               return emit(Inst::kIdVaddps, from, broadcast(x86::ptr(args_, int32_t(within_B))));
           });
}

Codegen::V Codegen::from_origin(unsigned axis) {
    if (from_origin_[axis].kind != V::Kind::None) return from_origin_[axis];
    return from_origin_[axis] = at_top([&] {
               const V centre = pixel(axis);
               const auto origin_B = axis ? offsetof(PrimitiveSetup, y0) : offsetof(PrimitiveSetup, x0);
               return emit(Inst::kIdVsubps, centre, broadcast(x86::ptr(setup_, int32_t(origin_B))));
           });
}

/// (a0 + x * dadx) + y * dady, in this order, as the pipeline computes depth.
Codegen::V Codegen::plane(const Gp& pointer, int32_t offset_B) {
    return plane_over(from_origin(0), from_origin(1), pointer, offset_B);
}

Codegen::V Codegen::plane_over(const V& x, const V& y, const Gp& pointer, int32_t offset_B) {
    const auto member = [&](size_t at_B) { return broadcast(x86::ptr(pointer, offset_B + int32_t(at_B))); };
    const V across = emit(Inst::kIdVmulps, x, member(offsetof(Plane, dadx)));
    const V at_row = emit(Inst::kIdVaddps, across, member(offsetof(Plane, a0)));
    return emit(Inst::kIdVaddps, at_row, emit(Inst::kIdVmulps, y, member(offsetof(Plane, dady))));
}

/// w of each pixel.
Codegen::V Codegen::perspective() {
    if (perspective_.kind != V::Kind::None) return perspective_;
    return perspective_ = at_top([&] {
               return emit(Inst::kIdVdivps, splat_f32(1), plane(setup_, offsetof(PrimitiveSetup, inv_w)));
           });
}

/// Columns have the order of the locations that are read.
Codegen::V Codegen::attribute(const ir::IoInfo& io) {
    const uint64_t below = info_.inputs_read & ((uint64_t(1) << io.slot) - 1);
    const uint32_t column = uint32_t(std::popcount(below)) * 4 + io.component;
    return load(x86::ptr(in_, int32_t(column * sizeof(float[kInStride]))));
}

unsigned Codegen::index_of(unsigned slot) const {
    unsigned index = 0;
    while (index < info_.slot_count && info_.slots[index] != slot)
        ++index;
    return index;
}

Codegen::Gp Codegen::planes() {
    const Gp p = fresh_gp();
    cc_.mov(p, x86::ptr(setup_, offsetof(PrimitiveSetup, varyings)));
    return p;
}

Codegen::V Codegen::load_input(const ir::IoInfo& io) {
    if (shader_.stage == ir::Stage::Vertex) return attribute(io);
    const unsigned key = io.slot * 4 + io.component + (unsigned(io.interp) << 16);
    const auto found = inputs_.find(key);
    if (found != inputs_.end()) return found->second;
    const auto compute = [&]() -> V {
        const int32_t offset_B = int32_t((index_of(io.slot) * 4 + io.component) * sizeof(Plane));
        const Gp planes = this->planes();
        switch (io.interp) {
            case ir::Interp::Flat:
                return broadcast(x86::ptr(planes, offset_B + int32_t(offsetof(Plane, a0))));
            case ir::Interp::NoPerspective:
                return plane(planes, offset_B);
            case ir::Interp::Smooth:
                break;
        }
        const V w = perspective();
        return emit(Inst::kIdVmulps, plane(planes, offset_B), w);
    };
    // In the body, the value is reused by all later code. In nested regions, it is computed at the top of the
    // loop.
    V& v = inputs_[key];
    v = depth_ ? at_top(compute) : compute();
    keep(v);
    return v;
}

/// Interpolation at an offset from the pixel's centre. Lowering has made the operands two offsets.
Codegen::V Codegen::load_input_at(const ir::Instr& i) {
    const ir::IoInfo& io = i.u.io;
    const int32_t offset_B = int32_t((index_of(io.slot) * 4 + io.component) * sizeof(Plane));
    const Gp base = planes();
    if (io.interp == ir::Interp::Flat)
        return broadcast(x86::ptr(base, offset_B + int32_t(offsetof(Plane, a0))));
    const auto from_origin = [&](unsigned axis, size_t origin_B) {
        const V centre = emit(Inst::kIdVaddps, corner(axis), splat_f32(0.5f));
        const V at = emit(Inst::kIdVaddps, centre, operand(i, axis));
        return emit(Inst::kIdVsubps, at, broadcast(x86::ptr(setup_, int32_t(origin_B))));
    };
    const V x = from_origin(0, offsetof(PrimitiveSetup, x0)),
            y = from_origin(1, offsetof(PrimitiveSetup, y0));
    const V v = plane_over(x, y, base, offset_B);
    if (io.interp == ir::Interp::NoPerspective) return v;
    const V inv_w = plane_over(x, y, setup_, offsetof(PrimitiveSetup, inv_w));
    return emit(Inst::kIdVmulps, v, emit(Inst::kIdVdivps, splat_f32(1), inv_w));
}

Codegen::V Codegen::vertex_ids() {
    const Gp ids = fresh_gp(), first = fresh_gp();
    cc_.mov(ids, x86::ptr(args_, offsetof(VertexArgs, ids)));
    cc_.mov(first, block_);
    cc_.shl(first, 5);
    return load(x86::ptr(ids, first));
}

/// A row of ComputeArgs::ids.
Codegen::V Codegen::local_id(unsigned n) {
    const Gp row = fresh_gp(), at_B = fresh_gp();
    cc_.mov(row, x86::ptr(args_, int32_t(offsetof(ComputeArgs, ids) + n * sizeof(uint32_t*))));
    cc_.mov(at_B, block_);
    cc_.shl(at_B, 5);
    return load(x86::ptr(row, at_B));
}

Codegen::V Codegen::load_sysval(const ir::IoInfo& io) {
    if (const int target = last_color(io.slot); target >= 0)
        return load(output(unsigned(target) * 4 + io.component));
    switch (Sysval(io.slot)) {
        case Sysval::VertexId:
            return vertex_ids();
        case Sysval::InstanceId:
            return broadcast(x86::ptr(args_, offsetof(VertexArgs, instance)));
        case Sysval::FragCoord:
            if (io.component < 2) return pixel(io.component);
            return plane(setup_,
                         io.component == 2 ? offsetof(PrimitiveSetup, z) : offsetof(PrimitiveSetup, inv_w));
        case Sysval::PointCoord: {
            return plane(planes(), int32_t((info_.slot_count * 4 + io.component) * sizeof(Plane)));
        }
        case Sysval::FrontFacing: {
            const Gp front = fresh_gp().r32();
            const x86::Xmm low = fresh().xmm();
            cc_.movzx(front, x86::byte_ptr(setup_, offsetof(PrimitiveSetup, front_facing)));
            cc_.neg(front);
            cc_.vmovd(low, front);
            return emit(Inst::kIdVpbroadcastd, V(low.ymm()));
        }
        case Sysval::SamplePos:
            return broadcast(x86::ptr(args_, int32_t(offsetof(FragmentArgs, centre) + io.component * 4)));
        case Sysval::SampleMaskIn:
            return load(x86::ptr(out_, int32_t(offsetof(FragmentArgs, coverage))));
        case Sysval::SampleId:
            return broadcast(x86::ptr(args_, int32_t(offsetof(FragmentArgs, sample_id))));
        case Sysval::NumSamples:
            return broadcast(x86::ptr(args_, int32_t(offsetof(FragmentArgs, num_samples))));
        case Sysval::SamplePositions:
            return broadcast(
                x86::ptr(args_, int32_t(offsetof(FragmentArgs, sample_positions) + io.component * 4)));
        case Sysval::HelperInvocation:
            return bit_not(lanes_of(mask_in_));
        case Sysval::WorkGroupId:
            return broadcast(x86::ptr(args_, int32_t(offsetof(ComputeArgs, group) + io.component * 4)));
        case Sysval::NumWorkGroups:
            return broadcast(x86::ptr(args_, int32_t(offsetof(ComputeArgs, groups) + io.component * 4)));
        case Sysval::LocalInvocationId:
            return local_id(io.component);
        case Sysval::LocalInvocationIndex:
            return local_id(3);
        case Sysval::BaseVertex:
        case Sysval::BaseInstance:
        case Sysval::DrawId:
        case Sysval::PrimitiveId:
        case Sysval::InvocationId:
        case Sysval::PatchVertices:
        case Sysval::TessCoord:
        case Sysval::LastColor0:
        case Sysval::LastColor7:
            break;
    }
    return splat(0);
}

/// The words at base + offset_B + 4 * index of all lanes.
Codegen::V Codegen::gather(const Gp& base, int32_t offset_B, const V& index) {
    const Ymm d = zero(), all = reg(splat(~0u));
    cc_.vpgatherdd(d, x86::ptr(base, reg(index), 2, offset_B), all);
    return d;
}

Codegen::V Codegen::load_uniform(const ir::Instr& i) {
    const Type type = i.result()->type;
    const uint32_t offset_B = i.u.io.slot * 4;
    if (type == Type::I64) problem_ = "64-bit integers";
    if (!i.operand_count) return from_words(V(V::Kind::Uniform, offset_B), type);
    const V limit = splat(i.u.io.count ? i.u.io.count - 1 : 0);
    const V index = emit_commuting(Inst::kIdVpminud, operand(i, 0), limit);
    if (alike(i.operand(0)))
        return from_words(broadcast(x86::ptr(uniforms_, first_lane(index), 2, int32_t(offset_B))), type);
    return from_words(gather(uniforms_, int32_t(offset_B), index), type);
}

/// The memory of an output of this block.
x86::Mem Codegen::output(unsigned key) {
    if (shader_.stage == ir::Stage::Vertex) {
        unsigned index = 0;
        while (index < info_.slot_count && info_.slots[index] != key / 4)
            ++index;
        const Gp at_B = fresh_gp();
        cc_.imul(at_B, out_stride_, (index * 4 + key % 4) * sizeof(float));
        return x86::ptr(out_, at_B);
    }
    return x86::ptr(out_, int32_t(output_offset_B(key / 4, key % 4)));
}

void Codegen::store_output(const ir::Instr& i) {
    const unsigned key = i.u.io.slot * 4 + i.u.io.component;
    const V v = as_words(operand(i, 0), i.operand(0)->type);
    const auto nested = nested_outputs_.find(key);
    if (nested == nested_outputs_.end()) return store(v, output(key));
    hand_over(nested->second, v, depth_ == 0);
}

void Codegen::clear(const Gp& base, int32_t offset_B, unsigned rows) {
    const Ymm none = zero();
    if (rows <= 24) {
        for (unsigned n = 0; n < rows; ++n)
            store(none, x86::ptr(base, offset_B + int32_t(n) * kRow_B));
        return;
    }
    const Gp p = address(x86::ptr(base, offset_B)), left = fresh_gp().r32();
    const Label again = cc_.newLabel();
    cc_.mov(left, rows);
    cc_.bind(again);
    cc_.vmovups(x86::ptr(p), none);
    cc_.add(p, kRow_B);
    cc_.sub(left, 1);
    cc_.jnz(again);
}

int32_t Codegen::reserve(uint32_t size_B) {
    const uint32_t at_B = work_used_B_, rows_B = (size_B + uint32_t(kRow_B) - 1) & ~(uint32_t(kRow_B) - 1);
    if (!has_room(rows_B)) {
        problem_ = "its calls need more than kWorkArea_B";
        return 0;
    }
    work_used_B_ += rows_B;
    return int32_t(at_B);
}

Codegen::Gp Codegen::work_area() {
    const Gp p = fresh_gp();
    cc_.mov(p, x86::ptr(args_, offsetof(VertexArgs, work)));
    return p;
}

Codegen::Gp Codegen::array_area() {
    const Gp p = fresh_gp();
    cc_.mov(p, x86::ptr(args_, offsetof(VertexArgs, arrays)));
    return p;
}

/// Places the arrays after the row that lanes that do not run write to.
void Codegen::make_vars() {
    uint32_t rows = 1;
    for (const ir::Var* v : shader_.vars()) {
        if (v->storage != ir::Storage::Local) continue;
        if (v->type == Type::I64) problem_ = "64-bit integers";
        vars_[v->id] = int32_t(rows) * kRow_B;
        rows += v->count;  // describe_shader() has checked the sum
    }
    if (rows > 1 && !problem_) clear(array_area(), kRow_B, rows - 1);
}

/// The array element that each lane accesses, clamped to the variable as the interpreter does.
Codegen::V Codegen::element(const ir::Instr& i, unsigned index_operand) {
    const V limit = splat(i.var->count - 1);
    const V index = emit_commuting(Inst::kIdVpminud, operand(i, index_operand), limit);
    if (!i.u.io.component) return index;
    return emit(Inst::kIdVpminud, emit(Inst::kIdVpaddd, index, splat(i.u.io.component)), limit);
}

namespace {

constexpr std::array<uint32_t, kLanes> kLaneNumbers = {0, 1, 2, 3, 4, 5, 6, 7};

}  // namespace

/// The memory row of an element that all lanes share.
x86::Mem Codegen::row_at(const ir::Var& var, const V& index) {
    const Gp offset_B = first_lane(index);
    cc_.shl(offset_B, 5);
    return x86::ptr(array_area(), offset_B, 0, vars_[var.id]);
}

Codegen::V Codegen::load_var(const ir::Instr& i) {
    const int32_t first_B = vars_[i.var->id];
    if (!i.operand_count) return load(x86::ptr(array_area(), first_B + int32_t(i.u.io.component) * kRow_B));
    const V index = element(i, 0);
    if (alike(i.operand(0))) return load(row_at(*i.var, index));
    const Ymm word = fresh();
    cc_.vpslld(word, reg(index), 3);
    cc_.vpaddd(word, word, pattern(kLaneNumbers));
    return gather(array_area(), first_B, word);
}

void Codegen::store_var(const ir::Instr& i) {
    const int32_t first_B = vars_[i.var->id];
    const V v = operand(i, 0);
    if (i.operand_count == 1 || alike(i.operand(1))) {
        const x86::Mem to = i.operand_count == 1
                                ? x86::ptr(array_area(), first_B + int32_t(i.u.io.component) * kRow_B)
                                : row_at(*i.var, element(i, 1));
        return store(depth_ ? blend(exec_, v, load(to)) : v, to);
    }
    if (rows_ == kNowhere) rows_ = reserve(kRows * uint32_t(kRow_B));
    const Ymm word = fresh();
    const V spare = splat(uint32_t(-(first_B / kRow_B)));  // the area's first row
    cc_.vpslld(word, reg(blend(exec_, element(i, 1), spare)), 3);
    cc_.vpaddd(word, word, pattern(kLaneNumbers));
    const Gp base = array_area(), work = work_area(), at = fresh_gp(), w = fresh_gp().r32();
    store(word, in_work(work, rows_));
    store(v, in_work(work, rows_ + kRow_B));
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const int32_t lane_B = rows_ + int32_t(lane) * 4;
        cc_.movsxd(at, in_work(work, lane_B, 4));
        cc_.mov(w, in_work(work, lane_B + kRow_B, 4));
        cc_.mov(x86::dword_ptr(base, at, 2, first_B), w);
    }
}

}  // namespace terrazzo::soft::tier1
