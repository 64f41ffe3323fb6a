// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic, comparisons, conversions: each IR operation becomes one or two instructions. A Bool is 0 or 1
// in a full register.
#include "drivers/adreno/compiler/selector.h"
#include "drivers/common/backend/comparison.h"
#include "drivers/common/backend/simple_ops.h"
#include "shaders/ir/print.h"

namespace terrazzo::adreno::compiler {

using isa::Condition;
using isa::Op;
using isa::Type;

namespace {

// By the IR's operation.
constexpr backend::SimpleOp<Op> kSimple[] = {
    {ir::Op::FMul, Op::kMulF},     {ir::Op::FMin, Op::kMinF},     {ir::Op::FMax, Op::kMaxF},
    {ir::Op::FSign, Op::kSignF},   {ir::Op::FFloor, Op::kFloorF}, {ir::Op::FCeil, Op::kCeilF},
    {ir::Op::FTrunc, Op::kTruncF}, {ir::Op::FRound, Op::kRndneF}, {ir::Op::IAdd, Op::kAddU},
    {ir::Op::ISub, Op::kSubU},     {ir::Op::IMin, Op::kMinS},     {ir::Op::IMax, Op::kMaxS},
    {ir::Op::UMin, Op::kMinU},     {ir::Op::UMax, Op::kMaxU},     {ir::Op::IAnd, Op::kAndB},
    {ir::Op::IOr, Op::kOrB},       {ir::Op::IXor, Op::kXorB},     {ir::Op::BitReverse, Op::kBfrevB},
    {ir::Op::FRsq, Op::kRsq},      {ir::Op::FSqrt, Op::kSqrt},    {ir::Op::FExp2, Op::kExp2},
    {ir::Op::FLog2, Op::kLog2}};

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
void Selector::saturate(const ir::Instr& i) {
    const bool half = is_half(i.result()->type);
    const Ref x = use(i.operand(0));
    std::pmr::vector<Inst>& insts = f_.blocks[block_].insts;
    if (i.operand(0)->has_one_use() && is_word(x) && is_plain(x) && !insts.empty() &&
        insts.back().dest == x.index) {
        Inst& last = insts.back();
        const Op op = last.proto.op;
        if (op == Op::kAddF || op == Op::kMulF || op == Op::kMadF32 || op == Op::kMadF16 || op == Op::kMaxF ||
            op == Op::kMinF) {
            last.proto.set_sat(true);
            return set(i.result(), x);
        }
    }
    isa::Instr p = isa::make(Op::kAbsnegF);
    p.set_sat(true);
    set(i.result(), alu(p, {x}, half));
}

bool Selector::float_op(const ir::Instr& i) {
    const bool half = i.result_count && is_half(i.result()->type);
    const auto a = [&] { return use(i.operand(0)); };
    switch (i.op) {
        case ir::Op::FAdd:
        case ir::Op::FSub:
            add(
                i,
                [&](Ref x, Ref y) {
                    set(i.result(), add_f({x, y}, half));
                },
                [&](Ref x, Ref y, Ref z) {
                    set(i.result(), alu(half ? Op::kMadF16 : Op::kMadF32, {x, y, z}, half));
                });
            return true;
        case ir::Op::FFma:
            set(i.result(),
                alu(half ? Op::kMadF16 : Op::kMadF32, {a(), use(i.operand(1)), use(i.operand(2))}, half));
            return true;
        case ir::Op::FNeg:
            set(i.result(), negated(a()));
            return true;
        case ir::Op::FAbs:
            set(i.result(), absolute(a()));
            return true;
        case ir::Op::FSat:
            saturate(i);
            return true;
        case ir::Op::FFract: {
            const Ref x = a();
            set(i.result(), add_f({x, negated(floor_f({x}, half))}, half));
            return true;
        }
        default:
            return false;
    }
}

bool Selector::int_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    switch (i.op) {
        case ir::Op::INeg:
            set(i.result(), sub_u({constant(0), a()}));
            return true;
        case ir::Op::IAbs: {
            Ref x = in_register(a());
            x.abs = true;
            set(i.result(), absneg_s({x}));
            return true;
        }
        case ir::Op::ISign:
            set(i.result(), max_s({min_s({a(), constant(1)}), constant(~0u)}));
            return true;
        case ir::Op::INot:
            if (i.result()->type == ir::Type::Bool)
                set(i.result(), xor_b({a(), constant(1)}));
            else
                set(i.result(), not_b({a()}));
            return true;
        case ir::Op::IMul:
            set(i.result(), multiply_op(i));
            return true;
        case ir::Op::IMulHigh:
        case ir::Op::UMulHigh:
            set(i.result(), multiply_high(a(), use(i.operand(1)), i.op == ir::Op::IMulHigh));
            return true;
        case ir::Op::IDiv:
        case ir::Op::UDiv:
        case ir::Op::IMod:
        case ir::Op::IRem:
        case ir::Op::UMod:
            set(i.result(), divide_op(i));
            return true;
        default:
            return false;
    }
}

bool Selector::bit_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    // clz returns -1 if no bit is set, otherwise the number of bits above the first one.
    const auto most_significant = [&](Op clz, Ref x) {
        const Ref above = alu(clz, {x});
        const Ref found = cmps_s({above, constant(0)}, Condition::kGe);
        set(i.result(), choose(found, sub_u({constant(31), above}), above));
    };
    // Shifts use the five low bits of the count (Mesa relies on it).
    const auto shift = [&](Op op) {
        Ref count = use(i.operand(1));
        if (count.kind == Ref::Kind::Immediate) count.index &= 31;
        set(i.result(), alu(op, {a(), count}));
    };
    switch (i.op) {
        case ir::Op::IShl:
            shift(Op::kShlB);
            return true;
        case ir::Op::IShr:
            shift(Op::kAshrB);
            return true;
        case ir::Op::UShr:
            shift(Op::kShrB);
            return true;
        case ir::Op::BitCount:
            set(i.result(), count_bits(a()));
            return true;
        case ir::Op::FindLsb:
            // The lowest bit's number is the number of bits above it in the reversed word.
            set(i.result(), clz_b({bfrev_b({a()})}));
            return true;
        case ir::Op::IFindMsb:
            most_significant(Op::kClzS, a());
            return true;
        case ir::Op::UFindMsb:
            most_significant(Op::kClzB, a());
            return true;
        default:
            return false;
    }
}

