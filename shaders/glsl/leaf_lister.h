// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Walks a variable's type and lists its parts with GL's names: each member of a structure and each element of
// an array, except that an array of a basic type is one line. `Derived` has:
//   bool full()                                  stops the listing
//   uint32_t listed(const Type* array, leaf)     how many elements of an array to list
//   void begin_member(size_t index, bool top)    begins a structure's member; `top`: of the outermost one
//   void add(const Type* t, name, leaf)          adds a line
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shaders/glsl/type.h"

namespace terrazzo::shaders::glsl {

template <typename Derived>
struct LeafLister {
    std::vector<uint32_t> steps;  // indices of the entered elements, outermost first
    unsigned depth = 0;           // the number of entered structures

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
