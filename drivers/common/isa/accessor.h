// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The accessors of the fields of a vendor's Instr.
#pragma once
#include <type_traits>

/// Defines `type name() const` and `set_name(type)` for the field that is kept in `stored`, an element of a
/// member.
#define TERRAZZO_ISA_ACCESSOR(stored, name, type)                  \
    type name() const {                                            \
        return type(stored);                                       \
    }                                                              \
    void set_##name(type value) {                                  \
        stored = std::remove_reference_t<decltype(stored)>(value); \
    }
