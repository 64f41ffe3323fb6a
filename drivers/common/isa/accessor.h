// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The accessors of the fields of a vendor's Instr.
#pragma once
#include <type_traits>

/// Defines `type name() const` and `set_name(type)` for the field that is kept in `stored`, an element of a
/// member. Setters return the instruction, so that they can be chained:
///     isa::make(Op::kLdl).set_type(Type::kU32).set_size(4)
#define TERRAZZO_ISA_ACCESSOR(stored, name, type)                  \
    type name() const {                                            \
        return type(stored);                                       \
    }                                                              \
    auto& set_##name(type value) {                                 \
        stored = std::remove_reference_t<decltype(stored)>(value); \
        return *this;                                              \
    }
