// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Built-in functions: common, geometric, matrix, relational, integer, packing, derivatives (ESSL 1.00 chapter
// 8 and additions of ESSL 3.00). math.cpp has trigonometric and exponential ones, texture.cpp texture
// functions.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

Vals Walker::eval_builtin(TIntermOperator* n, TOperator op, std::span<TIntermTyped* const> args) {
    if (is_memory_function(op, args)) return memory_function(n, op, args);
    if (op == EOpInterpolateAtCentroid || op == EOpInterpolateAtSample || op == EOpInterpolateAtOffset)
        return interpolate_at(n, op, args);
    std::vector<Vals> a;
    for (TIntermTyped* x : args)
        a.push_back(eval(x));
    if (failed_ || a.empty()) {
        if (!failed_) fail(n->getLoc().line, "Terrazzo: this built-in function is not supported");
        return {};
    }
    const Type* t = type_of(args[0]);
    at(n);
    Vals r;
    switch (op) {
        case EOpAny:
        case EOpAll: {
            Value* v = a[0][0];
            for (size_t i = 1; i < a[0].size(); ++i)
                v = b_.alu(op == EOpAny ? Op::IOr : Op::IAnd, v, a[0][i]);
            return {v};
        }
        case EOpLessThan:
        case EOpGreaterThan:
        case EOpLessThanEqual:
        case EOpGreaterThanEqual:
            return each(a, [&](Value** x) { return compare(op, t->base, x[0], x[1]); });
        case EOpVectorEqual:
        case EOpVectorNotEqual: {
            const Type* scalar = types_.basic(t->base, 1, 1, t->precision);
            return each(a, [&](Value** x) { return equal(op == EOpVectorEqual, {x[0]}, {x[1]}, scalar); });
        }
        default:
            break;
    }
    if (common_function(op, a, t, r) || math_function(op, a, r) || geometric_function(op, a, t, r) ||
        integer_function(op, a, t, r) || pack_function(op, a, r))
        return r;
    fail(n->getLoc().line, "Terrazzo: this built-in function is not supported");
    return {};
}

/// ESSL 3.20 section 8.13. Interpolates the whole input into a variable, from which the part is then read.
Vals Walker::interpolate_at(TIntermOperator* n, TOperator op, std::span<TIntermTyped* const> args) {
    Vals where;
    if (args.size() > 1) where = eval(args[1]);
    TIntermSymbol* const symbol = base_symbol(args[0]);
    Place p;
    const Object* const input = symbol ? binding(symbol).input : nullptr;
    if (failed_) return {};
    // Members of structures are not allowed, either: ESSL 3.20 section 8.13.
    if (!input || input->type->base == Base::Struct || !place_of(args[0], p)) {
        fail(n->getLoc().line, "an interpolation function needs an input");
        return {};
    }
    ir::IoInfo io;
    io.interp_at = op == EOpInterpolateAtCentroid ? ir::InterpAt::Centroid
                   : op == EOpInterpolateAtSample ? ir::InterpAt::Sample
                                                  : ir::InterpAt::Center;
    at(n);
    Object* const copy = local(symbol->getName().c_str(), input->type);
    for (size_t leaf = 0; leaf < input->vars.size(); ++leaf)
        for (io.component = 0; io.component < input->vars[leaf]->count; ++io.component) {
            ir::Var* const v = input->vars[leaf];
            b_.store_var(copy->vars[leaf], io.component, b_.load_at(Op::LoadVarAt, v, io, v->type, where));
        }
    p.object = copy;
    return load(p);
}

Value* Walker::mix(Value* a, Value* b, Value* t) {
    if (t->type == ir::Type::Bool) return b_.select(t, b, a);
    return b_.fadd(b_.fmul(a, b_.fsub(f32(1.0f), t)), b_.fmul(b, t));
}

