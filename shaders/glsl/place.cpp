// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads and writes variables and parts of them. A dynamic index into a vector or matrix of a local variable
// becomes selects, so that the variable can become SSA values. A dynamic index into arrays and uniforms
// becomes an indexed access.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

Value* Walker::clamped_index(TIntermTyped* n, uint32_t size) {
    const Type* t = type_of(n);
    Value* i = eval_scalar(n);
    if (size == 0) return i;  // an array as long as its buffer, whose accesses are robust
    if (size == 1) return nullptr;
    at(static_cast<TIntermNode*>(n));
    b_.flags = 0;
    if (t->base == Base::Uint) return b_.alu(Op::UMin, i, i32(int32_t(size - 1)));
    return b_.alu(Op::IMin, b_.alu(Op::IMax, i, i32(0)), i32(int32_t(size - 1)));
}

static uint32_t constant_index(TIntermTyped* n, uint32_t size) {
    const int i = n->getAsConstantUnion() ? n->getAsConstantUnion()->getConstArray()[0].getIConst() : 0;
    return i < 0 ? 0 : std::min(uint32_t(i), size - 1);
}

bool Walker::place_of(TIntermTyped* n, Place& p) {
    if (TIntermSymbol* s = n->getAsSymbolNode()) {
        Binding& b = binding(s);
        if (b.kind == Binding::Kind::Alias) {
            p = b.place;
            return true;
        }
        if (b.kind != Binding::Kind::Storage) return false;
        p.object = b.object;
        p.type = b.object->type;
        return true;
    }
    TIntermBinary* b = n->getAsBinaryNode();
    if (!b) return false;
    switch (b->getOp()) {
        case EOpIndexDirect:
        case EOpIndexIndirect:
        case EOpIndexDirectStruct:
        case EOpVectorSwizzle:
            break;
        default:
            return false;
    }
    if (!place_of(b->getLeft(), p)) return false;
    enter(p, b);
    return true;
}

/// Narrows the place by an index, member or swizzle.
void Walker::enter(Place& p, TIntermBinary* n) {
    const Type* t = p.type;
    if (failed_) return;  // a refused type has no members
    if (p.object->per_vertex && !p.vertex) {
        p.vertex = eval_scalar(n->getRight());
        return;
    }
    const bool direct = n->getOp() == EOpIndexDirect;
    if (n->getOp() == EOpIndexDirectStruct) {
        const Member& m = t->members[constant_index(n->getRight(), uint32_t(t->members.size()))];
        p.first_leaf += m.first_leaf;
        p.type = m.type;
        return;
    }
    if (t->is_array()) {
        Step step;
        if (direct) {
            step.constant = constant_index(n->getRight(), t->dims[0]);
        } else {
            step.dynamic = clamped_index(n->getRight(), t->dims[0]);
        }
        p.steps.push_back(step);
        p.type = t->element;
        return;
    }
    if (t->is_matrix()) {
        if (direct) {
            p.column = int(constant_index(n->getRight(), t->columns));
        } else {
            p.column_dynamic = clamped_index(n->getRight(), t->columns);
            if (!p.column_dynamic) p.column = 0;
        }
        p.type = types_.basic(t->base, 1, t->rows, t->precision);
        return;
    }
    const uint32_t size = p.swizzle.empty() ? t->rows : uint32_t(p.swizzle.size());
    const auto component = [&](uint32_t i) { return p.swizzle.empty() ? uint8_t(i) : p.swizzle[i]; };
    if (n->getOp() == EOpVectorSwizzle) {
        Swizzle s;
        for (TIntermNode* c : n->getRight()->getAsAggregate()->getSequence())
            s.push_back(component(constant_index(c->getAsTyped(), size)));
        p.swizzle = s;
        p.type = types_.basic(t->base, 1, unsigned(s.size()), t->precision);
        return;
    }
    if (direct) {
        Swizzle one;
        one.push_back(component(constant_index(n->getRight(), size)));
        p.swizzle = one;
    } else if (Value* i = clamped_index(n->getRight(), size)) {
        p.component_dynamic = i;
    }
    p.type = types_.basic(t->base, 1, 1, t->precision);
}

/// dynamic + index * stride; `dynamic` may be null.
Value* Walker::add_index(Value* dynamic, Value* index, uint32_t stride) {
    const uint8_t flags = b_.flags;
    b_.flags = 0;
    Value* v = stride == 1 ? index : b_.imul(index, i32(int32_t(stride)));
    if (dynamic) v = b_.iadd(dynamic, v);
    b_.flags = flags;
    return v;
}

void Walker::offset_of(const Place& p, uint32_t leaf, uint32_t& constant, Value*& dynamic) {
    const Leaf& l = p.object->type->leaves[leaf];
    constant = 0;
    dynamic = nullptr;
    for (size_t i = 0; i < p.steps.size(); ++i) {
        constant += p.steps[i].constant * l.strides[i];
        if (p.steps[i].dynamic) dynamic = add_index(dynamic, p.steps[i].dynamic, l.strides[i]);
    }
}

