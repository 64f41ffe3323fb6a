// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The table (algebraic_rules.h has its language, algebraic.h says what the marks mean), and its compilation
// into nodes.
#include "shaders/passes/algebraic_rules.h"

#include <array>
#include <cassert>
#include <charconv>

namespace terrazzo::ir {

namespace {

using enum RuleMark;
constexpr RuleType F = RuleType::Float, I = RuleType::Int, B = RuleType::Bool, A = RuleType::Any;

constexpr Rule kRules[] = {
    // --- float
    {"(fmul a 1)", "a"},
    {"(fmul a -1)", "(fneg a)"},
    {"(fmul a 0)", "0", NoNan},
    {"(fmul a -0.0)", "0", NoNan},
    {"(fmul (fneg a) (fneg b))", "(fmul a b)"},
    {"(fmul (fneg a) #b)", "(fmul a (fneg #b))"},
    {"(fdiv a 1)", "a"},
    {"(fdiv a p2:b)", "(fmul a rcp:b)"},
    {"(fdiv (fneg a) (fneg b))", "(fdiv a b)"},
    {"(fadd a -0.0)", "a"},
    {"(fadd a 0)", "a", ZeroSign},
    {"(fsub a 0)", "a"},
    {"(fsub a a)", "0", NoNan},
    {"(fsub -0.0 a)", "(fneg a)"},
    {"(fsub 0 a)", "(fneg a)", ZeroSign},
    {"(fadd a (fneg b))", "(fsub a b)"},
    {"(fsub a (fneg b))", "(fadd a b)"},
    {"(fneg (fneg a))", "a"},
    {"(fneg (fsub a b))", "(fsub b a)", ZeroSign},
    {"(fabs (fneg a))", "(fabs a)"},
    {"(fabs (fabs a))", "(fabs a)"},
    {"(fmul (fabs a) (fabs a))", "(fmul a a)"},
    {"(fmin a a)", "a"},
    {"(fmax a a)", "a"},
    {"(fsat (fsat a))", "(fsat a)"},
    {"(fmin (fmax a 0) 1)", "(fsat a)", ZeroSign},
    {"(fmin 1 (fmax a 0))", "(fsat a)", ZeroSign},
    {"(fsat (b2f a))", "(b2f a)"},
    {"(fmul 1u:(b2f a) 1u:(b2f b))", "(b2f (iand a b))"},
    {"(fmin 1u:(b2f a) 1u:(b2f b))", "(b2f (iand a b))"},
    {"(fmax 1u:(b2f a) 1u:(b2f b))", "(b2f (ior a b))"},
    {"(ffloor (ffloor a))", "(ffloor a)"},
    {"(ffloor (ftrunc a))", "(ftrunc a)"},
    {"(fsub a (ffloor a))", "(ffract a)"},
    {"(ffma a 1 b)", "(fadd a b)"},
    {"(ffma a b -0.0)", "(fmul a b)"},
    {"(fldexp a 0)", "a"},
    {"(fpow a 1)", "a", Relaxed},
    {"(fpow a 2)", "(fmul a a)", Relaxed},
    {"(fpow a 3)", "(fmul (fmul a a) a)", Relaxed},
    {"(fpow a 4)", "(fmul (fmul a a) (fmul a a))", Relaxed},
    {"(fpow a 0.5)", "(fsqrt a)", Relaxed},
    {"(fpow a -1)", "(fdiv 1 a)", Relaxed},
    {"(fpow a 0)", "1"},
    {"(fexp2 (flog2 a))", "a", Relaxed},
    {"(flog2 (fexp2 a))", "a", Relaxed},
    {"(fdiv 1 (fsqrt a))", "(frsq a)", Rcp},
    {"(frcp (fsqrt a))", "(frsq a)", Rcp},
    {"(fdiv 1 a)", "(frcp a)", Rcp},
    {"(fadd 1u:(fmul a b) c)", "(ffma a b c)", Ffma},
    {"(fsub 1u:(fmul a b) c)", "(ffma a b (fneg c))", Ffma},
    {"(fsub c 1u:(fmul a b))", "(ffma (fneg a) b c)", Ffma},
    // --- integer
    {"(iadd a 0)", "a"},
    {"(iadd (iadd a #b) #c)", "(iadd a (iadd #b #c))"},
    {"(iadd a (ineg b))", "(isub a b)"},
    {"(iadd (inot a) 1)", "(ineg a)"},
    {"(isub a 0)", "a"},
    {"(isub 0 a)", "(ineg a)"},
    {"(isub a a)", "0"},
    {"(isub a (ineg b))", "(iadd a b)"},
    {"(isub a #b)", "(iadd a (ineg #b))"},
    {"(isub (iadd a b) b)", "a"},
    {"(iadd (isub a b) b)", "a"},
    {"(imul a 0)", "0"},
    {"(imul a 1)", "a"},
    {"(imul a -1)", "(ineg a)"},
    {"(imul (imul a #b) #c)", "(imul a (imul #b #c))"},
    {"(imul a p2:b)", "(ishl a log2:b)"},
    {"(idiv a 1)", "a"},
    {"(udiv a 1)", "a"},
    {"(udiv a p2:b)", "(ushr a log2:b)"},
    {"(umod a 1)", "0"},
    {"(umod a p2:b)", "(iand a less1:b)"},
    {"(imod a 1)", "0"},
    {"(imod a p2:b)", "(iand a less1:b)"},
    {"(ieq (irem a p2:b) 0)", "(ieq (iand a less1:b) 0)"},
    {"(ine (irem a p2:b) 0)", "(ine (iand a less1:b) 0)"},
    {"(ineg (ineg a))", "a"},
    {"(ineg (isub a b))", "(isub b a)"},
    {"(iabs (ineg a))", "(iabs a)"},
    {"(imin a a)", "a"},
    {"(imax a a)", "a"},
    {"(umin a a)", "a"},
    {"(umax a a)", "a"},
    {"(umin a 0)", "0"},
    {"(umax a 0)", "a"},
    {"(ishl a 0)", "a"},
    {"(ishr a 0)", "a"},
    {"(ushr a 0)", "a"},
    // --- bits, bool
    {"(iand a a)", "a"},
    {"(iand a 0)", "0"},
    {"(iand a -1)", "a"},
    {"(ior a a)", "a"},
    {"(ior a 0)", "a"},
    {"(ior a -1)", "-1"},
    {"(ixor a a)", "0"},
    {"(ixor a 0)", "a"},
    {"(ixor a -1)", "(inot a)"},
    {"(inot (inot a))", "a"},
    {"(iand a (inot a))", "0"},
    {"(ior a (inot a))", "-1"},
    {"(iand a (iand a b))", "(iand a b)"},
    {"(ior a (ior a b))", "(ior a b)"},
    {"(iand a (ior a b))", "a"},
    {"(ior a (iand a b))", "a"},
    // --- comparisons. Orderings of floats have no inverse: both are false for NaN.
    {"(inot (feq a b))", "(fne a b)"},
    {"(inot (fne a b))", "(feq a b)"},
    {"(inot (ieq a b))", "(ine a b)"},
    {"(inot (ine a b))", "(ieq a b)"},
    {"(inot (ilt a b))", "(ige a b)"},
    {"(inot (ige a b))", "(ilt a b)"},
    {"(inot (ult a b))", "(uge a b)"},
    {"(inot (uge a b))", "(ult a b)"},
    {"(ieq a a)", "-1"},
    {"(ine a a)", "0"},
    {"(ilt a a)", "0"},
    {"(ige a a)", "-1"},
    {"(ult a a)", "0"},
    {"(uge a a)", "-1"},
    {"(ult a 0)", "0"},
    {"(uge a 0)", "-1"},
    {"(flt a a)", "0"},
    {"(feq (fneg a) (fneg b))", "(feq a b)"},
    {"(flt (fneg a) (fneg b))", "(flt b a)"},
    {"(fne (b2f a) 0)", "a"},
    {"(feq (b2f a) 0)", "(inot a)"},
    {"(feq (b2f a) 1)", "a"},
    {"(fne (b2f a) 1)", "(inot a)"},
    {"(flt 0 (b2f a))", "a"},
    {"(fge (b2f a) 1)", "a"},
    {"(flt (b2f a) 1)", "(inot a)"},
    {"(ine (b2i a) 0)", "a"},
    {"(ieq (b2i a) 0)", "(inot a)"},
    {"(ieq (b2i a) 1)", "a"},
    {"(ine (b2i a) 1)", "(inot a)"},
    {"(ilt 0 (b2i a))", "a"},
    // --- select
    {"(select c a a)", "a"},
    {"(select -1 a b)", "a"},
    {"(select 0 a b)", "b"},
    {"(select (inot c) a b)", "(select c b a)"},
    {"(select c (select c a b) d)", "(select c a d)"},
    {"(select c a (select c b d))", "(select c a d)"},
    {"(select c -1 0)", "c", None, B},
    {"(select c 0 -1)", "(inot c)", None, B},
    {"(select c a 0)", "(iand c a)", None, B},
    {"(select c -1 b)", "(ior c b)", None, B},
    {"(select c 0 b)", "(iand (inot c) b)", None, B},
    {"(select c a -1)", "(ior (inot c) a)", None, B},
    {"(select c 1 0)", "(b2f c)", None, F},
    {"(select c 0 1)", "(b2f (inot c))", None, F},
    {"(select c 1 0)", "(b2i c)", None, I},
    {"(select c 0 1)", "(b2i (inot c))", None, I},
    {"(mov a)", "a", None, A},
};

class Compiler {
  public:
    Compiler(std::string_view text, std::vector<RuleNode>& nodes) : text_(text), nodes_(nodes) { node(); }

