// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Atomic operations of shaders on words of 32 or 64 bits. They are atomic for the host's threads, too,
// because cores run in parallel.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "drivers/common/window/window.h"

namespace terrazzo::core {

enum class AtomicOp : uint8_t {
    Add,
    Sub,
    Exchange,
    CompareExchange,  // the operand, where the word is what it is compared with
    MinSigned,
    MaxSigned,
    MinUnsigned,
    MaxUnsigned,
    And,
    Or,
    Xor,
};

/// The new value of a word.
template <class T>
T updated(AtomicOp op, T old, T operand, T compared) {
    using S = std::make_signed_t<T>;
    switch (op) {
        case AtomicOp::Add:
            return old + operand;
        case AtomicOp::Sub:
            return old - operand;
        case AtomicOp::Exchange:
            return operand;
        case AtomicOp::CompareExchange:
            return old == compared ? operand : old;
        case AtomicOp::MinSigned:
            return T(std::min(S(old), S(operand)));
        case AtomicOp::MaxSigned:
            return T(std::max(S(old), S(operand)));
        case AtomicOp::MinUnsigned:
            return std::min(old, operand);
        case AtomicOp::MaxUnsigned:
            return std::max(old, operand);
        case AtomicOp::And:
            return old & operand;
        case AtomicOp::Or:
            return old | operand;
        case AtomicOp::Xor:
            return old ^ operand;
    }
    return old;
}

/// Updates the word at `va`, and sets `old` to what it was. False, with `fault`: the access was refused, or
/// the address is no multiple of the word's size.
template <class T>
[[nodiscard]] bool update(window::Window& memory, uint64_t va, AtomicOp op, T operand, T compared, T* old,
                          window::AccessFault* fault) {
    uint8_t* const at = memory.at(va, sizeof(T), window::Access::Write);
    if (!at || va % sizeof(T) || reinterpret_cast<uintptr_t>(at) % sizeof(T)) {
        *fault = at ? window::AccessFault{va, sizeof(T), window::Access::Write, true, {}} : memory.fault();
        return false;
    }
    std::atomic_ref<T> word(*reinterpret_cast<T*>(at));
    *old = word.load();
    while (!word.compare_exchange_weak(*old, updated(op, *old, operand, compared))) {
    }
    return true;
}

}  // namespace terrazzo::core
