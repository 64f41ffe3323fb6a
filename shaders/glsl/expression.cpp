// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operators, assignment, choice. Operands are evaluated from left to right. The right side of && and
// || and the arms of ?: are evaluated under an If only if they have side effects; otherwise both arms are
// evaluated and a select chooses.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

Vals Walker::eval(TIntermTyped* n) {
    DepthScope depth(depth_);
    if (over_budget(n) || too_deep(n)) return undefined(type_of(n));
    Vals r;
    b_.line = uint32_t(std::max(0, n->getLoc().line));
    if (TIntermSymbol* s = n->getAsSymbolNode()) {
        r = read_symbol(s);
    } else if (TIntermConstantUnion* c = n->getAsConstantUnion()) {
        r = constants(c->getConstArray(), type_of(n));
    } else if (TIntermBinary* b = n->getAsBinaryNode()) {
        r = eval_binary(b);
    } else if (TIntermUnary* u = n->getAsUnaryNode()) {
        r = eval_unary(u);
    } else if (TIntermAggregate* a = n->getAsAggregate()) {
        r = eval_aggregate(a);
    } else if (TIntermSelection* s2 = n->getAsSelectionNode()) {
        r = eval_select(s2);
    } else {
        fail(n->getLoc().line, "Terrazzo: this expression is not supported");
    }
    if (n->getAsAggregate() && n->getAsAggregate()->getOp() == EOpSequence)
        return r;  // a declaration used as a condition
    const Type* t = type_of(n);
    if (!t->is_plain() && !count_moves(0, r.size())) return undefined(t);
    if (!failed_ && r.size() != t->components)
        fail(n->getLoc().line, "Terrazzo: internal error: an expression has the wrong number of components");
    return failed_ ? undefined(t) : r;
}

Value* Walker::eval_scalar(TIntermTyped* n) {
    const Vals v = eval(n);
    if (!v.empty()) return v[0];
    fail(n->getLoc().line, "Terrazzo: a value is needed here");
    return i32(0);
}

static TOperator without_assign(TOperator op) {
    switch (op) {
        case EOpAddAssign:
            return EOpAdd;
        case EOpSubAssign:
            return EOpSub;
        case EOpMulAssign:
            return EOpMul;
        case EOpVectorTimesMatrixAssign:
            return EOpVectorTimesMatrix;
        case EOpVectorTimesScalarAssign:
            return EOpVectorTimesScalar;
        case EOpMatrixTimesScalarAssign:
            return EOpMatrixTimesScalar;
        case EOpMatrixTimesMatrixAssign:
            return EOpMatrixTimesMatrix;
        case EOpDivAssign:
            return EOpDiv;
        case EOpModAssign:
            return EOpMod;
        case EOpAndAssign:
            return EOpAnd;
        case EOpInclusiveOrAssign:
            return EOpInclusiveOr;
        case EOpExclusiveOrAssign:
            return EOpExclusiveOr;
        case EOpLeftShiftAssign:
            return EOpLeftShift;
        case EOpRightShiftAssign:
            return EOpRightShift;
        default:
            return EOpNull;
    }
}

Vals Walker::binary(TOperator op, const Vals& a, const Type* ta, const Vals& b, const Type* tb) {
    switch (op) {
        case EOpMatrixTimesVector:
            return matrix_vector(a, ta, b);
        case EOpVectorTimesMatrix:
            return vector_matrix(a, b, tb);
        case EOpMatrixTimesMatrix:
            return matrix_matrix(a, ta, b, tb);
        case EOpVectorTimesScalar:
        case EOpMatrixTimesScalar:
            return arithmetic(EOpMul, a, ta, b, tb);
        default:
            return arithmetic(op, a, ta, b, tb);
    }
}

