// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each arithmetic operation of the IR, alone in a shader, with random operands and special values. The
// results are compared with the IR interpreter's, within the permitted differences.
#pragma once

#include "shaders/ir/builder.h"
#include "shaders/ir/validate.h"
#include "tests/common/compiler/run.h"

namespace terrazzo::compiled {

inline constexpr unsigned kVarying = unsigned(ir::VaryingSlot::Varying0) * 4;

enum class Kind : uint8_t { Float, Int, Bool };

/// The kind of operand n of `op`. The kind of the result is operand_kind(op, -1).
inline Kind operand_kind(ir::Op op, int n) {
    switch (ir::op_info(op).sig) {
        case ir::Sig::Select:
            return n == 0 ? Kind::Bool : Kind::Float;
        case ir::Sig::FloatInt:
            return n == 1 ? Kind::Int : Kind::Float;
        case ir::Sig::Int:
        case ir::Sig::IntOrBool:
            return Kind::Int;
        case ir::Sig::FloatCmp:
            return n < 0 ? Kind::Bool : Kind::Float;
        case ir::Sig::IntCmp:
            return n < 0 ? Kind::Bool : Kind::Int;
        case ir::Sig::Convert:
            switch (op) {
                case ir::Op::F2I:
                case ir::Op::F2U:
                case ir::Op::Bitcast:
                    return n < 0 ? Kind::Int : Kind::Float;
                case ir::Op::I2F:
                case ir::Op::U2F:
                    return n < 0 ? Kind::Float : Kind::Int;
                case ir::Op::I2I:
                case ir::Op::U2U:
                    return Kind::Int;
                case ir::Op::B2F:
                    return n < 0 ? Kind::Float : Kind::Bool;
                case ir::Op::PackHalf2:
                    return n < 0 ? Kind::Int : Kind::Float;
                case ir::Op::UnpackHalfLow:
                case ir::Op::UnpackHalfHigh:
                    return n < 0 ? Kind::Float : Kind::Int;
                case ir::Op::B2I:
                    return n < 0 ? Kind::Int : Kind::Bool;
                default:
                    return Kind::Float;
            }
        case ir::Sig::Any:
        case ir::Sig::Same:
        case ir::Sig::Float:
            return Kind::Float;
    }
    return Kind::Float;
}

/// The type of the operands and of the result.
enum class Of : uint8_t { Words, Bools, Halves };

inline ir::Type type_of(Kind k, Of of) {
    return k == Kind::Bool    ? ir::Type::Bool
           : k == Kind::Float ? (of == Of::Halves ? ir::Type::F16 : ir::Type::F32)
           : of == Of::Bools  ? ir::Type::Bool
           : of == Of::Halves ? ir::Type::I16
                              : ir::Type::I32;
}
/// Operands that always have 32 bits.
inline bool is_word(ir::Op op, int n) {
    switch (op) {
        case ir::Op::IShl:
        case ir::Op::IShr:
        case ir::Op::UShr:
        case ir::Op::FLdexp:
            return n == 1;
        case ir::Op::IBitfieldExtract:
        case ir::Op::UBitfieldExtract:
            return n >= 1;
        case ir::Op::BitfieldInsert:
            return n >= 2;
        case ir::Op::PackHalf2:
        case ir::Op::UnpackHalfLow:
        case ir::Op::UnpackHalfHigh:
            return true;
        default:
            return false;
    }
}

/// A fragment shader that stores op(varyings).
inline std::unique_ptr<ir::Shader> shader_of(ir::Op op, Of of) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Fragment);
    ir::Builder b(*s);
    std::vector<ir::Value*> operands;
    for (int n = 0; n < ir::op_info(op).operands; n++) {
        ir::Value* v = b.load_input(ir::Type::F32, unsigned(ir::VaryingSlot::Varying0), unsigned(n));
        const Kind k = operand_kind(op, n);
        const ir::Type t = type_of(k, is_word(op, n) ? Of::Words : of);
        if (k != Kind::Float) v = b.convert(ir::Op::Bitcast, ir::Type::I32, v);
        if (t == ir::Type::Bool) v = b.alu(ir::Op::ILt, v, b.i32(0));
        if (t == ir::Type::F16) v = b.convert(ir::Op::F2F, t, v);
        if (t == ir::Type::I16) v = b.convert(ir::Op::I2I, t, v);
        operands.push_back(v);
    }
    const Kind k = operand_kind(op, -1);
    const ir::Type t = type_of(k, is_word(op, -1) ? Of::Words : of);
    ir::Value* r = ir::op_info(op).sig == ir::Sig::Convert
                       ? b.convert(op, t, std::span<ir::Value* const>(operands))
                       : b.alu(op, std::span<ir::Value* const>(operands));
    if (t == ir::Type::Bool) r = b.convert(ir::Op::B2I, ir::Type::I32, r);
    if (t == ir::Type::F16) r = b.convert(ir::Op::F2F, ir::Type::F32, r);
    if (t == ir::Type::I16) r = b.convert(ir::Op::U2U, ir::Type::I32, r);
    if (k != Kind::Float) r = b.convert(ir::Op::Bitcast, ir::Type::F32, r);
    b.store_output(unsigned(ir::FragSlot::Color0), 0, r);
    for (unsigned c = 1; c < 4; c++)
        b.store_output(unsigned(ir::FragSlot::Color0), c, b.f32(0));
    return s;
}

