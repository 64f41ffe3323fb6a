// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The selection of arithmetic: rows for operations of the IR that one instruction computes; families of the
// others, which a selector tries one after the other. The operations on floats that all vendors compute alike
// are here.
#pragma once

#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>

#include "drivers/common/backend/comparison.h"
#include "drivers/common/backend/machine.h"

namespace terrazzo::backend {

/// The instruction has the operation's operands as sources, in their order.
template <typename Op>
struct SimpleOp {
    ir::Op from;
    Op to;
};

/// Finds rows by the IR's operation.
template <const auto& kRows>
class SimpleOps {
    static constexpr auto make_index() {
        std::array<uint8_t, 256> index{};
        for (size_t n = 0; n < std::size(kRows); n++)
            index[size_t(kRows[n].from)] = uint8_t(n + 1);
        return index;
    }
    static constexpr std::array<uint8_t, 256> kIndex = make_index();

  public:
    /// Null: the operation has no row.
    static const auto* find(ir::Op op) {
        const uint8_t n = kIndex[size_t(op)];
        return n ? &kRows[n - 1] : nullptr;
    }
};

/// The reciprocal of a constant. Empty: `v` is no constant, or the reciprocal is not a normal number.
[[nodiscard]] inline std::optional<float> constant_reciprocal(const ir::Value* v) {
    if (!ir::is_const(v)) return {};
    const float inverse = 1 / ir::const_f32(v);
    if (!std::isnormal(inverse)) return {};
    return inverse;
}

/// A base of a vendor's selector `Self`, which derives from ShaderSelector (select_shader.h), too, and whose
/// friend it is. Self has
///   static constexpr SimpleOp<isa::Op> kSimple[]   operations that are one instruction
///   std::optional<Ref> int_op(const ir::Instr&), convert_op(const ir::Instr&)
///   Ref compare(const ir::Instr&)                  the value of a comparison
/// and for float_op()
///   static constexpr isa::Op kFadd, kFma, kFmul, kFloor, kRcp
///                                     x + y; x * y + z; x * y; x rounded down; 1 / x
///   Ref sin_cos(Ref x, bool cos)
///   Ref derivative(Ref x, unsigned axis, bool fine)
/// A family of operations is a method that returns the value of the operation's result. No value: the
/// operation is of another family, and nothing was emitted.
template <typename Self, typename Ref>
class FamilySelector {
  protected:
    using Family = std::optional<Ref> (Self::*)(const ir::Instr&);

    /// Selects an operation as one instruction if kSimple has it, otherwise by the first family that has it.
    /// Other operations are refused.
    void alu_op(const ir::Instr& i) {
        if (i.op == ir::Op::Const || i.op == ir::Op::Undef) return;
        if (i.result_count == 1 && self().half_op(i)) return;
        if (!has_supported_types(i)) return fail("64-bit values are not compiled yet");
        if (i.result_count == 1 && (select_one(i) || select_by_family(i))) return;
        fail("no instruction for " + std::string(i.info().text));
    }

