// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/link/stages.h"

#include <algorithm>
#include <array>

#include "shaders/ir/stage_buffers.h"

namespace terrazzo::shaders {

namespace {

using ir::Instr;
using ir::Op;
using ir::Stage;
using ir::Value;
namespace buffer = ir::stage_buffer;

/// Emits addresses in a kernel. Values that all addresses need are at its beginning.
class Kernel {
  public:
    explicit Kernel(ir::Shader& s) : s_(s), r_(s.info.records) {
        if (s.body->first) b_.set_before(s.body->first);
        prologue_end_ = b_.i32(0)->def;
    }

    /// Later instructions are emitted before `i`.
    void at(Instr* i) {
        place_ = i;
        b_.set_before(i);
        b_.line = i->line;
        b_.flags = 0;
    }
    ir::Builder& builder() { return b_; }

    Value* load(uint32_t binding, Value* offset, uint32_t offset_B, ir::Type t) {
        const std::array operands{offset};
        const std::array types{t};
        Instr* const i = s_.create(Op::LoadBuffer, operands, types);
        i->u.mem = s_.create_mem(access(binding, offset_B));
        return b_.insert(i)->result();
    }
    void store(uint32_t binding, Value* offset, uint32_t offset_B, Value* v) {
        const std::array operands{offset, v};
        Instr* const i = s_.create(Op::StoreBuffer, operands, {});
        i->u.mem = s_.create_mem(access(binding, offset_B));
        b_.insert(i);
    }
    /// The record of vertex `vertex` in kInput or kOutput.
    Value* input_record(Value* vertex) {
        Value* const per_primitive = r_.vertices_in ? b_.i32(int32_t(r_.vertices_in)) : patch_vertices();
        Value* const v = b_.iadd(b_.imul(primitive(), per_primitive), vertex_of_patch(vertex));
        return b_.imul(v, b_.i32(int32_t(ir::record_dw(r_.slots_in) * 4)));
    }
    Value* output_record(Value* vertex) {
        Value* v = s_.stage == Stage::TessControl ? primitive() : invocation();
        if (vertex) v = b_.iadd(b_.imul(v, b_.i32(int32_t(r_.vertices_out))), vertex);
        return b_.imul(v, b_.i32(int32_t(ir::record_dw(r_.slots_out) * 4)));
    }
    Value* patch_record() { return b_.imul(primitive(), b_.i32(int32_t(r_.patch_rows * 16))); }

    Value* index() {
        return once(0, [&] { return b_.load_sysval(ir::Sysval::LocalInvocationIndex, 0, ir::Type::I32); });
    }
    Value* group() {
        return once(1, [&] { return b_.load_sysval(ir::Sysval::WorkGroupId, 0, ir::Type::I32); });
    }
    /// The number of the invocation among all.
    Value* invocation() {
        Value *const g = group(), *const i = index();
        return once(2, [&] { return b_.iadd(b_.imul(g, b_.i32(int32_t(ir::kKernelGroup))), i); });
    }
    /// The invocation's primitive or patch.
    Value* primitive() {
        if (s_.stage == Stage::TessControl) return group();
        Value* const i = invocation();
        if (s_.stage == Stage::TessEval)
            return once(3, [&] { return load(buffer::kPoint, b_.imul(i, b_.i32(16)), 12, ir::Type::I32); });
        if (r_.invocations == 1) return i;
        return once(3, [&] { return b_.alu(Op::UDiv, i, b_.i32(int32_t(r_.invocations))); });
    }
    /// gl_in has room for the largest patch. After the vertices of the drawn one, there are another patch's,
    /// or none.
    Value* vertex_of_patch(Value* vertex) {
        if (s_.stage == Stage::Geometry) return vertex;
        const uint32_t at_least = std::max(1u, r_.vertices_in);
        if (ir::is_const(vertex) && ir::const_bits(vertex) < at_least) return vertex;
        return b_.alu(Op::UMin, vertex, b_.iadd(patch_vertices(), b_.i32(-1)));
    }
    Value* patch_vertices() {
        if (s_.stage == Stage::TessEval) return b_.i32(int32_t(r_.vertices_in));
        return once(4, [&] { return load(buffer::kParam, b_.i32(0), 4, ir::Type::I32); });
    }
    Value* sysval(ir::Sysval v, uint32_t component) {
        switch (v) {
            case ir::Sysval::PrimitiveId:
                return b_.iadd(primitive(), load(buffer::kParam, b_.i32(0), 0, ir::Type::I32));
            case ir::Sysval::InvocationId:
                if (s_.stage == Stage::TessControl) return index();
                return b_.alu(Op::UMod, invocation(), b_.i32(int32_t(r_.invocations)));
            case ir::Sysval::PatchVertices:
                return patch_vertices();
            case ir::Sysval::TessCoord:
                return load(buffer::kPoint, b_.imul(invocation(), b_.i32(16)), component * 4, ir::Type::F32);
            case ir::Sysval::VertexId:
            case ir::Sysval::InstanceId:
            case ir::Sysval::BaseVertex:
            case ir::Sysval::BaseInstance:
            case ir::Sysval::DrawId:
            case ir::Sysval::FragCoord:
            case ir::Sysval::PointCoord:
            case ir::Sysval::FrontFacing:
            case ir::Sysval::SampleId:
            case ir::Sysval::SamplePos:
            case ir::Sysval::SampleMaskIn:
            case ir::Sysval::NumSamples:
            case ir::Sysval::SamplePositions:
            case ir::Sysval::HelperInvocation:
            case ir::Sysval::WorkGroupId:
            case ir::Sysval::LocalInvocationId:
            case ir::Sysval::LocalInvocationIndex:
            case ir::Sysval::NumWorkGroups:
            case ir::Sysval::LastColor0:
            case ir::Sysval::LastColor7:
                break;
        }
        return nullptr;
    }

