// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic of scalars, vectors and matrices. A matrix is the sequence of its columns.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

Value* Walker::arithmetic(TOperator op, Base base, Value* a, Value* b) {
    const bool f = base == Base::Float, u = base == Base::Uint;
    switch (op) {
        case EOpAdd:
            return b_.alu(f ? Op::FAdd : Op::IAdd, a, b);
        case EOpSub:
            return b_.alu(f ? Op::FSub : Op::ISub, a, b);
        case EOpMul:
            return b_.alu(f ? Op::FMul : Op::IMul, a, b);
        case EOpDiv:
            return b_.alu(f ? Op::FDiv : u ? Op::UDiv : Op::IDiv, a, b);
        case EOpMod:
            if (f) return b_.fsub(a, b_.fmul(b, b_.alu(Op::FFloor, b_.fdiv(a, b))));
            return b_.alu(u ? Op::UMod : Op::IRem, a, b);
        case EOpAnd:
            return b_.alu(Op::IAnd, a, b);
        case EOpInclusiveOr:
            return b_.alu(Op::IOr, a, b);
        case EOpExclusiveOr:
            return b_.alu(Op::IXor, a, b);
        case EOpLeftShift:
            return b_.alu(Op::IShl, a, b);
        case EOpRightShift:
            return b_.alu(u ? Op::UShr : Op::IShr, a, b);
        default:
            break;
    }
    fail(int(b_.line), "Terrazzo: this operator is not supported");
    return a;
}

Vals Walker::arithmetic(TOperator op, const Vals& a, const Type* ta, const Vals& b, const Type* tb) {
    const size_t n = std::max(a.size(), b.size());
    Vals r;
    const Base base = ta->base == Base::Void ? tb->base : ta->base;
    for (size_t i = 0; i < n; ++i)
        r.push_back(arithmetic(op, base, a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]));
    return r;
}

Value* Walker::dot(std::span<Value* const> a, std::span<Value* const> b) {
    Value* r = b_.fmul(a[0], b[0]);
    for (size_t i = 1; i < a.size(); ++i)
        r = b_.fadd(r, b_.fmul(a[i], b[i]));
    return r;
}

Vals Walker::matrix_vector(const Vals& m, const Type* tm, const Vals& v) {
    Vals r;
    for (unsigned row = 0; row < tm->rows; ++row) {
        Vals line;
        for (unsigned c = 0; c < tm->columns; ++c)
            line.push_back(m[c * tm->rows + row]);
        r.push_back(dot(line, v));
    }
    return r;
}

Vals Walker::vector_matrix(const Vals& v, const Vals& m, const Type* tm) {
    Vals r;
    for (unsigned c = 0; c < tm->columns; ++c)
        r.push_back(dot(v, std::span<Value* const>(m).subspan(c * tm->rows, tm->rows)));
    return r;
}

Vals Walker::matrix_matrix(const Vals& a, const Type* ta, const Vals& b, const Type* tb) {
    Vals r;
    for (unsigned c = 0; c < tb->columns; ++c) {
        const auto first = b.begin() + c * tb->rows;
        const Vals column = matrix_vector(a, ta, Vals(first, first + tb->rows));
        r.append(column);
    }
    return r;
}

Vals Walker::transpose(const Vals& m, const Type* t) {
    Vals r;
    for (unsigned row = 0; row < t->rows; ++row)
        for (unsigned c = 0; c < t->columns; ++c)
            r.push_back(m[c * t->rows + row]);
    return r;
}

/// The determinant of the columns and rows in the sets, which have the same size. Each minor is computed
/// once: the cofactors of a matrix share most of them.
Value* Walker::minor(Minors& known, std::span<Value* const> m, unsigned n, unsigned columns, unsigned rows) {
    Value*& made = known[columns << 4 | rows];
    if (made) return made;
    const auto first = unsigned(std::countr_zero(rows)), below = rows & (rows - 1);
    Value* r = nullptr;
    unsigned sign = 0;
    for (unsigned c = 0; c < n; ++c) {
        if (!(columns >> c & 1)) continue;
        Value* const top = m[c * n + first];
        Value* const term = below ? b_.fmul(top, minor(known, m, n, columns & ~(1u << c), below)) : top;
        r = !r ? term : sign % 2 ? b_.fsub(r, term) : b_.fadd(r, term);
        ++sign;
    }
    return made = r;
}

Value* Walker::determinant(std::span<Value* const> m, unsigned n) {
    Minors known{};
    return minor(known, m, n, (1u << n) - 1, (1u << n) - 1);
}

Vals Walker::inverse(const Vals& m, unsigned n) {
    Minors known{};
    const unsigned all = (1u << n) - 1;
    Value* scale = b_.fdiv(f32(1.0f), minor(known, m, n, all, all));
    Vals r;
    for (unsigned c = 0; c < n; ++c) {
        for (unsigned row = 0; row < n; ++row) {
            // The adjugate has the cofactor of the transposed position.
            Value* v = minor(known, m, n, all & ~(1u << row), all & ~(1u << c));
            if ((c + row) % 2) v = b_.fneg(v);
            r.push_back(b_.fmul(v, scale));
        }
    }
    return r;
}

}  // namespace terrazzo::shaders::glsl
