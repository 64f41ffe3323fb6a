// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/ranges.h"

#include <algorithm>

namespace terrazzo::backend {

bool overlap(const Ranges& a, const Ranges& b) {
    if (a.empty() || b.empty()) return false;
    const auto ends_after = [](const Ranges& ranges, uint32_t begin) {
        const auto at = std::partition_point(ranges.begin(), ranges.end(),
                                             [&](const Range& x) { return x.end <= begin; });
        return size_t(at - ranges.begin());
    };
    for (size_t i = ends_after(a, b.front().begin), j = ends_after(b, a.front().begin);
         i < a.size() && j < b.size();) {
        if (a[i].end <= b[j].begin)
            i++;
        else if (b[j].end <= a[i].begin)
            j++;
        else
            return true;
    }
    return false;
}

void merge(Ranges& into, const Ranges& from) {
    for (Range r : from) {
        const auto at =
            std::partition_point(into.begin(), into.end(), [&](const Range& x) { return x.end < r.begin; });
        auto end = at;
        for (; end != into.end() && end->begin <= r.end; ++end)
            r = {std::min(r.begin, end->begin), std::max(r.end, end->end)};
        if (at == end) {
            into.insert(at, r);
        } else {
            *at = r;
            into.erase(at + 1, end);
        }
    }
}

Ranges rest_of(const Ranges& ranges, uint32_t place) {
    const auto first =
        std::partition_point(ranges.begin(), ranges.end(), [&](const Range& r) { return r.end <= place; });
    Ranges rest(first, ranges.end(), ranges.get_allocator());
    if (!rest.empty()) rest.front().begin = std::max(rest.front().begin, place);
    return rest;
}

void subtract_from(Ranges& from, const Ranges& rest, uint32_t place) {
    for (const Range& r : rest_of(rest, place)) {
        const auto at =
            std::partition_point(from.begin(), from.end(), [&](const Range& x) { return x.end <= r.begin; });
        const Range whole = *at;
        if (whole.begin < r.begin && r.end < whole.end) {
            at->end = r.begin;
            from.insert(at + 1, {r.end, whole.end});
        } else if (whole.begin < r.begin) {
            at->end = r.begin;
        } else if (r.end < whole.end) {
            at->begin = r.end;
        } else {
            from.erase(at);
        }
    }
}

}  // namespace terrazzo::backend
