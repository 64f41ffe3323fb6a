// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Appends instructions to a region, or inserts them before an instruction. It folds nothing but the types of
// constants: optimisation is the passes' work.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

class Builder {
  public:
    explicit Builder(Shader& s) : shader(s), region_(s.body) {}
    Builder(Shader& s, Region* at_end_of) : shader(s), region_(at_end_of) {}
    Builder(Shader& s, Instr* before) : shader(s), before_(before) {}

    Shader& shader;
    uint8_t flags = 0;  // of each new instruction (instr_flag)
    uint32_t line = 0;  // likewise

    void set_end(Region* r) {
        region_ = r;
        before_ = nullptr;
    }
    void set_before(Instr* i) {
        before_ = i;
        region_ = nullptr;
    }
    [[nodiscard]] Region* region() const { return before_ ? before_->parent : region_; }

    Value* f32(float v) { return constant(Type::F32, std::bit_cast<uint32_t>(v)); }
    Value* i32(int32_t v) { return constant(Type::I32, uint32_t(v)); }
    Value* boolean(bool v) { return constant(Type::Bool, v); }
    /// A float constant of type F16 or F32.
    Value* fconst(Type t, double v);
    Value* constant(Type t, uint64_t bits);
    Value* undef(Type t);

    /// ALU ops whose result type follows from the operands (Sig Same, Select, Float, Int, *Cmp ...).
    Value* alu(Op op, Value* a);
    Value* alu(Op op, Value* a, Value* b);
    Value* alu(Op op, Value* a, Value* b, Value* c);
    Value* alu(Op op, std::span<Value* const> operands);
    Value* convert(Op op, Type to, std::span<Value* const> operands);
    Value* convert(Op op, Type to, Value* a) { return convert(op, to, std::span<Value* const>(&a, 1)); }

    Value* fadd(Value* a, Value* b) { return alu(Op::FAdd, a, b); }
    Value* fsub(Value* a, Value* b) { return alu(Op::FSub, a, b); }
    Value* fmul(Value* a, Value* b) { return alu(Op::FMul, a, b); }
    Value* fdiv(Value* a, Value* b) { return alu(Op::FDiv, a, b); }
    Value* fneg(Value* a) { return alu(Op::FNeg, a); }
    Value* iadd(Value* a, Value* b) { return alu(Op::IAdd, a, b); }
    Value* imul(Value* a, Value* b) { return alu(Op::IMul, a, b); }
    Value* iand(Value* a, Value* b) { return alu(Op::IAnd, a, b); }
    Value* ior(Value* a, Value* b) { return alu(Op::IOr, a, b); }
    Value* inot(Value* a) { return alu(Op::INot, a); }
    Value* select(Value* c, Value* a, Value* b) { return alu(Op::Select, c, a, b); }

    /// component: constant part of the flat index; index: dynamic part or null.
    Value* load_var(Var* v, uint32_t component, Value* index = nullptr);
    void store_var(Var* v, uint32_t component, Value* value, Value* index = nullptr);
    Value* load_input(Type t, uint32_t slot, uint32_t component, Interp interp = Interp::Smooth,
                      InterpAt at = InterpAt::Center);
    /// Before and after linking (ops.def). `var`: null after linking. `io`: the input; `operands`: the place
    /// in the pixel.
    Value* load_at(Op op, Var* var, const IoInfo& io, Type t, std::span<Value* const> operands);
    void store_output(uint32_t slot, uint32_t component, Value* value);
    /// `count`: dwords the index may reach (1 without an index).
    Value* load_uniform(Type t, uint32_t offset_dw, Value* index = nullptr, uint32_t count = 1);
    Value* load_sysval(Sysval s, uint32_t component, Type t);
    /// Operands in TexInfo's order.
    Instr* tex(const TexInfo& info, std::span<Value* const> operands);
    void discard(Value* cond);

    /// An If with empty arms: fill regions[0] and regions[1], end them with yield().
    Instr* begin_if(Value* cond, std::span<const Type> results = {});
    /// A Loop whose region has one argument for each initial value.
    Instr* begin_loop(std::span<Value* const> init = {}, std::span<const Type> results = {});
    void yield(std::span<Value* const> v = {}) { terminate(Op::Yield, v); }
    void brk(std::span<Value* const> v = {}) { terminate(Op::Break, v); }
    void cont(std::span<Value* const> v = {}) { terminate(Op::Continue, v); }

    /// Inserts a detached instruction at the current place, with the builder's flags and line.
    Instr* insert(Instr* i);

  private:
    void terminate(Op op, std::span<Value* const> v);
    Region* region_ = nullptr;
    Instr* before_ = nullptr;
};

}  // namespace terrazzo::ir
