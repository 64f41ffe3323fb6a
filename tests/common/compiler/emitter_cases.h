// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// gen_emitters.py reads the text of a vendor's table; its results must agree with the compiled table.
#pragma once

#include <doctest/doctest.h>

#include <iterator>
#include <string>

#include "drivers/common/backend/emit.h"

namespace terrazzo::tests {

/// `is_plain(row)`: whether the instruction has one result and does not access memory.
template <typename EmittedOps, typename IsPlain>
void check_emitters(const EmittedOps& ops, const IsPlain& is_plain) {
    CHECK(std::size(ops) > 60);
    for (const auto& e : ops) {
        const auto& row = info(e.op);
        CHECK_MESSAGE(row.source_count == e.sources, std::string(row.name));
        CHECK_MESSAGE(is_plain(row), std::string(row.name));
    }
}

/// A different number of sources must not compile.
template <typename Ref>
constexpr bool counts_sources() {
    using Two = backend::Sources<Ref, 2>;
    return std::is_constructible_v<Two, Ref, Ref> && !std::is_constructible_v<Two, Ref> &&
           !std::is_constructible_v<Two, Ref, Ref, Ref> && !std::is_constructible_v<Two, Ref, int>;
}

}  // namespace terrazzo::tests
