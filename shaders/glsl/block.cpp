// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform blocks: what the linker is told of them, and loads of their members.
#include "shaders/glsl/block.h"

#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

namespace {

/// Larger ones are larger than any device's limit; what follows counts bytes in 32 bits.
constexpr uint64_t kMaxBlock_B = 1u << 26;

bool has_instance_name(const TIntermSymbol* s) {
    return s->getName().compare(0, 5, "anon@") != 0;
}

const char* packing_name(TLayoutPacking p) {
    return p == ElpStd140 ? "std140 " : p == ElpPacked ? "packed " : "shared ";
}

std::vector<bool> row_major_members(const TIntermSymbol* s) {
    const bool all = s->getQualifier().layoutMatrix == ElmRowMajor;
    std::vector<bool> r;
    for (const TTypeLoc& m : *s->getType().getStruct()) {
        if (m.type->hiddenMember()) continue;
        const TLayoutMatrix own = m.type->getQualifier().layoutMatrix;
        r.push_back(own == ElmNone ? all : own == ElmRowMajor);
    }
    return r;
}

/// Lists the members of a block as GL names them.
struct MemberLister {
    std::vector<InterfaceVar>& list;
    const InterfaceVar& pattern;
    const Type& block;  // without the array that it may be
    const BlockLayout& layout;
    uint64_t& used_B;
    size_t most;
    uint64_t most_B;
    std::vector<uint32_t> steps;
    size_t first_dimension;  // of the members: 1 in arrays of blocks

    [[nodiscard]] bool full() const { return used_B > most_B || list.size() > most; }
    void visit(const Type* t, const std::string& name, uint32_t leaf) {
        if (full()) return;
        const bool array_of_basic = t->is_array() && t->dims.size() == 1 && t->base != Base::Struct;
        if (t->is_array() && !array_of_basic) {
            for (uint32_t i = 0; i < t->dims[0]; ++i) {
                steps.push_back(i);
                visit(t->element, name + "[" + std::to_string(i) + "]", leaf);
                steps.pop_back();
            }
        } else if (t->base == Base::Struct) {
            members(*t, name.empty() ? name : name + ".", leaf);
        } else {
            add(t, name, leaf);
        }
    }
    void members(const Type& t, const std::string& prefix, uint32_t leaf) {
        for (const Member& m : t.members)
            visit(m.type, prefix + m.name, leaf + m.first_leaf);
    }
    void add(const Type* t, const std::string& name, uint32_t leaf) {
        const Leaf& l = block.leaves[leaf];
        const BlockLeaf& place = layout.leaves[leaf];
        InterfaceVar& v = list.emplace_back(pattern);
        v.name = name;
        used_B += name.size();
        v.type = interface_type(*l.basic);
        v.precision = l.basic->precision;
        v.array_size = t->is_array() ? t->dims[0] : 0;
        v.offset_B = place.offset_B;
        for (size_t i = 0; i < steps.size(); ++i)
            v.offset_B += steps[i] * place.strides_B[first_dimension + i];
        v.array_stride_B = t->is_array() ? place.strides_B.back() : 0;
        v.matrix_stride_B = place.matrix_stride_B;
        v.row_major = place.row_major;
    }
};

}  // namespace

void Walker::declare_block(TIntermSymbol* s) {
    const int line = s->getLoc().line;
    const Type* t = type_of(s);
    if (failed_) return;
    const std::string name = s->getType().getTypeName().c_str();
    const bool instance = has_instance_name(s);
    if (t->dims.size() > 1)
        return fail(line, "'" + name + "' : Terrazzo: arrays of arrays of blocks are not supported");
    const Type& block = t->is_array() ? *t->element : *t;
    const std::vector<bool> row_major = row_major_members(s);
    Block& b = blocks_.emplace_back();
    b.index = int(out_.blocks.size());
    b.layout = std140(*t, row_major);
    if (b.layout.size_B > kMaxBlock_B)
        return fail(line, "'" + name + "' : Terrazzo: a uniform block of more than " +
                              std::to_string(kMaxBlock_B) + " bytes");

    BlockVar& v = out_.blocks.emplace_back();
    v.name = name;
    v.array_size = t->is_array() ? t->dims[0] : 0;
    v.size_B = uint32_t(b.layout.size_B);
    if (s->getQualifier().hasBinding()) v.binding = int(s->getQualifier().layoutBinding);
    v.statically_used = scan_.use(s->getId()).used();
    v.line = uint32_t(std::max(0, line));
    v.declared_type = packing_name(s->getQualifier().layoutPacking) + std::string("{");
    for (size_t n = 0; n < block.members.size(); ++n)
        v.declared_type += (row_major[n] ? "row_major " : "") + declaration(*block.members[n].type) + " " +
                           block.members[n].name + ";";
    v.declared_type += instance ? "} with an instance name" : "}";
    interface_B_ += v.name.size() + v.declared_type.size();
    b.var = v.var = sh_.add_var(name, ir::Type::Void, std::max(1u, v.array_size), ir::Storage::UniformBlock);
    b.var->binding = v.binding;

    InterfaceVar pattern;
    pattern.var = b.var;
    pattern.block = b.index;
    pattern.statically_used = v.statically_used;
    pattern.line = v.line;
    MemberLister lister{out_.uniforms,      pattern,         block, b.layout,     interface_B_,
                        kMaxInterfaceLines, kMaxInterface_B, {},    t->is_array()};
    lister.members(block, instance ? name + "." : "", 0);
    if (lister.full()) return fail_interface(line);

    Object& o = objects_.emplace_back();
    o.type = t;
    o.block = &b;
    Binding& bound = bindings_[s->getId()];
    bound.kind = Binding::Kind::Storage;
    bound.object = &o;
}

