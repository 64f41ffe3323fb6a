// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One walk in program order. validate_payload.cpp has the rules of loads, stores and textures.
#include "shaders/ir/validate.h"

#include "shaders/ir/limits.h"
#include "shaders/ir/names.h"
#include "shaders/ir/print.h"
#include "shaders/ir/validate_payload.h"

namespace terrazzo::ir {

namespace {

class Validator {
  public:
    Validator(const Shader& s, Phase p) : shader_(s), phase_(p), visible_(s.value_count(), nullptr) {}
    std::string run();

  private:
    bool fail(const Instr& i, std::string_view rule);
    bool vars();
    bool define(const Value* v, const Instr& at);
    bool region(const Region& r);
    bool instr(const Instr& i);
    bool links(const Instr& i);
    bool signature(const Instr& i);
    bool flow(const Instr& i);
    bool terminator(const Instr& i);
    bool matches(const Instr& i, Value* const* to, unsigned count, std::string_view what);

    const Shader& shader_;
    const Phase phase_;
    std::vector<const Value*> visible_;  // by id
    std::string error_;
    unsigned depth_ = 0;
};

bool Validator::fail(const Instr& i, std::string_view rule) {
    std::string text = print(i);
    text.resize(std::min(text.find('\n'), text.size()));
    error_ = std::string(rule) + ": " + text;
    return false;
}

bool Validator::define(const Value* v, const Instr& at) {
    if (v->id >= visible_.size()) return fail(at, "a value's id lies beyond the shader's value_count");
    if (visible_[v->id]) return fail(at, "two visible values share an id");
    if (v->type == Type::Void) return fail(at, "a value has a type other than void");
    visible_[v->id] = v;
    return true;
}

bool Validator::links(const Instr& i) {
    for (unsigned n = 0; n < i.operand_count; n++) {
        const Use& u = i.operands[n];
        if (!u.value || u.user != &i || !u.prev || *u.prev != &u)
            return fail(i, "an operand is not linked into its value's uses");
        if (u.value->id >= visible_.size() || visible_[u.value->id] != u.value)
            return fail(i, "operand " + std::to_string(n) +
                               " is not defined before its use, in this region or one around it");
    }
    for (unsigned n = 0; n < i.result_count; n++)
        if (i.result(n)->def != &i || i.result(n)->index != n)
            return fail(i, "a result does not know its place");
    return true;
}

bool Validator::signature(const Instr& i) {
    const OpInfo& op = i.info();
    if (op.operands >= 0 && i.operand_count != op.operands) return fail(i, "wrong number of operands");
    if (op.sig == Sig::Any) return true;
    if (i.result_count != 1) return fail(i, "an ALU operation has one result");
    const Type r = i.result()->type;
    const auto type = [&](unsigned n) { return i.operand(n)->type; };
    // Operands from `first` on have type t, but those from `i32` on are I32.
    const auto all = [&](Type t, unsigned first, unsigned i32 = 255) {
        for (unsigned n = first; n < i.operand_count; n++)
            if (type(n) != (n >= i32 ? Type::I32 : t)) return false;
        return true;
    };
    switch (op.sig) {
        case Sig::Any:
            return true;
        case Sig::Same:
            return all(r, 0) || fail(i, "operand and result have the same type");
        case Sig::Select:
            return (type(0) == Type::Bool && all(r, 1)) ||
                   fail(i, "select takes a bool and two values of the result's type");
        case Sig::Float:
            return (is_float(r) && all(r, 0)) || fail(i, "operands and result have one float type");
        case Sig::FloatInt:
            return (is_float(r) && all(r, 0, 1)) ||
                   fail(i, "operands are a float of the result's type and an i32");
        case Sig::Int: {
            unsigned i32 = 255;
            if (i.op == Op::IShl || i.op == Op::IShr || i.op == Op::UShr || i.op == Op::IBitfieldExtract ||
                i.op == Op::UBitfieldExtract)
                i32 = 1;
            if (i.op == Op::BitfieldInsert) i32 = 2;
            return (is_int(r) && all(r, 0, i32)) ||
                   fail(i, "operands and result have one integer type (counts and positions: i32)");
        }
        case Sig::IntOrBool:
            return ((is_int(r) || r == Type::Bool) && all(r, 0)) ||
                   fail(i, "operands and result have one integer or bool type");
        case Sig::FloatCmp:
            return (r == Type::Bool && is_float(type(0)) && all(type(0), 0)) ||
                   fail(i, "compares two floats of one type to a bool");
        case Sig::IntCmp:
            return (r == Type::Bool && is_int(type(0)) && all(type(0), 0)) ||
                   fail(i, "compares two integers of one type to a bool");
        case Sig::Convert: {
            const std::string rule = conversion_rule(i.op, r, type(0));
            if (!rule.empty() || !all(type(0), 0))
                return fail(i, rule.empty() ? "both operands have one type" : rule);
            return true;
        }
    }
    return true;
}

/// Whether the operands match `to`: results of an If or Loop, or arguments of a Loop.
bool Validator::matches(const Instr& i, Value* const* to, unsigned count, std::string_view what) {
    if (i.operand_count != count) return fail(i, std::string("gives as many values as ") + std::string(what));
    for (unsigned n = 0; n < count; n++)
        if (i.operand(n)->type != to[n]->type)
            return fail(i,
                        "value " + std::to_string(n) + " has another type than that of " + std::string(what));
    return true;
}

bool Validator::terminator(const Instr& i) {
    if (i.next) return fail(i, "a terminator is the last of its region");
    if (i.result_count) return fail(i, "a terminator has no results");
    const Instr* owner = i.parent->owner;
    if (i.op == Op::Yield) {
        if (!owner || owner->op != Op::If) return fail(i, "yield ends an arm of an if");
        return matches(i, owner->results, owner->result_count, "the if's results");
    }
    const Instr* l = enclosing_loop(&i);
    if (!l) return fail(i, "break and continue stand in a loop");
    if (i.op == Op::Break) return matches(i, l->results, l->result_count, "the loop's results");
    return matches(i, l->regions[0]->args, l->regions[0]->arg_count, "the loop's arguments");
}

bool Validator::flow(const Instr& i) {
    if (i.info().terminator()) return terminator(i);
    const unsigned regions = i.op == Op::If ? 2 : i.op == Op::Loop ? 1 : 0;
    if (i.region_count != regions) return fail(i, "wrong number of regions");
    if (i.op == Op::If) {
        if (i.operand(0)->type != Type::Bool) return fail(i, "an if's condition is a bool");
        for (unsigned n = 0; n < 2; n++)
            if (i.result_count && !i.regions[n]->terminator())
                return fail(i, "each arm of an if with results ends in a terminator");
    }
    if (i.op == Op::Loop) {
        const Instr* t = i.regions[0]->terminator();
        if (!t || t->op == Op::Yield) return fail(i, "a loop's region ends in break or continue");
        if (!matches(i, i.regions[0]->args, i.regions[0]->arg_count, "the loop's arguments")) return false;
    }
    for (unsigned n = 0; n < regions; n++) {
        const Region& r = *i.regions[n];
        if (r.owner != &i) return fail(i, "a region knows its owner");
        if (r.arg_count && i.op != Op::Loop) return fail(i, "only a loop's region has arguments");
        for (unsigned a = 0; a < r.arg_count; a++) {
            if (r.args[a]->region != &r || r.args[a]->index != a)
                return fail(i, "an argument does not know its place");
            if (!define(r.args[a], i)) return false;
        }
        if (!region(r)) return false;
        for (unsigned a = 0; a < r.arg_count; a++)
            visible_[r.args[a]->id] = nullptr;
    }
    return true;
}

bool Validator::instr(const Instr& i) {
    if (unsigned(i.op) >= unsigned(Op::Count_)) return fail(i, "unknown operation");
    const uint8_t rounded = i.op == Op::StoreOutput ? instr_flag::kRounded : 0;
    if (i.flags & ~(instr_flag::kExact | instr_flag::kMediump | rounded)) return fail(i, "unknown flag");
    if (!links(i) || !signature(i)) return false;
    const std::string rule = payload_rule(shader_, i, phase_);
    if (!rule.empty()) return fail(i, rule);
    if (!flow(i)) return false;
    for (unsigned n = 0; n < i.result_count; n++)
        if (!define(i.result(n), i)) return false;
    return true;
}

bool Validator::region(const Region& r) {
    if (++depth_ > kMaxRegionDepth) {
        error_ = "regions are nested too deeply";
        return false;
    }
    const Instr* prev = nullptr;
    for (const Instr* i = r.first; i; prev = i, i = i->next) {
        if (i->parent != &r || i->prev != prev) return fail(*i, "an instruction is linked into its region");
        if (!instr(*i)) return false;
    }
    if (r.last != prev) {
        error_ = "a region's last instruction is not the end of its list";
        return false;
    }
    for (const Instr* i = r.first; i; i = i->next)
        for (unsigned n = 0; n < i->result_count; n++)
            visible_[i->result(n)->id] = nullptr;
    depth_--;
    return true;
}

bool Validator::vars() {
    for (size_t n = 0; n < shader_.vars().size(); n++) {
        const Var& v = *shader_.vars()[n];
        const char* rule = nullptr;
        if (v.id != n) rule = "variables' ids are dense";
        if (v.count == 0 || v.count > kMaxVarComponents) rule = "a variable has 1 to 2^20 components";
        const bool block = v.storage == Storage::Buffer || v.storage == Storage::UniformBlock;
        if (v.type == Type::Void && v.storage != Storage::Sampler && v.storage != Storage::Image && !block)
            rule = "only opaque variables and blocks are void";
        if (v.type != Type::Void && block) rule = "a block is void";
        if (!rule) continue;
        error_ = std::string(rule) + ": v" + std::to_string(n) + " \"" + v.name + "\"";
        return false;
    }
    return true;
}

std::string Validator::run() {
    if (!vars()) return error_;
    if (shader_.body->owner || shader_.body->arg_count)
        return "the top region has neither owner nor arguments";
    (void)region(*shader_.body);
    return error_;
}

}  // namespace

std::string validate(const Shader& s, Phase phase) {
    return Validator(s, phase).run();
}

}  // namespace terrazzo::ir
