// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs the arithmetic of a lit fragment shader as micro-operations: interpreted, and translated to machine
// code with each vector width of the host. Prints CPU nanoseconds for a group of 16 lanes, and how many times
// faster than the interpreter that is.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "drivers/common/core/translate.h"

using namespace terrazzo;
using core::ClampRange;
using core::MicroBlock;
using core::MicroBuilder;
using core::MicroOp;
using core::U32;
using core::Value;
using core::VectorWidth;

namespace {

constexpr unsigned kRows = 24, kMostGroups = 8;

/// Each instruction of a shader writes its register, as in a vendor's table.
class Shader {
  public:
    explicit Shader(MicroBlock* block) : b_(block) {}
    Value mul(Value x, Value y) { return keep(b_.op(MicroOp::FloatMul, x, y)); }
    Value fma(Value x, Value y, Value z) { return keep(b_.op(MicroOp::FloatFma, x, y, z)); }
    Value dot(const Value* x, const Value* y) { return fma(x[2], y[2], fma(x[1], y[1], mul(x[0], y[0]))); }
    Value at_least_0(Value x) { return keep(b_.op(MicroOp::FloatMax, x, b_.constant(0))); }
    Value at_most(Value x, Value y) { return keep(b_.op(MicroOp::FloatMin, x, y)); }
    Value choose_less(Value x, Value y, Value yes, Value no) {
        return keep(b_.op(MicroOp::Select, b_.op(MicroOp::FloatLess, x, y), yes, no));
    }
    Value clamp(Value x) { return keep(b_.clamp(x, ClampRange::ZeroToOne)); }
    Value u(uint32_t n) { return b_.uniform(n); }
    Value r(uint32_t n) { return b_.reg(n); }

  private:
    Value keep(Value v) {
        const uint32_t row = 6 + next_++ % (kRows - 6);
        b_.write(row, v);
        return b_.reg(row);
    }
    MicroBuilder b_;
    unsigned next_ = 0;
};

/// Two lights with diffuse and specular terms, a power by repeated squaring, fog, and a sum in the target's
/// range.
MicroBlock phong() {
    MicroBlock block;
    Shader s(&block);
    const Value normal[] = {s.r(0), s.r(1), s.r(2)}, eye[] = {s.r(3), s.r(4), s.r(5)};
    Value color[] = {s.u(0), s.u(1), s.u(2)};
    for (unsigned light = 0; light < 2; ++light) {
        const uint32_t at = 4 + light * 12;
        const Value to_light[] = {s.u(at), s.u(at + 1), s.u(at + 2)};
        const Value diffuse = s.at_least_0(s.dot(normal, to_light));
        const Value twice = s.mul(s.dot(normal, to_light), s.u(at + 3));
        Value reflected[3];
        for (unsigned n = 0; n < 3; ++n)
            reflected[n] = s.fma(normal[n], twice, to_light[n]);
        Value specular = s.at_least_0(s.dot(reflected, eye));
        for (unsigned n = 0; n < 4; ++n)
            specular = s.mul(specular, specular);
        specular = s.choose_less(diffuse, s.u(3), s.u(at + 4), specular);
        for (unsigned n = 0; n < 3; ++n)
            color[n] = s.fma(s.u(at + 5 + n), diffuse, s.fma(s.u(at + 8 + n), specular, color[n]));
    }
    const Value fog = s.at_most(s.fma(eye[2], s.u(28), s.u(29)), s.u(30));
    for (Value& c : color)
        c = s.clamp(s.fma(c, fog, s.u(31)));
    return block;
}

/// CPU time of this thread.
double now_ns() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

/// The time of a call, the best of a few rounds.
template <class F>
double nanoseconds(unsigned times, F&& f) {
    double best = 1e12;
    for (unsigned round = 0; round < 7; ++round) {
        const double start = now_ns();
        for (unsigned n = 0; n < times; ++n)
            f();
        best = std::min(best, (now_ns() - start) / times);
    }
    return best;
}

void measure(const MicroBlock& block, unsigned groups, uint16_t lanes) {
    static U32 rows[kRows * kMostGroups];
    float uniforms[32];
    for (unsigned n = 0; n < 32; ++n)
        uniforms[n] = 0.1f + 0.03f * float(n);
    for (U32& v : rows)
        v = wave::as_bits(wave::F32{} + 0.4f);
    uint16_t running[kMostGroups];
    for (uint16_t& r : running)
        r = lanes;
    uint32_t words[32];
    std::memcpy(words, uniforms, sizeof(words));
    const core::LaneState state{rows, kMostGroups, groups, words, running};
    const double interpreted = nanoseconds(2000, [&] { core::interpret(block, state); }) / groups;
    std::printf("%u groups, lanes %04x: interpreted %7.1f ns", groups, lanes, interpreted);
    for (const VectorWidth width : {VectorWidth::Eight, VectorWidth::Sixteen}) {
        const auto code = core::translate(block, width);
        if (!code) continue;
        const double translated = nanoseconds(20000, [&] { code->run(state); }) / groups;
        std::printf("; %u lanes: %6.1f ns, %5.1f times as fast", width == VectorWidth::Eight ? 8 : 16,
                    translated, interpreted / translated);
    }
    std::printf("\n");
}

}  // namespace

int main() {
    MicroBlock block = phong();
    std::printf("%zu micro-operations\n", block.code.size());
    for (const uint32_t row_groups : {0u, kMostGroups}) {
        block.row_groups = row_groups;
        std::printf(row_groups ? "rows at known distances\n" : "rows at any distance\n");
        for (const unsigned groups : {1u, 4u, kMostGroups})
            measure(block, groups, 0xffff);
        measure(block, 4, 0x00ff);
    }
    for (const VectorWidth width : {VectorWidth::Eight, VectorWidth::Sixteen})
        if (core::has_translator(width))
            std::printf("translating, %u lanes: %.1f us\n", width == VectorWidth::Eight ? 8 : 16,
                        nanoseconds(50, [&] { (void)core::translate(block, width); }) / 1000);
}
