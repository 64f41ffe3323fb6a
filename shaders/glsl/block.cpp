// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform and storage blocks, atomic counters and shared memory: their declarations for the linker.
// block_access.cpp reads and writes them.
#include "shaders/glsl/block.h"

#include <utility>

#include "shaders/counter_limits.h"
#include "shaders/glsl/leaf_lister.h"
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

uint8_t memory_qualifiers(const TQualifier& q) {
    using namespace ir::mem_flag;
    return uint8_t((q.coherent ? kCoherent : 0) | (q.volatil ? kVolatile : 0) | (q.restrict ? kRestrict : 0) |
                   (q.readonly ? kReadonly : 0) | (q.writeonly ? kWriteonly : 0));
}

bool has_instance_name(const TIntermSymbol* s) {
    return s->getName().compare(0, 5, "anon@") != 0;
}

namespace {

/// Larger blocks exceed every device's limit. Later code counts bytes in 32 bits.
constexpr uint64_t kMaxBlock_B = 1u << 26;

const char* packing_name(TLayoutPacking p) {
    return p == ElpStd140 ? "std140 " : p == ElpStd430 ? "std430 " : p == ElpPacked ? "packed " : "shared ";
}

/// The block's qualifiers. One that any member has counts for the block, except that readonly and writeonly
/// need all members.
uint8_t block_qualifiers(const TIntermSymbol* s) {
    using namespace ir::mem_flag;
    uint8_t any = memory_qualifiers(s->getQualifier()), all = kReadonly | kWriteonly;
    for (const TTypeLoc& m : *s->getType().getStruct()) {
        const uint8_t own = memory_qualifiers(m.type->getQualifier());
        any |= own & ~(kReadonly | kWriteonly | kRestrict);
        all &= own;
    }
    return any | all;
}

std::vector<bool> row_major_members(const TIntermSymbol* s) {
    const bool all = s->getQualifier().layoutMatrix == ElmRowMajor;
    std::vector<bool> r;
    for (const TTypeLoc& m : *s->getType().getStruct()) {
        const TLayoutMatrix own = m.type->getQualifier().layoutMatrix;
        r.push_back(own == ElmNone ? all : own == ElmRowMajor);
    }
    return r;
}

/// Lists the members of a block with GL's names.
struct MemberLister : LeafLister<MemberLister> {
    std::vector<InterfaceVar>& list;
    const InterfaceVar& pattern;
    const Type& block;  // without its array
    const BlockLayout& layout;
    uint64_t& used_B;
    size_t most;
    uint64_t most_B;
    size_t first_dimension;  // the members' first dimension: 1 in arrays of blocks
    bool storage;
    uint32_t top_array_size = 1, top_array_stride_B = 0;
    bool in_top_member = false;

    MemberLister(std::vector<InterfaceVar>& l, const InterfaceVar& p, const Type& t, const BlockLayout& where,
                 uint64_t& used, size_t lines, uint64_t bytes, size_t first, bool in_storage)
        : list(l),
          pattern(p),
          block(t),
          layout(where),
          used_B(used),
          most(lines),
          most_B(bytes),
          first_dimension(first),
          storage(in_storage) {}

    [[nodiscard]] bool full() const { return used_B > most_B || list.size() > most; }
    uint32_t listed(const Type* t, uint32_t leaf) {
        // OpenGL ES 3.1 section 7.3.1.1: for a top-level array of a storage block, only the first element is
        // listed.
        if (!storage || !in_top_member || !steps.empty()) return t->dims[0];
        top_array_size = t->dims[0];
        top_array_stride_B = layout.leaves[leaf].strides_B[first_dimension];
        return 1;
    }
    void begin_member(size_t, bool top) {
        in_top_member = top;
        if (top) top_array_size = 1, top_array_stride_B = 0;
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
        v.unsized = t->is_array() && t->dims[0] == 0;
        v.top_array_size = top_array_size;
        v.top_array_stride_B = top_array_stride_B;
    }
};

}  // namespace

