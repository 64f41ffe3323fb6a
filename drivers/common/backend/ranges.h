// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Live ranges: where a word is live, as half-open ranges of places in ascending order, with holes between
// them. Instruction n of the code reads at 2n and writes at 2n + 1.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

namespace terrazzo::backend {

struct Range {
    uint32_t begin, end;
    bool operator==(const Range&) const = default;
};
using Ranges = std::pmr::vector<Range>;

/// Whether the two intersect.
[[nodiscard]] bool overlap(const Ranges& a, const Ranges& b);

/// Adds `from` to `into`. It is fastest if `from` is short and is at the end of `into`.
void merge(Ranges& into, const Ranges& from);

/// Removes the part of `rest` from `place` on from `from`, which must contain it.
void subtract_from(Ranges& from, const Ranges& rest, uint32_t place);

/// The part of the ranges from `place` on.
[[nodiscard]] Ranges rest_of(const Ranges& ranges, uint32_t place);

}  // namespace terrazzo::backend
