// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The operations of the IR that one instruction computes, as rows of a table.
#pragma once

#include <array>

#include "shaders/ir/ir.h"

namespace terrazzo::backend {

/// The instruction has the operation's operands as sources, in their order.
template <typename Op>
struct SimpleOp {
    ir::Op from;
    Op to;
};

/// Finds rows by the IR's operation.
template <const auto& kRows>
class SimpleOps {
    static constexpr auto make_index() {
        std::array<uint8_t, 256> index{};
        for (size_t n = 0; n < std::size(kRows); n++)
            index[size_t(kRows[n].from)] = uint8_t(n + 1);
        return index;
    }
    static constexpr std::array<uint8_t, 256> kIndex = make_index();

  public:
    /// Null: the operation has no row.
    static const auto* find(ir::Op op) {
        const uint8_t n = kIndex[size_t(op)];
        return n ? &kRows[n - 1] : nullptr;
    }
};

}  // namespace terrazzo::backend
