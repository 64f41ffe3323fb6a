// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interpreter of micro-operations: a function for each of them, over all groups that run.
#ifdef __clang__
// Whether denormals are flushed is the host's mode. Clang assumes the mode that keeps them, and turns
// comparisons and selections into minima, which flush.
#pragma STDC FENV_ACCESS ON
#endif

#include "drivers/common/core/micro.h"

#include <algorithm>
#include <array>
#include <bit>

namespace terrazzo::core {

namespace {

using wave::as_bits;
using wave::as_float;
using wave::as_signed;
using wave::F32;
using wave::I32;
using wave::is_nan;
using wave::kLanes;
using wave::or_nan;
using wave::select;
using wave::splat;

/// How many groups an operation works on before the next one begins: the temporaries stay in the cache.
constexpr unsigned kGroupsAtOnce = 8;
constexpr uint16_t kAllLanes = 0xffff;

/// An operand's vectors. All groups share the one of a uniform or of a constant: the step is 0 then.
struct Vectors {
    const U32* at = nullptr;
    unsigned step = 0;
    const U32& operator[](unsigned group) const { return at[group * step]; }
};

/// One operation on some groups.
struct Work {
    const MicroInstr& instr;
    Vectors a, b, c;
    U32* out;
    unsigned groups;
    const uint16_t* running;
};
using Function = void (*)(const Work&);

template <class F>
void each(const Work& w, F&& f) {
    for (unsigned g = 0; g < w.groups; ++g)
        if (w.running[g]) w.out[g] = f(g);
}
template <class F>
void unary(const Work& w, F&& f) {
    each(w, [&](unsigned g) { return f(w.a[g]); });
}
template <class F>
void binary(const Work& w, F&& f) {
    each(w, [&](unsigned g) { return f(w.a[g], w.b[g]); });
}
template <class F>
void ternary(const Work& w, F&& f) {
    each(w, [&](unsigned g) { return f(w.a[g], w.b[g], w.c[g]); });
}

uint32_t low_bits(unsigned bits) {
    return bits >= 32 ? ~0u : (1u << bits) - 1;
}

U32 float_add(U32 a, U32 b) {
    return or_nan(a, or_nan(b, as_bits(as_float(a) + as_float(b))));
}
U32 float_mul(U32 a, U32 b) {
    return or_nan(a, or_nan(b, as_bits(as_float(a) * as_float(b))));
}
U32 float_fma(U32 a, U32 b, U32 c) {
    return or_nan(a, or_nan(b, or_nan(c, as_bits(wave::fma(as_float(a), as_float(b), as_float(c))))));
}
U32 clamp(U32 v, ClampRange range) {
    const F32 low = F32{} + (range == ClampRange::MinusOneToOne ? -1.0f : 0.0f), one = F32{} + 1.0f;
    F32 f = as_float(v);
    f = select(U32(f > low), f, low);
    if (range != ClampRange::ZeroToInfinity) f = select(U32(f > one), one, f);
    return as_bits(f);
}
U32 extract(bool sign, U32 v, unsigned first, unsigned bits) {
    if (bits == 0) return U32{};
    const U32 top = v << (32 - first - bits);
    return sign ? U32(as_signed(top) >> (32 - bits)) : top >> (32 - bits);
}
U32 insert(U32 into, U32 v, unsigned first, unsigned bits) {
    const uint32_t mask = low_bits(bits) << first;
    return bits == 0 ? into : (into & ~mask) | (v << first & mask);
}
uint32_t reverse(uint32_t v) {
    v = (v & 0x55555555) << 1 | (v >> 1 & 0x55555555);
    v = (v & 0x33333333) << 2 | (v >> 2 & 0x33333333);
    v = (v & 0x0f0f0f0f) << 4 | (v >> 4 & 0x0f0f0f0f);
    return __builtin_bswap32(v);
}
U32 halves_to_floats(U32 v) {
    return wave::map(
        v, [](uint32_t h) { return std::bit_cast<uint32_t>(pipe::half_to_float(uint16_t(h & 0xffff))); });
}

struct Row {
    MicroOp op;
    Function function;
};

#define UNARY(expression) \
    [](const Work& w) { unary(w, [&]([[maybe_unused]] U32 a) -> U32 { return expression; }); }
#define BINARY(expression) [](const Work& w) { binary(w, [](U32 a, U32 b) -> U32 { return expression; }); }
#define TERNARY(expression) \
    [](const Work& w) { ternary(w, [](U32 a, U32 b, U32 c) -> U32 { return expression; }); }
constexpr Row kRows[] = {
    {MicroOp::Copy, UNARY(a)},
    {MicroOp::Select, TERNARY(select(U32(a != 0u), b, c))},
    {MicroOp::And, BINARY(a & b)},
    {MicroOp::Or, BINARY(a | b)},
    {MicroOp::Xor, BINARY(a ^ b)},
    {MicroOp::Not, UNARY(~a)},
    {MicroOp::ShiftLeft, BINARY(a << (b & 31u))},
    {MicroOp::ShiftRight, BINARY(a >> (b & 31u))},
    {MicroOp::ShiftRightSigned, BINARY(U32(as_signed(a) >> as_signed(b & 31u)))},
    {MicroOp::ExtractUnsigned, UNARY(extract(false, a, w.instr.imm.first, w.instr.imm.bits))},
    {MicroOp::ExtractSigned, UNARY(extract(true, a, w.instr.imm.first, w.instr.imm.bits))},
    {MicroOp::Insert,
     [](const Work& w) {
         binary(w, [&](U32 a, U32 b) { return insert(a, b, w.instr.imm.first, w.instr.imm.bits); });
     }},
    {MicroOp::CountBits, UNARY(wave::map(a, [](uint32_t v) { return uint32_t(std::popcount(v)); }))},
    {MicroOp::LeadingZeros, UNARY(wave::map(a, [](uint32_t v) { return uint32_t(std::countl_zero(v)); }))},
    {MicroOp::ReverseBits, UNARY(wave::map(a, reverse))},
    {MicroOp::Add, BINARY(a + b)},
    {MicroOp::Sub, BINARY(a - b)},
    {MicroOp::Mul, BINARY(a * b)},
    {MicroOp::MinSigned, BINARY(select(U32(as_signed(a) < as_signed(b)), a, b))},
    {MicroOp::MaxSigned, BINARY(select(U32(as_signed(a) > as_signed(b)), a, b))},
    {MicroOp::MinUnsigned, BINARY(select(U32(a < b), a, b))},
    {MicroOp::MaxUnsigned, BINARY(select(U32(a > b), a, b))},
    {MicroOp::Equal, BINARY(U32(a == b))},
    {MicroOp::NotEqual, BINARY(U32(a != b))},
    {MicroOp::LessSigned, BINARY(U32(as_signed(a) < as_signed(b)))},
    {MicroOp::LessUnsigned, BINARY(U32(a < b))},
    {MicroOp::FloatEqual, BINARY(U32(as_float(a) == as_float(b)))},
    {MicroOp::FloatNotEqual, BINARY(U32(as_float(a) != as_float(b)))},
    {MicroOp::FloatLess, BINARY(U32(as_float(a) < as_float(b)))},
    {MicroOp::FloatLessEqual, BINARY(U32(as_float(a) <= as_float(b)))},
    {MicroOp::FloatAdd, BINARY(float_add(a, b))},
    {MicroOp::FloatMul, BINARY(float_mul(a, b))},
    {MicroOp::FloatFma, TERNARY(float_fma(a, b, c))},
    {MicroOp::FloatMin, BINARY(as_bits(wave::fmin(as_float(a), as_float(b))))},
    {MicroOp::FloatMax, BINARY(as_bits(wave::fmax(as_float(a), as_float(b))))},
    {MicroOp::FloatRound, UNARY(or_nan(a, wave::map(a, [&](uint32_t v) {
         return std::bit_cast<uint32_t>(wave::round_to_integral(std::bit_cast<float>(v), w.instr.imm.round));
     })))},
    {MicroOp::FloatClamp, UNARY(clamp(a, w.instr.imm.range))},
    {MicroOp::HalfToFloat, UNARY(halves_to_floats(a))},
    {MicroOp::FloatToHalf, UNARY(wave::to_halves(as_float(a)))},
    {MicroOp::SignedToFloat, UNARY(as_bits(__builtin_convertvector(as_signed(a), F32)))},
    {MicroOp::UnsignedToFloat,
     UNARY(wave::map(a, [](uint32_t v) { return std::bit_cast<uint32_t>(float(v)); }))},
    {MicroOp::FloatToSigned, UNARY(wave::map(a, [&](uint32_t v) {
         return uint32_t(wave::to_s32(std::bit_cast<float>(v), w.instr.imm.round));
     }))},
    {MicroOp::FloatToUnsigned, UNARY(wave::map(a, [&](uint32_t v) {
         return wave::to_u32(std::bit_cast<float>(v), w.instr.imm.round);
     }))},
    // By a result of its own: the kernel may write lanes before it has read all of its sources.
    {MicroOp::Kernel,
     [](const Work& w) {
         each(w, [&](unsigned g) {
             U32 out{};
             w.instr.kernel(w.a[g], w.b[g], w.c[g], w.instr.imm.data, &out);
             return out;
         });
     }},
};
#undef UNARY
#undef BINARY
#undef TERNARY
static_assert(std::size(kRows) == kMicroOps);
static_assert([] {
    for (unsigned i = 0; i < kMicroOps; ++i)
        if (unsigned(kRows[i].op) != i) return false;
    return true;
}());

/// The temporaries of this thread's run. They only grow, so that a run rarely allocates.
U32* scratch(size_t vectors) {
    thread_local std::vector<U32> room;
    if (room.size() < vectors) room.resize(vectors);
    return room.data();
}

/// Some groups of a state; `state.groups` is at most kGroupsAtOnce.
class Run {
  public:
    Run(const MicroBlock& block, const LaneState& state)
        : block_(block), state_(state), temporaries_(scratch(size_t(block.temporaries) * kGroupsAtOnce)) {
        whole_ = std::all_of(state.running, state.running + state.groups,
                             [](uint16_t lanes) { return lanes == kAllLanes; });
    }
    void run() {
        for (const MicroInstr& i : block_.code)
            step(i);
    }

