// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Constructors (ESSL 1.00 section 5.4): conversions, vectors and matrices from any mix, structures, arrays.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

Vals Walker::construct_matrix(const Type* t, const std::vector<Vals>& args,
                              const std::vector<const Type*>& types) {
    Vals r;
    if (args.size() == 1 && args[0].size() == 1) {
        Value* d = convert(args[0][0], types[0]->base, Base::Float);
        for (unsigned c = 0; c < t->columns; ++c)
            for (unsigned row = 0; row < t->rows; ++row)
                r.push_back(c == row ? d : f32(0.0f));
        return r;
    }
    if (args.size() == 1 && types[0]->is_matrix()) {
        const Type* from = types[0];
        for (unsigned c = 0; c < t->columns; ++c) {
            for (unsigned row = 0; row < t->rows; ++row) {
                const bool inside = c < from->columns && row < from->rows;
                r.push_back(inside ? args[0][c * from->rows + row] : f32(c == row ? 1.0f : 0.0f));
            }
        }
        return r;
    }
    for (size_t i = 0; i < args.size(); ++i)
        for (Value* v : args[i])
            if (r.size() < t->components) r.push_back(convert(v, types[i]->base, Base::Float));
    return r;
}

/// A structure or an array from its members or elements.
Vals Walker::construct_aggregate(const Type* t, const std::vector<Vals>& args) {
    if (!t->is_array()) {
        Vals r;
        for (const Vals& a : args)
            r.append(a);
        return r;
    }
    Vals r;
    for (const Leaf& l : t->element->leaves)
        for (const Vals& a : args)
            r.append(a.data() + l.first_component, l.count);
    return r;
}

Vals Walker::eval_constructor(TIntermAggregate* n) {
    const Type* t = type_of(n);
    std::vector<Vals> args;
    std::vector<const Type*> types;
    for (TIntermNode* s : n->getSequence()) {
        TIntermTyped* typed = s->getAsTyped();
        if (!typed) continue;
        types.push_back(type_of(typed));
        args.push_back(eval(typed));
    }
    if (failed_ || args.empty()) return undefined(t);
    at(n);
    if (t->is_array() || t->base == Base::Struct) {
        const size_t wanted = t->is_array() ? t->dims[0] : t->members.size();
        if (args.size() == wanted) return construct_aggregate(t, args);
        fail(n->getLoc().line, "Terrazzo: constructor has the wrong number of arguments");
        return {};
    }
    if (t->is_matrix()) return construct_matrix(t, args, types);
    Vals r;
    for (size_t i = 0; i < args.size(); ++i)
        for (Value* v : args[i])
            if (r.size() < t->components) r.push_back(convert(v, types[i]->base, t->base));
    if (r.size() == 1) {
        Value* repeated = r[0];
        r.append(t->components - 1, repeated);
    }
    return r;
}

}  // namespace terrazzo::shaders::glsl
