// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Handles to descriptors: a table and an index in it.
#pragma once

#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/state/shader.h"

namespace terrazzo::mali::sim {

struct Handle {
    unsigned table = 0, index = 0;
    bool operator==(const Handle&) const = default;
};
/// From a register: the table is in the top 8 bits.
inline Handle unpack_handle(uint32_t v) {
    return {v >> 24, v & 0xffffff};
}

/// Finds the descriptor's address.
bool find_descriptor(Window& memory, ResourceTables tables, Handle handle, uint64_t* va, std::string* why);

/// Reads a descriptor of 32 bytes and checks its type.
template <class T>
bool read_descriptor(Window& memory, uint64_t va, T* out, const char* what, std::string* why) {
    Fault fault;
    if (read_struct(memory, va, out, what, &fault, 16)) return true;
    return refuse(why, fault.report);
}

}  // namespace terrazzo::mali::sim