bool Walker::common_function(TOperator op, std::span<Vals> a, const Type* t, Vals& r) {
    const bool f = t->base == Base::Float, u = t->base == Base::Uint;
    const Op min_op = f ? Op::FMin : u ? Op::UMin : Op::IMin;
    const Op max_op = f ? Op::FMax : u ? Op::UMax : Op::IMax;
    const auto unary = [&](Op o) { r = each(a, [&](Value** x) { return b_.alu(o, x[0]); }); };
    const auto derivative = [&](Op o) { unary(o); };
    const auto fwidth = [&](Op dx, Op dy) {
        r = each(a, [&](Value** x) {
            return b_.fadd(b_.alu(Op::FAbs, b_.alu(dx, x[0])), b_.alu(Op::FAbs, b_.alu(dy, x[0])));
        });
    };
    switch (op) {
        case EOpAbs:
            unary(f ? Op::FAbs : Op::IAbs);
            break;
        case EOpSign:
            unary(f ? Op::FSign : Op::ISign);
            break;
        case EOpFloor:
            unary(Op::FFloor);
            break;
        case EOpTrunc:
            unary(Op::FTrunc);
            break;
        case EOpRound:
        case EOpRoundEven:
            unary(Op::FRound);
            break;
        case EOpCeil:
            unary(Op::FCeil);
            break;
        case EOpFract:
            unary(Op::FFract);
            break;
        case EOpFma:
            r = each(a, [&](Value** x) { return b_.alu(Op::FFma, x[0], x[1], x[2]); });
            break;
        case EOpLdexp:
            r = each(a, [&](Value** x) { return b_.alu(Op::FLdexp, x[0], x[1]); });
            break;
        case EOpMin:
            r = each(a, [&](Value** x) { return b_.alu(min_op, x[0], x[1]); });
            break;
        case EOpMax:
            r = each(a, [&](Value** x) { return b_.alu(max_op, x[0], x[1]); });
            break;
        case EOpClamp:
            r = each(a, [&](Value** x) { return b_.alu(min_op, b_.alu(max_op, x[0], x[1]), x[2]); });
            break;
        case EOpMod:
        case EOpMul:
        case EOpAdd:
        case EOpSub:
        case EOpDiv:
            r = each(a, [&](Value** x) { return arithmetic(op, t->base, x[0], x[1]); });
            break;
        case EOpMix:
            r = each(a, [&](Value** x) { return mix(x[0], x[1], x[2]); });
            break;
        case EOpStep:
            r = each(a,
                     [&](Value** x) { return b_.select(b_.alu(Op::FLt, x[1], x[0]), f32(0.0f), f32(1.0f)); });
            break;
        case EOpSmoothStep:
            r = each(a, [&](Value** x) {
                Value* s = b_.alu(Op::FSat, b_.fdiv(b_.fsub(x[2], x[0]), b_.fsub(x[1], x[0])));
                return b_.fmul(b_.fmul(s, s), b_.fsub(f32(3.0f), b_.fmul(f32(2.0f), s)));
            });
            break;
        case EOpIsNan:
            r = each(a, [&](Value** x) { return b_.alu(Op::FNe, x[0], x[0]); });
            break;
        case EOpIsInf:
            r = each(a, [&](Value** x) {
                return b_.alu(Op::FEq, b_.alu(Op::FAbs, x[0]), f32(std::bit_cast<float>(0x7f800000u)));
            });
            break;
        case EOpDPdx:
        case EOpDPdxCoarse:
            derivative(Op::FDdx);
            break;
        case EOpDPdy:
        case EOpDPdyCoarse:
            derivative(Op::FDdy);
            break;
        case EOpDPdxFine:
            derivative(Op::FDdxFine);
            break;
        case EOpDPdyFine:
            derivative(Op::FDdyFine);
            break;
        case EOpFwidth:
        case EOpFwidthCoarse:
            fwidth(Op::FDdx, Op::FDdy);
            break;
        case EOpFwidthFine:
            fwidth(Op::FDdxFine, Op::FDdyFine);
            break;
        default:
            return false;
    }
    return true;
}