  private:
    void blanks() {
        while (!text_.empty() && text_[0] == ' ')
            text_.remove_prefix(1);
    }
    std::string_view word() {
        blanks();
        size_t n = 0;
        while (n < text_.size() && text_[n] != ' ' && text_[n] != ')')
            n++;
        const std::string_view w = text_.substr(0, n);
        text_.remove_prefix(n);
        return w;
    }
    bool accept(std::string_view prefix) {
        if (!text_.starts_with(prefix)) return false;
        text_.remove_prefix(prefix.size());
        return true;
    }
    uint8_t node();

    std::string_view text_;
    std::vector<RuleNode>& nodes_;
};

uint8_t Compiler::node() {
    using Ask = RuleNode::Ask;
    static constexpr std::pair<std::string_view, Ask> kAsks[] = {
        {"#", Ask::Const},    {"p2:", Ask::PowerOfTwo}, {"1u:", Ask::OneUse},
        {"log2:", Ask::Log2}, {"less1:", Ask::Less1},   {"rcp:", Ask::Rcp}};
    blanks();
    const uint8_t at = uint8_t(nodes_.size());
    nodes_.emplace_back();
    RuleNode n;
    for (auto [prefix, ask] : kAsks)
        if (accept(prefix)) n.ask = ask;
    if (accept("(")) {
        n.kind = RuleNode::Kind::Op;
        const std::string_view name = word();
        unsigned op = 0;
        while (op < unsigned(Op::Count_) && op_info(Op(op)).text != name)
            op++;
        assert(op < unsigned(Op::Count_) && "the table names an operation that does not exist");
        n.op = Op(op);
        for (blanks(); !accept(")"); blanks())
            n.children[n.child_count++] = node();
    } else {
        const std::string_view w = word();
        if (w.size() == 1 && w[0] >= 'a' && w[0] <= 'z') {
            n.kind = RuleNode::Kind::Variable;
            n.variable = uint8_t(w[0] - 'a');
        } else {
            [[maybe_unused]] const auto r = std::from_chars(w.data(), w.data() + w.size(), n.number);
            assert(r.ptr == w.data() + w.size() && "the table has a number that is none");
        }
    }
    nodes_[at] = n;
    return at;
}

uint64_t operand_ops(const std::vector<RuleNode>& pattern) {
    uint64_t ops = 0;
    for (unsigned c = 0; c < pattern[0].child_count; c++) {
        const RuleNode& n = pattern[pattern[0].children[c]];
        if (n.kind == RuleNode::Kind::Op) ops |= op_bit(n.op);
        if (n.kind == RuleNode::Kind::Number || n.ask == RuleNode::Ask::Const ||
            n.ask == RuleNode::Ask::PowerOfTwo)
            ops |= op_bit(Op::Const);
    }
    return ops;
}

using RuleIndex = std::array<std::vector<CompiledRule>, size_t(Op::Count_)>;

RuleIndex compile_rules() {
    RuleIndex index;
    for (const Rule& r : kRules) {
        CompiledRule c{&r, {}, {}};
        Compiler(r.pattern, c.pattern);
        Compiler(r.replacement, c.replacement);
        c.operand_ops = operand_ops(c.pattern);
        index[size_t(c.pattern[0].op)].push_back(std::move(c));
    }
    return index;
}

}  // namespace

std::span<const Rule> algebraic_rules() {
    return kRules;
}

const std::vector<CompiledRule>& rules_for(Op op) {
    // Never destroyed: a program may compile shaders while it ends.
    static const RuleIndex* const kIndex = new RuleIndex(compile_rules());
    return (*kIndex)[size_t(op)];
}

}  // namespace terrazzo::ir
