// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each micro-operation, compared with its definition for one lane, on random and on special words.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <random>

#include "drivers/common/core/micro.h"
#include "pipe/half.h"
#include "tests/common/core/words.h"

using namespace terrazzo;
using core::ClampRange;
using core::MicroBlock;
using core::MicroBuilder;
using core::MicroInstr;
using core::MicroOp;
using core::U32;
using core::Value;

namespace {

float f(uint32_t bits) {
    return std::bit_cast<float>(bits);
}
uint32_t u(float v) {
    return std::bit_cast<uint32_t>(v);
}
uint32_t mask(bool b) {
    return b ? ~0u : 0;
}
bool nan(uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
}
// The first NaN among the operands, as a quiet NaN; otherwise the result.
uint32_t nan_or(float result, uint32_t a, uint32_t b = 0, uint32_t c = 0) {
    for (const uint32_t v : {a, b, c})
        if (nan(v)) return v | 0x00400000;
    return u(result);
}
// minimumNumber of IEEE 754-2019, but a NaN is returned unchanged.
uint32_t minimum(uint32_t a, uint32_t b) {
    if (nan(a)) return b;
    if (nan(b)) return a;
    if (f(a) == f(b)) return a >> 31 ? a : b;
    return f(a) < f(b) ? a : b;
}
uint32_t maximum(uint32_t a, uint32_t b) {
    if (nan(a)) return b;
    if (nan(b)) return a;
    if (f(a) == f(b)) return a >> 31 ? b : a;
    return f(a) > f(b) ? a : b;
}
double rounded(double v, wave::Round mode) {
    switch (mode) {
        case wave::Round::NearestEven:
            return std::nearbyint(v);
        case wave::Round::Up:
            return std::ceil(v);
        case wave::Round::Down:
            return std::floor(v);
        case wave::Round::ToZero:
            return std::trunc(v);
    }
    return v;
}
uint32_t to_signed(uint32_t v, wave::Round mode) {
    if (nan(v)) return 0;
    const double r = rounded(f(v), mode);
    return uint32_t(r >= 2147483648.0 ? INT32_MAX : r <= -2147483648.0 ? INT32_MIN : int32_t(r));
}
uint32_t to_unsigned(uint32_t v, wave::Round mode) {
    if (nan(v)) return 0;
    const double r = rounded(f(v), mode);
    return r >= 4294967296.0 ? UINT32_MAX : r <= 0 ? 0 : uint32_t(r);
}
uint32_t clamped(uint32_t v, ClampRange range) {
    const float low = range == ClampRange::MinusOneToOne ? -1 : 0;
    const float high = range == ClampRange::ZeroToInfinity ? INFINITY : 1;
    return nan(v) || f(v) <= low ? u(low) : f(v) >= high ? u(high) : v;
}
uint32_t bits_from(uint32_t v, unsigned first, unsigned bits, bool sign) {
    uint32_t out = 0;
    for (unsigned n = 0; n < 32; ++n) {
        const bool set = n < bits ? v >> (first + n) & 1 : bits && sign && (v >> (first + bits - 1) & 1);
        out |= uint32_t(set) << n;
    }
    return out;
}

// The definition of each operation.
uint32_t expect(const MicroInstr& i, uint32_t a, uint32_t b, uint32_t c) {
    const int32_t sa = int32_t(a), sb = int32_t(b);
    switch (i.op) {
        case MicroOp::Copy:
            return a;
        case MicroOp::Select:
            return a ? b : c;
        case MicroOp::And:
            return a & b;
        case MicroOp::Or:
            return a | b;
        case MicroOp::Xor:
            return a ^ b;
        case MicroOp::Not:
            return ~a;
        case MicroOp::ShiftLeft:
            return a << (b % 32);
        case MicroOp::ShiftRight:
            return a >> (b % 32);
        case MicroOp::ShiftRightSigned:
            return uint32_t(sa >> (b % 32));
        case MicroOp::ExtractUnsigned:
            return bits_from(a, i.imm.first, i.imm.bits, false);
        case MicroOp::ExtractSigned:
            return bits_from(a, i.imm.first, i.imm.bits, true);
        case MicroOp::Insert:
            for (unsigned n = 0; n < i.imm.bits; ++n) {
                a &= ~(1u << (i.imm.first + n));
                a |= (b >> n & 1) << (i.imm.first + n);
            }
            return a;
        case MicroOp::CountBits: {
            uint32_t count = 0;
            for (unsigned n = 0; n < 32; ++n)
                count += a >> n & 1;
            return count;
        }
        case MicroOp::LeadingZeros: {
            uint32_t count = 0;
            while (count < 32 && !(a >> (31 - count) & 1))
                ++count;
            return count;
        }
        case MicroOp::ReverseBits: {
            uint32_t out = 0;
            for (unsigned n = 0; n < 32; ++n)
                out |= (a >> n & 1) << (31 - n);
            return out;
        }
        case MicroOp::Add:
            return uint32_t(int64_t(sa) + sb);
        case MicroOp::Sub:
            return uint32_t(int64_t(sa) - sb);
        case MicroOp::Mul:
            return uint32_t(uint64_t(a) * b);
        case MicroOp::MinSigned:
            return uint32_t(std::min(sa, sb));
        case MicroOp::MaxSigned:
            return uint32_t(std::max(sa, sb));
        case MicroOp::MinUnsigned:
            return std::min(a, b);
        case MicroOp::MaxUnsigned:
            return std::max(a, b);
        case MicroOp::Equal:
            return mask(a == b);
        case MicroOp::NotEqual:
            return mask(a != b);
        case MicroOp::LessSigned:
            return mask(sa < sb);
        case MicroOp::LessUnsigned:
            return mask(a < b);
        case MicroOp::FloatEqual:
            return mask(f(a) == f(b));
        case MicroOp::FloatNotEqual:
            return mask(!(f(a) == f(b)));
        case MicroOp::FloatLess:
            return mask(f(a) < f(b));
        case MicroOp::FloatLessEqual:
            return mask(f(a) <= f(b));
        case MicroOp::FloatAdd:
            return nan_or(f(a) + f(b), a, b);
        case MicroOp::FloatMul:
            return nan_or(f(a) * f(b), a, b);
        case MicroOp::FloatFma:
            return nan_or(std::fma(f(a), f(b), f(c)), a, b, c);
        case MicroOp::FloatMin:
            return minimum(a, b);
        case MicroOp::FloatMax:
            return maximum(a, b);
        case MicroOp::FloatRound:
            return nan_or(std::copysign(float(rounded(f(a), i.imm.round)), f(a)), a);
        case MicroOp::FloatClamp:
            return clamped(a, i.imm.range);
        case MicroOp::HalfToFloat:
            return u(pipe::half_to_float(uint16_t(a & 0xffff)));
        case MicroOp::FloatToHalf:
            return pipe::float_to_half(f(a));
        case MicroOp::SignedToFloat:
            return u(float(sa));
        case MicroOp::UnsignedToFloat:
            return u(float(double(a)));
        case MicroOp::FloatToSigned:
            return to_signed(a, i.imm.round);
        case MicroOp::FloatToUnsigned:
            return to_unsigned(a, i.imm.round);
        case MicroOp::Kernel:
            return a * 3 + b * 5 + c * 7 + uint32_t(i.imm.data);
    }
    return 0;
}

void mix(const U32& a, const U32& b, const U32& c, uint64_t data, U32* out) {
    *out = a * 3u + b * 5u + c * 7u + uint32_t(data);
}

// Four groups of random and special words for three operands, and a result.
struct Lanes {
    static constexpr unsigned kGroups = 4;
    U32 rows[4][kGroups];
    uint16_t running[kGroups] = {0xffff, 0x8421, 0, 0x7ffe};

