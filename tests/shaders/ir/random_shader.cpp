// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/shaders/ir/random_shader.h"

#include <array>
#include <vector>

#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"

namespace terrazzo::ir::test {

namespace {

class Generator {
  public:
    Generator(uint32_t seed, const RandomOptions& o)
        : random_(seed), o_(o), s_(std::make_unique<Shader>(Stage::Fragment)), b_(*s_) {}
    std::unique_ptr<Shader> make();

  private:
    Value* any(Type t);
    Value* fresh(Type t);
    Value* constant(Type t);
    void keep(Value* v) { visible_.push_back(v); }
    Value* alu();
    void statement(unsigned depth, bool in_loop);
    void branch(unsigned depth, bool in_loop);
    void loop(unsigned depth);
    void block(unsigned count, unsigned depth, bool in_loop);
    void variables();
    void memory();
    Type type();

    Random random_;
    const RandomOptions o_;
    std::unique_ptr<Shader> s_;
    Builder b_;
    std::vector<Value*> visible_;
    Var* scalars_ = nullptr;
    Var* array_ = nullptr;
    Var* ints_ = nullptr;
    unsigned divergent_ = 0;
    Instr* loop_ = nullptr;
};

Type Generator::type() {
    static constexpr Type kTypes[] = {Type::F32, Type::F32, Type::I32, Type::Bool};
    if (o_.half && random_.chance(20)) return Type::F16;
    return kTypes[random_.below(4)];
}

Value* Generator::constant(Type t) {
    static constexpr float kFloats[] = {0.0f, 1.0f, -1.0f, 0.5f, 2.0f, -0.0f, 3.25f, -7.5f, 1e10f};
    static constexpr int kInts[] = {0, 1, -1, 2, 31, 8, -7, 1000};
    switch (t) {
        case Type::Bool:
            return b_.boolean(random_.chance(50));
        case Type::I32:
            return b_.i32(kInts[random_.below(8)]);
        case Type::F16:
            return b_.fconst(Type::F16, kFloats[random_.below(8)]);
        case Type::F32:
        case Type::Void:
        case Type::I16:
        case Type::I64:
            break;
    }
    return b_.f32(kFloats[random_.below(9)]);
}

Value* Generator::fresh(Type t) {
    switch (t) {
        case Type::F32: {
            const uint32_t kind = random_.below(3);
            if (kind == 0)
                return b_.load_input(t, unsigned(VaryingSlot::Varying0) + random_.below(3), random_.below(4));
            if (kind == 1) return b_.load_uniform(t, random_.below(16));
            return constant(t);
        }
        case Type::I32:
            if (random_.chance(50))
                return b_.load_input(t, unsigned(VaryingSlot::Varying0) + 4, random_.below(4), Interp::Flat);
            return constant(t);
        case Type::Bool:
            if (random_.chance(70)) return b_.alu(Op::FLt, any(Type::F32), any(Type::F32));
            return constant(t);
        case Type::F16:
            return b_.convert(Op::F2F, Type::F16, any(Type::F32));
        case Type::Void:
        case Type::I16:
        case Type::I64:
            break;
    }
    return constant(t);
}

Value* Generator::any(Type t) {
    std::vector<Value*> fit;
    for (Value* v : visible_)
        if (v->type == t) fit.push_back(v);
    if (fit.empty() || random_.chance(20)) {
        Value* v = fresh(t);
        keep(v);
        return v;
    }
    // Recent values are more likely: this results in long chains.
    const uint32_t n = uint32_t(fit.size());
    return fit[n - 1 - std::min(random_.below(n), random_.below(n))];
}

Value* Generator::alu() {
    static constexpr Op kFloat[] = {Op::FAdd,   Op::FSub,   Op::FMul,  Op::FDiv,   Op::FMin,
                                    Op::FMax,   Op::FFma,   Op::FNeg,  Op::FAbs,   Op::FSign,
                                    Op::FSat,   Op::FFloor, Op::FCeil, Op::FTrunc, Op::FRound,
                                    Op::FFract, Op::FSqrt,  Op::FAdd,  Op::FMul,   Op::Mov};
    static constexpr Op kTranscendental[] = {Op::FExp2, Op::FLog2, Op::FSin, Op::FCos, Op::FRcp, Op::FRsq};
    static constexpr Op kInt[] = {Op::IAdd,          Op::ISub,     Op::IMul,
                                  Op::IDiv,          Op::UDiv,     Op::IMod,
                                  Op::IRem,          Op::UMod,     Op::INeg,
                                  Op::IAbs,          Op::ISign,    Op::IMin,
                                  Op::IMax,          Op::UMin,     Op::UMax,
                                  Op::IAnd,          Op::IOr,      Op::IXor,
                                  Op::INot,          Op::IShl,     Op::IShr,
                                  Op::UShr,          Op::BitCount, Op::IMulHigh,
                                  Op::UMulHigh,      Op::FindLsb,  Op::IBitfieldExtract,
                                  Op::BitfieldInsert};
    static constexpr Op kBool[] = {Op::IAnd, Op::IOr, Op::IXor, Op::INot};
    static constexpr Op kFCmp[] = {Op::FEq, Op::FNe, Op::FLt, Op::FGe};
    static constexpr Op kICmp[] = {Op::IEq, Op::INe, Op::ILt, Op::IGe, Op::ULt, Op::UGe};
    const auto make = [&](Op op, Type t) {
        std::vector<Value*> v;
        for (int i = 0; i < op_info(op).operands; i++)
            v.push_back(any(t));
        return b_.alu(op, v);
    };
    switch (random_.below(9)) {
        case 0:
        case 1:
            if (o_.transcendental && random_.chance(30))
                return make(kTranscendental[random_.below(6)], Type::F32);
            [[fallthrough]];
        case 2:
            return make(kFloat[random_.below(std::size(kFloat))],
                        o_.half && random_.chance(30) ? Type::F16 : Type::F32);
        case 3:
        case 4:
            return make(kInt[random_.below(std::size(kInt))], Type::I32);
        case 5:
            return random_.chance(50) ? make(kFCmp[random_.below(4)], Type::F32)
                                      : make(kICmp[random_.below(6)], Type::I32);
        case 6:
            return make(kBool[random_.below(4)], Type::Bool);
        case 7: {
            const Type t = type();
            Value* c = any(Type::Bool);
            Value* a = any(t);
            return b_.select(c, a, any(t));
        }
        default:
            switch (random_.below(5)) {
                case 0:
                    return b_.convert(Op::F2I, Type::I32, any(Type::F32));
                case 1:
                    return b_.convert(Op::I2F, Type::F32, any(Type::I32));
                case 2:
                    return b_.convert(Op::B2F, Type::F32, any(Type::Bool));
                case 3:
                    return b_.convert(Op::B2I, Type::I32, any(Type::Bool));
                default:
                    return b_.convert(Op::U2F, Type::F32, any(Type::I32));
            }
    }
}

void Generator::variables() {
    const auto index = [&](uint32_t count) {
        return b_.alu(Op::IAnd, any(Type::I32), b_.i32(int(count) - 1));
    };
    switch (random_.below(6)) {
        case 0:
            b_.store_var(scalars_, random_.below(4), any(Type::F32));
            break;
        case 1:
            keep(b_.load_var(scalars_, random_.below(4)));
            break;
        case 2:
            b_.store_var(array_, 0, any(Type::F32), index(8));
            break;
        case 3:
            keep(b_.load_var(array_, 0, index(8)));
            break;
        case 4:
            b_.store_var(ints_, random_.below(2), any(Type::I32));
            break;
        default:
            keep(b_.load_var(ints_, random_.below(2)));
            break;
    }
}

/// Loads, stores and atomics, most of them inside the ranges.
void Generator::memory() {
    static constexpr Op kOps[] = {Op::LoadBuffer,  Op::LoadBuffer,   Op::LoadBuffer,
                                  Op::StoreBuffer, Op::AtomicBuffer, Op::BufferSize};
    const Op op = kOps[random_.below(std::size(kOps))];
    MemInfo m;
    const bool reads_only = op == Op::LoadBuffer || op == Op::BufferSize;
    m.space = reads_only && random_.chance(60) ? Storage::UniformBlock : Storage::Buffer;
    m.indexed = m.space == Storage::UniformBlock && random_.chance(20);
    m.binding = 0;
    m.count = m.indexed ? 2 : 1;
    if (op == Op::LoadBuffer || op == Op::StoreBuffer) m.words = uint8_t(1 + random_.below(3));
    if (op == Op::AtomicBuffer) m.op = MemOp(1 + random_.below(10));
    if (random_.chance(15)) m.qualifiers = mem_flag::kVolatile;
    m.offset_B = random_.below(3) * 4;
    const MemOperands o = mem_operands(op, m);
    std::vector<Value*> operands;
    if (o.place >= 0)
        operands.push_back(random_.chance(50)
                               ? b_.i32(int(random_.below(18)) * 4)
                               : b_.iand(any(Type::I32), b_.i32(random_.chance(90) ? 60 : -1)));
    if (m.indexed) operands.push_back(b_.iand(any(Type::I32), b_.i32(3)));
    for (int n = 0; n < o.value_count; n++)
        operands.push_back(any(op == Op::StoreBuffer && random_.chance(50) ? Type::F32 : Type::I32));
    const Type t = op == Op::LoadBuffer && random_.chance(50) ? Type::F32 : Type::I32;
    const Type types[] = {t, t, t, t};
    Instr* const i = s_->create(op, operands, std::span(types, mem_result_count(op, m)));
    i->u.mem = s_->create_mem(m);
    b_.insert(i);
    for (unsigned n = 0; n < i->result_count; n++)
        keep(i->result(n));
}

void Generator::branch(unsigned depth, bool in_loop) {
    std::vector<Type> types;
    for (uint32_t n = random_.below(3); n > 0; n--)
        types.push_back(type());
    Instr* i = b_.begin_if(any(Type::Bool), types);
    Region* after = i->parent;
    divergent_++;
    for (unsigned arm = 0; arm < 2; arm++) {
        const size_t mark = visible_.size();
        b_.set_end(i->regions[arm]);
        block(random_.below(6), depth - 1, in_loop);
        std::vector<Value*> v;
        if (in_loop && random_.chance(20)) {
            const bool leave = random_.chance(50);
            const unsigned count = leave ? loop_->result_count : loop_->regions[0]->arg_count;
            for (unsigned n = 0; n < count; n++)
                v.push_back(leave ? any(loop_->result(n)->type) : nullptr);
            if (!leave) {
                for (unsigned n = 1; n < count; n++)
                    v[n] = any(loop_->regions[0]->args[n]->type);
                v[0] = b_.iadd(loop_->regions[0]->args[0], b_.i32(1));
                b_.cont(v);
            } else {
                b_.brk(v);
            }
        } else {
            for (Type t : types)
                v.push_back(any(t));
            b_.yield(v);
        }
        visible_.resize(mark);
    }
    divergent_--;
    b_.set_end(after);
    for (unsigned n = 0; n < i->result_count; n++)
        keep(i->result(n));
}

void Generator::loop(unsigned depth) {
    std::vector<Value*> init = {b_.i32(0)};
    for (uint32_t n = random_.below(3); n > 0; n--)
        init.push_back(any(type()));
    std::vector<Type> results;
    for (uint32_t n = random_.below(3); n > 0; n--)
        results.push_back(type());
    Instr* outer = loop_;
    const size_t mark = visible_.size();
    Instr* l = loop_ = b_.begin_loop(init, results);
    Region* after = l->parent;
    Region* body = l->regions[0];
    divergent_++;
    b_.set_end(body);
    for (unsigned n = 0; n < body->arg_count; n++)
        keep(body->args[n]);
    // Usually ends at a constant count, otherwise at a computed one; after at most 5 iterations.
    Value* limit = random_.chance(60) ? b_.i32(int(random_.below(5))) : b_.iand(any(Type::I32), b_.i32(3));
    Instr* check = b_.begin_if(b_.alu(Op::IGe, body->args[0], limit));
    b_.set_end(check->regions[0]);
    const size_t inner = visible_.size();
    std::vector<Value*> v;
    for (Type t : results)
        v.push_back(any(t));
    b_.brk(v);
    visible_.resize(inner);
    b_.set_end(body);
    block(random_.below(6), depth - 1, true);
    v.clear();
    v.push_back(b_.iadd(body->args[0], b_.i32(1)));
    for (unsigned n = 1; n < body->arg_count; n++)
        v.push_back(any(body->args[n]->type));
    b_.cont(v);
    divergent_--;
    loop_ = outer;
    visible_.resize(mark);
    b_.set_end(after);
    for (unsigned n = 0; n < l->result_count; n++)
        keep(l->result(n));
}

void Generator::statement(unsigned depth, bool in_loop) {
    const uint32_t kind = random_.below(100);
    if (depth && kind < 8) return branch(depth, in_loop);
    if (depth && kind < 13) return loop(depth);
    if (o_.memory && kind >= 13 && kind < 24) return memory();
    if (kind < 30) return variables();
    if (!divergent_ && kind < 34)
        return keep(b_.alu(random_.chance(50) ? Op::FDdx : Op::FDdyFine, any(Type::F32)));
    if (!divergent_ && o_.textures && kind < 37) {
        TexInfo t;
        t.binding = int(random_.below(2));
        Value* const coords[] = {any(Type::F32), any(Type::F32)};
        Instr* i = b_.tex(t, coords);
        for (unsigned n = 0; n < 4; n++)
            keep(i->result(n));
        return;
    }
    if (o_.discard && kind < 39) return b_.discard(b_.iand(any(Type::Bool), any(Type::Bool)));
    keep(alu());
}

void Generator::block(unsigned count, unsigned depth, bool in_loop) {
    for (unsigned i = 0; i < count; i++)
        statement(depth, in_loop);
}

std::unique_ptr<Shader> Generator::make() {
    scalars_ = s_->add_var("scalars", Type::F32, 4, Storage::Local);
    array_ = s_->add_var("array", Type::F32, 8, Storage::Local);
    ints_ = s_->add_var("ints", Type::I32, 2, Storage::Local);
    block(o_.statements, o_.depth, false);
    for (unsigned n = 0; n < 8; n++)
        b_.store_output(n / 4, n % 4, any(Type::F32));
    for (unsigned n = 0; n < 4; n++)
        b_.store_output(2, n, any(Type::I32));
    for (unsigned n = 0; n < 4; n++)
        b_.store_output(3, n, b_.load_var(scalars_, n));
    s_->renumber();
    return std::move(s_);
}

}  // namespace

std::unique_ptr<Shader> random_shader(uint32_t seed, const RandomOptions& options) {
    return Generator(seed, options).make();
}

}  // namespace terrazzo::ir::test
