// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources and results of instructions. Source of the swizzles' meaning: Mesa 25.0.7,
// src/panfrost/compiler/valhall/ISA.xml.
#include "drivers/mali/sim/core/lower.h"

#include <algorithm>
#include <array>

#include "drivers/mali/isa/fau.h"

namespace terrazzo::mali::sim {

using isa::Condition;
using enum MicroOp;

namespace {

// The part that a swizzle reads for part `p` of the instruction: of 8 or 16 bits, or (0) what has no
// swizzle. The first digit of a name is the lowest part's.
struct Selected {
    unsigned bits = 0, part = 0;
};
Selected selected(isa::Swizzle s, unsigned p) {
    const std::string_view name = isa::swizzle_name(s);
    if (name.size() < 2 || (name[0] != 'h' && name[0] != 'b')) return {};
    return {name[0] == 'h' ? 16u : 8u, unsigned(name[1 + p % (name.size() - 1)] - '0')};
}

// "IADD" and 's' of "IADD.v2s16", "_TO_" and 'f' of "S8_TO_F32".
std::string_view name_without_type(std::string_view name) {
    const size_t to = name.find("_TO_");
    return to == name.npos ? name.substr(0, name.find('.')) : name.substr(to, 4);
}
char type_of(std::string_view name) {
    const size_t letter = name.find_last_not_of("0123456789");
    return letter == name.npos ? 0 : char(name[letter] | 0x20);
}

const LowerRow* row_of(Op op) {
    static const auto table = [] {
        std::array<const LowerRow*, isa::kOpCount> t{};
        for (unsigned i = 0; i < isa::kOpCount; ++i)
            for (std::span<const LowerRow> rows : {float_rows(), integer_rows(), special_rows()})
                for (const LowerRow& row : rows)
                    if (name_without_type(isa::info(Op(i)).name) == row.name) t[i] = &row;
        return t;
    }();
    return table[unsigned(op)];
}

}  // namespace

Lowering::Lowering(const isa::Instr& i, uint64_t next_pc, core::MicroBlock* block,
                   std::vector<Preset>* presets)
    : instr(i),
      bits(i.info().size),
      type(type_of(i.info().name)),
      builder_(block),
      next_pc_(next_pc),
      presets_(presets) {}

Round Lowering::round_mode() const {
    static constexpr Round kModes[] = {Round::NearestEven, Round::Up, Round::Down, Round::ToZero};
    return kModes[unsigned(instr.round_mode())];  // by isa::RoundMode
}

// ---- Sources ----

Value Lowering::preset(Preset p) {
    const auto at = std::find(presets_->begin(), presets_->end(), p);
    const auto row = uint32_t(kPresetRow + (at - presets_->begin()));
    if (at == presets_->end()) presets_->push_back(p);
    return core::MicroBuilder::reg(row);
}

Value Lowering::raw(unsigned i, bool high) {
    const isa::Operand& o = instr.src[i];
    switch (o.kind) {
        case isa::OperandKind::kRegister:
            return core::MicroBuilder::reg((o.index + high) % kRegisters);
        case isa::OperandKind::kUniform:
            return core::MicroBuilder::uniform(uint32_t(o.index) + high);
        case isa::OperandKind::kConstant:
            return constant(isa::constant_table((o.index + high) % 32u));
        case isa::OperandKind::kSpecial:
            break;
    }
    const bool upper = high || o.high_word;
    if (o.index == unsigned(isa::Special::kProgramCounter))
        return constant(uint32_t(upper ? next_pc_ >> 32 : next_pc_));
    if (o.index == unsigned(isa::Special::kLaneId) && upper) return constant(0);
    return preset({o.index, upper});
}

Value Lowering::extract(bool sign, Value v, unsigned first, unsigned count) {
    if (v.kind != Value::Kind::Constant) return builder_.extract(sign, v, first, count);
    const uint32_t top = v.index << (32 - first - count);
    return constant(sign ? uint32_t(int32_t(top) >> (32 - count)) : top >> (32 - count));
}

Value Lowering::integer(unsigned i, unsigned p, bool sign) {
    const isa::Operand& o = instr.src[i];
    const unsigned size = instr.info().source_rows[i].size;
    const Selected s = selected(o.swizzle, p);
    Value v = raw(i);
    if (s.bits)
        v = extract(sign, v, s.bits * s.part, s.bits);
    else if (size < 32)
        v = extract(sign, v, size * p, size);
    return o.invert ? invert(v) : v;
}

Value Lowering::half_bits(unsigned i, unsigned p) {
    Value v = integer(i, p, false);
    if (instr.src[i].abs) v = op(And, v, constant(0x7fff));
    return instr.src[i].neg ? op(Xor, v, constant(0x8000)) : v;
}

Value Lowering::real(unsigned i, unsigned p) {
    const isa::Operand& o = instr.src[i];
    if (instr.info().source_rows[i].size == 16 || o.swizzle != isa::Swizzle::kNone)
        return op(HalfToFloat, half_bits(i, p));
    Value v = raw(i);
    if (o.abs) v = op(And, v, constant(0x7fffffffu));
    return o.neg ? op(Xor, v, constant(0x80000000u)) : v;
}

Pair Lowering::wide(unsigned i, bool sign) {
    const isa::Operand& o = instr.src[i];
    if (o.swizzle == isa::Swizzle::kNone) {
        const Pair p{raw(i), raw(i, true)};
        return o.invert ? Pair{invert(p.low), invert(p.high)} : p;
    }
    const Value low = integer(i, 0, sign);
    return {low, sign ? sign_of(low) : constant(0)};
}

void Lowering::sources() {
    const auto put = [&](unsigned row, Value v) { builder_.write(kSourceRow + row, v); };
    const isa::OpInfo& info = instr.info();
    if (info.is(isa::kKills)) return put(0, compare(instr.condition(), real(0, 0), real(1, 0), 'f'));
    for (unsigned i = 0; i < info.source_count; ++i) {
        const isa::Swizzle s = instr.src[i].swizzle;
        if (info.source_rows[i].size == 64) {
            put(2 * i, raw(i));
            put(2 * i + 1, raw(i, true));
        } else if (s == isa::Swizzle::kAnd) {
            put(2 * i, op(And, op(And, raw(i), op(ShiftRight, raw(i), constant(16))), constant(0xffff)));
        } else if (s == isa::Swizzle::kLowbits) {
            put(2 * i, op(And, raw(i), constant(0x00010001u)));
        } else {
            const bool alpha = instr.op == Op::kAtest && i == 1;  // possibly a half
            put(2 * i, alpha ? real(i, 0) : integer(i, 0, false));
        }
    }
}

// ---- Operations ----

Value Lowering::op(MicroOp o, Value a, Value b, Value c) {
    const bool known = b.kind == Value::Kind::Constant;
    if (known && a.kind == Value::Kind::Constant && (o == And || o == Xor))
        return constant(o == And ? a.index & b.index : a.index ^ b.index);
    if (known && b.index == 0 &&
        (o == Or || o == Xor || o == Add || o == Sub || o == ShiftLeft || o == ShiftRight))
        return a;
    if (known && b.index == ~0u && o == And) return a;
    return builder_.op(o, a, b, c);
}

Value Lowering::clamped(Value v) {
    using enum ClampRange;
    static constexpr ClampRange kRanges[] = {ZeroToInfinity, MinusOneToOne, ZeroToOne};  // from kPositive on
    const unsigned clamp = unsigned(instr.clamp());
    return instr.clamp() == isa::Clamp::kNone ? v : builder_.clamp(v, kRanges[clamp - 1]);
}

Value Lowering::compare(Condition k, Value a, Value b, char as) {
    const bool floats = as == 'f';
    const MicroOp less = floats ? FloatLess : as == 's' ? LessSigned : LessUnsigned;
    const auto at_most = [&](Value x, Value y) {
        return floats ? op(FloatLessEqual, x, y) : invert(op(less, y, x));
    };
    switch (k) {
        case Condition::kEq:
            return op(floats ? FloatEqual : Equal, a, b);
        case Condition::kGt:
            return op(less, b, a);
        case Condition::kGe:
            return at_most(b, a);
        case Condition::kNe:
            return op(floats ? FloatNotEqual : NotEqual, a, b);
        case Condition::kLt:
            return op(less, a, b);
        case Condition::kLe:
            return at_most(a, b);
        case Condition::kGtlt:
            return floats ? op(Or, op(less, a, b), op(less, b, a)) : op(NotEqual, a, b);
        case Condition::kTotal:
            return floats ? op(And, op(FloatEqual, a, a), op(FloatEqual, b, b)) : constant(~0u);
    }
    return constant(0);
}

// ---- Results ----

void Lowering::write(Value v) {
    const Value old = core::MicroBuilder::reg(instr.dest.reg);
    if (instr.dest.halves == 1) v = builder_.insert(old, v, 0, 16);
    if (instr.dest.halves == 2) v = builder_.insert(v, old, 0, 16);
    builder_.write(instr.dest.reg, v);
}

// Both are computed before one is written, which may be a source of the other.
void Lowering::write(Pair v) {
    for (Value* half : {&v.low, &v.high})
        if (half->kind == Value::Kind::Register) *half = builder_.op(Copy, *half);
    builder_.write(instr.dest.reg, v.low);
    builder_.write((instr.dest.reg + 1) % kRegisters, v.high);
}

const char* why_unknown(const isa::Instr& i) {
    const LowerRow* row = row_of(i.op);
    if (!row) return "the virtual GPU does not execute this instruction";
    if (i.info().has(isa::Mod::kLaneOp) && i.lane_op() == isa::LaneOp::kAccumulate)
        return "what the lane operation accumulate does is not known";
    return row->lower ? nullptr : "what it computes is not known";
}

void lower(Lowering& l) {
    row_of(l.instr.op)->lower(l);
}

}  // namespace terrazzo::mali::sim