Vals Walker::eval_binary(TIntermBinary* n) {
    const TOperator op = n->getOp();
    switch (op) {
        case EOpIndexDirect:
        case EOpIndexIndirect:
        case EOpIndexDirectStruct:
        case EOpVectorSwizzle: {
            Place p;
            return place_of(n, p) ? load(p) : index_value(n);
        }
        default:
            break;
    }
    if (n->modifiesState()) return eval_assign(n);
    // A loop, because sums may have thousands of operands; Scan does the same.
    const std::vector<TIntermBinary*> chain = operator_chain(n);
    Vals r = eval(chain[0]->getLeft());
    for (TIntermBinary* b : chain) {
        if (over_budget(b)) return {};
        r = eval_operator(b, r);
    }
    return r;
}

Vals Walker::eval_operator(TIntermBinary* n, const Vals& a) {
    const TOperator op = n->getOp();
    if (op == EOpLogicalAnd || op == EOpLogicalOr) return eval_logical(n, a.empty() ? boolean(false) : a[0]);
    const Type* ta = type_of(n->getLeft());
    const Type* tb = type_of(n->getRight());
    const Vals b = eval(n->getRight());
    if (failed_) return {};
    at(n);
    switch (op) {
        case EOpEqual:
            return {equal(true, a, b, ta)};
        case EOpNotEqual:
            return {equal(false, a, b, ta)};
        case EOpLogicalXor:
            return {b_.alu(Op::IXor, a[0], b[0])};
        case EOpLessThan:
        case EOpGreaterThan:
        case EOpLessThanEqual:
        case EOpGreaterThanEqual:
            return {compare(op, ta->base, a[0], b[0])};
        default:
            return binary(op, a, ta, b, tb);
    }
}

/// Whether the value can replace the variable (see SymbolUse). An array with dynamic indices needs memory.
static bool bindable(const SymbolUse& use, TIntermSymbol* s) {
    const TQualifier& q = s->getQualifier();
    return use.single() && !use.array_indexed && !q.isIo() && q.storage != EvqShared && !q.isParamOutput() &&
           !q.isParamInput();
}

Vals Walker::eval_assign(TIntermBinary* n) {
    TIntermSymbol* s = n->getLeft()->getAsSymbolNode();
    if (n->getOp() == EOpAssign && s && bindable(scan_.use(s->getId()), s)) {
        Vals v = eval(n->getRight());
        Binding& b = bindings_[s->getId()];
        b.kind = Binding::Kind::Value;
        b.values = v;
        return v;
    }
    Place p;
    if (!place_of(n->getLeft(), p)) {
        fail(n->getLoc().line, "Terrazzo: assignment to this expression is not supported");
        return {};
    }
    Vals v = eval(n->getRight());
    if (failed_) return {};
    if (n->getOp() != EOpAssign) {
        const Vals old = load(p);
        at(n);
        v = binary(without_assign(n->getOp()), old, p.type, v, type_of(n->getRight()));
        if (failed_) return {};
    }
    store(p, v);
    return v;
}

Vals Walker::eval_increment(TIntermUnary* n) {
    Place p;
    if (!place_of(n->getOperand(), p)) {
        fail(n->getLoc().line, "Terrazzo: ++ and -- of this expression are not supported");
        return {};
    }
    const Vals old = load(p);
    const bool up = n->getOp() == EOpPostIncrement || n->getOp() == EOpPreIncrement;
    const bool post = n->getOp() == EOpPostIncrement || n->getOp() == EOpPostDecrement;
    at(n);
    Vals v;
    for (Value* x : old) {
        Value* one = p.type->is_float() ? f32(1.0f) : i32(1);
        v.push_back(arithmetic(up ? EOpAdd : EOpSub, p.type->base, x, one));
    }
    store(p, v);
    return post ? old : v;
}