void Walker::declare_block(TIntermSymbol* s) {
    const int line = s->getLoc().line;
    const Type* t = type_of(s);
    if (failed_) return;
    const std::string name = s->getType().getTypeName().c_str();
    const bool instance = has_instance_name(s);
    const Type& block = element_type(t);
    // The parser has refused arrays of arrays of blocks.
    const uint32_t elements = t->is_array() ? t->dims[0] : 1;
    const std::vector<bool> row_major = row_major_members(s);
    const bool storage = s->getQualifier().storage == EvqBuffer;
    if (!check_binding(s, elements,
                       storage ? options_.limits.storage_bindings : options_.limits.uniform_bindings,
                       storage ? "storage blocks" : "uniform blocks"))
        return;
    std::vector<BlockVar>& list = storage ? out_.storage_blocks : out_.blocks;
    Block& b = blocks_.emplace_back();
    b.index = int(list.size());
    b.space = storage ? ir::Storage::Buffer : ir::Storage::UniformBlock;
    if (storage) b.qualifiers = block_qualifiers(s);
    b.layout = layout_block(*t, row_major,
                            s->getQualifier().layoutPacking == ElpStd430 ? Packing::Std430 : Packing::Std140);
    if (b.layout.size_B > kMaxBlock_B)
        return fail(line, "'" + name + "' : Terrazzo: a block of more than " + std::to_string(kMaxBlock_B) +
                              " bytes");

    BlockVar& v = list.emplace_back();
    v.name = name;
    v.array_size = t->is_array() ? elements : 0;
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
    b.var = v.var = sh_.add_var(name, ir::Type::Void, elements, b.space);
    b.var->binding = v.binding;

    InterfaceVar pattern;
    pattern.var = b.var;
    pattern.block = b.index;
    pattern.statically_used = v.statically_used;
    pattern.line = v.line;
    MemberLister lister{storage ? out_.buffer_variables : out_.uniforms,
                        pattern,
                        block,
                        b.layout,
                        interface_B_,
                        kMaxInterfaceLines,
                        kMaxInterface_B,
                        t->dims.size(),
                        storage};
    lister.members(block, instance ? name + "." : "", 0);
    if (lister.full()) return fail_interface(line);

    bind_block(s, t, b);
}

/// ESSL 3.10 section 4.4.5: a binding, for an array that of each element, must be below the limit.
bool Walker::check_binding(TIntermSymbol* s, uint32_t count, int limit, const char* what) {
    const TQualifier& q = s->getQualifier();
    if (!q.hasBinding() || uint64_t(q.layoutBinding) + count <= uint64_t(limit)) return true;
    fail(s->getLoc().line, "'binding' : there are " + std::to_string(limit) + " bindings of " + what);
    return false;
}

void Walker::bind_block(TIntermSymbol* s, const Type* t, const Block& b) {
    Object& o = objects_.emplace_back();
    o.type = t;
    o.block = &b;
    Binding& bound = bindings_[s->getId()];
    bound.kind = Binding::Kind::Storage;
    bound.object = &o;
}

/// The variable of a binding's buffer is created for its first counter.
void Walker::declare_counter(TIntermSymbol* s) {
    const Type* t = type_of(s);
    const TQualifier& q = s->getQualifier();
    const int line = s->getLoc().line;
    if (failed_) return;
    // The parser has refused counters without a binding, and placed them one after the other.
    const int binding = q.hasBinding() ? int(q.layoutBinding) : 0;
    Block& b = blocks_.emplace_back();
    b.space = ir::Storage::Buffer;
    ir::Var*& buffer = counter_buffers_[binding];
    if (!buffer) {
        buffer = sh_.add_var("gl_AtomicCounters" + std::to_string(binding), ir::Type::Void, 1, b.space);
        buffer->binding = binding;
    }
    b.var = buffer;
    b.layout = layout_shared(*t, q.hasOffset() ? uint64_t(q.layoutOffset) : 0);
    if (b.layout.size_B > kMaxCounterBuffer_B)
        return fail(line, "an atomic counter lies beyond gl_MaxAtomicCounterBufferSize");
    InterfaceVar pattern = describe(s, t);
    pattern.var = b.var;
    pattern.binding = binding;
    MemberLister lister{out_.uniforms,      pattern,         *t, b.layout, interface_B_,
                        kMaxInterfaceLines, kMaxInterface_B, 0,  false};
    lister.visit(t, pattern.name, 0);
    if (lister.full()) return fail_interface(line);
    bind_block(s, t, b);
}

void Walker::declare_shared(TIntermSymbol* s) {
    const Type* t = type_of(s);
    if (failed_ || !scan_.use(s->getId()).used()) return;
    Block& b = blocks_.emplace_back();
    b.space = ir::Storage::Shared;
    b.layout = layout_shared(*t, sh_.info.shared_B);
    if (b.layout.size_B > uint64_t(options_.limits.compute_shared_B))
        return fail(s->getLoc().line,
                    "too many shared variables: up to '" + std::string(s->getName().c_str()) +
                        "' they have " + std::to_string(b.layout.size_B) + " bytes, " +
                        std::to_string(options_.limits.compute_shared_B) + " are supported");
    sh_.info.shared_B = uint32_t(b.layout.size_B);
    bind_block(s, t, b);
}

}  // namespace terrazzo::shaders::glsl
