// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/access_rules.h"

#include <vector>

using glslang::TIntermTyped;
using glslang::TSourceLoc;

extern "C" void
__wrap__ZN7glslang17TParseContextBase16rValueErrorCheckERKNS_10TSourceLocEPKcPNS_12TIntermTypedE(
    void* parser, const TSourceLoc&, const char*, TIntermTyped*);
/// Replaces glslang's own check (--wrap, as in amend.cpp), which knows blocks but not variables.
/// check_access() covers it.
void __wrap__ZN7glslang17TParseContextBase16rValueErrorCheckERKNS_10TSourceLocEPKcPNS_12TIntermTypedE(
    void*, const TSourceLoc&, const char*, TIntermTyped*) {}

namespace terrazzo::shaders::glsl {

using namespace glslang;

namespace {

/// How an expression uses the value of a node; bits.
enum Access : unsigned { kNothing = 0, kRead = 1, kWrite = 2, kBoth = 3 };

bool is_atomic_on_memory(TOperator op) {
    return op >= EOpAtomicAdd && op <= EOpAtomicCompSwap;
}

class AccessCheck {
  public:
    AccessError run(TIntermNode* root) {
        push(root, kNothing);
        while (!work_.empty()) {
            const Item item = work_.back();
            work_.pop_back();
            look_at(item.node, item.access);
        }
        return error_;
    }

  private:
    struct Item {
        TIntermNode* node;
        Access access;
    };
    void push(TIntermNode* n, Access a) {
        if (n) work_.push_back({n, a});
    }

    void look_at(TIntermNode* n, Access access) {
        if (TIntermBinary* b = n->getAsBinaryNode()) return binary(b, access);
        if (TIntermUnary* u = n->getAsUnaryNode()) {
            // Querying the length of a runtime array does not read it.
            const bool length = u->getOp() == EOpArrayLength;
            return push(u->getOperand(), u->modifiesState() ? kBoth : length ? kNothing : kRead);
        }
        if (TIntermAggregate* a = n->getAsAggregate()) return aggregate(a);
        if (TIntermSelection* s = n->getAsSelectionNode()) {
            push(s->getFalseBlock(), kRead);
            push(s->getTrueBlock(), kRead);
            return push(s->getCondition(), kRead);
        }
        if (TIntermLoop* l = n->getAsLoopNode()) {
            push(l->getBody(), kRead);
            push(l->getTest(), kRead);
            return push(l->getTerminal(), kRead);
        }
        if (TIntermSwitch* s = n->getAsSwitchNode()) {
            push(s->getCondition(), kRead);
            return push(s->getBody(), kRead);
        }
        if (TIntermBranch* b = n->getAsBranchNode()) return push(b->getExpression(), kRead);
        if (TIntermSymbol* s = n->getAsSymbolNode()) place(s, access);
    }

    static bool is_part(TOperator op) {
        return op == EOpIndexDirect || op == EOpIndexIndirect || op == EOpIndexDirectStruct ||
               op == EOpVectorSwizzle || op == EOpMatrixSwizzle;
    }

    void binary(TIntermBinary* b, Access access) {
        if (is_part(b->getOp())) return place(b, access);
        const Access left = b->getOp() == EOpAssign ? kWrite : b->modifiesState() ? kBoth : kRead;
        push(b->getRight(), kRead);
        push(b->getLeft(), left);
    }

    /// A variable or a part of one. The qualifiers may be on the block, on its member, or inherited by a part
    /// of it.
    void place(TIntermTyped* whole, Access access) {
        bool readonly = false, writeonly = false;
        std::string name;
        TIntermTyped* n = whole;
        for (;;) {
            const TQualifier& q = n->getQualifier();
            readonly |= q.isReadOnly();
            writeonly |= q.isWriteOnly();
            TIntermBinary* b = n->getAsBinaryNode();
            if (!b || !is_part(b->getOp())) break;
            if (b->getOp() == EOpIndexDirectStruct) remember_member(b, name);
            if (b->getOp() == EOpIndexIndirect) push(b->getRight(), kRead);
            n = b->getLeft();
        }
        TIntermSymbol* s = n->getAsSymbolNode();
        if (!s) return push(n, kRead);
        // For images, the qualifiers apply to texels: the prototypes of image functions have them, and
        // glslang compares.
        if (s->getQualifier().storage != EvqBuffer) return;
        if (name.empty()) name = s->getName().c_str();
        if (writeonly && (access & kRead)) fail(whole, "'" + name + "' : a writeonly variable is read");
        if (readonly && (access & kWrite)) fail(whole, "'" + name + "' : a readonly variable is written");
    }

    static void remember_member(TIntermBinary* b, std::string& name) {
        const TIntermConstantUnion* index = b->getRight()->getAsConstantUnion();
        const TTypeList* members = b->getLeft()->getType().getStruct();
        const size_t i = index ? size_t(index->getConstArray()[0].getIConst()) : SIZE_MAX;
        // The outermost member is the block's.
        if (members && i < members->size()) name = (*members)[i].type->getFieldName().c_str();
    }

    void aggregate(TIntermAggregate* a) {
        TIntermSequence& s = a->getSequence();
        const TOperator op = a->getOp();
        if (op == EOpLinkerObjects || op == EOpParameters) return;
        if (op == EOpFunctionCall) {
            const TQualifierList& q = a->getQualifierList();
            for (size_t i = s.size(); i-- > 0;) {
                const TStorageQualifier storage = i < q.size() ? q[i] : EvqIn;
                push(s[i], storage == EvqOut ? kWrite : storage == EvqInOut ? kBoth : kRead);
            }
            return;
        }
        for (size_t i = s.size(); i-- > 0;)
            push(s[i], argument(op, i, s.size()));
    }

    /// The access of built-in functions to their arguments. The statements of a list count as arguments that
    /// are read.
    static Access argument(TOperator op, size_t i, size_t count) {
        if (is_atomic_on_memory(op)) return i == 0 ? kBoth : kRead;
        switch (op) {
            case EOpModf:
            case EOpFrexp:
            case EOpAddCarry:
            case EOpSubBorrow:
                return i + 1 == count ? kWrite : kRead;
            case EOpUMulExtended:
            case EOpIMulExtended:
                return i >= 2 ? kWrite : kRead;
            case EOpArrayLength:
                return kNothing;
            default:
                return kRead;
        }
    }

    void fail(TIntermNode* n, std::string rule) {
        const int line = n->getLoc().line;
        if (!error_.rule.empty() && error_.line <= line) return;
        error_ = {std::move(rule), line};
    }

    std::vector<Item> work_;
    AccessError error_;
};

}  // namespace

AccessError check_access(TIntermNode* root) {
    return AccessCheck().run(root);
}

}  // namespace terrazzo::shaders::glsl
