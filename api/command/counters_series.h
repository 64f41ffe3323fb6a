// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What TERRAZZO_COUNTERS writes (state_tracker/core/counter_log.h), as values over time, and how they are shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace terrazzo::command {

struct CounterSeries {
    struct Sample {
        double ms = 0;
        bool frame = false;
        std::vector<uint64_t> values;  // by name
    };
    std::vector<std::string> names;
    std::vector<Sample> samples;
    std::vector<uint64_t> totals;
    uint64_t frames = 0;

    /// A line without its end. True: it was a sample. Lines of a device with other counters are left out.
    bool add_line(std::string_view line);
};

/// "12.3 ms, frame: CPU/draws 2, CPU/vertices 6": what is not 0.
std::string sample_line(const CounterSeries& series, const CounterSeries::Sample& sample);
/// Lines of a table: each counter that is not always 0, its last value, how much a second, its sum.
std::vector<std::string> counter_table(const CounterSeries& series);
/// A page by itself: a plot over time for each counter that is not always 0.
std::string counters_html(const CounterSeries& series, const std::string& title);

}  // namespace terrazzo::command