    /// Sums, products and what is made of them.
    std::optional<Ref> float_op(const ir::Instr& i) {
        const auto a = [&] { return self().use(i.operand(0)); };
        const auto b = [&] { return self().use(i.operand(1)); };
        switch (i.op) {
            case ir::Op::FAdd:
            case ir::Op::FSub: {
                Ref out;
                const auto sum = [&](Ref x, Ref y) { out = self().float_alu(i, Self::kFadd, {x, y}); };
                const auto fused = [&](Ref x, Ref y, Ref z) {
                    out = self().float_alu(i, Self::kFma, {x, y, z});
                };
                self().add(i, sum, fused);
                return out;
            }
            case ir::Op::FFma:
                return self().float_alu(i, Self::kFma, {a(), b(), self().use(i.operand(2))});
            case ir::Op::FDiv: {
                if (ir::is_const(i.operand(0)) && ir::const_f32(i.operand(0)) == 1)
                    return self().reciprocal(i.operand(1));
                const Ref inverse = self().reciprocal(i.operand(1));
                return self().fmul(a(), inverse);
            }
            case ir::Op::FNeg:
                return negated(a());
            case ir::Op::FAbs:
                return absolute(a());
            case ir::Op::FFract: {
                const Ref x = a();
                const Ref whole = self().round_down(i, x);
                return self().float_alu(i, Self::kFadd, {x, negated(whole)});
            }
            case ir::Op::FRcp:
                return self().reciprocal(i.operand(0));
            case ir::Op::FPow: {
                const Ref x = a();
                return self().power(x, b());
            }
            case ir::Op::FSin:
            case ir::Op::FCos:
                return self().sin_cos(a(), i.op == ir::Op::FCos);
            case ir::Op::FDdx:
            case ir::Op::FDdxFine:
                return self().derivative(a(), 0, i.op == ir::Op::FDdxFine);
            case ir::Op::FDdy:
            case ir::Op::FDdyFine:
                return self().derivative(a(), 1, i.op == ir::Op::FDdyFine);
            default:
                return {};
        }
    }
    std::optional<Ref> compare_op(const ir::Instr& i) {
        Comparison c;
        if (!comparison_of(i.op, &c)) return {};
        return self().compare(i);
    }
    /// 1 / v. Divisions of a vector's components by one number share it. The hardware's reciprocal is exact
    /// enough for division, except if the result is no normal number.
    Ref reciprocal(const ir::Value* v) {
        if (const auto inverse = constant_reciprocal(v)) return self().number(*inverse);
        if (const auto* known = self().find_loaded(ir::Op::FRcp, v->id)) return Ref::word(known->first);
        const Ref r = self().alu(Self::kRcp, {self().use(v)});
        self().add_loaded(ir::Op::FRcp, v->id, r.as_word());
        return r;
    }

    // --- optional: a vendor may replace these
    /// Whether instructions compute values of the type.
    [[nodiscard]] static bool is_word_type(ir::Type t) { return ir::bit_size(t) <= 32; }
    /// An instruction on floats, of the width of the operation's result.
    template <typename Op>
    Ref float_alu(const ir::Instr&, Op op, std::initializer_list<Ref> src) {
        return self().alu(op, src);
    }
    Ref fmul(Ref x, Ref y) { return self().alu(Self::kFmul, {x, y}); }
    Ref round_down(const ir::Instr& i, Ref x) { return self().float_alu(i, Self::kFloor, {x}); }
    /// x to the power of y.
    Ref power(Ref x, Ref y) {
        const Ref log = self().log2({x});
        return self().exp2({self().fmul(log, y)});
    }
    /// Selects an operation with values of 16 bits. False: other methods select it.
    bool half_op(const ir::Instr&) { return false; }
    /// Operations on conditions.
    std::optional<Ref> truth_op(const ir::Instr&) { return {}; }
    /// Floats for which the vendor's instructions differ from the others'.
    std::optional<Ref> special_op(const ir::Instr&) { return {}; }
    /// Integers, and signs (conditional.h).
    std::optional<Ref> conditional_op(const ir::Instr&) { return {}; }
    std::optional<Ref> bit_op(const ir::Instr&) { return {}; }

  private:
    Self& self() { return static_cast<Self&>(*this); }
    void fail(const std::string& why) { self().f_.fail(std::string(Self::kName) + ": " + why); }
    [[nodiscard]] static bool has_supported_types(const ir::Instr& i) {
        for (unsigned n = 0; n < i.operand_count; n++)
            if (!Self::is_word_type(i.operand(n)->type)) return false;
        for (unsigned n = 0; n < i.result_count; n++)
            if (!Self::is_word_type(i.result(n)->type)) return false;
        return true;
    }
    bool select_one(const ir::Instr& i) {
        const auto* simple = SimpleOps<Self::kSimple>::find(i.op);
        if (simple) self().select_simple(i, simple->to);
        return simple;
    }
    bool select_by_family(const ir::Instr& i) {
        constexpr Family kFamilies[] = {&Self::truth_op,       &Self::float_op,  &Self::special_op,
                                        &Self::conditional_op, &Self::int_op,    &Self::bit_op,
                                        &Self::compare_op,     &Self::convert_op};
        for (const Family family : kFamilies)
            if (const std::optional<Ref> value = (self().*family)(i)) {
                self().set(i.result(), *value);
                return true;
            }
        return false;
    }
};

}  // namespace terrazzo::backend
