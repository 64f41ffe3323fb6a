// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The walk over a variable's type that names its parts as GL does: structures' members and arrays' elements one by one,
// but for an array of a basic type, which is one line. `Derived` adds the lines:
//   bool full()                                  nothing more is listed
//   uint32_t listed(const Type* array, leaf)     how many of an array's elements
//   void begin_member(size_t index, bool top)    of a structure; `top`: of the outermost
//   void add(const Type* t, name, leaf)          a line
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shaders/glsl/type.h"

namespace terrazzo::shaders::glsl {

template <typename Derived>
struct LeafLister {
    std::vector<uint32_t> steps;  // the elements entered, outermost first
    unsigned depth = 0;           // structures entered

    void visit(const Type* t, const std::string& name, uint32_t leaf) {
        if (self().full()) return;
        const bool array_of_basic = t->is_array() && t->dims.size() == 1 && t->base != Base::Struct;
        if (t->is_array() && !array_of_basic) {
            const uint32_t count = self().listed(t, leaf);
            for (uint32_t i = 0; i < count; ++i) {
                steps.push_back(i);
                visit(t->element, name + "[" + std::to_string(i) + "]", leaf);
                steps.pop_back();
            }
        } else if (t->base == Base::Struct) {
            members(*t, name.empty() ? name : name + ".", leaf);
        } else if (t->base != Base::Void) {
            self().add(t, name, leaf);
        }
    }

    void members(const Type& t, const std::string& prefix, uint32_t leaf) {
        ++depth;
        for (size_t i = 0; i < t.members.size(); ++i) {
            const Member& m = t.members[i];
            self().begin_member(i, depth == 1);
            visit(m.type, prefix + m.name, leaf + m.first_leaf);
        }
        --depth;
    }

  private:
    Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace terrazzo::shaders::glsl
