// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What TERRAZZO_COUNTERS writes (state_tracker/debug/counter_log.h), as values over time, and how they are shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace terrazzo::command {

class CounterSeries {
  public:
    struct Sample {
        size_t context = 0;  // of contexts
        double ms = 0;       // since the beginning, on one clock for all contexts
        double span_ms = 0;  // that it has counted for
        bool frame = false;
        std::vector<uint64_t> values;  // by name
    };
    struct ContextInfo {
        std::string name;
        double last_ms = 0;   // its sample before, or its beginning
        bool counts = false;  // its device counts what `names` say
    };
    /// `begin_ms`: CLOCK_MONOTONIC where time begins.
    explicit CounterSeries(double begin_ms = 0) : begin_ms_(begin_ms) {}

    std::vector<std::string> names;
    std::vector<Sample> samples;
    std::vector<ContextInfo> contexts;
    std::vector<uint64_t> totals;
    uint64_t frames = 0;

    /// A line without its end. True: it was a sample. Lines of a device with other counters are left out.
    bool add_line(std::string_view line);
    /// When the first context began to count, and the last sample of any.
    [[nodiscard]] double first_ms() const { return first_ms_; }
    [[nodiscard]] double last_ms() const { return last_ms_; }
    /// From the one to the other.
    [[nodiscard]] double seconds() const { return (last_ms_ - first_ms_) / 1000; }

  private:
    double begin_ms_, first_ms_ = 0, last_ms_ = 0;
};

/// "12.3 ms, frame: CPU/draws 2, CPU/vertices 6": what is not 0.
std::string sample_line(const CounterSeries& series, const CounterSeries::Sample& sample);
/// Lines of a table: each counter that is not always 0, its last value, how much a second, its sum.
std::vector<std::string> counter_table(const CounterSeries& series);
/// A page by itself: a plot over time for each counter that is not always 0, a line a context.
std::string counters_html(const CounterSeries& series, const std::string& title);

}  // namespace terrazzo::command
