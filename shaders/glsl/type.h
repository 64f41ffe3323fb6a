// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front end's representation of GLSL types. A type is flattened to leaves: scalar, vector, matrix or
// sampler members, with the dimensions of all enclosing arrays. A value is the list of its scalars, leaf by
// leaf. Within a leaf, outer array elements vary slowest, then columns, then rows. Types are interned: equal
// pointers mean equal types.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "shaders/compile.h"

namespace glslang {
class TType;
struct TSampler;
}  // namespace glslang

namespace terrazzo::shaders::glsl {

enum class Base : uint8_t { Void, Float, Int, Uint, Bool, Sampler, Struct, Image, AtomicCounter };
/// Variables of these types refer to objects outside of the shader; they have no values.
[[nodiscard]] constexpr bool is_opaque(Base b) {
    return b == Base::Sampler || b == Base::Image || b == Base::AtomicCounter;
}

struct Type;

struct Member {
    std::string name;
    const Type* type;
    uint32_t first_leaf;
    uint32_t first_component;  // in a struct that is not in an array
};

struct Leaf {
    const Type* basic;              // scalar, vector, matrix or sampler
    std::string suffix;             // ".color": appended to the variable's name
    std::vector<uint32_t> dims;     // outermost first
    std::vector<uint32_t> strides;  // by dimension, in components
    uint32_t count;                 // components of all elements
    uint32_t first_component;       // in a value of the type
};

struct Type {
    Base base = Base::Void;
    uint8_t columns = 1, rows = 1;
    ir::Precision precision = ir::Precision::None;
    // Sampler and Image
    ir::TexDim dim = ir::TexDim::D2;
    Base sampled = Base::Float;
    bool arrayed = false, shadow = false, external = false;

    // The array's dimensions, outermost first; 0: the last member of a storage block.
    std::vector<uint32_t> dims;
    const Type* element = nullptr;  // the type without the outermost dimension; null if not an array
    std::string name;               // structs only
    std::vector<Member> members;    // structs only
    std::vector<Leaf> leaves;
    uint32_t components = 0;  // per value
    bool has_opaque = false;

    [[nodiscard]] bool is_array() const { return element != nullptr; }
    [[nodiscard]] bool is_struct() const { return base == Base::Struct && !is_array(); }
    [[nodiscard]] bool is_matrix() const { return columns > 1 && !is_array(); }
    [[nodiscard]] bool is_float() const { return base == Base::Float; }
    /// Scalar, vector or matrix.
    [[nodiscard]] bool is_plain() const { return !is_array() && base != Base::Struct && !is_opaque(base); }
    [[nodiscard]] ir::Type scalar() const;
};

/// The element type of an array of any number of dimensions.
[[nodiscard]] inline const Type& element_type(const Type* t) {
    while (t->element)
        t = t->element;
    return *t;
}
/// The type of a basic type as an interface reports it.
[[nodiscard]] GlslType interface_type(const Type& basic);
/// The declaration as text, equal for types that match between stages: "struct S{float a;vec3[2] b;}".
[[nodiscard]] std::string declaration(const Type& t);

/// The most scalars of a variable; more is an error, independent of the device's limits.
inline constexpr uint64_t kMaxComponents = 1u << 18;
/// The most members of a structure, including those of nested structures.
inline constexpr size_t kMaxLeaves = 16384;

/// The sums over all structures and arrays of a shader: flattened members, and bytes of their names. A type
/// includes those of the types it consists of.
inline constexpr uint64_t kMaxTypeMembers = 1u << 19, kMaxTypeNames_B = 32u << 20;
/// The depth of nested structures.
inline constexpr unsigned kMaxStructDepth = 64;

/// Counts the depth of a recursion.
class DepthScope {
  public:
    explicit DepthScope(unsigned& d) : d_(d) { ++d_; }
    ~DepthScope() { --d_; }
    DepthScope(const DepthScope&) = delete;
    DepthScope& operator=(const DepthScope&) = delete;

  private:
    unsigned& d_;
};

class TypeTable {
  public:
    TypeTable() = default;
    TypeTable(const TypeTable&) = delete;
    TypeTable& operator=(const TypeTable&) = delete;

    /// Null: the type cannot be represented; see `error`.
    const Type* get(const glslang::TType& t, std::string& error);
    /// A scalar, vector or matrix.
    const Type* basic(Base base, unsigned columns, unsigned rows, ir::Precision p);

  private:
    using Key = std::vector<uint64_t>;
    const Type* intern(const Key& key, Type&& t);
    bool count(const Type& t, std::string& error);
    const Type* make_array(const Type* element, uint32_t size, std::string& error);
    const Type* make_struct(const glslang::TType& t, std::string& error);
    const Type* make_counter();
    const Type* make_sampler(const glslang::TSampler& s, ir::Precision p, std::string& error);

    std::deque<Type> types_;
    std::map<Key, const Type*> interned_;
    const Type* plain_[5][5][5][4] = {};
    unsigned depth_ = 0;
    bool may_be_unsized_ = false;  // applies to the next type
    uint64_t members_ = 0, names_B_ = 0;
};

}  // namespace terrazzo::shaders::glsl
