// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Floating point of 32 bits and of pairs of 16 bits. Half arithmetic uses wider types and rounds once.
// Denormals are kept.
#include <array>
#include <cmath>

#include "drivers/mali/sim/core/context.h"
#include "pipe/half.h"

namespace terrazzo::mali::sim {

namespace {

using pipe::float_to_half;
using pipe::half_to_float;

// FLUSH: replaces the values that the modifiers name.
uint32_t flush(uint32_t v, const isa::Instr& i, uint32_t exponent, uint32_t sign, uint32_t quiet) {
    const uint32_t magnitude = v & ~sign & (exponent | (exponent - 1) | quiet | (quiet - 1));
    if (magnitude > exponent) {
        if (i.nan_mode() == isa::NanMode::kFlush) return 0;
        return i.nan_mode() == isa::NanMode::kQuiet ? v | quiet : v;
    }
    if (magnitude == exponent && i.flush_inf()) return (v & sign) | (exponent - 1);
    const uint32_t smallest_normal = exponent & ~(exponent << 1);
    if (i.ftz() && magnitude < smallest_normal) return v & sign;
    return v;
}

// A finite number other than zero is m * 2^e. The modifiers choose the range of m: [1/2,1); sqrt: [1/4,1)
// with even e; log: [3/4,3/2).
struct Split {
    double m;
    int e;
};
Split split(double v, const isa::Instr& i) {
    int e;
    double m = std::frexp(v, &e);
    if (i.sqrt() && e % 2 != 0) {
        m /= 2;
        ++e;
    }
    if (i.log() && std::fabs(m) < 0.75) {
        m *= 2;
        --e;
    }
    return {m, e};
}
bool splits(double v) {
    return std::isfinite(v) && v != 0;
}
float mantissa(float v, const isa::Instr& i) {
    return splits(v) ? float(split(v, i).m) : v;
}
int32_t exponent(float v, const isa::Instr& i) {
    if (!splits(v)) return 0;
    const int e = split(v, i).e;
    return i.sqrt() ? e / 2 : e;
}

template <class F>
U32 each_float(F32 v, F&& f) {
    return wave::map(wave::as_bits(v),
                     [&](uint32_t x) { return std::bit_cast<uint32_t>(float(f(std::bit_cast<float>(x)))); });
}
template <class F>
U32 each_half(U32 a, F&& f) {
    return wave::map_halves(a, a, a, [&](uint16_t x, uint16_t, uint16_t) { return f(x); });
}
template <class F>
U32 each_half(U32 a, U32 b, F&& f) {
    return wave::map_halves(a, b, b, [&](uint16_t x, uint16_t y, uint16_t) { return f(x, y); });
}
F32 one_float(float v) {
    return F32{} + v;
}

constexpr std::array kFloat = {
    HandlerRow{Op::kFroundF32,
               [](Context& c) {
                   c.write(each_float(c.f32(0),
                                      [&](float v) { return wave::round_to_integral(v, c.round_mode()); }));
               }},
    HandlerRow{Op::kFlushF32,
               [](Context& c) {
                   c.write(wave::map(wave::as_bits(c.f32(0)), [&](uint32_t v) {
                       return flush(v, c.instr, 0x7f800000u, 0x80000000u, 0x00400000u);
                   }));
               }},
    HandlerRow{
        Op::kFrexpmF32,
        [](Context& c) { c.write(each_float(c.f32(0), [&](float v) { return mantissa(v, c.instr); })); }},
    HandlerRow{Op::kFrexpeF32,
               [](Context& c) {
                   c.write(wave::map(wave::as_bits(c.f32(0)), [&](uint32_t v) {
                       return uint32_t(exponent(std::bit_cast<float>(v), c.instr));
                   }));
               }},
    HandlerRow{Op::kFaddF32, [](Context& c) { c.write_clamped(c.f32(0) + c.f32(1)); }},
    HandlerRow{Op::kFminF32, [](Context& c) { c.write_clamped(wave::fmin(c.f32(0), c.f32(1))); }},
    HandlerRow{Op::kFmaxF32, [](Context& c) { c.write_clamped(wave::fmax(c.f32(0), c.f32(1))); }},
    HandlerRow{Op::kLdexpF32,
               [](Context& c) {
                   c.write(wave::map(wave::as_bits(c.f32(0)), c.s32(1), [&](uint32_t v, uint32_t e) {
                       return std::bit_cast<uint32_t>(
                           wave::scale(std::bit_cast<float>(v), int32_t(e), c.round_mode()));
                   }));
               }},
    HandlerRow{Op::kFmaF32, [](Context& c) { c.write_clamped(wave::fma(c.f32(0), c.f32(1), c.f32(2))); }},
    HandlerRow{Op::kFaddImmF32,
               [](Context& c) {
                   c.write(c.f32(0) +
                           one_float(std::bit_cast<float>(uint32_t(c.instr.immediate(isa::Imm::kConstant)))));
               }},
};

constexpr std::array kHalf = {
    HandlerRow{Op::kFroundV2f16,
               [](Context& c) {
                   c.write(each_half(c.f16(0), [&](uint16_t v) {
                       return float_to_half(wave::round_to_integral(half_to_float(v), c.round_mode()));
                   }));
               }},
    HandlerRow{Op::kFlushV2f16,
               [](Context& c) {
                   c.write(each_half(c.f16(0), [&](uint16_t v) {
                       return uint16_t(flush(v, c.instr, 0x7c00u, 0x8000u, 0x0200u));
                   }));
               }},
    HandlerRow{Op::kFrexpmV2f16,
               [](Context& c) {
                   c.write(each_half(c.f16(0), [&](uint16_t v) {
                       return float_to_half(mantissa(half_to_float(v), c.instr));
                   }));
               }},
    HandlerRow{Op::kFrexpeV2f16,
               [](Context& c) {
                   c.write(each_half(
                       c.f16(0), [&](uint16_t v) { return uint16_t(exponent(half_to_float(v), c.instr)); }));
               }},
    HandlerRow{Op::kFaddV2f16,
               [](Context& c) {
                   c.write_clamped_halves(each_half(c.f16(0), c.f16(1), [](uint16_t a, uint16_t b) {
                       return float_to_half(half_to_float(a) + half_to_float(b));
                   }));
               }},
    HandlerRow{Op::kFminV2f16,
               [](Context& c) {
                   c.write_clamped_halves(each_half(c.f16(0), c.f16(1), [](uint16_t a, uint16_t b) {
                       return float_to_half(
                           wave::fmin(one_float(half_to_float(a)), one_float(half_to_float(b)))[0]);
                   }));
               }},
    HandlerRow{Op::kFmaxV2f16,
               [](Context& c) {
                   c.write_clamped_halves(each_half(c.f16(0), c.f16(1), [](uint16_t a, uint16_t b) {
                       return float_to_half(
                           wave::fmax(one_float(half_to_float(a)), one_float(half_to_float(b)))[0]);
                   }));
               }},
    HandlerRow{Op::kLdexpV2f16,
               [](Context& c) {
                   c.write(each_half(c.f16(0), c.s16(1), [&](uint16_t v, uint16_t e) {
                       return wave::to_half(std::ldexp(double(half_to_float(v)),
                                                       std::min(400, std::max(-400, int(int16_t(e))))),
                                            c.round_mode());
                   }));
               }},
    HandlerRow{Op::kFmaV2f16,
               [](Context& c) {
                   c.write_clamped_halves(
                       wave::map_halves(c.f16(0), c.f16(1), c.f16(2), [](uint16_t a, uint16_t b, uint16_t d) {
                           return wave::to_half(
                               wave::add_odd(double(half_to_float(a)) * double(half_to_float(b)),
                                             double(half_to_float(d))));
                       }));
               }},
    HandlerRow{Op::kFaddImmV2f16,
               [](Context& c) {
                   c.write(each_half(c.f16(0), wave::splat(uint32_t(c.instr.immediate(isa::Imm::kConstant))),
                                     [](uint16_t a, uint16_t b) {
                                         return float_to_half(half_to_float(a) + half_to_float(b));
                                     }));
               }},
};

}  // namespace

std::span<const HandlerRow> float_handlers() {
    return kFloat;
}
std::span<const HandlerRow> half_handlers() {
    return kHalf;
}

}  // namespace terrazzo::mali::sim
