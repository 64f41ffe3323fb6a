// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/shader_db_compare.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <tuple>

namespace terrazzo::command::shader_db {

namespace {

std::vector<const Row*> rows_of(const Results& results, const std::string& device) {
    std::vector<const Row*> out;
    for (const Row& row : results.rows)
        if (row.device == device) out.push_back(&row);
    return out;
}

void add(const Row& before, const Row& after, MetricChange* m) {
    const double a = m->metric->get(before), b = m->metric->get(after);
    m->before += a;
    m->after += b;
    if (a == b) return;
    ((b < a) != m->metric->more_is_better ? m->helped : m->hurt)++;
    m->changes.push_back({&after, a, b});
}

Comparison compare_device(const std::string& device, const Results& before, const Results& after) {
    Comparison out{.device = device};
    for (const Metric& metric : metrics())
        out.metrics.push_back({.metric = &metric});
    const auto old_rows = rows_of(before, device), new_rows = rows_of(after, device);
    const auto key = [](const Row* r) { return std::tie(r->name, r->part); };
    auto a = old_rows.begin(), b = new_rows.begin();
    while (a != old_rows.end() || b != new_rows.end()) {
        if (b == new_rows.end() || (a != old_rows.end() && key(*a) < key(*b))) {
            out.lost.push_back(*a++);
        } else if (a == old_rows.end() || key(*b) < key(*a)) {
            out.gained.push_back(*b++);
        } else {
            for (MetricChange& m : out.metrics)
                add(**a, **b, &m);
            out.time_before_us += (*a)->time_us;
            out.time_after_us += (*b)->time_us;
            out.rows++;
            ++a, ++b;
        }
    }
    for (MetricChange& m : out.metrics) {
        const double sign = m.metric->more_is_better ? -1 : 1;
        std::stable_sort(m.changes.begin(), m.changes.end(), [&](const Change& x, const Change& y) {
            return sign * x.relative() < sign * y.relative();
        });
    }
    return out;
}

}  // namespace

double Change::relative() const {
    if (before == 0) return std::numeric_limits<double>::infinity();
    return (after - before) / before;
}

std::string percent(double before, double after) {
    if (before == after) return "0.00 %";
    if (before == 0) return "new";
    char text[32];
    std::snprintf(text, sizeof text, "%+.2f %%", (after - before) / before * 100);
    return text;
}

std::vector<Comparison> compare(const Results& before, const Results& after) {
    std::vector<Comparison> out;
    for (const DeviceUnits& d : after.devices)
        out.push_back(compare_device(d.name, before, after));
    for (const DeviceUnits& d : before.devices)
        if (std::none_of(out.begin(), out.end(), [&](const Comparison& c) { return c.device == d.name; }))
            out.push_back(compare_device(d.name, before, after));
    return out;
}

}  // namespace terrazzo::command::shader_db
