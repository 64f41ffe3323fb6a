// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/geometry_passes.h"

#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/mem2reg.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

namespace buffer = stage_buffer;

constexpr uint32_t kDword_B = 4;

bool stores_to(const Instr& i, uint32_t binding) {
    return i.op == Op::StoreBuffer && i.u.mem->space == Storage::Buffer && i.u.mem->binding == int(binding);
}

unsigned vertices_of_primitive(const StageRecords& r) {
    return r.out == Shape::Points ? 1 : r.out == Shape::Lines ? 2 : 3;
}

/// What both passes add to a kernel: they follow its strips, and see each primitive that a vertex completes.
class Pass {
  public:
    explicit Pass(Shader& s) : s_(s), r_(s.info.records), b_(s) {}

  protected:
    Value* word(uint32_t n) { return b_.i32(int32_t(n)); }
    [[nodiscard]] uint32_t record_B() const { return record_dw(r_.slots_out) * kDword_B; }
    Value* load(uint32_t binding, Value* place, uint32_t offset_B) {
        constexpr Type kWord = Type::I32;
        Instr* const i = s_.create(Op::LoadBuffer, std::span<Value* const>(&place, 1), {&kWord, 1});
        i->u.mem = s_.create_mem({.space = Storage::Buffer, .binding = int(binding), .offset_B = offset_B});
        return b_.insert(i)->result();
    }
    void store(uint32_t binding, std::span<Value* const> place_and_values) {
        Instr* const i = s_.create(Op::StoreBuffer, place_and_values, {});
        i->u.mem = s_.create_mem({.space = Storage::Buffer,
                                  .words = uint8_t(place_and_values.size() - 1),
                                  .binding = int(binding)});
        b_.insert(i);
    }

    /// At the beginning of the shader.
    void prologue() {
        b_.set_before(s_.body->first);
        Value* const group = b_.load_sysval(Sysval::WorkGroupId, 0, Type::I32);
        Value* const index = b_.load_sysval(Sysval::LocalInvocationIndex, 0, Type::I32);
        invocation_ = b_.iadd(b_.imul(group, word(kKernelGroup)), index);
        in_strip_ = s_.add_var("(in strip)", Type::I32, 1, Storage::Local);
        primitives_ = s_.add_var("(primitives)", Type::I32, 1, Storage::Local);
        b_.store_var(in_strip_, 0, word(0));
        b_.store_var(primitives_, 0, word(0));
    }

    /// Which word of the store to kOutput says whether a strip starts with the vertex. Each vertex stores
    /// one. None: -1.
    [[nodiscard]] int strip_word(const Instr& i) const {
        const uint32_t starts_B = slot_dw(r_.slots_out, unsigned(EmitSlot::StripStart)) * kDword_B;
        // The operand is a multiple of a record's size.
        for (unsigned n = 0; n < i.u.mem->words; n++)
            if ((i.u.mem->offset_B + n * kDword_B) % record_B() == starts_B) return int(n);
        return -1;
    }

    /// Before `i`, which stores whether a strip starts in its word `n`: in_strip_ then has the vertex, and
    /// primitives_ the primitive if it completes one. `each` gets the primitive's number in the invocation,
    /// and in_strip_; it is run there.
    template <typename F>
    void follow(Instr* i, unsigned n, const F& each) {
        b_.set_before(i);
        b_.line = i->line;
        Value* flag = i->operand(unsigned(mem_operands(i->op, *i->u.mem).value) + n);
        if (flag->type != Type::I32) flag = b_.convert(Op::Bitcast, Type::I32, flag);
        Value* const more = b_.iadd(b_.load_var(in_strip_, 0), word(1));
        Value* const in_strip = b_.select(b_.alu(Op::INe, flag, word(0)), word(1), more);
        b_.store_var(in_strip_, 0, in_strip);
        Instr* const complete = b_.begin_if(b_.alu(Op::UGe, in_strip, word(vertices_of_primitive(r_))));
        b_.set_end(complete->regions[0]);
        Value* const number = b_.load_var(primitives_, 0);
        each(number, in_strip);
        b_.store_var(primitives_, 0, b_.iadd(number, word(1)));
        b_.set_before(i);
    }

