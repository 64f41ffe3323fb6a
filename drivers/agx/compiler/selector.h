// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of instruction selection. Internal to select*.cpp.
#pragma once

#include <initializer_list>
#include <optional>

#include "drivers/agx/compiler/compile.h"
#include "drivers/agx/compiler/emitters.h"
#include "drivers/common/backend/conditional.h"
#include "drivers/common/backend/select_shader.h"

namespace terrazzo::agx::compiler {

struct Selection {
    const Options* options = nullptr;
    const BlendTarget* blend = nullptr;  // the shader is a blend piece
};

/// From the IR to instructions on words. Structured control flow becomes branches and changes of the
/// execution mask, phis become moves into words that have several definitions.
class Selector : private backend::ShaderSelector<Selector, Function, Ref, Info, Selection>,
                 private backend::ConditionalSelector<Selector, Ref>,
                 private Emitters<Selector> {
    friend ShaderSelector;
    friend FamilySelector;
    friend ConditionalSelector;
    friend BranchRegions;
    friend Regions;
    friend Emit;
    friend Emitters;

  public:
    using ShaderSelector::ShaderSelector;
    void run();
    void run_store();
    void run_fetch(std::span<const Attribute> attributes, const uint8_t* components);

  private:
    static constexpr const char* kName = "agx";

    // --- emission (select.cpp)
    void legalize(Inst& i);
    void move_to(Word word, Ref r);
    /// Appends an instruction that is not arithmetic; `count`: new words that it writes. Returns the first
    /// one.
    Word emit(const isa::Instr& proto, std::initializer_list<Ref> src, unsigned count = 0);
    Ref to_half(const Ref& r);
    Ref special(isa::SpecialRegister r);
    /// The low half of a word as the instruction's 16-bit register, in a register.
    Ref half_register(const Ref& r) { return Ref::word(in_word(r)).half(); }

    // --- control flow (select_flow.cpp)
    static bool takes_comparison(const ir::Use& use);
    Ref passed(const ir::Value* v);
    Branch branch_unless(const ir::Value* condition);
    Branch jump();
    void begin_else(bool falls);
    void end_if();
    void begin_loop();
    void end_loop();
    void break_loop(unsigned ifs);
    void continue_loop(unsigned ifs);
    void fence(isa::Instr proto, std::initializer_list<Ref> src);
    void leave(unsigned levels);
    void discard(const ir::Instr& i);

    // --- arithmetic: what backend::FamilySelector and ConditionalSelector need (select_alu.cpp,
    // select_math.cpp)
    static constexpr backend::SimpleOp<isa::Op> kSimple[] = {
        {ir::Op::FFloor, isa::Op::kFloor},      {ir::Op::FCeil, isa::Op::kCeil},
        {ir::Op::FTrunc, isa::Op::kTrunc},      {ir::Op::FRound, isa::Op::kRint},
        {ir::Op::FRsq, isa::Op::kRsqrt},        {ir::Op::FExp2, isa::Op::kExp2},
        {ir::Op::FLog2, isa::Op::kLog2},        {ir::Op::FMul, isa::Op::kFmul32},
        {ir::Op::IAdd, isa::Op::kIadd},         {ir::Op::ISub, isa::Op::kIsub},
        {ir::Op::BitCount, isa::Op::kPopcount}, {ir::Op::BitReverse, isa::Op::kBitrev},
        {ir::Op::UFindMsb, isa::Op::kFfs}};
    static constexpr auto kFadd = isa::Op::kFadd32, kFma = isa::Op::kFmadd32, kFmul = isa::Op::kFmul32,
                          kFloor = isa::Op::kFloor, kRcp = isa::Op::kRcp, kIadd = isa::Op::kIadd,
                          kIsub = isa::Op::kIsub;
    static constexpr auto kXor = isa::TruthTable::kXor;
    static constexpr backend::SimpleOp<isa::TruthTable> kLogic[] = {{ir::Op::IAnd, isa::TruthTable::kAnd},
                                                                    {ir::Op::IOr, isa::TruthTable::kOr},
                                                                    {ir::Op::IXor, isa::TruthTable::kXor}};
    static constexpr uint32_t kLessThanOne = 0x3f7ffffa;  // by more than the sum of all rounding errors
    std::optional<Ref> special_op(const ir::Instr& i);
    std::optional<Ref> int_op(const ir::Instr& i);
    std::optional<Ref> convert_op(const ir::Instr& i);
    Ref derivative(Ref x, unsigned axis, bool fine);
    Ref compare(const ir::Instr& i);
    Ref select(const backend::Comparison& c, const Sources<4>& of);
    static constexpr auto kUp = isa::Round::kEven, kDown = isa::Round::kZero;
    Ref to_float(Ref x, isa::Round round) { return convert({x}, isa::Conversion::kU32ToF, round); }
    Ref to_unsigned(Ref x) { return convert({x}, isa::Conversion::kFToU32, isa::Round::kZero); }
    Ref rest(Ref x, Ref q, Ref d) { return isub({zero(), imsub({q, d, x})}); }  // imsub: q * d - x
    Quotient corrected(Ref q1, Ref q2, Ref r, Ref d);
    Ref logic(isa::TruthTable how, Ref a, Ref b) { return bitop({a, b}, how); }
    /// Selections do not have the inverted conditions.
    static constexpr unsigned kInverted = 8;
    Ref icsel(isa::IntCondition c, Ref a, Ref b, Ref yes, Ref no) {
        const auto k = unsigned(c);
        if (k & kInverted) return icmpsel({a, b, no, yes}, isa::IntCondition(k & ~kInverted));
        return icmpsel({a, b, yes, no}, c);
    }
    Ref fcsel(isa::FloatCondition c, Ref a, Ref b, Ref yes, Ref no) {
        const auto k = unsigned(c);
        if (k & kInverted) return fcmpsel({a, b, no, yes}, isa::FloatCondition(k & ~kInverted));
        return fcmpsel({a, b, yes, no}, c);
    }
    Ref shift(ir::Op op, Ref a, Ref count);
    Ref sin_cos(Ref x, bool cos);
    Ref ldexp(Ref x, Ref n);
    Ref multiply_high(Ref a, Ref b, bool is_signed);

    // --- interface (select_io.cpp)
    void reserve_addresses();
    void load_uniform(const ir::Instr& i);
    void load_input(const ir::Instr& i);
    void load_varying(const ir::Instr& i);
    void load_sysval(const ir::Instr& i);
    void store_output(const ir::Instr& i);
    void local_variable(const ir::Instr& i);
    void finish_vertex();
    void finish_fragment();
    void finish_blend();
    void keep(std::span<const Ref> runs);
    void wait_pixel(unsigned mask);
    void wait_for_tile();
    Ref load_color(unsigned target, unsigned component);
    Ref frag_coord(unsigned component);
    Ref sysval(Sysval s);
    Ref fixed(unsigned reg) { return Ref::word(register_word(reg)); }
    Word interpolate(const CoefficientGroup& group);
    unsigned coefficient(CoefficientGroup group);
    void load_buffer(const ir::Instr& i);

    // --- textures (select_tex.cpp)
    void texture(const ir::Instr& i);

    const BlendTarget* const blend_ = options_.blend;
    bool waited_ = false;  // for earlier pixels' stores to the tilebuffer
};

/// The conditions of comparisons, by backend::Relation.
inline constexpr isa::FloatCondition kFloatConditions[] = {
    isa::FloatCondition::kEq, isa::FloatCondition::kNeq, isa::FloatCondition::kLt, isa::FloatCondition::kGte,
    isa::FloatCondition::kGt};
inline constexpr isa::IntCondition kSignedConditions[] = {isa::IntCondition::kUeq, isa::IntCondition::kNueq,
                                                          isa::IntCondition::kSlt, isa::IntCondition::kSgte,
                                                          isa::IntCondition::kSgt};
inline constexpr isa::IntCondition kUnsignedConditions[] = {isa::IntCondition::kUeq, isa::IntCondition::kNueq,
                                                            isa::IntCondition::kUlt, isa::IntCondition::kUgte,
                                                            isa::IntCondition::kUgt};
/// Of integers, `numbers` is not Float.
[[nodiscard]] inline isa::IntCondition int_condition(const backend::Comparison& c) {
    const auto& row = c.numbers == backend::Numbers::Signed ? kSignedConditions : kUnsignedConditions;
    return row[size_t(c.relation)];
}
[[nodiscard]] inline isa::FloatCondition float_condition(const backend::Comparison& c) {
    return kFloatConditions[size_t(c.relation)];
}

}  // namespace terrazzo::agx::compiler
