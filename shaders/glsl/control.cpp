// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Statements. The IR has break and continue, which may be in arms of Ifs, but no return. If an If returns in
// one arm, the statements after it move into its other arm; where that does not suffice, a flag of the
// function guards them. A return in a loop sets the flag and breaks. A discard does not end the invocation,
// since adjacent ones need it for derivatives. But it leaves the loops around it, which might not end
// otherwise.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

namespace {
constexpr unsigned kMaxDepth = 6000;

Flow merge(Flow a, Flow b) {
    if (a == b || b == Flow::Gone) return a;
    if (a == Flow::Gone) return b;
    return Flow::Maybe;
}

bool only_discards(TIntermNode* n) {
    while (TIntermAggregate* a = n ? n->getAsAggregate() : nullptr) {
        if (a->getOp() != EOpSequence || a->getSequence().size() != 1) return false;
        n = a->getSequence()[0];
    }
    return n && n->getAsBranchNode() && n->getAsBranchNode()->getFlowOp() == EOpKill;
}
}  // namespace

bool Walker::too_deep(const TIntermNode* n) {
    if (depth_ > kMaxDepth)
        fail(n->getLoc().line, "Terrazzo: nested more than " + std::to_string(kMaxDepth) +
                                   " deep once its functions are inlined");
    return failed_;
}

Flow Walker::statement(TIntermNode* n) {
    DepthScope depth(depth_);
    if (!n || over_budget(n) || too_deep(n)) return Flow::Next;
    if (TIntermAggregate* a = n->getAsAggregate()) {
        if (a->getOp() == EOpSequence || a->getOp() == EOpScope) return sequence(a->getSequence());
        if (a->getOp() == EOpNull) return sequence(a->getSequence());
    }
    if (TIntermSelection* s = n->getAsSelectionNode()) return selection(s);
    if (TIntermLoop* l = n->getAsLoopNode()) return loop(l);
    if (TIntermSwitch* s = n->getAsSwitchNode()) return switch_statement(s);
    if (TIntermBranch* b = n->getAsBranchNode()) return branch(b);
    if (TIntermTyped* t = n->getAsTyped()) {
        // A declaration without initialiser or an expression without effect is just the variable.
        if (!t->getAsSymbolNode() && !t->getAsConstantUnion()) (void)eval(t);
        return Flow::Next;
    }
    fail(n->getLoc().line, "Terrazzo: this statement is not supported");
    return Flow::Next;
}

Flow Walker::sequence(const TIntermSequence& s, size_t first) {
    for (size_t i = first; i < s.size(); ++i) {
        if (failed_) return Flow::Next;
        TIntermSelection* sel = s[i] ? s[i]->getAsSelectionNode() : nullptr;
        if (sel && (scan_.flags(sel) & node_flag::kReturn) && frame_->loops == 0) {
            DepthScope depth(depth_);
            if (over_budget(sel) || too_deep(sel)) return Flow::Next;
            return selection(sel, &s, i + 1);
        }
        const Flow f = statement(s[i]);
        if (f != Flow::Next) return go_on(f, &s, i + 1);
    }
    return Flow::Next;
}

/// Continues a sequence after a statement that ended with `f`.
Flow Walker::go_on(Flow f, const TIntermSequence* rest, size_t first) {
    if (!rest || first >= rest->size() || failed_) return f;
    if (f == Flow::Next) return sequence(*rest, first);
    if (f == Flow::Maybe) return guarded(*rest, first);
    return f;
}

Flow Walker::guarded(const TIntermSequence& s, size_t first) {
    Flow f = Flow::Next;
    plain_flags();
    if_then(b_.inot(load_bool(frame_->returned)), [&] { f = sequence(s, first); });
    return f == Flow::Returned ? Flow::Returned : Flow::Maybe;
}