    Shader& s_;
    const StageRecords r_;
    Builder b_;
    Value* invocation_ = nullptr;
    Var *in_strip_ = nullptr, *primitives_ = nullptr;
};

class Counter : Pass {
  public:
    using Pass::Pass;
    void run() {
        prologue();
        for_each(s_.body, [&](Instr* i) {
            if (!stores_to(*i, buffer::kOutput)) return;
            if (const int n = strip_word(*i); n >= 0) follow(i, unsigned(n), [](Value*, Value*) {});
            erase(i);
        });
        b_.set_end(s_.body);
        Value* const count[] = {b_.imul(invocation_, word(kDword_B)), b_.load_var(primitives_, 0)};
        store(geometry_pass::kPrimitives, count);
        (void)mem2reg(s_);
        (void)dce(s_);
    }
};

class Writer : Pass {
  public:
    using Pass::Pass;
    void run() {
        for_each(s_.body, [&](Instr* i) {
            if (stores_to(*i, buffer::kCount)) erase(i);
        });
        if (!s_.body->first) return;
        prologue();
        Value* const start = b_.imul(invocation_, word(2 * kDword_B));
        Value* const before = b_.imul(invocation_, word(r_.vertices_out));
        Value* const moved = b_.alu(Op::ISub, load(geometry_pass::kStarts, start, 0), before);
        moved_ = b_.imul(moved, word(record_B()));
        first_primitive_ = load(geometry_pass::kStarts, start, kDword_B);
        for_each(s_.body, [&](Instr* i) {
            if (!stores_to(*i, buffer::kOutput)) return;
            b_.set_before(i);
            b_.line = i->line;
            Value* const place = b_.iadd(i->operand(0), moved_);
            set_operand(i, 0, place);
            const int n = strip_word(*i);
            if (n < 0) return;
            Value* const at = b_.iadd(place, word(i->u.mem->offset_B + unsigned(n) * kDword_B));
            Value* const record = b_.alu(Op::UDiv, at, word(record_B()));
            follow(i, unsigned(n), [&](Value* number, Value* in_strip) {
                store_indices(b_.iadd(first_primitive_, number), record, in_strip);
            });
        });
        (void)mem2reg(s_);
    }

  private:
    void store_indices(Value* primitive, Value* record, Value* in_strip) {
        const unsigned count = vertices_of_primitive(r_);
        Value* operands[4] = {b_.imul(primitive, word(count * kDword_B))};
        for (unsigned c = 0; c < count; c++) {
            Value* back = word(count - 1 - c);
            if (count == 3 && c < 2) {
                // The first two corners of every second triangle are exchanged. Three vertices complete the
                // first.
                Value* const other = b_.iand(b_.alu(Op::INot, in_strip), word(1));
                back = c == 0 ? b_.alu(Op::ISub, word(2), other) : b_.iadd(word(1), other);
            }
            operands[1 + c] = b_.alu(Op::ISub, record, back);
        }
        store(geometry_pass::kIndices, {operands, count + 1});
    }

    /// By how many bytes the records of this invocation move.
    Value* moved_ = nullptr;
    Value* first_primitive_ = nullptr;
};

}  // namespace

bool geometry_count(Shader& s) {
    bool once = false;
    for_each(s.body, [&](Instr* i) {
        once |= writes_memory(i->op) && !stores_to(*i, buffer::kOutput) && !stores_to(*i, buffer::kCount);
    });
    if (once) return false;
    if (s.body->first) Counter(s).run();
    return true;
}

void geometry_write(Shader& s) {
    Writer(s).run();
}

}  // namespace terrazzo::ir
