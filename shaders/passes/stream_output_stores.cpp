// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/stream_output_stores.h"

#include <algorithm>
#include <map>

#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"
#include "shaders/passes/mem2reg.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

constexpr unsigned kDword_B = 4;

class Capture {
  public:
    Capture(Shader& s, const StreamOutputLayout& layout, const StreamStoreOptions& options)
        : s_(s), layout_(layout), options_(options), b_(s) {}

    void run() {
        find_outputs();
        b_.set_end(s_.body);
        find_values();
        const Vertex v = vertex();
        begin(v);
        finish(v);
        if (in_branches_) (void)mem2reg(s_);
    }
    /// The shader is empty.
    void run_kernel(const StageRecords& stage) {
        Value* const group = b_.load_sysval(Sysval::WorkGroupId, 0, Type::I32);
        Value* const index = b_.load_sysval(Sysval::LocalInvocationIndex, 0, Type::I32);
        Value* const number = b_.iadd(b_.imul(group, b_.i32(int32_t(kKernelGroup))), index);
        Value* const primitive = b_.alu(Op::UDiv, number, b_.i32(int32_t(options_.primitive_vertices)));
        Value* const exists = b_.alu(Op::ULt, number, load(int(capture_buffer::kParam), b_.i32(0), 0));
        const Vertex v = {number, b_.select(exists, primitive, b_.i32(-1)), load_state(0)};
        begin(v);
        Value* const at = load(int(capture_buffer::kIndices), b_.imul(number, b_.i32(kDword_B)), 0);
        Value* const record = b_.imul(at, b_.i32(int32_t(record_dw(stage.slots_out) * kDword_B)));
        for (const StreamOutputLayout::Output& o : layout_.outputs)
            for (uint32_t c = o.component; c < uint32_t(o.component + o.count); c++) {
                Value*& value = components_[key(o.slot, c)].value;
                const uint32_t offset_B = (slot_dw(stage.slots_out, o.slot) + c) * kDword_B;
                if (!value)
                    value = stage.slots_out >> o.slot & 1
                                ? load(int(capture_buffer::kRecords), record, offset_B)
                                : b_.i32(0);
            }
        finish(v);
    }

  private:
    struct Vertex {
        Value* number;     // in the draw
        Value* primitive;  // likewise
        Value* before;     // primitives that earlier draws wrote
    };
    /// An output component that is captured.
    struct Component {
        Value* value = nullptr;  // stored last, in the stage's own region
        Var* var = nullptr;      // of one that is stored in a branch
        Type type = Type::Void;  // none: it is not stored
    };

    static uint32_t key(uint32_t slot, uint32_t component) { return slot * 4 + component; }

    void find_outputs() {
        for (const StreamOutputLayout::Output& o : layout_.outputs)
            for (unsigned c = 0; c < o.count; c++)
                components_[key(o.slot, o.component + c)];
        std::vector<Instr*> stores;
        for_each(s_.body, [&](Instr* i) {
            if (i->op != Op::StoreOutput) return;
            const auto at = components_.find(key(i->u.io.slot, i->u.io.component));
            if (at == components_.end()) return;
            stores.push_back(i);
            Component& c = at->second;
            c.type = i->operand(0)->type;
            c.value = i->operand(0);
            if (i->parent != s_.body && !c.var) {
                c.var = s_.add_var("(captured)", c.type, 1, Storage::Local);
                in_branches_ = true;
            }
        });
        for (Instr* i : stores) {
            const Component& c = components_.at(key(i->u.io.slot, i->u.io.component));
            if (!c.var) continue;
            b_.set_before(i);
            b_.store_var(c.var, 0, i->operand(0));
        }
        if (!in_branches_) return;
        b_.set_before(s_.body->first);
        for (const auto& [place, c] : components_)
            if (c.var) b_.store_var(c.var, 0, b_.constant(c.type, 0));
    }

    void find_values() {
        for (auto& [place, c] : components_) {
            if (c.var) c.value = b_.load_var(c.var, 0);
            if (!c.value) c.value = b_.i32(0);
            if (c.type == Type::F16) c.value = b_.convert(Op::F2F, Type::F32, c.value);
            if (c.type == Type::I16) c.value = b_.convert(Op::U2U, Type::I32, c.value);
        }
    }

    Value* load(int binding, Value* place, uint32_t offset_B) {
        constexpr Type kWord = Type::I32;
        Instr* const i = s_.create(Op::LoadBuffer, std::span<Value* const>(&place, 1), {&kWord, 1});
        i->u.mem = s_.create_mem({.space = Storage::Buffer, .binding = binding, .offset_B = offset_B});
        return b_.insert(i)->result();
    }
    Value* load_state(uint32_t dword) {
        return load(options_.state_binding, b_.i32(int32_t(dword * kDword_B)), 0);
    }

