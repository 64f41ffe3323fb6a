// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions that exchange values between the threads of a group, or of a quad. Source: applegpu.py.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "drivers/agx/sim/core/execution.h"
#include "pipe/half.h"

namespace terrazzo::agx::sim {

using isa::Op;

namespace {

constexpr unsigned kQuad = 4;

float real(uint32_t bits, unsigned size) {
    return size == 16 ? pipe::half_to_float(uint16_t(bits)) : std::bit_cast<float>(bits);
}
uint32_t bits_of(float v, unsigned size) {
    return size == 16 ? pipe::float_to_half(v) : std::bit_cast<uint32_t>(v);
}

/// How a value is combined with the ones before it.
enum class Combine : uint8_t { And, Or, Xor, Iadd, Fadd, Fmul, MinU, MaxU, MinS, MaxS, MinF, MaxF };
struct Reduction {
    Combine how;
    bool prefix, quads;
};

/// From the name of the instruction: "quad_and", "simd_prefix_iadd", "simd_min.u".
bool reduction_of(Op op, Reduction* out) {
    static constexpr std::pair<std::string_view, Combine> kHow[] = {
        {"and", Combine::And},    {"or", Combine::Or},      {"xor", Combine::Xor},
        {"iadd", Combine::Iadd},  {"fadd", Combine::Fadd},  {"fmul", Combine::Fmul},
        {"min.u", Combine::MinU}, {"max.u", Combine::MaxU}, {"min.s", Combine::MinS},
        {"max.s", Combine::MaxS}, {"min.f", Combine::MinF}, {"max.f", Combine::MaxF}};
    std::string_view name = isa::info(op).name;
    out->quads = name.starts_with("quad_");
    name.remove_prefix(5);
    out->prefix = name.starts_with("prefix_");
    if (out->prefix) name.remove_prefix(7);
    for (const auto& [text, how] : kHow)
        if (name == text) {
            out->how = how;
            return true;
        }
    return false;
}

uint32_t neutral(Combine how, unsigned size) {
    switch (how) {
        case Combine::And:
        case Combine::MinU:
            return size == 16 ? 0xffff : ~0u;
        case Combine::MinS:
            return size == 16 ? 0x7fff : 0x7fffffff;
        case Combine::MaxS:
            return size == 16 ? 0x8000 : 0x80000000;
        case Combine::Fmul:
            return bits_of(1, size);
        case Combine::MinF:
            return bits_of(HUGE_VALF, size);
        case Combine::MaxF:
            return bits_of(-HUGE_VALF, size);
        case Combine::Or:
        case Combine::Xor:
        case Combine::Iadd:
        case Combine::Fadd:
        case Combine::MaxU:
            return 0;
    }
    return 0;
}
uint32_t combined(Combine how, uint32_t a, uint32_t b, unsigned size) {
    const auto sign = [&](uint32_t v) { return size == 16 ? int32_t(int16_t(v)) : int32_t(v); };
    const float x = real(a, size), y = real(b, size);
    switch (how) {
        case Combine::And:
            return a & b;
        case Combine::Or:
            return a | b;
        case Combine::Xor:
            return a ^ b;
        case Combine::Iadd:
            return a + b;
        case Combine::Fadd:
            return bits_of(x + y, size);
        case Combine::Fmul:
            return bits_of(x * y, size);
        case Combine::MinU:
            return std::min(a, b);
        case Combine::MaxU:
            return std::max(a, b);
        case Combine::MinS:
            return uint32_t(std::min(sign(a), sign(b)));
        case Combine::MaxS:
            return uint32_t(std::max(sign(a), sign(b)));
        case Combine::MinF:
            return bits_of(std::fmin(x, y), size);
        case Combine::MaxF:
            return bits_of(std::fmax(x, y), size);
    }
    return a;
}

}  // namespace

bool Execution::threads(const Step& s) {
    const isa::Instr& i = s.instr;
    const unsigned size = i.src[0].size == 16 ? 16 : 32;
    if (i.src[0].size == 64) return fail("values of 64 bits between threads are not modelled");
    Words a, b{}, out;
    read(i.src[0], 0, a);
    if (i.info().source_count > 1) read(i.src[1], 0, b);
    const auto each = [&](auto&& f) {
        for (unsigned n = 0; n < kThreads; ++n)
            wave::put_at(out, n, f(n));
    };
    const auto from = [&](unsigned n) { return wave::at(a, n); };
    const auto by = [&](unsigned n) { return wave::at(b, n); };

    Reduction r;
    if (reduction_of(i.op, &r)) {
        const unsigned width = r.quads ? kQuad : kThreads;
        for (unsigned first = 0; first < kThreads; first += width) {
            uint32_t sum = neutral(r.how, size);
            for (unsigned n = first; n < first + width; ++n) {
                if (r.prefix) wave::put_at(out, n, sum);
                if (g_.executing >> n & 1) sum = combined(r.how, sum, from(n), size);
            }
            for (unsigned n = first; n < first + width && !r.prefix; ++n)
                wave::put_at(out, n, sum);
        }
        write(i.dest, 0, out);
        return true;
    }
    // The low two bits of all threads of a quad are combined: only values that are the same in the quad have
    // a meaning.
    const auto of_quad = [&](unsigned n) {
        unsigned v = 0;
        for (unsigned k = n & ~3u; k < (n & ~3u) + kQuad; ++k)
            v |= by(k) & 3;
        return v;
    };
    // The value in thread `to`; `own` if there is no such thread. `pick` chooses the thread within its quad.
    const auto shuffled = [&](auto&& to, auto&& pick) {
        each([&](unsigned n) {
            const unsigned t = to(n);
            if (t >= kThreads) return from(n);
            return from((t & ~3u) + pick(t & ~3u, n & 3));
        });
    };
    switch (i.op) {
        case Op::kDfdx:
        case Op::kDfdy: {
            // On quads; of the first thread's row or column, as the others have the same difference.
            const unsigned step = i.op == Op::kDfdx ? 1 : 2;
            const isa::Operand& o = i.src[0];
            const auto value = [&](unsigned n) {
                float v = real(from(n), size);
                if (o.flags & isa::kAbs) v = std::fabs(v);
                return o.flags & isa::kNeg ? -v : v;
            };
            each([&](unsigned n) {
                float v = value(n | step) - value(n & ~step);
                if (i.saturate()) v = v > 1 ? 1 : v > 0 ? v : 0;
                return bits_of(v, i.dest.size);
            });
            break;
        }
        case Op::kSimdShuffle:
            shuffled([&](unsigned n) { return by(n); }, [&](unsigned q, unsigned) { return of_quad(q); });
            break;
        case Op::kSimdShuffleDown:
            shuffled([&](unsigned n) { return by(n) + n; },
                     [&](unsigned q, unsigned i_) { return (i_ + of_quad(q)) & 3; });
            break;
        case Op::kSimdShuffleUp:
            shuffled([&](unsigned n) { return n - by(n); },
                     [&](unsigned q, unsigned i_) { return (i_ - of_quad(q)) & 3; });
            break;
        case Op::kSimdShuffleRotateUp:
            shuffled([&](unsigned n) { return (n - by(n)) % kThreads; },
                     [&](unsigned q, unsigned i_) { return (i_ - of_quad(q)) & 3; });
            break;
        case Op::kSimdShuffleXor:
            shuffled([&](unsigned n) { return n ^ by(n); },
                     [&](unsigned q, unsigned i_) { return (i_ ^ of_quad(q)) & 3; });
            break;
        case Op::kQuadShuffle:
            each([&](unsigned n) { return by(n) < kQuad ? from((n & ~3u) + by(n)) : from(n); });
            break;
        case Op::kQuadShuffleXor:
            each([&](unsigned n) { return by(n) < kQuad ? from(n ^ by(n)) : from(n); });
            break;
        case Op::kQuadShuffleUp:
            each([&](unsigned n) { return by(n) <= (n & 3) ? from(n - by(n)) : from(n); });
            break;
        case Op::kQuadShuffleDown:
            each([&](unsigned n) { return by(n) + (n & 3) < kQuad ? from(n + by(n)) : from(n); });
            break;
        case Op::kQuadShuffleRotateUp:
            each([&](unsigned n) { return from((n & ~3u) + ((n - by(n)) & 3)); });
            break;
        default:
            return fail("the virtual GPU does not execute this instruction");
    }
    write(i.dest, 0, out);
    return true;
}

}  // namespace terrazzo::agx::sim