    void fill(std::mt19937& random) {
        for (auto& row : rows)
            for (U32& v : row)
                v = core_test::some_words(random);
    }
    core::LaneState state() { return {&rows[0][0], kGroups, kGroups, nullptr, running}; }
};

uint32_t lanes_that_differ(MicroInstr i, std::mt19937& random) {
    Lanes lanes;
    lanes.fill(random);
    i.to = MicroBuilder::reg(3);
    for (unsigned n = 0; n < 3; ++n)
        i.from[n] = MicroBuilder::reg(n);
    const Lanes before = lanes;
    MicroBlock block;
    block.code.push_back(i);
    core::interpret(block, lanes.state());
    uint32_t wrong = 0;
    for (unsigned g = 0; g < Lanes::kGroups; ++g)
        for (unsigned n = 0; n < wave::kLanes; ++n) {
            const auto& r = before.rows;
            const bool runs = before.running[g] >> n & 1;
            const uint32_t right = runs ? expect(i, r[0][g][n], r[1][g][n], r[2][g][n]) : r[3][g][n];
            // 0/0, inf - inf and 0*inf without a NaN operand: the host decides the sign.
            const bool new_nan = runs && (right & 0x7fffffff) == 0x7fc00000;
            if (new_nan ? (lanes.rows[3][g][n] & 0x7fffffff) != 0x7fc00000 : lanes.rows[3][g][n] != right)
                ++wrong;
        }
    return wrong;
}

}  // namespace