    /// A vertex that is not captured is of a primitive that does not exist.
    Vertex vertex() {
        Value* const first = b_.load_uniform(Type::I32, options_.params_dw);
        Value* const of_instance = b_.load_uniform(Type::I32, options_.params_dw + 1);
        Value* const in_instance = b_.alu(Op::ISub, b_.load_sysval(Sysval::VertexId, 0, Type::I32), first);
        Value* const instance = b_.load_sysval(Sysval::InstanceId, 0, Type::I32);
        Value* const number = b_.iadd(b_.imul(instance, of_instance), in_instance);
        Value* const primitive = b_.alu(Op::UDiv, number, b_.i32(int32_t(options_.primitive_vertices)));
        Value* const captured = b_.alu(Op::ULt, in_instance, of_instance);
        return {number, b_.select(captured, primitive, b_.i32(-1)), load_state(0)};
    }

    /// Primitives of this draw that all buffers have room for.
    Value* room(const Vertex& v) {
        Value* least = nullptr;
        for (unsigned n = 0; n < kMaxStreamBuffers; n++) {
            if (!layout_.stride_dw[n]) continue;
            constexpr Type kWord = Type::I32;
            Instr* const size = s_.create(Op::BufferSize, {}, {&kWord, 1});
            size->u.mem =
                s_.create_mem({.space = Storage::Buffer, .binding = options_.first_binding + int(n)});
            b_.insert(size);
            const uint32_t primitive_B = layout_.stride_dw[n] * kDword_B * options_.primitive_vertices;
            Value* const all = b_.alu(Op::UDiv, size->result(), b_.i32(int32_t(primitive_B)));
            least = least ? b_.alu(Op::UMin, least, all) : all;
        }
        return b_.alu(Op::ISub, least, b_.alu(Op::UMin, v.before, least));
    }

    /// What follows runs for vertices that are written.
    void begin(const Vertex& v) {
        Instr* const written = b_.begin_if(b_.alu(Op::ULt, v.primitive, room(v)));
        b_.set_end(written->regions[0]);
    }
    void finish(const Vertex& v) {
        store_records(v);
        count(v);
    }

    void store_records(const Vertex& v) {
        Value* const record =
            b_.iadd(b_.imul(v.before, b_.i32(int32_t(options_.primitive_vertices))), v.number);
        Value* places[kMaxStreamBuffers] = {};
        for (const StreamOutputLayout::Output& o : layout_.outputs) {
            Value*& place = places[o.buffer];
            if (!place) place = b_.imul(record, b_.i32(int32_t(layout_.stride_dw[o.buffer] * kDword_B)));
            Value* operands[5] = {place};
            for (unsigned c = 0; c < o.count; c++)
                operands[1 + c] = components_.at(key(o.slot, o.component + c)).value;
            Instr* const i = s_.create(Op::StoreBuffer, {operands, o.count + 1u}, {});
            i->u.mem = s_.create_mem({.space = Storage::Buffer,
                                      .words = o.count,
                                      .binding = options_.first_binding + o.buffer,
                                      .offset_B = o.offset_dw * kDword_B});
            b_.insert(i);
        }
    }

    /// The first vertex counts for its primitive.
    void count(const Vertex& v) {
        Value* const first = b_.imul(v.primitive, b_.i32(int32_t(options_.primitive_vertices)));
        Region* const outer = b_.region();
        Instr* const once = b_.begin_if(b_.alu(Op::IEq, first, v.number));
        b_.set_end(once->regions[0]);
        Value* const operands[] = {b_.i32(kDword_B), b_.i32(1)};
        constexpr Type kWord = Type::I32;
        Instr* const i = s_.create(Op::AtomicBuffer, operands, {&kWord, 1});
        i->u.mem =
            s_.create_mem({.op = MemOp::Add, .space = Storage::Buffer, .binding = options_.state_binding});
        b_.insert(i);
        b_.set_end(outer);
    }

    Shader& s_;
    const StreamOutputLayout& layout_;
    const StreamStoreOptions& options_;
    Builder b_;
    std::map<uint32_t, Component> components_;  // by slot and component
    bool in_branches_ = false;
};

}  // namespace

bool stream_output_stores(Shader& s, const StreamOutputLayout& layout, const StreamStoreOptions& options) {
    if (layout.empty()) return false;
    Capture(s, layout, options).run();
    return true;
}

std::unique_ptr<Shader> capture_kernel(const StageRecords& stage, const StreamOutputLayout& layout,
                                       const StreamStoreOptions& options) {
    auto s = std::make_unique<Shader>(Stage::Compute);
    s->info.workgroup_size[0] = kKernelGroup;
    if (!layout.empty()) Capture(*s, layout, options).run_kernel(stage);
    return s;
}

}  // namespace terrazzo::ir
