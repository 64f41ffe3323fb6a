// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ESSL 3.00 4.3.3: a built-in function of constants is a constant expression, so it may initialise a global
// constant or be an array's size. glslang folds the functions of ESSL 1.00, but not these functions of one
// argument. Its calls are redirected here first (--wrap, as in amend.cpp). Results equal those of the
// walker's code at run time, rounded once.
#include <array>
#include <bit>
#include <cmath>

#include "shaders/glsl/ast.h"
#include "shaders/ir/half.h"

using namespace glslang;

extern "C" {
TIntermTyped* __real__ZNK7glslang20TIntermConstantUnion4foldENS_9TOperatorERKNS_5TTypeE(
    const TIntermConstantUnion*, TOperator, const TType&);
TIntermTyped* __wrap__ZNK7glslang20TIntermConstantUnion4foldENS_9TOperatorERKNS_5TTypeE(
    const TIntermConstantUnion*, TOperator, const TType&);
}

namespace {

using terrazzo::ir::half_from_float;
using terrazzo::ir::half_to_float;

/// A column-major matrix of up to 4x4.
struct Matrix {
    int columns, rows;
    std::array<double, 16> m;
    [[nodiscard]] double at(int column, int row) const { return m[size_t(column * rows + row)]; }
};

/// The matrix without one row and one column.
Matrix minor_of(const Matrix& a, int column, int row) {
    Matrix r{a.columns - 1, a.rows - 1, {}};
    size_t n = 0;
    for (int c = 0; c < a.columns; ++c)
        for (int k = 0; k < a.rows; ++k)
            if (c != column && k != row) r.m[n++] = a.at(c, k);
    return r;
}

double determinant(const Matrix& a) {
    if (a.columns == 1) return a.m[0];
    double sum = 0;
    for (int c = 0; c < a.columns; ++c)
        sum += (c & 1 ? -1.0 : 1.0) * a.at(c, 0) * determinant(minor_of(a, c, 0));
    return sum;
}

uint32_t pack16(float x, bool is_signed) {
    const float low = is_signed ? -1.0f : 0.0f;
    const float inside = std::fmin(std::fmax(x, low), 1.0f);
    return uint32_t(int32_t(std::nearbyint(inside * (is_signed ? 32767.0f : 65535.0f)))) & 0xffff;
}

float unpack16(uint32_t bits, bool is_signed) {
    return is_signed ? std::fmax(float(int16_t(bits)) / 32767.0f, -1.0f) : float(bits) / 65535.0f;
}

/// A function of one float; false: it is not one of these.
bool fold_float(TOperator op, double x, double& r) {
    switch (op) {
        case EOpSinh:
            r = std::sinh(x);
            return true;
        case EOpCosh:
            r = std::cosh(x);
            return true;
        case EOpTanh:
            r = std::tanh(x);
            return true;
        case EOpAsinh:
            r = std::asinh(x);
            return true;
        case EOpAcosh:
            r = std::acosh(x);
            return true;
        case EOpAtanh:
            r = std::atanh(x);
            return true;
        case EOpRound:
            r = std::nearbyint(x);
            return true;
        default:
            return false;
    }
}

/// Component by component; false: it is not one of these.
bool fold_component(TOperator op, const TConstUnion& x, TConstUnion& r) {
    double f = 0;
    switch (op) {
        case EOpFloatBitsToInt:
            r.setIConst(std::bit_cast<int32_t>(float(x.getDConst())));
            return true;
        case EOpFloatBitsToUint:
            r.setUConst(std::bit_cast<uint32_t>(float(x.getDConst())));
            return true;
        case EOpIntBitsToFloat:
            r.setDConst(double(std::bit_cast<float>(x.getIConst())));
            return true;
        case EOpUintBitsToFloat:
            r.setDConst(double(std::bit_cast<float>(x.getUConst())));
            return true;
        default:
            if (x.getType() != EbtDouble || !fold_float(op, x.getDConst(), f)) return false;
            r.setDConst(double(float(f)));
            return true;
    }
}

/// The functions between a vec2 and a uint; false: it is not one of these.
bool fold_packing(TOperator op, const TConstUnionArray& a, TConstUnionArray& r) {
    const bool is_signed = op == EOpPackSnorm2x16 || op == EOpUnpackSnorm2x16;
    switch (op) {
        case EOpPackSnorm2x16:
        case EOpPackUnorm2x16:
            r = TConstUnionArray(1);
            r[0].setUConst(pack16(float(a[0].getDConst()), is_signed) |
                           pack16(float(a[1].getDConst()), is_signed) << 16);
            return true;
        case EOpPackHalf2x16:
            r = TConstUnionArray(1);
            r[0].setUConst(uint32_t(half_from_float(float(a[0].getDConst()))) |
                           uint32_t(half_from_float(float(a[1].getDConst()))) << 16);
            return true;
        case EOpUnpackSnorm2x16:
        case EOpUnpackUnorm2x16:
        case EOpUnpackHalf2x16:
            r = TConstUnionArray(2);
            for (int k = 0; k < 2; ++k) {
                const uint32_t bits = a[0].getUConst() >> 16 * k & 0xffff;
                r[k].setDConst(double(op == EOpUnpackHalf2x16 ? half_to_float(uint16_t(bits))
                                                              : unpack16(bits, is_signed)));
            }
            return true;
        default:
            return false;
    }
}

bool fold_matrix(TOperator op, const Matrix& a, TConstUnionArray& r) {
    switch (op) {
        case EOpDeterminant:
            r = TConstUnionArray(1);
            r[0].setDConst(double(float(determinant(a))));
            return true;
        case EOpTranspose:
            r = TConstUnionArray(a.columns * a.rows);
            for (int c = 0; c < a.columns; ++c)
                for (int k = 0; k < a.rows; ++k)
                    r[k * a.columns + c].setDConst(a.at(c, k));
            return true;
        case EOpMatrixInverse: {
            r = TConstUnionArray(a.columns * a.rows);
            const double d = determinant(a);
            for (int c = 0; c < a.columns; ++c)
                for (int k = 0; k < a.rows; ++k) {
                    const double cofactor = ((c + k) & 1 ? -1.0 : 1.0) * determinant(minor_of(a, k, c));
                    r[c * a.rows + k].setDConst(double(float(cofactor / d)));
                }
            return true;
        }
        default:
            return false;
    }
}

bool fold(TOperator op, const TConstUnionArray& a, const TType& type, TConstUnionArray& r) {
    if (fold_packing(op, a, r)) return true;
    if (type.isMatrix()) {
        Matrix m{type.getMatrixCols(), type.getMatrixRows(), {}};
        for (int n = 0; n < a.size(); ++n)
            m.m[size_t(n)] = a[n].getDConst();
        return fold_matrix(op, m, r);
    }
    r = TConstUnionArray(a.size());
    for (int n = 0; n < a.size(); ++n)
        if (!fold_component(op, a[n], r[n])) return false;
    return true;
}

}  // namespace

TIntermTyped* __wrap__ZNK7glslang20TIntermConstantUnion4foldENS_9TOperatorERKNS_5TTypeE(
    const TIntermConstantUnion* operand, TOperator op, const TType& type) {
    TConstUnionArray folded;
    const TType& from = operand->getType();
    if (from.isArray() || from.isStruct() || !fold(op, operand->getConstArray(), from, folded))
        return __real__ZNK7glslang20TIntermConstantUnion4foldENS_9TOperatorERKNS_5TTypeE(operand, op, type);
    auto* result = new TIntermConstantUnion(folded, type);
    result->getWritableType().getQualifier().storage = EvqConst;
    result->setLoc(operand->getLoc());
    return result;
}