TEST_CASE("micro: each operation computes its definition for each active lane") {
    std::mt19937 random(31);
    for (unsigned op = 0; op < core::kMicroOps; ++op)
        for (unsigned round = 0; round < 2000; ++round) {
            MicroInstr i;
            i.op = MicroOp(op);
            i.imm.bits = uint8_t(random() % 33);
            i.imm.first = uint8_t(std::min<uint32_t>(random() % (33 - i.imm.bits), 31));
            i.imm.round = wave::Round(random() % 4);
            i.imm.range = ClampRange(random() % 3);
            i.imm.data = random();
            i.kernel = mix;
            CAPTURE(op);
            CAPTURE(unsigned(i.imm.first));
            CAPTURE(unsigned(i.imm.bits));
            REQUIRE(lanes_that_differ(i, random) == 0);
        }
}

TEST_CASE("micro: special words") {
    const auto one = [](MicroOp op, uint32_t a, uint32_t b = 0, uint32_t c = 0) {
        MicroBlock block;
        MicroBuilder builder(&block);
        builder.write(0, builder.op(op, builder.constant(a), builder.uniform(0), builder.constant(c)));
        U32 row{};
        const uint16_t running = 0xffff;
        core::interpret(block, {&row, 1, 1, &b, &running});
        return row[7];
    };
    CHECK(one(MicroOp::FloatMin, u(0.0f), u(-0.0f)) == u(-0.0f));
    CHECK(one(MicroOp::FloatMax, u(-0.0f), u(0.0f)) == 0);
    CHECK(one(MicroOp::FloatMax, 0x7fc00001, u(1.0f)) == u(1.0f));
    CHECK(one(MicroOp::FloatAdd, 0x7f800001, 0x7fc00002) == 0x7fc00001);  // the first NaN, made quiet
    CHECK(one(MicroOp::FloatFma, u(1.0f), u(2.0f), 0xff800003) == 0xffc00003);
    CHECK(one(MicroOp::FloatFma, u(0x1.000002p0f), u(0x1.000002p0f), u(-0x1.000004p0f)) == u(0x1p-46f));
    CHECK(one(MicroOp::FloatToHalf, 0x7fabcdef) == 0x7e00);
    CHECK(one(MicroOp::HalfToFloat, 0xffff7c01) == 0x7f802000);  // a signalling NaN stays signalling
    CHECK(one(MicroOp::Mul, 0x80000000, 0xffffffff) == 0x80000000);
    CHECK(one(MicroOp::LeadingZeros, 0) == 32);
    CHECK(one(MicroOp::ShiftLeft, 1, 33) == 2);
    CHECK(one(MicroOp::UnsignedToFloat, 0xffffff80) == u(4294967296.0f));
    CHECK(one(MicroOp::FloatLessEqual, 0x7fc00000, 0x7fc00000) == 0);
    CHECK(one(MicroOp::FloatNotEqual, 0x7fc00000, 0x7fc00000) == ~0u);
}

TEST_CASE("micro: a block's later operations see the earlier ones' results") {
    // r0 = r0 + r1; r1 = r0 * u0 - r1, with the new r0. The rows have three groups, of which two run.
    MicroBlock block;
    MicroBuilder b(&block);
    b.write(0, b.op(MicroOp::Add, b.reg(0), b.reg(1)));
    b.write(1, b.op(MicroOp::Sub, b.op(MicroOp::Mul, b.reg(0), b.uniform(2)), b.reg(1)));
    U32 rows[2][3];
    for (U32& v : rows[0])
        v = wave::splat(10);
    for (U32& v : rows[1])
        v = wave::splat(4);
    const uint32_t uniforms[] = {0, 0, 3};
    const uint16_t running[] = {0x0001, 0xffff};
    core::interpret(block, {&rows[0][0], 3, 2, uniforms, running});
    CHECK(uint32_t(rows[0][0][0]) == 14);
    CHECK(uint32_t(rows[1][0][0]) == 38);
    CHECK(uint32_t(rows[0][0][1]) == 10);  // an inactive lane
    CHECK(uint32_t(rows[1][0][1]) == 4);
    CHECK(uint32_t(rows[1][1][15]) == 38);
    CHECK(uint32_t(rows[0][2][0]) == 10);  // in the third group
}

TEST_CASE("micro: more groups than run at once") {
    constexpr unsigned kGroups = 21;
    MicroBlock block;
    MicroBuilder b(&block);
    b.write(0, b.op(MicroOp::Add, b.op(MicroOp::ShiftLeft, b.reg(0), b.constant(1)), b.constant(1)));
    U32 row[kGroups];
    uint16_t running[kGroups];
    for (unsigned g = 0; g < kGroups; ++g) {
        row[g] = wave::splat(g);
        running[g] = g % 5 == 3 ? 0 : 0xffff;
    }
    core::interpret(block, {row, kGroups, kGroups, nullptr, running});
    for (unsigned g = 0; g < kGroups; ++g)
        CHECK(uint32_t(row[g][g % 16]) == (running[g] ? 2 * g + 1 : g));
}
