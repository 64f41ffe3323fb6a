// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Micro-operations: what a vendor's arithmetic instruction does, in steps that mean the same for all vendors.
// A straight run of instructions becomes one MicroBlock. interpret() executes it and is the reference; the
// translator (translate.h) turns it into host code with the same results, to the bit.
//
// A micro-operation works on all lanes, 32 bits each, and cannot fail: what may fault (accesses, hazards,
// registers that there are not) is decided before the block runs, by the vendor. Floats round to nearest even
// unless a mode says otherwise. Whether denormals are flushed is the host's mode, which the vendor's core
// sets around its waves. FloatAdd, FloatMul, FloatFma and FloatRound return the first NaN among their
// operands, made quiet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "drivers/common/wave/lanes.h"

namespace terrazzo::core {

using wave::Round;
using wave::U32;

enum class MicroOp : uint8_t {
    Copy,
    Select,  // a is not zero: b, otherwise c; per lane
    // ---- Bits. Shifts use the low five bits of b. ----
    And,
    Or,
    Xor,
    Not,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    ExtractUnsigned,  // imm.bits bits of a from imm.first on; together at most 32
    ExtractSigned,    // the same, with the highest one as the sign
    Insert,           // a with its imm.bits bits from imm.first on replaced by the low bits of b
    CountBits,
    LeadingZeros,  // 32 for 0
    ReverseBits,
    // ---- Integers of 32 bits, wrapping ----
    Add,
    Sub,
    Mul,
    MinSigned,
    MaxSigned,
    MinUnsigned,
    MaxUnsigned,
    // ---- Comparisons: all ones or zero. A NaN is unequal to everything, and neither less nor greater. ----
    Equal,
    NotEqual,
    LessSigned,
    LessUnsigned,
    FloatEqual,
    FloatNotEqual,
    FloatLess,
    FloatLessEqual,
    // ---- Floats ----
    FloatAdd,
    FloatMul,
    FloatFma,    // a * b + c, rounded once
    FloatMin,    // wave::fmin: a number rather than NaN, -0 is less than +0
    FloatMax,    // wave::fmax
    FloatRound,  // to an integral float, by imm.round
    FloatClamp,  // to imm's range; NaN becomes the lower bound
    // ---- Conversions ----
    HalfToFloat,  // of the low 16 bits
    FloatToHalf,  // nearest even; the high 16 bits are 0
    SignedToFloat,
    UnsignedToFloat,
    FloatToSigned,    // saturating, by imm.round; NaN is 0
    FloatToUnsigned,  // likewise
    // ---- Anything else ----
    Kernel,  // a function of up to three sources, of sixteen lanes at a time
};
inline constexpr unsigned kMicroOps = unsigned(MicroOp::Kernel) + 1;

/// The range of FloatClamp.
enum class ClampRange : uint8_t { ZeroToOne, MinusOneToOne, ZeroToInfinity };

/// Computes one result of sixteen lanes. Must depend on nothing but its arguments; `data` is the
/// instruction's. Lanes that do not run have any values.
using MicroKernel = void (*)(const U32& a, const U32& b, const U32& c, uint64_t data, U32* out);

/// Where a value is.
struct Value {
    enum class Kind : uint8_t {
        None,
        Temporary,  // of the block, written once, before it is read
        Register,   // a row of the register file
        Uniform,    // a word that all lanes share
        Constant,   // `index` is its bits
    };
    Kind kind = Kind::None;
    uint32_t index = 0;
    bool operator==(const Value&) const = default;
};

struct MicroInstr {
    MicroOp op = MicroOp::Copy;
    /// The parameters of the operations that name one; otherwise 0.
    struct Imm {
        uint8_t first = 0, bits = 0;
        Round round = Round::NearestEven;
        ClampRange range = ClampRange::ZeroToOne;
        uint64_t data = 0;  // of Kernel
        bool operator==(const Imm&) const = default;
    } imm;
    MicroKernel kernel = nullptr;  // of Kernel
    Value to;                      // a temporary, or a register: only its running lanes change
    Value from[3];
    bool operator==(const MicroInstr&) const = default;
};

/// The micro-operations of a straight run of instructions.
struct MicroBlock {
    std::vector<MicroInstr> code;
    uint32_t temporaries = 0;
    /// Not 0: LaneState::row_groups of every run. Translated code is then shorter.
    uint32_t row_groups = 0;
    /// The distance of a row's groups, in vectors. It is not 1 where each group has a register file of its
    /// own.
    uint32_t group_distance = 1;
    bool operator==(const MicroBlock&) const = default;
};

/// Builds a block; each method returns a fresh temporary.
class MicroBuilder {
  public:
    explicit MicroBuilder(MicroBlock* block) : block_(block) {}

    static Value reg(uint32_t row) { return {Value::Kind::Register, row}; }
    static Value uniform(uint32_t word) { return {Value::Kind::Uniform, word}; }
    static Value constant(uint32_t bits) { return {Value::Kind::Constant, bits}; }

    Value op(MicroOp op, Value a, Value b = {}, Value c = {}) { return add(op, {}, nullptr, a, b, c); }
    Value extract(bool sign, Value a, unsigned first, unsigned bits) {
        MicroInstr::Imm imm;
        imm.first = uint8_t(first), imm.bits = uint8_t(bits);
        return add(sign ? MicroOp::ExtractSigned : MicroOp::ExtractUnsigned, imm, nullptr, a, {}, {});
    }
    Value insert(Value into, Value bits_of, unsigned first, unsigned bits) {
        MicroInstr::Imm imm;
        imm.first = uint8_t(first), imm.bits = uint8_t(bits);
        return add(MicroOp::Insert, imm, nullptr, into, bits_of, {});
    }
    /// FloatRound, FloatToSigned, FloatToUnsigned.
    Value rounded(MicroOp op, Value a, Round round) {
        MicroInstr::Imm imm;
        imm.round = round;
        return add(op, imm, nullptr, a, {}, {});
    }
    Value clamp(Value a, ClampRange range) {
        MicroInstr::Imm imm;
        imm.range = range;
        return add(MicroOp::FloatClamp, imm, nullptr, a, {}, {});
    }
    Value kernel(MicroKernel kernel, uint64_t data, Value a, Value b = {}, Value c = {}) {
        MicroInstr::Imm imm;
        imm.data = data;
        return add(MicroOp::Kernel, imm, kernel, a, b, c);
    }
    /// Writes the running lanes of a register.
    void write(uint32_t row, Value v) {
        MicroInstr i;
        i.to = reg(row);
        i.from[0] = v;
        block_->code.push_back(i);
    }

  private:
    Value add(MicroOp op, MicroInstr::Imm imm, MicroKernel kernel, Value a, Value b, Value c) {
        MicroInstr i;
        i.op = op;
        i.imm = imm;
        i.kernel = kernel;
        i.to = {Value::Kind::Temporary, block_->temporaries++};
        i.from[0] = a, i.from[1] = b, i.from[2] = c;
        block_->code.push_back(i);
        return i.to;
    }
    MicroBlock* block_;
};

/// The lanes that a block runs on. Row r of the register file begins at registers[r * row_groups]; it has
/// `groups` vectors, MicroBlock::group_distance apart.
struct LaneState {
    U32* registers = nullptr;
    unsigned row_groups = 1;
    unsigned groups = 1;
    const uint32_t* uniforms = nullptr;
    /// Sixteen bits a group: the lanes that run. A block may read and compute the other lanes, too.
    const uint16_t* running = nullptr;
};

void interpret(const MicroBlock& block, const LaneState& state);

}  // namespace terrazzo::core
