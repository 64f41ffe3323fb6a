// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What became of each shader between two runs.
#pragma once

#include "api/command/shader_db_result.h"

namespace terrazzo::command::shader_db {

/// A row whose number is another one now.
struct Change {
    const Row* row;  // the new one
    double before, after;
    /// 0.5: half as much again; infinite where there was nothing.
    [[nodiscard]] double relative() const;
};

/// "-5.00 %"; "new" where there was nothing.
[[nodiscard]] std::string percent(double before, double after);

/// A number over the rows that are in both runs.
struct MetricChange {
    const Metric* metric;
    double before = 0, after = 0;  // sums
    unsigned helped = 0, hurt = 0;
    std::vector<Change> changes;  // the most helped first, the most hurt last
};

struct Comparison {
    std::string device;
    size_t rows = 0;  // in both
    std::vector<MetricChange> metrics;
    double time_before_us = 0, time_after_us = 0;
    std::vector<const Row*> gained, lost;  // in one run only
};

/// By device, as the new run names them, then those that it lacks. Points into the results.
[[nodiscard]] std::vector<Comparison> compare(const Results& before, const Results& after);
[[nodiscard]] std::vector<Comparison> compare(Results&&, const Results&) = delete;
[[nodiscard]] std::vector<Comparison> compare(const Results&, Results&&) = delete;

}  // namespace terrazzo::command::shader_db
