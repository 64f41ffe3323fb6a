// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The selection of arithmetic: rows for operations of the IR that one instruction computes; families of the
// others, which a selector tries one after the other.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>

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

/// A base of a vendor's selector `Self`, which derives from RegionSelector (select_regions.h), too.
template <typename Self, typename Ref>
class FamilySelector {
  protected:
    /// A method of Self. It returns the value of the operation's result; none: the operation is of another
    /// family, and nothing was emitted.
    using Family = std::optional<Ref> (Self::*)(const ir::Instr&);

    /// Selects an operation as one instruction if `Simple` (SimpleOps) has a row for it, otherwise by the
    /// first family that has it. Other operations are refused. `width...`: arguments of select_simple(), the
    /// width of that instruction's result.
    template <typename Simple, size_t kCount, typename... Width>
    void select_operation(const ir::Instr& i, const Family (&families)[kCount], Width... width) {
        Self& self = static_cast<Self&>(*this);
        if (const auto* simple = Simple::find(i.op)) return self.select_simple(i, simple->to, width...);
        for (const Family family : families)
            if (const std::optional<Ref> value = (self.*family)(i)) return self.set(i.result(), *value);
        self.f_.fail(std::string(Self::kName) + ": no instruction for " + std::string(i.info().text));
    }
};

/// The reciprocal of a constant. Empty: `v` is no constant, or the reciprocal is not a normal number.
[[nodiscard]] inline std::optional<float> constant_reciprocal(const ir::Value* v) {
    if (!ir::is_const(v)) return {};
    const float inverse = 1 / ir::const_f32(v);
    if (!std::isnormal(inverse)) return {};
    return inverse;
}

}  // namespace terrazzo::backend
