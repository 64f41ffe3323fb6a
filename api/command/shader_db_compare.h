// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The changes of each shader between two runs.
#pragma once

#include "api/command/shader_db_result.h"

namespace terrazzo::command::shader_db {

/// A row whose number has changed.
struct Change {
    const Row* row;  // the new one
    double before, after;
    /// 0.5: half more than before; infinite if it was 0 before.
    [[nodiscard]] double relative() const;
};

/// "-5.00 %"; "new" if it was 0 before.
[[nodiscard]] std::string percent(double before, double after);

/// A number, compared over the rows of both runs.
struct MetricChange {
    const Metric* metric;
    double before = 0, after = 0;  // sums
    unsigned helped = 0, hurt = 0;
    std::vector<Change> changes;  // the best improvement first, the worst regression last
};

struct Comparison {
    std::string device;
    size_t rows = 0;  // in both runs
    std::vector<MetricChange> metrics;
    double time_before_us = 0, time_after_us = 0;
    std::vector<const Row*> gained, lost;  // in one run only
};

/// By device, in the new run's order, then devices of the old run only. The result points into the arguments.
[[nodiscard]] std::vector<Comparison> compare(const Results& before, const Results& after);
[[nodiscard]] std::vector<Comparison> compare(Results&&, const Results&) = delete;
[[nodiscard]] std::vector<Comparison> compare(const Results&, Results&&) = delete;

}  // namespace terrazzo::command::shader_db
