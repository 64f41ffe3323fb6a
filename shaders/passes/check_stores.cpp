// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/check_stores.h"

#include <array>

#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"
#include "shaders/passes/load_runs.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

class Checker {
  public:
    Checker(Shader& s, Instr* access)
        : b_(s, access), i_(*access), m_(*access->u.mem), o_(mem_operands(access->op, m_)) {
        b_.line = access->line;
    }
    void run() {
        if (i_.op == Op::AtomicImage) return guard_atomic(inside_image());
        offset_ = i_.operand(unsigned(o_.place));
        const bool aligned = m_.offset_B % 4 == 0 && known_multiple(offset_, 4) == 4;
        if (m_.offset_B) offset_ = b_.iadd(offset_, b_.i32(int32_t(m_.offset_B)));
        if (m_.element_B == 4 && !aligned) offset_ = b_.iand(offset_, b_.i32(~3));
        size_B_ = size(Op::BufferSize, 1)->result();
        if (i_.op == Op::AtomicBuffer) return guard_atomic(inside_buffer(4));
        store(b_.begin_if(inside_buffer(m_.words * m_.element_B))->regions[0]);
        erase(&i_);
    }

  private:
    Instr* size(Op op, unsigned results) {
        MemInfo info = m_;
        info.op = MemOp::None;
        info.offset_B = 0;
        info.words = 1;
        info.element_B = 4;
        std::array<Type, 3> types;
        types.fill(Type::I32);
        Value* const index = o_.index < 0 ? nullptr : i_.operand(unsigned(o_.index));
        Instr* const out = b_.shader.create(op, std::span<Value* const>(&index, index ? 1 : 0),
                                            std::span<const Type>(types.data(), results));
        out->u.mem = b_.shader.create_mem(info);
        return b_.insert(out);
    }
    /// Whether the first `bytes` from the offset on are within the range. Sums would wrap, so the bytes are
    /// taken from the size, which becomes 0 if it is less.
    Value* inside_buffer(uint32_t bytes) {
        Value* const most = b_.i32(int32_t(bytes - 1));
        return b_.alu(Op::ULt, offset_, b_.alu(Op::ISub, b_.alu(Op::UMax, size_B_, most), most));
    }
    Value* inside_image() {
        const auto dims = unsigned(o_.place_count);
        // A cube has six faces, which the size does not list; an array of cubes six for each.
        const bool cube = m_.dim == TexDim::Cube;
        Instr* const sizes = size(Op::ImageSize, cube && !m_.arrayed ? 2 : dims);
        Value* inside = nullptr;
        for (unsigned c = 0; c < dims; c++) {
            Value* bound = c < sizes->result_count ? sizes->result(c) : b_.i32(6);
            if (cube && m_.arrayed && c == 2) bound = b_.imul(bound, b_.i32(6));
            Value* const below = b_.alu(Op::ULt, i_.operand(unsigned(o_.place) + c), bound);
            inside = inside ? b_.iand(inside, below) : below;
        }
        return inside;
    }
    void store(Region* to) {
        b_.set_end(to);
        MemInfo info = m_;
        info.offset_B = 0;
        std::array<Value*, 6> operands;
        unsigned n = 0;
        operands[n++] = offset_;
        if (o_.index >= 0) operands[n++] = i_.operand(unsigned(o_.index));
        for (unsigned k = 0; k < m_.words; k++)
            operands[n++] = i_.operand(unsigned(o_.value) + k);
        Instr* const out = b_.shader.create(Op::StoreBuffer, std::span<Value* const>(operands.data(), n), {});
        out->u.mem = b_.shader.create_mem(info);
        b_.insert(out);
    }
    /// The atomic moves into an if, which returns 0 where it is not executed.
    void guard_atomic(Value* inside) {
        const Type type = i_.result()->type;
        Instr* const guard = b_.begin_if(inside, std::span(&type, 1));
        replace_uses(i_.result(), guard->result());
        detach(&i_);
        b_.set_end(guard->regions[0]);
        b_.insert(&i_);
        Value* old = i_.result();
        b_.yield({&old, 1});
        b_.set_end(guard->regions[1]);
        old = b_.constant(type, 0);
        b_.yield({&old, 1});
    }

    Builder b_;
    Instr& i_;
    const MemInfo m_;
    const MemOperands o_;
    Value *offset_ = nullptr, *size_B_ = nullptr;
};

}  // namespace

bool check_stores(Shader& s) {
    std::pmr::vector<Instr*> accesses;
    for_each(s.body, [&](Instr* i) {
        const bool buffer =
            (i->op == Op::StoreBuffer || i->op == Op::AtomicBuffer) && i->u.mem->space == Storage::Buffer;
        if (buffer || i->op == Op::AtomicImage) accesses.push_back(i);
    });
    for (Instr* i : accesses)
        Checker(s, i).run();
    return !accesses.empty();
}

}  // namespace terrazzo::ir
