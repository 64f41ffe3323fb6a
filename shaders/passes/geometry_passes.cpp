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

class Writer {
  public:
    explicit Writer(Shader& s) : s_(s), r_(s.info.records), b_(s) {}

    void run() {
        for_each(s_.body, [&](Instr* i) {
            if (stores_to(*i, buffer::kCount)) erase(i);
        });
        if (!s_.body->first) return;
        b_.set_before(s_.body->first);
        prologue();
        const uint32_t starts_B = slot_dw(r_.slots_out, unsigned(EmitSlot::StripStart)) * kDword_B;
        for_each(s_.body, [&](Instr* i) {
            if (!stores_to(*i, buffer::kOutput)) return;
            b_.set_before(i);
            b_.line = i->line;
            // A fixed place has been folded into the offset, or not: both parts move together.
            Value* const place = b_.iadd(i->operand(0), moved_);
            set_operand(i, 0, place);
            emit(i, place, starts_B);
        });
        (void)mem2reg(s_);
    }

  private:
    Value* word(uint32_t n) { return b_.i32(int32_t(n)); }

    /// By how many bytes the records of this invocation move.
    void prologue() {
        Value* const group = b_.load_sysval(Sysval::WorkGroupId, 0, Type::I32);
        Value* const index = b_.load_sysval(Sysval::LocalInvocationIndex, 0, Type::I32);
        Value* const invocation = b_.iadd(b_.imul(group, word(kKernelGroup)), index);
        Value* const place = b_.imul(invocation, word(kDword_B));
        constexpr Type kWord = Type::I32;
        Instr* const start = s_.create(Op::LoadBuffer, std::span<Value* const>(&place, 1), {&kWord, 1});
        start->u.mem = s_.create_mem({.space = Storage::Buffer, .binding = int(geometry_pass::kStarts)});
        b_.insert(start);
        Value* const before = b_.imul(invocation, word(r_.vertices_out));
        moved_ = b_.imul(b_.alu(Op::ISub, start->result(), before), word(record_B()));
        in_strip_ = s_.add_var("(in strip)", Type::I32, 1, Storage::Local);
        b_.store_var(in_strip_, 0, word(0));
    }

    [[nodiscard]] uint32_t record_B() const { return record_dw(r_.slots_out) * kDword_B; }

    /// After the store of whether a strip starts, which each vertex has: the indices of the primitive that it
    /// completes.
    void emit(Instr* store, Value* place, uint32_t starts_B) {
        const MemInfo& m = *store->u.mem;
        const MemOperands o = mem_operands(store->op, m);
        for (unsigned n = 0; n < m.words; n++) {
            // The offset within the record, if the operand is a record's beginning.
            if ((m.offset_B + n * kDword_B) % record_B() != starts_B) continue;
            b_.set_before(store);
            Value* const starts = store->operand(unsigned(o.value) + n);
            Value* const record =
                b_.alu(Op::UDiv, b_.iadd(place, word(m.offset_B + n * kDword_B)), word(record_B()));
            const bool is_number = starts->type == Type::I32;
            Value* const flag = is_number ? starts : b_.convert(Op::Bitcast, Type::I32, starts);
            Value* const more = b_.iadd(b_.load_var(in_strip_, 0), word(1));
            Value* const in_strip = b_.select(b_.alu(Op::INe, flag, word(0)), word(1), more);
            b_.store_var(in_strip_, 0, in_strip);
            store_indices(record, in_strip);
        }
    }

    void store_indices(Value* record, Value* in_strip) {
        const unsigned count = vertices_of_primitive(r_);
        Value* const complete = b_.alu(Op::UGe, in_strip, word(count));
        Value* operands[4] = {b_.imul(record, word(count * kDword_B))};
        for (unsigned c = 0; c < count; c++) {
            Value* back = word(count - 1 - c);
            if (count == 3 && c < 2) {
                // The first two corners of every second triangle are exchanged: the fourth vertex completes
                // the first.
                Value* const other = b_.iand(b_.alu(Op::INot, in_strip), word(1));
                back = c == 0 ? b_.alu(Op::ISub, word(2), other) : b_.iadd(word(1), other);
            }
            operands[1 + c] =
                b_.select(complete, b_.alu(Op::ISub, record, back), word(geometry_pass::kNoIndex));
        }
        Instr* const i = s_.create(Op::StoreBuffer, {operands, count + 1}, {});
        i->u.mem = s_.create_mem(
            {.space = Storage::Buffer, .words = uint8_t(count), .binding = int(geometry_pass::kIndices)});
        b_.insert(i);
    }

    Shader& s_;
    const StageRecords r_;
    Builder b_;
    Value* moved_ = nullptr;
    Var* in_strip_ = nullptr;
};

}  // namespace

bool geometry_count(Shader& s) {
    bool once = false;
    for_each(s.body, [&](Instr* i) {
        once |= writes_memory(i->op) && !stores_to(*i, buffer::kOutput) && !stores_to(*i, buffer::kCount);
    });
    if (once) return false;
    for_each(s.body, [&](Instr* i) {
        if (stores_to(*i, buffer::kOutput)) erase(i);
    });
    (void)dce(s);
    return true;
}

void geometry_write(Shader& s) {
    Writer(s).run();
}

}  // namespace terrazzo::ir