bool Walker::geometric_function(TOperator op, std::span<Vals> a, const Type* t, Vals& r) {
    switch (op) {
        case EOpLength:
            r = {a[0].size() == 1 ? b_.alu(Op::FAbs, a[0][0]) : b_.alu(Op::FSqrt, dot(a[0], a[0]))};
            break;
        case EOpDistance: {
            Vals d = each(a, [&](Value** x) { return b_.fsub(x[0], x[1]); });
            r = {d.size() == 1 ? b_.alu(Op::FAbs, d[0]) : b_.alu(Op::FSqrt, dot(d, d))};
            break;
        }
        case EOpDot:
            r = {dot(a[0], a[1])};
            break;
        case EOpCross:
            for (unsigned i = 0; i < 3; ++i) {
                const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
                r.push_back(b_.fsub(b_.fmul(a[0][j], a[1][k]), b_.fmul(a[1][j], a[0][k])));
            }
            break;
        case EOpNormalize: {
            if (a[0].size() == 1) {
                r = {b_.alu(Op::FSign, a[0][0])};
                break;
            }
            Value* scale = b_.alu(Op::FRsq, dot(a[0], a[0]));
            for (Value* x : a[0])
                r.push_back(b_.fmul(x, scale));
            break;
        }
        case EOpFaceForward: {
            Value* same = b_.alu(Op::FLt, dot(a[2], a[1]), f32(0.0f));
            for (Value* x : a[0])
                r.push_back(b_.select(same, x, b_.fneg(x)));
            break;
        }
        case EOpReflect: {
            Value* d = b_.fmul(f32(2.0f), dot(a[1], a[0]));
            for (size_t i = 0; i < a[0].size(); ++i)
                r.push_back(b_.fsub(a[0][i], b_.fmul(d, a[1][i])));
            break;
        }
        case EOpRefract: {
            Value* eta = a[2][0];
            Value* d = dot(a[1], a[0]);
            Value* k = b_.fsub(f32(1.0f), b_.fmul(b_.fmul(eta, eta), b_.fsub(f32(1.0f), b_.fmul(d, d))));
            Value* none = b_.alu(Op::FLt, k, f32(0.0f));
            Value* s = b_.fadd(b_.fmul(eta, d), b_.alu(Op::FSqrt, k));
            for (size_t i = 0; i < a[0].size(); ++i)
                r.push_back(b_.select(none, f32(0.0f), b_.fsub(b_.fmul(eta, a[0][i]), b_.fmul(s, a[1][i]))));
            break;
        }
        case EOpTranspose:
            r = transpose(a[0], t);
            break;
        case EOpDeterminant:
            r = {determinant(a[0], t->columns)};
            break;
        case EOpMatrixInverse:
            r = inverse(a[0], t->columns);
            break;
        case EOpOuterProduct:
            for (Value* column : a[1])
                for (Value* row : a[0])
                    r.push_back(b_.fmul(row, column));
            break;
        default:
            return false;
    }
    return true;
}

bool Walker::integer_function(TOperator op, std::span<Vals> a, const Type* t, Vals& r) {
    const bool u = t->base == Base::Uint;
    const auto unary = [&](Op o) { r = each(a, [&](Value** x) { return b_.alu(o, x[0]); }); };
    const auto bitcast = [&](ir::Type to) {
        r = each(a, [&](Value** x) { return b_.convert(Op::Bitcast, to, x[0]); });
    };
    switch (op) {
        case EOpBitCount:
            unary(Op::BitCount);
            break;
        case EOpBitFieldReverse:
            unary(Op::BitReverse);
            break;
        case EOpFindLSB:
            unary(Op::FindLsb);
            break;
        case EOpFindMSB:
            unary(u ? Op::UFindMsb : Op::IFindMsb);
            break;
        case EOpBitfieldExtract:
            r = each(a, [&](Value** x) {
                return b_.alu(u ? Op::UBitfieldExtract : Op::IBitfieldExtract, x[0], x[1], x[2]);
            });
            break;
        case EOpBitfieldInsert:
            r = each(a, [&](Value** x) { return b_.alu(Op::BitfieldInsert, std::span<Value* const>(x, 4)); });
            break;
        case EOpFloatBitsToInt:
        case EOpFloatBitsToUint:
            bitcast(ir::Type::I32);
            break;
        case EOpIntBitsToFloat:
        case EOpUintBitsToFloat:
            bitcast(ir::Type::F32);
            break;
        default:
            return false;
    }
    return true;
}

namespace {
struct PackFormat {
    unsigned bits, count;
    bool is_signed;
};
bool pack_format(TOperator op, PackFormat& f, bool& pack) {
    switch (op) {
        case EOpPackSnorm2x16:
            f = {16, 2, true};
            pack = true;
            return true;
        case EOpPackUnorm2x16:
            f = {16, 2, false};
            pack = true;
            return true;
        case EOpPackSnorm4x8:
            f = {8, 4, true};
            pack = true;
            return true;
        case EOpPackUnorm4x8:
            f = {8, 4, false};
            pack = true;
            return true;
        case EOpUnpackSnorm2x16:
            f = {16, 2, true};
            pack = false;
            return true;
        case EOpUnpackUnorm2x16:
            f = {16, 2, false};
            pack = false;
            return true;
        case EOpUnpackSnorm4x8:
            f = {8, 4, true};
            pack = false;
            return true;
        case EOpUnpackUnorm4x8:
            f = {8, 4, false};
            pack = false;
            return true;
        default:
            return false;
    }
}
}  // namespace

