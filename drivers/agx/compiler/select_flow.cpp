// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow. r0l counts the levels after which a thread executes again. An if adds a level; a loop adds
// two, of which the outer one is left by break, the inner one by continue. Facts: Mesa 25.0.7, agx_compile.c.
#include "drivers/agx/compiler/selector.h"
#include "drivers/common/backend/comparison.h"

namespace terrazzo::agx::compiler {

using isa::IntCondition;
using isa::Op;

namespace {
constexpr unsigned kLoopLevels = 2, kContinued = 1, kBroke = 2;
}

bool Selector::takes_comparison(const ir::Use& use) {
    const ir::Instr& user = *use.user;
    return Regions::takes_comparison(use) || user.op == ir::Op::B2F ||
           (user.op == ir::Op::Select && &use == &user.operands[0]);
}

/// Words are passed whole, so that the moves between them can be removed.
Ref Selector::passed(const ir::Value* v) {
    const Ref r = use(v);
    return r.is_whole() ? Ref::word(r.as_word()) : r;
}

void Selector::fence(isa::Instr proto, std::initializer_list<Ref> src) {
    Inst i;
    i.proto = proto;
    i.flow = Flow::Fence;
    std::copy(src.begin(), src.end(), i.src.begin());
    push(i);
}

/// Of all threads: the instruction before it has changed the mask.
Selector::Branch Selector::jump() {
    Inst i;
    i.proto = isa::make(Op::kJmpExecAny);
    i.flow = Flow::Jump;
    i.always = true;
    push(i);
    return last();
}

/// The if, which is a branch of the threads in which the condition is false.
Selector::Branch Selector::branch_unless(const ir::Value* condition) {
    Inst b;
    b.flow = Flow::If;
    backend::Comparison how;
    if (deferred_[condition->id] && backend::comparison_of(condition->def->op, &how)) {
        const bool floats = how.numbers == backend::Numbers::Float;
        b.proto = isa::make(floats ? Op::kIfFcmp : Op::kIfIcmp);
        if (floats)
            b.proto.set_float_condition(float_condition(how));
        else
            b.proto.set_int_condition(int_condition(how));
        b.src[0] = use(condition->def->operand(0));
        b.src[1] = use(condition->def->operand(1));
    } else {
        b.proto = isa::make(Op::kIfIcmp).set_int_condition(IntCondition::kNueq);
        b.src[0] = use(condition);
        b.src[1] = Ref::number(0);
    }
    b.src[2] = Ref::number(1);
    push(b);
    return last();
}

void Selector::begin_else(bool falls) {
    Branches::begin_else(falls);
    fence(isa::make(Op::kElseIcmp).set_int_condition(IntCondition::kUeq),
          {Ref::number(0), Ref::number(0), Ref::number(1)});
}

void Selector::end_if() {
    Branches::end_if();
    fence(isa::make(Op::kPopExec), {Ref::number(1)});
}

void Selector::begin_loop() {
    // Threads that do not execute get two levels more; the others none.
    fence(isa::make(Op::kIfIcmp).set_int_condition(IntCondition::kUeq),
          {Ref::number(0), Ref::number(0), Ref::number(kLoopLevels)});
    Branches::begin_loop();
}

void Selector::leave(unsigned levels) {
    isa::Instr set = isa::make(Op::kMovImm16);
    set.dest = isa::Operand::reg(2 * kMaskRegister, 16);
    fence(set, {Ref::number(levels)});
    fence(isa::make(Op::kPopExec), {Ref::number(0)});
}
void Selector::break_loop(unsigned ifs) {
    leave(ifs + kBroke);
    Branches::break_loop(ifs);
}
void Selector::continue_loop(unsigned ifs) {
    leave(ifs + kContinued);
    Branches::continue_loop(ifs);
}

/// Threads that continued execute again, as long as there are any.
void Selector::end_loop() {
    const int32_t head = loop_head();
    Branches::end_loop();
    fence(isa::make(Op::kWhileIcmp).set_int_condition(IntCondition::kUeq),
          {Ref::number(0), Ref::number(0), Ref::number(kLoopLevels)});
    Inst again;
    again.proto = isa::make(Op::kJmpExecAny);
    again.flow = Flow::Loop;
    again.head = head;
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
