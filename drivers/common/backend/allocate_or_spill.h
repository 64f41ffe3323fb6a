// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Register allocation that spills if the registers do not suffice.
#pragma once

#include "drivers/common/backend/allocate.h"
#include "drivers/common/backend/spill.h"

namespace terrazzo::backend {

struct SpillOptions {
    bool spills = false;         // otherwise allocation fails where it would have to spill
    const char* vendor = "";     // for errors
    uint32_t granule_units = 0;  // of allocate()
};

/// allocate(). If `too_many` is not null, it is set if more units are live at once than the last limit has.
template <SpillTarget S, Target T>
[[nodiscard]] int allocate_or_spill(Function<T>& f, std::span<const UnitSet<T>> limits,
                                    const SpillOptions& options, bool* too_many = nullptr) {
    const auto try_spill = [&](uint32_t place, const UnitSet<T>& limit, uint32_t room) {
        if (too_many) *too_many |= place == kEverywhere;
        return options.spills && spill<S>(f, place, limit, room);
    };
    const int limit = allocate<T>(f, limits, try_spill, options.granule_units);
    if (limit < 0) f.error = std::string(options.vendor) + ": " + f.error;
    return limit;
}

}  // namespace terrazzo::backend