/// `count` words of a block from a place on; what they are in GLSL.
void Walker::load_words(const BlockPlace& at, uint32_t offset_B, unsigned count, Base base, Vals& out) {
    ir::MemInfo m;
    m.space = ir::Storage::UniformBlock;
    m.words = uint8_t(count);
    m.indexed = at.index != nullptr;
    m.var = at.var;
    m.offset_B = at.offset_B + offset_B;
    Value* const operands[] = {at.dynamic ? at.dynamic : i32(0), at.index};
    const ir::Type type = base == Base::Float ? ir::Type::F32 : ir::Type::I32;
    const ir::Type types[] = {type, type, type, type};
    ir::Instr* const i =
        sh_.create(Op::LoadBuffer, std::span(operands, at.index ? 2 : 1), std::span(types, count));
    i->u.mem = sh_.create_mem(m);
    b_.insert(i);
    for (unsigned n = 0; n < count; ++n)
        out.push_back(base == Base::Bool ? b_.alu(Op::INe, i->result(n), i32(0)) : i->result(n));
}

/// Where the elements that the steps lead to begin.
BlockPlace Walker::block_place(const Place& p, uint32_t leaf) {
    const BlockLeaf& l = p.object->block->layout.leaves[leaf];
    BlockPlace at;
    at.var = p.object->block->var;
    at.offset_B = l.offset_B;
    const bool array_of_blocks = p.object->type->is_array();
    if (array_of_blocks && !p.steps.empty())
        at.index = p.steps[0].dynamic ? p.steps[0].dynamic : i32(int32_t(p.steps[0].constant));
    for (size_t i = array_of_blocks; i < p.steps.size(); ++i) {
        at.offset_B += p.steps[i].constant * l.strides_B[i];
        if (p.steps[i].dynamic) at.dynamic = add_index(at.dynamic, p.steps[i].dynamic, l.strides_B[i]);
    }
    return at;
}

/// A scalar, vector or matrix, all of it.
void Walker::load_whole(const BlockPlace& at, const BlockLeaf& l, const Type& t, Vals& out) {
    for (uint32_t c = 0; c < t.columns; ++c) {
        if (!l.row_major) {
            load_words(at, c * l.matrix_stride_B, t.rows, t.base, out);
            continue;
        }
        for (uint32_t r = 0; r < t.rows; ++r)
            load_words(at, r * l.matrix_stride_B + c * 4, 1, t.base, out);
    }
}

/// All elements from dimension `depth` of the leaf on.
void Walker::load_elements(const BlockPlace& at, uint32_t leaf, const Object& o, size_t depth, Vals& out) {
    const Leaf& l = o.type->leaves[leaf];
    const BlockLeaf& place = o.block->layout.leaves[leaf];
    if (depth == l.dims.size()) return load_whole(at, place, *l.basic, out);
    for (uint32_t e = 0; e < l.dims[depth]; ++e) {
        BlockPlace element = at;
        element.offset_B += e * place.strides_B[depth];
        load_elements(element, leaf, o, depth + 1, out);
    }
}

Vals Walker::load_block(const Place& p) {
    const Object& o = *p.object;
    Vals r;
    if (p.type->is_array() || p.type->base == Base::Struct) {
        if (!count_moves(p.type->components, 0)) return undefined(p.type);
        for (uint32_t k = 0; k < p.type->leaves.size(); ++k)
            load_elements(block_place(p, p.first_leaf + k), p.first_leaf + k, o, p.steps.size(), r);
        return r;
    }
    const Type& t = *o.type->leaves[p.first_leaf].basic;
    const BlockLeaf& l = o.block->layout.leaves[p.first_leaf];
    BlockPlace at = block_place(p, p.first_leaf);
    if (p.column < 0 && !p.column_dynamic && p.type->is_matrix()) {
        load_whole(at, l, t, r);
        return r;
    }
    const uint32_t column_B = l.row_major ? 4 : l.matrix_stride_B;
    const uint32_t row_B = l.row_major ? l.matrix_stride_B : 4;
    if (p.column >= 0) at.offset_B += uint32_t(p.column) * column_B;
    if (p.column_dynamic) at.dynamic = add_index(at.dynamic, p.column_dynamic, column_B);
    const uint32_t count = p.swizzle.empty() ? t.rows : p.swizzle.size();
    const auto row = [&](uint32_t c) { return p.swizzle.empty() ? c : uint32_t(p.swizzle[c]); };
    if (p.component_dynamic && p.swizzle.empty()) {
        at.dynamic = add_index(at.dynamic, p.component_dynamic, row_B);
        load_words(at, 0, 1, t.base, r);
        return r;
    }
    bool in_order = !l.row_major;
    for (uint32_t c = 1; c < count; ++c)
        in_order &= row(c) == row(0) + c;
    if (in_order) {
        load_words(at, row(0) * 4, count, t.base, r);
    } else {
        for (uint32_t c = 0; c < count; ++c)
            load_words(at, row(c) * row_B, 1, t.base, r);
    }
    return p.component_dynamic ? Vals{pick(r, p.component_dynamic)} : r;
}

}  // namespace terrazzo::shaders::glsl