  private:
    template <class Make>
    Value* once(unsigned n, Make&& make) {
        if (known_[n]) return known_[n];
        b_.set_before(prologue_end_);
        known_[n] = make();
        b_.set_before(place_);
        return known_[n];
    }
    static ir::MemInfo access(uint32_t binding, uint32_t offset_B) {
        ir::MemInfo m;
        m.binding = int(binding);
        m.offset_B = offset_B;
        return m;
    }
    ir::Shader& s_;
    const ir::StageRecords& r_;
    ir::Builder b_{s_};
    Instr *prologue_end_ = nullptr, *place_ = nullptr;
    std::array<Value*, 5> known_{};
};

/// Component c of a variable: the dword in a record, or in rows of a patch.
uint32_t dword(const Target& t, uint32_t c, uint64_t slots) {
    return ir::slot_dw(slots, t.slot_of(c)) + t.column_of(c);
}
uint32_t patch_dword(const Target& t, uint32_t c) {
    return t.slot_of(c) * 4 + t.column_of(c);
}

/// Replaces a load of one of these variables; false: it loads another one.
bool lower_load(Kernel& k, Instr* i, const StageTargets& targets, bool input, uint64_t slots) {
    k.at(i);
    ir::Builder& b = k.builder();
    const uint32_t c = i->u.io.component;
    const ir::Type type = i->result()->type;
    Value* v = nullptr;
    if (const auto t = targets.vertex.find(i->var);
        t != targets.vertex.end() && t->second.has(c) && i->operand_count) {
        Value* const vertex = i->operand(0);
        v = k.load(input ? buffer::kInput : buffer::kOutput,
                   input ? k.input_record(vertex) : k.output_record(vertex), dword(t->second, c, slots) * 4,
                   type);
    } else if (const auto p = targets.patch.find(i->var); p != targets.patch.end()) {
        v = k.load(buffer::kPatch, k.patch_record(), patch_dword(p->second, c) * 4, type);
    } else {
        v = b.constant(type, 0);
    }
    ir::replace_uses(i->result(), v);
    ir::erase(i);
    return true;
}

}  // namespace

void lower_kernel_inputs(ir::Shader& s, const StageTargets& in, uint64_t slots, uint32_t patch_rows) {
    s.info.records.slots_in = slots;
    if (s.stage == Stage::TessEval) s.info.records.patch_rows = patch_rows;
    Kernel k(s);
    each_instruction(s.body, [&](Instr* i) {
        if (i->op == Op::LoadVar && i->var->storage == ir::Storage::Input) lower_load(k, i, in, true, slots);
    });
}

void lower_control_outputs(ir::Shader& s, const StageTargets& out, uint64_t slots, uint32_t patch_rows) {
    s.info.records.slots_out = slots;
    s.info.records.patch_rows = patch_rows;
    Kernel k(s);
    each_instruction(s.body, [&](Instr* i) {
        const bool load = i->op == Op::LoadVar;
        if ((!load && i->op != Op::StoreVar) || i->var->storage != ir::Storage::Output) return;
        if (load) {
            lower_load(k, i, out, false, slots);
            return;
        }
        k.at(i);
        const uint32_t c = i->u.io.component;
        if (const auto t = out.vertex.find(i->var);
            t != out.vertex.end() && t->second.has(c) && i->operand_count > 1)
            k.store(buffer::kOutput, k.output_record(i->operand(1)), dword(t->second, c, slots) * 4,
                    i->operand(0));
        else if (const auto p = out.patch.find(i->var); p != out.patch.end())
            k.store(buffer::kPatch, k.patch_record(), patch_dword(p->second, c) * 4, i->operand(0));
        ir::erase(i);
    });
}

void lower_kernel_outputs(ir::Shader& s) {
    using ir::EmitSlot;
    const auto is = [](const Instr* i, EmitSlot slot) { return i->u.io.slot == unsigned(slot); };
    uint64_t& slots = s.info.records.slots_out;
    slots = 0;
    each_instruction(s.body, [&](Instr* i) {
        if (i->op == Op::StoreOutput && !is(i, EmitSlot::EmitVertex) && !is(i, EmitSlot::VertexCount))
            slots |= uint64_t(1) << i->u.io.slot;
    });
    Kernel k(s);
    Value* vertex = nullptr;  // the vertex that is being emitted
    each_instruction(s.body, [&](Instr* i) {
        if (i->op != Op::StoreOutput) return;
        k.at(i);
        const uint32_t offset_B = (ir::slot_dw(slots, i->u.io.slot) + i->u.io.component) * 4;
        if (is(i, EmitSlot::EmitVertex))
            vertex = i->operand(0);
        else if (is(i, EmitSlot::VertexCount))
            k.store(buffer::kCount, k.builder().imul(k.invocation(), k.builder().i32(4)), 0, i->operand(0));
        else if (s.stage == Stage::TessEval || vertex)
            k.store(buffer::kOutput, k.output_record(vertex), offset_B, i->operand(0));
        ir::erase(i);
    });
}

void lower_kernel_sysvals(ir::Shader& s) {
    Kernel k(s);
    each_instruction(s.body, [&](Instr* i) {
        if (i->op != Op::LoadSysval) return;
        k.at(i);
        Value* const v = k.sysval(ir::Sysval(i->u.io.slot), i->u.io.component);
        if (!v) return;
        ir::replace_uses(i->result(), v);
        ir::erase(i);
    });
}

}  // namespace terrazzo::shaders