bool Selector::compare_op(const ir::Instr& i, uint32_t to) {
    const auto c = backend::select_comparison<Condition>(i.op, kComparing);
    if (!c) return false;
    isa::Instr p = isa::make(c->ops);
    p.set_condition(c->condition);
    // Selects of halves need the condition in a half.
    const bool half = to == kNoWord && chooses_halves(*i.result());
    const uint32_t word = to == kNoWord ? new_words(1, half) : to;
    const Ref a = use(i.operand(0)), b = use(i.operand(1));
    alu_to(word, p, {a, b});
    if (to == kNoWord) set(i.result(), Ref::word(word, half));
    return true;
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
        if (made.dest != x.index) continue;
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
void Selector::numeric_conversion(const ir::Instr& i) {
    const ir::Type from = i.operand(0)->type, to = i.result()->type;
    const Ref x = use(i.operand(0));
    const bool from_signed = i.op == ir::Op::I2F || i.op == ir::Op::I2I;
    const bool to_signed = i.op == ir::Op::F2I || i.op == ir::Op::I2I;
    const Type source = type_of(from, from_signed), dest = type_of(to, to_signed);
    if (source == dest) return set(i.result(), x);
    // The instruction has already computed a half.
    if (i.op == ir::Op::F2F && is_half(to) && is_word(x) && x.half) return set(i.result(), x);
    // Constants are floats; reading one as a half rounds it.
    if (i.op == ir::Op::F2F && x.is_const() && !x.is_relative()) {
        Ref other = x;
        other.half = is_half(to);
        if (other.half || x.kind == Ref::Kind::Preamble) return set(i.result(), other);
    }
    // Outputs that are stored as halves are not widened.
    const ir::Use* user = i.result()->uses;
    const bool stored = user && user->user->op == ir::Op::StoreOutput && stores_half(*user->user);
    if (i.op == ir::Op::F2F && !stored)
        if (const auto made = made_as(i.operand(0), is_half(to))) return set(i.result(), *made);
    const uint32_t word = new_words(1, is_half(to));
    isa::Instr p = isa::make(Op::kMov);
    p.set_source_type(source);
    p.set_dest_type(dest);
    if (i.op == ir::Op::F2F && is_half(to)) p.set_round(isa::Round::kEven);
    alu_to(word, p, {is_plain(x) && x.kind != Ref::Kind::Immediate ? x : in_register(x)});
    set(i.result(), Ref::word(word, is_half(to)));
}

bool Selector::convert_op(const ir::Instr& i) {
    const auto a = [&] { return use(i.operand(0)); };
    switch (i.op) {
        case ir::Op::F2F:
        case ir::Op::F2I:
        case ir::Op::F2U:
        case ir::Op::I2F:
        case ir::Op::U2F:
        case ir::Op::I2I:
        case ir::Op::U2U:
            numeric_conversion(i);
            return true;
        case ir::Op::B2F:
            set(i.result(), convert(Type::kU32, type_of(i.result()->type, false), in_register(a())));
            return true;
        case ir::Op::B2I:
            set(i.result(),
                is_half(i.result()->type) ? convert(Type::kU32, Type::kU16, in_register(a())) : a());
            return true;
        case ir::Op::Bitcast: {
            const Ref x = a();
            set(i.result(), is_plain(x) ? x : in_register(x));
            return true;
        }
        case ir::Op::PackHalf2: {
            const auto bits = [&](unsigned n) {
                isa::Instr p = isa::make(Op::kMov);
                p.set_source_type(Type::kF32);
                p.set_dest_type(Type::kF16);
                p.set_round(isa::Round::kEven);
                return convert(Type::kU16, Type::kU32, alu(p, {in_register(use(i.operand(n)))}, true));
            };
            const Ref low = bits(0), high = shl_b({bits(1), constant(16)});
            set(i.result(), or_b({low, high}));
            return true;
        }
        case ir::Op::UnpackHalfLow:
        case ir::Op::UnpackHalfHigh: {
            Ref word = a();
            if (i.op == ir::Op::UnpackHalfHigh) word = shr_b({word, constant(16)});
            set(i.result(),
                convert(Type::kF16, Type::kF32, convert(Type::kU32, Type::kU16, in_register(word))));
            return true;
        }
        default:
            return false;
    }
}

void Selector::alu_op(const ir::Instr& i) {
    switch (i.op) {
        case ir::Op::Const:
        case ir::Op::Undef:
            return;
        case ir::Op::Mov:
            return set(i.result(), use(i.operand(0)));
        case ir::Op::Select: {
            const bool half = is_half(i.result()->type);
            const Ref yes = use(i.operand(1)), no = use(i.operand(2));
            return set(i.result(), choose(use(i.operand(0)), yes, no, half));
        }
        case ir::Op::IBitfieldExtract:
        case ir::Op::UBitfieldExtract:
        case ir::Op::BitfieldInsert:
            return set(i.result(), bitfield_op(i));
        default:
            break;
    }
    if (const auto* simple = backend::SimpleOps<kSimple>::find(i.op))
        return select_simple(i, simple->to, is_half(i.result()->type));
    if (float_op(i) || special_op(i) || int_op(i) || bit_op(i) || compare_op(i) || convert_op(i)) return;
    f_.fail("adreno: no instruction for " + std::string(i.info().text));
}

}  // namespace terrazzo::adreno::compiler
