// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// How a vendor's Instr gives out its fields.
#pragma once
#include <type_traits>

/// type name() const and set_name(type): the field that `stored`, a member's element, holds.
#define TERRAZZO_ISA_ACCESSOR(stored, name, type)                  \
    type name() const {                                            \
        return type(stored);                                       \
    }                                                              \
    void set_##name(type value) {                                  \
        stored = std::remove_reference_t<decltype(stored)>(value); \
    }
