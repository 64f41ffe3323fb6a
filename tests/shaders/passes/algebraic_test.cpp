// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each row of the table, with random operands. Unmarked rules must be exact to the bit, marked ones as exact
// as their mark requires.
#include "shaders/passes/algebraic.h"

#include <array>

#include "shaders/ir/builder.h"
#include "shaders/ir/half.h"
#include "shaders/passes/algebraic_rules.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

/// Builds a pattern as a program. Letters are inputs or, on request, random constants.
class PatternBuilder {
  public:
    PatternBuilder(const CompiledRule& rule, Random& random, Type type, Type compared)
        : rule_(rule), random_(random), type_(type), compared_(compared), s_(Stage::Vertex), b_(s_) {}
    /// False if the rule does not exist for this type.
    bool make() {
        Value* v = node(0, type_);
        if (!v) return false;
        root_ = v;
        const Type t = v->type;
        if (t == Type::Bool) v = b_.convert(Op::B2F, Type::F32, v);
        if (t == Type::F16) v = b_.convert(Op::F2F, Type::F32, v);
        if (t == Type::I32) v = b_.convert(Op::Bitcast, Type::F32, v);
        b_.store_output(0, 0, v);
        return true;
    }
    Shader& shader() { return s_; }
    Value* root_ = nullptr;

  private:
    // The operand types follow from the operation; comparisons compare values of type compared_.
    Type operand_type(Op op, unsigned n, Type t) const {
        switch (op_info(op).sig) {
            case Sig::Select:
                return n == 0 ? Type::Bool : t;
            case Sig::FloatInt:
                return n == 0 ? t : Type::I32;
            case Sig::FloatCmp:
            case Sig::IntCmp:
                return compared_;
            case Sig::Int:
                if ((op == Op::IShl || op == Op::IShr || op == Op::UShr) && n == 1) return Type::I32;
                return t;
            case Sig::Convert:
                return op == Op::B2F || op == Op::B2I ? Type::Bool : t;
            case Sig::Any:
            case Sig::Same:
            case Sig::Float:
            case Sig::IntOrBool:
                break;
        }
        return t;
    }
    bool fits(Op op, Type t) const {
        switch (op_info(op).sig) {
            case Sig::Float:
            case Sig::FloatInt:
                return is_float(t);
            case Sig::Int:
                return is_int(t);
            case Sig::IntOrBool:
                return is_int(t) || t == Type::Bool;
            case Sig::FloatCmp:
                return t == Type::Bool && is_float(compared_);
            case Sig::IntCmp:
                return t == Type::Bool && is_int(compared_);
            case Sig::Convert:
                return op == Op::B2F ? is_float(t) : op == Op::B2I ? is_int(t) : false;
            case Sig::Any:
            case Sig::Same:
            case Sig::Select:
                break;
        }
        return true;
    }
    Value* input(Type t) {
        const unsigned slot = next_input_++;
        switch (t) {
            case Type::F32:
                return b_.load_input(t, slot, 0);
            case Type::F16:
                return b_.convert(Op::F2F, t, b_.load_input(Type::F32, slot, 0));
            case Type::I32:
                return b_.load_input(t, slot, 0);
            case Type::Bool:
                return b_.alu(Op::FLt, b_.load_input(Type::F32, slot, 0), b_.f32(0));
            case Type::Void:
            case Type::I16:
            case Type::I64:
                break;
        }
        return nullptr;
    }
    Value* node(unsigned n, Type t) {
        const RuleNode& r = rule_.pattern[n];
        if (r.kind == RuleNode::Kind::Number) {
            if (t == Type::Bool) return b_.boolean(r.number != 0);
            return is_float(t) ? b_.fconst(t, r.number) : b_.constant(t, uint64_t(int64_t(r.number)));
        }
        if (r.kind == RuleNode::Kind::Variable) {
            Value*& v = variables_[r.variable];
            if (v) return v->type == t ? v : nullptr;
            if (r.ask == RuleNode::Ask::PowerOfTwo) {
                const int e = int(random_.below(10)) + (is_int(t) ? 1 : -5);
                return v = is_float(t) ? b_.fconst(t, std::ldexp(1.0, e)) : b_.i32(1 << e);
            }
            if (r.ask == RuleNode::Ask::Const)
                return v = is_float(t) ? b_.fconst(t, double(random_.below(100)) / 8)
                                       : b_.i32(int(random_.bits()));
            return v = input(t);
        }
        if (!fits(r.op, t)) return nullptr;
        Value* operands[4];
        for (unsigned c = 0; c < r.child_count; c++)
            if (!(operands[c] = node(r.children[c], operand_type(r.op, c, t)))) return nullptr;
        const std::span<Value* const> list(operands, r.child_count);
        return op_info(r.op).sig == Sig::Convert ? b_.convert(r.op, t, list) : b_.alu(r.op, list);
    }

    const CompiledRule& rule_;
    Random& random_;
    const Type type_, compared_;
    Shader s_;
    Builder b_;
    std::array<Value*, 26> variables_{};
    unsigned next_input_ = 0;
};

