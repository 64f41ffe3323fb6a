// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private to eval*.cpp: generates kernels (loops over lanes) from scalar functions. Four lanes at a time go
// through small arrays, which compilers turn into vector code and which lets dst be an operand.
#pragma once

#include <cstring>

#include "shaders/ir/eval.h"
#include "shaders/ir/half.h"

namespace terrazzo::ir::eval_detail {

/// A type's representation in a row (Word), and the C++ type of calculations (Calc).
struct F32 {
    using Word = uint32_t;
    using Calc = float;
    static Calc load(Word w) { return std::bit_cast<float>(w); }
    static Word store(Calc v) { return std::bit_cast<uint32_t>(v); }
};
struct F16 {
    using Word = uint32_t;
    using Calc = float;
    static Calc load(Word w) { return half_to_float(uint16_t(w)); }
    static Word store(Calc v) { return half_from_float(v); }
};
template <typename W, typename C>
struct Integer {
    using Word = W;
    using Calc = C;
    static Calc load(Word w) { return Calc(w); }
    static Word store(Calc v) { return Word(v); }
};
using I16 = Integer<uint32_t, uint16_t>;
using I32 = Integer<uint32_t, uint32_t>;
using I64 = Integer<uint64_t, uint64_t>;
struct Boolean {
    using Word = uint32_t;
    using Calc = bool;
    static Calc load(Word w) { return w != 0; }
    static Word store(Calc v) { return v; }
};

template <typename T>
struct Chunk {
    typename T::Calc v[4];
    Chunk() = default;
    Chunk(const void* row, unsigned lane) {
        typename T::Word w[4];
        std::memcpy(w, static_cast<const typename T::Word*>(row) + lane, sizeof w);
        for (unsigned j = 0; j < 4; j++)
            v[j] = T::load(w[j]);
    }
    void store(void* row, unsigned lane) const {
        typename T::Word w[4];
        for (unsigned j = 0; j < 4; j++)
            w[j] = T::store(v[j]);
        std::memcpy(static_cast<typename T::Word*>(row) + lane, w, sizeof w);
    }
};

// F is a captureless lambda type: a kernel is a function without state.
template <typename R, typename A, typename F>
Kernel unary(F) {
    return [](void* dst, const void* a, const void*, const void*, const void*, unsigned lanes) {
        for (unsigned i = 0; i < lanes; i += 4) {
            const Chunk<A> x(a, i);
            Chunk<R> r;
            for (unsigned j = 0; j < 4; j++)
                r.v[j] = typename R::Calc(F{}(x.v[j]));
            r.store(dst, i);
        }
    };
}

template <typename R, typename A, typename B, typename F>
Kernel binary(F) {
    return [](void* dst, const void* a, const void* b, const void*, const void*, unsigned lanes) {
        for (unsigned i = 0; i < lanes; i += 4) {
            const Chunk<A> x(a, i);
            const Chunk<B> y(b, i);
            Chunk<R> r;
            for (unsigned j = 0; j < 4; j++)
                r.v[j] = typename R::Calc(F{}(x.v[j], y.v[j]));
            r.store(dst, i);
        }
    };
}

template <typename R, typename A, typename B, typename C, typename F>
Kernel ternary(F) {
    return [](void* dst, const void* a, const void* b, const void* c, const void*, unsigned lanes) {
        for (unsigned i = 0; i < lanes; i += 4) {
            const Chunk<A> x(a, i);
            const Chunk<B> y(b, i);
            const Chunk<C> z(c, i);
            Chunk<R> r;
            for (unsigned j = 0; j < 4; j++)
                r.v[j] = typename R::Calc(F{}(x.v[j], y.v[j], z.v[j]));
            r.store(dst, i);
        }
    };
}

template <typename R, typename A, typename B, typename C, typename D, typename F>
Kernel quaternary(F) {
    return [](void* dst, const void* a, const void* b, const void* c, const void* d, unsigned lanes) {
        for (unsigned i = 0; i < lanes; i += 4) {
            const Chunk<A> x(a, i);
            const Chunk<B> y(b, i);
            const Chunk<C> z(c, i);
            const Chunk<D> w(d, i);
            Chunk<R> r;
            for (unsigned j = 0; j < 4; j++)
                r.v[j] = typename R::Calc(F{}(x.v[j], y.v[j], z.v[j], w.v[j]));
            r.store(dst, i);
        }
    };
}

// Each returns the kernels of one family of operations, and null for all others.
[[nodiscard]] Kernel float_kernel(Op op, Type t);
[[nodiscard]] Kernel float_compare_kernel(Op op, Type t);
[[nodiscard]] Kernel int_kernel(Op op, Type t);
[[nodiscard]] Kernel bit_kernel(Op op, Type t);
[[nodiscard]] Kernel int_compare_kernel(Op op, Type t);
[[nodiscard]] Kernel convert_kernel(Op op, Type to, Type from);

}  // namespace terrazzo::ir::eval_detail
