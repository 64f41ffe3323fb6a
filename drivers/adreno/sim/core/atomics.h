// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the atomic operations of shaders do, in the order of the instruction table.
#pragma once

#include "drivers/adreno/isa/enums.h"
#include "drivers/common/core/atomic.h"

namespace terrazzo::adreno::sim {

struct Atomic {
    core::AtomicOp op, of_signed;
    uint32_t number = 0;  // the operand of an operation without one
};

/// Of global and of local memory.
inline constexpr Atomic kAtomics[] = {
    {core::AtomicOp::Add, core::AtomicOp::Add},
    {core::AtomicOp::Sub, core::AtomicOp::Sub},
    {core::AtomicOp::Exchange, core::AtomicOp::Exchange},
    {core::AtomicOp::Add, core::AtomicOp::Add, 1},
    {core::AtomicOp::Sub, core::AtomicOp::Sub, 1},
    {core::AtomicOp::CompareExchange, core::AtomicOp::CompareExchange},
    {core::AtomicOp::MinUnsigned, core::AtomicOp::MinSigned},
    {core::AtomicOp::MaxUnsigned, core::AtomicOp::MaxSigned},
    {core::AtomicOp::And, core::AtomicOp::And},
    {core::AtomicOp::Or, core::AtomicOp::Or},
    {core::AtomicOp::Xor, core::AtomicOp::Xor},
};

inline bool is_image_atomic(isa::Op op) {
    return op >= isa::Op::kAtomicBAdd && op <= isa::Op::kAtomicBXor;
}
/// Of images, which have no increment and decrement.
inline const Atomic& image_atomic(isa::Op op) {
    const unsigned n = unsigned(op) - unsigned(isa::Op::kAtomicBAdd);
    return kAtomics[n <= 2 ? n : n + 2];
}

}  // namespace terrazzo::adreno::sim