/// from[index]; the index is in range.
Value* Walker::pick(std::span<Value* const> from, Value* index) {
    Value* v = from[0];
    for (size_t i = 1; i < from.size(); ++i) {
        if (from[i] != v) v = b_.select(b_.alu(Op::IEq, index, i32(int32_t(i))), from[i], v);
    }
    return v;
}

static bool index_in_memory(const ir::Var* v, const Value* dynamic) {
    return v->storage == ir::Storage::Uniform || dynamic;
}

Value* Walker::load_var(const Place& p, ir::Var* v, uint32_t at, Value* dynamic) {
    return p.object->direct ? load_direct(p, v, at, dynamic) : b_.load_var(v, at, dynamic);
}

void Walker::store_var(const Place& p, ir::Var* v, uint32_t at, Value* value, Value* dynamic) {
    if (p.object->direct) return store_direct(p, v, at, value, dynamic);
    b_.store_var(v, at, value, dynamic);
}

Vals Walker::load_basic(const Place& p) {
    const Leaf& leaf = p.object->type->leaves[p.first_leaf];
    const Type* t = leaf.basic;
    ir::Var* v = p.object->vars[p.first_leaf];
    uint32_t base;
    Value* dynamic;
    offset_of(p, p.first_leaf, base, dynamic);
    if (p.column < 0 && !p.column_dynamic && p.type->is_matrix()) {
        Vals r;
        for (uint32_t c = 0; c < t->components; ++c)
            r.push_back(load_var(p, v, base + c, dynamic));
        return r;
    }
    const bool memory = index_in_memory(v, dynamic);
    bool select_column = false;
    if (p.column >= 0) {
        base += uint32_t(p.column) * t->rows;
    } else if (p.column_dynamic) {
        if (memory)
            dynamic = add_index(dynamic, p.column_dynamic, t->rows);
        else
            select_column = true;
    }
    const auto component = [&](uint32_t c) {
        if (!select_column) return load_var(p, v, base + c, dynamic);
        Vals columns;
        for (uint32_t i = 0; i < t->columns; ++i)
            columns.push_back(load_var(p, v, base + i * t->rows + c, dynamic));
        return pick(columns, p.column_dynamic);
    };
    if (p.component_dynamic) {
        if (memory && !select_column && p.swizzle.empty())
            return {load_var(p, v, base, add_index(dynamic, p.component_dynamic, 1))};
        Vals all;
        const uint32_t n = p.swizzle.empty() ? t->rows : uint32_t(p.swizzle.size());
        for (uint32_t c = 0; c < n; ++c)
            all.push_back(component(p.swizzle.empty() ? c : p.swizzle[c]));
        return {pick(all, p.component_dynamic)};
    }
    Vals r;
    if (p.swizzle.empty()) {
        for (uint32_t c = 0; c < t->rows; ++c)
            r.push_back(component(c));
    } else {
        for (uint32_t c = 0; c < p.swizzle.size(); ++c)
            r.push_back(component(p.swizzle[c]));
    }
    return r;
}

void Walker::store_basic(const Place& p, const Vals& val) {
    const Leaf& leaf = p.object->type->leaves[p.first_leaf];
    const Type* t = leaf.basic;
    ir::Var* v = p.object->vars[p.first_leaf];
    uint32_t base;
    Value* dynamic;
    offset_of(p, p.first_leaf, base, dynamic);
    if (p.column < 0 && !p.column_dynamic && p.type->is_matrix()) {
        for (uint32_t c = 0; c < t->components; ++c)
            store_var(p, v, base + c, val[c], dynamic);
        return;
    }
    const bool memory = index_in_memory(v, dynamic);
    bool select_column = false;
    if (p.column >= 0) {
        base += uint32_t(p.column) * t->rows;
    } else if (p.column_dynamic) {
        if (memory)
            dynamic = add_index(dynamic, p.column_dynamic, t->rows);
        else
            select_column = true;
    }
    // Writes component c if `cond` (null: always), and in the selected column if a column is chosen by
    // selects.
    const auto write = [&](uint32_t c, Value* value, Value* cond) {
        const uint32_t columns = select_column ? t->columns : 1;
        for (uint32_t i = 0; i < columns; ++i) {
            Value* here = cond;
            if (select_column) {
                here = b_.alu(Op::IEq, p.column_dynamic, i32(int32_t(i)));
                if (cond) here = b_.iand(here, cond);
            }
            const uint32_t at_component = base + i * t->rows + c;
            Value* stored = here ? b_.select(here, value, load_var(p, v, at_component, dynamic)) : value;
            store_var(p, v, at_component, stored, dynamic);
        }
    };
    if (p.component_dynamic) {
        if (memory && !select_column && p.swizzle.empty()) {
            store_var(p, v, base, val[0], add_index(dynamic, p.component_dynamic, 1));
            return;
        }
        const uint32_t n = p.swizzle.empty() ? t->rows : uint32_t(p.swizzle.size());
        for (uint32_t c = 0; c < n; ++c) {
            Value* here = b_.alu(Op::IEq, p.component_dynamic, i32(int32_t(c)));
            write(p.swizzle.empty() ? c : p.swizzle[c], val[0], here);
        }
        return;
    }
    const uint32_t n = p.swizzle.empty() ? t->rows : uint32_t(p.swizzle.size());
    for (uint32_t c = 0; c < n; ++c)
        write(p.swizzle.empty() ? c : p.swizzle[c], val[c], nullptr);
}

