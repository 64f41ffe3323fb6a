// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Families of operations, which a selector tries one after the other.
#pragma once

#include <optional>
#include <string>

#include "drivers/common/backend/simple_ops.h"

namespace terrazzo::backend {

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

}  // namespace terrazzo::backend