std::vector<uint32_t> run_on(const Shader& s, Random random) {
    static constexpr float kSpecial[] = {0.0f,  -0.0f, 1.0f,     -1.0f,     0.5f, 1e-40f,
                                         -3.5f, 1e30f, INFINITY, -INFINITY, NAN};
    const auto program = InterpProgram::create(s, 64);
    InterpState state(*program);
    TestEnv env(64);
    for (unsigned slot = 0; slot < 6; slot++) {
        auto& row = env.inputs[slot * 4];
        for (unsigned i = 0; i < 64; i++) {
            const uint32_t word = uint32_t(random.bits());
            const float special = kSpecial[random.below(std::size(kSpecial))];
            row.push_back(i % 2 ? std::bit_cast<uint32_t>(special) : i % 4 ? word : word % 9);
        }
    }
    CHECK(run(*program, state, env, ~0ull, 0) == InterpStatus::Done);
    return env.outputs[0];
}

}  // namespace

TEST_CASE("each rule of the table is correct") {
    Random random(99);
    unsigned tried = 0;
    for (unsigned op = 0; op < unsigned(Op::Count_); op++) {
        for (const CompiledRule& rule : rules_for(Op(op))) {
            unsigned types = 0;
            for (Type t : {Type::F32, Type::F16, Type::I32, Type::Bool}) {
                if (rule.rule->type == RuleType::Float && !is_float(t)) continue;
                if (rule.rule->type == RuleType::Int && !is_int(t)) continue;
                if (rule.rule->type == RuleType::Bool && t != Type::Bool) continue;
                CAPTURE(std::string(rule.rule->pattern));
                CAPTURE(int(t));
                for (unsigned k = 0; k < 12; k++) {
                    PatternBuilder p(rule, random, t, std::array{Type::F32, Type::F16, Type::I32}[k % 3]);
                    if (!p.make()) continue;
                    types++;
                    REQUIRE(validate(p.shader()) == "");
                    const auto before = run_on(p.shader(), random);
                    const std::string text = print(p.shader());
                    AlgebraicOptions all;
                    all.form_rcp = all.form_ffma = true;
                    REQUIRE(algebraic(p.shader(), all));
                    REQUIRE(validate(p.shader()) == "");
                    const auto after = run_on(p.shader(), random);
                    CAPTURE(text);
                    CAPTURE(print(p.shader()));
                    for (unsigned i = 0; i < 64; i++) {
                        const float a = f(before[i]), b = f(after[i]);
                        if (same_word(before[i], after[i])) continue;
                        switch (rule.rule->mark) {
                            case RuleMark::None:
                            case RuleMark::Rcp:
                                FAIL("lane " << i << ": " << a << " became " << b);
                                break;
                            case RuleMark::ZeroSign:
                                REQUIRE(a == b);
                                break;
                            case RuleMark::NoNan:
                                REQUIRE((std::isnan(a) || a == b));
                                break;
                            case RuleMark::Ffma:
                                // There is one rounding less. If products cancel or overflow, the results may
                                // differ by much.
                                break;
                            case RuleMark::Relaxed:
                                if (std::isfinite(a) && std::isfinite(b) && t == Type::F32 &&
                                    std::fabs(a) > 1e-30f && std::fabs(a) < 1e30f)
                                    REQUIRE(std::fabs(a - b) <= 1e-5 * std::fabs(a));
                                break;
                        }
                    }
                    tried++;
                }
            }
            CHECK_MESSAGE(types > 0, "no type fits rule " << rule.rule->pattern);
        }
    }
    CHECK(tried > 400);
}

TEST_CASE("exact instructions take part in exact rules only, options enable the marked ones") {
    const auto one = [](std::string_view op, AlgebraicOptions o = {}) {
        const auto s = shader_of(
            "vertex {\n %0: f32 = load_input 0.x\n %1: f32 = const 0.0\n %2: f32 = const 2.0\n %3: f32 = " +
            std::string(op) + "\n store_output 0.x, %3\n}");
        return algebraic(*s, o);
    };
    CHECK(one("fadd %0, %1"));
    CHECK(!one("fadd.exact %0, %1"));
    CHECK(!one("fadd %0, %1", {.zero_sign = false}));
    CHECK(one("fsub.exact %0, %1"));
    CHECK(one("fpow %0, %2"));
    CHECK(!one("fpow %0, %2", {.relaxed = false}));
    CHECK(!one("fpow.exact %0, %2"));
    CHECK(one("fmul %0, %1"));
    CHECK(!one("fmul %0, %1", {.no_nan = false}));  // 0 * NaN, 0 * infinity
    CHECK(!one("fmul.exact %0, %1"));
    CHECK(!one("fmul %0, %2"));
}

TEST_CASE("conversions that cancel each other") {
    const auto s = shader_of(R"(vertex {
  %0: f32 = load_input 0.x
  %1: f16 = f2f %0
  %2: f32 = f2f %1
  %3: f16 = f2f %2
  %4: f32 = f2f %3
  store_output 0.x, %4
})");
    CHECK(algebraic(*s));
    CHECK(print(*s) == R"(vertex {
  %0: f32 = load_input 0.x
  %1: f16 = f2f %0
  %2: f32 = f2f %1
  %4: f32 = f2f %1
  store_output 0.x, %4
}
)");
}
