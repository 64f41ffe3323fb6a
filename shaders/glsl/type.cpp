// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Converts glslang's types and computes the layout of their leaves.
#include "shaders/glsl/type.h"

#include <algorithm>
#include <utility>

#include "shaders/glsl/ast.h"

namespace terrazzo::shaders::glsl {

ir::Type Type::scalar() const {
    switch (base) {
        case Base::Float:
            return ir::Type::F32;
        case Base::Bool:
            return ir::Type::Bool;
        case Base::Int:
        case Base::Uint:
        case Base::Sampler:
        case Base::Image:
        case Base::AtomicCounter:
            return ir::Type::I32;
        case Base::Void:
        case Base::Struct:
            break;
    }
    return ir::Type::Void;
}

static BaseType interface_base(Base b) {
    switch (b) {
        case Base::Float:
            return BaseType::Float;
        case Base::Int:
            return BaseType::Int;
        case Base::Uint:
            return BaseType::Uint;
        case Base::Bool:
            return BaseType::Bool;
        case Base::Sampler:
            return BaseType::Sampler;
        case Base::Image:
            return BaseType::Image;
        case Base::AtomicCounter:
            return BaseType::AtomicCounter;
        case Base::Void:
        case Base::Struct:
            break;
    }
    return BaseType::Float;
}

GlslType interface_type(const Type& basic) {
    GlslType g;
    g.base = interface_base(basic.base);
    g.columns = basic.columns;
    g.rows = basic.rows;
    if (basic.base == Base::Sampler || basic.base == Base::Image) {
        g.dim = basic.dim;
        g.arrayed = basic.arrayed;
        g.shadow = basic.shadow;
        g.external = basic.external;
        g.sampled = interface_base(basic.sampled);
    }
    return g;
}

static std::string basic_name(const Type& t) {
    static constexpr const char* kScalars[] = {"void", "float", "int", "uint", "bool"};
    static constexpr const char* kVectors[] = {"", "vec", "ivec", "uvec", "bvec"};
    if (t.base == Base::AtomicCounter) return "atomic_uint";
    if (t.base == Base::Sampler || t.base == Base::Image) {
        static constexpr const char* kDims[] = {"1D", "2D", "3D", "Cube", "Buffer", "2DMS"};
        std::string s = t.sampled == Base::Int ? "i" : t.sampled == Base::Uint ? "u" : "";
        s += t.base == Base::Image ? "image" : "sampler";
        if (t.external) return s + "ExternalOES";
        s += kDims[unsigned(t.dim)];
        if (t.arrayed) s += "Array";
        if (t.shadow) s += "Shadow";
        return s;
    }
    if (t.columns > 1) {
        std::string s = "mat" + std::to_string(t.columns);
        return t.columns == t.rows ? s : s + "x" + std::to_string(t.rows);
    }
    if (t.rows > 1) return kVectors[unsigned(t.base)] + std::to_string(t.rows);
    return kScalars[unsigned(t.base)];
}

std::string declaration(const Type& t) {
    std::string s;
    if (t.base != Base::Struct) {
        s = basic_name(t);
    } else {
        const Type& inner = element_type(&t);
        s = "struct " + inner.name + "{";
        for (const Member& m : inner.members)
            s += declaration(*m.type) + " " + m.name + ";";
        s += "}";
    }
    for (uint32_t d : t.dims)
        s += "[" + std::to_string(d) + "]";
    return s;
}

static ir::Precision precision_of(const glslang::TType& t) {
    switch (t.getQualifier().precision) {
        case glslang::EpqNone:
            return ir::Precision::None;
        case glslang::EpqLow:
            return ir::Precision::Low;
        case glslang::EpqMedium:
            return ir::Precision::Medium;
        case glslang::EpqHigh:
            return ir::Precision::High;
    }
    return ir::Precision::None;
}

static bool base_of(glslang::TBasicType b, Base& out) {
    switch (b) {
        case glslang::EbtVoid:
            out = Base::Void;
            return true;
        case glslang::EbtFloat:
            out = Base::Float;
            return true;
        case glslang::EbtInt:
            out = Base::Int;
            return true;
        case glslang::EbtUint:
            out = Base::Uint;
            return true;
        case glslang::EbtBool:
            out = Base::Bool;
            return true;
        default:
            return false;
    }
}

const Type* TypeTable::intern(const Key& key, Type&& t) {
    types_.push_back(std::move(t));
    interned_.emplace(key, &types_.back());
    return &types_.back();
}

/// Whether the limits on all types hold with one more type.
bool TypeTable::count(const Type& t, std::string& error) {
    members_ += t.leaves.size();
    for (const Leaf& l : t.leaves)
        names_B_ += l.suffix.size();
    if (members_ > kMaxTypeMembers)
        error = "Terrazzo: the shader's structures have more than " + std::to_string(kMaxTypeMembers) +
                " members together";
    else if (names_B_ > kMaxTypeNames_B)
        error = "Terrazzo: the names of the structures' members have more than " +
                std::to_string(kMaxTypeNames_B) + " bytes together";
    return error.empty();
}

const Type* TypeTable::basic(Base base, unsigned columns, unsigned rows, ir::Precision p) {
    const Type*& slot = plain_[unsigned(base)][columns][rows][unsigned(p)];
    if (slot) return slot;
    Type t;
    t.base = base;
    t.columns = uint8_t(columns);
    t.rows = uint8_t(rows);
    t.precision = p;
    t.components = base == Base::Void ? 0 : columns * rows;
    types_.push_back(std::move(t));
    Type& made = types_.back();
    if (made.components) made.leaves.push_back({&made, "", {}, {}, made.components, 0});
    return slot = &made;
}

const Type* TypeTable::make_sampler(const glslang::TSampler& s, ir::Precision p, std::string& error) {
    Type t;
    t.base = s.isImageClass() ? Base::Image : Base::Sampler;
    t.precision = p;
    t.components = 1;
    t.has_opaque = true;
    t.arrayed = s.isArrayed();
    t.shadow = s.isShadow();
    t.external = s.isExternal();
    if (s.isYuv() || (!s.isCombined() && t.base == Base::Sampler) || !base_of(s.getBasicType(), t.sampled)) {
        error = "Terrazzo: separate textures are not supported";
        return nullptr;
    }
    switch (s.dim) {
        case glslang::Esd2D:
            t.dim = s.isMultiSample() ? ir::TexDim::D2MS : ir::TexDim::D2;
            break;
        case glslang::Esd3D:
            t.dim = ir::TexDim::D3;
            break;
        case glslang::EsdCube:
            t.dim = ir::TexDim::Cube;
            break;
        case glslang::EsdBuffer:
            t.dim = ir::TexDim::Buffer;
            break;
        default:
            error = "Terrazzo: this sampler type is not supported";
            return nullptr;
    }
    const Key key{t.base == Base::Image ? 4u : 1u,
                  uint64_t(t.dim),
                  uint64_t(t.sampled),
                  uint64_t(t.arrayed),
                  uint64_t(t.shadow),
                  uint64_t(t.external),
                  uint64_t(p)};
    if (auto it = interned_.find(key); it != interned_.end()) return it->second;
    intern(key, std::move(t));
    Type& made = types_.back();
    made.leaves.push_back({&made, "", {}, {}, 1, 0});
    return &made;
}

const Type* TypeTable::make_counter() {
    const Key key{5};
    if (auto it = interned_.find(key); it != interned_.end()) return it->second;
    Type t;
    t.base = Base::AtomicCounter;
    t.components = 1;
    t.has_opaque = true;
    intern(key, std::move(t));
    Type& made = types_.back();
    made.leaves.push_back({&made, "", {}, {}, 1, 0});
    return &made;
}

const Type* TypeTable::make_array(const Type* element, uint32_t size, std::string& error) {
    const Key key{2, reinterpret_cast<uintptr_t>(element), size};
    if (auto it = interned_.find(key); it != interned_.end()) return it->second;
    if (uint64_t(size) * element->components > kMaxComponents) {
        error = "Terrazzo: array too large (more than " + std::to_string(kMaxComponents) + " scalars)";
        return nullptr;
    }
    Type t = *element;
    t.element = element;
    t.dims.insert(t.dims.begin(), size);
    t.components = element->components * size;
    uint32_t first = 0;
    for (Leaf& l : t.leaves) {
        l.dims.insert(l.dims.begin(), size);
        l.strides.insert(l.strides.begin(), l.count);
        l.count *= size;
        l.first_component = first;
        first += l.count;
    }
    return count(t, error) ? intern(key, std::move(t)) : nullptr;
}

/// Unsized inputs and outputs have the size of their constant indices (gl_ClipDistance); 0: there are none.
static unsigned implicit_size(const glslang::TType& t) {
    const bool io = t.getQualifier().isPipeInput() || t.getQualifier().isPipeOutput();
    if (!io || !t.isUnsizedArray() || t.getBasicType() != glslang::EbtFloat ||
        t.getArraySizes()->isDefaultImplicitlySized())
        return 0;
    return unsigned(std::max(0, t.getImplicitArraySize()));
}

/// A redeclared built-in block omits members. glslang's own blocks have unsized arrays that the shader does
/// not use or that belong to other extensions (gl_PositionPerViewNV).
static bool is_absent(const glslang::TType& block, const glslang::TType& member) {
    if (member.hiddenMember()) return true;
    return member.isUnsizedArray() && !implicit_size(member) && block.getTypeName().compare(0, 3, "gl_") == 0;
}

const Type* TypeTable::make_struct(const glslang::TType& g, std::string& error) {
    const Key key{3, reinterpret_cast<uintptr_t>(g.getStruct()), uint64_t(precision_of(g))};
    if (auto it = interned_.find(key); it != interned_.end()) return it->second;
    if (depth_ >= kMaxStructDepth) {
        error = "Terrazzo: more than " + std::to_string(kMaxStructDepth) + " structures inside one another";
        return nullptr;
    }
    const DepthScope depth(depth_);
    Type t;
    t.base = Base::Struct;
    t.name = g.getTypeName().c_str();
    uint64_t components = 0;
    for (const glslang::TTypeLoc& member : *g.getStruct()) {
        may_be_unsized_ = g.getBasicType() == glslang::EbtBlock;
        // Omitted members of a built-in block keep their number, since indices count them.
        const Type* m = is_absent(g, *member.type) ? basic(Base::Void, 1, 1, ir::Precision::None)
                                                   : get(*member.type, error);
        if (!m) return nullptr;
        const std::string name = member.type->getFieldName().c_str();
        t.members.push_back({name, m, uint32_t(t.leaves.size()), uint32_t(components)});
        if (m->has_opaque) t.has_opaque = true;
        for (const Leaf& l : m->leaves) {
            t.leaves.push_back(l);
            t.leaves.back().suffix = "." + name + l.suffix;
            t.leaves.back().first_component = uint32_t(components + l.first_component);
        }
        components += m->components;
        if (components > kMaxComponents || t.leaves.size() > kMaxLeaves) {
            error = "Terrazzo: structure too large (more than " + std::to_string(kMaxComponents) +
                    " scalars or " + std::to_string(kMaxLeaves) + " members)";
            return nullptr;
        }
    }
    t.components = uint32_t(components);
    return count(t, error) ? intern(key, std::move(t)) : nullptr;
}

const Type* TypeTable::get(const glslang::TType& g, std::string& error) {
    const bool may_be_unsized = std::exchange(may_be_unsized_, false);
    const Type* t = nullptr;
    Base base;
    if (g.getBasicType() == glslang::EbtStruct || g.getBasicType() == glslang::EbtBlock) {
        t = make_struct(g, error);
    } else if (g.getBasicType() == glslang::EbtSampler) {
        t = make_sampler(g.getSampler(), precision_of(g), error);
    } else if (g.getBasicType() == glslang::EbtAtomicUint) {
        t = make_counter();
    } else if (base_of(g.getBasicType(), base)) {
        const bool matrix = g.isMatrix();
        t = basic(base, matrix ? g.getMatrixCols() : 1, matrix ? g.getMatrixRows() : g.getVectorSize(),
                  precision_of(g));
    } else {
        error = "Terrazzo: type '" + std::string(g.getBasicTypeString().c_str()) + "' is not supported";
    }
    if (!t || !g.isArray()) return t;
    for (int d = g.getArraySizes()->getNumDims() - 1; d >= 0; --d) {
        unsigned size = g.getArraySizes()->getDimSize(d);
        if (size == 0 && d == 0) size = implicit_size(g);
        if (size == 0 && (d > 0 || !may_be_unsized)) {
            error = "Terrazzo: array has no size";
            return nullptr;
        }
        t = make_array(t, size, error);
        if (!t) return nullptr;
    }
    return t;
}

}  // namespace terrazzo::shaders::glsl
