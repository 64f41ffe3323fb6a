// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// switch (ESSL 3.00). If every group of statements ends with its own break, it becomes a chain of Ifs or, if
// there are many, a sequence of them. Otherwise it becomes a Loop with one iteration, in which a flag says
// that the label was reached, so that control falls through and break leaves.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

static uint8_t flags_of(Scan& scan, TIntermNode* n) {
    if (!n) return 0;
    if (TIntermBranch* b = n->getAsBranchNode()) return b->getFlowOp() == EOpBreak ? node_flag::kBreak : 0;
    if (n->getAsLoopNode() || n->getAsSwitchNode()) return 0;
    return scan.flags(n);
}

/// Removes a group's closing break. False: control may leave the group in another way.
bool Walker::split_off_break(CaseGroup& g, bool last) {
    std::vector<TIntermNode*> flat;
    for (TIntermNode* n : g.statements) {
        TIntermAggregate* a = n->getAsAggregate();
        if (a && a->getOp() == EOpSequence) {
            flat.insert(flat.end(), a->getSequence().begin(), a->getSequence().end());
        } else {
            flat.push_back(n);
        }
    }
    TIntermBranch* end = flat.empty() || !flat.back() ? nullptr : flat.back()->getAsBranchNode();
    if (end && end->getFlowOp() == EOpBreak) {
        flat.pop_back();
    } else if (!last && !(end && (end->getFlowOp() == EOpReturn || end->getFlowOp() == EOpContinue))) {
        return false;
    }
    for (TIntermNode* n : flat) {
        if (flags_of(scan_, n) & node_flag::kBreak) return false;
    }
    g.statements = std::move(flat);
    return true;
}

Flow Walker::switch_statement(TIntermSwitch* n) {
    Value* selector = eval_scalar(n->getCondition()->getAsTyped());
    if (failed_ || !n->getBody()) return Flow::Next;
    std::vector<CaseGroup> groups;
    for (TIntermNode* s : n->getBody()->getSequence()) {
        TIntermBranch* b = s ? s->getAsBranchNode() : nullptr;
        const bool label = b && (b->getFlowOp() == EOpCase || b->getFlowOp() == EOpDefault);
        if (label && (groups.empty() || !groups.back().statements.empty())) groups.emplace_back();
        if (groups.empty()) continue;
        if (!label) {
            if (s) groups.back().statements.push_back(s);
        } else if (b->getFlowOp() == EOpCase) {
            groups.back().labels.push_back(b->getExpression());
        } else {
            groups.back().is_default = true;
        }
    }
    if (groups.empty()) return Flow::Next;
    std::vector<CaseGroup> chain = groups;
    bool simple = true;
    for (CaseGroup& g : chain)
        simple = simple && split_off_break(g, &g == &chain.back());
    at(static_cast<TIntermNode*>(n));
    if (simple) return switch_chain(chain, selector);
    return switch_loop(groups, selector, scan_.flags(n));
}

Value* Walker::matches(const CaseGroup& g, Value* selector) {
    Value* any = nullptr;
    for (TIntermTyped* label : g.labels) {
        Value* v = eval_scalar(label);
        plain_flags();
        Value* same = b_.alu(Op::IEq, selector, v);
        any = any ? b_.ior(any, same) : same;
    }
    return any ? any : boolean(false);
}

Flow Walker::statements(std::span<TIntermNode* const> s) {
    TIntermSequence list;
    for (TIntermNode* n : s)
        list.push_back(n);
    return sequence(list);
}

Flow Walker::switch_chain(std::span<CaseGroup> groups, Value* selector) {
    std::vector<CaseGroup*> order;
    for (CaseGroup& g : groups)
        if (!g.is_default) order.push_back(&g);
    for (CaseGroup& g : groups)
        if (g.is_default) order.push_back(&g);
    if (order.size() > kMaxChainedCases) return switch_row(order, selector);
    const auto emit = [&](auto&& self, size_t i) -> Flow {
        DepthScope depth(depth_);
        if (i == order.size() || failed_ || too_deep(scan_.main()->node)) return Flow::Next;
        if (order[i]->is_default) return statements(order[i]->statements);
        ir::Instr* in = b_.begin_if(matches(*order[i], selector));
        Flow f[2];
        {
            RegionScope scope(b_, in->regions[0]);
            f[0] = statements(order[i]->statements);
        }
        RegionScope scope(b_, in->regions[1]);
        f[1] = self(self, i + 1);
        if (f[0] == f[1] || f[1] == Flow::Gone) return f[0];
        return f[0] == Flow::Gone ? f[1] : Flow::Maybe;
    };
    return emit(emit, 0);
}

/// One `if` per group, in sequence: no two groups share labels. Used when a chain would be nested too deep.
Flow Walker::switch_row(std::span<CaseGroup* const> order, Value* selector) {
    Value* any = boolean(false);
    Flow result = Flow::Next;
    for (const CaseGroup* g : order) {
        if (failed_) break;
        Value* const hit = g->is_default ? b_.inot(any) : matches(*g, selector);
        any = b_.ior(any, hit);
        Flow f = Flow::Next;
        if_then(hit, [&] { f = statements(g->statements); });
        plain_flags();
        if (f == Flow::Returned || f == Flow::Maybe) result = Flow::Maybe;
    }
    return result;
}

Flow Walker::switch_loop(std::span<CaseGroup> groups, Value* selector, uint8_t flags) {
    const unsigned discards = discards_;
    std::vector<Value*> hits;
    Value* any = boolean(false);
    for (CaseGroup& g : groups) {
        hits.push_back(matches(g, selector));
        any = b_.ior(any, hits.back());
    }
    Object* reached = local_bool("reached");
    store_bool(reached, false);
    LoopScope s;
    s.is_switch = true;
    if (flags & node_flag::kContinue) {
        s.continued = local_bool("continued");
        store_bool(s.continued, false);
    }
    ir::Instr* l = b_.begin_loop();
    {
        RegionScope scope(b_, l->regions[0]);
        loops_.push_back(s);
        ++frame_->loops;
        for (size_t i = 0; i < groups.size() && !failed_; ++i) {
            Value* hit = groups[i].is_default ? b_.ior(hits[i], b_.inot(any)) : hits[i];
            b_.store_var(reached->vars[0], 0, b_.ior(load_bool(reached), hit));
            if_then(load_bool(reached), [&] { (void)statements(groups[i].statements); });
            plain_flags();
        }
        b_.brk();
        --frame_->loops;
        loops_.pop_back();
    }
    const Flow f = after_loop(flags, discards);
    if (s.continued) if_then(load_bool(s.continued), [&] { do_continue(); });
    return f;
}

}  // namespace terrazzo::shaders::glsl