Vals Walker::load(const Place& p) {
    plain_flags();
    if (failed_) return undefined(p.type);
    if (p.object->block) return load_block(p);
    if (!has_vertex(p)) return undefined(p.type);
    if (!p.type->is_array() && p.type->base != Base::Struct) {
        if (is_opaque(p.type->base)) return undefined(p.type);
        return load_basic(p);
    }
    if (!count_moves(p.type->components, 0)) return undefined(p.type);
    Vals r;
    for (size_t k = 0; k < p.type->leaves.size(); ++k) {
        const uint32_t leaf = p.first_leaf + uint32_t(k);
        const Leaf& l = p.type->leaves[k];
        if (is_opaque(l.basic->base)) {
            r.append(l.count, i32(0));
            continue;
        }
        uint32_t base;
        Value* dynamic;
        offset_of(p, leaf, base, dynamic);
        for (uint32_t c = 0; c < l.count; ++c)
            r.push_back(load_var(p, p.object->vars[leaf], base + c, dynamic));
    }
    return r;
}

void Walker::store(const Place& p, const Vals& v) {
    plain_flags();
    if (failed_) return;
    if (p.object->block) return store_block(p, v);
    if (!has_vertex(p)) return;
    if (!p.type->is_array() && p.type->base != Base::Struct) {
        store_basic(p, v);
        return;
    }
    if (!count_moves(p.type->components, 0)) return;
    size_t pos = 0;
    for (size_t k = 0; k < p.type->leaves.size(); ++k) {
        const uint32_t leaf = p.first_leaf + uint32_t(k);
        uint32_t base;
        Value* dynamic;
        offset_of(p, leaf, base, dynamic);
        for (uint32_t c = 0; c < p.type->leaves[k].count; ++c)
            store_var(p, p.object->vars[leaf], base + c, v[pos++], dynamic);
    }
}

Vals Walker::load(const Object* o) {
    Place p;
    p.object = o;
    p.type = o->type;
    return load(p);
}

void Walker::store(const Object* o, const Vals& v) {
    Place p;
    p.object = o;
    p.type = o->type;
    store(p, v);
}

/// Stores a value to memory, so that it can be indexed; constants are stored once per shader.
Object* Walker::spill(const Vals& v, const Type* t) {
    const bool all_constant = std::all_of(v.begin(), v.end(), [](Value* x) { return ir::is_const(x); });
    if (!all_constant) {
        Object* o = local("indexed", t);
        store(o, v);
        return o;
    }
    Object*& o = spilled_constants_[{t, std::vector<Value*>(v.begin(), v.end())}];
    if (!o) {
        in_prologue([&] {
            o = local("table", t);
            store(o, v);
        });
    }
    return o;
}

Vals Walker::index_array(const Vals& v, const Type* t, uint32_t index) {
    Vals r;
    for (const Leaf& l : t->leaves) {
        r.append(v.data() + l.first_component + index * l.strides[0], l.strides[0]);
    }
    return r;
}

/// An index, member or swizzle of an expression that is not a variable.
Vals Walker::index_value(TIntermBinary* n) {
    const Type* t = type_of(n->getLeft());
    const Vals v = eval(n->getLeft());
    if (failed_) return undefined(type_of(n));
    const bool direct = n->getOp() == EOpIndexDirect;
    if (n->getOp() == EOpVectorSwizzle) {
        Vals r;
        for (TIntermNode* c : n->getRight()->getAsAggregate()->getSequence())
            r.push_back(v[constant_index(c->getAsTyped(), t->rows)]);
        return r;
    }
    if (n->getOp() == EOpIndexDirectStruct) {
        const Member& m = t->members[constant_index(n->getRight(), uint32_t(t->members.size()))];
        return Vals(v.begin() + m.first_component, v.begin() + m.first_component + m.type->components);
    }
    if (t->is_array()) {
        if (direct) return index_array(v, t, constant_index(n->getRight(), t->dims[0]));
        Place p;
        p.object = spill(v, t);
        p.type = t->element;
        p.steps.push_back({0, clamped_index(n->getRight(), t->dims[0])});
        return load(p);
    }
    const uint32_t rows = t->is_matrix() ? t->rows : 1;
    const uint32_t size = t->is_matrix() ? t->columns : t->rows;
    if (direct) {
        const auto first = v.begin() + constant_index(n->getRight(), size) * rows;
        return Vals(first, first + rows);
    }
    Value* i = clamped_index(n->getRight(), size);
    Vals r;
    for (uint32_t c = 0; c < rows; ++c) {
        Vals from;
        for (uint32_t k = 0; k < size; ++k)
            from.push_back(v[k * rows + c]);
        r.push_back(i ? pick(from, i) : from[0]);
    }
    return r;
}

}  // namespace terrazzo::shaders::glsl
