// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The lines of TERRAZZO_COUNTERS (state_tracker/debug/counter_log.h) as values over time, and their
// presentation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace terrazzo::command {

class CounterSeries {
  public:
    struct Sample {
        size_t context = 0;  // index in `contexts`
        double ms = 0;       // since the beginning, on a clock of all contexts
        double span_ms = 0;  // time since the context's previous sample
        bool frame = false;
        std::vector<uint64_t> values;  // in the order of `names`
    };
    struct ContextInfo {
        std::string name;
        double last_ms = 0;   // of its previous sample, or its beginning
        bool counts = false;  // its device has the counters in `names`
    };
    /// `begin_ms`: the time 0, of CLOCK_MONOTONIC.
    explicit CounterSeries(double begin_ms = 0) : begin_ms_(begin_ms) {}

    std::vector<std::string> names;
    std::vector<Sample> samples;
    std::vector<ContextInfo> contexts;
    std::vector<uint64_t> totals;
    uint64_t frames = 0;

    /// Adds a line without its end. True: it was a sample. Ignores lines of devices with other counters.
    bool add_line(std::string_view line);
    /// The time when the first context began to count, and that of the last sample.
    [[nodiscard]] double first_ms() const { return first_ms_; }
    [[nodiscard]] double last_ms() const { return last_ms_; }
    /// The duration between the two.
    [[nodiscard]] double seconds() const { return (last_ms_ - first_ms_) / 1000; }

  private:
    double begin_ms_, first_ms_ = 0, last_ms_ = 0;
};

/// "12.3 ms, frame: CPU/draws 2, CPU/vertices 6": the values that are not 0.
std::string sample_line(const CounterSeries& series, const CounterSeries::Sample& sample);
/// Lines of a table: each counter that is not always 0, with its last value, its rate per second and its sum.
std::vector<std::string> counter_table(const CounterSeries& series);
/// A complete HTML page: a plot over time for each counter that is not always 0, with one line per context.
std::string counters_html(const CounterSeries& series, const std::string& title);

}  // namespace terrazzo::command
