// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow. r0l counts the levels after which a thread executes again. An if adds a level; a loop adds
// two, of which the outer one is left by break, the inner one by continue. Facts: Mesa 25.0.7, agx_compile.c.
#include "drivers/agx/compiler/selector.h"
#include "drivers/common/backend/comparison.h"

namespace terrazzo::agx::compiler {

using isa::FloatCondition;
using isa::IntCondition;
using isa::Op;

namespace {
constexpr unsigned kLoopLevels = 2, kContinued = 1, kBroke = 2;
}

void Selector::give(ir::Value* const* to, const ir::Instr& from) {
    std::pmr::vector<Given> all(f_.memory);
    for (unsigned k = 0; k < from.operand_count; k++) {
        Ref value = use(from.operand(k));
        if (is_word(value) && !value.high && !value.sign && !value.neg && !value.abs)
            value = Ref::word(value.as_word());  // the whole word
        all.push_back({word_of(to[k]), value});
    }
    move_together(
        all, [&](Word word, const Given& g) { move_to(word, g.value); },
        [&](const Given&) { return Ref::word(new_words(1)); });
}

void Selector::fence(isa::Instr proto, std::initializer_list<Ref> src) {
    Inst i;
    i.proto = proto;
    i.flow = Flow::Fence;
    std::copy(src.begin(), src.end(), i.src.begin());
    push(i);
}

Selector::Branch Selector::pseudo_jump() {
    Inst i;
    i.proto = isa::make(Op::kJmpExecAny);
    i.flow = Flow::Jump;
    i.always = true;
    push(i);
    return last();
}

/// ShaderSelector's branches are not used: all are below.
std::pair<isa::Instr, Ref> Selector::branch(const ir::Value*) {
    f_.fail("agx: a branch without a mask");
    return {isa::make(Op::kJmpExecAny), {}};
}

void Selector::begin_if(const ir::Instr& i) {
    const ir::Value* const c = i.operand(0);
    // By backend::Relation.
    constexpr FloatCondition kFloat[] = {FloatCondition::kEq, FloatCondition::kNeq, FloatCondition::kLt,
                                         FloatCondition::kGte};
    constexpr IntCondition kSigned[] = {IntCondition::kUeq, IntCondition::kNueq, IntCondition::kSlt,
                                        IntCondition::kSgte};
    constexpr IntCondition kUnsigned[] = {IntCondition::kUeq, IntCondition::kNueq, IntCondition::kUlt,
                                          IntCondition::kUgte};
    Inst b;
    b.flow = Flow::If;
    backend::Comparison how;
    if (deferred_[c->id] && backend::comparison_of(c->def->op, &how)) {
        const bool floats = how.numbers == backend::Numbers::Float;
        b.proto = isa::make(floats ? Op::kIfFcmp : Op::kIfIcmp);
        const auto relation = size_t(how.relation);
        if (floats)
            b.proto.set_float_condition(kFloat[relation]);
        else
            b.proto.set_int_condition(how.numbers == backend::Numbers::Signed ? kSigned[relation]
                                                                              : kUnsigned[relation]);
        b.src[0] = use(c->def->operand(0));
        b.src[1] = use(c->def->operand(1));
    } else {
        b.proto = isa::make(Op::kIfIcmp).set_int_condition(IntCondition::kNueq);
        b.src[0] = use(c);
        b.src[1] = Ref::number(0);
    }
    b.src[2] = Ref::number(1);
    push(b);
    ifs_.push_back({.over = last()});
    begin_block();
}

void Selector::begin_else(bool falls) {
    OpenIf& open = ifs_.back();
    if (falls) open.out = pseudo_jump();
    open.has_out = falls;
    open.has_else = true;
    aim(open.over, begin_block());
    fence(isa::make(Op::kElseIcmp).set_int_condition(IntCondition::kUeq),
          {Ref::number(0), Ref::number(0), Ref::number(1)});
}

void Selector::end_if() {
    const OpenIf open = ifs_.back();
    ifs_.pop_back();
    const int32_t end = begin_block();
    if (!open.has_else) aim(open.over, end);
    if (open.has_out) aim(open.out, end);
    fence(isa::make(Op::kPopExec), {Ref::number(1)});
}

void Selector::begin_loop() {
    // Threads that do not execute get two levels more; the others none.
    fence(isa::make(Op::kIfIcmp).set_int_condition(IntCondition::kUeq),
          {Ref::number(0), Ref::number(0), Ref::number(kLoopLevels)});
    open_loops_.push_back({begin_block(), std::pmr::vector<Branch>(f_.memory)});
}

void Selector::leave(unsigned levels) {
    isa::Instr set = isa::make(Op::kMovImm16);
    set.dest = isa::Operand::reg(2 * kMaskRegister, 16);
    fence(set, {Ref::number(levels)});
    fence(isa::make(Op::kPopExec), {Ref::number(0)});
}
void Selector::break_loop(unsigned ifs) {
    leave(ifs + kBroke);
    open_loops_.back().exits.push_back(pseudo_jump());
}
void Selector::continue_loop(unsigned ifs) {
    leave(ifs + kContinued);
    aim(pseudo_jump(), open_loops_.back().head);
}

/// Threads that continued execute again, as long as there are any.
void Selector::end_loop() {
    const OpenLoop open = open_loops_.back();
    open_loops_.pop_back();
    const int32_t end = begin_block();
    for (const Branch& b : open.exits)
        aim(b, end);
    fence(isa::make(Op::kWhileIcmp).set_int_condition(IntCondition::kUeq),
          {Ref::number(0), Ref::number(0), Ref::number(kLoopLevels)});
    Inst again;
    again.proto = isa::make(Op::kJmpExecAny);
    again.flow = Flow::Loop;
    again.head = open.head;
    push(again);
    fence(isa::make(Op::kPopExec), {Ref::number(kLoopLevels)});
}

/// Kills the samples of the pixel; the thread goes on.
void Selector::discard(const ir::Instr& i) {
    if (s_.info.writes_memory) return f_.fail("agx: stores in shaders that discard are not compiled yet");
    info_.discards = info_.runs_tests = true;
    const Ref killed = choose(i.operand(0), Ref::immediate(255), Ref::immediate(0));
    emit(isa::make(Op::kSampleMask), {half_register(killed), Ref::number(0)});
}

}  // namespace terrazzo::agx::compiler
