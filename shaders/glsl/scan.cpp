// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The scan of the tree: see scan.h.
#include "shaders/glsl/scan.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "shaders/glsl/shadow_lod.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;
using namespace node_flag;

namespace {
/// The tree's depth, counting chains of operators as one; the walk needs about 1 KiB of stack per level.
constexpr unsigned kMaxDepth = 3000;
constexpr unsigned kMaxCalls = 600;  // nested calls
constexpr SymbolUse kUnused{};

bool writes_last_argument(TOperator op) {
    switch (op) {
        case EOpModf:
        case EOpFrexp:
        case EOpAddCarry:
        case EOpSubBorrow:
            return true;
        default:
            return false;
    }
}
}  // namespace

const SymbolUse& Scan::use(long long id) const {
    auto it = uses_.find(id);
    return it == uses_.end() ? kUnused : it->second;
}

uint8_t Scan::flags(const TIntermNode* n) const {
    auto it = flags_.find(n);
    return it == flags_.end() ? 0 : it->second;
}

Function* Scan::function(std::string_view mangled) {
    auto it = functions_.find(mangled);
    return it == functions_.end() ? nullptr : &it->second;
}

static bool contains(const std::vector<std::string>& list, std::string_view s) {
    return std::find(list.begin(), list.end(), s) != list.end();
}

bool Scan::is_invariant(std::string_view builtin) const {
    return contains(invariant_builtins_, builtin);
}
bool Scan::writes_builtin(std::string_view name) const {
    return contains(written_builtins_, name);
}

void Scan::fail(const TIntermNode* n, std::string message) {
    if (!error.empty()) return;
    error = std::move(message);
    error_line = n ? n->getLoc().line : 0;
}

void Scan::open_block() {
    open_.push_back(uint32_t(active_.size()));
    active_.push_back(true);
}

void Scan::close_block() {
    active_[open_.back()] = false;
    open_.pop_back();
}

bool Scan::run(TIntermNode* root) {
    open_block();
    if (TIntermAggregate* all = root ? root->getAsAggregate() : nullptr) {
        if (all->getOp() == EOpFunction) {
            scan_function(all);
        } else {
            for (TIntermNode* n : all->getSequence()) {
                TIntermAggregate* a = n->getAsAggregate();
                if (a && a->getOp() == EOpFunction) {
                    scan_function(a);
                } else if (a && a->getOp() == EOpLinkerObjects) {
                    linker_objects_ = a;
                    for (TIntermNode* o : a->getSequence())
                        if (TIntermSymbol* s = o->getAsSymbolNode()) note_qualifier(s);
                } else {
                    scan(n);
                }
                if (!error.empty()) return false;
            }
        }
    }
    close_block();
    for (auto& [name, f] : functions_) {
        if (!check_calls(f)) return false;
    }
    return error.empty();
}

bool Scan::check_calls(Function& f) {
    if (f.state == 2) return true;
    if (f.state == 1) {
        fail(f.node, "'" + std::string(f.node->getName().c_str()) + "' : recursion is not allowed");
        return false;
    }
    f.state = 1;
    if (++depth_ > kMaxCalls)
        fail(f.node, "Terrazzo: calls nested more than " + std::to_string(kMaxCalls) + " deep");
    for (std::string_view name : f.calls) {
        Function* callee = function(name);
        if (!callee) {
            fail(f.node, "'" + std::string(name.substr(0, name.find('('))) +
                             "' : function is called but has no body");
            return false;
        }
        if (!error.empty() || !check_calls(*callee)) return false;
        f.flags |= callee->flags & kKill;
    }
    --depth_;
    f.state = 2;
    return true;
}

uint8_t Scan::scan_function(TIntermAggregate* n) {
    Function& f = functions_[std::string_view(n->getName().c_str(), n->getName().size())];
    f.node = n;
    TIntermSequence& s = n->getSequence();
    if (!s.empty() && s[0]->getAsAggregate()) f.parameters = &s[0]->getAsAggregate()->getSequence();
    if (s.size() > 1) f.body = s[1]->getAsAggregate();
    if (n->getName() == "main(") main_ = &f;
    current_ = &f;
    if (f.body) f.flags = scan_block(f.body);
    current_ = nullptr;
    return 0;
}

uint8_t Scan::scan_block(TIntermNode* n) {
    open_block();
    const uint8_t f = scan(n);
    close_block();
    return f;
}

void Scan::note_qualifier(TIntermSymbol* s) {
    if (!s->getQualifier().isPipeOutput()) return;
    invariant_output_ |= s->getQualifier().invariant;
    if (s->getBasicType() != EbtBlock) return;
    for (const TTypeLoc& m : *s->getType().getStruct())
        invariant_output_ |= m.type->getQualifier().invariant;
}

void Scan::note_read(TIntermSymbol* s, bool element) {
    SymbolUse& u = uses_[s->getId()];
    u.read = true;
    if (!element) u.whole = true;
    if (u.writes == 0 || !active_[u.write_block]) u.stray_read = true;
}