Vals Walker::eval_logical(TIntermBinary* n, Value* a) {
    const bool conjunction = n->getOp() == EOpLogicalAnd;
    if (ir::is_const(a) && bool(ir::const_bits(a)) != conjunction) return {a};
    if (!(scan_.flags(n->getRight()) & node_flag::kEffect)) {
        Value* b = eval_scalar(n->getRight());
        at(n);
        return {b_.alu(conjunction ? Op::IAnd : Op::IOr, a, b)};
    }
    at(n);
    const ir::Type result = ir::Type::Bool;
    ir::Instr* i = b_.begin_if(a, std::span(&result, 1));
    Value* known = boolean(!conjunction);
    for (unsigned arm = 0; arm < 2; ++arm) {
        RegionScope scope(b_, i->regions[arm]);
        Value* v = (arm == 0) == conjunction ? eval_scalar(n->getRight()) : known;
        b_.yield(std::span(&v, 1));
    }
    return {i->result()};
}

/// An instruction has a limited number of results, so large structures are chosen through a variable.
Vals Walker::select_in_memory(TIntermSelection* n, Value* condition, TIntermTyped* yes, TIntermTyped* no) {
    Object* const chosen = local("chosen", type_of(n));
    ir::Instr* i = b_.begin_if(condition);
    for (unsigned arm = 0; arm < 2; ++arm) {
        RegionScope scope(b_, i->regions[arm]);
        const Vals v = eval(arm == 0 ? yes : no);
        if (failed_) return {};
        store(chosen, v);
    }
    return load(chosen);
}

Vals Walker::eval_select(TIntermSelection* n) {
    Value* c = eval_scalar(n->getCondition());
    TIntermTyped* yes = n->getTrueBlock() ? n->getTrueBlock()->getAsTyped() : nullptr;
    TIntermTyped* no = n->getFalseBlock() ? n->getFalseBlock()->getAsTyped() : nullptr;
    if (failed_ || !yes || !no) return undefined(type_of(n));
    if (ir::is_const(c)) return eval(ir::const_bits(c) ? yes : no);
    if (!(scan_.flags(n) & node_flag::kEffect)) {
        const Vals a = eval(yes), b = eval(no);
        at(static_cast<TIntermNode*>(n));
        Vals r;
        for (size_t i = 0; i < a.size(); ++i)
            r.push_back(a[i] == b[i] ? a[i] : b_.select(c, a[i], b[i]));
        return r;
    }
    at(static_cast<TIntermNode*>(n));
    const Type* t = type_of(n);
    if (t->components > kMaxResults) return select_in_memory(n, c, yes, no);
    std::vector<ir::Type> types;
    for (const Leaf& l : t->leaves)
        types.insert(types.end(), l.count, l.basic->scalar());
    ir::Instr* i = b_.begin_if(c, types);
    for (unsigned arm = 0; arm < 2; ++arm) {
        RegionScope scope(b_, i->regions[arm]);
        const Vals v = eval(arm == 0 ? yes : no);
        if (failed_) return {};
        if (!v.empty()) b_.yield(v);
    }
    Vals r;
    for (unsigned k = 0; k < types.size(); ++k)
        r.push_back(i->result(k));
    return r;
}

Value* Walker::compare(TOperator op, Base base, Value* a, Value* b) {
    const bool swap = op == EOpGreaterThan || op == EOpLessThanEqual;
    const bool less = op == EOpLessThan || op == EOpGreaterThan;
    if (swap) std::swap(a, b);
    if (base == Base::Float) return b_.alu(less ? Op::FLt : Op::FGe, a, b);
    if (base == Base::Uint) return b_.alu(less ? Op::ULt : Op::UGe, a, b);
    return b_.alu(less ? Op::ILt : Op::IGe, a, b);
}

/// Whether all components are equal or, without `want_equal`, any differs.
Value* Walker::equal(bool want_equal, const Vals& a, const Vals& b, const Type* t) {
    Value* r = nullptr;
    size_t i = 0;
    for (const Leaf& l : t->leaves) {
        for (uint32_t c = 0; c < l.count; ++c, ++i) {
            Value* v = nullptr;
            if (l.basic->base == Base::Float) {
                v = b_.alu(want_equal ? Op::FEq : Op::FNe, a[i], b[i]);
            } else if (l.basic->base == Base::Bool) {
                v = b_.alu(Op::IXor, a[i], b[i]);
                if (want_equal) v = b_.inot(v);
            } else {
                v = b_.alu(want_equal ? Op::IEq : Op::INe, a[i], b[i]);
            }
            r = !r ? v : b_.alu(want_equal ? Op::IAnd : Op::IOr, r, v);
        }
    }
    return r ? r : boolean(want_equal);
}

