// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic, comparisons, conversions: each IR operation becomes one or two instructions. A Bool is 0 or 1
// in a full register.
#include "drivers/adreno/compiler/selector.h"
#include "drivers/common/backend/comparison.h"
#include "shaders/ir/print.h"

namespace terrazzo::adreno::compiler {

using isa::Condition;
using isa::Op;
using isa::Type;

namespace {

// By backend::Numbers.
constexpr Op kComparing[] = {Op::kCmpsF, Op::kCmpsS, Op::kCmpsU};

/// The type of a move's source or destination.
Type type_of(ir::Type t, bool is_signed) {
    const bool half = is_half(t);
    if (ir::is_float(t)) return half ? Type::kF16 : Type::kF32;
    return is_signed ? (half ? Type::kS16 : Type::kS32) : half ? Type::kU16 : Type::kU32;
}

/// Whether a condition is only used to select halves.
bool chooses_halves(const ir::Value& condition) {
    for (const ir::Use* u = condition.uses; u; u = u->next)
        if (u->user->op != ir::Op::Select || u->user->operand(0) != &condition ||
            !is_half(u->user->result()->type))
            return false;
    return condition.has_uses();
}

}  // namespace

/// Sets (sat) in the instruction that computed the value if it has no other use; otherwise emits a move with
/// (sat).
Ref Selector::saturated(const ir::Value* v) {
    const Ref x = use(v);
    std::pmr::vector<Inst>& insts = f_.blocks[block_].insts;
    if (v->has_one_use() && is_word(x) && is_plain(x) && !insts.empty() && insts.back().dest == x.as_word()) {
        isa::Instr& last = insts.back().proto;
        for (const Op op : {Op::kAddF, Op::kMulF, Op::kMadF32, Op::kMadF16, Op::kMaxF, Op::kMinF})
            if (last.op == op) return last.set_sat(true), x;
    }
    return alu(isa::make(Op::kAbsnegF).set_sat(true), {x}, is_half(v->type));
}

void Selector::select_simple(const ir::Instr& i, Op op) {
    ShaderSelector::select_simple(i, op, is_half(i.result()->type));
}

Ref Selector::float_alu(const ir::Instr& i, Op op, std::initializer_list<Ref> src) {
    const bool half = is_half(i.result()->type);
    return alu(half && op == Op::kMadF32 ? Op::kMadF16 : op, src, half);
}

std::optional<Ref> Selector::int_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    switch (i.op) {
        case ir::Op::INeg:
            return sub_u({constant(0), a()});
        case ir::Op::IAbs: {
            Ref x = in_register(a());
            x.abs = true;
            return absneg_s({x});
        }
        case ir::Op::ISign:
            return max_s({min_s({a(), constant(1)}), constant(~0u)});
        case ir::Op::INot:
            return i.result()->type == ir::Type::Bool ? xor_b({a(), constant(1)}) : not_b({a()});
        case ir::Op::IMul:
            return multiply_op(i);
        case ir::Op::IMulHigh:
        case ir::Op::UMulHigh:
            return multiply_high(a(), use(i.operand(1)), i.op == ir::Op::IMulHigh);
        case ir::Op::IDiv:
        case ir::Op::UDiv:
        case ir::Op::IMod:
        case ir::Op::IRem:
        case ir::Op::UMod:
            return divide_op(i);
        default:
            return {};
    }
}

std::optional<Ref> Selector::bit_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    // clz returns -1 if no bit is set, otherwise the number of bits above the first one.
    const auto most_significant = [&](Op clz, Ref x) {
        const Ref above = alu(clz, {x});
        const Ref found = cmps_s({above, constant(0)}, Condition::kGe);
        return choose(found, sub_u({constant(31), above}), above);
    };
    // Shifts use the five low bits of the count (Mesa relies on it).
    const auto shift = [&](Op op) {
        Ref count = use(i.operand(1));
        if (count.kind == Ref::Kind::Immediate) count.index &= 31;
        return alu(op, {a(), count});
    };
    switch (i.op) {
        case ir::Op::IShl:
            return shift(Op::kShlB);
        case ir::Op::IShr:
            return shift(Op::kAshrB);
        case ir::Op::UShr:
            return shift(Op::kShrB);
        case ir::Op::BitCount:
            return count_bits(a());
        case ir::Op::FindLsb:
            // The lowest bit's number is the number of bits above it in the reversed word.
            return clz_b({bfrev_b({a()})});
        case ir::Op::IFindMsb:
            return most_significant(Op::kClzS, a());
        case ir::Op::UFindMsb:
            return most_significant(Op::kClzB, a());
        default:
            return {};
    }
}

