// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Special functions: exact values rounded once, so that compilers' sequences of them (Mesa 25.0.7,
// bifrost_compile.c) are as precise as GLES requires. Instructions whose semantics no public source documents
// have no function: they fault. And operations between lanes.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "drivers/common/core/functions.h"
#include "drivers/mali/sim/core/lower.h"

namespace terrazzo::mali::sim {

using enum MicroOp;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr float kInf = std::numeric_limits<float>::infinity();

uint32_t bits(double v) {
    return std::bit_cast<uint32_t>(float(v));
}
float value(uint32_t v) {
    return std::bit_cast<float>(v);
}

// ---- Functions of one value ----

Value function(Lowering& l, core::Function f, Value v) {
    if (l.bits == 32) return l.builder().kernel(core::float_kernel(f), 0, v);
    return l.op(FloatToHalf, l.builder().kernel(core::odd_kernel(f), 0, v));
}
template <core::Function kF>
void function(Lowering& l) {
    l.parts([&](unsigned p) { return function(l, kF, l.real(0, p)); });
}
// Approximates the function of the operand's mantissa.
template <core::Function kF>
void approximate(Lowering& l) {
    constexpr bool kSqrt = kF == core::Function::ReciprocalSqrt;
    l.parts([&](unsigned p) { return function(l, kF, split(l, l.real(0, p), kSqrt, false).mantissa); });
}

// ---- Tables and steps of functions ----

// The function whose values a table has.
enum class TableOf : uint8_t { Sine, Cosine, Exp2 };
template <TableOf kOf, unsigned kEntries>
uint32_t entry(uint32_t v, uint32_t, uint32_t, uint64_t) {
    static const auto table = [] {
        std::array<uint32_t, kEntries> t{};
        for (unsigned n = 0; n < kEntries; ++n)
            t[n] = bits(kOf == TableOf::Sine     ? std::sin(n * (kPi / 32))
                        : kOf == TableOf::Cosine ? std::cos(n * (kPi / 32))
                                                 : std::exp2(n / 16.0));
        return t;
    }();
    return table[v % kEntries];
}
// v * 2^exponent; the result is a normal double for a `v` that is 0 or a sum or product of floats.
double scaled(double v, int32_t exponent) {
    return v * std::bit_cast<double>(uint64_t(1023 + std::clamp(exponent, -700, 700)) << 52);
}
// a * b + c to odd: scaled and rounded, it is as if it were rounded once.
double sum(uint32_t a, uint32_t b, uint32_t c) {
    const double product = double(value(a)) * double(value(b));
    return value(c) == 0 ? product + double(value(c)) : wave::add_odd(product, double(value(c)));
}
uint32_t sum_word(uint32_t a, uint32_t b, uint32_t c, uint64_t shift) {
    return uint32_t(std::bit_cast<uint64_t>(sum(a, b, c)) >> shift);
}
uint32_t scale_sum(uint32_t low, uint32_t high, uint32_t exponent, uint64_t) {
    return bits(scaled(std::bit_cast<double>(uint64_t(high) << 32 | low), int32_t(exponent)));
}
template <uint32_t (*kF)(uint32_t, uint32_t, uint32_t, uint64_t)>
void table(Lowering& l) {
    l.write(l.kernel<kF>(0, l.raw(0)));
}
// 2^(fixed / 2^24). The second source is the float that was converted; it shows infinities and NaN.
void exponential(Lowering& l) {
    l.reals([&](unsigned p) {
        const Value from = l.real(1, p), limit = l.constant(bits(0x1p31)), least = l.constant(bits(-0x1p31));
        Value v = l.builder().kernel(core::float_kernel(core::Function::Exp2OfFixed), 0, l.raw(0));
        v = l.op(Select, l.op(FloatLessEqual, limit, from), l.constant(bits(double(kInf))), v);
        v = l.op(Select, l.op(FloatLess, from, least), l.constant(0), v);
        return l.op(Select, l.op(FloatNotEqual, from, from), from, v);
    });
}
void add_scaled(Lowering& l) {
    l.reals([&](unsigned p) {
        return l.op(FloatAdd, l.real(0, p), split(l, l.real(1, p), false, true).mantissa);
    });
}
// FMA_RSCALE_N differs only for a NaN in a division, which no test covers.
void fma_scaled(Lowering& l) {
    l.reals([&](unsigned p) {
        const Value a = l.real(0, p), b = l.real(1, p), c = l.real(2, p);
        if (c.kind == Value::Kind::Constant)
            return l.builder().kernel(core::scaled_fma_kernel(), c.index, a, b, l.raw(3));
        Value v =
            l.kernel<scale_sum>(0, l.kernel<sum_word>(0, a, b, c), l.kernel<sum_word>(32, a, b, c), l.raw(3));
        for (const Value& x : {c, b, a})  // the first NaN is the result (core/micro.h)
            v = l.op(Select, l.op(FloatNotEqual, x, x), l.op(Or, x, l.constant(wave::kQuietNan)), v);
        return v;
    });
}

// ---- Cube maps ----

enum class Face : uint32_t { PosX, NegX, PosY, NegY, PosZ, NegZ };
constexpr unsigned kFaceShift = 29;  // the place where texture instructions expect it
uint32_t cube_face(uint32_t x, uint32_t y, uint32_t z, uint64_t) {
    const float ax = std::fabs(value(x)), ay = std::fabs(value(y)), az = std::fabs(value(z));
    const Face f = az >= ax && az >= ay     ? (std::signbit(value(z)) ? Face::NegZ : Face::PosZ)
                   : ay >= ax               ? (std::signbit(value(y)) ? Face::NegY : Face::PosY)
                   : std::signbit(value(x)) ? Face::NegX
                                            : Face::PosX;
    return uint32_t(f) << kFaceShift;
}
uint32_t cube_size(uint32_t x, uint32_t y, uint32_t z, uint64_t) {
    const float yz = std::fmax(std::fabs(value(y)), std::fabs(value(z)));
    return bits(double(std::fmax(std::fabs(value(x)), yz)));
}
// CUBE_SSEL selects s on the face from (z, x), CUBE_TSEL selects t from (y, z); OpenGL ES 3.2, table 8.19.
uint32_t cube_s(uint32_t z, uint32_t x, uint32_t face, uint64_t) {
    const Face f = Face(face >> kFaceShift);
    const float s = f == Face::PosX || f == Face::NegX ? value(z) : value(x);
    return std::bit_cast<uint32_t>(f == Face::PosX || f == Face::NegZ ? -s : s);
}
uint32_t cube_t(uint32_t y, uint32_t z, uint32_t face, uint64_t) {
    const Face f = Face(face >> kFaceShift);
    return std::bit_cast<uint32_t>(f == Face::PosY ? value(z) : f == Face::NegY ? -value(z) : -value(y));
}

template <uint32_t (*kF)(uint32_t, uint32_t, uint32_t, uint64_t)>
void cube(Lowering& l) {
    const bool selects = l.instr.info().source_rows[2].neg.width == 0;  // by a face, not a coordinate
    l.write(l.kernel<kF>(0, l.real(0, 0), l.real(1, 0), selects ? l.raw(2) : l.real(2, 0)));
}

// ---- Operations between lanes ----

// The result of CLPER for an inactive source lane, by isa::InactiveResult.
constexpr uint32_t kInactive[] = {
    0,           0xffffffffu, 1,           0x00010001u, 0x80000000u, 0x7fffffffu, 0x80008000u, 0x7fff7fffu,
    0x80808080u, 0x7f7f7f7fu, 0x3f800000u, 0x3c003c00u, 0xff800000u, 0x7f800000u, 0xfc00fc00u, 0x7c007c00u};
static_assert(std::size(kInactive) == unsigned(isa::InactiveResult::kV2inf) + 1);

// The lane that a lane reads; -1: outside its subgroup, treated as inactive.
int source_lane(isa::LaneOp op, unsigned lane, uint32_t argument, unsigned size) {
    const unsigned base = lane & ~(size - 1);
    switch (op) {
        case isa::LaneOp::kNone:
            return int(base + (argument & (size - 1)));
        case isa::LaneOp::kXor:
            return int(base + ((lane ^ argument) & (size - 1)));
        case isa::LaneOp::kAccumulate:
        case isa::LaneOp::kShift: {
            const int64_t at = int64_t(lane) - int64_t(argument);
            return at < int64_t(base) ? -1 : int(at);
        }
    }
    return -1;
}
// `data`: the inactive result, above it the lane operation, then the subgroup's size.
void permute_lanes(const U32& v, const U32& argument, const U32& active, uint64_t data, U32* out) {
    for (unsigned i = 0; i < wave::kLanes; ++i) {
        const int from = source_lane(isa::LaneOp(data >> 32 & 0xff), i, argument[i], unsigned(data >> 40));
        (*out)[i] = from >= 0 && (active[0] >> from & 1) ? v[unsigned(from)] : uint32_t(data);
    }
}
// The lanes of the subgroup whose source is not zero.
void nonzero_lanes(const U32& v, const U32& active, const U32&, uint64_t size, U32* out) {
    const uint32_t set = wave::bits_of(v) & active[0];
    for (unsigned i = 0; i < wave::kLanes; ++i)
        (*out)[i] = set >> (i & ~(size - 1)) & ((1u << size) - 1);
}

uint64_t subgroup_lanes(const Lowering& l) {
    return 2u << unsigned(l.instr.subgroup());
}
void permute(Lowering& l) {
    const uint64_t data = kInactive[unsigned(l.instr.inactive_result())] | uint64_t(l.instr.lane_op()) << 32 |
                          subgroup_lanes(l) << 40;
    const Value argument = l.integer(1, 0, false), active = l.active();
    const auto moved = [&](Value v) { return l.builder().kernel(permute_lanes, data, v, argument, active); };
    if (l.bits != 64) return l.write(moved(l.raw(0)));
    const Pair v = l.wide(0, false);
    l.write(Pair{moved(v.low), moved(v.high)});
}
void mask_of_lanes(Lowering& l) {
    l.write(l.builder().kernel(nonzero_lanes, subgroup_lanes(l), l.raw(0), l.active(), l.constant(0)));
}

constexpr std::array kRows = {
    LowerRow{"FRCP", function<core::Function::Reciprocal>},
    LowerRow{"FRSQ", function<core::Function::ReciprocalSqrt>},
    LowerRow{"FRCP_APPROX", approximate<core::Function::Reciprocal>},
    LowerRow{"FRSQ_APPROX", approximate<core::Function::ReciprocalSqrt>},
    // Multiplied by (m - 1) and added to the exponent, it is the logarithm.
    LowerRow{"FLOGD", function<core::Function::Log2Quotient>},
    LowerRow{"FSIN_TABLE", table<entry<TableOf::Sine, 64>>},
    LowerRow{"FCOS_TABLE", table<entry<TableOf::Cosine, 64>>},
    LowerRow{"FEXP_TABLE", table<entry<TableOf::Exp2, 16>>},
    LowerRow{"FEXP", exponential},
    LowerRow{"FADD_LSCALE", add_scaled},
    LowerRow{"FMA_RSCALE", fma_scaled},
    LowerRow{"FMA_RSCALE_N", fma_scaled},
    LowerRow{"CUBEFACE1", cube<cube_size>},
    LowerRow{"CUBEFACE2_V9", cube<cube_face>},
    LowerRow{"CUBE_SSEL", cube<cube_s>},
    LowerRow{"CUBE_TSEL", cube<cube_t>},
    LowerRow{"CLPER", permute},
    LowerRow{"WMASK", mask_of_lanes},
    LowerRow{"FSINCOS_OFFSET", nullptr},
    LowerRow{"FPCLASS", nullptr},
    LowerRow{"FLOG_TABLE", nullptr},
    LowerRow{"FATAN_ASSIST", nullptr},
    LowerRow{"FMA_RSCALE_LEFT", nullptr},
    LowerRow{"FMA_RSCALE_SCALE16", nullptr},
};

}  // namespace

std::span<const LowerRow> special_rows() {
    return kRows;
}

}  // namespace terrazzo::mali::sim
