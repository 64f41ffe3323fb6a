// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shapes of glslang's tree that are processed in a loop: see scan.h.
#include <algorithm>

#include "shaders/glsl/scan.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

TIntermSymbol* base_symbol(TIntermNode* n) {
    while (n) {
        if (TIntermSymbol* s = n->getAsSymbolNode()) return s;
        TIntermBinary* b = n->getAsBinaryNode();
        if (!b) return nullptr;
        switch (b->getOp()) {
            case EOpIndexDirect:
            case EOpIndexIndirect:
            case EOpIndexDirectStruct:
            case EOpVectorSwizzle:
                n = b->getLeft();
                break;
            default:
                return nullptr;
        }
    }
    return nullptr;
}

bool is_operator(TIntermNode* n) {
    TIntermBinary* const b = n ? n->getAsBinaryNode() : nullptr;
    if (!b || b->modifiesState()) return false;
    switch (b->getOp()) {
        case EOpIndexDirect:
        case EOpIndexIndirect:
        case EOpIndexDirectStruct:
        case EOpVectorSwizzle:
            return false;
        default:
            return true;
    }
}

std::vector<TIntermBinary*> operator_chain(TIntermBinary* last) {
    std::vector<TIntermBinary*> chain{last};
    while (is_operator(chain.back()->getLeft()))
        chain.push_back(chain.back()->getLeft()->getAsBinaryNode());
    std::reverse(chain.begin(), chain.end());
    return chain;
}

}  // namespace terrazzo::shaders::glsl
