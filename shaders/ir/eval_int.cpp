// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Integer arithmetic, bits and comparisons of the IR. Arithmetic is unsigned, so that it wraps; only
// operations that depend on the sign convert to signed types.
#include <algorithm>
#include <limits>

#include "shaders/ir/eval_kernel.h"

namespace terrazzo::ir::eval_detail {

namespace {

template <typename U>
using S = std::make_signed_t<U>;
template <typename U>
inline constexpr unsigned kBits = sizeof(U) * 8;

template <typename U>
bool overflows(U a, U b) {
    return S<U>(b) == -1 && S<U>(a) == std::numeric_limits<S<U>>::min();
}
template <typename U>
U idiv(U a, U b) {
    if (b == 0) return 0;
    return overflows(a, b) ? a : U(S<U>(a) / S<U>(b));
}
template <typename U>
U irem(U a, U b) {
    if (b == 0 || S<U>(b) == -1) return 0;
    return U(S<U>(a) % S<U>(b));
}
template <typename U>
U imod(U a, U b) {
    const U r = irem(a, b);
    return r != 0 && (S<U>(r) < 0) != (S<U>(b) < 0) ? U(r + b) : r;
}
template <typename U>
U mul(U a, U b) {
    return U(uint64_t(a) * b);  // 16 bits would be promoted to int, which may overflow
}
template <typename U>
U imul_high(U a, U b) {
    if constexpr (sizeof(U) == 8)
        return U((__int128(S<U>(a)) * S<U>(b)) >> 64);
    else
        return U((int64_t(S<U>(a)) * S<U>(b)) >> kBits<U>);
}
template <typename U>
U umul_high(U a, U b) {
    if constexpr (sizeof(U) == 8)
        return U(((unsigned __int128)(a)*b) >> 64);
    else
        return U((uint64_t(a) * b) >> kBits<U>);
}

template <typename T>
Kernel arithmetic(Op op) {
    using U = typename T::Calc;
    switch (op) {
        case Op::IAdd:
            return binary<T, T, T>([](U a, U b) { return a + b; });
        case Op::ISub:
            return binary<T, T, T>([](U a, U b) { return a - b; });
        case Op::IMul:
            return binary<T, T, T>([](U a, U b) { return mul(a, b); });
        case Op::IMulHigh:
            return binary<T, T, T>([](U a, U b) { return imul_high(a, b); });
        case Op::UMulHigh:
            return binary<T, T, T>([](U a, U b) { return umul_high(a, b); });
        case Op::IDiv:
            return binary<T, T, T>([](U a, U b) { return idiv(a, b); });
        case Op::UDiv:
            return binary<T, T, T>([](U a, U b) { return b ? U(a / b) : U(0); });
        case Op::IMod:
            return binary<T, T, T>([](U a, U b) { return imod(a, b); });
        case Op::IRem:
            return binary<T, T, T>([](U a, U b) { return irem(a, b); });
        case Op::UMod:
            return binary<T, T, T>([](U a, U b) { return b ? U(a % b) : U(0); });
        case Op::INeg:
            return unary<T, T>([](U a) { return U(0) - a; });
        case Op::IAbs:
            return unary<T, T>([](U a) { return S<U>(a) < 0 ? U(U(0) - a) : a; });
        case Op::ISign:
            return unary<T, T>([](U a) { return S<U>(a) > 0 ? U(1) : S<U>(a) < 0 ? U(-1) : U(0); });
        case Op::IMin:
            return binary<T, T, T>([](U a, U b) { return S<U>(a) < S<U>(b) ? a : b; });
        case Op::IMax:
            return binary<T, T, T>([](U a, U b) { return S<U>(a) > S<U>(b) ? a : b; });
        case Op::UMin:
            return binary<T, T, T>([](U a, U b) { return a < b ? a : b; });
        case Op::UMax:
            return binary<T, T, T>([](U a, U b) { return a > b ? a : b; });
        default:
            return nullptr;
    }
}

template <typename U>
U reverse(U a) {
    U r = 0;
    for (unsigned i = 0; i < kBits<U>; i++)
        r |= U(U((a >> i) & 1) << (kBits<U> - 1 - i));
    return r;
}
/// The part of [offset, offset + bits) that lies within the type.
template <typename U>
unsigned field_width(uint32_t offset, uint32_t bits) {
    if (int32_t(bits) <= 0 || offset >= kBits<U>) return 0;
    return std::min<unsigned>(bits, kBits<U> - offset);
}
template <typename U>
U low_mask(unsigned width) {
    return width >= kBits<U> ? U(~U(0)) : U((U(1) << width) - 1);
}
template <typename U>
U ubfe(U v, uint32_t offset, uint32_t bits) {
    const unsigned w = field_width<U>(offset, bits);
    return w ? U((v >> offset) & low_mask<U>(w)) : U(0);
}
template <typename U>
U ibfe(U v, uint32_t offset, uint32_t bits) {
    const unsigned w = field_width<U>(offset, bits);
    if (!w) return 0;
    const unsigned up = kBits<U> - w;
    return U(S<U>(U(ubfe(v, offset, bits) << up)) >> up);
}
template <typename U>
U bfi(U base, U insert, uint32_t offset, uint32_t bits) {
    const unsigned w = field_width<U>(offset, bits);
    if (!w) return base;
    const U mask = U(low_mask<U>(w) << offset);
    return U((base & U(~mask)) | (U(insert << offset) & mask));
}
template <typename U>
U find_msb(U a) {
    return a ? U(kBits<U> - 1 - unsigned(std::countl_zero(a))) : U(-1);
}

template <typename T>
Kernel bits(Op op) {
    using U = typename T::Calc;
    constexpr uint32_t kCount = kBits<U> - 1;
    switch (op) {
        case Op::IAnd:
            return binary<T, T, T>([](U a, U b) { return a & b; });
        case Op::IOr:
            return binary<T, T, T>([](U a, U b) { return a | b; });
        case Op::IXor:
            return binary<T, T, T>([](U a, U b) { return a ^ b; });
        case Op::INot:
            return unary<T, T>([](U a) { return U(~a); });
        case Op::IShl:
            return binary<T, T, I32>([](U a, uint32_t n) { return U(a << (n & kCount)); });
        case Op::IShr:
            return binary<T, T, I32>([](U a, uint32_t n) { return U(S<U>(a) >> (n & kCount)); });
        case Op::UShr:
            return binary<T, T, I32>([](U a, uint32_t n) { return U(a >> (n & kCount)); });
        case Op::BitCount:
            return unary<T, T>([](U a) { return U(std::popcount(a)); });
        case Op::BitReverse:
            return unary<T, T>([](U a) { return reverse(a); });
        case Op::FindLsb:
            return unary<T, T>([](U a) { return a ? U(std::countr_zero(a)) : U(-1); });
        case Op::UFindMsb:
            return unary<T, T>([](U a) { return find_msb(a); });
        case Op::IFindMsb:
            return unary<T, T>([](U a) { return find_msb(S<U>(a) < 0 ? U(~a) : a); });
        case Op::UBitfieldExtract:
            return ternary<T, T, I32, I32>([](U v, uint32_t o, uint32_t n) { return ubfe(v, o, n); });
        case Op::IBitfieldExtract:
            return ternary<T, T, I32, I32>([](U v, uint32_t o, uint32_t n) { return ibfe(v, o, n); });
        case Op::BitfieldInsert:
            return quaternary<T, T, T, I32, I32>(
                [](U a, U b, uint32_t o, uint32_t n) { return bfi(a, b, o, n); });
        default:
            return nullptr;
    }
}

Kernel bool_bits(Op op) {
    using B = Boolean;
    switch (op) {
        case Op::IAnd:
            return binary<B, B, B>([](bool a, bool b) { return a && b; });
        case Op::IOr:
            return binary<B, B, B>([](bool a, bool b) { return a || b; });
        case Op::IXor:
            return binary<B, B, B>([](bool a, bool b) { return a != b; });
        case Op::INot:
            return unary<B, B>([](bool a) { return !a; });
        default:
            return nullptr;
    }
}

template <typename T>
Kernel compare(Op op) {
    using U = typename T::Calc;
    switch (op) {
        case Op::IEq:
            return binary<Boolean, T, T>([](U a, U b) { return a == b; });
        case Op::INe:
            return binary<Boolean, T, T>([](U a, U b) { return a != b; });
        case Op::ILt:
            return binary<Boolean, T, T>([](U a, U b) { return S<U>(a) < S<U>(b); });
        case Op::IGe:
            return binary<Boolean, T, T>([](U a, U b) { return S<U>(a) >= S<U>(b); });
        case Op::ULt:
            return binary<Boolean, T, T>([](U a, U b) { return a < b; });
        case Op::UGe:
            return binary<Boolean, T, T>([](U a, U b) { return a >= b; });
        default:
            return nullptr;
    }
}

}  // namespace

Kernel int_kernel(Op op, Type t) {
    switch (t) {
        case Type::I16:
            return arithmetic<I16>(op);
        case Type::I32:
            return arithmetic<I32>(op);
        case Type::I64:
            return arithmetic<I64>(op);
        case Type::Void:
        case Type::Bool:
        case Type::F16:
        case Type::F32:
            return nullptr;
    }
    return nullptr;
}

Kernel bit_kernel(Op op, Type t) {
    switch (t) {
        case Type::Bool:
            return bool_bits(op);
        case Type::I16:
            return bits<I16>(op);
        case Type::I32:
            return bits<I32>(op);
        case Type::I64:
            return bits<I64>(op);
        case Type::Void:
        case Type::F16:
        case Type::F32:
            return nullptr;
    }
    return nullptr;
}

Kernel int_compare_kernel(Op op, Type t) {
    switch (t) {
        case Type::I16:
            return compare<I16>(op);
        case Type::I32:
            return compare<I32>(op);
        case Type::I64:
            return compare<I64>(op);
        case Type::Void:
        case Type::Bool:
        case Type::F16:
        case Type::F32:
            return nullptr;
    }
    return nullptr;
}

}  // namespace terrazzo::ir::eval_detail