Value* Walker::convert(Value* v, Base from, Base to) {
    if (from == to) return v;
    switch (to) {
        case Base::Float:
            return b_.convert(from == Base::Bool   ? Op::B2F
                              : from == Base::Uint ? Op::U2F
                                                   : Op::I2F,
                              ir::Type::F32, v);
        case Base::Int:
        case Base::Uint:
            if (from == Base::Bool) return b_.convert(Op::B2I, ir::Type::I32, v);
            if (from == Base::Float) return b_.convert(to == Base::Int ? Op::F2I : Op::F2U, ir::Type::I32, v);
            return v;
        case Base::Bool:
            if (from == Base::Float) return b_.alu(Op::FNe, v, f32(0.0f));
            return b_.alu(Op::INe, v, i32(0));
        case Base::Void:
        case Base::Sampler:
        case Base::Image:
        case Base::AtomicCounter:
        case Base::Struct:
            break;
    }
    return v;
}

Vals Walker::eval_unary(TIntermUnary* n) {
    switch (n->getOp()) {
        case EOpPostIncrement:
        case EOpPostDecrement:
        case EOpPreIncrement:
        case EOpPreDecrement:
            return eval_increment(n);
        default:
            break;
    }
    TIntermTyped* operand = n->getOperand();
    const TOperator op = n->getOp();
    // The operand may have no size, and therefore no type here.
    if (op == EOpArrayLength) return eval_builtin(n, op, std::span(&operand, 1));
    if (op == EOpTextureQuerySize || op == EOpTextureQueryLevels)
        return texture_query(n, op, operand, nullptr);
    const Type* t = type_of(operand);
    if (op >= EOpConvInt8ToBool && op <= EOpConvDoubleToFloat) {
        Vals v = eval(operand);
        at(n);
        const Base to = type_of(n)->base;
        for (Value*& x : v)
            x = convert(x, t->base, to);
        return v;
    }
    switch (op) {
        case EOpNegative:
        case EOpLogicalNot:
        case EOpVectorLogicalNot:
        case EOpBitwiseNot: {
            Vals v = eval(operand);
            at(n);
            const Op ir_op = op != EOpNegative ? Op::INot : t->is_float() ? Op::FNeg : Op::INeg;
            for (Value*& x : v)
                x = b_.alu(ir_op, x);
            return v;
        }
        default:
            return eval_builtin(n, op, std::span(&operand, 1));
    }
}

Vals Walker::eval_sequence(TIntermAggregate* n) {
    Vals r;
    for (TIntermNode* s : n->getSequence()) {
        TIntermTyped* t = s->getAsTyped();
        if (t) r = eval(t);
    }
    return r;
}

Vals Walker::eval_aggregate(TIntermAggregate* n) {
    const TOperator op = n->getOp();
    switch (op) {
        case EOpSequence:
        case EOpComma:
            return eval_sequence(n);
        case EOpFunctionCall:
            return eval_call(n);
        case EOpEmitVertex:
            return emit_vertex(), Vals();
        case EOpEndPrimitive:
            return end_primitive(), Vals();
        case EOpModf:
        case EOpFrexp:
        case EOpAddCarry:
        case EOpSubBorrow:
        case EOpUMulExtended:
        case EOpIMulExtended:
            return eval_out_function(n);
        default:
            break;
    }
    if (n->isConstructor()) return eval_constructor(n);
    if (n->isTexture()) return eval_texture(n);
    std::vector<TIntermTyped*> args;
    for (TIntermNode* s : n->getSequence()) {
        if (s->getAsTyped()) args.push_back(s->getAsTyped());
    }
    return eval_builtin(n, op, args);
}

}  // namespace terrazzo::shaders::glsl
