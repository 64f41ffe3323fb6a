// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An instruction as micro-operations: its sources with swizzles and signs, what it computes, and which parts
// of its register it writes. An instruction's row (lower_*.cpp) is found by its name without the type; the
// type gives the width and the sign. Internal to core/.
#pragma once

#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "drivers/common/core/micro.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/core/warp.h"

namespace terrazzo::mali::sim {

using core::ClampRange;
using core::MicroOp;
using core::Value;
using isa::Op;
using wave::I32;
using wave::Round;

/// A value that the core writes to a row of the register file before a block runs.
struct Preset {
    static constexpr uint8_t kActiveLanes = 255;  // a bit a lane
    uint8_t special = 0;                          // an isa::Special, or kActiveLanes
    bool high = false;
    bool operator==(const Preset&) const = default;
};

struct Pair {
    Value low, high;
};

class Lowering {
  public:
    /// `next_pc` is the address of the next instruction. `presets`: of the block, with room for three.
    Lowering(const isa::Instr& instr, uint64_t next_pc, core::MicroBlock* block,
             std::vector<Preset>* presets);

    const isa::Instr& instr;
    unsigned bits;  // of a part of the result: 8, 16, 32, 64
    char type;      // 's', 'u', 'i', 'f': the letter of the name's last type

    [[nodiscard]] bool is_signed() const { return type == 's'; }
    [[nodiscard]] Round round_mode() const;

    // ---- Sources ----
    /// A word, without modifiers.
    Value raw(unsigned i, bool high = false);
    /// Part `p` of a source, extended to a word.
    Value integer(unsigned i, unsigned p, bool sign);
    /// Part `p` as a float, or as the 16 bits of a half.
    Value real(unsigned i, unsigned p);
    Value half_bits(unsigned i, unsigned p);
    Pair wide(unsigned i, bool sign);
    Value active() { return preset({Preset::kActiveLanes, false}); }

    // ---- Operations. What is known at once becomes a constant. ----
    Value op(MicroOp op, Value a, Value b = {}, Value c = {});
    static Value constant(uint32_t bits) { return core::MicroBuilder::constant(bits); }
    Value invert(Value v) { return op(MicroOp::Xor, v, constant(~0u)); }
    Value sign_of(Value v) { return op(MicroOp::ShiftRightSigned, v, constant(31)); }
    Value clamped(Value v);
    /// `k` of integers of one sign, or of floats: all ones or zero.
    Value compare(isa::Condition k, Value a, Value b, char as);
    template <uint32_t (*kF)(uint32_t a, uint32_t b, uint32_t c, uint64_t data)>
    Value kernel(uint64_t data, Value a, Value b = constant(0), Value c = constant(0)) {
        return builder_.kernel(
            [](const U32& x, const U32& y, const U32& z, uint64_t d, U32* out) {
                uint32_t from[3][wave::kLanes], to[wave::kLanes];  // arrays, so that the loop vectorizes
                std::memcpy(from[0], &x, sizeof(to));
                std::memcpy(from[1], &y, sizeof(to));
                std::memcpy(from[2], &z, sizeof(to));
                for (unsigned i = 0; i < wave::kLanes; ++i)
                    to[i] = kF(from[0][i], from[1][i], from[2][i], d);
                std::memcpy(out, to, sizeof(to));
            },
            data, a, b, c);
    }
    core::MicroBuilder& builder() { return builder_; }

    // ---- Results ----
    /// Whole registers, or the half that the instruction selects.
    void write(Value v);
    void write(Pair v);
    /// The register of which f(p) computes the low `bits` bits of each part.
    template <class F>
    void parts(F&& f) {
        if (bits == 32) return write(f(0));
        const unsigned halves = instr.dest.halves;
        Value out = core::MicroBuilder::reg(instr.dest.reg);
        for (unsigned p = 0; p < 32 / bits; ++p) {
            if (!(halves >> (p * bits / 16) & 1)) continue;
            const Value v = f(p);
            out = p == 0 && halves == 3 ? v : builder_.insert(out, v, p * bits, bits);
        }
        builder_.write(instr.dest.reg, out);
    }
    /// parts() of floats: clamped, and rounded to halves if the parts are.
    template <class F>
    void reals(F&& f) {
        parts([&](unsigned p) {
            const Value v = clamped(f(p));
            return bits == 16 ? op(MicroOp::FloatToHalf, v) : v;
        });
    }
    /// The sources as a message or branch receives them: two rows each from kSourceRow on, the low and high
    /// words. For DISCARD and branches, the first row is the condition.
    void sources();

  private:
    Value preset(Preset p);
    Value extract(bool sign, Value v, unsigned first, unsigned count);
    core::MicroBuilder builder_;
    uint64_t next_pc_;
    std::vector<Preset>* presets_;
};

/// A finite number other than 0 is mantissa * 2^exponent. The mantissa is in [1/2,1), with `log` in
/// [3/4,3/2). With `sqrt` it is in [1/4,1), so that the exponent is even; half of the exponent is returned.
/// Zeros, infinities and NaN are their own mantissas, with exponent 0.
struct SplitValue {
    Value mantissa, exponent;
};
SplitValue split(Lowering& l, Value v, bool sqrt, bool log);

struct LowerRow {
    std::string_view name;  // without the type
    void (*lower)(Lowering&);
};
std::span<const LowerRow> float_rows();
std::span<const LowerRow> integer_rows();
std::span<const LowerRow> special_rows();

/// Why the virtual GPU does not execute an arithmetic instruction; null: it does.
const char* why_unknown(const isa::Instr& instr);
/// Appends what an arithmetic instruction does that is known.
void lower(Lowering& l);

}  // namespace terrazzo::mali::sim
