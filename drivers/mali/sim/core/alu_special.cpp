// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Special functions: exact values rounded once, so that compilers' sequences of them (Mesa 25.0.7,
// bifrost_compile.c) are as precise as GLES requires. Instructions whose semantics no public source documents
// are undefined: they fault.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "drivers/mali/sim/core/context.h"
#include "pipe/half.h"

namespace terrazzo::mali::sim {

namespace {

using pipe::float_to_half;
using pipe::half_to_float;

constexpr double kPi = std::numbers::pi;
constexpr float kInf = std::numeric_limits<float>::infinity();

uint32_t bits(double v) {
    return std::bit_cast<uint32_t>(float(v));
}
float value(uint32_t v) {
    return std::bit_cast<float>(v);
}
template <class F>
void each(Context& c, F&& f) {
    c.write(wave::map(wave::as_bits(c.f32(0)), [&](uint32_t v) { return bits(f(double(value(v)))); }));
}
template <class F>
void each_half(Context& c, F&& f) {
    c.write(wave::map_halves(c.f16(0), U32{}, U32{}, [&](uint16_t v, uint16_t, uint16_t) {
        return wave::to_half(f(double(half_to_float(v))));
    }));
}
double reciprocal_sqrt(double v) {
    return 1 / std::sqrt(v);  // -0 gives -inf; GLSL leaves this undefined
}

// The mantissa in [3/4, 3/2) to which logarithms are reduced.
double log_mantissa(double v) {
    int e;
    const double m = std::frexp(v, &e);
    return std::fabs(m) < 0.75 ? 2 * m : m;
}
// log2(m) / (m - 1). Multiplied by (m - 1) and added to the exponent, it is the logarithm.
double log_quotient(double v) {
    if (std::isnan(v) || v < 0) return std::numeric_limits<double>::quiet_NaN();
    if (v == 0 || std::isinf(v)) return kInf;
    const double m = log_mantissa(v);
    return m == 1 ? 1 / std::numbers::ln2 : std::log2(m) / (m - 1);
}

// 2^(fixed / 2^24). `from` is the float that was converted; it shows infinities and NaN.
float exp2_fixed(uint32_t fixed, float from) {
    if (std::isnan(from)) return from;
    if (from >= 2147483648.0f) return kInf;
    if (from < -2147483648.0f) return 0;
    return float(std::exp2(double(int32_t(fixed)) * 0x1p-24));
}

enum class Face : uint32_t { PosX, NegX, PosY, NegY, PosZ, NegZ };
constexpr unsigned kFaceShift = 29;  // the place where texture instructions expect it
Face cube_face(float x, float y, float z) {
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    if (az >= ax && az >= ay) return std::signbit(z) ? Face::NegZ : Face::PosZ;
    if (ay >= ax) return std::signbit(y) ? Face::NegY : Face::PosY;
    return std::signbit(x) ? Face::NegX : Face::PosX;
}
// cube_s selects s on the face from (z, x), cube_t selects t from (y, z); OpenGL ES 3.2, table 8.19.
float cube_s(float z, float x, Face f) {
    switch (f) {
        case Face::PosX:
            return -z;
        case Face::NegX:
            return z;
        case Face::PosY:
        case Face::NegY:
        case Face::PosZ:
            return x;
        case Face::NegZ:
            return -x;
    }
    return x;
}
float cube_t(float y, float z, Face f) {
    switch (f) {
        case Face::PosY:
            return z;
        case Face::NegY:
            return -z;
        case Face::PosX:
        case Face::NegX:
        case Face::PosZ:
        case Face::NegZ:
            return -y;
    }
    return -y;
}

void unknown(Context& c) {
    c.undefined = "what it computes is not known";
}
void fma_scaled(Context& c) {
    const F32 a = c.f32(0), b = c.f32(1), d = c.f32(2);
    const U32 e = c.raw(3);
    F32 out;
    for (unsigned i = 0; i < wave::kLanes; ++i)
        out[i] = wave::fma_scale(a[i], b[i], d[i], int32_t(e[i]));
    c.write_clamped(out);
}

constexpr std::array kRows = {
    HandlerRow{Op::kFrcpF32, [](Context& c) { each(c, [](double v) { return 1 / v; }); }},
    HandlerRow{Op::kFrcpF16, [](Context& c) { each_half(c, [](double v) { return 1 / v; }); }},
    HandlerRow{Op::kFrsqF32, [](Context& c) { each(c, reciprocal_sqrt); }},
    HandlerRow{Op::kFrsqF16, [](Context& c) { each_half(c, reciprocal_sqrt); }},
    // For the mantissa in [1/2, 1), and in [1/4, 1).
    HandlerRow{Op::kFrcpApproxF32,
               [](Context& c) {
                   each(c, [](double v) {
                       int e;
                       return std::isfinite(v) && v != 0 ? 1 / std::frexp(v, &e) : 1 / v;
                   });
               }},
    HandlerRow{Op::kFrsqApproxF32,
               [](Context& c) {
                   each(c, [](double v) {
                       if (!std::isfinite(v) || v == 0) return reciprocal_sqrt(v);
                       int e;
                       const double m = std::frexp(v, &e);
                       return reciprocal_sqrt(e % 2 ? m / 2 : m);
                   });
               }},
    HandlerRow{Op::kFsinTableU6,
               [](Context& c) {
                   c.write(
                       wave::map(c.raw(0), [](uint32_t v) { return bits(std::sin((v & 63) * (kPi / 32))); }));
               }},
    HandlerRow{Op::kFcosTableU6,
               [](Context& c) {
                   c.write(
                       wave::map(c.raw(0), [](uint32_t v) { return bits(std::cos((v & 63) * (kPi / 32))); }));
               }},
    HandlerRow{Op::kFsincosOffsetU6, unknown},
    HandlerRow{Op::kFpclassF32, unknown},
    HandlerRow{Op::kFpclassF16, unknown},
    HandlerRow{Op::kFlogTableF32, unknown},
    HandlerRow{Op::kFatanAssistF32, unknown},
    HandlerRow{Op::kFlogdF32, [](Context& c) { each(c, log_quotient); }},
    HandlerRow{Op::kFexpTableU4,
               [](Context& c) {
                   c.write(wave::map(c.raw(0), [](uint32_t v) { return bits(std::exp2((v & 15) / 16.0)); }));
               }},
    HandlerRow{Op::kFexpF32,
               [](Context& c) {
                   const U32 fixed = c.raw(0);
                   const F32 from = c.f32(1);
                   F32 out;
                   for (unsigned i = 0; i < wave::kLanes; ++i)
                       out[i] = exp2_fixed(fixed[i], from[i]);
                   c.write_clamped(out);
               }},
    // The first source plus the log mantissa of the second one.
    HandlerRow{Op::kFaddLscaleF32,
               [](Context& c) {
                   const F32 a = c.f32(0), b = c.f32(1);
                   F32 out;
                   for (unsigned i = 0; i < wave::kLanes; ++i)
                       out[i] = float(double(a[i]) +
                                      (std::isfinite(b[i]) && b[i] != 0 ? log_mantissa(b[i]) : double(b[i])));
                   c.write_clamped(out);
               }},
    HandlerRow{Op::kCubeface1,
               [](Context& c) {
                   c.write(wave::map(wave::as_bits(c.f32(0)), wave::as_bits(c.f32(1)),
                                     wave::as_bits(c.f32(2)), [](uint32_t x, uint32_t y, uint32_t z) {
                                         return bits(
                                             std::fmax(std::fabs(value(x)),
                                                       std::fmax(std::fabs(value(y)), std::fabs(value(z)))));
                                     }));
               }},
    HandlerRow{Op::kCubeface2V9,
               [](Context& c) {
                   c.write(wave::map(wave::as_bits(c.f32(0)), wave::as_bits(c.f32(1)),
                                     wave::as_bits(c.f32(2)), [](uint32_t x, uint32_t y, uint32_t z) {
                                         return uint32_t(cube_face(value(x), value(y), value(z)))
                                                << kFaceShift;
                                     }));
               }},
    HandlerRow{Op::kCubeSsel,
               [](Context& c) {
                   c.write(wave::map(wave::as_bits(c.f32(0)), wave::as_bits(c.f32(1)), c.raw(2),
                                     [](uint32_t z, uint32_t x, uint32_t f) {
                                         return bits(cube_s(value(z), value(x), Face(f >> kFaceShift)));
                                     }));
               }},
    HandlerRow{Op::kCubeTsel,
               [](Context& c) {
                   c.write(wave::map(wave::as_bits(c.f32(0)), wave::as_bits(c.f32(1)), c.raw(2),
                                     [](uint32_t y, uint32_t z, uint32_t f) {
                                         return bits(cube_t(value(y), value(z), Face(f >> kFaceShift)));
                                     }));
               }},
    HandlerRow{Op::kFmaRscaleF32, fma_scaled},
    HandlerRow{Op::kFmaRscaleNF32, fma_scaled},  // differs only for a NaN in a division, which no test covers
    HandlerRow{Op::kFmaRscaleLeftF32, unknown},
    HandlerRow{Op::kFmaRscaleScale16F32, unknown},
};

}  // namespace

std::span<const HandlerRow> special_handlers() {
    return kRows;
}

}  // namespace terrazzo::mali::sim