bool Walker::pack_function(TOperator op, std::span<Vals> a, Vals& r) {
    if (op == EOpPackHalf2x16) {
        r = {b_.convert(Op::PackHalf2, ir::Type::I32, std::span<Value* const>(a[0]))};
        return true;
    }
    if (op == EOpUnpackHalf2x16) {
        r = {b_.convert(Op::UnpackHalfLow, ir::Type::F32, a[0][0]),
             b_.convert(Op::UnpackHalfHigh, ir::Type::F32, a[0][0])};
        return true;
    }
    PackFormat f{};
    bool pack = false;
    if (!pack_format(op, f, pack)) return false;
    const float scale = float((1u << (f.is_signed ? f.bits - 1 : f.bits)) - 1);
    const float low = f.is_signed ? -1.0f : 0.0f;
    if (pack) {
        Value* word = nullptr;
        for (unsigned i = 0; i < f.count; ++i) {
            Value* x = b_.alu(Op::FMin, b_.alu(Op::FMax, a[0][i], f32(low)), f32(1.0f));
            x = b_.convert(Op::F2I, ir::Type::I32, b_.alu(Op::FRound, b_.fmul(x, f32(scale))));
            x = b_.iand(x, i32(int32_t((1u << f.bits) - 1)));
            if (i) x = b_.alu(Op::IShl, x, i32(int32_t(i * f.bits)));
            word = word ? b_.ior(word, x) : x;
        }
        r = {word};
        return true;
    }
    for (unsigned i = 0; i < f.count; ++i) {
        Value* x = b_.alu(f.is_signed ? Op::IBitfieldExtract : Op::UBitfieldExtract, a[0][0],
                          i32(int32_t(i * f.bits)), i32(int32_t(f.bits)));
        x = b_.fdiv(b_.convert(Op::I2F, ir::Type::F32, x), f32(scale));
        r.push_back(f.is_signed ? b_.alu(Op::FMax, x, f32(-1.0f)) : x);
    }
    return true;
}

/// Built-in functions with out parameters.
Vals Walker::eval_out_function(TIntermAggregate* n) {
    std::vector<Vals> in;
    std::vector<Place> out;
    const TOperator op = n->getOp();
    const size_t in_count = op == EOpModf || op == EOpFrexp ? 1 : 2;
    for (size_t i = 0; i < n->getSequence().size(); ++i) {
        TIntermTyped* arg = n->getSequence()[i]->getAsTyped();
        if (i < in_count) {
            in.push_back(eval(arg));
        } else if (!place_of(arg, out.emplace_back())) {
            fail(n->getLoc().line, "Terrazzo: this argument of an out parameter is not supported");
        }
    }
    if (failed_) return {};
    at(n);
    Vals result, second, third;
    for (size_t i = 0; i < in[0].size(); ++i) {
        Value* x = in[0][i];
        Value* y = in_count > 1 ? in[1][i] : nullptr;
        if (op == EOpModf) {
            second.push_back(b_.alu(Op::FTrunc, x));
            result.push_back(b_.fsub(x, second.back()));
        } else if (op == EOpFrexp) {
            Value* bits = b_.convert(Op::Bitcast, ir::Type::I32, x);
            Value* zero_value = b_.alu(Op::FEq, x, f32(0.0f));
            Value* exponent = b_.alu(Op::UBitfieldExtract, bits, i32(23), i32(8));
            second.push_back(b_.select(zero_value, i32(0), b_.alu(Op::ISub, exponent, i32(126))));
            Value* s = b_.ior(b_.iand(bits, i32(int32_t(0x807fffffu))), i32(0x3f000000));
            result.push_back(b_.select(zero_value, x, b_.convert(Op::Bitcast, ir::Type::F32, s)));
        } else if (op == EOpAddCarry) {
            result.push_back(b_.iadd(x, y));
            second.push_back(b_.convert(Op::B2I, ir::Type::I32, b_.alu(Op::ULt, result.back(), x)));
        } else if (op == EOpSubBorrow) {
            result.push_back(b_.alu(Op::ISub, x, y));
            second.push_back(b_.convert(Op::B2I, ir::Type::I32, b_.alu(Op::ULt, x, y)));
        } else {
            second.push_back(b_.alu(op == EOpUMulExtended ? Op::UMulHigh : Op::IMulHigh, x, y));
            third.push_back(b_.imul(x, y));
        }
    }
    store(out[0], second);
    if (out.size() > 1 && !third.empty()) store(out[1], third);
    return result;
}

}  // namespace terrazzo::shaders::glsl