void Scan::note_write(TIntermSymbol* s, bool whole) {
    note_qualifier(s);
    SymbolUse& u = uses_[s->getId()];
    if (u.writes == 0 && s->getName().compare(0, 3, "gl_") == 0)
        written_builtins_.emplace_back(s->getName().c_str());
    ++u.writes;
    u.write_block = open_.back();
    if (!whole) u.partial = true;
}

/// An index operation: records how arrays are indexed.
void Scan::note_index(TIntermBinary* n) {
    if (!n->getLeft()->isArray()) return;
    TIntermSymbol* s = base_symbol(n->getLeft());
    if (!s) return;
    SymbolUse& u = uses_[s->getId()];
    if (n->getOp() == EOpIndexIndirect) {
        u.array_indexed = true;
        u.whole = true;
    } else if (n->getLeft() == s && n->getRight()->getAsConstantUnion()) {
        const int i = n->getRight()->getAsConstantUnion()->getConstArray()[0].getIConst();
        if (i >= 0 && i < 64) u.elements |= uint64_t(1) << i;
    } else {
        u.whole = true;
    }
}

/// The left side of an assignment.
uint8_t Scan::scan_place(TIntermNode* n, bool whole_write) {
    if (TIntermSymbol* s = n->getAsSymbolNode()) {
        note_write(s, whole_write);
        uses_[s->getId()].whole = true;
        return 0;
    }
    TIntermBinary* b = n->getAsBinaryNode();
    if (!b) return scan(n);
    switch (b->getOp()) {
        case EOpIndexIndirect:
        case EOpIndexDirect: {
            note_index(b);
            const uint8_t f = b->getOp() == EOpIndexIndirect ? scan(b->getRight()) : 0;
            if (TIntermSymbol* s = b->getLeft()->getAsSymbolNode()) {
                note_write(s, false);
                if (!s->isArray()) uses_[s->getId()].whole = true;
                return f;
            }
            return f | scan_place(b->getLeft(), false);
        }
        case EOpIndexDirectStruct:
        case EOpVectorSwizzle:
            return scan_place(b->getLeft(), false);
        default:
            return scan(n);
    }
}

/// Whether the language lets the value be rounded to 16 bits. Constants have no precision of their own.
static bool is_mediump(TIntermTyped& n) {
    if (n.getAsConstantUnion()) return true;
    const TPrecisionQualifier p = n.getQualifier().precision;
    TIntermAggregate* const constructor = n.getAsAggregate();
    if (p != EpqNone || !constructor || !constructor->isConstructor()) return p == EpqLow || p == EpqMedium;
    return std::ranges::all_of(constructor->getSequence(), [](TIntermNode* part) {
        TIntermTyped* const t = part->getAsTyped();
        return t && is_mediump(*t);
    });
}

uint8_t Scan::scan_binary(TIntermBinary* n) {
    switch (n->getOp()) {
        case EOpIndexDirect:
        case EOpIndexIndirect: {
            note_index(n);
            uint8_t f = 0;
            if (TIntermSymbol* s = n->getLeft()->getAsSymbolNode()) {
                note_read(s, n->getOp() == EOpIndexDirect && s->isArray());
            } else {
                f = scan(n->getLeft());
            }
            return n->getOp() == EOpIndexIndirect ? f | scan(n->getRight()) : f;
        }
        case EOpIndexDirectStruct:
        case EOpVectorSwizzle:
            return scan(n->getLeft());
        default:
            break;
    }
    if (!n->modifiesState()) return scan_chain(n);
    uint8_t f = scan(n->getRight());
    if (n->getOp() != EOpAssign) {
        if (TIntermSymbol* s = base_symbol(n->getLeft())) note_read(s);
    }
    f |= scan_place(n->getLeft(), n->getOp() == EOpAssign);
    if (TIntermSymbol* s = base_symbol(n->getLeft()); s && is_mediump(*n->getRight()))
        ++uses_[s->getId()].mediump_writes;
    return f | kEffect;
}

uint8_t Scan::scan_chain(TIntermBinary* n) {
    const std::vector<TIntermBinary*> chain = operator_chain(n);
    uint8_t f = scan(chain[0]->getLeft());
    for (TIntermBinary* b : chain) {
        TIntermTyped* const right = b->getRight();
        if (b->getOp() == EOpLogicalAnd || b->getOp() == EOpLogicalOr)
            f |= flags_[right] = scan_block(right);
        else
            f |= scan(right);
    }
    return f;
}

uint8_t Scan::scan_call(TIntermAggregate* n) {
    uint8_t f = kEffect;
    if (current_) current_->calls.emplace_back(n->getName().c_str(), n->getName().size());
    const TQualifierList& q = n->getQualifierList();
    TIntermSequence& args = n->getSequence();
    for (size_t i = 0; i < args.size(); ++i) {
        const TStorageQualifier storage = i < q.size() ? q[i] : EvqIn;
        if (storage != EvqOut) f |= scan(args[i]);
    }
    for (size_t i = 0; i < args.size(); ++i) {
        const TStorageQualifier storage = i < q.size() ? q[i] : EvqIn;
        if (storage == EvqOut || storage == EvqInOut) f |= scan_place(args[i], false);
    }
    return f;
}