bool Selector::compare_to(Word word, const ir::Instr& i) {
    const auto c = backend::select_comparison<Condition>(i.op, kComparing);
    if (!c) return false;
    const Ref a = use(i.operand(0)), b = use(i.operand(1));
    alu_to(word, isa::make(c->ops).set_condition(c->condition), {a, b});
    return true;
}

Ref Selector::compare(const ir::Instr& i) {
    // Selects of halves need the condition in a half.
    const Ref out = new_word(chooses_halves(*i.result()));
    (void)compare_to(out.as_word(), i);
    return out;
}

/// The instruction that computed the float converts it if it has no other use: sums and products write
/// registers of either width.
std::optional<Ref> Selector::made_as(const ir::Value* v, bool half) {
    constexpr size_t kWithin = 32;
    const Ref x = use(v);
    if (!v->has_one_use() || !is_word(x) || !is_plain(x) || x.half == half) return {};
    std::pmr::vector<Inst>& insts = f_.blocks[block_].insts;
    for (size_t n = insts.size(); n-- && insts.size() - n <= kWithin;) {
        Inst& made = insts[n];
        if (made.dest != x.as_word()) continue;
        const Op op = made.proto.op;
        const bool can = (op >= Op::kAddF && op <= Op::kTruncF) || op == Op::kMadF32 || op == Op::kMadF16;
        if (!can) return {};
        made.dest = new_words(1, half);
        return Ref::word(made.dest, half);
    }
    return {};
}

/// Conversions between kinds or widths of numbers: one move. F2F rounds to nearest even; others round towards
/// zero.
Ref Selector::numeric_conversion(const ir::Instr& i) {
    const ir::Type from = i.operand(0)->type, to = i.result()->type;
    const Ref x = use(i.operand(0));
    const bool half = is_half(to), floats = i.op == ir::Op::F2F;
    const bool from_signed = i.op == ir::Op::I2F || i.op == ir::Op::I2I;
    const bool to_signed = i.op == ir::Op::F2I || i.op == ir::Op::I2I;
    const Type source = type_of(from, from_signed), dest = type_of(to, to_signed);
    if (source == dest) return x;
    // The instruction has already computed a half.
    if (floats && half && is_word(x) && x.half) return x;
    // Constants are floats; reading one as a half rounds it.
    if (floats && x.is_const() && !x.is_relative() && (half || x.kind == Ref::Kind::Preamble)) {
        Ref other = x;
        other.half = half;
        return other;
    }
    // Outputs that are stored as halves are not widened.
    const ir::Use* user = i.result()->uses;
    const bool stored = user && user->user->op == ir::Op::StoreOutput && stores_half(*user->user);
    if (floats && !stored)
        if (const auto made = made_as(i.operand(0), half)) return *made;
    const Word word = new_words(1, half);
    alu_to(word, move_of(source, dest, floats && half ? isa::Round::kEven : isa::Round::kNone),
           {is_plain(x) && x.kind != Ref::Kind::Immediate ? x : in_register(x)});
    return Ref::word(word, half);
}

std::optional<Ref> Selector::convert_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    switch (i.op) {
        case ir::Op::Mov:
            return a();
        case ir::Op::Select: {
            const Ref yes = use(i.operand(1)), no = use(i.operand(2));
            return choose(a(), yes, no, is_half(i.result()->type));
        }
        case ir::Op::F2F:
        case ir::Op::F2I:
        case ir::Op::F2U:
        case ir::Op::I2F:
        case ir::Op::U2F:
        case ir::Op::I2I:
        case ir::Op::U2U:
            return numeric_conversion(i);
        case ir::Op::B2F:
            return convert(Type::kU32, type_of(i.result()->type, false), in_register(a()));
        case ir::Op::B2I:
            return is_half(i.result()->type) ? convert(Type::kU32, Type::kU16, in_register(a())) : a();
        case ir::Op::Bitcast: {
            const Ref x = a();
            return is_plain(x) ? x : in_register(x);
        }
        case ir::Op::PackHalf2: {
            const isa::Instr round = move_of(Type::kF32, Type::kF16, isa::Round::kEven);
            const auto bits = [&](unsigned n) {
                return convert(Type::kU16, Type::kU32, alu(round, {in_register(use(i.operand(n)))}, true));
            };
            const Ref low = bits(0), high = shl_b({bits(1), constant(16)});
            return or_b({low, high});
        }
        case ir::Op::UnpackHalfLow:
        case ir::Op::UnpackHalfHigh: {
            Ref word = a();
            if (i.op == ir::Op::UnpackHalfHigh) word = shr_b({word, constant(16)});
            return convert(Type::kF16, Type::kF32, convert(Type::kU32, Type::kU16, in_register(word)));
        }
        default:
            return {};
    }
}

}  // namespace terrazzo::adreno::compiler