/// The texel at the fragment's pixel.
inline std::unique_ptr<ir::Shader> fetch_shader(int level) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Fragment);
    ir::Builder b(*s);
    ir::Value* at[3] = {};
    for (unsigned c = 0; c < 2; c++)
        at[c] = b.convert(ir::Op::F2I, ir::Type::I32, b.load_sysval(ir::Sysval::FragCoord, c, ir::Type::F32));
    at[2] = b.i32(level);
    ir::TexInfo t;
    t.op = ir::TexOp::Fetch;
    const ir::Instr* texel = b.tex(t, at);
    for (unsigned c = 0; c < 4; c++)
        b.store_output(unsigned(ir::FragSlot::Color0), c, texel->result(c));
    return s;
}

inline float random_float(std::mt19937& random, float range) {
    static constexpr float kAwkward[] = {0,    -0.0f, 1,       -1,        0.5f,          -0.5f,  1.5f,
                                         2.5f, -2.5f, 0.4999f, 8388609,   1e-30f,        -3e30f, INFINITY,
                                         3.0f, 1e10f, -1e10f,  -INFINITY, 2147483648.0f, 255};
    if (range == 0 && random() % 3 == 0) return kAwkward[random() % std::size(kAwkward)];
    if (range == 0) return std::ldexp(float(int32_t(random())) * 0x1p-31f, int(random() % 40) - 20);
    return std::uniform_real_distribution<float>(-range, range)(random);
}
inline uint32_t random_int(std::mt19937& random) {
    static constexpr uint32_t kAwkward[] = {0,          1,          2,          31,      32, 33,
                                            0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 255};
    switch (random() % 4) {
        case 0:
            return kAwkward[random() % std::size(kAwkward)];
        case 1:
            return uint32_t(int32_t(random() % 200) - 100);
        default:
            return uint32_t(random());
    }
}

/// The range of arguments is [-range, range] for operations that the hardware approximates, or whose argument
/// GLSL limits.
inline float range_of(ir::Op op) {
    switch (op) {
        case ir::Op::FSin:
        case ir::Op::FCos:
            return 8;
        case ir::Op::FExp2:
            return 20;
        case ir::Op::FPow:
            return 4;
        default:
            return 0;  // no limit
    }
}

inline bool is_exact(ir::Op op) {
    switch (op) {
        case ir::Op::FDiv:
        case ir::Op::FSqrt:
        case ir::Op::FRsq:
        case ir::Op::FRcp:
        case ir::Op::FExp2:
        case ir::Op::FLog2:
        case ir::Op::FSin:
        case ir::Op::FCos:
        case ir::Op::FPow:
            return false;
        default:
            return true;
    }
}

/// Whether GLSL defines the result; for FPow, FLog2 and FSqrt only if arguments are positive.
inline bool is_defined(ir::Op op, float x, float y) {
    switch (op) {
        case ir::Op::FPow:
            return x > 0.01f;
        case ir::Op::FLog2:
        case ir::Op::FRsq:
            return x > 1e-30f && std::isfinite(x);
        case ir::Op::FSqrt:
            return x >= 0 && std::isfinite(x);
        case ir::Op::FRcp:
            return std::isnormal(x) && std::isnormal(1 / x);
        case ir::Op::FDiv:
            return std::isnormal(y) && std::isnormal(1 / y) && std::isfinite(x) && std::isfinite(x * (1 / y));
        default:
            return true;
    }
}

enum class Denormals : uint8_t { Kept, Flushed };

/// Compares bit by bit, but any NaNs are equal. min, max and sign may return either zero, and denormals may
/// be flushed.
inline bool is_same(ir::Op op, Denormals denormals, float a, float b) {
    const bool flushes = denormals == Denormals::Flushed && operand_kind(op, -1) == Kind::Float;
    if ((op == ir::Op::FMin || op == ir::Op::FMax || op == ir::Op::FSign || flushes) && a == 0 && b == 0)
        return true;
    if (flushes && std::fpclassify(a) == FP_SUBNORMAL && b == 0) return true;
    return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// `execute`(inputs) runs the compiled shader and returns a Result.
template <typename F>
void check_op(ir::Op op, Of of, const ir::Shader& s, Denormals denormals, const F& execute) {
    std::mt19937 random(uint32_t(op) * 2 + (of == Of::Bools) + 1);
    for (unsigned turn = 0; turn < 64; turn++) {
        Inputs in;
        for (unsigned n = 0; n < 4; n++)
            for (unsigned i = 0; i < kLanes; i++)
                in.rows[kVarying + n][i] = operand_kind(op, int(n)) == Kind::Float
                                               ? random_float(random, range_of(op))
                                               : std::bit_cast<float>(random_int(random));
        const Result expected = interpret(s, in), got = execute(in);
        REQUIRE(got.error == "");
        REQUIRE(expected.error == "");
        const Row &want = expected.outputs.at(unsigned(ir::FragSlot::Color0) * 4), &have = got.outputs.at(0);
        for (unsigned i = 0; i < kLanes; i++) {
            const float x = in.rows[kVarying][i], y = in.rows[kVarying + 1][i];
            if (!is_defined(op, x, y)) continue;
            CAPTURE(x);
            CAPTURE(y);
            CAPTURE(want[i]);
            CAPTURE(have[i]);
            if (is_exact(op))
                CHECK(is_same(op, denormals, want[i], have[i]));
            else
                CHECK(near(want[i], have[i], of == Of::Halves ? 1.0f / 512 : 1.0f / 4096));
        }
    }
}

}  // namespace terrazzo::compiled