/// An if statement with the statements after it in its sequence, if given.
Flow Walker::selection(TIntermSelection* n, const TIntermSequence* rest, size_t first) {
    Value* c = eval_scalar(n->getCondition());
    if (failed_) return Flow::Next;
    TIntermNode* arms[2] = {n->getTrueBlock(), n->getFalseBlock()};
    if (ir::is_const(c)) return go_on(statement(arms[ir::const_bits(c) ? 0 : 1]), rest, first);
    at(static_cast<TIntermNode*>(n));
    if (!arms[1] && only_discards(arms[0])) return go_on(do_discard(c), rest, first);
    ir::Instr* i = b_.begin_if(c);
    Flow f[2];
    for (unsigned k = 0; k < 2; ++k) {
        RegionScope scope(b_, i->regions[k]);
        f[k] = statement(arms[k]);
    }
    for (unsigned k = 0; k < 2; ++k) {
        if (!rest || f[k] != Flow::Returned || f[1 - k] != Flow::Next) continue;
        RegionScope scope(b_, i->regions[1 - k]);
        f[1 - k] = sequence(*rest, first);
        return merge(f[0], f[1]);
    }
    return go_on(merge(f[0], f[1]), rest, first);
}

void Walker::break_if(Value* condition) {
    if (ir::is_const(condition) && !ir::const_bits(condition)) return;
    if_then(condition, [&] { b_.brk(); });
}

Flow Walker::loop(TIntermLoop* n) {
    const uint8_t flags = scan_.flags(n);
    const unsigned discards = discards_;
    at(static_cast<TIntermNode*>(n));
    ir::Instr* l = b_.begin_loop();
    {
        RegionScope scope(b_, l->regions[0]);
        LoopScope s;
        s.test = n->testFirst() ? nullptr : n->getTest();
        s.terminal = n->getTerminal();
        s.discards_before = discards;
        loops_.push_back(s);
        ++frame_->loops;
        if (n->testFirst() && n->getTest()) {
            Value* c = eval_scalar(n->getTest());
            at(static_cast<TIntermNode*>(n));
            if (!failed_) break_if(b_.inot(c));
        }
        const Flow f = statement(n->getBody());
        if (f == Flow::Next && !failed_) do_continue();
        if (!b_.region()->terminator()) b_.brk();
        --frame_->loops;
        loops_.pop_back();
    }
    return after_loop(flags, discards);
}

/// After a loop that may have been left by a return or discard.
Flow Walker::after_loop(uint8_t flags, unsigned discards_before) {
    plain_flags();
    const bool outer = frame_->loops > 0;
    if (discards_ != discards_before && frame_->in_loop()) break_if(load_bool(discarded_));
    if (!(flags & node_flag::kReturn)) return Flow::Next;
    if (!outer) return Flow::Maybe;
    break_if(load_bool(frame_->returned));
    return Flow::Next;
}

Flow Walker::branch(TIntermBranch* n) {
    at(static_cast<TIntermNode*>(n));
    switch (n->getFlowOp()) {
        case EOpReturn:
            return do_return(n);
        case EOpKill:
            return do_discard(boolean(true));
        case EOpBreak:
            b_.brk();
            return Flow::Gone;
        case EOpContinue:
            do_continue();
            return Flow::Gone;
        default:
            break;
    }
    fail(n->getLoc().line, "Terrazzo: this statement is not supported");
    return Flow::Next;
}

/// The end of an iteration: the loop's expressions and the jump.
void Walker::do_continue() {
    if (loops_.empty()) return fail(int(b_.line), "continue outside a loop");
    const LoopScope s = loops_.back();
    if (s.is_switch) {
        store_bool(s.continued, true);
        b_.brk();
        return;
    }
    if (discards_ != s.discards_before) break_if(load_bool(discarded_));
    if (s.test) {
        Value* c = eval_scalar(s.test);
        if (!failed_) break_if(b_.inot(c));
    }
    if (s.terminal) (void)eval(s.terminal);
    plain_flags();
    b_.cont();
}

Flow Walker::do_discard(Value* condition) {
    plain_flags();
    if (loops_.empty()) {
        b_.discard(condition);
        return Flow::Next;
    }
    if (!discarded_) {
        in_prologue([&] {
            discarded_ = local_bool("discarded");
            store_bool(discarded_, false);
        });
    }
    ++discards_;
    const bool always = ir::is_const(condition);
    const bool leave = frame_->in_loop();
    b_.discard(condition);
    if (always) {
        store_bool(discarded_, true);
        if (!leave) return Flow::Next;
        b_.brk();
        return Flow::Gone;
    }
    if_then(condition, [&] {
        store_bool(discarded_, true);
        if (leave) b_.brk();
    });
    return Flow::Next;
}

}  // namespace terrazzo::shaders::glsl
