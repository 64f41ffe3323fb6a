// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// 16-bit floats. An operand of 16 bits is a word with the swizzle h00 or h11, which selects one of its
// halves. Constants are in both halves. An operand of 32 bits reads a half by the swizzle h0 or h1, which
// most instructions on floats have. An instruction computes both halves of a word: the results of two
// operations, or one result twice (shaders/passes/pair_halves.h).
#include <algorithm>
#include <cmath>

#include "drivers/mali/compiler/selector.h"
#include "shaders/ir/half.h"
#include "shaders/ir/print.h"

namespace terrazzo::mali::compiler {

using isa::Op;
using isa::Swizzle;

namespace {

constexpr uint32_t kSigns = 0x80008000, kOnes = 0x3c003c00;

bool is_constant(const Ref& r) {
    return r.kind == Ref::Kind::Immediate || r.kind == Ref::Kind::Constant;
}
uint32_t bits_of(const Ref& r) {
    const uint32_t bits = r.kind == Ref::Kind::Constant ? isa::constant_table(r.index) : r.index;
    return (r.abs ? bits & ~kSigns : bits) ^ (r.neg ? kSigns : 0);
}
/// Whether an operand of 32 bits reads a half.
bool is_half(const Ref& r) {
    return r.swizzle == Swizzle::kH0 || r.swizzle == Swizzle::kH1;
}
bool is_upper(const Ref& r) {
    return r.swizzle == Swizzle::kH1;
}
bool is_high(const Ref& r) {
    return r.swizzle == Swizzle::kH11;
}
Swizzle halves_of(bool low, bool high) {
    return low ? (high ? Swizzle::kH11 : Swizzle::kH10) : high ? Swizzle::kNone : Swizzle::kH00;
}
Swizzle swizzle_of(bool high) {
    return high ? Swizzle::kH11 : Swizzle::kH00;
}
/// Applies signs to a half: to the bits of a constant, or as modifiers of other operands.
Ref modified(Ref r, bool neg, bool abs) {
    if (is_constant(r)) {
        uint32_t bits = bits_of(r);
        if (abs) bits &= ~kSigns;
        return Ref::immediate(neg ? bits ^ kSigns : bits);
    }
    if (abs) r = absolute(r);
    if (neg) r.neg = !r.neg;
    return r;
}

}  // namespace

Ref Selector::widened(const Ref& half) const {
    if (is_constant(half))
        return Ref::immediate(std::bit_cast<uint32_t>(ir::half_to_float(uint16_t(bits_of(half)))));
    return half.part(is_high(half) ? Swizzle::kH1 : Swizzle::kH0);
}

/// A uniform word with these two dwords as halves. None: there is no room.
Ref Selector::uniform_halves(uint32_t low, uint32_t high) {
    using Kind = UniformWord::Kind;
    constexpr uint32_t kMost = 0xffff;
    if (low > kMost || high > kMost) return {};
    for (uint32_t n = 0; n < f_.fau.size(); n++) {
        if (f_.fau[n].kind != Kind::Halves) continue;
        const uint32_t a = f_.fau[n].value & 0xffff, b = f_.fau[n].value >> 16;
        if ((low == a || low == b) && (high == a || high == b))
            return Ref::uniform(n).part(halves_of(low != a, high != a));
    }
    const uint32_t n = f_.find_fau({Kind::Halves, low | high << 16});
    if (n == kNoUniform) return {};
    return Ref::uniform(n).part(low == high ? Swizzle::kH00 : Swizzle::kNone);
}

/// A half that is computed at each use: a uniform, or a value that modifiers compute.
Ref Selector::use_half(const ir::Value* v) {
    const Bare b = bare(v);
    if (b.value != v) return modified(use(b.value), b.neg, b.abs);
    const ir::Instr* u = half_uniform(v);
    if (!u) return values_[v->id];
    Ref r = uniform_halves(u->u.io.slot, u->u.io.slot);
    if (r.kind == Ref::Kind::None) {
        // Again at each use: an earlier one may be in another branch.
        if (read_as_half(u->result())) load_used_uniform(*u);
        const Ref wide = use(u->result());
        r = v2f32_to_v2f16({wide, wide}).part(Swizzle::kH00);
        set(v, r);
    }
    return r;
}

/// A word with these two halves.
Ref Selector::packed(const Ref& low, const Ref& high) {
    const size_t here = f_.blocks[block_].insts.size();
    for (const Packed& p : packed_)
        if (p.block == block_ && here - p.inst <= kPackedWithin && p.low == low && p.high == high)
            return Ref::word(p.word);
    const Ref word = mkvec_v2i16({low, high});
    constexpr size_t kMost = 16;
    if (packed_.size() == kMost) packed_.erase(packed_.begin());
    packed_.push_back({block_, here, low, high, word.as_word()});
    return word;
}

/// Two values as one source of an instruction on two halves.
Ref Selector::halves(const ir::Value* low, const ir::Value* high) {
    const Bare a = bare(low), b = bare(high);
    if (a.neg != b.neg || a.abs != b.abs) {
        Ref x = use(low), y = use(high);
        if (is_constant(x) && is_constant(y))
            return Ref::immediate((bits_of(x) & 0xffff) | (bits_of(y) & 0xffff0000));
        return packed(without_modifiers(x), without_modifiers(y));
    }
    const ir::Instr *u = half_uniform(a.value), *w = half_uniform(b.value);
    if (u && w)
        if (const Ref r = uniform_halves(u->u.io.slot, w->u.io.slot); r.kind != Ref::Kind::None)
            return modified(r, a.neg, a.abs);
    const Ref x = use(a.value), y = use(b.value);
    if (is_constant(x) && is_constant(y))
        return modified(Ref::immediate((bits_of(x) & 0xffff) | (bits_of(y) & 0xffff0000)), a.neg, a.abs);
    if (x.kind == y.kind && x.index == y.index && x.neg == y.neg && x.abs == y.abs) {
        Ref r = x.part(halves_of(is_high(x), is_high(y)));
        return modified(r, a.neg, a.abs);
    }
    return modified(packed(without_modifiers(x), without_modifiers(y)), a.neg, a.abs);
}

void Selector::move_halves_to(Word word, const Ref& r) {
    if (is_plain(r))
        move_to(word, r);
    else
        alu_to(word, isa::make(Op::kFaddV2f16), {r, minus_zero()});
}

Ref Selector::without_modifiers(const Ref& half) {
    if (is_constant(half)) return Ref::immediate(bits_of(half));
    if (!half.neg && !half.abs) return half;
    return fadd_v2f16({half, minus_zero()}).part(Swizzle::kH00);
}

/// Sets the results of one or two operations to the halves of the word.
void Selector::set_halves(const ir::Instr& low, const ir::Instr* high, const Ref& word) {
    set(low.result(), word.part(Swizzle::kH00));
    if (high) set(high->result(), word.part(Swizzle::kH11));
}

void Selector::arithmetic_on_halves(const ir::Instr& low, const ir::Instr* high) {
    const ir::Instr& other = high ? *high : low;
    const auto in = [&](unsigned n) { return halves(low.operand(n), other.operand(n)); };
    isa::Instr p = isa::make(low.op == ir::Op::FMul || low.op == ir::Op::FFma ? Op::kFmaV2f16
                             : low.op == ir::Op::FMin                         ? Op::kFminV2f16
                             : low.op == ir::Op::FMax                         ? Op::kFmaxV2f16
                                                                              : Op::kFaddV2f16);
    if (low.op == ir::Op::FSat || saturates(low.result())) p.set_clamp(isa::Clamp::kUnit);
    Ref word;
    switch (low.op) {
        case ir::Op::FSat:
            word = alu(p, {in(0), minus_zero()});
            break;
        case ir::Op::FMul:
            word = alu(p, {in(0), in(1), minus_zero()});
            break;
        case ir::Op::FFma: {
            const Ref x = in(0), y = in(1), z = in(2);
            word = alu(p, {x, y, z});
            break;
        }
        case ir::Op::FSub: {
            const Ref x = in(0), y = in(1);
            word = alu(p, {x, modified(y, true, false)});
            break;
        }
        default: {
            const Ref x = in(0), y = in(1);
            word = alu(p, {x, y});
            break;
        }
    }
    set_halves(low, high, word);
}

/// Copies halves so that all are in the same half of their words.
bool Selector::in_one_half(Ref* refs, unsigned count) {
    int high = -1;
    bool mixed = false;
    for (unsigned n = 0; n < count; n++) {
        refs[n] = without_modifiers(refs[n]);
        if (is_constant(refs[n])) continue;
        if (high >= 0 && high != int(is_high(refs[n]))) mixed = true;
        high = is_high(refs[n]);
    }
    for (unsigned n = 0; n < count; n++) {
        if (is_constant(refs[n])) continue;
        if (mixed && is_high(refs[n])) refs[n] = packed(refs[n], refs[n]);
        refs[n].swizzle = Swizzle::kNone;
    }
    return !mixed && high == 1;
}

void Selector::select_halves(const ir::Instr& low, const ir::Instr* high) {
    if (!high) {
        Ref of[2] = {use(low.operand(1)), use(low.operand(2))};
        const bool upper = in_one_half(of, 2);
        set(low.result(), choose(low.operand(0), of[0], of[1]).part(swizzle_of(upper)));
        return;
    }
    Ref of[2];
    for (unsigned n = 0; n < 2; n++) {
        of[n] = halves(low.operand(n + 1), high->operand(n + 1));
        if (!is_constant(of[n]) && !is_plain(of[n])) of[n] = fadd_v2f16({of[n], minus_zero()});
    }
    set_halves(low, high, choose(low.operand(0), of[0], of[1]));
}

void Selector::narrow(const ir::Instr& low, const ir::Instr* high) {
    const Ref x = use(low.operand(0));
    if (!high && is_half(x)) return set(low.result(), x.part(swizzle_of(is_upper(x))));
    const Ref y = high ? use(high->operand(0)) : x;
    set_halves(low, high, v2f32_to_v2f16({x, y}));
}

/// Component n of a message's results, which begin at word `first`.
Ref Selector::component(Word first, unsigned n, bool half) const {
    return half ? Ref::word(first + n / 2).part(n % 2 ? Swizzle::kH1 : Swizzle::kH0) : Ref::word(first + n);
}

/// Whether the source is a half of a word without signs.
bool Selector::is_plain_half(const Ref& r) const {
    return r.kind == Ref::Kind::Word && !r.neg && !r.abs && is_half(r);
}

bool Selector::is_half_constant(const Ref& r) {
    if (r.kind == Ref::Kind::None) return true;
    if (!is_constant(r)) return false;
    const auto value =
        std::bit_cast<float>(r.kind == Ref::Kind::Constant ? isa::constant_table(r.index) : r.index);
    return ir::half_to_float(ir::half_from_float(value)) == value;
}

/// Whether a colour is written in 16 bits: most of its components are computed in 16 bits, or all may be
/// rounded and fewer instructions bring them into registers.
bool Selector::half_color(unsigned target) const {
    if (!half_colors_ || (target == 0 && info_.second_color)) return false;
    constexpr unsigned kCount = 4;
    const Ref* const color = &outputs_[target * kCount];
    enum class Kind : uint8_t { Constant, Narrow, Wide };
    Kind kinds[kCount];
    unsigned narrow = 0, wide = 0, float_moves = 0, half_moves = 0;
    bool may_round = true;
    for (unsigned c = 0; c < kCount; c++) {
        const Ref& r = color[c];
        const bool constant = r.kind == Ref::Kind::None || is_constant(r);
        kinds[c] = constant ? Kind::Constant : is_half(r) ? Kind::Narrow : Kind::Wide;
        narrow += kinds[c] == Kind::Narrow;
        wide += kinds[c] == Kind::Wide;
        may_round &= is_half_constant(r) || (rounded_colors_ >> (target * kCount + c) & 1);
        // Values that nothing else needs are computed in place.
        const bool again = std::find(color, color + c, r) != color + c;
        float_moves += constant || again || !is_word(r) || !is_plain(r);
    }
    for (unsigned c = 0; c < kCount; c += 2) {
        const bool both = color[c].kind == color[c + 1].kind && color[c].index == color[c + 1].index;
        const bool in_place =
            kinds[c] == Kind::Narrow && both && !is_upper(color[c]) && is_upper(color[c + 1]);
        const bool widened = (kinds[c] == Kind::Narrow) != (kinds[c + 1] == Kind::Narrow) &&
                             (kinds[c] == Kind::Wide || kinds[c + 1] == Kind::Wide);
        half_moves += in_place ? 0 : widened ? 2 : 1;
    }
    return (plan_ && narrow > wide) || (may_round && half_moves < float_moves);
}

/// A word with two 32-bit values as halves.
Ref Selector::narrowed(const Ref& low, const Ref& high) {
    const auto constant = [](const Ref& r) {
        const uint32_t bits = r.kind == Ref::Kind::Constant ? isa::constant_table(r.index) : r.index;
        float v = std::bit_cast<float>(bits);
        if (r.abs) v = std::fabs(v);
        return uint32_t(ir::half_from_float(r.neg ? -v : v)) * 0x10001;
    };
    const auto half = [&](const Ref& r) {
        if (is_constant(r)) return Ref::immediate(constant(r));
        return r.part(r.swizzle == Swizzle::kH1 ? Swizzle::kH11 : Swizzle::kH00);
    };
    if ((!is_half(low) && !is_constant(low)) || (!is_half(high) && !is_constant(high))) {
        const auto wide = [&](const Ref& r) { return is_half(r) ? in_register(r) : r; };
        const Ref a = wide(low), b = wide(high);
        return v2f32_to_v2f16({a, b});
    }
    const Ref x = half(low), y = half(high);
    if (is_constant(x) && is_constant(y))
        return Ref::immediate((bits_of(x) & 0xffff) | (bits_of(y) & 0xffff0000));
    if (x.kind == y.kind && x.index == y.index && x.neg == y.neg && x.abs == y.abs) {
        const Ref both = x.part(halves_of(is_high(x), is_high(y)));
        return is_plain(both) ? both : fadd_v2f16({both, minus_zero()});
    }
    return packed(without_modifiers(x), without_modifiers(y));
}

/// Selects conversions of 16-bit integers, which are their only operations (shaders/passes/widen_16.h), and
/// reinterpretations of halves as bits of a word. False: `i` is neither.
bool Selector::word_half(const ir::Instr& i) {
    const ir::Type to = i.result()->type, from = i.operand_count ? i.operand(0)->type : ir::Type::Void;
    const auto bits = [&] { return use(i.operand(0)); };
    switch (i.op) {
        case ir::Op::PackHalf2: {
            const Ref low = bits(), high = use(i.operand(1));
            set(i.result(), v2f32_to_v2f16({low, high}));
            return true;
        }
        case ir::Op::UnpackHalfLow:
        case ir::Op::UnpackHalfHigh:
            set(i.result(),
                in_register(bits()).part(i.op == ir::Op::UnpackHalfLow ? Swizzle::kH0 : Swizzle::kH1));
            return true;
        case ir::Op::I2I:
        case ir::Op::U2U:
            if (from == ir::Type::I16 && to == ir::Type::I32)
                set(i.result(), alu(i.op == ir::Op::I2I ? Op::kS16ToS32 : Op::kU16ToU32, {bits()}));
            else if (from == ir::Type::I32 && to == ir::Type::I16)
                set(i.result(), in_register(bits()).part(Swizzle::kH00));
            else if (from == ir::Type::I16 && to == ir::Type::I16)
                set(i.result(), bits());
            else
                return false;
            return true;
        case ir::Op::Bitcast:
            if (ir::bit_size(to) != 16) return false;
            set(i.result(), from == ir::Type::F16 && to != from ? without_modifiers(bits()) : bits());
            return true;
        default:
            return false;
    }
}

/// False: `i` is no operation on halves.
bool Selector::half_op(const ir::Instr& i) {
    if (word_half(i)) return true;
    const bool gives = i.result()->type == ir::Type::F16;
    bool takes = false;
    for (unsigned n = 0; n < i.operand_count; n++)
        takes |= i.operand(n)->type == ir::Type::F16;
    if (!gives && !takes) return false;
    if (!gives) {
        if (i.op == ir::Op::F2F)
            set(i.result(), widened(use(i.operand(0))));
        else if (const std::optional<Ref> compared = compare_op(i))
            set(i.result(), *compared);
        else
            f_.fail("mali: operation " + std::string(i.info().text) + " on halves is not compiled yet");
        return true;
    }
    // It is selected together with its partner, or when it is used.
    if (values_[i.result()->id].kind != Ref::Kind::None || half_uniform(i.result()) ||
        bare(i.result()).value != i.result())
        return true;
    const ir::Instr* const other = plan_ ? plan_->partner[i.result()->id] : nullptr;
    switch (i.op) {
        case ir::Op::FAdd:
        case ir::Op::FSub:
        case ir::Op::FMul:
        case ir::Op::FFma:
        case ir::Op::FMin:
        case ir::Op::FMax:
        case ir::Op::FSat:
            arithmetic_on_halves(i, other);
            return true;
        case ir::Op::Select:
            select_halves(i, other);
            return true;
        case ir::Op::F2F:
            if (i.operand(0)->type == ir::Type::F16)
                set(i.result(), use(i.operand(0)));
            else
                narrow(i, other);
            return true;
        case ir::Op::B2F:
            set(i.result(),
                logic(Op::kLshiftAndI32, use(i.operand(0)), Ref::immediate(kOnes)).part(Swizzle::kH00));
            return true;
        case ir::Op::Mov:
            set(i.result(), use(i.operand(0)));
            return true;
        default:
            f_.fail("mali: operation " + std::string(i.info().text) + " of halves is not compiled yet");
            return true;
    }
}

}  // namespace terrazzo::mali::compiler