  private:
    U32* row(uint32_t index) { return state_.registers + size_t(index) * state_.row_groups; }
    size_t distance() const { return block_.group_distance; }
    Vectors operand(const Value& v, U32* room) {
        switch (v.kind) {
            case Value::Kind::Temporary:
                return {temporaries_ + size_t(v.index) * kGroupsAtOnce, 1};
            case Value::Kind::Register:
                return {row(v.index), block_.group_distance};
            case Value::Kind::Uniform:
                *room = splat(state_.uniforms[v.index]);
                return {room, 0};
            case Value::Kind::Constant:
                *room = splat(v.index);
                return {room, 0};
            case Value::Kind::None:
                break;
        }
        *room = U32{};
        return {room, 0};
    }
    void step(const MicroInstr& i) {
        U32 a, b, c, result[kGroupsAtOnce];
        const bool to_register = i.to.kind == Value::Kind::Register,
                   through = to_register && (!whole_ || distance() != 1);
        U32* const to = to_register ? row(i.to.index) : temporaries_ + size_t(i.to.index) * kGroupsAtOnce;
        const Work work{i,
                        operand(i.from[0], &a),
                        operand(i.from[1], &b),
                        operand(i.from[2], &c),
                        through ? result : to,
                        state_.groups,
                        state_.running};
        kRows[unsigned(i.op)].function(work);
        if (!through) return;
        for (unsigned g = 0; g < state_.groups; ++g)
            if (U32& row = to[g * distance()]; state_.running[g])
                row = select(wave::mask_of(state_.running[g]), result[g], row);
    }

    const MicroBlock& block_;
    const LaneState state_;
    U32* const temporaries_;
    bool whole_;
};

}  // namespace

void interpret(const MicroBlock& block, const LaneState& state) {
    for (unsigned first = 0; first < state.groups; first += kGroupsAtOnce) {
        LaneState part = state;
        part.registers += size_t(first) * block.group_distance;
        part.running += first;
        part.groups = std::min(kGroupsAtOnce, state.groups - first);
        if (std::any_of(part.running, part.running + part.groups, [](uint16_t lanes) { return lanes != 0; }))
            Run(block, part).run();
    }
}

}  // namespace terrazzo::core
