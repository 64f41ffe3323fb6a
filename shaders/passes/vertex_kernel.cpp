// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/vertex_kernel.h"

#include "shaders/ir/builder.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

namespace buffer = stage_buffer;

constexpr unsigned kDword_B = 4;

class VertexKernel {
  public:
    VertexKernel(Shader& s, const VertexKernelOptions& options) : s_(s), options_(options), b_(s) {}

    void run() {
        s_.stage = Stage::Compute;
        s_.info.workgroup_size[0] = kKernelGroup;
        s_.info.workgroup_size[1] = s_.info.workgroup_size[2] = 1;
        s_.info.records.slots_out = options_.slots;
        // Before all that is there now.
        Instr* const first = s_.body->first;
        if (!first) return;
        b_.set_before(first);
        prologue();
        for_each(s_.body, [&](Instr* i) {
            if (i->op == Op::StoreOutput) store(i);
            if (i->op == Op::LoadInput) fetch(i);
            if (i->op == Op::LoadSysval) sysval(i);
        });
    }

  private:
    Value* word(uint32_t n) { return b_.i32(int32_t(n)); }
    Value* load(uint32_t binding, Value* place) {
        constexpr Type kWord = Type::I32;
        Instr* const i = s_.create(Op::LoadBuffer, std::span<Value* const>(&place, 1), {&kWord, 1});
        i->u.mem = s_.create_mem({.space = Storage::Buffer, .binding = int(binding)});
        return b_.insert(i)->result();
    }
    Value* param(uint32_t n) { return load(buffer::kParam, word(n * kDword_B)); }

    void prologue() {
        group_ = b_.load_sysval(Sysval::WorkGroupId, 0, Type::I32);
        index_ = b_.load_sysval(Sysval::LocalInvocationIndex, 0, Type::I32);
        Value* const invocation = b_.iadd(b_.imul(group_, word(kKernelGroup)), index_);
        record_ = b_.imul(invocation, word(record_dw(options_.slots) * kDword_B));
        Value* const listed = param(vertex_param::kListed);
        instance_ = b_.alu(Op::UDiv, invocation, listed);
        Value* const place = b_.alu(Op::UMod, invocation, listed);
        Value* const n = b_.iadd(param(vertex_param::kFirst), assembled(place, listed));
        vertex_ = options_.index_B ? b_.iadd(index(n), param(vertex_param::kBaseVertex)) : n;
    }

    /// Which of the draw's vertices stands at `place` in the list of all primitives' vertices.
    Value* assembled(Value* place, Value* listed) {
        const auto split = [&](unsigned count, Value** primitive, Value** corner) {
            *primitive = b_.alu(Op::UDiv, place, word(count));
            *corner = b_.alu(Op::UMod, place, word(count));
        };
        Value *p = nullptr, *v = nullptr;
        switch (options_.assembly) {
            case Assembly::List:
                return place;
            case Assembly::LineStrip:
                split(2, &p, &v);
                return b_.iadd(p, v);
            case Assembly::LineLoop: {
                split(2, &p, &v);
                Value* const n = b_.iadd(p, v);
                Value* const last = b_.alu(Op::UDiv, listed, word(2));
                return b_.select(b_.alu(Op::IEq, n, last), word(0), n);
            }
            case Assembly::LineStripAdjacency:
                split(4, &p, &v);
                return b_.iadd(p, v);
            case Assembly::TriangleStrip: {
                // The first two corners of every second triangle are exchanged, so that all have the same
                // winding.
                split(3, &p, &v);
                Value* const exchanged = b_.alu(Op::IXor, v, b_.iand(p, word(1)));
                return b_.iadd(p, b_.select(b_.alu(Op::IEq, v, word(2)), v, exchanged));
            }
            case Assembly::TriangleFan:
                split(3, &p, &v);
                return b_.select(b_.alu(Op::IEq, v, word(0)), v, b_.iadd(p, v));
        }
        return place;
    }

    Value* index(Value* n) {
        if (options_.index_B == kDword_B) return load(buffer::kInput, b_.imul(n, word(kDword_B)));
        // The load rounds down to the word that has it.
        Value* const place = b_.imul(n, word(options_.index_B));
        Value* const shift = b_.imul(b_.iand(place, word(3)), word(8));
        Value* const bits = b_.alu(Op::UShr, load(buffer::kInput, place), shift);
        return b_.iand(bits, word(options_.index_B == 1 ? 0xff : 0xffff));
    }

    void store(Instr* i) {
        if (options_.slots >> i->u.io.slot & 1) {
            Value* v = i->operand(0);
            b_.set_before(i);
            b_.line = i->line;
            if (v->type == Type::F16) v = b_.convert(Op::F2F, Type::F32, v);
            if (v->type == Type::I16) v = b_.convert(Op::U2U, Type::I32, v);
            Value* const operands[] = {record_, v};
            Instr* const to = s_.create(Op::StoreBuffer, operands, {});
            const uint32_t dword = slot_dw(options_.slots, i->u.io.slot) + i->u.io.component;
            to->u.mem = s_.create_mem(
                {.space = Storage::Buffer, .binding = int(buffer::kOutput), .offset_B = dword * kDword_B});
            b_.insert(to);
        }
        erase(i);
    }

    void fetch(Instr* i) {
        const Type type = i->result()->type;
        Value* const operands[] = {vertex_, instance_};
        Instr* const load = s_.create(Op::LoadInput, operands, {&type, 1});
        load->u.io = i->u.io;
        insert_before(i, load);
        replace_uses(i->result(), load->result());
        erase(i);
    }

    void sysval(Instr* i) {
        b_.set_before(i);
        b_.line = i->line;
        Value* v = nullptr;
        const auto value = Sysval(i->u.io.slot);
        if (value == Sysval::VertexId)
            v = vertex_;
        else if (value == Sysval::InstanceId)
            v = instance_;
        else if (value == Sysval::BaseVertex)
            v = param(vertex_param::kBaseVertex);
        else if (value == Sysval::BaseInstance)
            v = param(vertex_param::kBaseInstance);
        else if (value == Sysval::DrawId)
            v = param(vertex_param::kDrawId);
        else
            return;  // the kernel's own values, and those that the caller lowers
        replace_uses(i->result(), v);
        erase(i);
    }

    Shader& s_;
    const VertexKernelOptions& options_;
    Builder b_;
    Value *group_ = nullptr, *index_ = nullptr, *record_ = nullptr, *instance_ = nullptr, *vertex_ = nullptr;
};

}  // namespace

bool vertex_kernel(Shader& s, const VertexKernelOptions& options) {
    bool loads = false;
    for_each(s.body, [&](Instr* i) { loads |= i->op == Op::LoadInput; });
    if (loads && !options.keeps_inputs) return false;
    VertexKernel(s, options).run();
    return true;
}

}  // namespace terrazzo::ir
