// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Calls: the body is translated again for each of them. Parameters are passed by value, and out parameters
// are copied back after the call, in order (ESSL 1.00 section 6.1.1). A parameter that is never written is
// its argument's value.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

Vals Walker::eval_call(TIntermAggregate* n) {
    Function* f = scan_.function(std::string_view(n->getName().c_str(), n->getName().size()));
    const size_t count = n->getSequence().size();
    if (!f || count != (f->parameters ? f->parameters->size() : 0)) {
        fail(n->getLoc().line, std::string(n->getName().c_str()) + " : function has no body");
        return {};
    }
    struct Argument {
        TIntermSymbol* parameter;
        const Type* type;
        bool out = false, in = false;
        Place place;
        Vals values;
    };
    std::vector<Argument> args(count);
    for (size_t i = 0; i < count; ++i) {
        Argument& a = args[i];
        a.parameter = (*f->parameters)[i]->getAsSymbolNode();
        a.type = type_of(a.parameter);
        const TQualifier& q = a.parameter->getQualifier();
        a.out = q.isParamOutput();
        a.in = q.isParamInput() || !a.out;
        TIntermTyped* arg = n->getSequence()[i]->getAsTyped();
        const bool needs_place = a.out || a.type->has_opaque;
        if (needs_place && !place_of(arg, a.place)) {
            fail(n->getLoc().line, "Terrazzo: this argument is not supported");
            return {};
        }
        if (a.in && !a.type->has_opaque) a.values = needs_place ? load(a.place) : eval(arg);
        if (failed_) return {};
    }
    for (Argument& a : args) {
        if (a.parameter->getName().empty()) continue;
        Binding& b = bindings_[a.parameter->getId()];
        const SymbolUse& use = scan_.use(a.parameter->getId());
        if (a.type->has_opaque) {
            b.kind = Binding::Kind::Alias;
            b.place = a.place;
        } else if (!a.out && !use.writes && !use.array_indexed) {
            b.kind = Binding::Kind::Value;
            b.values = a.values;
        } else {
            if (b.kind != Binding::Kind::Storage) b.object = local(a.parameter->getName().c_str(), a.type);
            b.kind = Binding::Kind::Storage;
            if (a.in) store(b.object, a.values);
        }
    }
    Frame frame;
    frame.function = f;
    frame.result_type = type_of(n);
    const Vals r = inline_body(frame);
    b_.line = uint32_t(std::max(0, n->getLoc().line));
    for (Argument& a : args) {
        if (failed_) return {};
        if (!a.out || a.type->has_opaque || a.parameter->getName().empty()) continue;
        store(a.place, load(bindings_[a.parameter->getId()].object));
    }
    return r;
}

Vals Walker::inline_body(Frame& frame) {
    Function& f = *frame.function;
    Frame* caller = frame_;
    frame_ = &frame;
    if (f.body) {
        const TIntermSequence& s = f.body->getSequence();
        TIntermBranch* last = s.empty() || !s.back() ? nullptr : s.back()->getAsBranchNode();
        const bool tail = last && last->getFlowOp() == EOpReturn;
        plain_flags();
        if (f.returns > (tail ? 1u : 0u)) {
            frame.returned = local_bool("returned");
            store_bool(frame.returned, false);
            if (frame.result_type->components) frame.result = local("result", frame.result_type);
        }
        if (f.returns > kMaxNestedReturns)
            returning_loop(s);
        else
            (void)sequence(s);
    }
    frame_ = caller;
    if (failed_) return {};
    if (frame.result) return load(frame.result);
    return frame.value.size() == frame.result_type->components ? frame.value : undefined(frame.result_type);
}

/// Puts a function's statements into a loop with one iteration, which a return leaves. Without it, the
/// statements after each return would be in an arm of their own, each nested in the one before.
void Walker::returning_loop(const TIntermSequence& s) {
    plain_flags();
    ir::Instr* l = b_.begin_loop();
    RegionScope scope(b_, l->regions[0]);
    // Not in loops_: it is no target of break, continue or discard.
    frame_->wrapper = frame_->loops = 1;
    (void)sequence(s);
    if (!b_.region()->terminator()) b_.brk();
    frame_->wrapper = frame_->loops = 0;
}

Flow Walker::do_return(TIntermBranch* n) {
    if (n->getExpression()) {
        Vals v = eval(n->getExpression());
        if (failed_) return Flow::Next;
        if (frame_->result)
            store(frame_->result, v);
        else
            frame_->value = v;
    }
    at(static_cast<TIntermNode*>(n));
    if (frame_->returned) store_bool(frame_->returned, true);
    if (frame_->loops == 0) return Flow::Returned;
    b_.brk();
    return Flow::Gone;
}

}  // namespace terrazzo::shaders::glsl