uint8_t Scan::scan_aggregate(TIntermAggregate* n) {
    if (n->getOp() == EOpFunctionCall) return scan_call(n);
    uint8_t f = writes_memory(n->getOp()) ? kEffect : 0;
    TIntermSequence& s = n->getSequence();
    if (!shadow_lod_ && is_shadow_lod_form(*n))
        fail(n, "this form of a texture function needs #extension GL_EXT_texture_shadow_lod : enable");
    if (n->getOp() == EOpTextureOffsetClamp)
        if (std::string wrong = check_texel_offset(*s[2]->getAsTyped()); !wrong.empty())
            fail(n, std::move(wrong));
    const bool out = writes_last_argument(n->getOp());
    for (size_t i = 0; i < s.size(); ++i) {
        if (!s[i]) continue;
        if (out && i + 1 == s.size()) {
            f |= scan_place(s[i], false) | kEffect;
        } else {
            f |= scan(s[i]);
        }
    }
    if ((n->getOp() == EOpUMulExtended || n->getOp() == EOpIMulExtended) && s.size() == 4) {
        f |= scan_place(s[2], false) | scan_place(s[3], false) | kEffect;
    }
    return f;
}

uint8_t Scan::scan_loop(TIntermLoop* n) {
    uint8_t f = 0;
    open_block();
    if (n->getTest()) f |= scan_block(n->getTest());
    if (n->getBody()) f |= scan_block(n->getBody());
    if (n->getTerminal()) f |= scan_block(n->getTerminal());
    close_block();
    flags_[n] = f;
    return f & ~(kBreak | kContinue);
}

uint8_t Scan::scan_switch(TIntermSwitch* n) {
    uint8_t f = scan(n->getCondition());
    uint8_t body = 0;
    std::unordered_set<int> values;
    bool has_default = false;
    open_block();
    if (n->getBody()) {
        for (TIntermNode* s : n->getBody()->getSequence()) {
            if (!s) continue;
            body |= scan_block(s);
            // ESSL 3.00 6.2; glslang accepts an int for a uint.
            const TIntermBranch* label = s->getAsBranchNode();
            const TIntermTyped* value =
                label && label->getFlowOp() == EOpCase ? label->getExpression() : nullptr;
            const TIntermTyped* selector = n->getCondition()->getAsTyped();
            if (value && selector && value->getBasicType() != selector->getBasicType())
                fail(s, "a case label's type is not that of the switch's expression");
            TIntermConstantUnion* const number =
                label && label->getExpression() ? label->getExpression()->getAsConstantUnion() : nullptr;
            if (number && !values.insert(number->getConstArray()[0].getIConst()).second)
                fail(s, "'case' : duplicated value");
            if (label && label->getFlowOp() == EOpDefault && std::exchange(has_default, true))
                fail(s, "'default' : duplicate label");
        }
    }
    close_block();
    flags_[n] = body;
    return f | (body & ~kBreak);
}

uint8_t Scan::scan_branch(TIntermBranch* n) {
    uint8_t f = n->getExpression() ? scan(n->getExpression()) : 0;
    switch (n->getFlowOp()) {
        case EOpReturn:
            if (current_) ++current_->returns;
            return f | kReturn;
        case EOpKill:
            return f | kKill;
        case EOpBreak:
            return f | kBreak;
        case EOpContinue:
            return f | kContinue;
        default:
            return f;
    }
}

uint8_t Scan::scan(TIntermNode* n) {
    if (!n || !error.empty()) return 0;
    if (++depth_ > kMaxDepth) {
        fail(n, "Terrazzo: statements, or operators with others to the right of them, nested more than " +
                    std::to_string(kMaxDepth) + " deep");
        --depth_;
        return 0;
    }
    uint8_t f = 0;
    if (TIntermSymbol* s = n->getAsSymbolNode()) {
        note_read(s);
    } else if (TIntermBinary* b = n->getAsBinaryNode()) {
        f = scan_binary(b);
    } else if (TIntermUnary* u = n->getAsUnaryNode()) {
        f = scan(u->getOperand());
        if (writes_memory(u->getOp())) f |= kEffect;
        if (u->modifiesState()) f |= scan_place(u->getOperand(), false) | kEffect;
    } else if (TIntermAggregate* a = n->getAsAggregate()) {
        f = scan_aggregate(a);
        flags_[n] = f;
    } else if (TIntermSelection* s2 = n->getAsSelectionNode()) {
        f = scan(s2->getCondition());
        uint8_t arms = scan_block(s2->getTrueBlock());
        arms |= scan_block(s2->getFalseBlock());
        flags_[n] = arms;
        f |= arms;
    } else if (TIntermLoop* l = n->getAsLoopNode()) {
        f = scan_loop(l);
    } else if (TIntermSwitch* w = n->getAsSwitchNode()) {
        f = scan_switch(w);
    } else if (TIntermBranch* br = n->getAsBranchNode()) {
        f = scan_branch(br);
    }
    --depth_;
    return f;
}

}  // namespace terrazzo::shaders::glsl
